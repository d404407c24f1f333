"""ASGI application: Django's WSGI handler in a thread pool, behind `companion.operations.requests`."""

import os
from importlib import import_module
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
_django = get_wsgi_application()

from django.conf import settings  # noqa: E402 - after Django is set up

from companion.live.shutdown import close_streams_on_shutdown  # noqa: E402 - likewise
from companion.operations.hosts import Application, with_server_address  # noqa: E402 - likewise
from companion.operations.requests import RequestGate  # noqa: E402 - likewise
from companion.registry import titles  # noqa: E402 - likewise

# Python runs one thread at a time; more than one helps only while requests wait for the database or a lock.
THREADS = 4

# Import all views and titles now, not in the first request.
import_module(settings.ROOT_URLCONF)
titles()


def _in_threads(number: int) -> Application:
    """Run Django in a pool of threads. The send queue is unlimited, so a slow reader never holds a thread."""
    django: Any = _django  # the WSGI types of Django and a2wsgi do not match
    return cast("Application", WSGIMiddleware(django, workers=number, send_queue_size=0))


_gate = RequestGate(pages=_in_threads(THREADS), checks=_in_threads(2), body_timeout=settings.BODY_TIMEOUT)
application = with_server_address(close_streams_on_shutdown(_gate))

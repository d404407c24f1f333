"""The ASGI application: Django's WSGI handler in a pool of threads, behind `companion.operations.requests`."""

import os
from importlib import import_module
from typing import Any, cast

from a2wsgi import WSGIMiddleware
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
_django = get_wsgi_application()

from django.conf import settings  # noqa: E402 - after Django is set up

from companion.live.shutdown import close_streams_on_shutdown  # noqa: E402 - likewise
from companion.operations.hosts import Application, remembering_where_reached  # noqa: E402 - likewise
from companion.operations.requests import RequestGate  # noqa: E402 - likewise

# Python runs one thread at a time; the others are for requests that wait for a database or a lock.
THREADS = 4

import_module(settings.ROOT_URLCONF)  # all views, or the first request would wait for that


def _in_threads(number: int) -> Application:
    """Run Django in a pool of threads; the queue has no limit, so that a slow reader never holds a thread."""
    django: Any = _django  # the two packages describe WSGI in types that do not match
    return cast("Application", WSGIMiddleware(django, workers=number, send_queue_size=0))


_gate = RequestGate(pages=_in_threads(THREADS), checks=_in_threads(2), body_timeout=settings.BODY_TIMEOUT)
application = remembering_where_reached(close_streams_on_shutdown(_gate))

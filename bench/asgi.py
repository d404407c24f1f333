"""Where the measured server enters: the product as it is, and beside it the bare views as Django alone serves them.

A bare view gets what every view of a Django site gets: a thread of its own, and a connection to the database that is
opened for it. What the product does to be quicker than that is part of what is measured.
"""

import os

from django.core.asgi import get_asgi_application

from companion.hosts import Receive, Scope, Send

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bench.settings")

_bare = get_asgi_application()

from companion.asgi import application as _product  # noqa: E402 - after Django is set up


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    is_bare = scope["type"] == "http" and scope["path"].startswith("/bare/")
    await (_bare if is_bare else _product)(scope, receive, send)

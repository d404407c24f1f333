"""Where the server enters."""

import os

from django.core.asgi import get_asgi_application

from companion.hosts import remembering_where_reached

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")

application = remembering_where_reached(get_asgi_application())

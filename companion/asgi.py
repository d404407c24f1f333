"""Where the server enters."""

import os

from django.core.asgi import get_asgi_application

from companion.bodies import refusing_huge_bodies
from companion.closing import sending_phones_away
from companion.hosts import remembering_where_reached
from companion.threads import in_kept_threads

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")

application = in_kept_threads(get_asgi_application())
application = remembering_where_reached(sending_phones_away(refusing_huge_bodies(application)))

"""Where the server enters."""

import gc
import os
import sys

import django

from companion.bodies import refusing_huge_bodies
from companion.closing import sending_phones_away
from companion.hosts import remembering_where_reached

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
django.setup(set_prefix=False)

from companion.threads import Handler  # noqa: E402 - after Django is set up

application = remembering_where_reached(sending_phones_away(refusing_huge_bodies(Handler())))

# Who hears of a change, or sends something, waits no longer than this for a thread that draws a page.
sys.setswitchinterval(0.001)
# What is there from the beginning stays: to look through it again and again would only stop everybody meanwhile.
gc.collect()
gc.freeze()

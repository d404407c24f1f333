"""The product's settings, with the bare views beside it."""

from companion.settings import *  # noqa: F403
from companion.settings import INSTALLED_APPS

ROOT_URLCONF = "bench.site"
INSTALLED_APPS = [*INSTALLED_APPS, "bench"]

"""Django for programs outside of `manage.py`, which need the registry of titles."""

from __future__ import annotations

import os

import django


def set_up_django() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    django.setup()

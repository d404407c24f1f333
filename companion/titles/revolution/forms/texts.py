"""Names and numbers of things as several forms show them."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.revolution.names import name, place_name


def region_name(slug: str) -> str:
    return name("region", slug)


def name_in_province(place: str) -> str:
    """Return the name of a place below the heading of its province."""
    return _("Countryside") if place.startswith("countryside:") else place_name(place)


def army_count(count: int) -> str:
    return ngettext("%(count)d army", "%(count)d armies", count) % {"count": count}


def box_count(count: int) -> str:
    """Return a number of free boxes of a command strip."""
    return ngettext("%(count)d box", "%(count)d boxes", count) % {"count": count}

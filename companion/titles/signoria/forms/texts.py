"""Costs and gains in words."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def florins(count: int) -> str:
    return ngettext("%(count)d florin", "%(count)d florins", count) % {"count": count}


def cost(count: int) -> str:
    return florins(count) if count else _("no cost")


def points(count: int) -> str:
    return ngettext("%(count)d point", "%(count)d points", count) % {"count": count}


def progress(count: int) -> str:
    return ngettext("%(count)d progress point", "%(count)d progress points", count) % {"count": count}


def members(men: int, women: int) -> str:
    texts = []
    if men or not women:
        texts.append(ngettext("%(count)d man", "%(count)d men", men) % {"count": men})
    if women:
        texts.append(ngettext("%(count)d woman", "%(count)d women", women) % {"count": women})
    return ", ".join(texts)


def to_city(kind: str) -> str:
    """Return the gain of a mission or a marriage."""
    return _("a man to a city") if kind == "mission" else _("a woman to a city")

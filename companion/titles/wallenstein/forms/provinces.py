"""Provinces as choices of an entry form."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.wallenstein.forms.widgets import MOST_CHIPS, Groups, Province
from companion.titles.wallenstein.names import name, short_name
from companion.titles.widgets import Choice
from games.wallenstein.board import province_of
from games.wallenstein.pieces import REGIONS
from games.wallenstein.state import State, armies_in, owner_of, region_of, tiles_in, unrest_in


def province_choice(state: State, slug: str) -> Choice:
    """Return the choice of an own or neutral province, with its yields, free cities and unrest."""
    card, owner = province_of(state.setup, slug), owner_of(state, slug)
    armies = armies_in(state, slug, owner) if owner else 0
    free = max(0, card.cities - tiles_in(state, slug))
    details = [armies_text(armies)] if owner else [name("region", card.region)]
    details.append(_("%(gold)d gold, %(grain)d grain") % {"gold": card.gold, "grain": card.grain})
    details.append(ngettext("%(count)d free city", "%(count)d free cities", free) % {"count": free})
    figures = {
        "army": armies,
        "gold": card.gold,
        "grain": card.grain,
        "site": free,
        "unrest": unrest_in(state, slug),
    }
    return Province(
        slug,
        short_name(slug),
        ", ".join([*details, *_unrest(state, slug)]),
        figures=tuple((piece, count) for piece, count in figures.items() if count),
    )


def target_choice(state: State, slug: str, faction: str) -> Choice:
    """Return the choice of a target province: own, empty, or an attack."""
    owner = owner_of(state, slug) or ""
    if not owner:
        detail = _("empty")
    else:
        armies = armies_text(armies_in(state, slug, owner))
        template = _("yours, %(armies)s") if owner == faction else _("attack, %(armies)s")
        detail = template % {"armies": armies}
    return Choice(slug, short_name(slug), ", ".join([detail, *_unrest(state, slug)]), owner=owner)


def _unrest(state: State, slug: str) -> list[str]:
    count = unrest_in(state, slug)
    return [_("unrest %(count)d") % {"count": count}] if count else []


def armies_text(count: int) -> str:
    return ngettext("%(count)d army", "%(count)d armies", count) % {"count": count}


def by_region(state: State, provinces: Sequence[str]) -> Groups:
    """Return choices of provinces, grouped by region if there are more than ``MOST_CHIPS``."""
    if len(provinces) <= MOST_CHIPS:
        return (("", tuple(province_choice(state, slug) for slug in provinces)),)
    return tuple(
        (
            name("region", region),
            tuple(province_choice(state, slug) for slug in provinces if region_of(state, slug) == region),
        )
        for region in REGIONS
        if any(region_of(state, slug) == region for slug in provinces)
    )

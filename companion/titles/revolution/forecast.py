"""Forecast of a form as if no other faction entered anything: conflict losses, allegiance markers."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from companion.titles.revolution.forms import FORMS
from companion.titles.revolution.names import name
from games.revolution import conflict, influence
from games.revolution.board import Province
from games.revolution.persuasion import beside, column
from games.revolution.state import State, atlas, countable, counters

Numbers = Mapping[str, int]


def forecast(state: State, faction: str, form: Mapping[str, str]) -> list[str]:
    """Return the forecast as sentences; empty if nothing would change or the form cannot be parsed."""
    action = FORMS.parse(form)
    if action["type"] == "place":
        return _conflicts(state, faction, _integers(action["places"]))
    if action["type"] == "influence":
        return _markers(state, faction, _integers(action["coins"]))
    return []


def _integers(numbers: Mapping[str, object]) -> dict[str, int]:
    return {key: value for key, value in numbers.items() if isinstance(value, int)}


def _conflicts(state: State, faction: str, placed: Numbers) -> list[str]:
    """Return the losses of the conflict phase (6.11)."""
    lines = []
    for province in atlas(state).provinces.values():
        here = countable(state, province)
        here[faction] += placed.get(province.countryside, 0)
        line = _conflict(province, {f: n for f, n in here.items() if n})
        if line:
            lines.append(line)
    return lines


def _conflict(province: Province, here: Numbers) -> str:
    total = sum(here.values())
    if total <= province.limit:
        return ""
    outcome = conflict.resolve(here, province.limit)
    lost = ", ".join(f"{name('faction', f)} −{n}" for f, n in outcome.removed.items() if n)
    over = sum(outcome.left.values()) - province.limit
    params = {
        "province": name("province", province.slug),
        "total": total,
        "limit": province.limit,
        "lost": lost,
        "over": over,
    }
    if lost and over > 0:
        return _("%(province)s %(total)d/%(limit)d: %(lost)s, then %(over)d overflow") % params
    if lost:
        return _("%(province)s %(total)d/%(limit)d: %(lost)s") % params
    return _("%(province)s %(total)d/%(limit)d: %(over)d overflow") % params


def _markers(state: State, faction: str, coins: Numbers) -> list[str]:
    """Return the movements of the allegiance markers (6.16)."""
    lines = []
    for city in atlas(state).cities:
        laid = {f: n for f in state.order if (n := counters(state, f, beside(city)))}
        if coins.get(city):
            laid[faction] = coins[city]
        start = column(state, city)
        end = influence.resolve(start, state.order, laid).end
        if laid:
            params = {"city": name("city", city), "start": start, "end": end}
            lines.append(_("%(city)s: column %(start)d → %(end)d") % params)
    return lines

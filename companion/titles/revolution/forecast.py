"""What would come of a form if nobody entered more: removals by conflict, markers of allegiance."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _

from companion.titles.revolution.board import name
from companion.titles.revolution.forms import action_of
from games.revolution import conflict, influence
from games.revolution.board import Province
from games.revolution.persuasion import beside, column
from games.revolution.state import State, atlas, countable, counters

Numbers = Mapping[str, int]


def forecast(state: State, faction: str, form: Mapping[str, str]) -> list[str]:
    """Sentences; none where nothing would change, or the form cannot be read."""
    action = action_of(form)
    if action["type"] == "place":
        return _conflicts(state, faction, _whole(action["places"]))
    if action["type"] == "influence":
        return _markers(state, faction, _whole(action["coins"]))
    return []


def _whole(numbers: Mapping[str, object]) -> dict[str, int]:
    return {key: value for key, value in numbers.items() if isinstance(value, int)}


def _conflicts(state: State, faction: str, placed: Numbers) -> list[str]:
    """6.11: what the conflict phase would take away."""
    said = []
    for province in atlas(state).provinces.values():
        here = countable(state, province)
        here[faction] += placed.get(province.countryside, 0)
        told = _conflict(province, {f: n for f, n in here.items() if n})
        if told:
            said.append(told)
    return said


def _conflict(province: Province, here: Numbers) -> str:
    total, where = sum(here.values()), name("province", province.slug)
    if total <= province.limit:
        return ""
    left = conflict.resolve(here, province.limit)
    lost = ", ".join(f"{name('faction', f)} −{n}" for f, n in left.removed.items() if n)
    over = sum(left.left.values()) - province.limit
    known = {"province": where, "total": total, "limit": province.limit, "lost": lost, "over": over}
    if lost and over > 0:
        return _("%(province)s %(total)d/%(limit)d: %(lost)s, then %(over)d overflow") % known
    if lost:
        return _("%(province)s %(total)d/%(limit)d: %(lost)s") % known
    return _("%(province)s %(total)d/%(limit)d: %(over)d overflow") % known


def _markers(state: State, faction: str, coins: Numbers) -> list[str]:
    """6.16: where the markers would go."""
    said = []
    for city in atlas(state).cities:
        laid = {f: n for f in state.order if (n := counters(state, f, beside(city)))}
        if coins.get(city):
            laid[faction] = coins[city]
        start = column(state, city)
        end = influence.resolve(start, state.order, laid).end
        if laid:
            known = {"city": name("city", city), "start": start, "end": end}
            said.append(_("%(city)s: column %(start)d → %(end)d") % known)
    return said

"""How a battle may end, told before its throw: exact for what is known to be in the tower."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.screens.wallenstein.chart import name
from companion.screens.wallenstein.reading import action_of
from games.core.codec import Json
from games.core.errors import Refused
from games.wallenstein.battles import pending
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.state import State, armies_in, owner_of
from games.wallenstein.tower import odds

OF = 100


def _percent(chance: float) -> str:
    """Whole ones; what is neither impossible nor certain does not look so."""
    rounded = round(OF * chance)
    if rounded == 0 and chance > 0:
        return "<1%"
    if rounded == OF and chance < 1:
        return ">99%"
    return f"{rounded}%"


def chances(state: State, defenders: int | None = None) -> str:
    """Who wins how often; ``defenders``: if so many armies fought. Empty where nothing is thrown."""
    throw = pending(state, defenders)
    if throw is None:
        return ""
    found = odds(throw)
    return _("%(attacker)s wins %(attack)s, %(defender)s %(defence)s, nobody %(none)s") % {
        "attacker": name("faction", throw.sides.attacker),
        "attack": _percent(found.attacker),
        "defender": name("faction", throw.sides.defender),
        "defence": _percent(found.defender),
        "none": _percent(found.none),
    }


def survivors(state: State) -> str:
    """How many cubes are left on average, 0 where a side loses."""
    throw = pending(state)
    if throw is None:
        return ""
    found = odds(throw)
    return _("On average %(attacker)s keeps %(attack).1f, %(defender)s %(defence).1f.") % {
        "attacker": name("faction", throw.sides.attacker),
        "attack": found.attacker_left,
        "defender": name("faction", throw.sides.defender),
        "defence": found.defender_left,
    }


def sentence(state: State) -> str:
    """Both, of the throw that is about to be made."""
    told = chances(state)
    return f"{told}. {survivors(state)}" if told else ""


# Before armies move


def forecast(state: State, faction: str, form: Mapping[str, str]) -> list[str]:
    """The chances of an attack as the form stands now; none where nobody is attacked, or it cannot be read."""
    action = action_of(form)
    if action["type"] != "move":
        return []
    fought = _fought(state, faction, action)
    if fought is None:
        return []
    told = sentence(fought)
    defenders = _defenders(state, action["target"])
    if not told or not defenders:
        return [told] if told else []
    if_all = ngettext("if %(count)d army defends", "if all %(count)d armies defend", defenders)
    return [f"{told[:-1]} ({if_all % {'count': defenders}})."]


def _fought(state: State, faction: str, action: Json) -> State | None:
    """The state in which the battle of a move has begun."""
    if owner_of_target(state, action["target"]) == faction:
        return None
    try:
        return WALLENSTEIN.apply(state, WALLENSTEIN.read_action(action, faction)).state
    except Refused:
        return None


def owner_of_target(state: State, target: Json) -> str | None:
    return owner_of(state, target) if target in state.setup.figures["provinces"] else None


def _defenders(state: State, target: str) -> int:
    owner = owner_of_target(state, target)
    return armies_in(state, target, owner) if owner else 0

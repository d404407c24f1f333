"""How a battle may end, told before its throw: exact for what is known to be in the tower.

How often cubes fall is learned, from the throws of the table and from earlier games; ``prior`` is what was
known when the game began.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.wallenstein.board import name
from companion.titles.wallenstein.parsing import action_of
from companion.wording import written
from games.core.codec import Json
from games.core.errors import Refused
from games.wallenstein.battle import CONQUERED, DESTROYED, HELD, NEUTRAL
from games.wallenstein.battles import clash_of, pending
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.learning import THUMB, Prior, learned
from games.wallenstein.pieces import PEASANTS
from games.wallenstein.state import State, armies_in, owner_of
from games.wallenstein.tower import Odds, Throw, odds

OF = 100


def percent(chance: float) -> str:
    """Whole ones; what is neither impossible nor certain does not look so."""
    rounded = round(OF * chance)
    if rounded == 0 and chance > 0:
        return "<1%"
    if rounded == OF and chance < 1:
        return ">99%"
    return f"{rounded}%"


def chances(state: State, prior: Prior = THUMB, defenders: int | None = None) -> str:
    """What becomes of the province how often; ``defenders``: if so many armies fought. Empty without a throw."""
    throw = _pending(state, prior, defenders)
    return _fates(throw, odds(throw)) if throw else ""


def sentence(state: State, prior: Prior = THUMB) -> str:
    """What becomes of the province, and what is left of the armies, in the throw that is about to be made."""
    throw = _pending(state, prior)
    if throw is None:
        return ""
    found = odds(throw)
    return f"{_fates(throw, found)}. {_left(throw, found)}"


def _pending(state: State, prior: Prior, defenders: int | None = None) -> Throw | None:
    return pending(state, defenders, learned(state.falls, prior))


def _fates(throw: Throw, found: Odds) -> str:
    told = {
        "player": _(
            "%(attacker)s takes it %(taken)s, %(defender)s holds it %(held)s, destroyed %(destroyed)s"
        ),
        "neutral": _("%(attacker)s takes it %(taken)s, it stays empty %(empty)s"),
        "revolt": _("%(defender)s holds it %(held)s, destroyed %(destroyed)s"),
    }[throw.kind]
    return told % {
        "attacker": name("faction", throw.sides.attacker),
        "defender": name("faction", throw.sides.defender),
        "taken": percent(found.province.get(CONQUERED, 0)),
        "held": percent(found.province.get(HELD, 0)),
        "destroyed": percent(found.province.get(DESTROYED, 0)),
        "empty": percent(found.province.get(NEUTRAL, 0)),
    }


def _left(throw: Throw, found: Odds) -> str:
    """How many cubes are left on average, 0 where a side loses; peasants always go home."""
    left = ((throw.sides.attacker, found.attacker_left), (throw.sides.defender, found.defender_left))
    (first, count), *others = [(side, count) for side, count in left if side != PEASANTS]
    params = {"first": name("faction", first), "count": written(f"{count:.1f}")}
    for other, number in others:
        params |= {"other": name("faction", other), "number": written(f"{number:.1f}")}
        return _("On average %(first)s keeps %(count)s, %(other)s %(number)s.") % params
    return _("On average %(first)s keeps %(count)s.") % params


# How often cubes fall


def rates(state: State, prior: Prior = THUMB) -> str:
    """Which rates the odds are made of, and where they come from."""
    found = learned(state.falls, prior)
    told = _("New cubes fall out %(fresh)s of the time, stuck ones %(stuck)s: %(source)s.")
    params = {"fresh": percent(1 - found.fresh), "stuck": percent(1 - found.stuck)}
    return told % {**params, "source": _source(state.falls.throws, prior.throws)}


def _source(here: int, earlier: int) -> str:
    if not here and not earlier:
        return _("a rule of thumb, until this tower has been seen at work")
    if not earlier:
        told = ngettext(
            "learned from %(count)d throw of this table", "learned from %(count)d throws of this table", here
        )
        return told % {"count": here}
    if not here:
        told = ngettext(
            "learned from %(count)d throw of earlier games",
            "learned from %(count)d throws of earlier games",
            earlier,
        )
        return told % {"count": earlier}
    told = ngettext(
        "learned from %(count)d throw of this table and %(earlier)d of earlier games",
        "learned from %(count)d throws of this table and %(earlier)d of earlier games",
        here,
    )
    return told % {"count": here, "earlier": earlier}


# Before armies move


def forecast(state: State, faction: str, form: Mapping[str, str], prior: Prior = THUMB) -> list[str]:
    """The chances of an attack as the form stands now; none where nobody is attacked, or it cannot be read."""
    action = action_of(form)
    if action["type"] != "move":
        return []
    fought = _fought(state, faction, action)
    told = sentence(fought, prior) if fought else ""
    if not told:
        return []
    defenders = _defenders(state, action["target"])
    if defenders:
        if_all = ngettext("if %(count)d army defends", "if all %(count)d armies defend", defenders)
        told = f"{told[:-1]} ({if_all % {'count': defenders}})."
    return [told, rates(state, prior)]


def _fought(state: State, faction: str, action: Json) -> State | None:
    """The state in which the battle of a move has begun; None where there is none, as with weary peasants (A-20)."""
    if owner_of_target(state, action["target"]) == faction:
        return None
    try:
        after = WALLENSTEIN.apply(state, WALLENSTEIN.read_action(action, faction)).state
    except Refused:
        return None
    fights = pending(after) is not None and clash_of(after).province == action["target"]
    return after if fights else None


def owner_of_target(state: State, target: Json) -> str | None:
    return owner_of(state, target) if target in state.setup.figures["provinces"] else None


def _defenders(state: State, target: str) -> int:
    owner = owner_of_target(state, target)
    return armies_in(state, target, owner) if owner else 0

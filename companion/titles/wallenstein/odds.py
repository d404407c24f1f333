"""Odds of a battle before its throw, exact for the known content of the tower.

The rates at which cubes fall are learned from the throws of the table and of earlier games; ``prior`` is the
estimate before the first throw of this game.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.wallenstein.names import name
from companion.wording import localized
from games.core.codec import Json
from games.core.errors import Refused
from games.wallenstein.battle import CONQUERED, DESTROYED, HELD, NEUTRAL
from games.wallenstein.battles import clash_of, pending
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.learning import THUMB, Prior, learned
from games.wallenstein.pieces import PEASANTS
from games.wallenstein.state import State, armies_in, owner_of
from games.wallenstein.tower import Odds, Throw, odds

HUNDRED = 100


def percent(chance: float) -> str:
    """Format a probability as a whole percentage; only impossible is 0% and only certain 100%."""
    rounded = round(HUNDRED * chance)
    if rounded == 0 and chance > 0:
        return "<1%"
    if rounded == HUNDRED and chance < 1:
        return ">99%"
    return f"{rounded}%"


def chances(state: State, prior: Prior = THUMB, defenders: int | None = None) -> str:
    """Return the odds of each outcome, if ``defenders`` armies fight; empty if no throw is pending."""
    throw = _pending(state, prior, defenders)
    return _outcomes(throw, odds(throw)) if throw else ""


def sentence(state: State, prior: Prior = THUMB) -> str:
    """Return outcomes of the province and expected survivors of the pending throw; empty if there is none."""
    throw = _pending(state, prior)
    if throw is None:
        return ""
    forecast = odds(throw)
    return f"{_outcomes(throw, forecast)}. {_survivors(throw, forecast)}"


def _pending(state: State, prior: Prior, defenders: int | None = None) -> Throw | None:
    return pending(state, defenders, learned(state.falls, prior))


def _outcomes(throw: Throw, forecast: Odds) -> str:
    template = {
        "player": _(
            "%(attacker)s takes it %(taken)s, %(defender)s holds it %(held)s, destroyed %(destroyed)s"
        ),
        "neutral": _("%(attacker)s takes it %(taken)s, it stays empty %(empty)s"),
        "revolt": _("%(defender)s holds it %(held)s, destroyed %(destroyed)s"),
    }[throw.kind]
    return template % {
        "attacker": name("faction", throw.sides.attacker),
        "defender": name("faction", throw.sides.defender),
        "taken": percent(forecast.province.get(CONQUERED, 0)),
        "held": percent(forecast.province.get(HELD, 0)),
        "destroyed": percent(forecast.province.get(DESTROYED, 0)),
        "empty": percent(forecast.province.get(NEUTRAL, 0)),
    }


def _survivors(throw: Throw, forecast: Odds) -> str:
    """Return the average number of surviving cubes (0 for a loser); peasants always return to supply."""
    left = (
        (throw.sides.attacker, forecast.attacker_left),
        (throw.sides.defender, forecast.defender_left),
    )
    (first, count), *others = [(side, count) for side, count in left if side != PEASANTS]
    params = {"first": name("faction", first), "count": localized(f"{count:.1f}")}
    for other, number in others:
        params |= {"other": name("faction", other), "number": localized(f"{number:.1f}")}
        return _("On average %(first)s keeps %(count)s, %(other)s %(number)s.") % params
    return _("On average %(first)s keeps %(count)s.") % params


# Rates at which cubes fall


def rates(state: State, prior: Prior = THUMB) -> str:
    """Return a sentence with the rates behind the odds, and where they come from."""
    retention = learned(state.falls, prior)
    template = _("New cubes fall out %(fresh)s of the time, stuck ones %(stuck)s: %(source)s.")
    params = {"fresh": percent(1 - retention.fresh), "stuck": percent(1 - retention.stuck)}
    return template % {**params, "source": _source(state.falls.throws, prior.throws)}


def _source(here: int, earlier: int) -> str:
    if not here and not earlier:
        return _("a rule of thumb, until this tower has been seen at work")
    if not earlier:
        template = ngettext(
            "learned from %(count)d throw of this table", "learned from %(count)d throws of this table", here
        )
        return template % {"count": here}
    if not here:
        template = ngettext(
            "learned from %(count)d throw of earlier games",
            "learned from %(count)d throws of earlier games",
            earlier,
        )
        return template % {"count": earlier}
    template = ngettext(
        "learned from %(count)d throw of this table and %(earlier)d of earlier games",
        "learned from %(count)d throws of this table and %(earlier)d of earlier games",
        here,
    )
    return template % {"count": here, "earlier": earlier}


# Before armies move


def forecast(state: State, faction: str, action: Json, prior: Prior = THUMB) -> list[str]:
    """Return the odds of the attack in an action; empty if it attacks nobody or is invalid."""
    if action["type"] != "move":
        return []
    in_battle = _state_in_battle(state, faction, action)
    text = sentence(in_battle, prior) if in_battle else ""
    if not text:
        return []
    defenders = _defenders(state, action["target"])
    if defenders:
        if_all = ngettext("if %(count)d army defends", "if all %(count)d armies defend", defenders)
        text = f"{text[:-1]} ({if_all % {'count': defenders}})."
    return [text, rates(state, prior)]


def _state_in_battle(state: State, faction: str, action: Json) -> State | None:
    """Return the state in which the battle of a move is pending; None without one (weary peasants, A-20)."""
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

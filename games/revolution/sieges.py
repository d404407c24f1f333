"""Completing a siege (rulebook 6.15)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.core.messages import Param, faction_name, faction_names, say
from games.core.steps import Act, Step
from games.revolution.cities import City
from games.revolution.factions import FACTIONS, NEUTRAL, allies_of
from games.revolution.pieces import taken

RULE = "6.15"
BEGGARS = "water-beggars"
CONVERTED = 2  # largest number of counters that change sides
NEUTRALS_TOO = "siege_converts_neutrals"


def complete(
    city: City, besieger: str, allies: Sequence[Collection[str]] = (), *, neutrals_too: bool = True
) -> tuple[Step, ...]:
    """Return the steps of completing a siege: the fall of the city and the besiegers' return (6.15).

    See `fall` for `neutrals_too`.
    """
    return (*fall(city, besieger, allies, neutrals_too=neutrals_too), _return_step(besieger))


def fall(
    city: City, besieger: str, allies: Sequence[Collection[str]] = (), *, neutrals_too: bool = True
) -> tuple[Step, ...]:
    """Return the steps of a city's fall (6.15).

    With `neutrals_too`, neutrals can change sides, too (Q-19).
    """
    if besieger == BEGGARS:
        return _by_beggars(city)
    return _by_army(city, besieger, allies, neutrals_too=neutrals_too)


def _by_army(
    city: City, besieger: str, allies: Sequence[Collection[str]], *, neutrals_too: bool
) -> tuple[Step, ...]:
    """Convert two counters, rivals first; other rivals become neutral, own and allied counters stay."""
    rivals = _foreign(city, {besieger, *allies_of(besieger, allies)})
    foreign = sum(city.has(f) for f in rivals)
    changing = min(CONVERTED, foreign)
    neutrals = min(CONVERTED - changing, city.has(NEUTRAL)) if neutrals_too else 0
    out = _removals(city, rivals, foreign, neutrals)
    inside = city.after(out)
    options = (NEUTRALS_TOO,) if city.has(NEUTRAL) and foreign < CONVERTED else ()
    converted = _conversion(inside, besieger, changing + neutrals, options)
    return (*out, converted, *_become_neutral(inside, foreign - changing))


def _by_beggars(city: City) -> tuple[Step, ...]:
    """Replace all counters by neutrals."""
    rivals = _foreign(city, set())
    foreign = sum(city.has(f) for f in rivals)
    out = _removals(city, rivals, foreign, 0)
    return (*out, *_become_neutral(city.after(out), foreign))


def _foreign(city: City, friends: Collection[str]) -> tuple[str, ...]:
    return tuple(f for f in FACTIONS if city.has(f) and f not in friends)


def _removals(city: City, rivals: Sequence[str], foreign: int, neutrals: int) -> tuple[Step, ...]:
    """Return the steps that remove exchanged counters, before their replacements arrive."""
    steps: tuple[Step, ...] = ()
    if foreign:
        steps += (
            Step(RULE, say("rivals-go", factions=faction_names(rivals), count=foreign), city.leave(rivals)),
        )
    if neutrals:
        steps += (Step(RULE, say("neutrals-go", count=neutrals), taken(NEUTRAL, neutrals, place=city.place)),)
    return steps


def _conversion(city: City, besieger: str, converted: int, options: tuple[str, ...]) -> Step:
    """Return the step that adds the besieger's counters, as far as the supply allows."""
    moves = city.enter((besieger,), converted)
    missing = converted - sum(move.count for move in moves)
    params: dict[str, Param] = {"faction": faction_name(besieger), "count": converted}
    if not converted:
        return Step(RULE, say("siege-idle", faction=faction_name(besieger)), options=options)
    message = say("siege-losses", **params, missing=missing) if missing else say("siege-won", **params)
    return Step(RULE, message, moves, options=options)


def _become_neutral(city: City, count: int) -> tuple[Step, ...]:
    """Return the step that adds neutrals, as far as their supply allows (Q-37)."""
    if not count:
        return ()
    moves = city.enter((NEUTRAL,), count)
    missing = count - sum(move.count for move in moves)
    message = (
        say("neutral-losses", count=count, missing=missing) if missing else say("become-neutral", count=count)
    )
    return (Step(RULE, message, moves),)


def _return_step(besieger: str) -> Step:
    """Return the step that sends the besiegers back by hand, as a calculator knows no strip."""
    if besieger == BEGGARS:
        return Step(RULE, say("beggars-home"), acts=(Act(None, say("beggars-home-hand")),))
    params = {"faction": faction_name(besieger)}
    return Step(RULE, say("army-home", **params), acts=(Act(besieger, say("army-home-hand")),))

"""Completing a siege (rulebook 6.15)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.core.messages import Param, faction_name, say
from games.core.steps import Act, Step
from games.revolution.cities import City
from games.revolution.factions import FACTIONS, NEUTRAL, allies_of, names
from games.revolution.pieces import taken

RULE = "6.15"
BEGGARS = "water-beggars"
CONVERTED = 2  # at most so many counters change sides
NEUTRALS_TOO = "siege_converts_neutrals"  # the option Q-19 is about


def complete(
    city: City, besieger: str, allies: Sequence[Collection[str]] = (), *, neutrals_too: bool = True
) -> tuple[Step, ...]:
    """6.15: the city falls, and the besiegers go back. ``neutrals_too``: see ``fall``."""
    return (*fall(city, besieger, allies, neutrals_too=neutrals_too), _home(besieger))


def fall(
    city: City, besieger: str, allies: Sequence[Collection[str]] = (), *, neutrals_too: bool = True
) -> tuple[Step, ...]:
    """6.15: what happens in the city. ``neutrals_too``: they are among those that change sides (Q-19)."""
    if besieger == BEGGARS:
        return _by_beggars(city)
    return _by_army(city, besieger, allies, neutrals_too=neutrals_too)


def _by_army(
    city: City, besieger: str, allies: Sequence[Collection[str]], *, neutrals_too: bool
) -> tuple[Step, ...]:
    """Two counters change sides, rivals first; other rivals become neutral; own and allied ones stay."""
    rivals = _foreign(city, {besieger, *allies_of(besieger, allies)})
    foreign = sum(city.has(f) for f in rivals)
    changing = min(CONVERTED, foreign)
    neutrals = min(CONVERTED - changing, city.has(NEUTRAL)) if neutrals_too else 0
    out = _out(city, rivals, foreign, neutrals)
    inside = city.after(out)
    options = (NEUTRALS_TOO,) if city.has(NEUTRAL) and foreign < CONVERTED else ()
    won = _won(inside, besieger, changing + neutrals, options)
    return (*out, won, *_become_neutral(inside, foreign - changing))


def _by_beggars(city: City) -> tuple[Step, ...]:
    """Everything becomes neutral."""
    rivals = _foreign(city, set())
    foreign = sum(city.has(f) for f in rivals)
    out = _out(city, rivals, foreign, 0)
    return (*out, *_become_neutral(city.after(out), foreign))


def _foreign(city: City, friends: Collection[str]) -> tuple[str, ...]:
    return tuple(f for f in FACTIONS if city.has(f) and f not in friends)


def _out(city: City, rivals: Sequence[str], foreign: int, neutrals: int) -> tuple[Step, ...]:
    """Counters that are exchanged go home first."""
    steps: tuple[Step, ...] = ()
    if foreign:
        steps += (Step(RULE, say("rivals-go", factions=names(rivals), count=foreign), city.leave(rivals)),)
    if neutrals:
        steps += (Step(RULE, say("neutrals-go", count=neutrals), taken(NEUTRAL, neutrals, place=city.place)),)
    return steps


def _won(city: City, besieger: str, converted: int, options: tuple[str, ...]) -> Step:
    """Own counters for those that change sides; where they run out, the losses of the siege."""
    moves = city.enter((besieger,), converted)
    missing = converted - sum(move.count for move in moves)
    said: dict[str, Param] = {"faction": faction_name(besieger), "count": converted}
    if not converted:
        return Step(RULE, say("siege-idle", faction=faction_name(besieger)), options=options)
    message = say("siege-losses", **said, missing=missing) if missing else say("siege-won", **said)
    return Step(RULE, message, moves, options=options)


def _become_neutral(city: City, count: int) -> tuple[Step, ...]:
    """Neutrals for the rest; where they run out, nothing comes (Q-37)."""
    if not count:
        return ()
    moves = city.enter((NEUTRAL,), count)
    missing = count - sum(move.count for move in moves)
    message = (
        say("neutral-losses", count=count, missing=missing) if missing else say("become-neutral", count=count)
    )
    return (Step(RULE, message, moves),)


def _home(besieger: str) -> Step:
    """The besiegers go back, where no strip is known: a hand does it."""
    if besieger == BEGGARS:
        return Step(RULE, say("beggars-home"), acts=(Act(None, say("beggars-home-hand")),))
    said = {"faction": faction_name(besieger)}
    return Step(RULE, say("army-home", **said), acts=(Act(besieger, say("army-home-hand")),))

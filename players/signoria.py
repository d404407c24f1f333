"""Signoria with plain sense: careers and marriages that pay, within the limit that is rewarded."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from games.core.codec import Json
from games.core.ledger import Holding
from games.core.prompts import Prompt
from games.signoria.dice import FACES, is_rewarded
from games.signoria.ending import is_over
from games.signoria.members import dice_rolled
from games.signoria.pieces import (
    ALLIANCES,
    DICE,
    FIELDS,
    MAN,
    MEMBERS,
    ROUNDS,
    TILE_VALUES,
    WOMAN,
    tile_piece,
)
from games.signoria.preparation import empty_spaces, tiles_to_draw
from games.signoria.scoring import TILES_TO_SCORE, Field, field_points, man_points
from games.signoria.state import State, house_left, printed
from players.chance import Chance, drawn, picked, shuffled
from players.heuristic import Sense
from players.randomly import Generator

# What things are worth in points, while there are rounds left to use them.
FLORIN_WORTH, ENOUGH_FLORINS = 0.45, 12
MAN_WORTH, WOMAN_WORTH = 0.5, 0.9
HELPER_WORTH = 0.5  # a round
BRIDE_WORTH = 0.25  # a round
CLIMBED = 0.35  # of the number a man has reached, as he may still go on a mission
REWARD_WORTH = 3.0
BEGUN_FIELD = 0.4  # of tiles that do not score yet
MEMBERS_PER_DIE = 0.6
BEGUN = {"progress": 1.2, "mission": 3.0, "marriage": 3.0, "hire": 1.0, "gain": 0.6, "draw": 0.8}


# Chance: dice, tasks, tiles, and what is dealt when the table is set up


def _refill(state: State, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """5.13: tiles from the top of a shuffled pile, so a house comes up as often as it is in there."""
    spaces = shuffled(empty_spaces(state), generator)[: tiles_to_draw(state)]
    pile = shuffled(sorted(Counter(house_left(state)).elements()), generator)
    tiles = {
        space: tile_piece(house, picked(TILE_VALUES, generator))
        for space, house in zip(spaces, pile, strict=False)
    }
    return {"type": prompt.action, "tiles": tiles}


def _descendants(state: State, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """5.8: each white die for itself."""
    count = dice_rolled(state, prompt.faction)
    return {"type": prompt.action, "dice": sorted(picked(FACES, generator) for _ in range(count))}


CHANCE = Chance(
    falls={
        "order": drawn,
        "unused": drawn,
        "reward-tiles": drawn,
        "boards": drawn,
        "refill": _refill,
        "roll": drawn,
        "deal": drawn,
        "descendants": _descendants,
    },
)


# Sense


@dataclass(slots=True)
class Estate:
    """What a player has, read off the ledger."""

    points: int = 0
    florins: int = 0
    members: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MEMBERS, 0))  # available
    careers: list[int] = field(default_factory=list)  # the number each man on a track stands on
    fields: dict[str, Field] = field(default_factory=lambda: {name: Field() for name in FIELDS})
    helpers: int = 0
    brides: int = 0
    dice: int = 0  # the sum of their faces
    threshold: int = 0  # own figures on it
    beside_disc: int = 0  # points


def _estates(state: State) -> dict[str, Estate]:
    found = {faction: Estate() for faction in state.order}
    for line in state.ledger.holdings():
        kind, *names = line.place.split(":")
        if line.owner in found:
            _add_own(state, found[line.owner], line, kind, names)
        elif names and names[0] in found:
            _add_common(found[names[0]], line, kind, names)
    return found


def _add_own(state: State, estate: Estate, line: Holding, kind: str, names: list[str]) -> None:
    match kind, line.piece:
        case "score", _:
            estate.points += line.count
        case "reserve", "florin":
            estate.florins = line.count
        case "reserve", ("man" | "woman") as member:
            estate.members[member] = line.count
        case "track", _:
            estate.careers += [printed(state).number(names[0], int(names[1]))] * line.count
        case "threshold", _:
            estate.threshold += line.count
        case "initiative", _:
            estate.beside_disc = printed(state).initiative_points(int(names[0]))


def _add_common(estate: Estate, line: Holding, kind: str, names: list[str]) -> None:
    """Dice, helpers, brides and alliance tiles on somebody's board."""
    match kind:
        case "action":
            estate.dice += DICE[line.piece].face * line.count
        case "helper":
            estate.helpers += line.count
        case "portraits":
            estate.brides += line.count
        case "plan":
            beside = estate.fields[names[1]]
            up = (*beside.face_up, *[ALLIANCES[line.piece].value] * line.count)
            estate.fields[names[1]] = replace(beside, face_up=up)
        case "unseen":
            estate.fields[names[1]] = replace(estate.fields[names[1]], face_down=line.count)


def _worth(state: State) -> dict[str, float]:
    found = _estates(state)
    if is_over(state):
        return {faction: float(estate.points) for faction, estate in found.items()}
    return {
        faction: estate.points + _end(estate) + _means(state, estate) + _begun(state, faction)
        for faction, estate in found.items()
    }


def _end(estate: Estate) -> int:
    """6.1: what the end would bring now."""
    men = sum(man_points(number) for number in estate.careers)
    return men + sum(field_points(beside) for beside in estate.fields.values())


def _means(state: State, estate: Estate) -> float:
    """What can still become points, the less the fewer rounds are left."""
    left = ROUNDS - state.round + 1
    share = min(1.0, left / 4)
    begun = (beside for beside in estate.fields.values() if beside.tiles < TILES_TO_SCORE)
    worth = FLORIN_WORTH * min(estate.florins, ENOUGH_FLORINS) * min(1.0, 0.4 + share)
    worth += share * (MAN_WORTH * estate.members[MAN] + WOMAN_WORTH * estate.members[WOMAN])
    worth += share * (CLIMBED * sum(estate.careers) + BEGUN_FIELD * sum(beside.value for beside in begun))
    worth += (left - 1) * (HELPER_WORTH * estate.helpers + BRIDE_WORTH * estate.brides)
    if state.frames[0].phase == "turn":  # 5.12: what the end of this round brings
        worth += estate.beside_disc
        worth += REWARD_WORTH if is_rewarded(estate.dice, estate.threshold) else 0.0
    return worth


def _begun(state: State, faction: str) -> float:
    """What somebody is about to do, where it was not looked at any further."""
    if not _goes_on(state, faction):
        return 0.0
    if state.frames[-1].phase == "descendants":
        return MEMBERS_PER_DIE * dice_rolled(state, faction)
    return BEGUN.get(state.frames[-1].phase, 0.0)


def _goes_on(state: State, faction: str) -> bool:
    frame = state.frames[-1]
    return frame.phase not in ("turn", "rewards") and frame.data.get("faction") == faction


SENSE = Sense(
    worth=_worth,
    tries={"take": 10, "mission": 12, "marriage": 12},
    goes_on=_goes_on,
)

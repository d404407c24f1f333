"""Heuristic for Signoria: profitable careers and marriages within the reward threshold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from games.core.codec import Json
from games.core.flow import is_over
from games.core.ledger import Holding
from games.core.prompts import Prompt
from games.signoria.dice import FACES, is_rewarded
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

# Values in points, while there are rounds left to use them.
FLORIN_WORTH, ENOUGH_FLORINS = 0.45, 12
MAN_WORTH, WOMAN_WORTH = 0.5, 0.9
HELPER_WORTH = 0.5  # per round
BRIDE_WORTH = 0.25  # per round
CLIMBED = 0.35  # per space number of a man on a career track, for a later mission
REWARD_WORTH = 3.0
BEGUN_FIELD = 0.4  # per value of tiles that do not score yet
MEMBERS_PER_DIE = 0.6
BEGUN = {"progress": 1.2, "mission": 3.0, "marriage": 3.0, "hire": 1.0, "gain": 0.6, "draw": 0.8}


# Chance: dice, tasks, tiles and the set-up


def _refill(state: State, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """Draw alliance tiles from a shuffled pile, so that houses appear in proportion to their tiles (5.13)."""
    spaces = shuffled(empty_spaces(state), generator)[: tiles_to_draw(state)]
    pile = shuffled(sorted(Counter(house_left(state)).elements()), generator)
    tiles = {
        space: tile_piece(house, picked(TILE_VALUES, generator))
        for space, house in zip(spaces, pile, strict=False)
    }
    return {"type": prompt.action, "tiles": tiles}


def _descendants(state: State, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """Roll each white die independently (5.8)."""
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


# Evaluation


@dataclass(slots=True)
class Estate:
    """Possessions of a player, read from the ledger."""

    points: int = 0
    florins: int = 0
    members: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MEMBERS, 0))  # available
    careers: list[int] = field(default_factory=list)  # space number of each man on a career track
    fields: dict[str, Field] = field(default_factory=lambda: {name: Field() for name in FIELDS})
    helpers: int = 0
    brides: int = 0
    dice: int = 0  # sum of the faces
    threshold: int = 0  # own figures on the threshold space
    beside_disc: int = 0  # points printed beside the own disc


def _estates(state: State) -> dict[str, Estate]:
    estates = {faction: Estate() for faction in state.order}
    for line in state.ledger.holdings():
        kind, *names = line.place.split(":")
        if line.owner in estates:
            _add_own(state, estates[line.owner], line, kind, names)
        elif names and names[0] in estates:
            _add_common(estates[names[0]], line, kind, names)
    return estates


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
    """Add dice, helpers, brides and alliance tiles on the player's board."""
    match kind:
        case "action":
            estate.dice += DICE[line.piece].face * line.count
        case "helper":
            estate.helpers += line.count
        case "portraits":
            estate.brides += line.count
        case "plan":
            tiles = estate.fields[names[1]]
            face_up = (*tiles.face_up, *[ALLIANCES[line.piece].value] * line.count)
            estate.fields[names[1]] = replace(tiles, face_up=face_up)
        case "unseen":
            estate.fields[names[1]] = replace(estate.fields[names[1]], face_down=line.count)


def _worth(state: State) -> dict[str, float]:
    estates = _estates(state)
    if is_over(state):
        return {faction: float(estate.points) for faction, estate in estates.items()}
    return {
        faction: estate.points + _end(estate) + _means(state, estate) + _begun(state, faction)
        for faction, estate in estates.items()
    }


def _end(estate: Estate) -> int:
    """Return the final points if the game ended now (6.1)."""
    men = sum(man_points(number) for number in estate.careers)
    return men + sum(field_points(beside) for beside in estate.fields.values())


def _means(state: State, estate: Estate) -> float:
    """Value resources that can still become points, less with fewer rounds left."""
    rounds_left = ROUNDS - state.round + 1
    share = min(1.0, rounds_left / 4)
    begun = (beside for beside in estate.fields.values() if beside.tiles < TILES_TO_SCORE)
    worth = FLORIN_WORTH * min(estate.florins, ENOUGH_FLORINS) * min(1.0, 0.4 + share)
    worth += share * (MAN_WORTH * estate.members[MAN] + WOMAN_WORTH * estate.members[WOMAN])
    worth += share * (CLIMBED * sum(estate.careers) + BEGUN_FIELD * sum(beside.value for beside in begun))
    worth += (rounds_left - 1) * (HELPER_WORTH * estate.helpers + BRIDE_WORTH * estate.brides)
    if state.frames[0].phase == "turn":  # rewards at the end of this round (5.12)
        worth += estate.beside_disc
        worth += REWARD_WORTH if is_rewarded(estate.dice, estate.threshold) else 0.0
    return worth


def _begun(state: State, faction: str) -> float:
    """Estimate an action in progress that the search did not follow to its end."""
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

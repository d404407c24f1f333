"""Phase 1 of a round: alliance tiles, action dice and tasks (digest 4 and 5.13).

Any player may enter the parts, in any order; a client may also roll and deal for the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.checks import check_all_of, check_one_of
from games.core.codec import Json
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, goto, not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Plan, Prompt
from games.core.steps import Account, Act, Outcome
from games.signoria.actions import Deal, Refill, Roll
from games.signoria.alliances import tile_name
from games.signoria.dice import FACES, refuse_face
from games.signoria.options import LIGHT_ENTRY
from games.signoria.pieces import (
    ALLIANCES,
    COLOURS,
    DICE,
    HOUSES,
    NEUTRAL,
    ROWS,
    SUPPLY,
    TILE,
    TILE_VALUES,
    dice_place,
    die_piece,
    tile_piece,
    tile_place,
    unrolled,
)
from games.signoria.state import (
    State,
    frame_data,
    house_left,
    option,
    tile_above,
    tiles_in_supply,
    unrolled_dice,
)
from games.signoria.tasks import TASKS
from games.signoria.turn import first_turn

RULE = "4"
REFILL = "5.13"
KINDS = ("mission", "marriage")
TASK_SPACES = tuple(f"{colour}:{row}" for colour in COLOURS for row in ROWS)
PARTS = ("refill", "roll", "deal")


def preparation_frame() -> Frame:
    return Frame("preparation", {"collected": False, "entered": []})


def begin_round(account: Account[State], number: int) -> None:
    """Begin a round with its preparation (4)."""
    account.step(RULE, say("round-begins", round=number))
    account.set(round=number, frames=goto(account.state, preparation_frame()))


@dataclass(frozen=True, slots=True)
class Preparation:
    """Phase: tiles, dice and tasks are entered. The frame lists the parts already entered."""

    name = "preparation"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        parts = [part for part in PARTS if part in open_parts(state)]
        return [PROMPTS[part](state, faction) for faction in state.order for part in parts]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Refill | Roll | Deal):
            raise not_now(action, rule=RULE)
        if action.type not in open_parts(state):
            raise Illegal(say("entered-already"), rule=RULE)
        account = Account(state)
        if isinstance(action, Refill):
            _refill(account, action)
        elif isinstance(action, Roll):
            _roll(account, action)
        else:
            _deal(account, action)
        top = account.state.frames[-1]
        entered = [*top.data["entered"], action.type]
        account.set(frames=goto(account.state, top.with_data(entered=entered)))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        """Collect the dice first; begin the first turn once every part is entered."""
        if not frame_data(state)["collected"]:
            return _collect(state)
        if open_parts(state):
            return None
        account = Account(state)
        if "refill" not in frame_data(state)["entered"]:
            account.step(REFILL, say("nothing-to-refill", count=tiles_in_supply(state)))
        frame = first_turn(state)
        account.step(
            RULE, say("turn-begins", faction=faction_name(frame.data.get("faction", state.order[0])))
        )
        account.set(frames=goto(state, frame))
        return account.outcome()


def open_parts(state: State) -> list[str]:
    """Return the parts that are still to be entered this round."""
    entered = frame_data(state)["entered"]
    parts = ["refill"] if tiles_to_draw(state) else []
    if not option(state, LIGHT_ENTRY.name):
        parts += ["roll"] if any(unrolled_dice(state, colour) for colour in COLOURS) else []
        parts.append("deal")
    return [part for part in parts if part not in entered]


def _collect(state: State) -> Outcome[State]:
    """Move all dice back to the supply; instruct players to turn up tiles, roll and deal (4)."""
    moves = [
        Move(NEUTRAL, line.piece, line.place, SUPPLY, line.count, becomes=unrolled(DICE[line.piece].colour))
        for line in state.ledger.holdings()
        if line.owner == NEUTRAL and line.piece in DICE
    ]
    acts = [Act(None, say("roll-and-deal"))]
    if tiles_to_draw(state):
        spaces = tuple(Name("place", space) for space in empty_spaces(state))
        acts.insert(0, Act(None, say("turn-up", count=tiles_to_draw(state), spaces=spaces)))
    account = Account(state)
    account.step(RULE, say("prepare"), moves=[_reported(move) for move in moves], acts=acts)
    account.set(frames=goto(state, state.frames[-1].with_data(collected=True)))
    return account.outcome()


# Alliance tiles


def empty_spaces(state: State) -> list[str]:
    """Return the spaces without a tile above cities in play (5.13)."""
    return [
        tile_place(kind, city)
        for city in state.cities
        for kind in KINDS
        if tile_above(state, kind, city) is None
    ]


def tiles_to_draw(state: State) -> int:
    """Return one tile per empty space, as far as the supply lasts (5.13)."""
    return min(len(empty_spaces(state)), tiles_in_supply(state), sum(house_left(state).values()))


@dataclass(frozen=True, slots=True)
class DrawTiles:
    """Turn up random tiles on distinct spaces, at most as many of a house as are left."""

    spaces: tuple[str, ...]
    count: int
    houses: tuple[tuple[str, int], ...]

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        spaces = list(self.spaces)
        while len(spaces) > self.count:
            del spaces[below(len(spaces))]
        left = Counter(dict(self.houses))
        tiles = {}
        for space in spaces:
            available = [house for house in HOUSES if left[house]]
            house = available[below(len(available))]
            left[house] -= 1
            tiles[space] = tile_piece(house, TILE_VALUES[below(len(TILE_VALUES))])
        return (tiles,)


def _refill_prompt(state: State, faction: str) -> Prompt:
    draw = DrawTiles(tuple(empty_spaces(state)), tiles_to_draw(state), tuple(house_left(state).items()))
    bounds = {
        "kind": "refill",
        "spaces": list(draw.spaces),
        "count": draw.count,
        "houses": dict(draw.houses),
        "values": list(TILE_VALUES),
    }
    (tiles,) = draw(_spread())
    return Prompt(
        faction=faction,
        title=say("prompt-refill", count=draw.count),
        rule=REFILL,
        example=Refill(faction=faction, tiles=tiles),
        fields=(Plan(("tiles",), draw, bounds),),
    )


def _spread() -> Callable[[int], int]:
    """Return a picker that cycles through its options, so examples show various houses and values."""
    at = -1

    def below(n: int) -> int:
        nonlocal at
        at += 1
        return at % n

    return below


def _refill(account: Account[State], action: Refill) -> None:
    state = account.state
    _refuse_refill(state, action)
    moves = [Move(NEUTRAL, TILE, SUPPLY, space, becomes=tile) for space, tile in action.tiles.items()]
    shown = tuple(
        say("tile-on", tile=tile_name(tile), space=Name("place", space))
        for space, tile in action.tiles.items()
    )
    message = say("refilled", tiles=shown)
    account.step(REFILL, message, moves=[_reported(move) for move in moves])


def _reported(move: Move) -> Move:
    """Mark a move as already done at the table, so players are not told to make it."""
    return Move(move.owner, move.piece, move.source, move.target, move.count, move.becomes, reported=True)


def _refuse_refill(state: State, action: Refill) -> None:
    spaces = empty_spaces(state)
    for space, tile in action.tiles.items():
        if space not in spaces:
            raise Illegal(say("not-an-empty-space", space=space[:40]), rule=REFILL)
        _refuse_tile(tile)
    if len(action.tiles) != tiles_to_draw(state):
        raise Illegal(say("refill-count", count=tiles_to_draw(state)), rule=REFILL)
    left = house_left(state)
    drawn = Counter(ALLIANCES[tile].house for tile in action.tiles.values())
    for house in HOUSES:
        if drawn[house] > left[house]:
            raise Illegal(say("house-used-up", house=Name("house", house)), rule=REFILL)


def _refuse_tile(tile: str) -> None:
    """Raise `BadInput` unless the tile is one of the six houses with a value of 2 to 5 (5.11)."""
    if tile in ALLIANCES:
        return
    house, _, value = tile.partition("-")
    if house in HOUSES and value.isdecimal():
        raise BadInput(say("tile-value", least=TILE_VALUES[0], most=TILE_VALUES[-1]), rule=REFILL)
    raise BadInput(say("unknown-alliance", tile=tile[:40]), rule=REFILL)


# Dice


@dataclass(frozen=True, slots=True)
class RollDice:
    """Roll random faces for a given number of dice of each colour."""

    counts: tuple[tuple[str, int], ...]

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        return ({c: sorted(FACES[below(len(FACES))] for _ in range(n)) for c, n in self.counts},)


def _counts(state: State) -> tuple[tuple[str, int], ...]:
    counts = ((colour, unrolled_dice(state, colour)) for colour in COLOURS)
    return tuple((colour, count) for colour, count in counts if count)


def _roll_prompt(state: State, faction: str) -> Prompt:
    roll = RollDice(_counts(state))
    bounds = {"kind": "roll", "counts": dict(roll.counts), "faces": list(FACES)}
    (dice,) = roll(_spread())
    return Prompt(
        faction=faction,
        title=say("prompt-roll", count=sum(count for _, count in roll.counts)),
        rule=RULE,
        example=Roll(faction=faction, dice={colour: tuple(faces) for colour, faces in dice.items()}),
        fields=(Plan(("dice",), roll, bounds),),
    )


def _roll(account: Account[State], action: Roll) -> None:
    counts = dict(_counts(account.state))
    for colour, faces in action.dice.items():
        check_one_of(colour, COLOURS, "dice", rule=RULE)
        for face in faces:
            refuse_face(face)
    for colour in COLOURS:
        given, needed = len(action.dice.get(colour, ())), counts.get(colour, 0)
        if given != needed:
            players = account.state.setup.players
            name = Name("die", colour)
            raise Illegal(
                say("dice-count", players=players, count=needed, colour=name, given=given), rule=RULE
            )
    moves = [
        Move(
            NEUTRAL,
            unrolled(colour),
            SUPPLY,
            dice_place(colour),
            count,
            becomes=die_piece(colour, face),
            reported=True,
        )
        for colour in COLOURS
        for face, count in sorted(Counter(action.dice.get(colour, ())).items())
    ]
    shown: tuple[Message, ...] = tuple(
        say("dice-of", colour=Name("die", colour), faces=tuple(sorted(action.dice[colour])))
        for colour in COLOURS
        if action.dice.get(colour)
    )
    account.step(RULE, say("rolled", dice=shown), moves=moves)


# Tasks


@dataclass(frozen=True, slots=True)
class DealTasks:
    """Deal the ten tasks to their spaces in random order."""

    spaces: tuple[str, ...]
    tasks: tuple[str, ...]

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        left = list(self.tasks)
        return ({space: left.pop(below(len(left))) for space in self.spaces},)


def _deal_prompt(_state: State, faction: str) -> Prompt:
    deal = DealTasks(TASK_SPACES, tuple(TASKS))
    bounds = {"kind": "deal", "spaces": list(deal.spaces), "tasks": list(deal.tasks)}
    (tasks,) = deal(_spread())
    return Prompt(
        faction=faction,
        title=say("prompt-deal"),
        rule=RULE,
        example=Deal(faction=faction, tasks=tasks),
        fields=(Plan(("tasks",), deal, bounds),),
    )


def _deal(account: Account[State], action: Deal) -> None:
    refuse_layout(action.tasks)
    ordered = {space: action.tasks[space] for space in TASK_SPACES}
    shown = tuple(
        say("task-on", task=Name("task", task), space=_space_name(space)) for space, task in ordered.items()
    )
    account.step(RULE, say("dealt", tasks=shown))
    account.set(tasks=ordered)


def _space_name(space: str) -> Message:
    colour, _, row = space.partition(":")
    return say("task-space", colour=Name("die", colour), row=Name("row", row))


def refuse_layout(tasks: Mapping[str, str]) -> None:
    """Raise unless the ten task spaces hold each task exactly once (4, 1c)."""
    unknown = sorted(set(tasks) - set(TASK_SPACES))
    if unknown:
        raise BadInput(say("unknown-task-space", space=unknown[0][:40]), rule=RULE)
    check_all_of(tasks.values(), TASKS, "tasks", rule=RULE)
    counts = Counter(tasks.values())
    missing = [Name("task", task) for task in TASKS if not counts[task]]
    twice = [Name("task", task) for task in TASKS if counts[task] > 1]
    if twice and missing:
        raise Illegal(say("task-twice", twice=twice[0], missing=missing[0]), rule=RULE)
    if missing:
        raise Illegal(say("task-missing", missing=missing[0]), rule=RULE)


PROMPTS: Mapping[str, Callable[[State, str], Prompt]] = {
    "refill": _refill_prompt,
    "roll": _roll_prompt,
    "deal": _deal_prompt,
}

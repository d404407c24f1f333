"""A turn: place one to three tiles, send knights from a castle, draw (digest 4, 5.2 and 5.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, call, check_turn, done, goto, not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Choice, Joint, Prompt
from games.core.steps import Account, Act, Outcome, Step
from games.raubritter import knights as marching
from games.raubritter.actions import End, March, Place
from games.raubritter.ending import finish
from games.raubritter.knights import DEPLOY_MAX, marches, refuse_march, why_not_march
from games.raubritter.land import DIRECTIONS, Cell, has_label, label, legal_cells, place_of, refuse_cell
from games.raubritter.scoring import controller
from games.raubritter.state import (
    State,
    knights_left,
    knights_on,
    land_of,
    line_from,
    next_with_tiles,
    reading_of,
    tile_at,
    tiles_left,
    types_left,
)
from games.raubritter.tiles import KNIGHT, SUPPLY, TILE, TYPES, is_castle, set_has_fewer

MAX_PLACEMENTS = 3
HAND = 2
LARGEST_WORD = 8  # larger numbers are written in digits


@dataclass(frozen=True, slots=True)
class Turn:
    """Place a tile, or end the turn after at least one. The frame holds the player and the count so far."""

    name = "turn"
    rule = "5.2"

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction, placed = _turn_data(state)
        prompts = [_place_prompt(state, faction, placed)]
        if placed:
            title = say("prompt-end")
            prompts.append(Prompt(faction=faction, title=title, rule="5.2", example=End(faction=faction)))
        return prompts

    def act(self, state: State, action: Action) -> Outcome[State]:
        if isinstance(action, Place):
            return place(state, action)
        if isinstance(action, End):
            return end(state, action)
        if isinstance(action, March):
            raise Illegal(_no_knights_now(state, action), rule=marching.RULE)
        raise not_now(action, rule=self.rule)

    def resolve(self, state: State) -> Outcome[State] | None:
        """End the turn after three tiles, or when the player has no tile left."""
        faction, placed = _turn_data(state)
        if placed < MAX_PLACEMENTS and tiles_left(state, faction):
            return None
        return _next_turn(state)


def _turn_data(state: State) -> tuple[str, int]:
    data = state.frames[-1].data
    return data["faction"], data["placed"]


def _place_prompt(state: State, faction: str, placed: int) -> Prompt:
    tiles = tuple(tile for tile, count in types_left(state, faction).items() if count > 0)
    cells = tuple(filter(has_label, legal_cells(land_of(state), state.setup.players)))
    return Prompt(
        faction=faction,
        title=say("prompt-place", count=MAX_PLACEMENTS - placed),
        rule="5.1",
        example=Place(faction=faction, tile=tiles[0], at=cells[0]),
        fields=(Choice("tile", tiles), Choice("at", cells)),
    )


def place(state: State, action: Place) -> Outcome[State]:
    """Place a tile; a castle sends its knights before the next tile is drawn (5.1, 5.2, A-09)."""
    _refuse_place(state, action)
    account = Account(state)
    tile = Name("tile", action.tile)
    account.step(
        "5.1",
        say("placed", faction=faction_name(action.faction), tile=tile, cell=label(action.at)),
        moves=[Move(action.faction, TILE, SUPPLY, place_of(action.at), becomes=action.tile)],
    )
    top = state.frames[-1]
    account.set(frames=goto(state, top.with_data(placed=top.data["placed"] + 1, before=None)))
    if not is_castle(action.tile):
        _draw(account, action.faction)
        return account.outcome()
    if not knights_left(state, action.faction):
        account.step(marching.RULE, say("no-knights-left", faction=faction_name(action.faction)))
        _draw(account, action.faction)
        return account.outcome()
    account.set(frames=call(account.state, Frame("knights", {"castle": list(action.at)})))
    return account.outcome()


def _refuse_place(state: State, action: Place) -> None:
    faction, _ = _turn_data(state)
    before = state.frames[-1].data["before"]
    if action.faction == before and action.faction != faction:
        raise Illegal(say("three-placed"), rule="5.2")
    check_turn(action, faction, rule="4")
    if action.tile not in TYPES:
        raise BadInput(say("unknown-tile", tile=action.tile[:40], known=tuple(TYPES)), rule="2.1")
    refuse_cell(land_of(state), action.at, state.setup.players)
    if not has_label(action.at):
        raise Illegal(say("no-label"), rule="5.1")
    if types_left(state, faction)[action.tile] < 1:
        raise Illegal(_used_up(state, action.tile), rule="2.1")


def _used_up(state: State, tile: str) -> Message:
    """Return the message that a player has placed all tiles of a type (2.1)."""
    count = state.setup.options["tile_set"][tile]
    if count <= 1:
        return set_has_fewer(tile, count)
    number = Name("number", str(count)) if count <= LARGEST_WORD else count
    return say("type-used-up", number=number, tiles=Name("tiles", tile))


def _draw(account: Account[State], faction: str) -> None:
    """Ask for the next tile to be drawn (5.2). Hand and stack are one supply, so no piece moves."""
    stack = tiles_left(account.state, faction) - (HAND - 1)
    name = faction_name(faction)
    if stack > 0:
        account.step("5.2", say("draws", faction=name, count=stack - 1), acts=[Act(faction, say("draw"))])
    else:
        account.step("5.2", say("stack-empty", faction=name))


def end(state: State, action: End) -> Outcome[State]:
    """End the turn; the first placement is compulsory (5.2)."""
    faction, placed = _turn_data(state)
    check_turn(action, faction, rule="4")
    if not placed:
        raise Illegal(say("must-place"), rule="5.2")
    account = Account(state)
    account.step("5.2", say("turn-ended", faction=faction_name(faction), count=placed))
    account.follow(_next_turn(account.state))
    return account.outcome()


def _next_turn(state: State) -> Outcome[State]:
    """Pass the turn clockwise to the next player with tiles, or finish the game (4)."""
    faction, placed = _turn_data(state)
    following = next_with_tiles(state, faction)
    if following is None:
        return finish(state)
    account = Account(state)
    after, new_round = following
    before = faction if placed >= MAX_PLACEMENTS else None
    account.step("4", say("turn-begins", faction=faction_name(after)))
    account.set(
        round=state.round + new_round,
        frames=goto(state, Frame("turn", {"faction": after, "placed": 0, "before": before})),
    )
    return account.outcome()


# Knights


@dataclass(frozen=True, slots=True)
class Knights:
    """Send up to five knights from the castle just placed. The frame holds the castle (5.3)."""

    name = "knights"
    rule = marching.RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction, castle = _castle_data(state)
        options = legal_marches(state, faction, castle)
        best = options[-1]
        example = March(faction=faction, knights=best[0], direction=best[1], left=best[2])
        return [
            Prompt(
                faction=faction,
                title=say(
                    "prompt-march", cell=label(castle), count=min(DEPLOY_MAX, knights_left(state, faction))
                ),
                rule=marching.RULE,
                example=example,
                fields=(Joint(("knights", "direction", "left"), tuple(options)),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        faction, _ = _castle_data(state)
        check_turn(action, faction, rule="4")
        if not isinstance(action, March):
            raise Illegal(say("knights-first"), rule=marching.RULE)
        return march(state, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        return None


def _castle_data(state: State) -> tuple[str, Cell]:
    x, y = state.frames[-1].data["castle"]
    return str(state.frames[-2].data["faction"]), (x, y)


def legal_marches(state: State, faction: str, castle: Cell) -> list[tuple[int, str | None, tuple[int, ...]]]:
    """Return all marches as (knights, direction, left): none, staying, or one direction (5.3, A-03, A-15)."""
    reading = reading_of(state)
    options: list[tuple[int, str | None, tuple[int, ...]]] = [(0, None, (0,))]
    lines = {direction: line_from(state, castle, direction) for direction in DIRECTIONS}
    for count in range(1, min(DEPLOY_MAX, knights_left(state, faction)) + 1):
        moving = [
            (count, d, left)
            for d in DIRECTIONS
            for left in marches(count, lines[d], reading)
            if len(left) > 1
        ]
        staying = [
            left for left in marches(count, lines["north"][:1], reading) if not (reading.must_move and moving)
        ]
        options += [(count, None, left) for left in staying]
        options += moving
    return options


def march(state: State, action: March) -> Outcome[State]:
    """Move knights from the supply to the castle and along one straight line (5.3)."""
    faction, castle = _castle_data(state)
    if action.castle not in (None, castle):
        raise Illegal(_no_knights_now(state, action), rule=marching.RULE)
    _refuse_march(state, action, castle)
    account = Account(state)
    account.add(_march_step(state, action, castle))
    account.set(frames=done(state))
    _draw(account, faction)
    return account.outcome()


def _refuse_march(state: State, action: March, castle: Cell) -> None:
    turns = action.direction is None and len(action.left) > 1
    if turns or action.direction not in (None, *DIRECTIONS):
        raise Illegal(say("not-straight"), rule=marching.RULE)
    line = line_from(state, castle, action.direction or "north")
    supply = knights_left(state, action.faction)
    elsewhere = any(marching.can_move(action.knights, line_from(state, castle, d)) for d in DIRECTIONS)
    refuse_march(
        why_not_march(action.knights, line, action.left, supply, reading_of(state), elsewhere=elsewhere)
    )


def _march_step(state: State, action: March, castle: Cell) -> Step:
    name = faction_name(action.faction)
    if not action.knights:
        return Step(marching.RULE, say("no-march", faction=name, cell=label(castle)))
    dx, dy = DIRECTIONS[action.direction or "north"]
    cells = [(castle[0] + i * dx, castle[1] + i * dy) for i in range(len(action.left))]
    steps = tuple(_left_step(state, action.faction, *pair) for pair in zip(cells, action.left, strict=True))
    params: dict[str, Json] = {"faction": name, "cell": label(castle), "count": action.knights}
    if len(cells) == 1:
        return Step(marching.RULE, say("stayed", **params), steps=steps, options=("must_move", "lone_knight"))
    direction = Name("direction", action.direction or "")
    return Step(marching.RULE, say("marched", direction=direction, **params), steps=steps)


def _left_step(state: State, faction: str, cell: Cell, stay: int) -> Step:
    """Return the step that leaves knights on one tile and names its former controller (5.4)."""
    held = controller(knights_on(state, cell))
    tile = Name("tile", tile_at(state, cell) or "")
    moves = (Move(faction, KNIGHT, SUPPLY, place_of(cell), stay),)
    params: dict[str, Json] = {
        "faction": faction_name(faction),
        "tile": tile,
        "cell": label(cell),
        "count": stay,
    }
    if held in (None, faction):
        return Step("5.4", say("left-on", **params), moves)
    return Step("5.4", say("taken-from", held=faction_name(str(held)), **params), moves)


def _no_knights_now(state: State, action: March) -> Message:
    """Return why a castle other than the one just placed sends no knights."""
    if action.castle is not None and knights_on(state, action.castle):
        return say("knights-stay")
    return say("only-new-castle")

"""Set-up: sets, stacks and the starting layout (digest 3)."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.core.actions import Action, Position
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, goto, not_now
from games.core.game import Setup
from games.core.ledger import Ledger, Move
from games.core.messages import Name, faction_name, say
from games.core.positions import RULE as POSITION
from games.core.positions import check_phase
from games.core.prompts import Choice, Prompt
from games.core.steps import Account, Act, Outcome
from games.raubritter.actions import Lay
from games.raubritter.land import TILES_AT_START, Cell, label, place_of
from games.raubritter.state import PLACES, State, land_of, tiles_left, types_left
from games.raubritter.tiles import KNIGHT, KNIGHTS, SUPPLY, TILE, TILES_IN_SET, TYPES, set_has_fewer

RULE = "3"


def start(setup: Setup) -> Outcome[State]:
    """Give each player a set of tiles and knights, and open the starting layout (3)."""
    at = setup.factions.index(setup.first)
    state = State(
        setup=setup,
        ledger=Ledger.of(PLACES, _sets(setup)),
        frames=(Frame("setup", {"laid": []}),),
        round=0,
        order=setup.factions[at:] + setup.factions[:at],
    )
    account = Account(state)
    for code in ("set-up-take", "set-up-sort", "set-up-stack", "set-up-hand"):
        acts = [Act(faction, say(code)) for faction in setup.factions]
        account.step(RULE, say(f"{code}-why"), acts=acts)
    return account.outcome()


def _sets(setup: Setup) -> list[tuple[str, str, str, int]]:
    pieces = ((TILE, TILES_IN_SET), (KNIGHT, KNIGHTS))
    return [(faction, piece, SUPPLY, count) for faction in setup.factions for piece, count in pieces]


def starting_cells(state: State) -> list[Cell]:
    """Return the cells of the starting rectangle, row by row (A-10)."""
    rows = state.setup.options["start_rows"]
    columns = TILES_AT_START * len(state.setup.factions) // rows
    return [(x, y) for y in range(rows) for x in range(columns)]


def free_starting_cells(state: State) -> list[Cell]:
    land = land_of(state)
    return [cell for cell in starting_cells(state) if cell not in land]


def still_to_lay(state: State) -> list[str]:
    """Return the players who have not laid their two starting tiles.

    Players whom corrections left without enough tiles or cells are skipped, so that play can begin.
    """
    if len(free_starting_cells(state)) < TILES_AT_START:
        return []
    laid = state.frames[-1].data["laid"]
    return [f for f in state.order if f not in laid and tiles_left(state, f) >= TILES_AT_START]


@dataclass(frozen=True, slots=True)
class SetUp:
    """Starting layout: each player lays two tiles, in any order (3)."""

    name = "setup"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        return [self._prompt(state, faction) for faction in still_to_lay(state)]

    def _prompt(self, state: State, faction: str) -> Prompt:
        cells = free_starting_cells(state)
        pairs = tuple(itertools.permutations(cells, TILES_AT_START))
        tiles = _pairs_of_tiles(state, faction)
        return Prompt(
            faction=faction,
            title=say("prompt-lay"),
            rule=RULE,
            example=Lay(faction=faction, tiles=tiles[0], at=pairs[0]),
            fields=(Choice("tiles", tiles), Choice("at", pairs)),
        )

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Lay):
            raise not_now(action, rule=RULE)
        _refuse_lay(state, action)
        return _lay(state, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        """Begin the first turn when the starting layout is complete."""
        if still_to_lay(state):
            return None
        account = Account(state)
        first = state.order[0]
        account.step("4", say("first-player", faction=faction_name(first)))
        account.set(
            round=1, frames=goto(state, Frame("turn", {"faction": first, "placed": 0, "before": None}))
        )
        return account.outcome()


def _pairs_of_tiles(state: State, faction: str) -> tuple[tuple[str, str], ...]:
    """Return all pairs of tiles of the set, the likely ones (letter A, two different) first."""
    left = types_left(state, faction)
    letter_a = [tile for tile in state.setup.figures["letters"]["A"] if TYPES[tile].building != "castle"]
    order = [*dict.fromkeys([*letter_a, *TYPES])]
    pairs = itertools.product(order, repeat=TILES_AT_START)
    allowed = [(a, b) for a, b in pairs if left[a] >= 1 and left[b] >= (2 if a == b else 1)]
    return tuple(sorted(allowed, key=lambda pair: pair[0] == pair[1]))


def _refuse_lay(state: State, action: Lay) -> None:
    if action.faction not in still_to_lay(state):
        raise Illegal(say("laid-already"), rule=RULE)
    unknown = [tile for tile in action.tiles if tile not in TYPES]
    if unknown:
        raise BadInput(say("unknown-tile", tile=unknown[0][:40], known=tuple(TYPES)), rule=RULE)
    land = land_of(state)
    if any(cell in land for cell in action.at):
        raise Illegal(say("occupied"), rule=RULE)
    cells = set(action.at)
    complete = {len(action.tiles), len(action.at), len(cells)} == {TILES_AT_START}
    if not complete or not cells <= set(starting_cells(state)):
        raise Illegal(say("not-a-rectangle"), rule=RULE)
    left = types_left(state, action.faction)
    for tile in action.tiles:
        if action.tiles.count(tile) > left[tile]:
            raise Illegal(set_has_fewer(tile, left[tile]), rule="2.1")


def _lay(state: State, action: Lay) -> Outcome[State]:
    account = Account(state)
    laid = list(zip(action.tiles, action.at, strict=True))
    for tile, cell in laid:
        account.step(
            RULE,
            say("laid", faction=faction_name(action.faction), tile=Name("tile", tile), cell=label(cell)),
            moves=[Move(action.faction, TILE, SUPPLY, place_of(cell), becomes=tile)],
            options=["start_rows"],
        )
    top = state.frames[-1]
    account.set(frames=goto(state, top.with_data(laid=[*top.data["laid"], action.faction])))
    return account.outcome()


def resume(state: State, position: Position) -> State:
    """Start a game from an entered position, at the beginning of a turn."""
    check_phase(position, ("turn",))
    turn = position.turn or state.order[0]
    with_tiles = [faction for faction in state.order if tiles_left(state, faction)]
    if turn not in with_tiles and with_tiles:
        raise Illegal(say("position-no-tiles", faction=faction_name(turn)), rule=POSITION)
    return replace(state, frames=(Frame("turn", {"faction": turn, "placed": 0, "before": None}),))

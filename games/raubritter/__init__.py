"""Raubritter, in English Robber Knights (Queen Games, 2005)."""

from __future__ import annotations

from games.core.boards import load_board
from games.core.flow import Finished, Machine
from games.core.game import Game
from games.core.messages import say
from games.core.options import Numbers, Option
from games.raubritter.actions import ACTIONS
from games.raubritter.annals import ANNALS
from games.raubritter.board import START_ROWS, figures_wrong
from games.raubritter.ending import provisional, result, standings
from games.raubritter.invariants import invariants
from games.raubritter.land import cell_of, label
from games.raubritter.setup import SetUp, resume, start
from games.raubritter.state import PLACES, State
from games.raubritter.tiles import KNIGHT, SUPPLY, TILE, TYPES
from games.raubritter.turn import Knights, Turn
from games.raubritter.wording import TEXTS

BOARD = load_board(__package__)

RAUBRITTER: Game[State] = Game(
    slug="raubritter",
    name="Raubritter",
    version=1,
    min_players=2,
    max_players=4,
    factions=("blue", "yellow", "green", "red"),
    pieces=frozenset({KNIGHT, TILE, *TYPES}),
    places=PLACES,
    options=(
        Numbers("tile_set", "A-02", BOARD.figures["tile_set"], figure=("tile_set",)),
        Option("must_move", "A-03", default=False, values=(False, True)),
        Option("lone_knight", "A-04", default=False, values=(False, True)),
        Option(
            "start_rows",
            "A-10",
            BOARD.figures["start"]["rows"],
            values=START_ROWS,
            fixed=True,
            figure=("start", "rows"),
        ),
    ),
    actions=ACTIONS,
    board=BOARD,
    texts=TEXTS,
    state=State,
    machine=Machine([SetUp(), Turn(), Knights(), Finished("5.5")]),
    start_rule="3",
    start=start,
    knows_place=lambda _state, place: place == SUPPLY or cell_of(place) is not None,
    place_message=lambda place: say("cell", cell=label(cell_of(place) or (0, 0))),
    standings=standings,
    result=result,
    provisional=provisional,
    invariants=invariants,
    resume=resume,
    figures_wrong=figures_wrong,
    annals=ANNALS,
)

"""Wallenstein as one `Game`: wires the phases, texts and queries together."""

from __future__ import annotations

from games.core.flow import Finished, Machine
from games.core.game import Game
from games.core.ledger import kind_of
from games.core.messages import Message, Name, say
from games.wallenstein.actions import ACTIONS
from games.wallenstein.annals import ANNALS
from games.wallenstein.battles import Battles, Throws, refuse_second_result
from games.wallenstein.board import BOARD, figures_wrong, in_play
from games.wallenstein.ending import provisional, result, standings
from games.wallenstein.execution import Execution
from games.wallenstein.game_wording import TEXTS
from games.wallenstein.invariants import invariants
from games.wallenstein.movement import Moving
from games.wallenstein.options import TABLE_OPTIONS
from games.wallenstein.pieces import (
    BANK,
    CUP,
    FACTIONS,
    NOBODYS,
    PARTS,
    PEASANTS,
    PIECES,
    PROVINCE,
    SCORE,
    SUPPLY,
    TOWER,
    UNCOUNTED,
)
from games.wallenstein.planning import Planning, is_hidden, reveals, view
from games.wallenstein.recruiting import Levy
from games.wallenstein.resume import resume
from games.wallenstein.scoring import RULE as ENDING
from games.wallenstein.season import ActionRow, CurrentEvent, PlayOrder, YearBegins
from games.wallenstein.setup import SetUp, start
from games.wallenstein.state import PLACES, State
from games.wallenstein.winter import WinterPhase


def knows_place(state: State, place: str) -> bool:
    kind, slug = kind_of(place), place.partition(":")[2]
    if kind == PROVINCE:
        return slug in in_play(state.setup)
    if kind == SCORE:
        return slug in PARTS
    return place in (SUPPLY, BANK, TOWER, CUP)


def place_message(place: str) -> Message:
    kind, slug = kind_of(place), place.partition(":")[2]
    if kind == SCORE:
        return say("score-of", part=Name("part", slug))
    return say("place", place=Name("province", slug))


WALLENSTEIN: Game[State] = Game(
    slug="wallenstein",
    name="Wallenstein",
    version=1,
    min_players=2,
    max_players=5,
    factions=FACTIONS,
    nobodys=NOBODYS,
    neutrals=(PEASANTS,),
    pieces=PIECES,
    places=PLACES,
    options=TABLE_OPTIONS,
    actions=ACTIONS,
    board=BOARD,
    texts=TEXTS,
    state=State,
    machine=Machine(
        [
            SetUp(),
            YearBegins(),
            ActionRow(),
            Planning(),
            PlayOrder(),
            CurrentEvent(),
            Execution(),
            Levy(),
            Moving(),
            Battles(),
            Throws(),
            WinterPhase(),
            Finished(ENDING),
        ]
    ),
    refuse_action=refuse_second_result,
    start_rule="3",
    start=start,
    knows_place=knows_place,
    place_message=place_message,
    standings=standings,
    result=result,
    provisional=provisional,
    invariants=invariants,
    uncounted=UNCOUNTED,
    resume=resume,
    figures_wrong=figures_wrong,
    view=view,
    is_hidden=is_hidden,
    reveals=reveals,
    annals=ANNALS,
)

"""Signoria assembled as a `Game`."""

from __future__ import annotations

from games.core.boards import load_board
from games.core.flow import Finished, Machine
from games.core.game import Game
from games.signoria.actions import ACTIONS
from games.signoria.alliances import Drawing
from games.signoria.annals import ANNALS
from games.signoria.board import figures_wrong
from games.signoria.ending import if_it_ended_now, provisional, result, standings
from games.signoria.florins import GAINING_FLORINS, HELPER_POINTS
from games.signoria.game_wording import TEXTS
from games.signoria.helpers import CityActions, Helpers
from games.signoria.hiring import Hiring
from games.signoria.invariants import invariants
from games.signoria.marriages import Marriages
from games.signoria.members import TAKING_MEMBERS, Gaining, RollDescendants
from games.signoria.missions import Missions
from games.signoria.options import TABLE_OPTIONS
from games.signoria.pieces import FACTIONS, FLORIN, NEUTRAL, PIECES, POINT
from games.signoria.places import hand, knows_place, place_message
from games.signoria.preparation import Preparation
from games.signoria.progress import UsingProgress
from games.signoria.rewards import BONUSES, Rewards
from games.signoria.scoring import RULE as ENDING
from games.signoria.setup import SetUp, resume, start
from games.signoria.state import PLACES, State
from games.signoria.tasks import Errands
from games.signoria.turn import BonusDie, Turn

SIGNORIA: Game[State] = Game(
    slug="signoria",
    name="Signoria",
    version=1,
    min_players=2,
    max_players=4,
    factions=FACTIONS,
    neutrals=(NEUTRAL,),
    pieces=PIECES,
    places=PLACES,
    options=TABLE_OPTIONS,
    actions=ACTIONS,
    board=load_board(__package__),
    texts=TEXTS,
    state=State,
    machine=Machine(
        [
            SetUp(),
            Preparation(),
            Turn(),
            Hiring(),
            Errands(),
            UsingProgress(),
            Missions(),
            Marriages(),
            CityActions(),
            Drawing(),
            RollDescendants(),
            Gaining(),
            TAKING_MEMBERS,
            GAINING_FLORINS,
            HELPER_POINTS,
            Helpers(),
            BonusDie(),
            BONUSES,
            Rewards(),
            Finished(ENDING),
        ]
    ),
    start_rule="3.1",
    start=start,
    knows_place=knows_place,
    place_message=place_message,
    standings=standings,
    ended=if_it_ended_now,
    result=result,
    provisional=provisional,
    invariants=invariants,
    uncounted=frozenset({FLORIN, POINT}),
    resume=resume,
    figures_wrong=figures_wrong,
    hand=hand,
    annals=ANNALS,
)

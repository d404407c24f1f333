"""Revolution: The Dutch Revolt 1568–1648 (Phalanx Games, 2004)."""

from __future__ import annotations

from games.core.flow import Finished, Machine, Phase
from games.core.game import Game, Setup, Texts
from games.core.steps import Outcome
from games.revolution import army_wording, board_wording, round_wording
from games.revolution.actions import ACTIONS
from games.revolution.annals import ANNALS
from games.revolution.battles import BATTLES
from games.revolution.beggars import WaterBeggars
from games.revolution.bishoprics import BISHOPRICS
from games.revolution.board import BOARD, figures_wrong
from games.revolution.calculators import CALCULATORS
from games.revolution.completing import COMPLETING
from games.revolution.conflict import Conflicts
from games.revolution.control import ALLOCATION
from games.revolution.factions import BOXES, FACTIONS, NEUTRAL, refuse_seating
from games.revolution.invariants import invariants
from games.revolution.laying import LAYING
from games.revolution.maintenance import MAINTAINING, Pillaging
from games.revolution.marches import MARCHING
from games.revolution.military import EXERTING
from games.revolution.movement import Movement
from games.revolution.neutrals import Neutrals
from games.revolution.new_units import NewUnits
from games.revolution.options import OPTIONS
from games.revolution.overflow import Overflowing
from games.revolution.persuasion import Persuasion
from games.revolution.pieces import ARMY, BEGGAR, COUNTER
from games.revolution.provinces import place_message
from games.revolution.recruiting import RECRUITING
from games.revolution.resuming import resume
from games.revolution.setup import SetUp, start
from games.revolution.state import PLACES, State, atlas
from games.revolution.status import STATUS, Drafting, provisional, result, standings
from games.revolution.support import Interception, SupportMovement
from games.revolution.taxes import Taxation
from games.revolution.universities import UNIVERSITIES
from games.revolution.wording import TEXTS

PHASES: tuple[Phase[State], ...] = (
    SetUp(),
    Taxation(),
    SupportMovement(),
    Interception(),
    MAINTAINING,
    Pillaging(),
    RECRUITING,
    BATTLES,
    LAYING,
    WaterBeggars(),
    MARCHING,
    EXERTING,
    NewUnits(),
    Conflicts(),
    Neutrals(),
    Overflowing(),
    Movement(),
    COMPLETING,
    Persuasion(),
    ALLOCATION,
    BISHOPRICS,
    UNIVERSITIES,
    STATUS,
    Drafting(),
    Finished("4.5"),
)
MACHINE = Machine(PHASES)


def _start(setup: Setup) -> Outcome[State]:
    """Set up the game, and resolve on if the Habsburgs have no armies to place."""
    return MACHINE.settle(start(setup))


REVOLUTION: Game[State] = Game(
    slug="revolution",
    name="Revolution",
    version=1,
    min_players=min(BOXES),
    max_players=max(BOXES),
    factions=FACTIONS,
    neutrals=(NEUTRAL,),
    pieces=frozenset({COUNTER, ARMY, BEGGAR}),
    places=PLACES,
    options=OPTIONS,
    actions=ACTIONS,
    board=BOARD,
    texts=Texts(
        messages={**TEXTS.messages, **round_wording.MESSAGES, **army_wording.MESSAGES},
        names={**TEXTS.names, **round_wording.NAMES, **army_wording.NAMES, **board_wording.NAMES},
        rules={**TEXTS.rules, **round_wording.RULES, **army_wording.RULES},
    ),
    state=State,
    machine=MACHINE,
    start_rule="3.0",
    start=_start,
    refuse_seating=refuse_seating,
    knows_place=lambda state, place: place in atlas(state).places,
    place_message=place_message,
    standings=standings,
    result=result,
    provisional=provisional,
    invariants=invariants,
    resume=resume,
    figures_wrong=figures_wrong,
    annals=ANNALS,
)

__all__ = ["CALCULATORS", "REVOLUTION"]

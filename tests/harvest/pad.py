"""Score pad and calculator of Harvest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from games.core import pads
from games.core.actions import Action
from games.core.calculators import Answer, Calculator, Calculators, Number
from games.core.codec import Count
from games.core.flow import Frame
from games.core.game import Result, Setup, Texts
from games.core.messages import faction_name, say
from games.core.pads import Form, Sheet, State, TableEntry
from games.core.steps import Account, Outcome, Step
from tests.harvest.rules import HARVEST, RULE, TEXTS
from tests.harvest.rules import ranking as rank

END = "end"
SHEET = Sheet(lines=(END,), sources=("sheaves",))
MOST = 27


@dataclass(frozen=True, slots=True, kw_only=True)
class Final(Action):
    """The sheaves of each player."""

    type: ClassVar[str] = "final"
    sheaves: Mapping[str, Count] = field(default_factory=dict)


def start(setup: Setup) -> Outcome[State]:
    account = Account(pads.first_state(setup, 1, pads.clockwise(setup), Frame("final")))
    account.step(RULE, say("begin"))
    return account.outcome()


def form(state: State) -> Form:
    return Form(say("pad.final"), (pads.shared("sheaves", state.order, MOST),))


def enter(state: State, action: Final) -> Outcome[State]:
    (sheaves,) = pads.read_shared(form(state).fields, action, RULE).values()
    steps = {
        faction: Step(RULE, say("pad.final-one", faction=faction_name(faction), count=count))
        for faction, count in sheaves.items()
    }
    account = Account(state)
    scores = {faction: ({"sheaves": Fraction(sheaves[faction])}, step) for faction, step in steps.items()}
    pads.enter(account, SHEET, END, "score:final", scores)
    account.set(frames=(Frame("finished"),))
    return account.outcome()


def ranking(state: State) -> Result:
    return rank({standing.faction: int(standing.points) for standing in SHEET.standings(state)})


PAD = pads.pad(
    HARVEST,
    SHEET,
    actions=(Final,),
    phases=(TableEntry("final", RULE, Final, form, enter),),
    texts=pads.texts(TEXTS, Texts({}, {}, {})),
    start=start,
    ranking=ranking,
    resume={"final": END},
    start_rule=RULE,
    end_rule=RULE,
)


@dataclass(frozen=True, slots=True)
class Worth:
    """The body of the calculator."""

    sheaves: Count


def worth(body: Worth) -> Answer:
    return Answer({"points": body.sheaves}, (Step(RULE, say("worth", count=body.sheaves)),))


CALCULATORS = Calculators(
    slug=HARVEST.slug,
    name=HARVEST.name,
    texts=TEXTS,
    place_message=HARVEST.place_message,
    calculators=(
        Calculator(
            name="worth",
            rule=RULE,
            body=Worth,
            answer=worth,
            inputs=(Number("sheaves"),),
            example={"sheaves": 2},
        ),
    ),
)

"""Score pad and calculator of Harvest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar

from games.core import pads
from games.core.actions import Action
from games.core.calculators import Answer, Calculator, Calculators, Number
from games.core.codec import Count
from games.core.flow import Frame, Machine, not_now
from games.core.game import Setup, Texts
from games.core.messages import faction_name, say
from games.core.pads import Sheet, State
from games.core.prompts import Allocation, Prompt
from games.core.steps import Account, Outcome, Step
from tests.harvest.rules import HARVEST, RULE, TEXTS, ranking

END = "end"
SHEET = Sheet(lines=(END,), sources=("sheaves",))
MOST = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Final(Action):
    """The sheaves of each player."""

    type: ClassVar[str] = "final"
    sheaves: Mapping[str, Count] = field(default_factory=dict)


class Counting:
    name, rule = "final", RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        most = dict.fromkeys(state.order, MOST)
        counts = Allocation("sheaves", most, 0, MOST * len(most))
        return pads.to_everybody(
            state,
            lambda faction: Prompt(
                faction=faction,
                title=say("pad.final"),
                rule=RULE,
                example=Final(faction=faction, sheaves={}),
                fields=(counts,),
            ),
        )

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Final):
            raise not_now(action, rule=RULE)
        counts = pads.read_counts(action.sheaves, state.order, RULE)
        scores = {
            faction: (
                {"sheaves": Fraction(count)},
                Step(RULE, say("pad.final-one", faction=faction_name(faction), count=count)),
            )
            for faction, count in counts.items()
        }
        account = Account(state)
        pads.enter(account, SHEET, END, "score:final", scores)
        account.set(frames=(Frame("finished"),))
        return account.outcome()

    def resolve(self, _state: State) -> None:
        return None


def start(setup: Setup) -> Outcome[State]:
    account = Account(pads.first_state(setup, 1, pads.clockwise(setup), Frame("final")))
    account.step(RULE, say("begin"))
    return account.outcome()


PAD = replace(
    HARVEST,
    pieces=frozenset({SHEET.piece}),
    uncounted=frozenset({SHEET.piece}),
    places=pads.PLACES,
    actions=(Final,),
    texts=pads.texts(TEXTS, Texts({}, {}, {})),
    state=State,
    machine=Machine([Counting(), pads.Finished(RULE)]),
    start=start,
    knows_place=lambda _state, place: SHEET.knows(place),
    place_message=pads.place_message,
    standings=SHEET.standings,
    result=pads.result(lambda state: ranking({s.faction: int(s.points) for s in SHEET.standings(state)})),
    provisional=pads.provisional,
    invariants=SHEET.invariants,
    resume=pads.resume(SHEET, {"final": END}),
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

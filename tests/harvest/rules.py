"""The rules of Harvest: for three rounds, players in turn bring one to three sheaves into their barn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from games.core.actions import Action, Position, Ruling
from games.core.boards import load_board
from games.core.codec import Count
from games.core.errors import BadInput, Illegal
from games.core.flow import Finished, Frame, Machine, check_turn, is_over, not_now
from games.core.game import Game, Result, Setup, Standing, Texts
from games.core.guide import Guide, Guides
from games.core.ledger import Ledger, Move, Places
from games.core.messages import Message, faction_name, plural, say, text
from games.core.prompts import Number, Prompt
from games.core.steps import Account, Outcome

RULE = "1"
SHEAF, SUPPLY, BARN = "sheaf", "supply", "barn"
PLACES = Places(unlimited=frozenset({SUPPLY}))
BOARD = load_board(__package__)


@dataclass(frozen=True, slots=True)
class State:
    setup: Setup
    ledger: Ledger
    frames: tuple[Frame, ...]
    round: int
    order: tuple[str, ...]
    turn: int = 0
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bring(Action):
    """Bring sheaves into the barn."""

    type: ClassVar[str] = "bring"
    sheaves: Count


def start(setup: Setup) -> Outcome[State]:
    at = setup.factions.index(setup.first)
    order = setup.factions[at:] + setup.factions[:at]
    account = Account(State(setup, Ledger(PLACES), (Frame("reaping"),), 1, order))
    account.step(RULE, say("begin"))
    return account.outcome()


class Reaping:
    name, rule = "reaping", RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = state.order[state.turn]
        return [
            Prompt(
                faction=faction,
                title=say("prompt"),
                rule=RULE,
                example=Bring(faction=faction, sheaves=1),
                fields=(Number("sheaves", 1, state.setup.figures["most"]["sheaves"]),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Bring):
            raise not_now(action, rule=RULE)
        faction, most = state.order[state.turn], state.setup.figures["most"]["sheaves"]
        check_turn(action, faction, rule=RULE)
        if not 1 <= action.sheaves <= most:
            raise Illegal(say("too-many", most=most), rule=RULE)
        account = Account(state)
        move = Move(faction, SHEAF, SUPPLY, BARN, action.sheaves)
        account.step(RULE, say("brought", faction=faction_name(faction), count=action.sheaves), moves=[move])
        turn = (state.turn + 1) % len(state.order)
        round_ = state.round + (not turn)
        is_last = round_ > state.setup.figures["rounds"]["count"]
        shown = state.round if is_last else round_
        account.set(turn=turn, round=shown, frames=(Frame("finished" if is_last else "reaping"),))
        return account.outcome()

    def resolve(self, _state: State) -> None:
        return None


def sheaves_of(state: State, faction: str) -> int:
    return state.ledger.count(faction, SHEAF, BARN)


def standings(state: State) -> list[Standing]:
    return [Standing.of(faction, {"sheaves": sheaves_of(state, faction)}) for faction in state.order]


def ranking(points: Mapping[str, int]) -> Result:
    by_points = sorted(set(points.values()), reverse=True)
    return Result(tuple(tuple(f for f in points if points[f] == n) for n in by_points))


def result(state: State) -> Result | None:
    if not is_over(state):
        return None
    return ranking({faction: sheaves_of(state, faction) for faction in state.order})


def resume(state: State, position: Position) -> State:
    if position.phase != "reaping":
        raise BadInput(say("core.position-phase", phase=position.phase[:40], known=("reaping",)))
    return state


def provisional(state: State) -> Message | None:
    return None if result(state) else say("begin")


TEXTS = Texts(
    messages={
        "begin": text("The harvest begins."),
        "prompt": text("Bring in sheaves"),
        "brought": plural("{faction} brings in {count} sheaf.", "{faction} brings in {count} sheaves."),
        "too-many": text("One to {most} sheaves."),
        "players": text("Harvest is for {least} to {most} players."),
        "elsewhere": text("elsewhere"),
        "game-over": text("The harvest is in."),
        "calculator.worth": text("Worth"),
        "input.sheaves": text("Sheaves"),
        "answer.points": text("Points"),
        "worth": text("{count} points."),
        "pad.final": text("Count the sheaves"),
        "pad.final-one": text("{faction} has {count} sheaves."),
    },
    names={
        "faction:red": text("Red"),
        "faction:blue": text("Blue"),
        "faction:ochre": text("Ochre"),
        "phase:reaping": text("Reaping"),
        "phase:finished": text("The end"),
        "phase:final": text("Counting"),
        "piece:sheaf": text("sheaves"),
        "place:barn": text("barn"),
        "place:supply": text("supply"),
        "part:sheaves": text("Sheaves"),
        "column:sheaves": text("Sheaves"),
        "figure:rounds": text("Rounds"),
        "figure:rounds.count": text("Number of rounds"),
        "figure:most": text("At most"),
        "figure:most.sheaves": text("Sheaves at a time"),
    },
    rules={RULE: text("Reaping")},
)

GUIDE: Guides = {RULE: Guide(text("In turn, bring one to three sheaves into your barn."), "page 1")}

HARVEST: Game[State] = Game(
    slug="harvest",
    name="Harvest",
    version=1,
    min_players=2,
    max_players=3,
    factions=("red", "blue", "ochre"),
    pieces=frozenset({SHEAF}),
    places=PLACES,
    options=(),
    actions=(Bring,),
    board=BOARD,
    texts=TEXTS,
    state=State,
    machine=Machine([Reaping(), Finished(RULE)]),
    start_rule=RULE,
    start=start,
    knows_place=lambda _state, place: place in (SUPPLY, BARN),
    place_message=lambda _place: say("elsewhere"),
    standings=standings,
    result=result,
    provisional=provisional,
    invariants=lambda _state: [],
    uncounted=frozenset({SHEAF}),
    resume=resume,
)

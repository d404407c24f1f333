"""Minimal game for tests of the core.

Two players take one to three stones from a heap in turn, as in Nim; the bag is an unseen place with
gems, the tray an ordered one, the bank an unlimited one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from games.core.actions import Action, Position, Ruling
from games.core.boards import Board
from games.core.codec import Count
from games.core.flow import Frame, Machine, check_turn, goto, not_now
from games.core.game import Game, Result, Setup, Standing, Texts
from games.core.ledger import Ledger, Move, Places
from games.core.messages import Message, faction_name, say
from games.core.options import Numbers, Option
from games.core.prompts import Number, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome

PLACES = Places(
    ordered=frozenset({"tray"}),
    unlimited=frozenset({"bank"}),
    unseen=frozenset({"bag"}),
    backs={"ruby": "gem", "glass": "gem"},
)


@dataclass(frozen=True, slots=True)
class State:
    setup: Setup
    ledger: Ledger
    frames: tuple[Frame, ...]
    round: int
    order: tuple[str, ...]
    winner: str | None = None
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Action):
    type: ClassVar[str] = "take"
    stones: Count


def start(setup: Setup) -> Outcome[State]:
    pieces = [
        ("neutral", "stone", "heap", 7),
        ("red", "gem", "bag", 3),
        ("red", "coin", "supply", 5),
        ("red", "ruby", "tray:1", 1),
    ]
    ledger = Ledger.of(PLACES, pieces)
    frames = (Frame("taking", {"faction": setup.first}),)
    return Outcome(State(setup, ledger, frames, 1, setup.factions), ())


def stones(state: State) -> int:
    return state.ledger.count("neutral", "stone", "heap")


class Taking:
    name = "taking"
    rule = "1"

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = state.frames[-1].data["faction"]
        most = min(3, stones(state))
        example = Take(faction=faction, stones=1)
        return [Prompt(faction, say("take"), "1", example, (Number("stones", 1, most),))]

    def act(self, state: State, action: Action) -> Outcome[State]:
        faction = state.frames[-1].data["faction"]
        check_turn(action, faction, rule="1")
        if not isinstance(action, Take):
            raise not_now(action, rule="1")
        account = Account(state)
        moves = [Move("neutral", "stone", "heap", "taken", action.stones)]
        account.step("1", say("taken", faction=faction_name(faction), count=action.stones), moves=moves)
        other = next(f for f in state.order if f != faction)
        account.set(frames=goto(state, Frame("taking", {"faction": other})))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        if stones(state):
            return None
        account = Account(state)
        last = next(f for f in state.order if f != state.frames[-1].data["faction"])
        verdict = judge(state, "winner", last, str)
        account.step("2", say("over"), verdict=verdict)
        account.set(frames=(Frame("finished"),), winner=verdict.result)
        return account.outcome()


class Finished:
    name = "finished"
    rule = "2"

    def prompts(self, _state: State) -> Sequence[Prompt]:
        return []

    def act(self, _state: State, action: Action) -> Outcome[State]:
        raise not_now(action, rule="2")

    def resolve(self, _state: State) -> Outcome[State] | None:
        return None


def result(state: State) -> Result | None:
    return Result(((state.winner or "",),)) if state.frames[-1].phase == "finished" else None


def resume(state: State, position: Position) -> State:
    return replace(state, frames=(Frame("taking", {"faction": position.turn or state.order[0]}),))


def provisional(state: State) -> Message | None:
    return say("over") if stones(state) else None


TOY: Game[State] = Game(
    slug="toy",
    name="Toy",
    version=1,
    min_players=2,
    max_players=2,
    factions=("red", "blue", "green"),
    neutrals=("neutral",),
    pieces=frozenset({"stone", "gem", "ruby", "glass", "coin"}),
    places=PLACES,
    options=(
        Option("short", "Q-1", default=False, values=(False, True)),
        Option("heaps", "Q-2", default=1, values=(1, 2), fixed=True),
        Numbers("mix", "Q-3", {"ruby": 1, "glass": 2}),
    ),
    actions=(Take,),
    board=Board({"heap": 7}, {"heap": "rulebook"}),
    texts=Texts(
        messages={
            "players": "Toy is for {least} to {most} players.",
            "take": "Take stones",
            "taken": "{faction} takes {count}.",
            "over": "All stones are taken.",
            "option.short": "A short game",
        },
        names={
            "faction:neutral": "Neutral",
            "piece:stone": "stones",
            "faction:red": "Red",
            "faction:blue": "Blue",
            "piece:coin": "coins",
            "piece:gem": "gems",
        },
        rules={"1": "Taking", "2": "The end"},
    ),
    state=State,
    machine=Machine([Taking(), Finished()]),
    start_rule="1",
    start=start,
    knows_place=lambda _state, place: place in {"heap", "taken", "bag", "bank", "supply", "tray:1", "tray:2"},
    place_message=Message,
    resume=resume,
    standings=lambda state: [Standing.of(f, {"stones": 0}) for f in state.order],
    result=result,
    provisional=provisional,
    invariants=lambda _state: [],
)


def toy(**options: object) -> State:
    return TOY.start(TOY.prepare(["red", "blue"], options=options)).state

"""Steps: a resolution explains itself. What no step explains does not happen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, TypeVar

from games.core.codec import from_json, to_json
from games.core.errors import BadInput
from games.core.ledger import Move
from games.core.messages import Json, Message, message_json, read_message, say
from games.core.rulings import Verdict


@dataclass(frozen=True, slots=True)
class Act:
    """What a hand does without moving a counted piece: roll, shuffle, draw unseen, turn."""

    hand: str | None  # a faction, or None: anyone
    message: Message


@dataclass(frozen=True, slots=True)
class Step:
    """One thing the rules decided: the section, what is said of it, the pieces that move."""

    rule: str
    message: Message
    moves: tuple[Move, ...] = ()
    acts: tuple[Act, ...] = ()
    steps: tuple[Step, ...] = ()  # the finer reasons
    options: tuple[str, ...] = ()  # the table options it depended on
    key: str | None = None  # under which the table can rule differently
    result: Json = None  # what was decided under the key
    ruling: str | None = None  # why the table decided it, if it was not the rules

    def all_moves(self) -> Iterator[Move]:
        """Its own moves, then those of its finer steps, in the order in which they are made."""
        yield from self.moves
        for step in self.steps:
            yield from step.all_moves()

    def all_steps(self) -> Iterator[Step]:
        """Itself and its finer steps."""
        yield self
        for step in self.steps:
            yield from step.all_steps()

    def settles(self, verdict: Verdict[Any]) -> Step:
        """The step with the result that it tells, which the table can rule differently."""
        reason = verdict.ruling.reason if verdict.ruling else None
        return replace(self, key=verdict.key, result=to_json(verdict.result), ruling=reason)


S = TypeVar("S", bound=Any)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[S]):
    """A new state and the steps that lead to it."""

    state: S
    steps: tuple[Step, ...]


class Account(Generic[S]):
    """Tells what happens, step by step, and so makes it happen.

    >>> account = Account(state)
    >>> account.step("5.1", say("raubritter.placed", …), moves=[Move(…)])
    >>> account.outcome()
    """

    def __init__(self, state: S) -> None:
        self.state = state
        self._steps: list[Step] = []

    def step(  # noqa: PLR0913 - the parts of a step, all but two with a default
        self,
        rule: str,
        message: Message,
        *,
        moves: Sequence[Move] = (),
        acts: Sequence[Act] = (),
        steps: Sequence[Step] = (),
        options: Sequence[str] = (),
        verdict: Verdict[Any] | None = None,
    ) -> None:
        """Record a step and make its moves."""
        told = Step(rule, message, tuple(moves), tuple(acts), tuple(steps), tuple(options))
        self.add(told.settles(verdict) if verdict else told)

    def add(self, step: Step) -> None:
        self._steps.append(step)
        moves = tuple(step.all_moves())
        if moves:
            self.state = replace(self.state, ledger=self.state.ledger.move(*moves))

    def set(self, **facts: Any) -> None:
        """Change what stands beside the ledger: round, frames, order."""
        self.state = replace(self.state, **facts)

    def follow(self, outcome: Outcome[S]) -> None:
        """Go on from what another part of the rules made of the present state."""
        self.state = outcome.state
        self._steps.extend(outcome.steps)

    def outcome(self) -> Outcome[S]:
        return Outcome(self.state, tuple(self._steps))


def step_json(step: Step) -> dict[str, Json]:
    """A step as JSON data; what is empty is left out."""
    data: dict[str, Json] = {"rule": step.rule, "message": message_json(step.message)}
    if step.moves:
        data["moves"] = [to_json(move) for move in step.moves]
    if step.acts:
        data["acts"] = [{"hand": act.hand, "message": message_json(act.message)} for act in step.acts]
    if step.steps:
        data["steps"] = [step_json(finer) for finer in step.steps]
    if step.options:
        data["options"] = list(step.options)
    if step.key:
        data |= {"key": step.key, "result": step.result}
    if step.ruling:
        data["ruling"] = step.ruling
    return data


def read_step(data: Json) -> Step:
    """The step that ``step_json`` wrote."""
    return Step(
        rule=data["rule"],
        message=read_message(data["message"]),
        moves=tuple(Move(**move) for move in data.get("moves", ())),
        acts=tuple(Act(act["hand"], read_message(act["message"])) for act in data.get("acts", ())),
        steps=tuple(read_step(finer) for finer in data.get("steps", ())),
        options=tuple(data.get("options", ())),
        key=data.get("key"),
        result=data.get("result"),
        ruling=data.get("ruling"),
    )


# Steps that come from outside


@dataclass(frozen=True, slots=True)
class _Done:
    """The form of an act."""

    hand: str | None
    message: Json


@dataclass(frozen=True, slots=True)
class _Told:
    """The form of a step."""

    rule: str
    message: Json
    moves: tuple[Move, ...] = ()
    acts: tuple[_Done, ...] = ()
    steps: tuple[Json, ...] = ()
    options: tuple[str, ...] = ()
    key: str | None = None
    result: Json = None
    ruling: str | None = None


@dataclass(frozen=True, slots=True)
class _Said:
    """The form of a message."""

    code: str
    params: Mapping[str, Json]


# Nothing that the rules tell has finer reasons below finer reasons for so long.
DEEPEST = 10


def check_step(data: Json, deep: int = DEEPEST) -> None:
    """Refuse what ``step_json`` would not write. Raises ``BadInput``."""
    _refuse_depth(deep)
    told = from_json(_Told, data)
    for message in (told.message, *(act.message for act in told.acts)):
        _check_message(message, deep - 1)
    for finer in told.steps:
        check_step(finer, deep - 1)


def _refuse_depth(deep: int) -> None:
    if not deep:
        raise BadInput(say("core.not-a-table", field="steps"))


def _check_message(data: Json, deep: int) -> None:
    _refuse_depth(deep)
    for param in from_json(_Said, data).params.values():
        _check_param(param, deep - 1)


def _check_param(data: Json, deep: int) -> None:
    _refuse_depth(deep)
    match data:
        case {"name": name}:
            from_json(tuple[str, str], name, "name")
        case {"message": message}:
            _check_message(message, deep - 1)
        case {"fraction": fraction}:
            from_json(Fraction, fraction, "fraction")
        case list():
            for item in data:
                _check_param(item, deep - 1)
        case int():
            from_json(int, data, "params")
        case _:
            from_json(str, data, "params")

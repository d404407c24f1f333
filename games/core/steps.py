"""Steps: the explanation of a resolution. State changes are made only by recording steps."""

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
    """A manual act that moves no counted piece: roll, shuffle, draw unseen, turn."""

    hand: str | None  # a faction, or None: anyone
    message: Message


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of the rules: its section, message and moves."""

    rule: str
    message: Message
    moves: tuple[Move, ...] = ()
    acts: tuple[Act, ...] = ()
    steps: tuple[Step, ...] = ()  # detailed reasons
    options: tuple[str, ...] = ()  # table options it depended on
    key: str | None = None  # key for a ruling of the table
    result: Json = None  # result under the key
    ruling: str | None = None  # reason of the table's ruling, if any

    def all_moves(self) -> Iterator[Move]:
        """Yield its own moves, then those of its inner steps, in the order of execution."""
        yield from self.moves
        for step in self.steps:
            yield from step.all_moves()

    def all_steps(self) -> Iterator[Step]:
        """Yield itself and all inner steps."""
        yield self
        for step in self.steps:
            yield from step.all_steps()

    def settles(self, verdict: Verdict[Any]) -> Step:
        """Return a copy with the key, result and ruling of a verdict."""
        reason = verdict.ruling.reason if verdict.ruling else None
        return replace(self, key=verdict.key, result=to_json(verdict.result), ruling=reason)


S = TypeVar("S", bound=Any)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[S]):
    """A state and the steps that led to it."""

    state: S
    steps: tuple[Step, ...]


class Account(Generic[S]):
    """Builder of an outcome: recording a step also applies its moves to the state.

    >>> account = Account(state)
    >>> account.step("5.1", say("raubritter.placed", …), moves=[Move(…)])
    >>> account.outcome()
    """

    def __init__(self, state: S) -> None:
        self.state = state
        self._steps: list[Step] = []

    def step(  # noqa: PLR0913 - the fields of a step, all but two optional
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
        """Record a step and apply its moves."""
        step = Step(rule, message, tuple(moves), tuple(acts), tuple(steps), tuple(options))
        self.add(step.settles(verdict) if verdict else step)

    def add(self, step: Step) -> None:
        self._steps.append(step)
        moves = tuple(step.all_moves())
        if moves:
            self.state = replace(self.state, ledger=self.state.ledger.move(*moves))

    def set(self, **facts: Any) -> None:
        """Change state fields other than the ledger: round, frames, order."""
        self.state = replace(self.state, **facts)

    def follow(self, outcome: Outcome[S]) -> None:
        """Continue from an outcome that was computed from the current state."""
        self.state = outcome.state
        self._steps.extend(outcome.steps)

    def outcome(self) -> Outcome[S]:
        return Outcome(self.state, tuple(self._steps))


def step_json(step: Step) -> dict[str, Json]:
    """Encode a step as JSON; empty fields are omitted."""
    data: dict[str, Json] = {"rule": step.rule, "message": message_json(step.message)}
    if step.moves:
        data["moves"] = [to_json(move) for move in step.moves]
    if step.acts:
        data["acts"] = [{"hand": act.hand, "message": message_json(act.message)} for act in step.acts]
    if step.steps:
        data["steps"] = [step_json(inner) for inner in step.steps]
    if step.options:
        data["options"] = list(step.options)
    if step.key:
        data |= {"key": step.key, "result": step.result}
    if step.ruling:
        data["ruling"] = step.ruling
    return data


def read_step(data: Json) -> Step:
    """Parse a step encoded by ``step_json``."""
    return Step(
        rule=data["rule"],
        message=read_message(data["message"]),
        moves=tuple(Move(**move) for move in data.get("moves", ())),
        acts=tuple(Act(act["hand"], read_message(act["message"])) for act in data.get("acts", ())),
        steps=tuple(read_step(inner) for inner in data.get("steps", ())),
        options=tuple(data.get("options", ())),
        key=data.get("key"),
        result=data.get("result"),
        ruling=data.get("ruling"),
    )


# Validation of untrusted steps


@dataclass(frozen=True, slots=True)
class _ActForm:
    """JSON form of an ``Act``."""

    hand: str | None
    message: Json


@dataclass(frozen=True, slots=True)
class _StepForm:
    """JSON form of a ``Step``."""

    rule: str
    message: Json
    moves: tuple[Move, ...] = ()
    acts: tuple[_ActForm, ...] = ()
    steps: tuple[Json, ...] = ()
    options: tuple[str, ...] = ()
    key: str | None = None
    result: Json = None
    ruling: str | None = None


@dataclass(frozen=True, slots=True)
class _MessageForm:
    """JSON form of a ``Message``."""

    code: str
    params: Mapping[str, Json]


# Maximum nesting of steps, messages and parameters; no rule comes near it.
DEEPEST = 10


def check_step(data: Json, deep: int = DEEPEST) -> None:
    """Raise ``BadInput`` unless ``step_json`` could have written this data."""
    _check_depth(deep)
    step = from_json(_StepForm, data)
    for message in (step.message, *(act.message for act in step.acts)):
        _check_message(message, deep - 1)
    for inner in step.steps:
        check_step(inner, deep - 1)


def _check_depth(deep: int) -> None:
    if not deep:
        raise BadInput(say("core.not-a-table", field="steps"))


def _check_message(data: Json, deep: int) -> None:
    _check_depth(deep)
    for param in from_json(_MessageForm, data).params.values():
        _check_param(param, deep - 1)


def _check_param(data: Json, deep: int) -> None:
    _check_depth(deep)
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

"""Calculators: one-off resolvers that need no table.

A calculator reads a body (a frozen record, checked by the codec), and answers with JSON
data and the steps that explain it. The rules of a game call the same functions underneath.
``inputs`` describe the form a page draws; ``example`` is what it starts with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from games.core.codec import from_json
from games.core.errors import BadInput
from games.core.game import Texts
from games.core.messages import Json, Message, say
from games.core.options import Option
from games.core.steps import Step

B = TypeVar("B")

# No game has as many pieces, spaces or points; the time of an answer may depend on the numbers.
LARGEST = 1_000


class Answer(NamedTuple):
    """The data of the contract, and the steps that lead to it (at least one)."""

    data: Mapping[str, Json]
    steps: tuple[Step, ...]


# What a form is made of. ``name`` is the field of the body; its label is the wording ``input.<name>``.


@dataclass(frozen=True, slots=True)
class Number:
    """A stepper from ``low`` to ``high`` in steps of ``by`` (½ where points or taxes come in halves)."""

    name: str
    low: float = 0
    high: float = 20
    by: float = 1


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    name: str


@dataclass(frozen=True, slots=True)
class Pick:
    """One of a few; labels are names of ``kind`` (``faction``), or plain numbers."""

    name: str
    options: tuple[Json, ...]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """A stepper for each key of a map; labels are names of ``kind``."""

    name: str
    keys: tuple[str, ...]
    kind: str = "faction"
    low: int = 0
    high: int = 40


@dataclass(frozen=True, slots=True)
class Order:
    """Keys in an order the reader makes: all of them, or ``fewest`` at least."""

    name: str
    keys: tuple[str, ...]
    kind: str = "faction"
    fewest: int | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """A list that grows and shrinks; each row has these inputs (one unnamed input: a list of plain values).

    ``after_first`` names a list further up: there is a row for each of its items but the first.
    """

    name: str
    inputs: tuple[Input, ...]
    most: int = 12
    after_first: str = ""


@dataclass(frozen=True, slots=True)
class Keyed:
    """A map that grows and shrinks: in each row one of the keys and these inputs.

    ``order`` is the field of the body that takes the keys in the order of the rows.
    """

    name: str
    keys: tuple[str, ...]
    kind: str
    inputs: tuple[Input, ...]
    order: str
    most: int = 8


@dataclass(frozen=True, slots=True)
class Group:
    """A record inside the body.

    ``among`` names a list further up: only what is in it is asked for. Where it is ``distinct``, no
    value stands twice in its rows.
    """

    name: str
    inputs: tuple[Input, ...]
    among: str = ""
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """The table options on which the answer depends."""

    options: tuple[Option, ...]
    name: str = "options"


Input: TypeAlias = "Number | Flag | Pick | Counts | Order | Rows | Keyed | Group | Settings"


@dataclass(frozen=True, slots=True)
class Calculator(Generic[B]):
    """One resolver of a game."""

    name: str
    rule: str
    body: type[B]
    answer: Callable[[B], Answer]  # raises ``Refused``
    inputs: tuple[Input, ...]
    example: Mapping[str, Json]
    chances: tuple[str, ...] = ()  # the keys of the answer that are chances from 0 to 1

    def calculate(self, data: Json) -> Answer:
        """Read a body and answer it. Raises ``Refused``."""
        body = from_json(self.body, data)
        _refuse_large(data)
        return self.answer(body)


def _refuse_large(data: Json) -> None:
    if isinstance(data, Mapping | list | tuple):
        for inner in data.values() if isinstance(data, Mapping) else data:
            _refuse_large(inner)
    elif isinstance(data, int) and abs(data) > LARGEST:
        raise BadInput(say("core.too-large", most=LARGEST))


@dataclass(frozen=True, slots=True)
class Calculators:
    """The calculators of one game, and what is needed to word their answers."""

    slug: str
    name: str
    texts: Texts
    place_message: Callable[[str], Message]
    calculators: tuple[Calculator[Any], ...]
    by_name: Mapping[str, Calculator[Any]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {c.name: c for c in self.calculators})

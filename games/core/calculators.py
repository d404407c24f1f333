"""Calculators: stateless resolvers that need no table.

A calculator parses a body (a frozen record, validated by the codec) and returns JSON data with the
steps that explain it, computed by the same functions as the rules of the game. ``inputs`` describe the
form that a page renders; ``example`` is its initial content.
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

# Above any number in the games; bounds the computing time, which may grow with the numbers.
LARGEST = 1_000


class Answer(NamedTuple):
    """Result data of a calculator, and the steps that explain it (at least one)."""

    data: Mapping[str, Json]
    steps: tuple[Step, ...]


# Form inputs. ``name`` is the field of the body; its label is the wording ``input.<name>``.


@dataclass(frozen=True, slots=True)
class Number:
    """A stepper from ``low`` to ``high`` in steps of ``by`` (0.5 where points or taxes come in halves)."""

    name: str
    low: float = 0
    high: float = 20
    by: float = 1


@dataclass(frozen=True, slots=True)
class Flag:
    """A checkbox."""

    name: str


@dataclass(frozen=True, slots=True)
class Pick:
    """One of several options; labels are names of ``kind`` (such as ``faction``), or plain numbers."""

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
    """Keys in an order chosen by the user: all of them, or at least ``fewest``."""

    name: str
    keys: tuple[str, ...]
    kind: str = "faction"
    fewest: int | None = None


@dataclass(frozen=True, slots=True)
class Rows:
    """A list of variable length; each row has these inputs (one unnamed input: a list of plain values).

    ``after_first`` names an earlier list: there is one row for each of its items except the first.
    """

    name: str
    inputs: tuple[Input, ...]
    most: int = 12
    after_first: str = ""


@dataclass(frozen=True, slots=True)
class Keyed:
    """A map of variable size: each row has one of the keys and these inputs.

    ``order`` is the field of the body that receives the keys in row order.
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

    ``among`` names an earlier list: only inputs for its members are shown. If ``distinct``, no value
    occurs twice in its rows.
    """

    name: str
    inputs: tuple[Input, ...]
    among: str = ""
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """Table options on which the answer depends."""

    options: tuple[Option, ...]
    name: str = "options"


Input: TypeAlias = "Number | Flag | Pick | Counts | Order | Rows | Keyed | Group | Settings"


@dataclass(frozen=True, slots=True)
class Calculator(Generic[B]):
    """One resolver of a game."""

    name: str
    rule: str
    body: type[B]
    answer: Callable[[B], Answer]  # may raise ``Refused``
    inputs: tuple[Input, ...]
    example: Mapping[str, Json]
    chances: tuple[str, ...] = ()  # keys of the answer that are probabilities from 0 to 1

    def calculate(self, data: Json) -> Answer:
        """Parse a body and return the answer. Raise ``Refused`` if it is invalid."""
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
    """Calculators of one game, with the texts for wording their answers."""

    slug: str
    name: str
    texts: Texts
    place_message: Callable[[str], Message]
    calculators: tuple[Calculator[Any], ...]
    by_name: Mapping[str, Calculator[Any]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {c.name: c for c in self.calculators})

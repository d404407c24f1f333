"""Widgets of the entry forms; each names the template that renders it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from companion.titles.widgets import Choice

MOST_CHIPS = 20  # with more cards, only the select element of each slot offers them

Groups = tuple[tuple[str, tuple[Choice, ...]], ...]  # heading, cards


@dataclass(frozen=True, slots=True)
class SingleChoice:
    """Radio buttons."""

    template: ClassVar[str] = "wallenstein/single_choice.html"
    field: str
    title: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A number input with plus and minus buttons."""

    template: ClassVar[str] = "wallenstein/number.html"
    field: str
    title: str
    low: int
    high: int
    value: int


@dataclass(frozen=True, slots=True)
class Province(Choice):
    """A province card, with the numbers that matter for choosing it."""

    figures: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """A space for one card."""

    field: str
    label: str
    is_hidden: bool = False  # its action card lies face down


def numbered_slots(count: int, prefix: str = "c.") -> tuple[Slot, ...]:
    return tuple(Slot(f"{prefix}{i}", str(i + 1)) for i in range(count))


@dataclass(frozen=True, slots=True)
class Picks:
    """Cards assigned to slots, each once: tapped in order, or chosen from the select element of a slot."""

    template: ClassVar[str] = "wallenstein/picks.html"
    title: str
    slots: tuple[Slot, ...]
    groups: Groups
    low: int  # minimal number of filled slots
    blank: str = ""  # label of an empty slot, if slots may stay empty
    done: str = ""  # button label for {count} empty slots
    is_ordered: bool = False  # cards show their position, so the slots can be hidden

    @property
    def has_chips(self) -> bool:
        return bool(self.slots[0].label) and sum(len(choices) for _, choices in self.groups) <= MOST_CHIPS

    @property
    def is_bare(self) -> bool:
        """Return True if tapping cards is enough, so that the slots can be hidden."""
        return self.has_chips and not self.blank

    @property
    def is_all(self) -> bool:
        """Return True if all cards are used, so that the last one can be assigned automatically."""
        return self.is_ordered and len(self.slots) == sum(len(choices) for _, choices in self.groups)

    @property
    def has_hidden(self) -> bool:
        return any(slot.is_hidden for slot in self.slots)

    @property
    def is_whole(self) -> bool:
        return self.low == len(self.slots)


@dataclass(frozen=True, slots=True)
class EventCards:
    """The event cards of a year, with their grain losses."""

    template: ClassVar[str] = "wallenstein/event_cards.html"
    rows: tuple[int, ...]
    choices: tuple[Choice, ...]
    loss: int
    high: int


@dataclass(frozen=True, slots=True)
class Cube:
    """Cubes of a colour that may have fallen out of the tower."""

    colour: str
    name: str
    most: int
    detail: str


@dataclass(frozen=True, slots=True)
class Cubes:
    """The cubes in the cup, a number input per colour."""

    template: ClassVar[str] = "wallenstein/cubes.html"
    cubes: tuple[Cube, ...]


@dataclass(frozen=True, slots=True)
class Lots:
    """Players whose order the app draws by lot unless one is entered."""

    template: ClassVar[str] = "wallenstein/lots.html"
    factions: tuple[str, ...]


Widget = SingleChoice | Number | Picks | EventCards | Cubes | Lots

"""What people enter in Revolution, in the order of the phases. A place is named as in the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from games.core.actions import Action
from games.core.codec import Count


@dataclass(frozen=True, slots=True, kw_only=True)
class StartArmies(Action):
    """3.6: the regions in whose orange boxes the Habsburgs' first armies stand."""

    type: ClassVar[str] = "start-armies"
    regions: Mapping[str, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tax(Action):
    """6.1: one rate for all own cities."""

    type: ClassVar[str] = "tax"
    rate: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Support(Action):
    """5.1, 6.2.1: which support counters move: ``"jesuits:2"`` -> a province, or ``"treasury"``."""

    type: ClassVar[str] = "support"
    moves: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intercept(Action):
    """6.2.2: how many of the Spanish counters under way the Huguenots catch."""

    type: ClassVar[str] = "intercept"
    count: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintain(Action):
    """6.3: the armies that are paid, and those sent home, by region; the rest is released."""

    type: ClassVar[str] = "maintain"
    maintain: Mapping[str, Count] = field(default_factory=dict)
    disband: Mapping[str, Count] = field(default_factory=dict)
    release: Mapping[str, Count] | None = None  # may be said for certainty; it must be the rest


@dataclass(frozen=True, slots=True, kw_only=True)
class Pillage(Action):
    """6.3: what a released army takes: a counter of ``owner`` at a place, or a town itself (no owner)."""

    type: ClassVar[str] = "pillage"
    place: str
    owner: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recruit(Action):
    """6.4: new armies by region."""

    type: ClassVar[str] = "recruit"
    regions: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Besiege(Action):
    """6.6: armies that are put on cities."""

    type: ClassVar[str] = "besiege"
    cities: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hire(Action):
    """6.7: Water Beggars by region; none: they are left to others."""

    type: ClassVar[str] = "hire"
    regions: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beggars(Action):
    """6.7: what some Water Beggars of a region do: destroy, relieve, pillage, besiege or stay."""

    type: ClassVar[str] = "beggars"
    region: str
    do: str
    count: Count
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class March(Action):
    """6.8: armies that move along arrows, each from one region to another."""

    type: ClassVar[str] = "march"
    moves: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A counter of an owner that an army of a region replaces."""

    region: str
    place: str
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Convert(Action):
    """6.9: the counters that armies replace by their own."""

    type: ClassVar[str] = "convert"
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Action):
    """5.2, 6.10: new counters in countryside and support cells; the rest goes to the treasury by itself."""

    type: ClassVar[str] = "place"
    places: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses(Action):
    """5.3, 6.11: the places from which a faction's counters go in conflicts, where that matters."""

    type: ClassVar[str] = "losses"
    places: Mapping[str, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortage(Action):
    """6.12: the provinces that get the last neutrals."""

    type: ClassVar[str] = "shortage"
    provinces: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """Counters that overflow from one province to another."""

    source: str
    target: str
    count: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Overflow(Action):
    """5.5, 6.13: where surplus counters go; the rest returns to supply."""

    type: ClassVar[str] = "overflow"
    moves: tuple[Stream, ...] = ()


Layout = Mapping[str, Mapping[str, Count]]  # place -> owner -> counters


@dataclass(frozen=True, slots=True, kw_only=True)
class LayOut(Action):
    """5.6, 6.14: how the counters of a province lie when all have moved, as agreed."""

    type: ClassVar[str] = "layout"
    province: str
    layout: Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Action):
    """6.14: nobody agrees: in this province factions move one after the other."""

    type: ClassVar[str] = "dispute"
    province: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBy(Action):
    """6.14: how the counters of a disputed province lie after one faction has moved."""

    type: ClassVar[str] = "step"
    province: str
    layout: Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Action):
    """6.14: everything else stays as it lies."""

    type: ClassVar[str] = "settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Complete(Action):
    """6.15: the order in which a faction's own sieges are completed."""

    type: ClassVar[str] = "complete"
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Influence(Action):
    """6.16: coins laid beside cities."""

    type: ClassVar[str] = "influence"
    coins: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Action):
    """5.8, 6.20: where in the row a faction lays its card, 0 is the left end."""

    type: ClassVar[str] = "draft"
    position: Count


ACTIONS: tuple[type[Action], ...] = (
    StartArmies,
    Tax,
    Support,
    Intercept,
    Maintain,
    Pillage,
    Recruit,
    Besiege,
    Hire,
    Beggars,
    March,
    Convert,
    Place,
    Losses,
    Shortage,
    Overflow,
    LayOut,
    Dispute,
    StepBy,
    Settled,
    Complete,
    Influence,
    Draft,
)

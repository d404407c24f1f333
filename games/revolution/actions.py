"""Actions of Revolution, in the order of the phases; places are named as in the ledger."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from games.core.actions import Action
from games.core.codec import Count


@dataclass(frozen=True, slots=True, kw_only=True)
class StartArmies(Action):
    """Regions whose orange boxes get the Habsburgs' first armies (3.6)."""

    type: ClassVar[str] = "start-armies"
    regions: Mapping[str, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tax(Action):
    """One tax rate for all of the faction's cities (6.1)."""

    type: ClassVar[str] = "tax"
    rate: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Support(Action):
    """Support counters that move: `"jesuits:2"` -> a province or `"treasury"` (5.1, 6.2.1)."""

    type: ClassVar[str] = "support"
    moves: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Intercept(Action):
    """Number of Spanish Treasury counters that the Huguenots intercept (6.2.2)."""

    type: ClassVar[str] = "intercept"
    count: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintain(Action):
    """Armies maintained and disbanded, by region; all others are released (6.3)."""

    type: ClassVar[str] = "maintain"
    maintain: Mapping[str, Count] = field(default_factory=dict)
    disband: Mapping[str, Count] = field(default_factory=dict)
    release: Mapping[str, Count] | None = None  # optional cross-check: must equal all other armies


@dataclass(frozen=True, slots=True, kw_only=True)
class Pillage(Action):
    """Target of a released army: a counter of `owner` at a place, or a town if there is no owner (6.3)."""

    type: ClassVar[str] = "pillage"
    place: str
    owner: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recruit(Action):
    """New armies by region (6.4)."""

    type: ClassVar[str] = "recruit"
    regions: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Besiege(Action):
    """Armies that lay a siege, by city (6.6)."""

    type: ClassVar[str] = "besiege"
    cities: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hire(Action):
    """Water Beggars hired, by region; empty to decline (6.7)."""

    type: ClassVar[str] = "hire"
    regions: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beggars(Action):
    """Use of some Water Beggars of a region: destroy, relieve, pillage, besiege or stay (6.7)."""

    type: ClassVar[str] = "beggars"
    region: str
    do: str
    count: Count
    target: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class March(Action):
    """Army moves along arrows as (source region, target region), in order (6.8)."""

    type: ClassVar[str] = "march"
    moves: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A counter of `owner` that an army of the region replaces."""

    region: str
    place: str
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Convert(Action):
    """Counters that armies replace by counters of their own faction (6.9)."""

    type: ClassVar[str] = "convert"
    targets: tuple[Target, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place(Action):
    """New counters in countryside and support cells; unplaceable ones go to the treasury (5.2, 6.10)."""

    type: ClassVar[str] = "place"
    places: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses(Action):
    """Places from which the faction's counters are removed in conflicts where it matters (5.3, 6.11)."""

    type: ClassVar[str] = "losses"
    places: Mapping[str, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortage(Action):
    """Provinces that get the last neutrals (6.12)."""

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
    """Moves of surplus counters; the remaining surplus returns to supply (5.5, 6.13)."""

    type: ClassVar[str] = "overflow"
    moves: tuple[Stream, ...] = ()


Layout = Mapping[str, Mapping[str, Count]]  # place -> owner -> counters


@dataclass(frozen=True, slots=True, kw_only=True)
class LayOut(Action):
    """Final layout of a province's counters, as agreed by all (5.6, 6.14)."""

    type: ClassVar[str] = "layout"
    province: str
    layout: Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Action):
    """Announcement that factions move one after the other in this province, for want of agreement (6.14)."""

    type: ClassVar[str] = "dispute"
    province: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StepBy(Action):
    """Layout of a disputed province after one faction has moved (6.14)."""

    type: ClassVar[str] = "step"
    province: str
    layout: Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled(Action):
    """End of the movement phase: counters in provinces nobody has rearranged stay where they are (6.14)."""

    type: ClassVar[str] = "settled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Complete(Action):
    """Order in which the faction completes its sieges (6.15)."""

    type: ClassVar[str] = "complete"
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Influence(Action):
    """Coins placed beside cities (6.16)."""

    type: ClassVar[str] = "influence"
    coins: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Action):
    """Index at which a faction inserts its card into the play order row; 0 is the left end (5.8, 6.20)."""

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

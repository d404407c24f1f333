"""What people enter in Signoria."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from games.core.actions import Action
from games.core.codec import Count

# Set-up


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Action):
    """The play order that was drawn, from the first player on."""

    type: ClassVar[str] = "order"
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused(Action):
    """The cities that were drawn not to be used."""

    type: ClassVar[str] = "unused"
    cities: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardTiles(Action):
    """The reward tiles of this game: five with a bonus, then two with points, in their order."""

    type: ClassVar[str] = "reward-tiles"
    bonus: tuple[str, ...]
    points: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Boards(Action):
    """Which of the four player boards, which differ in their plan, each player has."""

    type: ClassVar[str] = "boards"
    boards: Mapping[str, str]


# Preparation of a round


@dataclass(frozen=True, slots=True, kw_only=True)
class Refill(Action):
    """The alliance tiles turned up on the empty spaces above cities: ``{"mission:milan": "a-3"}``."""

    type: ClassVar[str] = "refill"
    tiles: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Action):
    """What the action dice show, by colour."""

    type: ClassVar[str] = "roll"
    dice: Mapping[str, tuple[Count, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Action):
    """Which task lies where: ``{"red:upper": "florins"}``."""

    type: ClassVar[str] = "deal"
    tasks: Mapping[str, str]


# A turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Action):
    """Take no more dice this round."""

    type: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Action):
    """Take a die and say which of the three actions it brings; a task with the members it costs."""

    type: ClassVar[str] = "take"
    colour: str
    die: Count
    action: Literal["hire", "task", "signoria"]
    task: str | None = None
    men: Count = 0
    women: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand(Action):
    """A task of any colour, by the helper that allows it."""

    type: ClassVar[str] = "errand"
    task: str
    men: Count = 0
    women: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hire(Action):
    """Where a helper is put."""

    type: ClassVar[str] = "hire"
    column: str
    row: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """A man goes up a career track; from 0, he enters it."""

    career: str
    at: Count
    to: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress(Action):
    """How progress points are used: men that go up, one line each, and steps of the initiative disc."""

    type: ClassVar[str] = "progress"
    climbs: tuple[Climb, ...] = ()
    initiative: Count = 0
    stay: bool = False  # decline the steps of initiative that a sixth space brings


@dataclass(frozen=True, slots=True, kw_only=True)
class Mission(Action):
    """A man goes from a career track to a city. What may be left out follows from the rules."""

    type: ClassVar[str] = "mission"
    career: str
    at: Count
    city: str
    space: Count | None = None  # the number below the city; always the lowest free one
    tile: bool | None = None  # whether the city's tile is taken
    field: str | None = None  # beside which field the tile is put


@dataclass(frozen=True, slots=True, kw_only=True)
class Marriage(Action):
    """An available woman marries in a city. What may be left out follows from the rules."""

    type: ClassVar[str] = "marriage"
    city: str
    dowry: Count
    space: Count | None = None
    tile: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CityAction(Action):
    """Which of the two a helper for either brings."""

    type: ClassVar[str] = "city-action"
    action: Literal["mission", "marriage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Action):
    """Beside which field a face-down alliance tile is put."""

    type: ClassVar[str] = "draw"
    field: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Descendants(Action):
    """What the white dice show."""

    type: ClassVar[str] = "descendants"
    dice: tuple[Count, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain(Action):
    """Members taken from the general supply."""

    type: ClassVar[str] = "gain"
    men: Count = 0
    women: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Helper(Action):
    """Whether the helper whose turn it is works. ``column`` and ``row`` may name the one that is meant."""

    type: ClassVar[str] = "helper"
    use: bool
    column: str | None = None
    row: Count | None = None


# Rewards


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward(Action):
    """The bonus tile or three florins; wedding and florins of the round before or after the tile (R-06)."""

    type: ClassVar[str] = "reward"
    take: Literal["tile", "florins"]
    bonuses: Literal["before", "after"] = "after"


@dataclass(frozen=True, slots=True, kw_only=True)
class Buy(Action):
    """Whether five points are bought for five florins."""

    type: ClassVar[str] = "buy"
    buy: bool


ACTIONS: tuple[type[Action], ...] = (
    Order,
    Unused,
    RewardTiles,
    Boards,
    Refill,
    Roll,
    Deal,
    Pass,
    Take,
    Errand,
    Hire,
    Progress,
    Mission,
    Marriage,
    CityAction,
    Draw,
    Descendants,
    Gain,
    Helper,
    Reward,
    Buy,
)

"""Actions of Signoria."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from games.core.actions import Action
from games.core.codec import Count

# Set-up


@dataclass(frozen=True, slots=True, kw_only=True)
class Order(Action):
    """Enter the drawn play order, first player first."""

    type: ClassVar[str] = "order"
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unused(Action):
    """Enter the cities drawn out of the game."""

    type: ClassVar[str] = "unused"
    cities: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RewardTiles(Action):
    """Enter the reward tiles of the game in round order: five bonus tiles, then two VP tiles."""

    type: ClassVar[str] = "reward-tiles"
    bonus: tuple[str, ...]
    points: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Boards(Action):
    """Assign one of the four player boards, which differ in their plan, to each player."""

    type: ClassVar[str] = "boards"
    boards: Mapping[str, str]


# Preparation of a round


@dataclass(frozen=True, slots=True, kw_only=True)
class Refill(Action):
    """Enter the alliance tiles turned up on the empty spaces above cities: `{"mission:milan": "a-3"}`."""

    type: ClassVar[str] = "refill"
    tiles: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Roll(Action):
    """Enter the faces of the rolled action dice by colour."""

    type: ClassVar[str] = "roll"
    dice: Mapping[str, tuple[Count, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Action):
    """Enter the task on each task space: `{"red:upper": "florins"}`."""

    type: ClassVar[str] = "deal"
    tasks: Mapping[str, str]


# A turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Pass(Action):
    """Pass: take no more dice this round."""

    type: ClassVar[str] = "pass"


@dataclass(frozen=True, slots=True, kw_only=True)
class Take(Action):
    """Take a die and perform one of its three actions; a task also names the members spent."""

    type: ClassVar[str] = "take"
    colour: str
    die: Count
    action: Literal["hire", "task", "signoria"]
    task: str | None = None
    men: Count = 0
    women: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Errand(Action):
    """Perform a task of any colour with the helper that allows it."""

    type: ClassVar[str] = "errand"
    task: str
    men: Count = 0
    women: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hire(Action):
    """Put a helper on a helper space."""

    type: ClassVar[str] = "hire"
    column: str
    row: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Climb:
    """Advance a man on a career track; he enters it if `at` is 0."""

    career: str
    at: Count
    to: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress(Action):
    """Spend progress points: one climb per man, and steps of the initiative disc."""

    type: ClassVar[str] = "progress"
    climbs: tuple[Climb, ...] = ()
    initiative: Count = 0
    stay: bool = False  # decline the initiative steps gained on a sixth space


@dataclass(frozen=True, slots=True, kw_only=True)
class Mission(Action):
    """Send a man from a career track to a city. Optional fields follow from the rules if omitted."""

    type: ClassVar[str] = "mission"
    career: str
    at: Count
    city: str
    space: Count | None = None  # number below the city; only the lowest free one is legal
    tile: bool | None = None  # take the city's tile or leave it
    field: str | None = None  # plan field for the tile


@dataclass(frozen=True, slots=True, kw_only=True)
class Marriage(Action):
    """Marry an available woman into a city. Optional fields follow from the rules if omitted."""

    type: ClassVar[str] = "marriage"
    city: str
    dowry: Count
    space: Count | None = None
    tile: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CityAction(Action):
    """Choose between a mission and a marriage for a helper that offers both."""

    type: ClassVar[str] = "city-action"
    action: Literal["mission", "marriage"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(Action):
    """Choose the field beside which a face-down alliance tile is put."""

    type: ClassVar[str] = "draw"
    field: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Descendants(Action):
    """Enter the faces of the rolled descendant dice."""

    type: ClassVar[str] = "descendants"
    dice: tuple[Count, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain(Action):
    """Take members from the general supply."""

    type: ClassVar[str] = "gain"
    men: Count = 0
    women: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Helper(Action):
    """Use or skip the next helper. `column` and `row` may name it for confirmation."""

    type: ClassVar[str] = "helper"
    use: bool
    column: str | None = None
    row: Count | None = None


# Rewards


@dataclass(frozen=True, slots=True, kw_only=True)
class Reward(Action):
    """Take the bonus tile or three florins; `bonuses` puts the round's bonuses before or after it (R-06)."""

    type: ClassVar[str] = "reward"
    take: Literal["tile", "florins"]
    bonuses: Literal["before", "after"] = "after"


@dataclass(frozen=True, slots=True, kw_only=True)
class Buy(Action):
    """Buy five points for five florins, or decline."""

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

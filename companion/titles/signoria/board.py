"""Template data of the boards: career and initiative tracks, dice with tasks, cities, players.

Each part has its own SVG units, about as wide as a phone; the TV puts the parts side by side.
Symbols are in ``static/signoria/symbols.svg``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from companion import wording
from games.core.ledger import Holding
from games.signoria.board import ActionSpace, HelperSpace, Printed
from games.signoria.dice import limit
from games.signoria.game import SIGNORIA
from games.signoria.pieces import (
    ALLIANCES,
    CAREERS,
    COLOURS,
    DICE,
    FIELDS,
    INITIATIVE,
    MAN,
    MEMBERS,
    NEUTRAL,
    ROWS,
    WOMAN,
    action_place,
    city_place,
    dice_place,
    die_piece,
    face_down_place,
    face_up_place,
    helper_place,
    initiative_place,
    portraits_place,
    tile_place,
    track_place,
)
from games.signoria.progress import FLORIN_SPACE, INITIATIVE_SPACE
from games.signoria.scoring import field_points
from games.signoria.state import (
    State,
    available,
    brides,
    dice_left,
    dice_on,
    discs,
    face_up,
    florins,
    has_helper,
    on_threshold,
    printed,
    shields_left,
    tile_above,
    tiles_beside,
)

# Sizes in SVG units; the templates use the same numbers.
HEAD, ROW, COLUMN = 30, 30, 76  # of a career track
TOKEN, DIGIT = 14, 9  # width of a token on a track, and of the digit beside it
MARKET_ROW, DIE_LEFT, DIE = 40, 78, 24
CITY_HEAD, CITY_ROW, CITY_LEFT, CITY_WIDTH, SPACE = 20, 40, 152, 168, 21
ACTION_WIDTH = 68
HELPER_TOP, HELPER_ROW = 86, 42
SHIELD_LEFT, SHIELD, FIELD_ROW = 106, 33, 36
PORTRAIT = 46
PURSE_WIDTH = 158

# Kind of helper -> number and symbols on its space.
SHOWN: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "mission-blind": ("", ("mission", "blind")),
    "marriage-blind": ("", ("marriage", "blind")),
    "either-blind": ("", ("mission", "marriage")),
    "roll-one": ("1", ("descendants",)),
    "vp-per-man": ("", ("point", "man")),
    "blind-tile": ("", ("blind",)),
    "progress-3": ("3", ("tracks",)),
    "progress-die": ("", ("descendants", "tracks")),
    "gain-any": ("1", ("man", "woman")),
    "vp-3": ("3", ("point",)),
    "florins-3": ("3", ("florins",)),
    "any-task": ("1", ("task",)),
}
MOST_SYMBOLS = 2  # per helper space


def name(kind: str, slug: str) -> str:
    return wording.name(SIGNORIA, kind, slug)


def title(kind: str, slug: str) -> str:
    return wording.capital(name(kind, slug))


def brings(signoria: str) -> str:
    """Return the short label of a Signoria action on an action space."""
    words = {
        "tracks": _("tracks"),
        "mission": _("mission"),
        "marriage": _("marriage"),
        "descendants": _("descendants"),
        "florins": _("florins"),
    }
    return words[signoria]


@dataclass(frozen=True, slots=True)
class Token:
    """A number of pieces of an owner, with its position."""

    owner: str
    x: int
    count: int = 1
    piece: str = ""

    @property
    def right(self) -> int:
        """Return the x position of the number, shown if there are several pieces."""
        return self.x + TOKEN


@dataclass(frozen=True, slots=True)
class Step:
    """A space of a track."""

    place: str
    y: int
    number: int
    rank: int = 0
    symbol: str = ""  # reward for reaching it
    tokens: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """A career track or the initiative track, spaces from the top down."""

    slug: str
    x: int
    height: int  # of a space
    steps: tuple[Step, ...]

    @property
    def name(self) -> str:
        return title("track", self.slug)

    @property
    def inner(self) -> int:
        return self.height - 3

    @property
    def line(self) -> int:
        """Return the y position of numbers within a space."""
        return self.height // 2 + 3

    @property
    def token(self) -> int:
        return (self.height - 3 - TOKEN) // 2


@dataclass(frozen=True, slots=True)
class Die:
    """An action die."""

    colour: str
    face: int
    x: int = 0

    @property
    def piece(self) -> str:
        return die_piece(self.colour, self.face)

    @property
    def name(self) -> str:
        return name("piece", self.piece)


@dataclass(frozen=True, slots=True)
class Area:
    """A dice area of the main board with its two tasks."""

    colour: str
    y: int
    dice: tuple[Die, ...]
    tasks: tuple[tuple[str, str, int], ...]  # member to spend, task, y position

    @property
    def place(self) -> str:
        return dice_place(self.colour)

    @property
    def name(self) -> str:
        return title("die", self.colour)


@dataclass(frozen=True, slots=True)
class Tile:
    """An alliance tile, or the empty space for one."""

    piece: str | None
    x: int
    kind: str
    place: str

    @property
    def description(self) -> str:
        return name("piece", self.piece) if self.piece else ""


@dataclass(frozen=True, slots=True)
class Space:
    """A figure space below a city."""

    number: int
    x: int
    place: str
    figure: Token | None = None


@dataclass(frozen=True, slots=True)
class City:
    """A city with its two tiles and its figures."""

    slug: str
    y: int
    is_used: bool
    tiles: tuple[Tile, ...]
    spaces: tuple[Space, ...]

    @property
    def name(self) -> str:
        return name("city", self.slug)


@dataclass(frozen=True, slots=True)
class Helper:
    """A helper space of a player board."""

    space: HelperSpace
    y: int
    is_there: bool
    place: str = ""

    @property
    def figure(self) -> str:
        return SHOWN[self.space.kind][0]

    @property
    def symbols(self) -> list[tuple[int, str]]:
        """Return x positions and symbols; progress on a single track shows the symbol of that track."""
        symbols = [
            self.space.tracks[0] if symbol == "tracks" and len(self.space.tracks) == 1 else symbol
            for symbol in SHOWN[self.space.kind][1]
        ]
        left = 19 if self.figure else 9
        return [(left + 20 * i, symbol) for i, symbol in enumerate(symbols[:MOST_SYMBOLS])]

    @property
    def name(self) -> str:
        return name("helper", self.space.kind)

    @property
    def description(self) -> str:
        """Return the effect of the helper, with its tracks."""
        tracks = ", ".join(name("track", track) for track in self.space.tracks)
        return f"{self.name}: {tracks}" if tracks else self.name


@dataclass(frozen=True, slots=True)
class Column:
    """An action space of a player board and the helper spaces below it."""

    colour: str
    x: int
    action: ActionSpace
    die: Die | None
    helpers: tuple[Helper, ...]
    place: str

    @property
    def name(self) -> str:
        return title("die", self.colour)

    @property
    def brings(self) -> str:
        return brings(self.action.signoria)


@dataclass(frozen=True, slots=True)
class Shield:
    """A shield of a plan, and the tile that covers it."""

    house: str
    x: int
    value: int = 0  # 0: no tile

    @property
    def letter(self) -> str:
        return self.house.upper()


@dataclass(frozen=True, slots=True)
class PlanField:
    """A field of a plan."""

    slug: str
    y: int
    shields: tuple[Shield, ...]
    face_down: int
    points: int
    places: tuple[str, ...]

    @property
    def name(self) -> str:
        return title("field", self.slug)


@dataclass(frozen=True, slots=True)
class Portrait:
    """A portrait of a descendant, with the points of the wedding."""

    x: int
    is_married: bool
    points: int


@dataclass(frozen=True, slots=True)
class Player:
    """A player board, and the pieces beside it."""

    faction: str
    board: str
    columns: tuple[Column, ...]
    fields: tuple[PlanField, ...]
    portraits: tuple[Portrait, ...]
    florins: int
    men: int
    women: int
    sum: int  # of the dice
    limit: int
    helpers: int
    x: int  # position of the summary
    has_passed: bool = False

    @property
    def portraits_place(self) -> str:
        return portraits_place(self.faction)

    @property
    def name(self) -> str:
        return name("faction", self.faction)

    @property
    def dice(self) -> list[Die]:
        taken = [column.die for column in self.columns if column.die]
        return [Die(die.colour, die.face, DIE * i) for i, die in enumerate(taken)]

    @property
    def is_over(self) -> bool:
        return self.sum > self.limit


def chart_of(state: State) -> dict[str, Any]:
    """Return the template data of all boards."""
    return {
        **shared_of(state),
        "players": [player_of(state, faction) for faction in state.order],
        "places": _places(state),
        "round": state.round,
        "reward": name("reward", state.rewards[state.round - 1]) if state.round and state.rewards else "",
    }


def shared_of(state: State) -> dict[str, Any]:
    """Return the template data of the main board."""
    figures = printed(state)
    rows = max(figures.spaces(career) for career in CAREERS)
    cities = figures.figures["cities"]
    return {
        "tracks": [_career(state, career, i, rows) for i, career in enumerate(CAREERS)],
        "ranks": _ranks(figures),
        "initiative": _initiative(state, rows),
        "tall": HEAD + ROW * rows,
        "market": [_area(state, colour, i) for i, colour in enumerate(COLOURS)],
        "cities": [_city(state, city, i) for i, city in enumerate(cities)],
        "city_tall": CITY_HEAD + CITY_ROW * len(cities),
    }


# Tracks


def _career(state: State, career: str, index: int, rows: int) -> Track:
    figures = printed(state)
    symbols = {FLORIN_SPACE: "florins", INITIATIVE_SPACE: INITIATIVE}
    steps = []
    for space in range(figures.spaces(career), 0, -1):
        place = track_place(career, space)
        steps.append(
            Step(
                place,
                HEAD + ROW * (rows - space),
                figures.number(career, space),
                figures.rank(career, space),
                symbols.get(space, ""),
                _men(state, place),
            )
        )
    return Track(career, COLUMN * index, ROW, tuple(steps))


def _ranks(figures: Printed) -> list[str]:
    """Return the space numbers of each rank as text (the picture has only shades), equal tracks merged."""
    careers: dict[str, list[str]] = {}
    for career in CAREERS:
        numbers: dict[int, list[int]] = {}
        for space in range(1, figures.spaces(career) + 1):
            numbers.setdefault(figures.rank(career, space), []).append(figures.number(career, space))
        text = " · ".join(
            f"{_('rank %(rank)d') % {'rank': rank}}: {_span(spaces[0], spaces[-1])}"
            for rank, spaces in numbers.items()
        )
        careers.setdefault(text, []).append(title("track", career))
    all_equal = len(careers) == 1
    return [text if all_equal else f"{', '.join(names)}: {text}" for text, names in careers.items()]


def _span(first: int, last: int) -> str:
    return f"{first}–{last}" if last > first else str(first)


def _men(state: State, place: str) -> tuple[Token, ...]:
    tokens: list[Token] = []
    x = 22  # right of a number of two digits
    for faction in state.order:
        if count := state.ledger.count(faction, MAN, place):
            tokens.append(Token(faction, x, count))
            x += TOKEN if count == 1 else TOKEN + DIGIT
    return tuple(tokens)


def _initiative(state: State, rows: int) -> Track:
    """Return the initiative track; stacks are shown from the left, the top disc at the right end."""
    figures, stacks = printed(state), discs(state)
    height = ROW * rows // (figures.top + 1)
    steps = [
        Step(
            initiative_place(space),
            HEAD + height * (figures.top - space),
            figures.initiative_points(space),
            tokens=tuple(Token(owner, 15 + TOKEN * i) for i, owner in enumerate(stacks.get(space, ()))),
        )
        for space in range(figures.top, -1, -1)
    ]
    return Track(INITIATIVE, COLUMN * len(CAREERS), height, tuple(steps))


# Dice and tasks


def _area(state: State, colour: str, index: int) -> Area:
    member_of = {"upper": WOMAN, "lower": MAN}
    tasks = [
        (member_of[row], name("task", state.tasks[f"{colour}:{row}"]), 15 + 19 * i)
        for i, row in enumerate(ROWS)
        if f"{colour}:{row}" in state.tasks
    ]
    dice = [Die(colour, face, DIE_LEFT + DIE * i) for i, face in enumerate(sorted(dice_left(state, colour)))]
    return Area(colour, MARKET_ROW * index, tuple(dice), tuple(tasks))


# Cities


def _city(state: State, city: str, index: int) -> City:
    slots = [
        (number, figure)
        for number, spaces in printed(state).city_spaces(city).items()
        for figure in _figures(state, city_place(city, number), spaces)
    ]
    width = min(SPACE, CITY_WIDTH // max(1, len(slots)))
    spaces = tuple(
        Space(number, CITY_LEFT + width * i, city_place(city, number) if figure else "", figure)
        for i, (number, figure) in enumerate(slots)
    )
    tiles = tuple(
        Tile(
            tile_above(state, kind, city),
            74 + 38 * i,
            kind,
            tile_place(kind, city),
        )
        for i, kind in enumerate(("mission", "marriage"))
    )
    return City(city, CITY_HEAD + CITY_ROW * index, city in state.cities, tiles, spaces)


def _figures(state: State, place: str, spaces: int) -> list[Token | None]:
    """Return the figures on the spaces with a number; None for each empty space."""
    free = spaces if printed(state).shared else spaces * len(MEMBERS)
    standing: list[Token | None] = [
        Token(line.owner, 0, piece=line.piece)
        for line in state.ledger.at(place)
        if line.piece in MEMBERS
        for _time in range(line.count)
    ]
    return standing + [None] * max(0, free - len(standing))


# Players


def player_of(state: State, faction: str) -> Player:
    """Return the template data of a player board."""
    married = brides(state, faction)
    return Player(
        faction=faction,
        board=state.boards.get(faction, ""),
        columns=tuple(_column(state, faction, colour, i) for i, colour in enumerate(_left_to_right(state))),
        fields=tuple(_field(state, faction, slug, i) for i, slug in enumerate(FIELDS)),
        portraits=tuple(
            Portrait(PORTRAIT * i, i <= married, printed(state).portrait_points(i) if i else 0)
            for i in range(printed(state).descendants + 1)
        ),
        florins=florins(state, faction),
        men=available(state, faction, MAN),
        women=available(state, faction, WOMAN),
        sum=sum(die.face for die in dice_on(state, faction)),
        limit=limit(on_threshold(state, faction)),
        helpers=sum(has_helper(state, faction, space) for space in printed(state).helper_spaces()),
        x=PURSE_WIDTH * state.order.index(faction),
        has_passed=faction in state.passed,
    )


def _left_to_right(state: State) -> list[str]:
    """Return the colours of the action spaces in printed order, by number (P2)."""
    return sorted(COLOURS, key=lambda colour: printed(state).action(colour).number)


def _column(state: State, faction: str, colour: str, index: int) -> Column:
    place = action_place(faction, colour)
    dice = [DICE[line.piece] for line in state.ledger.at(place) if line.piece in DICE]
    helpers = []
    for i, space in enumerate(printed(state).column(colour)):
        helper_at = helper_place(faction, colour, space.row)
        is_there = has_helper(state, faction, space)
        helpers.append(Helper(space, HELPER_TOP + HELPER_ROW * i, is_there, helper_at))
    die = Die(dice[0].colour, dice[0].face) if dice else None
    action = printed(state).action(colour)
    return Column(colour, ACTION_WIDTH * index, action, die, tuple(helpers), place)


def _field(state: State, faction: str, slug: str, index: int) -> PlanField:
    left = shields_left(state, faction, slug)
    tiles = sorted(face_up(state, faction, slug))
    covered = [Shield(tile.house, 0, tile.value) for tile in tiles]
    free = [Shield(house, 0) for house in sorted(left.elements())]
    shields = sorted([*covered, *free], key=lambda shield: (shield.house, -shield.value))
    beside = tiles_beside(state, faction, slug)
    return PlanField(
        slug,
        FIELD_ROW * index,
        tuple(Shield(s.house, SHIELD_LEFT + SHIELD * i, s.value) for i, s in enumerate(shields)),
        beside.face_down,
        field_points(beside),
        (face_up_place(faction, slug), face_down_place(faction, slug)),
    )


# Text


def _places(state: State) -> list[tuple[str, list[str]]]:
    """Return the pieces at each place as text, the accessible form of the pictures."""
    places = [
        place for place in state.ledger.occupied() if not place.startswith(("score:", "supply", "bank"))
    ]
    return [
        (title("place", place), [_holding_text(line) for line in state.ledger.at(place)]) for place in places
    ]


def _holding_text(line: Holding) -> str:
    text = name("piece", line.piece)
    if line.piece not in ALLIANCES and line.piece not in DICE:
        text = f"{line.count} {text}"
    elif line.count > 1:
        text = f"{line.count} × {text}"
    return text if line.owner == NEUTRAL else f"{name('faction', line.owner)}: {text}"

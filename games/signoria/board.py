"""The printed figures of a copy of the game, and their validation (digest 2.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.core.codec import Json
from games.core.messages import Message, Name, say
from games.signoria.dice import SPACES
from games.signoria.pieces import (
    CAREER_NUMBERS,
    CAREERS,
    CITY_NUMBERS,
    COLOURS,
    HOUSES,
    RANKS,
    TILES_PER_HOUSE,
    TRACKS,
)

SIGNORIA_ACTIONS = ("florins", "descendants", "marriage", "mission", "tracks")
HELPER_KINDS = (
    "mission-blind",
    "marriage-blind",
    "either-blind",
    "roll-one",
    "vp-per-man",
    "blind-tile",
    "progress-3",
    "progress-die",
    "gain-any",
    "vp-3",
    "florins-3",
    "any-task",
)
NO_HELPER = "none"
WITH_TRACKS = ("progress-3", "progress-die")
LEAST_SPACES = 6  # the sixth space of a career gives an initiative step
HIGHEST_TOP = 15
POINT_SPACES = 100  # default for games whose stored figures lack the VP track
FEWEST_POINT_SPACES = 20


class ActionSpace(NamedTuple):
    """An action space of the player boards: number, Signoria action, ring and price for hiring."""

    number: int
    signoria: str
    ring: str
    price: int


class HelperSpace(NamedTuple):
    """A helper space of the player boards.

    Its column decides when the helper works, its ring which dice hire for it.
    """

    column: str
    row: int
    kind: str
    ring: str
    price: int  # 0: the price at the hire icon applies
    tracks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """Typed access to the printed figures."""

    figures: Mapping[str, Json]

    def action(self, colour: str) -> ActionSpace:
        space = self.figures["actions"][colour]
        return ActionSpace(space["number"], space["signoria"], space["ring"], space["price"])

    def column(self, colour: str) -> list[HelperSpace]:
        """Return the helper spaces below a die, from the top (2.1)."""
        rows = self.figures["helpers"][colour]
        return [
            HelperSpace(colour, int(row), s["kind"], s["ring"], s["price"], _shown(s["tracks"]))
            for row, s in sorted(rows.items(), key=lambda line: int(line[0]))
            if s["kind"] != NO_HELPER
        ]

    def helper_spaces(self) -> list[HelperSpace]:
        return [space for colour in COLOURS for space in self.column(colour)]

    def spaces(self, career: str) -> int:
        """Return the number of spaces of a career track."""
        return int(self.figures["tracks"][career]["spaces"])

    def number(self, career: str, index: int) -> int:
        return int(self.figures["tracks"][career]["numbers"][str(index)])

    def rank(self, career: str, index: int) -> int:
        return int(self.figures["tracks"][career]["ranks"][str(index)])

    @property
    def top(self) -> int:
        """Number of the top space of the initiative track; the bottom space is 0."""
        return int(self.figures["initiative"]["top"])

    def initiative_points(self, space: int) -> int:
        return int(self.figures["initiative"]["points"].get(str(space), 0))

    @property
    def point_spaces(self) -> int:
        """Number of spaces of the VP track (P13)."""
        return int(self.figures.get("point_track", {}).get("spaces", POINT_SPACES))

    def city_spaces(self, city: str) -> dict[int, int]:
        """Return the count of figure spaces below a city by their number, lowest number first."""
        row = self.figures["cities"][city]
        return {number: row[str(number)] for number in CITY_NUMBERS if row[str(number)]}

    @property
    def shared(self) -> bool:
        """True if men and women use the same figure spaces (R-34)."""
        return bool(self.figures["city_spaces"]["shared"])

    def portrait_points(self, descendant: int) -> int:
        return int(self.figures["portraits"][str(descendant)])

    @property
    def descendants(self) -> int:
        return len(self.figures["portraits"])

    @property
    def boards(self) -> tuple[str, ...]:
        """The numbers of the player boards, which differ in their plan."""
        return tuple(sorted(self.figures["plans"]))

    def shields(self, board: str, field: str) -> Counter[str]:
        """Count the shields of each house beside a field (5.11)."""
        if field not in CAREERS:
            return Counter(HOUSES)
        return Counter(self.figures["plans"][board][field])


def _shown(tracks: Mapping[str, bool]) -> tuple[str, ...]:
    return tuple(track for track in TRACKS if tracks[track])


def figures_wrong(figures: Mapping[str, Json]) -> list[Message]:
    """Return a message for every figure that is impossible in a copy of the game."""
    printed = Printed(figures)
    checks = (_actions_wrong, _helpers_wrong, _tracks_wrong, _cities_wrong, _tiles_wrong, _plans_wrong)
    return [message for check in checks for message in check(printed)]


def _actions_wrong(printed: Printed) -> Iterator[Message]:
    actions = {colour: printed.action(colour) for colour in COLOURS}
    for colour, space in actions.items():
        if space.number not in SPACES:
            yield say("board-number", colour=Name("die", colour), least=SPACES[0], most=SPACES[-1])
    for kind in SIGNORIA_ACTIONS:
        count = sum(space.signoria == kind for space in actions.values())
        if count != 1:
            yield say("board-signoria", action=Name("signoria", kind), count=count)


def _helpers_wrong(printed: Printed) -> Iterator[Message]:
    for space in printed.helper_spaces():
        if space.kind not in HELPER_KINDS:
            yield say("board-word", word=space.kind[:40], where=Name("die", space.column))
        elif space.kind in WITH_TRACKS and not space.tracks:
            yield say("board-tracks", colour=Name("die", space.column), row=space.row)


def _tracks_wrong(printed: Printed) -> Iterator[Message]:
    for career in CAREERS:
        name = Name("field", career)
        spaces = printed.spaces(career)
        if spaces not in range(LEAST_SPACES, CAREER_NUMBERS[-1] + 1):
            yield say("board-spaces", career=name, least=LEAST_SPACES, most=CAREER_NUMBERS[-1])
            continue
        rows = [(printed.number(career, i), printed.rank(career, i)) for i in range(1, spaces + 1)]
        yield from _rows_wrong(name, rows)
    if printed.top not in range(1, HIGHEST_TOP + 1):
        yield say("board-top", most=HIGHEST_TOP)
    if printed.point_spaces < FEWEST_POINT_SPACES:
        yield say("board-points", least=FEWEST_POINT_SPACES)


def _rows_wrong(career: Name, rows: Sequence[tuple[int, int]]) -> Iterator[Message]:
    before = (0, 0)
    for index, (number, rank) in enumerate(rows, 1):
        if number not in CAREER_NUMBERS or rank not in RANKS:
            yield say("board-space", career=career, space=index, most=CAREER_NUMBERS[-1], rank=RANKS[-1])
        elif number < before[0] or rank < before[1]:
            yield say("board-falls", career=career, space=index)
        before = (number, rank)


def _cities_wrong(printed: Printed) -> Iterator[Message]:
    for city in printed.figures["cities"]:
        if not printed.city_spaces(city):
            yield say("board-city", city=Name("city", city))


def _tiles_wrong(printed: Printed) -> Iterator[Message]:
    for house, values in printed.figures["houses"].items():
        total = sum(values.values())
        if total != TILES_PER_HOUSE:
            yield say("board-house", house=Name("house", house), count=total, needed=TILES_PER_HOUSE)


def _plans_wrong(printed: Printed) -> Iterator[Message]:
    for board in printed.boards:
        for career in CAREERS:
            shields = printed.shields(board, career)
            if sorted(shields.values()) != [1, 1, 2] or not set(shields) <= set(HOUSES):
                yield say("board-plan", board=int(board), career=Name("field", career))

"""Board files: the figures printed on a game's pieces, each with where it comes from.

A board file is a tree of maps. Its leaves are the figures: numbers, yes or no, names, lists
of names or numbers, and lists of lists of names; a list of maps is a map by position, from 1. A figure
is known by its path, the names that lead to it. ``[sources]`` names paths: for a figure the longest one
that leads to it counts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from importlib.resources import files
from math import gcd, isfinite, lcm

from games.core.codec import Json
from games.core.messages import Name, Param

Path = tuple[str, ...]

RULEBOOK, FOUND, UNVERIFIED = SOURCES = ("rulebook", "found", "unverified")
# Not a source: a part that is printed nowhere, such as where things stand on our own drawing.
DRAWING = "drawing"

# No printed figure is larger, no list longer, and none is finer.
LARGEST_FIGURE = 1_000
LONGEST_LIST = 60
FINEST = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the board file, and what may stand in its place."""

    path: Path
    value: Json
    source: str
    kind: str  # number, flag, name, names, numbers, lists
    choices: tuple[str, ...] = ()  # of names
    part: str = ""  # to which the choices belong
    unit: Fraction = Fraction(1)  # of numbers: the step between figures of its kin
    in_order: bool = False  # of names: their order counts, and one may stand there twice

    def takes(self, value: Json) -> bool:
        """Whether another copy may show this value."""
        match self.kind:
            case "number":
                return self._takes_number(value)
            case "flag":
                return isinstance(value, bool)
            case "name":
                return value in self.choices
            case "numbers":
                return (
                    isinstance(value, list)
                    and len(value) == len(self.value)
                    and all(map(self._takes_number, value))
                )
            case "lists":
                return (
                    isinstance(value, list)
                    and 0 < len(value) <= LONGEST_LIST
                    and all(map(self._takes_names, value))
                )
            case _:
                return self._takes_names(value)

    def _takes_number(self, value: Json) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
            return False
        unit = FINEST if self.unit.denominator > 1 else Fraction(1)
        return 0 <= value <= LARGEST_FIGURE and (Fraction(str(value)) / unit).denominator == 1

    def _takes_names(self, value: Json) -> bool:
        return (
            isinstance(value, list)
            and len(value) <= LONGEST_LIST
            and all(isinstance(name, str) and name in self.choices for name in value)
            and (self.in_order or len(set(value)) == len(value))
        )


@dataclass(frozen=True)
class Board:
    """Printed figures and where they come from. ``ordered`` names the lists whose order counts.

    ``also`` has names that another copy may show, though these figures do not, by the name of the figure.
    """

    figures: Mapping[str, Json]
    sources: Mapping[str, str]
    ordered: tuple[str, ...] = ()
    also: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def source_of(self, path: Sequence[str]) -> str:
        """Where a figure comes from: what the longest path in the sources that leads to it says."""
        for length in range(len(path), 0, -1):
            source = self.sources.get(".".join(path[:length]))
            if source:
                return source
        return UNVERIFIED

    @cached_property
    def leaves(self) -> dict[Path, Figure]:
        """Every printed figure by its path, in the order of the board file."""
        found = {path: value for path, value in walk(self.figures) if self.source_of(path) != DRAWING}
        kin: dict[tuple[str, ...], list[Json]] = {}
        for path, value in found.items():
            kin.setdefault(_kin_of(path, value), []).append(value)
        return {path: self._figure(path, value, kin[_kin_of(path, value)]) for path, value in found.items()}

    def _figure(self, path: Path, value: Json, kin: Sequence[Json]) -> Figure:
        source, kind = self.source_of(path), _kind_of(value)
        if kind == "number":
            return Figure(path, value, source, kind, unit=_unit(kin))
        if kind == "numbers":
            return Figure(path, value, source, kind, unit=_unit([number for one in kin for number in one]))
        if kind == "flag":
            return Figure(path, value, source, kind)
        if kind == "name":
            return Figure(path, value, source, kind, *self._choices(path, kin))
        lists = [inner for one in kin for inner in one] if kind == "lists" else kin
        names = [name for one in lists for name in one]
        twice = any(len(set(one)) < len(one) for one in lists)
        in_order = twice or path[-1] in self.ordered
        return Figure(path, value, source, kind, *self._choices(path, names), in_order=in_order)

    def _choices(self, path: Path, names: Sequence[str]) -> tuple[tuple[str, ...], str]:
        """The names there are for a figure, those of the part they belong to or else of its kin; and that part."""
        used = dict.fromkeys((*names, *self.also.get(path[-1], ())))
        kinds = dict.fromkeys(name.partition(":")[0] for name in used if ":" in name)
        if kinds:
            called = [f"{kind}:{name}" for kind in kinds for name in self._called(kind)]
            return tuple(dict.fromkeys([*called, *used])), ""
        parts = {part: list(inner) for part, inner in self.figures.items() if isinstance(inner, Mapping)}
        around = [part for part in parts if part == path[-1]] + sorted(parts, key=lambda p: len(parts[p]))
        for part in around:
            if used and set(used) <= set(parts[part]) and self.source_of((part,)) != DRAWING:
                return tuple(parts[part]), part
        return tuple(sorted(used) or self._called_like(path[-1])), path[-1]

    def _called(self, kind: str) -> list[str]:
        """Everything that is one of a kind: a town is what stands in a part or a list called ``towns``."""
        return [name for plural in plurals(kind) for name in self._called_like(plural)]

    def _called_like(self, plural: str) -> list[str]:
        part = self.figures.get(plural)
        if isinstance(part, Mapping):
            return list(part)
        lists = [
            value for path, value in walk(self.figures) if path[-1] == plural and isinstance(value, list)
        ]
        return sorted({name for names in lists for name in names if isinstance(name, str)})

    def fits(self, figures: Json) -> bool:
        """Whether figures from elsewhere can stand in for these: the same parts, no unknown names."""
        return self._fits(figures, self.figures, ())

    def _fits(self, figures: Json, shipped: Json, path: Path) -> bool:
        if path in self.leaves:
            return self.leaves[path].takes(figures)
        mine, theirs = inner_of(figures), inner_of(shipped)
        if theirs is None:
            return type(figures) is type(shipped) and bool(figures == shipped)  # ours: nothing to be read off
        return (
            type(figures) is type(shipped)
            and mine is not None
            and set(mine) == set(theirs)
            and all(self._fits(mine[name], theirs[name], (*path, name)) for name in theirs)
        )


def load_board(package: str) -> Board:
    """The board file that ships with a game's package."""
    data = tomllib.loads(files(package).joinpath("board.toml").read_text("utf-8"))
    sources, ordered, also = data.pop("sources"), data.pop("ordered", []), data.pop("also", {})
    return Board(figures=data, sources=sources, ordered=tuple(ordered), also=also)


# The tree


def inner_of(value: Json) -> dict[str, Json] | None:
    """What stands within a map, or a list of maps, by its name; None for a figure."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list) and value and all(isinstance(one, Mapping) for one in value):
        return {str(place): one for place, one in enumerate(value, start=1)}
    return None


def walk(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Every leaf with its path."""
    inner = inner_of(value)
    if inner is None:
        yield path, value
        return
    for name, one in inner.items():
        yield from walk(one, (*path, name))


def figure_at(figures: Json, path: Sequence[str]) -> Json:
    """What the names lead to: a figure, or a part with everything in it. Raises ``LookupError``."""
    for name in path:
        inner = inner_of(figures)
        if inner is None:
            raise LookupError(name)
        figures = inner[name]
    return figures


def with_figure(figures: Json, path: Sequence[str], value: Json) -> Json:
    """The figures with another one at the end of the path. Raises ``LookupError``."""
    if not path:
        return value
    inner = inner_of(figures)
    if inner is None or path[0] not in inner:
        raise LookupError(path[0])
    inner[path[0]] = with_figure(inner[path[0]], path[1:], value)
    return list(inner.values()) if isinstance(figures, list) else inner


def differences(before: Json, after: Json) -> list[Path]:
    """The figures of ``before`` that are others in ``after``, which has the same parts."""
    return [path for path, value in walk(before) if figure_at(after, path) != value]


# Kinds of figures


def _kind_of(value: Json) -> str:
    if isinstance(value, bool):
        return "flag"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "name"
    if value and isinstance(value[0], list):
        return "lists"
    return "numbers" if value and not isinstance(value[0], str) else "names"


def _kin_of(path: Path, value: Json) -> tuple[str, ...]:
    """What figures of the same sort share: the part, how deep they stand, what they are called there."""
    kind = _kind_of(value)
    is_named = kind != "lists" and not path[-1].isdigit()  # others stand by the thing that they are about
    called = path[-1] if len(path) > 2 and is_named else ""  # noqa: PLR2004 - a part, its things, their figures
    return path[0], str(len(path)), called, kind


def _unit(numbers: Sequence[int | float]) -> Fraction:
    """The largest number of which all are multiples; whole numbers count by one."""
    exact = [Fraction(str(number)) for number in numbers]
    below = lcm(*(number.denominator for number in exact)) if exact else 1
    if below == 1:
        return Fraction(1)
    return Fraction(gcd(*(int(number * below) for number in exact)), below)


# What things are called


def plurals(kind: str) -> tuple[str, ...]:
    """How a part with many of a kind may be called: provinces, cities."""
    return (kind, f"{kind}s", f"{kind[:-1]}ies") if kind.endswith("y") else (kind, f"{kind}s")


@dataclass(frozen=True)
class Called:
    """What the names in a board file are called, as far as the game's wording knows them."""

    names: Mapping[str, str]  # of the game's texts, by ``kind:slug``

    @cached_property
    def _kinds(self) -> dict[str, list[str]]:
        kinds: dict[str, list[str]] = {}
        for key in self.names:
            kind, _colon, slug = key.partition(":")
            kinds.setdefault(slug, []).append(kind)
        return kinds

    def name(self, slug: str, part: str = "") -> Name | str:
        """As a figure, as one of its part, else as whatever bears the name; a slug nobody worded stays."""
        if slug in self.names:
            kind, _colon, rest = slug.partition(":")
            return Name(kind, rest)
        kinds = self._kinds.get(slug, [])
        if slug.isdigit():  # a number is no name, unless it stands where a figure does
            kinds = [kind for kind in kinds if kind == "figure"]
        own = [kind for kind in kinds if kind == part]  # a value is called as its figure is
        wanted = [*own, "figure", *(kind for kind in kinds if part in plurals(kind)), *kinds]
        return next((Name(kind, slug) for kind in wanted if kind in kinds), slug)

    def path(self, path: Sequence[str]) -> tuple[Name | str, ...]:
        return tuple(self.name(name, path[place - 1] if place else "") for place, name in enumerate(path))

    def value(self, value: Json, part: str = "") -> Param:
        """A figure as a message carries it."""
        if isinstance(value, bool):
            return Name("word", "yes" if value else "no")
        if isinstance(value, int | float):
            return f"{value:g}"
        if isinstance(value, str):
            return self.name(value, part)
        return tuple(self.value(one, part) for one in value) or "–"

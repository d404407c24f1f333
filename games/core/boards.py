"""Board files: the figures printed on a game's pieces, each with its source.

A board file is a tree of maps. Its leaves are the figures: numbers, booleans, names, lists of names
or numbers, and lists of lists of names. A list of maps is treated as a map keyed by position, from 1.
A figure is identified by its path, the tuple of keys from the root. ``[sources]`` maps path prefixes to
sources; the longest prefix of a figure's path applies.
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
# Not a source: marks parts that are printed nowhere, such as coordinates of the app's own drawing.
DRAWING = "drawing"

# Bounds for entered figures, wider than anything printed.
LARGEST_FIGURE = 1_000
LONGEST_LIST = 60
FINEST = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the board file, with the values that may replace it."""

    path: Path
    value: Json
    source: str
    kind: str  # number, flag, name, names, numbers, lists
    choices: tuple[str, ...] = ()  # for names
    part: str = ""  # part of the board file that defines the choices
    unit: Fraction = Fraction(1)  # for numbers: the step between related figures
    in_order: bool = False  # for names: their order matters and duplicates are allowed

    def takes(self, value: Json) -> bool:
        """Return True if another copy of the game may show this value."""
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
    """Printed figures and their sources. ``ordered`` lists the figures whose order matters.

    ``also`` maps a figure's name to further names that another copy may show.
    """

    figures: Mapping[str, Json]
    sources: Mapping[str, str]
    ordered: tuple[str, ...] = ()
    also: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def source_of(self, path: Sequence[str]) -> str:
        """Return the source of a figure: that of its longest path prefix in ``sources``."""
        for length in range(len(path), 0, -1):
            source = self.sources.get(".".join(path[:length]))
            if source:
                return source
        return UNVERIFIED

    @cached_property
    def leaves(self) -> dict[Path, Figure]:
        """All printed figures by path, in board file order."""
        values = {path: value for path, value in walk(self.figures) if self.source_of(path) != DRAWING}
        related: dict[tuple[str, ...], list[Json]] = {}
        for path, value in values.items():
            related.setdefault(_relation_key(path, value), []).append(value)
        return {
            path: self._figure(path, value, related[_relation_key(path, value)])
            for path, value in values.items()
        }

    def _figure(self, path: Path, value: Json, related: Sequence[Json]) -> Figure:
        source, kind = self.source_of(path), _kind_of(value)
        if kind == "number":
            return Figure(path, value, source, kind, unit=_unit(related))
        if kind == "numbers":
            return Figure(path, value, source, kind, unit=_unit([n for numbers in related for n in numbers]))
        if kind == "flag":
            return Figure(path, value, source, kind)
        if kind == "name":
            return Figure(path, value, source, kind, *self._choices(path, related))
        lists = [inner for outer in related for inner in outer] if kind == "lists" else related
        names = [name for names in lists for name in names]
        has_duplicates = any(len(set(names)) < len(names) for names in lists)
        in_order = has_duplicates or path[-1] in self.ordered
        return Figure(path, value, source, kind, *self._choices(path, names), in_order=in_order)

    def _choices(self, path: Path, names: Sequence[str]) -> tuple[tuple[str, ...], str]:
        """Return the names allowed for a figure and their part.

        They are those of the part that defines them, else those used in related figures.
        """
        used = dict.fromkeys((*names, *self.also.get(path[-1], ())))
        kinds = dict.fromkeys(name.partition(":")[0] for name in used if ":" in name)
        if kinds:
            all_of_kind = [f"{kind}:{name}" for kind in kinds for name in self._names_of_kind(kind)]
            return tuple(dict.fromkeys([*all_of_kind, *used])), ""
        parts = {part: list(inner) for part, inner in self.figures.items() if isinstance(inner, Mapping)}
        candidates = [part for part in parts if part == path[-1]] + sorted(parts, key=lambda p: len(parts[p]))
        for part in candidates:
            if used and set(used) <= set(parts[part]) and self.source_of((part,)) != DRAWING:
                return tuple(parts[part]), part
        return tuple(sorted(used) or self._names_under(path[-1])), path[-1]

    def _names_of_kind(self, kind: str) -> list[str]:
        """Return all names of a kind: a town is any name in a part or list called ``towns``."""
        return [name for plural in plurals(kind) for name in self._names_under(plural)]

    def _names_under(self, plural: str) -> list[str]:
        part = self.figures.get(plural)
        if isinstance(part, Mapping):
            return list(part)
        lists = [
            value for path, value in walk(self.figures) if path[-1] == plural and isinstance(value, list)
        ]
        return sorted({name for names in lists for name in names if isinstance(name, str)})

    def fits(self, figures: Json) -> bool:
        """Return True if ``figures`` can replace these: same structure, no unknown names."""
        return self._fits(figures, self.figures, ())

    def _fits(self, figures: Json, shipped: Json, path: Path) -> bool:
        if path in self.leaves:
            return self.leaves[path].takes(figures)
        given, expected = inner_of(figures), inner_of(shipped)
        if expected is None:  # part of the drawing: not printed, so it cannot differ
            return type(figures) is type(shipped) and bool(figures == shipped)
        return (
            type(figures) is type(shipped)
            and given is not None
            and set(given) == set(expected)
            and all(self._fits(given[name], expected[name], (*path, name)) for name in expected)
        )


def load_board(package: str) -> Board:
    """Load the board file of a game's package."""
    data = tomllib.loads(files(package).joinpath("board.toml").read_text("utf-8"))
    sources, ordered, also = data.pop("sources"), data.pop("ordered", []), data.pop("also", {})
    return Board(figures=data, sources=sources, ordered=tuple(ordered), also=also)


# The tree


def inner_of(value: Json) -> dict[str, Json] | None:
    """Return the children of a map, or of a list of maps (keyed by position); None for a figure."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, list) and value and all(isinstance(item, Mapping) for item in value):
        return {str(position): item for position, item in enumerate(value, start=1)}
    return None


def walk(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield every leaf with its path."""
    inner = inner_of(value)
    if inner is None:
        yield path, value
        return
    for name, child in inner.items():
        yield from walk(child, (*path, name))


def figure_at(figures: Json, path: Sequence[str]) -> Json:
    """Return the figure or subtree at a path. Raise ``LookupError`` if there is none."""
    for name in path:
        inner = inner_of(figures)
        if inner is None:
            raise LookupError(name)
        figures = inner[name]
    return figures


def with_figure(figures: Json, path: Sequence[str], value: Json) -> Json:
    """Return a copy of the figures with ``value`` at a path. Raise ``LookupError`` if there is none."""
    if not path:
        return value
    inner = inner_of(figures)
    if inner is None or path[0] not in inner:
        raise LookupError(path[0])
    inner[path[0]] = with_figure(inner[path[0]], path[1:], value)
    return list(inner.values()) if isinstance(figures, list) else inner


def differences(before: Json, after: Json) -> list[Path]:
    """Return the paths of the figures that differ; both trees must have the same structure."""
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


def _relation_key(path: Path, value: Json) -> tuple[str, ...]:
    """Return a key shared by figures of the same sort: their part, depth, last name and kind."""
    kind = _kind_of(value)
    # Otherwise the last name is the thing itself, not an attribute of it.
    is_named = kind != "lists" and not path[-1].isdigit()
    called = path[-1] if len(path) > 2 and is_named else ""  # noqa: PLR2004 - part, thing, attribute
    return path[0], str(len(path)), called, kind


def _unit(numbers: Sequence[int | float]) -> Fraction:
    """Return the greatest common divisor of the numbers; 1 if all are whole."""
    exact = [Fraction(str(number)) for number in numbers]
    denominator = lcm(*(number.denominator for number in exact)) if exact else 1
    if denominator == 1:
        return Fraction(1)
    return Fraction(gcd(*(int(number * denominator) for number in exact)), denominator)


# Display names


def plurals(kind: str) -> tuple[str, ...]:
    """Return the possible names of a part that lists things of a kind: provinces, cities."""
    return (kind, f"{kind}s", f"{kind[:-1]}ies") if kind.endswith("y") else (kind, f"{kind}s")


@dataclass(frozen=True)
class Called:
    """Display names for the keys and values of a board file, from the game's wording."""

    names: Mapping[str, str]  # the game's ``Texts.names``, by ``kind:slug``

    @cached_property
    def _kinds(self) -> dict[str, list[str]]:
        kinds: dict[str, list[str]] = {}
        for key in self.names:
            kind, _colon, slug = key.partition(":")
            kinds.setdefault(slug, []).append(kind)
        return kinds

    def name(self, slug: str, part: str = "") -> Name | str:
        """Return the name of a slug: as a figure, as a member of ``part``, else of any kind that has it.

        A slug without wording is returned unchanged.
        """
        if slug in self.names:
            kind, _colon, bare_slug = slug.partition(":")
            return Name(kind, bare_slug)
        kinds = self._kinds.get(slug, [])
        if slug.isdigit():  # a number is a name only where it labels a figure
            kinds = [kind for kind in kinds if kind == "figure"]
        own = [kind for kind in kinds if kind == part]  # prefer the kind named like the figure itself
        wanted = [*own, "figure", *(kind for kind in kinds if part in plurals(kind)), *kinds]
        return next((Name(kind, slug) for kind in wanted if kind in kinds), slug)

    def path(self, path: Sequence[str]) -> tuple[Name | str, ...]:
        return tuple(self.name(name, path[depth - 1] if depth else "") for depth, name in enumerate(path))

    def value(self, value: Json, part: str = "") -> Param:
        """Return a figure as a message parameter."""
        if isinstance(value, bool):
            return Name("word", "yes" if value else "no")
        if isinstance(value, int | float):
            return f"{value:g}"
        if isinstance(value, str):
            return self.name(value, part)
        return tuple(self.value(item, part) for item in value) or "–"

"""Board files: the figures printed on a game's pieces, each part with where it comes from."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.resources import files

from games.core.codec import Json

# No printed figure is larger.
LARGEST_FIGURE = 1_000


@dataclass(frozen=True, slots=True)
class Board:
    """Printed figures. ``sources`` says for each top-level part: rulebook, found or unverified."""

    figures: Mapping[str, Json]
    sources: Mapping[str, str]


def load_board(package: str) -> Board:
    """The board file that ships with a game's package."""
    data = tomllib.loads(files(package).joinpath("board.toml").read_text("utf-8"))
    sources = data.pop("sources")
    return Board(figures=data, sources=sources)


def fits(figures: Json, shipped: Json) -> bool:
    """Whether figures from elsewhere can stand in for the shipped ones: the same parts, no unknown names."""
    return _fits(figures, shipped, _names(shipped))


def _fits(figures: Json, shipped: Json, names: Collection[str]) -> bool:
    if isinstance(shipped, Mapping):
        return (
            isinstance(figures, Mapping)
            and set(figures) == set(shipped)
            and all(_fits(figures[key], shipped[key], names) for key in shipped)
        )
    if isinstance(shipped, list):
        return (
            isinstance(figures, list)
            and len(figures) == len(shipped)
            and all(_fits(mine, theirs, names) for mine, theirs in zip(figures, shipped, strict=True))
        )
    if isinstance(shipped, str):
        return isinstance(figures, str) and figures in names
    if isinstance(shipped, int) and not isinstance(shipped, bool):
        return isinstance(figures, int) and not isinstance(figures, bool) and 0 <= figures <= LARGEST_FIGURE
    return type(figures) is type(shipped)


def _names(shipped: Json) -> set[str]:
    """Every text in the figures."""
    if isinstance(shipped, Mapping):
        return set().union(*(_names(part) for part in shipped.values()))
    if isinstance(shipped, list):
        return set().union(*(_names(part) for part in shipped))
    return {shipped} if isinstance(shipped, str) else set()

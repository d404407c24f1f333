"""Demo evenings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from companion.registry import PAD
from companion.titles.demo import Demo, Evening
from games.core.codec import Json
from games.wallenstein.board import regions_in_play
from games.wallenstein.ending import regions
from games.wallenstein.pieces import BUILDINGS
from games.wallenstein.state import State


def score_sheet(states: Sequence[State]) -> Iterator[Json]:
    """Yield the entries of a score pad for a game: all regions, in both winters."""
    for winter in _winters(states):
        for region in regions_in_play(winter.setup):
            held = regions(winter)[region]
            buildings = {building: dict(held.buildings.get(building, {})) for building in BUILDINGS}
            yield {"type": "region", "provinces": dict(held.provinces), **buildings}


def _winters(states: Sequence[State]) -> list[State]:
    """Return the last state of each year."""
    years = {state.round: state for state in states}
    return [years[4], years[8]]


_evening = partial(Evening, game="wallenstein")

DEMO = Demo(
    evenings=(
        _evening(circle=1, players=3, weeks_ago=42),
        _evening(circle=0, players=4, weeks_ago=41),
        _evening(circle=1, players=3, weeks_ago=30),
        _evening(circle=0, players=4, weeks_ago=29, incidents=("correction",)),
        _evening(circle=1, players=3, weeks_ago=24),
        _evening(circle=0, players=4, weeks_ago=22),
        _evening(circle=1, players=3, weeks_ago=16),
        _evening(circle=1, players=5, weeks_ago=14, incidents=("ruling",)),
        _evening(circle=0, players=4, weeks_ago=13),
        _evening(circle=0, players=4, weeks_ago=9, mode=PAD),
        _evening(circle=1, players=3, weeks_ago=8),
        _evening(circle=0, players=4, weeks_ago=2),
        _evening(circle=1, players=3, weeks_ago=0, stop=90),
    ),
    seconds=30.0,
    counted_places=frozenset({"province"}),
    score_sheet=score_sheet,
)

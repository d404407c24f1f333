"""Demo evenings."""

from __future__ import annotations

from functools import partial

from companion.titles.demo import Demo, Evening

_evening = partial(Evening, game="signoria")

DEMO = Demo(
    evenings=(
        _evening(circle=0, players=3, weeks_ago=39),
        _evening(circle=1, players=2, weeks_ago=38),
        _evening(circle=1, players=2, weeks_ago=32),
        _evening(circle=0, players=3, weeks_ago=31),
        _evening(circle=0, players=3, weeks_ago=20),
        _evening(circle=1, players=2, weeks_ago=20),
        _evening(circle=0, players=4, weeks_ago=15),
        _evening(circle=0, players=3, weeks_ago=11),
        _evening(circle=1, players=2, weeks_ago=11, incidents=("correction",)),
        _evening(circle=0, players=3, weeks_ago=7, incidents=("ruling",)),
        _evening(circle=1, players=2, weeks_ago=5),
        _evening(circle=0, players=3, weeks_ago=0, stop=110),
    ),
    seconds=20.0,
    counted_places=frozenset({"reserve"}),
)

"""Demo evenings."""

from __future__ import annotations

from functools import partial

from companion.titles.demo import Demo, Evening

_evening = partial(Evening, game="raubritter")

DEMO = Demo(
    evenings=(
        _evening(circle=1, players=3, weeks_ago=44),
        _evening(circle=0, players=4, weeks_ago=43),
        _evening(circle=0, players=4, weeks_ago=36),
        _evening(circle=1, players=3, weeks_ago=33),
        _evening(circle=0, players=4, weeks_ago=28),
        _evening(circle=1, players=3, weeks_ago=21),
        _evening(circle=0, players=4, weeks_ago=17, incidents=("mend",)),
        _evening(circle=1, players=3, weeks_ago=12),
        _evening(circle=0, players=4, weeks_ago=6),
        _evening(circle=1, players=2, weeks_ago=6, incidents=("correction",)),
        _evening(circle=0, players=2, weeks_ago=4),
        _evening(circle=1, players=3, weeks_ago=1),
        _evening(circle=1, players=4, weeks_ago=0, stop=70),
    ),
    seconds=17.0,
    counted_places=frozenset({"cell"}),
)

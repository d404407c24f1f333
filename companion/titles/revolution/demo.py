"""Demo evenings."""

from __future__ import annotations

from functools import partial

from companion.titles.demo import Demo, Evening

_evening = partial(Evening, game="revolution")

DEMO = Demo(
    evenings=(
        _evening(circle=0, players=5, weeks_ago=45),
        _evening(circle=1, players=3, weeks_ago=40),
        _evening(circle=1, players=3, weeks_ago=35),
        _evening(circle=0, players=5, weeks_ago=34),
        _evening(circle=1, players=3, weeks_ago=27),
        _evening(circle=0, players=5, weeks_ago=25, incidents=("ruling",)),
        _evening(circle=0, players=5, weeks_ago=19),
        _evening(circle=1, players=3, weeks_ago=18),
        _evening(circle=0, players=5, weeks_ago=10),
        _evening(circle=1, players=3, weeks_ago=3, incidents=("mend",)),
        _evening(circle=0, players=4, weeks_ago=0, stop=140),
    ),
    seconds=24.0,
    counted_places=frozenset({"countryside"}),
)

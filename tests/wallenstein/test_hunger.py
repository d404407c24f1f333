"""Grain loss and hunger revolts."""

from __future__ import annotations

import random
from itertools import pairwise, product

from games.wallenstein.hunger import row_of
from tests.wallenstein import slow
from tests.wallenstein.asking import ask, flat, steps_of


def test_hunger_matches_slow_implementation() -> None:
    generator = random.Random(1)
    cases = [*product(range(14), range(10), range(14))]
    cases += [
        (generator.randrange(60), generator.randrange(12), generator.randrange(46)) for _ in range(1500)
    ]
    for grain, loss, provinces in cases:
        assert ask("hunger", grain=grain, loss=loss, provinces=provinces) == slow.hunger(
            grain, loss, provinces
        )


def test_a_larger_shortage_is_never_milder() -> None:
    rows = [row_of(shortage)[1:] for shortage in range(30)]
    assert rows[0] == (0, 0)
    for milder, worse in pairwise(rows):
        assert milder[0] <= worse[0]
        assert milder[1] <= worse[1]


def test_never_more_revolts_than_provinces() -> None:
    for grain, loss, provinces in product(range(4), range(12), range(4)):
        body = {"grain": grain, "loss": loss, "provinces": provinces, "options": {"grain_below_zero": True}}
        answer = ask("hunger", **body)
        assert answer["revolts"] <= provinces
        assert answer["shortage"] == max(0, provinces - (grain - loss))
        assert bool(answer["revolts"]) == bool(answer["extra_rebels"])


def test_grain_below_zero_matters_only_when_grain_runs_out() -> None:
    for grain, loss, provinces in product(range(6), range(6), range(6)):
        body = {"grain": grain, "loss": loss, "provinces": provinces}
        options = [option for step in flat(steps_of("hunger", **body)) for option in step.options]
        assert options == (["grain_below_zero"] if loss > grain else [])
        if loss <= grain:
            assert ask("hunger", **body, options={"grain_below_zero": True}) == ask("hunger", **body)

"""Intervals: Wilson's figures, and how often they hold over leagues whose strengths are known."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from math import sqrt

import pytest

from companion.results.counts import Counts, counts_of
from companion.results.intervals import FEWEST_GAMES, wilson
from companion.results.played import Line, Played
from companion.statistics.queries import Share

LEAGUES = 2_000
FACTIONS = ("blue", "yellow", "green", "red")
DAY = datetime(2026, 11, 14, tzinfo=UTC)


def test_known_figures() -> None:
    """3 of 10 at 95 %, as every table of Wilson's interval has it."""
    found = wilson(3, 10, 0.95)
    assert (found.low, found.high) == (pytest.approx(0.1078, abs=1e-4), pytest.approx(0.6032, abs=1e-4))
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    assert (wilson(0, 9).low, wilson(9, 9).high) == (0, 1)


def test_what_it_is_defined_by() -> None:
    """Its ends are the shares that lie just so many deviations of their own from what was found."""
    z = 1.6448536269514722
    for wins, games in ((1, 7), (30, 80), (250, 1000)):
        found, share = wilson(wins, games), wins / games
        for end in (found.low, found.high):
            assert abs(share - end) == pytest.approx(z * sqrt(end * (1 - end) / games))


@pytest.mark.parametrize(("wins", "games"), [(-1, 3), (4, 3), (1, 0)])
def test_no_such_record(wins: int, games: int) -> None:
    with pytest.raises(ValueError, match="games"):
        wilson(wins, games)


def test_few_games_tell_no_share() -> None:
    few, enough = Share("red", FEWEST_GAMES - 1, 1), Share("red", FEWEST_GAMES, 1)
    assert (few.share, few.interval, few.is_few) == (None, None, True)
    assert enough.share == 1 / FEWEST_GAMES
    assert enough.interval == wilson(1, FEWEST_GAMES)


def won_by(winner: str, factions: Sequence[str]) -> Counts:
    """What a game adds."""
    lines = tuple(
        Line(faction, seat, 1000, 1 if faction == winner else 2, won=faction == winner)
        for seat, faction in enumerate(factions, start=1)
    )
    return counts_of(
        Played(
            table=1,
            circle=None,
            game="raubritter",
            mode="full",
            players=len(factions),
            options=(),
            clean=True,
            early=False,
            started_at=DAY,
            ended_at=DAY,
            seconds=60,
            margin=0,
            lines=lines,
        )
    )


def league(generator: random.Random) -> tuple[dict[str, float], Counts]:
    """A season between factions of known strength: how likely each wins a game, and what was counted."""
    factions = FACTIONS[: generator.randint(2, 4)]
    strengths = {faction: generator.uniform(1, 4) for faction in factions}
    chances = {faction: strength / sum(strengths.values()) for faction, strength in strengths.items()}
    games = generator.randint(FEWEST_GAMES, 100)
    winners = Counter(generator.choices(factions, [chances[f] for f in factions], k=games))
    counts = Counts()
    for winner, times in winners.items():
        counts.update({name: number * times for name, number in won_by(winner, factions).items()})
    return chances, counts


def test_ninety_per_cent_hold_in_85_to_95_of_a_hundred() -> None:
    """One faction of each league, drawn, so that the cases are independent of each other."""
    generator = random.Random(1568)
    held = 0
    for _ in range(LEAGUES):
        chances, counts = league(generator)
        faction = generator.choice(list(chances))
        share = Share(faction, counts[f"faction/{faction}/games"], counts[f"faction/{faction}/wins"])
        assert share.interval
        held += share.interval.low <= chances[faction] <= share.interval.high
    assert 0.85 <= held / LEAGUES <= 0.95

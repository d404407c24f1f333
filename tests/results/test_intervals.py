"""Wilson intervals: known values, and their coverage in simulated leagues with known strengths."""

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


def test_wilson_matches_published_values() -> None:
    """Published interval of 3 wins in 10 games at a level of 95 %."""
    interval = wilson(3, 10, 0.95)
    assert (interval.low, interval.high) == (pytest.approx(0.1078, abs=1e-4), pytest.approx(0.6032, abs=1e-4))
    assert (wilson(0, 0).low, wilson(0, 0).high) == (0, 1)
    assert (wilson(0, 9).low, wilson(9, 9).high) == (0, 1)


def test_ends_satisfy_the_defining_equation() -> None:
    """Each end is z of its own standard deviations away from the observed share."""
    z = 1.6448536269514722
    for wins, games in ((1, 7), (30, 80), (250, 1000)):
        interval, share = wilson(wins, games), wins / games
        for end in (interval.low, interval.high):
            assert abs(share - end) == pytest.approx(z * sqrt(end * (1 - end) / games))


@pytest.mark.parametrize(("wins", "games"), [(-1, 3), (4, 3), (1, 0)])
def test_impossible_record_raises_value_error(wins: int, games: int) -> None:
    with pytest.raises(ValueError, match="games"):
        wilson(wins, games)


def test_share_is_not_shown_for_few_games() -> None:
    few, enough = Share("red", FEWEST_GAMES - 1, 1), Share("red", FEWEST_GAMES, 1)
    assert (few.share, few.interval, few.is_few) == (None, None, True)
    assert enough.share == 1 / FEWEST_GAMES
    assert enough.interval == wilson(1, FEWEST_GAMES)


def won_by(winner: str, factions: Sequence[str]) -> Counts:
    """Return the counts of a game with this winner."""
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
    """Simulate a league of factions with known strengths; return their chances and the counts."""
    factions = FACTIONS[: generator.randint(2, 4)]
    strengths = {faction: generator.uniform(1, 4) for faction in factions}
    chances = {faction: strength / sum(strengths.values()) for faction, strength in strengths.items()}
    games = generator.randint(FEWEST_GAMES, 100)
    winners = Counter(generator.choices(factions, [chances[f] for f in factions], k=games))
    counts = Counts()
    for winner, times in winners.items():
        counts.update({name: number * times for name, number in won_by(winner, factions).items()})
    return chances, counts


def test_intervals_cover_the_true_share_in_about_90_percent() -> None:
    """Test one random faction of each league, so that the cases are independent."""
    generator = random.Random(1568)
    covered = 0
    for _ in range(LEAGUES):
        chances, counts = league(generator)
        faction = generator.choice(list(chances))
        share = Share(faction, counts[f"faction/{faction}/games"], counts[f"faction/{faction}/wins"])
        assert share.interval
        covered += share.interval.low <= chances[faction] <= share.interval.high
    assert 0.85 <= covered / LEAGUES <= 0.95

"""Sections across games: charts of shares, and sentences where there are too few games."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from fractions import Fraction

import pytest

from companion.charts.sections import Section
from companion.results.filters import Filter
from companion.statistics.across import length_text, sections_of_game
from companion.statistics.queries import (
    Among,
    Distribution,
    GameStatistics,
    HalfTime,
    HalfTimeMeans,
    Lengths,
    Share,
)
from tests.charts.test_plots import MAIN_SHEET, SHEET, colours

MANY = (Share("blue", 10, 7), Share("yellow", 10, 2), Share("green", 4, 1), Share("red", 0, 0))


def statistics(shares: tuple[Share, ...] = MANY, games: int = 10) -> GameStatistics:
    seats = (Share("1", games, games // 2), Share("2", games, games // 2))
    distribution = Distribution(
        faction="blue",
        games=games,
        mean=Fraction(43, 2),
        least=3,
        lower=12,
        median=20,
        upper=31,
        most=40,
        bins=((3, 1), (12, 2), (20, 4), (31, 2), (40, 1)),
    )
    had = HalfTimeMeans(
        games, Fraction(12), {"castles": Fraction(9), "towns": Fraction(3), "villages": Fraction(0)}
    )
    return GameStatistics(
        filter=Filter("raubritter"),
        games=games,
        factions=shares,
        players=(Among(2, games, shares[:2], seats), Among(3, 1, (Share("red", 1, 1),), (Share("1", 1, 1),))),
        points=(distribution, Distribution("green", 1, Fraction(5), 5, 5, 5, 5, 5, ((5, 1),))),
        lengths=Lengths(games, timedelta(minutes=83), timedelta(minutes=70), ((60, 4), (70, 6))),
        half_time=HalfTime(games, had, had, Share("", games, games // 2)),
    )


def sections_by_slug(game_statistics: GameStatistics) -> dict[str, Section]:
    return {section.slug: section for section in sections_of_game(game_statistics)}


def test_shares_chart_has_intervals() -> None:
    section = sections_by_slug(statistics())["factions"]
    (chart,) = section.charts
    blue, yellow = chart.plot["data"]  # the others have too few games
    assert (blue["x"], yellow["x"]) == ([70.0], [20.0])
    interval = MANY[0].interval
    assert interval
    assert blue["error_x"]["array"] == [pytest.approx(100 * (interval.high - 0.7), abs=0.01)]
    assert blue["error_x"]["arrayminus"] == [pytest.approx(100 * (0.7 - interval.low), abs=0.01)]
    assert (blue["marker"]["symbol"], yellow["marker"]["symbol"]) == ("circle", "triangle-up")
    assert chart.plot["layout"]["shapes"][0]["x0"] == pytest.approx(100 * 10 / 24)
    assert [cell.text for cell in chart.grid.rows[2]][-2:] == ["–", "too few games"]
    assert "Green (4), Red (0)" in " ".join(section.sentences)
    assert section.sentences[0] == "Of those with enough games: Blue won most often, 70% (44%–87%)."


def test_best_share_is_qualified_while_others_have_too_few_games() -> None:
    """Green won three of four games, so Blue is best only among those with enough games."""
    few = (Share("blue", 10, 2), Share("yellow", 10, 1), Share("green", 4, 3))
    sections = sections_by_slug(
        replace(statistics(few), players=(Among(4, 10, few, few[:1]), Among(2, 1, (), ())))
    )
    assert sections["factions"].sentences[0].startswith("Of those with enough games: Blue")
    assert sections["players"].sentences[0].startswith("4 players, of those with enough games: Blue")
    assert sections["points"].sentences[0].startswith("Of those with enough games Blue ended highest")
    enough = tuple(replace(share, games=10) for share in few)
    assert (
        sections_by_slug(statistics(enough))["factions"]
        .sentences[0]
        .startswith("Green won most often: 30% of 10 games")
    )


def test_equal_best_shares_are_named_together() -> None:
    section = sections_by_slug(statistics())["seats"]
    assert section.sentences[0] == "2 players: Place 1, Place 2 most often, 50% each."
    assert section.sentences[1] == "3 players: too few games (1)."
    assert [chart.slug for chart in section.charts] == ["seats-2"]


def test_points_lengths_and_half_time_charts() -> None:
    sections = sections_by_slug(statistics())
    box, mean = sections["points"].charts[0].plot["data"]
    assert [box[end] for end in ("lowerfence", "q1", "median", "q3", "upperfence")] == [
        [3],
        [12],
        [20],
        [31],
        [40],
    ]
    assert mean["x"] == [21.5]
    (bars,) = sections["lengths"].charts[0].plot["data"]
    assert (bars["x"], bars["y"]) == ([65, 75], [4, 6])
    assert "1 h 23 min" in sections["lengths"].sentences[0]
    winners, _others = sections["half-time"].charts[0].plot["data"]
    assert winners["x"] == [12, 9, 3], "parts that are 0 for all are omitted"


def test_too_few_games_have_no_charts() -> None:
    (section,) = sections_of_game(statistics(games=4))
    assert not section.charts
    assert section.sentences == ["Too few games to tell anything yet: 4. Charts are drawn from 5 on."]


def test_sections_without_charts_if_each_has_too_few_games() -> None:
    few = replace(
        statistics(tuple(Share(share.of, 2, 1) for share in MANY)),
        points=statistics().points[1:],
        lengths=replace(statistics().lengths, games=3),
        half_time=replace(statistics().half_time, games=3),
    )
    sections = sections_by_slug(few)
    assert set(sections) == {"factions", "players", "seats", "points", "lengths", "half-time"}
    for slug in ("factions", "players", "points", "lengths", "half-time"):
        assert not sections[slug].charts, slug
        assert "few games" in " ".join(sections[slug].sentences).lower()


def test_no_sections_without_games() -> None:
    assert sections_of_game(statistics(games=0)) == []


def test_every_colour_is_defined_in_a_style_sheet() -> None:
    for section in sections_of_game(statistics()):
        for chart in section.charts:
            for colour in colours(chart.plot):
                assert f"{colour}:" in SHEET + MAIN_SHEET, colour


@pytest.mark.parametrize(
    ("minutes", "text"), [(0, "0 min"), (59, "59 min"), (60, "1 h 0 min"), (125, "2 h 5 min")]
)
def test_length_text_is_in_hours_and_minutes(minutes: int, text: str) -> None:
    assert length_text(timedelta(minutes=minutes)) == text

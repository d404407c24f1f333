"""Queries in the order in which games ended use an index, however many games there are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext

from companion.models import Circle, Result, Score
from companion.results.order import ended_before, ended_since
from companion.statistics import queries
from companion.tables.circles import open_circle
from tests.statistics.evenings import BEGIN, Evening, import_evening

pytestmark = pytest.mark.django_db

AT = datetime(2026, 11, 14, 20, tzinfo=UTC)
sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="query plans differ elsewhere")


def play(days: int) -> Circle:
    circle = open_circle(name="Thursdays").circle
    for day in range(days):
        evening = Evening("raubritter-pad", 2, day, BEGIN + timedelta(days=day), ("Ada", "Béla"))
        import_evening(evening, circle)
    return circle


def test_ended_before_and_ended_since_partition_all_games() -> None:
    circle = play(3)
    results = Result.objects.order_by("ended_at", "table")
    Result.objects.filter(pk__in=[result.pk for result in results[:2]]).update(ended_at=AT)
    ordered = list(Result.objects.filter(circle=circle).order_by("ended_at", "table"))
    for at, result in enumerate(ordered):
        mark = result.ended_at, result.table_id
        assert list(Result.objects.filter(ended_before(*mark)).order_by("ended_at", "table")) == ordered[:at]
        assert list(Result.objects.filter(ended_since(*mark)).order_by("ended_at", "table")) == ordered[at:]


def plans_of(*querysets: QuerySet[Result] | QuerySet[Score]) -> list[str]:
    return [queryset.explain() for queryset in querysets]


@sqlite_only
def test_conditions_use_the_index() -> None:
    results = Result.objects.filter(circle=1, in_circle=True, game="raubritter")
    later, earlier, scores = plans_of(
        results.filter(ended_since(AT, 7)).order_by("ended_at", "table"),
        results.filter(ended_before(AT, 7)).order_by("-ended_at", "-table"),
        Score.objects.filter(ended_before(AT, 7), member=1, game="raubritter").order_by(
            "-ended_at", "-table"
        ),
    )
    assert "result_order (circle_id=? AND game=? AND ended_at>?)" in later
    assert "result_order (circle_id=? AND game=? AND ended_at<?)" in earlier
    assert "score_order (member_id=? AND game=? AND ended_at<?)" in scores


@sqlite_only
def test_ordered_queries_have_a_bound_on_the_end_time() -> None:
    """Capture the real queries of finishing a game and of a page: all that order by end time bound it."""
    circle = play(queries.PAGE + 2)
    after = queries.games_of(circle).following
    with CaptureQueriesContext(connection) as captured:
        import_evening(Evening("raubritter-pad", 2, 99, BEGIN + timedelta(days=99), ("Ada", "Béla")), circle)
        assert queries.games_of(circle, after=after).games
    wheres = [query["sql"].partition(" WHERE ")[2].partition("ORDER BY") for query in captured]
    ordered = [
        where
        for where, _by, order in wheres
        if '"ended_at"' in order and ('"circle_id" = ' in where or '"member_id" = ' in where)
    ]
    assert len(ordered) >= 3
    for where in ordered:
        assert '"ended_at" >= ' in where or '"ended_at" <= ' in where

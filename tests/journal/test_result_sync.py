"""Results are kept in sync with their tables, in the same transaction."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from companion.cache import clear_all
from companion.journal.marks import is_corrected
from companion.journal.result_sync import played_of
from companion.journal.submit import back_to, redo, submit, undo
from companion.models import Circle, Encounter, Member, Result, Score, Skill, Table, Tally
from companion.results.filters import Filter
from companion.statistics import queries
from companion.tables import hosting
from companion.tables.circles import open_circle, put_into_circle
from companion.tables.documents import read_document, write_document
from companion.tables.opening import NewSeat, open_table, start
from companion.tables.seats import change_seat, forget_name, free_seat, take_seat
from games.core.errors import Illegal
from games.core.messages import say
from tests.statistics.evenings import HOST, Evening, import_evening
from tests.tables.sitting import offered, play

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 14, 19, tzinfo=UTC)
FILTER = Filter("raubritter")


@pytest.fixture
def circle() -> Circle:
    return open_circle(name="Thursdays").circle


def pad(*names: str, circle: Circle | None = None) -> Table:
    """Open and start a score pad of Raubritter, which ends with its first entry."""
    seats = [NewSeat(name, faction) for name, faction in zip(names, ("blue", "yellow", "red"), strict=False)]
    table = open_table(game="raubritter", seats=seats, options={"mode": "pad"}, circle=circle).table
    start(table=table, access=HOST)
    return table


def end(table: Table) -> None:
    faction, action = offered(table)
    submit(table=table, access=HOST, faction=faction, action=action)


def stored_rows() -> dict[str, list[Any]]:
    return {
        model.__name__: list(model.objects.order_by("pk").values())
        for model in (Result, Score, Tally, Member, Skill, Encounter)
    }


def games(circle: Circle | None = None) -> int:
    return queries.game_statistics(FILTER, circle).games


def names(circle: Circle) -> list[str]:
    return sorted(line.name for line in queries.members_of(circle, "raubritter"))


def test_result_follows_end_undo_and_redo_of_its_game(circle: Circle) -> None:
    table = pad("Ada", "Béla", circle=circle)
    assert games() == games(circle) == 0
    end(table)
    assert games() == games(circle) == 1
    assert names(circle) == ["Ada", "Béla"]
    undo(table=table, access=HOST)
    assert not any(stored_rows().values())
    redo(table=table, access=HOST)
    assert games(circle) == 1
    back_to(table=table, access=HOST, number=0)
    assert not any(stored_rows().values())


def test_rolled_back_end_is_not_counted(circle: Circle) -> None:
    table = pad("Ada", "Béla", circle=circle)

    def end_and_fail() -> None:
        with transaction.atomic():
            end(table)
            assert games() == 1
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        end_and_fail()
    assert not any(stored_rows().values())


def test_game_ended_by_the_host_counts_but_is_not_clean(circle: Circle) -> None:
    table = pad("Ada", "Béla", circle=circle)
    hosting.finish(table=table, access=HOST)
    assert games(circle) == 1
    assert queries.game_statistics(Filter("raubritter", clean=True), circle).games == 0
    assert queries.records_of(circle, "raubritter").points == ()
    hosting.reopen(table=table, access=HOST)
    assert games(circle) == 0
    hosting.abandon(table=table, access=HOST)
    assert games() == 0


def test_unrelated_change_does_not_rewrite_the_result(circle: Circle) -> None:
    table = pad("Ada", "Béla", circle=circle)
    end(table)
    before = stored_rows()
    hosting.set_locked(table=table, access=HOST, locked=True)
    assert stored_rows() == before


def test_copies_of_a_game_count_once(circle: Circle) -> None:
    table = pad("Ada", "Béla", circle=circle)
    end(table)
    copy = read_document(write_document(table)).table
    assert (games(), games(circle), Result.objects.count()) == (1, 1, 2)
    put_into_circle(table=copy, access=HOST, circle=circle)
    assert (games(), games(circle)) == (1, 1)
    assert {line.record.games for line in queries.members_of(circle, "raubritter")} == {1}
    hosting.delete(table=table, access=HOST)
    assert (games(), games(circle)) == (1, 1)
    assert Result.objects.get().table == copy
    hosting.delete(table=copy, access=HOST)
    assert not any(stored_rows().values())


def test_copy_counts_in_another_circle(circle: Circle) -> None:
    other = open_circle(name="Sundays").circle
    table = pad("Ada", "Béla", circle=circle)
    end(table)
    copy = read_document(write_document(table)).table
    put_into_circle(table=copy, access=HOST, circle=other)
    assert (games(), games(circle), games(other)) == (1, 1, 1)


def test_circle_follows_changed_and_forgotten_names(circle: Circle) -> None:
    table = pad("Ada", "Béla", circle=circle)
    end(table)
    ada = table.seats.get(faction="blue")
    change_seat(table=table, access=HOST, seat=ada, name="Adél", faction="blue")
    assert names(circle) == ["Adél", "Béla"]
    forget_name(table=table, access=HOST, seat=ada)
    assert names(circle) == ["Béla"]
    assert "Ad" not in str(stored_rows())
    free_seat(table=table, access=HOST, seat=ada)
    take_seat(table=table, name="Zoé", faction="blue")
    assert names(circle) == ["Béla", "Zoé"]


def test_ambiguous_names_are_left_out(circle: Circle) -> None:
    end(pad("Ada", " ADA", "Béla", circle=circle))
    assert names(circle) == ["Béla"]
    assert games(circle) == 1


def test_no_name_is_stored_without_a_circle() -> None:
    end(pad("Ada", "Béla"))
    assert games() == 1
    assert not Member.objects.exists()
    assert "Ada" not in str(stored_rows())


def test_player_with_two_factions_counts_once(circle: Circle) -> None:
    import_evening(Evening("revolution-pad", 2, 1, EVENING, ("Ada", "Béla")), circle)
    lines = queries.members_of(circle, "revolution")
    assert [line.record.games for line in lines] == [1, 1]
    assert sorted(line.record.wins for line in lines) == [0, 1]
    statistics = queries.member_statistics(circle, lines[0].pk, "revolution")
    assert (len(statistics.course), len(statistics.factions), len(statistics.against)) == (1, 2, 1)


@pytest.mark.django_db(transaction=True)  # real commits, so that the cache can be cleared
def test_result_of_unfoldable_journal_stays(circle: Circle, monkeypatch: pytest.MonkeyPatch) -> None:
    from companion.journal import states  # noqa: PLC0415

    table = pad("Ada", "Béla", circle=circle)
    end(table)
    points = list(Score.objects.order_by("faction").values_list("faction", "points", "place"))
    clear_all()

    def refuse(*_args: Any) -> Any:
        raise Illegal(say("core.ruling-reason"), rule="1")

    monkeypatch.setattr(states, "_apply", refuse)
    forget_name(table=table, access=HOST, seat=table.seats.get(faction="blue"))
    assert names(circle) == ["Béla"]
    assert games(circle) == 1
    with pytest.raises(CommandError, match=table.code):
        call_command("rebuild_statistics", stdout=StringIO())
    assert names(circle) == ["Béla"]
    assert list(Score.objects.order_by("faction").values_list("faction", "points", "place")) == points


def test_rebuild_statistics_restores_everything(circle: Circle) -> None:
    for hours in range(3):
        begins = EVENING + timedelta(hours=hours)
        import_evening(Evening("raubritter-pad", 2, hours, begins, ("Ada", "Béla")), circle)
    before = queries.members_of(circle, "raubritter")
    Tally.objects.all().delete()
    Skill.objects.update(mu=1, games=77)
    output = StringIO()
    call_command("rebuild_statistics", stdout=output)
    assert output.getvalue() == "Results: 3.\n"
    after = queries.members_of(circle, "raubritter")
    assert [(x.name, x.rating, x.record) for x in after] == [(x.name, x.rating, x.record) for x in before]
    assert games(circle) == 3


def test_imported_older_game_is_rated_in_order(circle: Circle) -> None:
    begins = [EVENING + timedelta(days=day) for day in (0, 1, 2)]
    for when in (begins[0], begins[2], begins[1]):
        seed = begins.index(when)
        import_evening(Evening("raubritter-pad", 2, seed, when, ("Ada", "Béla")), circle)
    out_of_order = {x.name: x.rating for x in queries.members_of(circle, "raubritter")}
    in_order = open_circle(name="Sundays").circle
    for seed, when in enumerate(begins):
        import_evening(
            Evening("raubritter-pad", 2, seed, when + timedelta(seconds=1), ("Ada", "Béla")), in_order
        )
    assert {x.name: x.rating for x in queries.members_of(in_order, "raubritter")} == out_of_order


def test_winner_gets_higher_and_more_certain_rating(circle: Circle) -> None:
    """Import the same game six times, so that the same player always wins."""
    first = import_evening(Evening("raubritter-pad", 2, 1, EVENING, ("Ada", "Béla")), circle)
    winner = first.seats.get(faction=first.winners[0]).name
    after_first = {x.name: x.rating for x in queries.members_of(circle, "raubritter")}
    for day in range(1, 6):
        begins = EVENING + timedelta(days=day)
        import_evening(Evening("raubritter-pad", 2, 1, begins, ("Ada", "Béla")), circle)
    lines = queries.members_of(circle, "raubritter")
    assert lines[0].name == winner
    assert lines[0].rating.mu > after_first[winner].mu > 25 > lines[1].rating.mu
    assert lines[0].rating.sigma < after_first[winner].sigma < 25 / 3
    assert (lines[0].record.wins, lines[1].record.wins) == (6, 0)
    assert lines[0].best in first.winners
    course = queries.member_statistics(circle, lines[0].pk, "raubritter").course
    assert [point.rating.mu for point in course] == sorted(point.rating.mu for point in course)


def test_query_count_does_not_grow_with_the_number_of_games(circle: Circle) -> None:
    def cost() -> int:
        table = pad("Ada", "Béla", "Carla", circle=circle)
        faction, action = offered(table)
        with CaptureQueriesContext(connection) as captured:
            submit(table=table, access=HOST, faction=faction, action=action)
        return len(captured)

    cost()
    few = cost()
    for day in range(5):
        begins = EVENING - timedelta(days=day)
        import_evening(Evening("raubritter-pad", 3, day, begins, ("Ada", "Béla", "Carla")), circle)
    assert cost() == few
    assert few < 60


def test_is_corrected_has_constant_query_count() -> None:
    def cost(entries: int) -> int:
        table = play(2, entries).table
        with CaptureQueriesContext(connection) as captured:
            assert not is_corrected(table)
        return len(captured)

    assert cost(12) == cost(2)


# Concurrency


def at_once(attempts: list[Callable[[], Any]]) -> None:
    barrier = threading.Barrier(len(attempts), timeout=30)

    def run(attempt: Callable[[], Any]) -> None:
        try:
            barrier.wait()
            attempt()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(attempts)) as threads:
        for future in [threads.submit(run, attempt) for attempt in attempts]:
            future.result(60)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("run_number", range(2))
def test_games_ending_concurrently_all_count(run_number: int) -> None:
    circle = open_circle(name="Thursdays").circle
    tables = [pad("Ada", "Béla", circle=circle) for _ in range(6)]
    at_once([lambda table=table: end(table) for table in tables])
    assert games() == games(circle) == 6
    at_once([lambda table=table: undo(table=table, access=HOST) for table in tables[:3]])
    assert games() == games(circle) == 3
    assert sum(line.record.games for line in queries.members_of(circle, "raubritter")) == 6
    before = {x.name: x.rating for x in queries.members_of(circle, "raubritter")}
    call_command("rebuild_statistics", stdout=StringIO())
    assert {x.name: x.rating for x in queries.members_of(circle, "raubritter")} == before
    assert all(played_of(table) for table in Table.objects.filter(status="finished"))

"""The command `retention` deletes stale rows and nothing else."""

from __future__ import annotations

from datetime import datetime, timedelta
from io import StringIO

import pytest
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.utils import timezone

from companion.models import Board, Bucket, IdempotencyKey, Result, Status, Table
from companion.registry import titles
from companion.tables import retention
from companion.tables.board_copies import make_copy
from companion.tables.hosting import abandon, finish
from tests.tables.sitting import Sitting, assert_sound, enter, offered, play, rows, sit

pytestmark = pytest.mark.django_db
DAYS = 30


def run(*arguments: str) -> dict[str, int]:
    """Run the command; return its non-zero counts by name."""
    output = StringIO()
    call_command("retention", "--days", str(DAYS), *arguments, stdout=output)
    head, *lines = output.getvalue().splitlines()
    assert head == ("Would be deleted:" if "--dry-run" in arguments else "Deleted:")
    pairs = [line.strip().rsplit(": ", 1) for line in lines]
    return {name: int(number) for name, number in pairs if int(number)}


def age(sitting: Sitting, days: float) -> Sitting:
    moment = ago(days)
    Table.objects.filter(pk=sitting.table.pk).update(changed_at=moment, host_seen_at=moment)
    sitting.table.seats.update(seen_at=moment)
    return sitting


def ago(days: float) -> datetime:
    return timezone.now() - timedelta(days=days)


def given_up() -> Sitting:
    sitting = play(2, 3)
    abandon(table=sitting.table, access=sitting.host)
    return sitting


def ended() -> Sitting:
    sitting = play(2, 3)
    finish(table=sitting.table, access=sitting.host)
    return sitting


def test_stale_open_and_abandoned_tables_are_deleted() -> None:
    stale = [age(sit(2), 31), age(sit(3), 400), age(given_up(), 31)]
    kept = [age(sit(2), 29), sit(2), age(given_up(), 29), age(play(2, 3), 400), age(ended(), 400)]

    assert run() == {"tables (open)": 2, "tables (abandoned)": 1}

    assert set(Table.objects.values_list("pk", flat=True)) == {sitting.table.pk for sitting in kept}
    assert not any(Table.objects.filter(pk=sitting.table.pk).exists() for sitting in stale)
    assert Result.objects.count() == 1
    for sitting in kept:
        if sitting.fresh().setup is not None:
            assert_sound(sitting.table)


def test_playing_and_finished_tables_need_an_option() -> None:
    age(play(2, 3), 31)
    age(ended(), 31)
    young = [play(2, 1), ended()]

    assert run("--playing") == {"tables (playing)": 1}
    assert run("--finished") == {"tables (finished)": 1}
    assert run("--playing", "--finished") == {}

    assert Table.objects.count() == len(young)
    assert list(Result.objects.values_list("table", flat=True)) == [young[1].table.pk]


def test_recently_seen_table_is_kept() -> None:
    watched, hosted = age(sit(2), 31), age(sit(2), 31)
    watched.table.seats.filter(number=2).update(seen_at=ago(3))
    Table.objects.filter(pk=hosted.table.pk).update(host_seen_at=ago(3))

    assert run() == {}
    assert Table.objects.count() == 2


def test_table_seen_during_deletion_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    sitting = age(sit(2), 31)
    stale = list(retention.stale_tables(ago(DAYS), [Status.OPEN]))
    Table.objects.filter(pk=sitting.table.pk).update(host_seen_at=timezone.now())

    assert [retention._delete_table(table, ago(DAYS)) for table in stale] == [False]
    assert Table.objects.count() == 1


def test_stale_keys_sessions_buckets_and_boards_are_deleted() -> None:
    old, young = play(2), play(2)
    for sitting in (old, young):
        enter(sitting, *offered(sitting.table), key="k")
    age(old, 31)
    game = titles()["revolution"].game
    boards = {name: make_copy(game=game, name=name) for name in ("unused", "compared", "played", "young")}
    Board.objects.exclude(name="young").update(changed_at=ago(31))
    Board.objects.filter(name="compared").update(confirmed=["provinces"])
    Table.objects.filter(pk=young.table.pk).update(board=boards["played"])
    Bucket.objects.create(name="code:1.2.3.4", level=0.0, filled_at=ago(2))
    Bucket.objects.create(name="code:5.6.7.8", level=0.5, filled_at=ago(0.1))
    Session.objects.create(session_key="old", session_data="", expire_date=ago(1))
    Session.objects.create(session_key="young", session_data="", expire_date=ago(-1))

    assert run() == {"idempotency keys": 1, "copies of boards": 1, "buckets": 1, "sessions": 1}

    assert IdempotencyKey.objects.get().table == young.table
    assert set(Board.objects.values_list("name", flat=True)) == {"compared", "played", "young"}
    assert Bucket.objects.get().name == "code:5.6.7.8"
    assert Session.objects.get().session_key == "young"
    assert_sound(old.table)


def test_dry_run_reports_the_same_and_deletes_nothing() -> None:
    sitting = play(2)
    enter(sitting, *offered(sitting.table), key="k")
    abandon(table=sitting.table, access=sitting.host)
    age(sitting, 31)
    age(sit(2), 31)
    Bucket.objects.create(name="code:1.2.3.4", level=0.0, filled_at=ago(2))
    before = rows()

    counts = run("--dry-run")

    assert rows() == before
    assert counts == {"tables (open)": 1, "tables (abandoned)": 1, "buckets": 1}
    assert run() == counts
    assert run("--dry-run") == {}


def test_output_contains_no_codes() -> None:
    sitting = age(sit(2), 31)
    output = StringIO()
    call_command("retention", "--days", str(DAYS), stdout=output)
    assert sitting.table.code not in output.getvalue()


@pytest.mark.parametrize("days", ["0", "-3", "36501", "999999999999"])
def test_invalid_number_of_days_is_rejected(days: str) -> None:
    with pytest.raises(CommandError, match="must be between 1 and 36500"):
        call_command("retention", f"--days={days}")

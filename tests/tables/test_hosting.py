"""Actions of the host, and changes of host."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from companion.access.table_access import identify, record_presence
from companion.journal.states import game_of, state_at
from companion.journal.submit import back_to, preview, redo, submit, tick, undo
from companion.models import Notice, Table
from companion.tables.hosting import (
    HOST_GONE_AFTER,
    abandon,
    delete,
    finish,
    hand_over,
    is_host_gone,
    reopen,
    set_locked,
    take_over,
)
from companion.tables.seats import free_seat
from tests.tables.sitting import assert_sound, offered, play, play_on, refused, rows, sit

pytestmark = pytest.mark.django_db


def notices() -> list[tuple[str, dict[str, Any]]]:
    return list(Notice.objects.values_list("code", "params"))


# Changes of host


def test_host_locks_the_table() -> None:
    sitting = sit(2)

    set_locked(table=sitting.table, access=sitting.host, locked=True)

    assert sitting.fresh().locked
    assert sitting.fresh().version == 2


def test_host_hands_over() -> None:
    sitting = play(2)

    hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("yellow"))

    assert identify(sitting.fresh(), [sitting.tokens["yellow"]]).is_host
    assert identify(sitting.fresh(), [sitting.host_token]).is_stranger
    assert sitting.fresh().host == sitting.seat("yellow")
    assert notices() == [("host-handed-over", {"name": "Béla"})]


def test_handing_over_to_a_free_or_foreign_seat_is_rejected() -> None:
    sitting, other = play(2), play(2)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("yellow"))

    with refused("unknown"):
        hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("yellow"))
    with refused("unknown"):
        hand_over(table=sitting.table, access=sitting.host, seat=other.seat("yellow"))


def test_absent_host_can_be_replaced() -> None:
    sitting = play(2)
    with time_machine.travel(timezone.now() + HOST_GONE_AFTER + timedelta(seconds=1), tick=False):
        assert is_host_gone(sitting.fresh())

        take_over(table=sitting.table, access=sitting.access("yellow"), seat=sitting.seat("yellow"))

        assert identify(sitting.fresh(), [sitting.tokens["yellow"]]).is_host
        assert identify(sitting.fresh(), [sitting.host_token]).is_stranger
        assert not is_host_gone(sitting.fresh())
        assert notices() == [("host-taken-over", {"name": "Béla"})]
        with refused("illegal"):
            take_over(table=sitting.table, access=sitting.access("blue"), seat=sitting.seat("blue"))


def test_present_host_cannot_be_replaced() -> None:
    sitting = play(2)
    with time_machine.travel(timezone.now() + HOST_GONE_AFTER - timedelta(seconds=5), tick=False) as clock:
        with refused("illegal"):
            take_over(table=sitting.table, access=sitting.access("yellow"), seat=sitting.seat("yellow"))
        record_presence(sitting.fresh(), sitting.host)
        clock.shift(timedelta(seconds=60))

        with refused("illegal"):
            take_over(table=sitting.table, access=sitting.access("yellow"), seat=sitting.seat("yellow"))


def test_absent_host_is_detected_after_the_clock_was_set_back() -> None:
    sitting = play(2)
    with time_machine.travel(timezone.now() - timedelta(days=1), tick=False):
        record_presence(sitting.fresh(), sitting.host)  # a present host is recorded at the new time
        assert not is_host_gone(sitting.fresh())
    with time_machine.travel(timezone.now() - timedelta(days=2), tick=False):
        take_over(table=sitting.table, access=sitting.access("yellow"), seat=sitting.seat("yellow"))

        assert not is_host_gone(sitting.fresh())


def test_taking_over_with_a_foreign_seat_is_rejected() -> None:
    sitting, other = play(2), play(2)
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        for seat in (sitting.seat("blue"), other.seat("yellow")):
            with refused("foreign-token"):
                take_over(table=sitting.table, access=sitting.access("yellow"), seat=seat)


def test_taking_over_with_a_freed_seat_is_rejected() -> None:
    sitting = play(2)
    yellow = sitting.access("yellow")
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("yellow"))

    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False), refused("unknown"):
        take_over(table=sitting.table, access=yellow, seat=sitting.seat("yellow"))


# Ending a game early


def test_leaders_win_a_game_finished_early() -> None:
    sitting = play(2, 30)
    standings = game_of(sitting.table).standings(state_at(sitting.table, 30))
    most = max(standing.points for standing in standings)

    finish(table=sitting.table, access=sitting.host)

    table = sitting.fresh()
    assert (table.status, table.ended_by_host, table.waiting_for) == ("finished", True, [])
    assert table.winners == [standing.faction for standing in standings if standing.points == most]
    assert table.ended_at is not None
    assert notices() == [("finished-early", {})]
    assert_sound(table)


def test_abandoned_game_has_no_winner() -> None:
    sitting = play(2, 10)

    abandon(table=sitting.table, access=sitting.host)

    table = sitting.fresh()
    assert (table.status, table.ended_by_host, table.winners, table.waiting_for) == (
        "abandoned",
        True,
        [],
        [],
    )
    assert notices() == [("abandoned", {})]
    assert_sound(table)


def test_open_table_can_be_abandoned_and_reopened() -> None:
    sitting = sit(2)

    abandon(table=sitting.table, access=sitting.host)
    assert sitting.fresh().status == "abandoned"

    reopen(table=sitting.table, access=sitting.host)
    assert (sitting.fresh().status, sitting.fresh().ended_by_host) == ("open", False)


def test_game_that_has_not_started_cannot_be_finished() -> None:
    sitting = sit(2)

    with refused("illegal"):
        finish(table=sitting.table, access=sitting.host)


@pytest.mark.parametrize("end", [finish, abandon])
def test_ended_game_cannot_be_ended_again(end: Any) -> None:
    sitting = play(2, 10)
    end(table=sitting.table, access=sitting.host)

    for second_end in (finish, abandon):
        with refused("illegal"):
            second_end(table=sitting.table, access=sitting.host)


@pytest.mark.parametrize("end", [finish, abandon])
def test_game_ended_by_the_host_accepts_no_entries(end: Any) -> None:
    sitting = play(2, 10)
    blue = sitting.access("blue")
    faction, action = offered(sitting.table)
    end(table=sitting.table, access=sitting.host)

    with refused("illegal"):
        submit(table=sitting.table, access=sitting.host, faction=faction, action=action)
    with refused("illegal"):
        preview(table=sitting.table, access=sitting.host, faction=faction, action=action)
    for attempt in (undo, redo):
        with refused("illegal"):
            attempt(table=sitting.table, access=blue)
    with refused("illegal"):
        back_to(table=sitting.table, access=blue, number=3)


@pytest.mark.parametrize("end", [finish, abandon])
def test_reopened_game_continues(end: Any) -> None:
    sitting = play(2, 10)
    columns = ("status", "ended_by_host", "waiting_for", "winners", "ended_at", "round", "phase", "order")
    before = {name: getattr(sitting.fresh(), name) for name in columns}
    end(table=sitting.table, access=sitting.host)

    reopen(table=sitting.table, access=sitting.host)

    assert {name: getattr(sitting.fresh(), name) for name in columns} == before
    assert notices()[-1] == ("reopened", {})
    play_on(sitting, 2, seed=3)
    assert_sound(sitting.table)


def test_game_not_ended_by_the_host_cannot_be_reopened() -> None:
    sitting = play(2)

    with refused("illegal"):
        reopen(table=sitting.table, access=sitting.host)


def test_hand_moves_can_be_ticked_after_the_end() -> None:
    sitting = play(2, 4)
    finish(table=sitting.table, access=sitting.host)

    tick(table=sitting.table, access=sitting.access("blue"), number=1, line=0, done=True)


# Deleting


def test_deleting_a_table_deletes_all_its_rows() -> None:
    sitting, other = play(2, 10), play(2, 3)
    host_access = {"table": sitting.table, "access": sitting.host}
    tick(**host_access, number=1, line=0, done=True)
    undo(**host_access, key="undo")
    set_locked(**host_access, locked=True)

    delete(**host_access)

    left = rows()
    assert [row["id"] for row in left["Table"]] == [other.table.pk]
    for name, lines in left.items():
        assert all(line.get("table_id", other.table.pk) == other.table.pk for line in lines), name


def test_deleted_table_rejects_all_actions() -> None:
    sitting = play(2, 3)
    stale = sitting.fresh()
    faction, action = offered(stale)
    host, access, seat = sitting.host, sitting.access(faction), sitting.seat(faction)
    delete(table=sitting.table, access=host)

    with refused("unknown"):
        submit(table=stale, access=access, faction=faction, action=action)
    with refused("unknown"):
        undo(table=stale, access=access)
    with refused("unknown"):
        delete(table=stale, access=host)
    with refused("unknown"):
        free_seat(table=stale, access=host, seat=seat)


def test_rematch_survives_deletion_of_the_first_table() -> None:
    sitting = play(2)
    new_table = Table.objects.create(
        game="raubritter", code="CCCCCC", rematch_of=sitting.table, host_hash="-"
    )

    delete(table=sitting.table, access=sitting.host)

    new_table.refresh_from_db()
    assert new_table.rematch_of is None

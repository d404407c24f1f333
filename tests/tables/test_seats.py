"""Seats: taking, changing, freeing, moving to another phone, presence, erasing names."""

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import timedelta

import pytest
import time_machine
from django.core import signing
from django.db import connection
from django.utils import timezone

from companion.access import table_access
from companion.access.table_access import SEEN_EVERY, TableAccess, hash_of, identify, record_presence
from companion.journal.integrity import rebuild_mirror
from companion.models import Notice, Seat, Standing
from companion.tables.documents import read_document, write_document
from companion.tables.hosting import abandon, hand_over, reopen, set_locked
from companion.tables.seats import (
    TICKET_SECONDS,
    change_seat,
    clean_name,
    forget_name,
    free_seat,
    redeem,
    shown_name,
    take_seat,
    ticket_for,
)
from tests.tables.sitting import enter, offered, play, refused, rows, sit

pytestmark = pytest.mark.django_db


# Names


@pytest.mark.parametrize(
    ("entered", "stored"),
    [
        ("Ada", "Ada"),
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Be\u0301la", "Béla"),
        ("\u202eadA", "adA"),
        ("A\0d\u200ba\n", "Ada"),
        ("\ud800Ada", "Ada"),
        ("李" * 20, "李" * 20),
        ("<b>Ada</b>", "<b>Ada</b>"),
    ],
)
def test_names_are_normalised(entered: str, stored: str) -> None:
    assert clean_name(entered) == stored


@pytest.mark.parametrize("name", ["", " \t\n", "\u200b\u202e", "A" * 21, None, 7, ["Ada"]])
def test_invalid_names_are_rejected(name: str) -> None:
    with refused("bad-input"):
        clean_name(name)


# Taking a seat


def test_take_a_seat() -> None:
    sitting = sit(2)

    seat, token = take_seat(table=sitting.table, name="Carla", faction="red")

    assert (seat.number, seat.name, seat.faction) == (3, "Carla", "red")
    assert identify(sitting.table, [token]).factions == ("red",)
    assert sitting.fresh().version == 2


def test_seats_can_be_taken_without_a_faction() -> None:
    sitting = sit(2)

    take_seat(table=sitting.table, name="Carla", faction="")
    take_seat(table=sitting.table, name="Dario", faction="")

    assert [seat.faction for seat in sitting.table.seats.all()] == ["blue", "yellow", "", ""]


def test_phone_can_hold_several_seats() -> None:
    sitting = sit(2)

    both = identify(sitting.table, sitting.tokens.values())

    assert both.factions == ("blue", "yellow")
    assert both.is_seated
    assert not both.is_host
    assert both.seat_for("yellow") == sitting.seat("yellow")
    assert both.seat_for("red") is None


@pytest.mark.parametrize(
    ("name", "faction", "code"),
    [
        ("Carla", "blue", "taken"),
        ("Carla", "purple", "bad-input"),
        ("Carla", "\0", "bad-input"),
        ("", "red", "bad-input"),
    ],
)
def test_invalid_or_taken_faction_or_name_is_rejected(name: str, faction: str, code: str) -> None:
    sitting = sit(2)

    with refused(code):
        take_seat(table=sitting.table, name=name, faction=faction)


def test_table_has_at_most_as_many_seats_as_factions() -> None:
    sitting = sit(4)

    with refused("taken"):
        take_seat(table=sitting.table, name="Emma", faction="")


def test_locked_table_cannot_be_joined() -> None:
    sitting = sit(2)
    set_locked(table=sitting.table, access=sitting.host, locked=True)

    with refused("locked"):
        take_seat(table=sitting.table, name="Carla", faction="red")

    set_locked(table=sitting.table, access=sitting.host, locked=False)
    take_seat(table=sitting.table, name="Carla", faction="red")


@pytest.mark.parametrize("faction", ["red", ""])
def test_started_game_cannot_be_joined(faction: str) -> None:
    sitting = play(2)

    with refused("started"):
        take_seat(table=sitting.table, name="Carla", faction=faction)


def test_deleted_table_cannot_be_joined() -> None:
    sitting = sit(2)
    sitting.fresh().delete()

    with refused("unknown"):
        take_seat(table=sitting.table, name="Carla", faction="red")


# Changing a seat


def test_player_changes_name_and_faction_before_the_start() -> None:
    sitting = sit(2)

    change_seat(
        table=sitting.table,
        access=sitting.access("blue"),
        seat=sitting.seat("blue"),
        name=" Ada  L.",
        faction="red",
    )

    seat = Seat.objects.get(faction="red")
    assert (seat.name, seat.number) == ("Ada L.", 1)
    assert sitting.fresh().version == 2


def test_host_changes_the_seat_of_another_player() -> None:
    sitting = sit(2)

    change_seat(
        table=sitting.table, access=sitting.host, seat=sitting.seat("blue"), name="Anna", faction="blue"
    )

    assert sitting.seat("blue").name == "Anna"


@pytest.mark.parametrize(
    ("name", "faction", "code"),
    [("Ada", "yellow", "taken"), ("Ada", "purple", "bad-input"), ("", "blue", "bad-input")],
)
def test_invalid_change_is_rejected(name: str, faction: str, code: str) -> None:
    sitting = sit(2)

    with refused(code):
        change_seat(
            table=sitting.table,
            access=sitting.access("blue"),
            seat=sitting.seat("blue"),
            name=name,
            faction=faction,
        )


def test_only_the_name_can_change_after_the_start() -> None:
    sitting = play(2)
    blue = sitting.access("blue")

    with refused("started"):
        change_seat(table=sitting.table, access=blue, seat=sitting.seat("blue"), name="Anna", faction="red")
    change_seat(table=sitting.table, access=blue, seat=sitting.seat("blue"), name="Anna", faction="blue")

    assert sitting.seat("blue").name == "Anna"


def test_deleted_seat_cannot_be_changed() -> None:
    sitting = sit(2)
    seat, access = sitting.seat("blue"), sitting.access("blue")
    free_seat(table=sitting.table, access=access, seat=seat)

    with refused("unknown"):
        change_seat(table=sitting.table, access=access, seat=seat, name="Ada", faction="blue")


# Freeing a seat


def test_seat_freed_before_the_start_is_deleted() -> None:
    sitting = sit(2)

    free_seat(table=sitting.table, access=sitting.access("blue"), seat=sitting.seat("blue"))

    assert [seat.faction for seat in sitting.table.seats.all()] == ["yellow"]
    assert sitting.access("blue").is_stranger
    assert sitting.fresh().version == 2


def test_seat_freed_at_an_abandoned_open_table_is_deleted() -> None:
    sitting = sit(2)
    abandon(table=sitting.table, access=sitting.host)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    reopen(table=sitting.table, access=sitting.host)

    assert [seat.faction for seat in sitting.table.seats.all()] == ["yellow"]


def test_freed_seat_can_be_taken_by_a_newcomer_who_plays_on() -> None:
    sitting = play(2)
    with time_machine.travel(timezone.now() - timedelta(hours=1), tick=False):
        record_presence(sitting.table, sitting.access("blue"))
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    assert sitting.access("blue").is_stranger

    seat, token = take_seat(table=sitting.table, name="Emma", faction="blue")

    assert (seat.number, seat.name) == (1, "Emma")
    assert timezone.now() - sitting.seat("blue").seen_at < timedelta(minutes=1)
    newcomer = identify(sitting.table, [token])
    assert newcomer.factions == ("blue",)
    assert not newcomer.is_host
    assert list(Notice.objects.values_list("code", "params")) == [
        ("seat-freed", {"name": "Ada"}),
        ("seat-taken", {"old": "Ada", "new": "Emma"}),
    ]
    faction, action = offered(sitting.table)
    assert faction == "blue"
    enter(type(sitting)(sitting.table, "", {"blue": token}), "blue", action)


def test_freed_seat_can_be_taken_once() -> None:
    sitting = play(2)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    take_seat(table=sitting.table, name="Emma", faction="blue")

    with refused("taken"):
        take_seat(table=sitting.table, name="Fritz", faction="blue")


def test_freed_seat_of_a_locked_table_cannot_be_taken() -> None:
    sitting = play(2)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    set_locked(table=sitting.table, access=sitting.host, locked=True)

    with refused("locked"):
        take_seat(table=sitting.table, name="Emma", faction="blue")


def test_deleted_seat_cannot_be_freed() -> None:
    sitting = sit(2)
    seat = sitting.seat("blue")
    free_seat(table=sitting.table, access=sitting.host, seat=seat)

    with refused("unknown"):
        free_seat(table=sitting.table, access=sitting.host, seat=seat)


@pytest.mark.parametrize("begun", [False, True])
def test_host_who_frees_their_seat_stays_host_without_it(begun: bool) -> None:  # noqa: FBT001
    sitting = play(2) if begun else sit(2)
    hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    blue = sitting.access("blue")

    free_seat(table=sitting.table, access=blue, seat=sitting.seat("blue"))
    _seat, token = take_seat(table=sitting.table, name="Emma", faction="blue")

    assert sitting.fresh().host is None
    assert identify(sitting.fresh(), [sitting.tokens["blue"]]) == TableAccess((), is_host=True)
    assert not identify(sitting.fresh(), [token]).is_host


# Moving to another phone


def test_seat_moves_to_another_phone() -> None:
    sitting = play(2)

    ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
    seat, token = redeem(table=sitting.table, ticket=ticket)

    assert seat == sitting.seat("blue")
    assert identify(sitting.table, [token]).factions == ("blue",)
    assert sitting.access("blue").is_stranger
    assert sitting.fresh().version == 3


def test_host_moves_the_seat_of_another_player() -> None:
    sitting = play(2)

    ticket = ticket_for(access=sitting.host, seat=sitting.seat("blue"))
    _seat, token = redeem(table=sitting.table, ticket=ticket)

    assert identify(sitting.table, [token]) == TableAccess((sitting.seat("blue"),))
    assert sitting.host.is_host


@pytest.mark.parametrize("days", [-1, 1])
def test_tickets_work_after_the_system_clock_was_set(days: int) -> None:
    """Older tickets expire if it was set forward, and remain valid once if it was set back."""
    sitting = play(2)
    before = ticket_for(access=sitting.host, seat=sitting.seat("yellow"))
    with time_machine.travel(timezone.now() + timedelta(days=days), tick=False):
        ticket = ticket_for(access=sitting.host, seat=sitting.seat("blue"))
        redeem(table=sitting.table, ticket=ticket)
        with refused("gone"):
            redeem(table=sitting.table, ticket=ticket)
        if days > 0:
            with refused("gone"):
                redeem(table=sitting.table, ticket=before)
        else:
            redeem(table=sitting.table, ticket=before)


def test_host_ticket_fills_a_freed_seat_of_a_locked_table() -> None:
    sitting = play(2)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    set_locked(table=sitting.table, access=sitting.host, locked=True)

    ticket = ticket_for(access=sitting.host, seat=sitting.seat("blue"))
    _seat, token = redeem(table=sitting.table, ticket=ticket)

    assert identify(sitting.table, [token]).factions == ("blue",)


def test_host_who_moves_to_another_phone_stays_host() -> None:
    sitting = play(2)
    hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))

    ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
    _seat, token = redeem(table=sitting.table, ticket=ticket)

    assert identify(sitting.fresh(), [token]).is_host
    assert not identify(sitting.fresh(), [sitting.tokens["blue"]]).is_host


def test_ticket_can_be_redeemed_once() -> None:
    sitting = play(2)
    ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
    redeem(table=sitting.table, ticket=ticket)

    with refused("gone"):
        redeem(table=sitting.table, ticket=ticket)


def test_ticket_expires_after_five_minutes() -> None:
    sitting = play(2)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
        clock.shift(TICKET_SECONDS + 1)
        with refused("gone"):
            redeem(table=sitting.table, ticket=ticket)
        clock.shift(-2)
        redeem(table=sitting.table, ticket=ticket)


def test_freeing_the_seat_invalidates_its_ticket() -> None:
    sitting = play(2)
    ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))

    with refused("gone"):
        redeem(table=sitting.table, ticket=ticket)


def test_ticket_of_another_table_is_rejected() -> None:
    sitting, other = play(2), play(2)
    ticket = ticket_for(access=other.host, seat=other.seat("blue"))

    with refused("gone"):
        redeem(table=sitting.table, ticket=ticket)


def test_forged_tickets_are_rejected() -> None:
    sitting = play(2)
    seat = sitting.seat("blue")
    ticket = ticket_for(access=sitting.host, seat=seat)
    value = f"{seat.pk}.{seat.token_hash[:16]}"
    forged = [
        "",
        ":",
        "\0",
        "\ud800",
        "ő:ű:ñ",
        ticket[:-1],
        ticket + "x",
        ticket.replace(str(seat.pk), str(seat.pk + 1), 1),
        value,
        signing.TimestampSigner(salt="other").sign(value),
        signing.TimestampSigner(key="guessed", salt="seat").sign(value),
        signing.TimestampSigner(salt="seat").sign("no ticket at all"),
    ]

    for attempt in forged:
        with refused("gone"):
            redeem(table=sitting.table, ticket=attempt)


# Tokens and presence


def test_foreign_tokens_grant_no_access() -> None:
    sitting, other = sit(2), sit(2)

    assert identify(sitting.table, []) == TableAccess()
    assert identify(sitting.table, [""]) == TableAccess()
    assert identify(sitting.table, ["forged"]) == TableAccess(is_stranger=True)
    assert identify(sitting.table, [sitting.table.host_hash]).is_stranger
    assert identify(sitting.table, [other.host_token, *other.tokens.values()]).is_stranger
    mixed = identify(sitting.table, ["forged", other.host_token, sitting.tokens["blue"]])
    assert (mixed.factions, mixed.is_host, mixed.is_stranger) == (("blue",), False, False)


def test_freed_seat_has_no_token() -> None:
    sitting = play(2)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))

    assert Seat.objects.get(faction="blue").token_hash == ""
    assert hash_of("") != ""
    assert identify(sitting.table, ["", " "]).seats == ()


def test_presence_is_recorded_at_intervals() -> None:
    sitting = sit(2)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        record_presence(sitting.table, sitting.access("blue"))
        first = sitting.seat("blue").seen_at
        clock.shift(SEEN_EVERY - timedelta(seconds=5))
        record_presence(sitting.table, sitting.access("blue"))
        assert sitting.seat("blue").seen_at == first
        clock.shift(timedelta(seconds=10))
        record_presence(sitting.table, sitting.access("blue"))
        record_presence(sitting.fresh(), sitting.host)

        assert sitting.seat("blue").seen_at == timezone.now()
        assert sitting.fresh().host_seen_at == timezone.now()
    assert sitting.fresh().version == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="another database lets others write")
def test_recording_presence_uses_a_short_busy_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader would otherwise hold its thread as long as somebody else writes."""
    sitting, timeouts = sit(2), []

    def read_timeout(*_args: object, **_kwargs: object) -> None:
        with connection.cursor() as cursor:
            timeouts.append(cursor.execute("PRAGMA busy_timeout").fetchone()[0])

    monkeypatch.setattr(table_access, "_update_seen_at", read_timeout)
    read_timeout()
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        record_presence(sitting.table, sitting.access("blue"))
    read_timeout()
    assert timeouts == [20_000, 100, 20_000]


def test_presence_of_a_stream_is_not_written_at_every_heartbeat(
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    """A stream identifies its listener once and records presence with the same objects for hours."""
    sitting = sit(2)
    hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    table, access = sitting.fresh(), sitting.access("blue")
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False) as clock:
        with django_assert_num_queries(2):
            record_presence(table, access)
            clock.shift(SEEN_EVERY - timedelta(seconds=5))
            record_presence(table, access)
        clock.shift(timedelta(seconds=10))
        with django_assert_num_queries(2):
            record_presence(table, access)


def test_former_holder_and_host_no_longer_counts_as_present() -> None:
    sitting = play(2)
    hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    table, access = sitting.fresh(), sitting.access("blue")
    assert access.is_host
    hand_over(table=sitting.table, access=access, seat=sitting.seat("yellow"))
    redeem(table=sitting.table, ticket=ticket_for(access=access, seat=sitting.seat("blue")))

    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        record_presence(table, access)

        assert timezone.now() - sitting.fresh().host_seen_at > timedelta(minutes=59)
        assert timezone.now() - sitting.seat("blue").seen_at > timedelta(minutes=59)


# Erasing names


def test_name_is_erased_from_the_seat_and_all_notices() -> None:
    sitting = play(2, 4)
    ada = sitting.seat("blue")
    hand_over(table=sitting.table, access=sitting.host, seat=ada)
    free_seat(table=sitting.table, access=sitting.access("blue"), seat=ada)
    take_seat(table=sitting.table, name="Zoë", faction="blue")

    forget_name(table=sitting.table, access=sitting.access("yellow"), seat=sitting.seat("yellow"))
    sitting = replace(sitting, host_token=sitting.tokens["blue"])
    assert "Béla" not in json.dumps(rows(), default=str, ensure_ascii=False)
    assert shown_name(sitting.seat("yellow")) == "Yellow"
    assert [notice.params for notice in Notice.objects.all()] == [
        {"name": "Ada"},
        {"name": "Ada"},
        {"old": "Ada", "new": "Zoë"},
    ]

    forget_name(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    assert [notice.params for notice in Notice.objects.all()][2] == {"old": "Ada", "new": ""}


def test_erased_name_does_not_return_in_mirror_or_document() -> None:
    sitting = play(2, 6)
    forget_name(table=sitting.table, access=sitting.access("blue"), seat=sitting.seat("blue"))
    Standing.objects.all().delete()
    rebuild_mirror(table=sitting.table)
    document = write_document(sitting.table)

    assert [seat["name"] for seat in document["seats"]] == ["", "Béla"]
    imported = read_document(document).table
    assert [shown_name(seat) for seat in imported.seats.all()] == ["Blue", "Béla"]
    assert {**write_document(imported), "version": 0} == {**document, "version": 0}


def test_seat_with_erased_name_can_be_named_again() -> None:
    sitting = sit(2)
    seat = sitting.seat("blue")
    forget_name(table=sitting.table, access=sitting.access("blue"), seat=seat)
    change_seat(table=sitting.table, access=sitting.host, seat=seat, name="", faction="")
    assert shown_name(sitting.table.seats.get(pk=seat.pk)) == "Somebody"
    change_seat(table=sitting.table, access=sitting.host, seat=seat, name="Ada", faction="")
    assert shown_name(sitting.table.seats.get(pk=seat.pk)) == "Ada"


def test_only_holder_and_host_can_erase_a_name() -> None:
    sitting = sit(2)
    with refused("foreign-token"):
        forget_name(table=sitting.table, access=sitting.access("yellow"), seat=sitting.seat("blue"))
    with refused("no-token"):
        forget_name(table=sitting.table, access=TableAccess(), seat=sitting.seat("blue"))
    forget_name(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    with refused("nothing"):
        forget_name(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))

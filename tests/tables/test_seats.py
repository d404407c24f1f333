"""Seats: taking one, changing it, giving it up, moving it to another phone."""

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
from companion.access.table_access import SEEN_EVERY, TableAccess, hash_of, identify, touch
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
    ("entered", "kept"),
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
def test_names_as_they_are_kept(entered: str, kept: str) -> None:
    assert clean_name(entered) == kept


@pytest.mark.parametrize("name", ["", " \t\n", "\u200b\u202e", "A" * 21, None, 7, ["Ada"]])
def test_names_that_are_refused(name: str) -> None:
    with refused("bad-input"):
        clean_name(name)


# Taking a seat


def test_somebody_takes_a_seat() -> None:
    sitting = sit(2)

    seat, token = take_seat(table=sitting.table, name="Carla", faction="red")

    assert (seat.number, seat.name, seat.faction) == (3, "Carla", "red")
    assert identify(sitting.table, [token]).factions == ("red",)
    assert sitting.fresh().version == 2


def test_somebody_leaves_the_faction_to_chance() -> None:
    sitting = sit(2)

    take_seat(table=sitting.table, name="Carla", faction="")
    take_seat(table=sitting.table, name="Dario", faction="")

    assert [seat.faction for seat in sitting.table.seats.all()] == ["blue", "yellow", "", ""]


def test_one_phone_holds_several_seats() -> None:
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
def test_a_seat_that_is_refused(name: str, faction: str, code: str) -> None:
    sitting = sit(2)

    with refused(code):
        take_seat(table=sitting.table, name=name, faction=faction)


def test_there_are_no_more_seats_than_factions() -> None:
    sitting = sit(4)

    with refused("taken"):
        take_seat(table=sitting.table, name="Emma", faction="")


def test_nobody_joins_a_locked_table() -> None:
    sitting = sit(2)
    set_locked(table=sitting.table, access=sitting.host, locked=True)

    with refused("locked"):
        take_seat(table=sitting.table, name="Carla", faction="red")

    set_locked(table=sitting.table, access=sitting.host, locked=False)
    take_seat(table=sitting.table, name="Carla", faction="red")


@pytest.mark.parametrize("faction", ["red", ""])
def test_nobody_new_joins_once_the_game_has_begun(faction: str) -> None:
    sitting = play(2)

    with refused("started"):
        take_seat(table=sitting.table, name="Carla", faction=faction)


def test_a_table_that_is_gone() -> None:
    sitting = sit(2)
    sitting.fresh().delete()

    with refused("unknown"):
        take_seat(table=sitting.table, name="Carla", faction="red")


# Changing a seat


def test_a_seat_changes_its_name_and_faction() -> None:
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


def test_the_host_changes_the_seat_of_another() -> None:
    sitting = sit(2)

    change_seat(
        table=sitting.table, access=sitting.host, seat=sitting.seat("blue"), name="Anna", faction="blue"
    )

    assert sitting.seat("blue").name == "Anna"


@pytest.mark.parametrize(
    ("name", "faction", "code"),
    [("Ada", "yellow", "taken"), ("Ada", "purple", "bad-input"), ("", "blue", "bad-input")],
)
def test_a_change_that_is_refused(name: str, faction: str, code: str) -> None:
    sitting = sit(2)

    with refused(code):
        change_seat(
            table=sitting.table,
            access=sitting.access("blue"),
            seat=sitting.seat("blue"),
            name=name,
            faction=faction,
        )


def test_during_the_game_only_the_name_changes() -> None:
    sitting = play(2)
    blue = sitting.access("blue")

    with refused("started"):
        change_seat(table=sitting.table, access=blue, seat=sitting.seat("blue"), name="Anna", faction="red")
    change_seat(table=sitting.table, access=blue, seat=sitting.seat("blue"), name="Anna", faction="blue")

    assert sitting.seat("blue").name == "Anna"


def test_a_seat_that_is_gone_does_not_change() -> None:
    sitting = sit(2)
    seat, access = sitting.seat("blue"), sitting.access("blue")
    free_seat(table=sitting.table, access=access, seat=seat)

    with refused("unknown"):
        change_seat(table=sitting.table, access=access, seat=seat, name="Ada", faction="blue")


# Giving up a seat


def test_before_the_game_a_seat_goes() -> None:
    sitting = sit(2)

    free_seat(table=sitting.table, access=sitting.access("blue"), seat=sitting.seat("blue"))

    assert [seat.faction for seat in sitting.table.seats.all()] == ["yellow"]
    assert sitting.access("blue").is_stranger
    assert sitting.fresh().version == 2


def test_before_the_game_a_seat_goes_even_from_a_game_that_was_given_up() -> None:
    sitting = sit(2)
    abandon(table=sitting.table, access=sitting.host)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    reopen(table=sitting.table, access=sitting.host)

    assert [seat.faction for seat in sitting.table.seats.all()] == ["yellow"]


def test_during_the_game_somebody_else_takes_the_seat_and_plays_on() -> None:
    sitting = play(2)
    with time_machine.travel(timezone.now() - timedelta(hours=1), tick=False):
        touch(sitting.table, sitting.access("blue"))
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


def test_a_freed_seat_is_taken_once() -> None:
    sitting = play(2)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    take_seat(table=sitting.table, name="Emma", faction="blue")

    with refused("taken"):
        take_seat(table=sitting.table, name="Fritz", faction="blue")


def test_a_freed_seat_of_a_locked_table_is_not_taken() -> None:
    sitting = play(2)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    set_locked(table=sitting.table, access=sitting.host, locked=True)

    with refused("locked"):
        take_seat(table=sitting.table, name="Emma", faction="blue")


def test_a_seat_that_is_gone_is_not_freed_again() -> None:
    sitting = sit(2)
    seat = sitting.seat("blue")
    free_seat(table=sitting.table, access=sitting.host, seat=seat)

    with refused("unknown"):
        free_seat(table=sitting.table, access=sitting.host, seat=seat)


@pytest.mark.parametrize("begun", [False, True])
def test_a_host_who_gives_up_the_seat_stays_host_and_is_no_longer_named_by_it(begun: bool) -> None:  # noqa: FBT001
    sitting = play(2) if begun else sit(2)
    hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    blue = sitting.access("blue")

    free_seat(table=sitting.table, access=blue, seat=sitting.seat("blue"))
    _seat, token = take_seat(table=sitting.table, name="Emma", faction="blue")

    assert sitting.fresh().host is None
    assert identify(sitting.fresh(), [sitting.tokens["blue"]]) == TableAccess((), is_host=True)
    assert not identify(sitting.fresh(), [token]).is_host


# Another phone


def test_a_seat_moves_to_another_phone() -> None:
    sitting = play(2)

    ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
    seat, token = redeem(table=sitting.table, ticket=ticket)

    assert seat == sitting.seat("blue")
    assert identify(sitting.table, [token]).factions == ("blue",)
    assert sitting.access("blue").is_stranger
    assert sitting.fresh().version == 3


def test_the_host_moves_the_seat_of_another() -> None:
    sitting = play(2)

    ticket = ticket_for(access=sitting.host, seat=sitting.seat("blue"))
    _seat, token = redeem(table=sitting.table, ticket=ticket)

    assert identify(sitting.table, [token]) == TableAccess((sitting.seat("blue"),))
    assert sitting.host.is_host


@pytest.mark.parametrize("days", [-1, 1])
def test_a_clock_that_is_set_stops_no_tickets(days: int) -> None:
    """Set forward, those of before are too old; set back, they still are good for once."""
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


def test_a_free_seat_is_given_away_by_ticket_even_where_the_table_is_locked() -> None:
    sitting = play(2)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    set_locked(table=sitting.table, access=sitting.host, locked=True)

    ticket = ticket_for(access=sitting.host, seat=sitting.seat("blue"))
    _seat, token = redeem(table=sitting.table, ticket=ticket)

    assert identify(sitting.table, [token]).factions == ("blue",)


def test_a_host_who_moves_stays_host() -> None:
    sitting = play(2)
    hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))

    ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
    _seat, token = redeem(table=sitting.table, ticket=ticket)

    assert identify(sitting.fresh(), [token]).is_host
    assert not identify(sitting.fresh(), [sitting.tokens["blue"]]).is_host


def test_a_ticket_is_used_once() -> None:
    sitting = play(2)
    ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
    redeem(table=sitting.table, ticket=ticket)

    with refused("gone"):
        redeem(table=sitting.table, ticket=ticket)


def test_a_ticket_is_good_for_a_few_minutes() -> None:
    sitting = play(2)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
        clock.shift(TICKET_SECONDS + 1)
        with refused("gone"):
            redeem(table=sitting.table, ticket=ticket)
        clock.shift(-2)
        redeem(table=sitting.table, ticket=ticket)


def test_a_ticket_is_gone_when_the_seat_was_freed() -> None:
    sitting = play(2)
    ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))

    with refused("gone"):
        redeem(table=sitting.table, ticket=ticket)


def test_a_ticket_of_another_table() -> None:
    sitting, other = play(2), play(2)
    ticket = ticket_for(access=other.host, seat=other.seat("blue"))

    with refused("gone"):
        redeem(table=sitting.table, ticket=ticket)


def test_forged_tickets() -> None:
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


# Who is there


def test_tokens_that_mean_nothing_here() -> None:
    sitting, other = sit(2), sit(2)

    assert identify(sitting.table, []) == TableAccess()
    assert identify(sitting.table, [""]) == TableAccess()
    assert identify(sitting.table, ["forged"]) == TableAccess(is_stranger=True)
    assert identify(sitting.table, [sitting.table.host_hash]).is_stranger
    assert identify(sitting.table, [other.host_token, *other.tokens.values()]).is_stranger
    mixed = identify(sitting.table, ["forged", other.host_token, sitting.tokens["blue"]])
    assert (mixed.factions, mixed.is_host, mixed.is_stranger) == (("blue",), False, False)


def test_a_freed_seat_belongs_to_nobody() -> None:
    sitting = play(2)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))

    assert Seat.objects.get(faction="blue").token_hash == ""
    assert hash_of("") != ""
    assert identify(sitting.table, ["", " "]).seats == ()


def test_phones_that_are_there_are_noted_now_and_then() -> None:
    sitting = sit(2)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        touch(sitting.table, sitting.access("blue"))
        first = sitting.seat("blue").seen_at
        clock.shift(SEEN_EVERY - timedelta(seconds=5))
        touch(sitting.table, sitting.access("blue"))
        assert sitting.seat("blue").seen_at == first
        clock.shift(timedelta(seconds=10))
        touch(sitting.table, sitting.access("blue"))
        touch(sitting.fresh(), sitting.host)

        assert sitting.seat("blue").seen_at == timezone.now()
        assert sitting.fresh().host_seen_at == timezone.now()
    assert sitting.fresh().version == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="another database lets others write")
def test_nobody_waits_long_to_be_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever only looks would wait as long as somebody else writes, and keep a thread."""
    sitting, patience = sit(2), []

    def note(*_told: object, **_more: object) -> None:
        with connection.cursor() as cursor:
            patience.append(cursor.execute("PRAGMA busy_timeout").fetchone()[0])

    monkeypatch.setattr(table_access, "_touch", note)
    note()
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        touch(sitting.table, sitting.access("blue"))
    note()
    assert patience == [20_000, 100, 20_000]


def test_a_phone_that_is_there_is_not_noted_at_every_beat(
    django_assert_num_queries: Callable[[int], AbstractContextManager[object]],
) -> None:
    """A stream looks its listener up once and notes it for hours."""
    sitting = sit(2)
    hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    table, access = sitting.fresh(), sitting.access("blue")
    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False) as clock:
        with django_assert_num_queries(2):
            touch(table, access)
            clock.shift(SEEN_EVERY - timedelta(seconds=5))
            touch(table, access)
        clock.shift(timedelta(seconds=10))
        with django_assert_num_queries(2):
            touch(table, access)


def test_who_lost_the_seat_and_is_host_no_more_does_not_count_as_them() -> None:
    sitting = play(2)
    hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    table, access = sitting.fresh(), sitting.access("blue")
    assert access.is_host
    hand_over(table=sitting.table, access=access, seat=sitting.seat("yellow"))
    redeem(table=sitting.table, ticket=ticket_for(access=access, seat=sitting.seat("blue")))

    with time_machine.travel(timezone.now() + timedelta(hours=1), tick=False):
        touch(table, access)

        assert timezone.now() - sitting.fresh().host_seen_at > timedelta(minutes=59)
        assert timezone.now() - sitting.seat("blue").seen_at > timedelta(minutes=59)


# Forgetting a name


def test_a_name_is_forgotten_wherever_it_was_told() -> None:
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


def test_a_forgotten_name_stays_forgotten() -> None:
    sitting = play(2, 6)
    forget_name(table=sitting.table, access=sitting.access("blue"), seat=sitting.seat("blue"))
    Standing.objects.all().delete()
    rebuild_mirror(table=sitting.table)
    document = write_document(sitting.table)

    assert [seat["name"] for seat in document["seats"]] == ["", "Béla"]
    again = read_document(document).table
    assert [shown_name(seat) for seat in again.seats.all()] == ["Blue", "Béla"]
    assert {**write_document(again), "version": 0} == {**document, "version": 0}


def test_a_seat_whose_name_was_forgotten_can_be_named_again() -> None:
    sitting = sit(2)
    seat = sitting.seat("blue")
    forget_name(table=sitting.table, access=sitting.access("blue"), seat=seat)
    change_seat(table=sitting.table, access=sitting.host, seat=seat, name="", faction="")
    assert shown_name(sitting.table.seats.get(pk=seat.pk)) == "Somebody"
    change_seat(table=sitting.table, access=sitting.host, seat=seat, name="Ada", faction="")
    assert shown_name(sitting.table.seats.get(pk=seat.pk)) == "Ada"


def test_nobody_else_has_a_name_forgotten() -> None:
    sitting = sit(2)
    with refused("foreign-token"):
        forget_name(table=sitting.table, access=sitting.access("yellow"), seat=sitting.seat("blue"))
    with refused("no-token"):
        forget_name(table=sitting.table, access=TableAccess(), seat=sitting.seat("blue"))
    forget_name(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    with refused("nothing"):
        forget_name(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))

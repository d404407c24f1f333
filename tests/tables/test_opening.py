"""Opening a table, its options, starting the game, rematches."""

import random
from typing import Any

import pytest

from companion.access.codes import ALPHABET
from companion.access.table_access import find, hash_of, identify
from companion.journal.states import game_of, state_at
from companion.models import Holding, Seat, Standing, Table
from companion.tables import opening
from companion.tables.hosting import abandon, hand_over
from companion.tables.opening import (
    NewSeat,
    open_table,
    rematch,
    set_option,
    shuffle_seats,
    start,
)
from companion.tables.seats import free_seat, redeem, take_seat, ticket_for
from tests.tables.sitting import FACTIONS, NAMES, Sitting, assert_sound, play, refused, rows, sit

pytestmark = pytest.mark.django_db


# Opening


def test_open_table_without_seats() -> None:
    opened = open_table(game="raubritter")

    table = Table.objects.get()
    assert (table.game, table.status, table.version, table.head, table.latest) == (
        "raubritter",
        "open",
        1,
        0,
        0,
    )
    assert len(table.code) == 6
    assert set(table.code) <= set(ALPHABET)
    assert table.setup is None
    assert opened.seats == ()


def test_tokens_are_stored_hashed_only() -> None:
    sitting = sit()

    everything = str(rows())
    assert all(token not in everything for token in (sitting.host_token, *sitting.tokens.values()))
    assert sitting.table.host_hash == hash_of(sitting.host_token)


def test_seats_are_numbered_in_the_given_order() -> None:
    sitting = sit(3)

    seats = [(seat.number, seat.name, seat.faction) for seat in sitting.table.seats.all()]
    assert seats == [(1, "Ada", "blue"), (2, "Béla", "yellow"), (3, "Carla", "green")]


def test_code_is_case_insensitive() -> None:
    sitting = sit()

    assert find(sitting.table.code.lower()) == sitting.table


@pytest.mark.parametrize("code", ["", "CDFGHJ", "CDFGH", "CDFGHJK", "\0", "ß", "ÄÖÜ", "%", "'; --", "\ud800"])
def test_unknown_code_is_rejected(code: str) -> None:
    with refused("unknown"):
        find(code)


@pytest.mark.parametrize("game", ["chess", "", "\0", "\ud800"])
def test_unknown_game_is_rejected(game: str) -> None:
    with refused("bad-input"):
        open_table(game=game)


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        ([NewSeat("Ada", "blue"), NewSeat("Béla", "blue")], "taken"),
        ([NewSeat("Ada", "purple")], "bad-input"),
        ([NewSeat("Ada", "\ud800")], "bad-input"),
        ([NewSeat("", "blue")], "bad-input"),
        ([NewSeat("  \u200b ", "blue")], "bad-input"),
        ([NewSeat("A" * 21, "blue")], "bad-input"),
        ([NewSeat("Ada", "")] * 5, "bad-input"),
    ],
)
def test_invalid_seats_are_rejected(seats: list[NewSeat], code: str) -> None:
    with refused(code):
        open_table(game="raubritter", seats=seats)


@pytest.mark.parametrize(
    "options",
    [
        [],
        "full",
        {"mode": "fast"},
        {"mode": None},
        {"players": "2"},
        {"players": True},
        {"players": 2.0},
        {"first_player": "purple"},
        {"first_player": ["blue"]},
        {"start_rows": 3},
        {"must_move": 1},
        {"tile_set": {}},
        {"colour": "red"},
        {"\ud800": 1},
        {"must_move": "\0"},
        {"players": float("inf")},
    ],
)
def test_invalid_options_are_rejected(options: Any) -> None:
    with refused("bad-input"):
        open_table(game="raubritter", options=options)


def test_options_are_stored_with_defaults() -> None:
    table = open_table(game="raubritter", options={"must_move": True, "first_player": "random"}).table

    assert table.options["mode"] == "full"
    assert table.options["must_move"] is True
    assert table.options["lone_knight"] is False
    assert table.options["first_player"] == "random"
    assert "players" not in table.options


# Options before the start


def test_option_can_be_changed_before_the_start() -> None:
    sitting = sit()

    set_option(table=sitting.table, access=sitting.host, name="must_move", value=True)

    assert sitting.fresh().options["must_move"] is True
    assert sitting.fresh().version == 2


def test_option_set_to_none_is_removed() -> None:
    sitting = sit(options={"first_player": "blue"})

    set_option(table=sitting.table, access=sitting.host, name="first_player", value=None)

    assert "first_player" not in sitting.fresh().options


@pytest.mark.parametrize(("name", "value"), [("must_move", "yes"), ("colour", 1), ("mode", "pad"), ("\0", 1)])
def test_invalid_option_is_rejected(name: str, value: Any) -> None:
    sitting = sit()

    with refused("bad-input"):
        set_option(table=sitting.table, access=sitting.host, name=name, value=value)


def test_option_cannot_be_changed_after_the_start() -> None:
    sitting = play()

    with refused("started"):
        set_option(table=sitting.table, access=sitting.host, name="must_move", value=True)


# Start


def test_start_of_the_game() -> None:
    sitting = sit(3)

    start(table=sitting.table, access=sitting.host)

    table = sitting.fresh()
    assert (table.status, table.phase, table.round, table.version) == ("playing", "setup", 0, 2)
    assert table.waiting_for == ["blue", "yellow", "green"]
    assert table.started_at is not None
    assert table.setup["factions"] == ["blue", "yellow", "green"]
    assert Holding.objects.count() == 6
    assert Standing.objects.count() == 3
    assert_sound(table)


def test_started_game_cannot_be_started_again() -> None:
    sitting = play()

    with refused("started"):
        start(table=sitting.table, access=sitting.host)


def test_abandoned_game_cannot_be_started() -> None:
    sitting = sit()
    abandon(table=sitting.table, access=sitting.host)

    with refused("started"):
        start(table=sitting.table, access=sitting.host)


@pytest.mark.parametrize("players", [0, 1])
def test_too_few_players_are_rejected(players: int) -> None:
    sitting = sit(players)

    with refused("illegal") as caught:
        start(table=sitting.table, access=sitting.host)

    assert caught.value.message == "Robber Knights is for 2 to 4 players."
    assert caught.value.rule == "3"


@pytest.mark.parametrize(("seated", "players"), [(3, 2), (2, 3), (2, 10**30), (2, 0), (2, -1)])
def test_number_of_seats_must_match_the_players_option(seated: int, players: int) -> None:
    sitting = sit(seated, {"players": players})

    with refused("illegal"):
        start(table=sitting.table, access=sitting.host)


def test_first_player_without_a_seat_is_rejected() -> None:
    sitting = sit(2, {"first_player": "red"})

    with refused("bad-input"):
        start(table=sitting.table, access=sitting.host)


def test_chosen_first_player_starts() -> None:
    sitting = play(3, options={"first_player": "green"})

    assert sitting.fresh().order == ["green", "blue", "yellow"]


def test_random_first_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_dice", random.Random(4))

    firsts = {play(4, options={"first_player": "random"}).table.setup["first"] for _ in range(24)}

    assert firsts == set(FACTIONS)


def test_seats_without_faction_get_a_random_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_dice", random.Random(4))
    drawn = set()
    for _ in range(24):
        opened = open_table(
            game="raubritter", seats=[NewSeat("Ada", ""), NewSeat("Béla", "red"), NewSeat("Carla", "")]
        )
        start(table=opened.table, access=identify(opened.table, [opened.host_token]))
        factions = [seat.faction for seat in opened.table.seats.all()]
        assert factions[1] == "red"
        assert len(set(factions)) == 3
        assert opened.table.setup["factions"] == factions
        drawn.add((factions[0], factions[2]))

    assert len(drawn) == 6


def test_rejected_start_draws_no_factions() -> None:
    opened = open_table(game="raubritter", seats=[NewSeat("Ada", "")])

    with refused("illegal"):
        start(table=opened.table, access=identify(opened.table, [opened.host_token]))

    assert Seat.objects.get().faction == ""


def test_seats_are_shuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_dice", random.Random(4))
    sitting = sit(3)
    orders = set()
    for _ in range(40):
        shuffle_seats(table=sitting.table, access=sitting.host)
        seats = list(sitting.table.seats.all())
        assert [seat.number for seat in seats] == [1, 2, 3]
        orders.add(tuple(seat.faction for seat in seats))

    assert len(orders) == 6


def test_shuffling_closes_gaps_in_seat_numbers() -> None:
    sitting = sit(3)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("yellow"))

    shuffle_seats(table=sitting.table, access=sitting.host)

    assert [seat.number for seat in sitting.table.seats.all()] == [1, 2]


def test_seats_cannot_be_shuffled_after_the_start() -> None:
    sitting = play()

    with refused("started"):
        shuffle_seats(table=sitting.table, access=sitting.host)


# Rematch


def test_rematch_keeps_players_options_and_tokens() -> None:
    sitting = play(3, 8, options={"must_move": True})

    new_table = rematch(table=sitting.table, access=sitting.host)

    assert new_table.rematch_of == sitting.table
    assert new_table.status == "open"
    assert new_table.code != sitting.table.code
    assert new_table.options == sitting.table.options
    seats = [(seat.number, seat.name, seat.faction) for seat in new_table.seats.all()]
    assert seats == list(zip((1, 2, 3), NAMES, FACTIONS, strict=False))
    assert [identify(new_table, [token]).factions for token in sitting.tokens.values()] == [
        ("blue",),
        ("yellow",),
        ("green",),
    ]
    assert identify(new_table, [sitting.host_token]).is_host
    assert sitting.fresh().version == 11


def test_rematch_is_independent_of_the_first_game() -> None:
    sitting = play(2, 6)
    new_table = rematch(table=sitting.table, access=sitting.host)
    start(table=new_table, access=identify(new_table, [sitting.host_token]))

    second = Sitting(new_table, sitting.host_token, sitting.tokens)
    assert second.fresh().head == 0
    assert game_of(new_table).phase(state_at(new_table, 0)) == "setup"
    assert sitting.fresh().head == 6


def test_second_rematch_request_returns_the_existing_table() -> None:
    sitting = play()

    first = rematch(table=sitting.table, access=sitting.host)
    before = rows()
    assert rematch(table=sitting.table, access=sitting.host) == first
    assert rows() == before

    start(table=first, access=identify(first, [sitting.host_token]))
    assert rematch(table=sitting.table, access=sitting.host) == first


def test_new_rematch_after_an_ended_one() -> None:
    sitting = play()
    first = rematch(table=sitting.table, access=sitting.host)
    abandon(table=first, access=identify(first, [sitting.host_token]))

    assert rematch(table=sitting.table, access=sitting.host) != first


def test_freed_seat_is_missing_at_the_rematch() -> None:
    sitting = play(3)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("yellow"))

    new_table = rematch(table=sitting.table, access=sitting.host)

    assert [seat.faction for seat in new_table.seats.all()] == ["blue", "green"]
    seat, _token = take_seat(table=new_table, name="Zoe", faction="red")
    assert seat.number == 4


def test_host_keeps_their_seat_at_the_rematch() -> None:
    sitting = play(2)
    hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("yellow"))

    new_table = rematch(table=sitting.table, access=sitting.access("yellow"))

    assert new_table.host is not None
    assert (new_table.host.table_id, new_table.host.faction) == (new_table.pk, "yellow")
    assert identify(new_table, [sitting.tokens["yellow"]]).is_host


def test_moving_a_seat_at_the_rematch_keeps_it_at_the_first_table() -> None:
    sitting = play(2)
    new_table = rematch(table=sitting.table, access=sitting.host)
    seat = new_table.seats.get(faction="blue")
    access = identify(new_table, [sitting.tokens["blue"]])

    _seat, token = redeem(table=new_table, ticket=ticket_for(access=access, seat=seat))

    assert identify(new_table, [token]).factions == ("blue",)
    assert identify(new_table, [sitting.tokens["blue"]]).is_stranger
    assert sitting.access("blue").factions == ("blue",)

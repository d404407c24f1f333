"""The position page of Wallenstein: season, cards, provinces, goods of players, tower."""

from __future__ import annotations

import json
from typing import Any

import pytest

from companion.journal.states import state_at
from companion.titles.wallenstein.position import initial_facts
from games.core.actions import Lying, Position
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.state import gold_of, owner_of
from tests.pages.conftest import Phone

FACTIONS = ("red", "blue", "yellow")
EVENTS = ("trade-bonus", "church-peace")


@pytest.fixture
def host(db: None) -> Phone:
    """The host's phone, which has all seats, at a table of three after the setup."""
    phone = Phone()
    phone.take_up("wallenstein", *FACTIONS)
    return phone


def lay_events(phone: Phone, *events: str) -> None:
    cards: dict[str, Any] = {f"e.{i}": event for i, event in enumerate(events)}
    cards |= {f"l.{i}": "4" for i in range(len(events))}
    phone.post("position/", do="events", **cards)


def test_draft_starts_from_the_setup(host: Phone) -> None:
    page = host.position()
    assert "Red: 7 of 61 cubes placed, 54 in supply" in page
    assert "Not yet: Name the 4 event cards that still lie in the row." in page
    assert "Gold − 18 +" in host.position("?part=players"), "goods without a limited supply are listed"


def test_position_in_autumn_is_one_entry(host: Phone) -> None:
    host.post("position/", do="when", when="7 row")
    lay_events(host, *EVENTS)
    host.post("position/", do="earlier", faction="blue")
    host.tap("put", "red", "army", "province:baden", "5")
    host.tap("put", "red", "army", "province:baden", "1")
    host.tap("put", "peasants", "church", "province:baden", "1")
    host.tap("put", "peasants", "unrest", "province:baden", "1")
    host.tap("put", "blue", "army", "province:augsburg", "1")
    host.tap("keep", "salzburg", "yellow")
    host.tap("take", "red", "gold", "supply", "5")
    host.tap("put", "red", "grain", "supply", "5")
    host.tap("put", "blue", "point", "score:buildings", "5")
    host.tap("take", "red", "army", "tower", "5")
    host.tap("put", "yellow", "army", "cup", "1")
    assert host.table().latest == 0, "nothing is submitted yet"
    assert "This can be." in host.position()
    assert "1 of 2 cities" in host.position("?part=land&place=province:baden")

    host.post("position/", do="send")

    table = host.table()
    state = state_at(table, table.head)
    assert (table.round, table.phase, table.latest) == (7, "row", 1)
    assert state.order == ("blue", "red", "yellow")
    assert [(card.event, card.loss) for card in state.events] == [(event, 4) for event in EVENTS]
    assert (owner_of(state, "baden"), owner_of(state, "salzburg")) == ("red", "yellow")
    count = state.ledger.count
    assert count("red", "army", "province:baden") == 6
    assert (count("red", "army", "tower"), count("yellow", "army", "cup")) == (2, 1)
    assert count("red", "army", "supply") == 61 - 6 - 2
    assert (gold_of(state, "red"), gold_of(state, "blue")) == (13, 18)
    assert (count("red", "grain", "supply"), count("blue", "point", "score:buildings")) == (5, 5)


@pytest.mark.parametrize(
    ("taps", "message"),
    [
        (
            [("red", "army", "augsburg", "1"), ("blue", "army", "augsburg", "1")],
            "Augsburg",
        ),
        (
            [
                ("red", "army", "passau", "1"),
                *(("peasants", tile, "passau", "1") for tile in ("palace", "church")),
            ],
            "Passau: more buildings than cities, or two of one kind.",
        ),
        ([("peasants", "unrest", "passau", "1")], "Passau"),
        ([("red", "army", "passau", "5")] * 11, "61"),
    ],
)
def test_impossible_pieces_are_rejected_with_a_message(
    host: Phone, taps: list[tuple[str, str, str, str]], message: str
) -> None:
    host.post("position/", do="when", when="1 row")
    lay_events(host, *EVENTS, "palace-guards", "angry-peasants")
    assert "This can be." in host.position()
    for owner, piece, province, count in taps:
        assert host.tap("put", owner, piece, f"province:{province}", count) == 302
    page = host.position()
    assert "Not yet: " in page
    assert message in page.split("Not yet: ")[1]
    assert host.post("position/", do="send").status_code == 400
    assert host.table().latest == 0


def test_number_of_event_cards_depends_on_the_season(host: Phone) -> None:
    host.post("position/", do="when", when="6 row")
    assert "Name the 3 event cards" in host.position()
    host.post("position/", do="when", when="8 winter")
    lay_events(host, "church-peace")
    assert "This can be." in host.position()
    host.post("position/", do="when", when="4 events")
    assert "This can be." in host.position()


@pytest.mark.parametrize(
    "form",
    [
        {"do": "tap", "tap": "put red army nowhere 1"},
        {"do": "tap", "tap": "put green army province:baden 1"},
        {"do": "tap", "tap": "put red army province:bremen 1"},  # not used with three players
        {"do": "tap", "tap": "keep baden purple"},
        {"do": "tap", "tap": ""},
        {"do": "when", "when": "9 row"},
        {"do": "events", "e.0": "nonsense", "l.0": "3"},
        {"do": "events", "e.0": "church-peace", "l.0": "x"},
    ],
)
def test_invalid_taps_change_nothing(host: Phone, form: dict[str, Any]) -> None:
    before = host.position()
    answer = host.post("position/", **form)
    assert answer.status_code == 400
    assert host.position() == before


def test_position_of_a_played_state_restores_that_state() -> None:
    state = WALLENSTEIN.machine.settle(
        WALLENSTEIN.start(WALLENSTEIN.prepare(FACTIONS, players=len(FACTIONS)))
    ).state
    while (state.round, WALLENSTEIN.phase(state)) != (2, "row"):
        state = WALLENSTEIN.apply(state, WALLENSTEIN.prompts(state)[0].example).state
    facts = json.loads(json.dumps(initial_facts(state)))
    uncounted = WALLENSTEIN.uncounted
    holdings = tuple(
        Lying(**line._asdict())
        for line in state.ledger.holdings()
        if line.place != "supply" or line.piece in uncounted
    )
    draft = Position(faction="red", round=2, phase="row", order=state.order, holdings=holdings, facts=facts)
    taken = WALLENSTEIN.apply(state, draft).state
    for fact in ("events", "kept", "ledger", "round", "order"):
        assert getattr(taken, fact) == getattr(state, fact), fact
    assert sorted(taken.drawn) == sorted(state.drawn)

"""The position page of Revolution: provinces, strips, boxes, charts."""

from __future__ import annotations

import json

import pytest

from companion.journal.states import state_at
from companion.titles.revolution.position import initial_facts
from games.core.actions import Lying, Position
from games.revolution import REVOLUTION
from tests.pages.conftest import Phone

FACTIONS = ("catholics", "habsburgs", "nobility", "burghers", "reformers")


@pytest.fixture
def host(db: None) -> Phone:
    """The host's phone, which has all seats, at a table of five after the setup."""
    phone = Phone()
    phone.take_up("revolution", *FACTIONS)
    return phone


def test_draft_starts_from_the_setup(host: Phone) -> None:
    page = host.position()
    assert "This can be." in page
    assert "Catholics: 12 of 32 placed, 20 in supply" in page
    assert "Neutrals: 4 of 47 placed, 43 in supply" in page
    assert "Whose turn it is" not in page, "the phase says it"


def test_position_from_round_to_charts_is_one_entry(host: Phone) -> None:
    host.post("position/", do="round", round="3")
    host.post("position/", do="phase", phase="new-units")
    host.post("position/", do="earlier", faction="reformers")
    for _ in range(3):
        host.tap("put", "burghers", "counter", "countryside:holland")
    host.tap("put", "burghers", "counter", "city:leiden")
    host.tap("put", "burghers", "counter", "city:leiden")
    host.tap("only", "burghers", "counter", "town:delft")
    host.tap("put", "habsburgs", "army", "strip:flanders")
    host.tap("put", "nobility", "counter", "treasury")
    host.tap("only", "burghers", "counter", "support:huguenots:2")
    host.tap("fact", "allegiance", "leiden", "7")
    host.tap("fact", "provinces", "trier", "nobody")
    assert host.table().latest == 0, "nothing counts yet"
    charts = host.position("?part=charts")
    assert "Leiden column 7 Burghers" in charts, "the card follows the counters, the marker the tap"
    assert "Holland Burghers" in charts
    assert "Trier Nobody" in charts
    assert "This can be." in charts

    host.post("position/", do="send")

    table = host.table()
    state = state_at(table, table.head)
    assert (table.round, table.phase, table.latest) == (3, "new-units", 1)
    assert state.order == ("catholics", "habsburgs", "nobility", "reformers", "burghers")
    assert state.ledger.count("burghers", "counter", "countryside:holland") == 3
    assert [line.owner for line in state.ledger.at("town:delft")] == ["burghers"]
    assert (state.cities["leiden"], state.allegiance["leiden"], state.allegiance["gent"]) == (
        "burghers",
        7,
        5,
    )
    assert (state.provinces["holland"], state.provinces["trier"]) == ("burghers", None)


def test_draft_of_a_running_game_has_its_cards_and_markers(host: Phone) -> None:
    host.tap("fact", "bishoprics", "liege", "strongly-reformed")
    host.tap("fact", "cities", "gent", "nobody")
    host.post("position/", do="send")
    charts = host.position("?part=charts")
    assert "Gent column 5 Nobody" in charts
    assert "Liège strongly reformed" in charts
    host.tap("forget", "cities")
    assert "Gent column 5 Reformers" in host.position("?part=charts")


def test_position_of_a_played_state_restores_that_state() -> None:
    state = REVOLUTION.start(REVOLUTION.prepare(FACTIONS, players=5)).state
    while state.round < 2:
        action = REVOLUTION.prompts(state)[0].example
        state = REVOLUTION.apply(state, action).state
    facts = json.loads(json.dumps(initial_facts(state)))
    holdings = tuple(Lying(**line._asdict()) for line in state.ledger.holdings() if line.place != "supply")
    draft = Position(
        faction="catholics", round=2, phase="taxes", order=state.order, holdings=holdings, facts=facts
    )
    taken = REVOLUTION.apply(state, draft).state
    for fact in ("cities", "provinces", "bishoprics", "universities", "allegiance", "scores", "ledger"):
        assert getattr(taken, fact) == getattr(state, fact), fact


def test_too_many_counters_are_reported_at_once(host: Phone) -> None:
    for _ in range(21):
        host.tap("put", "catholics", "counter", "countryside:koeln")
    page = host.position("?part=land&place=countryside:koeln")
    assert "Catholics: 33 placed, but there are only 32" in page
    assert "Not yet: Catholics: there are only 32 counters in the box, but 33 are named." in page
    host.tap("take", "catholics", "counter", "countryside:koeln")
    assert "This can be." in host.position()


def test_clearing_the_board_keeps_the_water_beggars_in_their_box(host: Phone) -> None:
    host.post("position/", do="empty")
    page = host.position("?part=armies")
    assert "In their box Water Beggars − 3 +" in page
    assert "Catholics: 0 of 32 placed" in page


def test_places_of_a_phase_are_offered_in_that_phase_only(host: Phone) -> None:
    assert "Besieging Leiden" not in host.position("?part=land&place=city:leiden")
    host.post("position/", do="phase", phase="completing")
    assert "Besieging Leiden" in host.position("?part=land&place=city:leiden")
    assert "Who hired the Water Beggars" in host.position("?part=armies")
    assert "Water Beggars in Holland region" in host.position("?part=armies")
    host.tap("put", "neutral", "beggar", "siege:leiden")
    host.tap("take", "neutral", "beggar", "beggars")
    host.tap("fact", "hirer", "beggars", "reformers")
    host.post("position/", do="send")
    assert host.table().latest == 1


def test_round_0_has_its_own_phases_and_no_charts(host: Phone) -> None:
    host.post("position/", do="round", round="0")
    page = host.position()
    assert "Support movement" in page
    assert "Taxes" not in page
    assert "Cards are dealt and markers placed at the end of round 0." in host.position("?part=charts")
    host.post("position/", do="send")
    assert (host.table().round, host.table().phase) == (0, "support")


@pytest.mark.parametrize(
    "words",
    [
        "",
        "put",
        "put catholics counter city:rome",
        "put catholics dragon city:koeln",
        "put red counter city:koeln",
        "only catholics counter moon",
        "fact moon koeln catholics",
        "fact cities rome catholics",
        "fact cities koeln red",
        "fact allegiance koeln 8",
        "fact hirer beggars catholics",
    ],
)
def test_invalid_taps_are_rejected(host: Phone, words: str) -> None:
    before = host.position()
    assert host.tap(words) == 400
    assert host.position() == before


@pytest.mark.parametrize("round_", ["6", "-1", "x", ""])
def test_invalid_rounds_are_rejected(host: Phone, round_: str) -> None:
    answer = host.post("position/", do="round", round=round_)
    assert answer.status_code == 400
    assert "Rounds go from 0 to 5." in answer.content.decode()


def test_unknown_buttons_are_rejected(host: Phone) -> None:
    assert host.post("position/", do="fly").status_code == 400
    assert host.get("position/?part=moon&place=moon").status_code == 200

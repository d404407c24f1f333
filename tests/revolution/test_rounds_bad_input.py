"""Input errors in a game: section and sentence of each refusal (digest part 10)."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from games.core.actions import Action, Lying, Position, Ruling
from games.core.errors import Refused
from games.revolution.actions import (
    Dispute,
    Draft,
    Influence,
    Intercept,
    LayOut,
    Overflow,
    Place,
    Settled,
    Shortage,
    StartArmies,
    StepBy,
    Stream,
    Support,
    Tax,
)
from games.revolution.board import figures_wrong
from games.revolution.factions import FACTIONS
from games.revolution.state import State
from tests.core.rendering import faults, sentence
from tests.revolution.campaigns import GAME, SEATS, apply, refused, settled
from tests.revolution.digest_board import digest_figures, on_board
from tests.revolution.test_rounds import (
    ALL_FIVE,
    FLEET,
    HUGUENOTS,
    movement_in_brabant,
    neutral_shortage,
    started_state,
)

C, H, N, B, R = FACTIONS


# Players and factions (rows 1 to 3)


@pytest.mark.parametrize(
    ("players", "factions", "text"),
    [
        (1, (C,), "Revolution is for 2 to 5 players."),
        (6, (C, H, N, B, R), "Revolution is for 2 to 5 players."),
        (3, (H, N, R), "The Catholics must be in a three-player game."),
        (2, (C, N, B, R), "The Nobility is not used with 2 or 4 players."),
        (4, (C, N, B, R), "The Nobility is not used with 2 or 4 players."),
    ],
)
def test_invalid_players_or_factions_are_refused(players: int, factions: tuple[str, ...], text: str) -> None:
    with pytest.raises(Refused) as refusal:
        GAME.prepare(factions, players=players)
    assert sentence(GAME, refusal.value.message) == text


# Actions


def assert_refused(state: State, action: Action, rule: str | None, text: str) -> None:
    assert refused(state, action) == (rule, text)


def test_7_invalid_starting_armies_are_refused() -> None:
    text = "Start armies go on orange boxes, one per box."
    assert_refused(started_state(), StartArmies(faction=H, regions={"utrecht": 1, "rest": 1}), "3.6", text)
    assert_refused(started_state(), StartArmies(faction=H, regions={"rest": 2}), "3.6", text)
    one = StartArmies(faction=H, regions={"rest": 1})
    assert_refused(started_state(), one, "3.6", "Put down exactly 2 armies.")


def test_8_two_counters_in_a_town_are_refused() -> None:
    layout = {"town:leuven": {C: 2}, "countryside:brabant": {N: 2, "neutral": 1}}
    text = "A town holds one counter. Move one to the countryside."
    assert_refused(movement_in_brabant(), LayOut(faction=C, province="brabant", layout=layout), "5.6", text)


UNITS = {"countryside:artois": "C 2, H 1", "support:jesuits:1": "C 1"}


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ({"support:jesuits:1": 1}, "That cell is taken. Choose an empty one."),
        ({"support:jesuits:2": 2}, "A cell holds one counter."),
        ({"support:calvinists:1": 1}, "Yellow cannot use the Calvinists box."),
        ({"countryside:namur": 1}, "You have no counter in Namur."),
        ({"countryside:artois": 3}, "At most 2 here: you do not control the province."),
        ({"countryside:artois": 2}, "5 more can still be placed on the map or in support."),
        (
            {"town:arras": 1},
            "New counters go to the countryside; they can move into towns and cities in the movement phase.",
        ),
    ],
)
def test_10_to_12_and_43_to_45_invalid_new_units_are_refused(places: dict[str, int], text: str) -> None:
    assert_refused(on_board("new-units", UNITS), Place(faction=C, places=places), "6.10", text)


def test_12_huguenots_in_use_by_another_faction_are_refused() -> None:
    pieces = {"support:huguenots:1": "R 1", "countryside:artois": "B 9"}
    state = on_board("new-units", pieces, order=(B, C, H, N, R))
    text = "The Huguenots box is in use by the Reformers."
    assert_refused(state, Place(faction=B, places={"support:huguenots:2": 1}), "6.10", text)


SUPPORT = {"support:jesuits:1": "C 1", "support:spanish-treasury:1": "C 1"}


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ({"jesuits:1": "treasury"}, "Counters on this cell may only go to the map."),
        ({"spanish-treasury:1": "koeln"}, "Counters on this cell may only go to your treasury."),
        ({"jesuits:1": "namur"}, "This box does not serve Namur."),
        (
            {"jesuits:1": "town:trier"},
            "Place it in the countryside; you can move it into the town in the movement phase.",
        ),
        ({"jesuits:2": "koeln"}, "You have no counter at support:jesuits:2."),
        ({"jesuits:9": "koeln"}, "There is no support cell “jesuits:9” on this board."),
        ({"jesuits:1": "atlantis"}, "There is no province “atlantis” on this board."),
    ],
)
def test_13_to_15_invalid_support_movement_is_refused(moves: dict[str, str], text: str) -> None:
    assert_refused(on_board("support", SUPPORT), Support(faction=C, moves=moves), "6.2.1", text)


def test_16_moving_a_used_huguenot_is_refused() -> None:
    pieces = {"used:huguenots:1": "B 1", "support:london-merchants:1": "B 1"}
    moves = {"huguenots:1": "treasury"}
    text = "This counter has already intercepted this round."
    assert_refused(on_board("support", pieces), Support(faction=B, moves=moves), "6.2.2", text)


def test_17_intercepting_too_many_is_refused() -> None:
    state = on_board("support", {**FLEET, **HUGUENOTS, "supply": "C 20, B 1"})
    state = apply(state, Support(faction=C, moves=ALL_FIVE)).state
    text = "You can intercept at most 1: you have 1 counter in supply."
    assert_refused(state, Intercept(faction=B, count=2), "6.2.2", text)


def tax_state(supply: int) -> State:
    cards = {"artois": C, "cleve": C, "koeln": C, "namur": C}
    cities = dict.fromkeys(("koeln", "liege", "utrecht"), C)
    return on_board("taxes", {"supply": f"C {supply}"}, provinces=cards, cities=cities)


@pytest.mark.parametrize("rate", [0, 4])
def test_18_tax_rate_outside_1_to_3_is_refused(rate: int) -> None:
    text = "Choose one rate from 1 to 3 for all your cities."
    assert_refused(tax_state(20), Tax(faction=C, rate=rate), "6.1", text)


def test_19_tax_rate_above_the_supply_is_refused() -> None:
    text = "Rate 3 needs 11 counters; you have 9 in supply."
    assert_refused(tax_state(9), Tax(faction=C, rate=3), "6.1", text)


def test_21_and_52_invalid_influence_is_refused() -> None:
    state = on_board("influence", {"treasury": "C 5"})
    text = "That costs 7 coins; you have 5."
    assert_refused(state, Influence(faction=C, coins={"koeln": 4, "gent": 3}), "6.16", text)
    refusal = GAME.why_not(settled(state).state, Influence(faction=C, coins={"paris": 1}))
    assert refusal is not None
    assert refusal.rule == "6.16"
    with pytest.raises(Refused) as bad:
        GAME.read_action({"type": "influence", "coins": {"koeln": -1}}, C)
    assert sentence(GAME, bad.value.message) == "Please enter a whole number, 0 or more."


OVERFLOW = {"countryside:gelderland": "C 10", "countryside:cleve": "N 8"}


@pytest.mark.parametrize(
    ("target", "count", "text"),
    [
        ("namur", 1, "Namur cannot be reached: Liège is held by the Burghers."),
        ("brabant", 1, "Brabant cannot be reached."),
        ("cleve", 1, "Cleve is full."),
        ("utrecht", 3, "Only 2 counters are above the limit."),
    ],
)
def test_46_and_47_invalid_overflow_is_refused(target: str, count: int, text: str) -> None:
    state = on_board("overflow", OVERFLOW, cities={"liege": B})
    stream = Stream(source="gelderland", target=target, count=count)
    assert_refused(state, Overflow(faction=C, moves=(stream,)), "6.13", text)


def test_48_layout_with_changed_totals_is_refused() -> None:
    state = on_board("movement", {"countryside:holland": "B 3, C 2"})
    layout = {"countryside:holland": {B: 3, C: 1}}
    text = "Totals in Holland must stay: Yellow 2, Blue 3."
    assert_refused(state, LayOut(faction=B, province="holland", layout=layout), "6.14", text)
    elsewhere = {"countryside:holland": {B: 3, C: 1}, "countryside:utrecht": {C: 1}}
    assert_refused(state, LayOut(faction=B, province="holland", layout=elsewhere), "6.14", text)


def test_49_movement_into_a_besieged_city_is_refused() -> None:
    pieces = {"city:haarlem": "B 2", "siege:haarlem": "H 1", "countryside:holland": "B 1"}
    layout: dict[str, Any] = {"city:haarlem": {B: 3}}
    text = "Haarlem is under siege."
    assert_refused(
        on_board("movement", pieces), LayOut(faction=B, province="holland", layout=layout), "6.14", text
    )


def disputed_state() -> State:
    state = on_board("movement", {"countryside:brabant": "C 3, N 2", "city:brussels": "B 1"})
    state = GAME.apply(state, Dispute(faction=N, province="brabant")).state
    layout = {"countryside:brabant": {C: 2, N: 2}, "city:brussels": {B: 1, C: 1}}
    return GAME.apply(state, StepBy(faction=C, province="brabant", layout=layout)).state


def test_50_displacing_a_faction_that_has_moved_is_refused() -> None:
    layout = {"countryside:brabant": {C: 3, N: 2}, "city:brussels": {B: 1}}
    text = "Yellow has already moved in this province."
    assert_refused(disputed_state(), StepBy(faction=N, province="brabant", layout=layout), "6.14", text)


def test_displacing_counters_into_a_town_is_refused() -> None:
    state = on_board("movement", {"countryside:brabant": "C 3, N 2"})
    state = GAME.apply(state, Dispute(faction=N, province="brabant")).state
    layout = {"countryside:brabant": {C: 3, N: 1}, "town:leuven": {N: 1}}
    text = "Nobility: counters that have not moved may only be pushed to the countryside."
    assert_refused(state, StepBy(faction=C, province="brabant", layout=layout), "6.14", text)


def test_51_invalid_shortage_choice_is_refused() -> None:
    text = "Choose exactly 2 different provinces."
    assert_refused(neutral_shortage(2), Shortage(faction=C, provinces=("artois",)), "6.12", text)
    assert_refused(neutral_shortage(2), Shortage(faction=C, provinces=("artois", "artois")), "6.12", text)
    assert_refused(
        neutral_shortage(2),
        Shortage(faction=C, provinces=("artois", "namur")),
        "6.12",
        "Namur needs no more neutrals.",
    )


def test_53_action_out_of_turn_is_refused() -> None:
    pieces = {"countryside:artois": "C 2, H 9", "countryside:namur": "H 9"}
    state = on_board("new-units", pieces, order=(H, C, N, B, R))
    text = "Waiting for the Habsburgs."
    assert_refused(state, Place(faction=C, places={"countryside:artois": 2}), "4.1", text)


def test_54_settling_before_all_have_moved_is_refused() -> None:
    text = "Phase 14 is not finished: Nobility has not moved in Brabant."
    assert_refused(disputed_state(), Settled(faction=C), "6.14", text)


def test_55_place_outside_the_row_is_refused() -> None:
    state = settled(on_board("status", {}, round=1)).state
    faction = GAME.prompts(state)[0].faction
    assert_refused(state, Draft(faction=faction, position=2), "6.20", "Choose a place from 1 to 2.")


# The board (rows 56 to 58)


@pytest.mark.parametrize(
    ("path", "value", "text"),
    [
        (("provinces", "zeeland", "limit"), 0, "Enter the limit printed in the shield of Zeeland."),
        (("provinces", "zeeland", "points"), 0.7, "A province card shows 0, 0.5 or 1."),
        (("provinces", "zeeland", "tax"), -1.0, "Zeeland: tax and points are 0 or more."),
        (("commercial",), ["town:breda"] * 6, "Mark exactly 7 commercial towns (you marked 1)."),
        (("bishoprics",), ["artois"], "Mark exactly 6 bishoprics (you marked 1)."),
        (("universities",), [], "Mark exactly 7 universities (you marked 0)."),
        (
            ("provinces", "zeeland", "neighbours"),
            ["namur"],
            "Generality names Zeeland as a neighbour, but not the other way round.",
        ),
        (("provinces", "namur", "towns"), ["breda"], "Breda lies in more than one province."),
        (("provinces", "namur", "region"), "nowhere", "Namur lies in no region."),
        (("provinces", "namur", "region"), "holland", "Holland is a region of its own."),
        (("provinces", "flanders", "region"), "rest", "Brabant shares its region with other provinces."),
        (("support", "calvinists", "cells"), ["both"], "Calvinists needs at least 4 cells."),
    ],
)
def test_56_to_58_invalid_figures_are_reported(path: tuple[str, ...], value: Any, text: str) -> None:
    figures = copy.deepcopy(digest_figures())
    part: Any = figures
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    messages = figures_wrong(figures)
    assert text in [sentence(GAME, message) for message in messages]
    assert not [fault for message in messages for fault in faults(GAME, message)]


# Impossible rulings


@pytest.mark.parametrize(
    ("phase", "key", "result", "text"),
    [
        (
            "conflict",
            "conflict:namur",
            {"catholics": 9},
            "Catholics: there are only 2 here; more cannot be left.",
        ),
        ("influence", "influence:koeln", 8, "The chart has columns 1 to 7."),
    ],
)
def test_impossible_ruling_is_refused(phase: str, key: str, result: Any, text: str) -> None:
    pieces = {"countryside:namur": "C 2, H 2", "influence:koeln": "C 1", "countryside:artois": "X 9"}
    state = on_board(phase, pieces, figures=digest_figures(namur=3))
    ruled = replace(state, rulings={key: Ruling(result=result, reason="House rule")})
    with pytest.raises(Refused) as refusal:
        settled(ruled)
    assert sentence(GAME, refusal.value.message) == text


def test_ruling_with_more_neutrals_than_in_supply_is_refused() -> None:
    ruled = replace(
        neutral_shortage(6), rulings={"neutrals": Ruling(result={"namur": 7}, reason="House rule")}
    )
    with pytest.raises(Refused) as refusal:
        settled(ruled)
    assert sentence(GAME, refusal.value.message) == "There are only 6 neutral counters in supply."


# Starting from an entered position


def position_action(**changes: Any) -> Position:
    pieces = (
        Lying(owner=C, piece="counter", place="city:koeln", count=2),
        Lying(owner=B, piece="counter", place="countryside:holland", count=3),
        Lying(owner="neutral", piece="beggar", place="beggars", count=3),
    )
    fields: dict[str, Any] = {"round": 2, "phase": "taxes", "order": (R, B, N, H, C), "holdings": pieces}
    return Position(faction=C, **{**fields, **changes})


def test_position_sets_the_state() -> None:
    facts = {"allegiance": {"koeln": 7}, "provinces": {"brabant": R}, "scores": {}}
    state = GAME.apply(started_state(), position_action(facts=facts)).state
    assert (state.round, state.order) == (2, (R, B, N, H, C))
    assert (state.cities["koeln"], state.provinces["holland"], state.provinces["brabant"]) == (C, B, R)
    assert (state.allegiance["koeln"], state.allegiance["gent"]) == (7, 5)
    assert state.universities["city:koeln"] == "catholic"
    assert GAME.prompts(state)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"round": 6}, "Rounds go from 0 to 5."),
        ({"phase": "draft"}, "A game cannot be taken up in phase “draft”"),
        ({"round": 0, "phase": "taxes"}, "A game cannot be taken up in phase “taxes”"),
        ({"facts": {"weather": 1}}, "There is no “weather” here"),
        ({"facts": {"cities": {"koeln": "x"}}}, "There is no “x” here"),
        ({"facts": {"allegiance": {"koeln": 8}}}, "The chart has columns 1 to 7."),
        ({"facts": {"universities": {"city:koeln": "absent"}}}, "There is no “absent” here"),
    ],
)
def test_invalid_position_is_refused(changes: dict[str, Any], text: str) -> None:
    refusal = GAME.why_not(started_state(), position_action(**changes))
    assert refusal is not None
    assert sentence(GAME, refusal.message).startswith(text)


def counters_at(owner: str, place: str, count: int) -> Lying:
    return Lying(owner=owner, piece="counter", place=place, count=count)


@pytest.mark.parametrize(
    ("number", "pieces", "text"),
    [
        (
            5,
            (counters_at(B, "countryside:holland", 34),),
            "Burghers: there are only 32 counters in the box, but 34 are named. Please recount.",
        ),
        (
            6,
            (counters_at("neutral", "countryside:holland", 48),),
            "Neutrals: there are only 47 counters in the box, but 48 are named. Please recount.",
        ),
        (8, (counters_at(C, "town:arras", 2),), "2 counters lie at town:arras, but there is room for 1."),
        (
            9,
            (counters_at("neutral", "support:jesuits:1", 1),),
            "Neutral counters never lie at support:jesuits:1.",
        ),
        (
            10,
            (counters_at(C, "support:jesuits:1", 2),),
            "2 counters lie at support:jesuits:1, but there is room for 1.",
        ),
        (11, (counters_at(H, "support:calvinists:1", 1),), "Red cannot use the Calvinists box."),
        (
            12,
            (counters_at(B, "support:huguenots:1", 1), counters_at(R, "support:huguenots:2", 1)),
            "Burghers and Reformers cannot both be with the Huguenots.",
        ),
    ],
)
def test_5_to_12_impossible_holdings_are_refused(number: int, pieces: tuple[Lying, ...], text: str) -> None:
    beggars = Lying(owner="neutral", piece="beggar", place="beggars", count=3)
    refusal = GAME.why_not(started_state(), position_action(holdings=(*pieces, beggars)))
    assert refusal is not None, number
    assert sentence(GAME, refusal.message) == text


@pytest.mark.parametrize("coins", [{"koeln": -1}, {"koeln": 0.5}, {"koeln": "1"}])
def test_52_invalid_number_of_coins_is_refused(coins: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refusal:
        GAME.read_action({"type": "influence", "coins": coins}, C)
    assert sentence(GAME, refusal.value.message) == "Please enter a whole number, 0 or more."


def test_52_coins_for_an_unknown_city_are_refused() -> None:
    state = on_board("influence", {"treasury": "C 5"})
    rule, text = refused(state, Influence(faction=C, coins={"atlantis": 1}))
    assert (rule, text.startswith("There is no “atlantis” here")) == ("6.16", True)


def test_position_at_the_end_of_round_0_deals_cards() -> None:
    """Cards follow from the counters unless the position states them (5.7)."""
    facts = {"bishoprics": {"liege": "strongly-catholic"}, "cities": {"gent": R}}
    fields = position_action(round=0, phase="status", order=FACTIONS, facts=facts)
    state = GAME.apply(started_state(), fields).state
    assert (state.cities["koeln"], state.cities["gent"], state.provinces["holland"]) == (C, R, B)
    assert (state.bishoprics["liege"], state.bishoprics["koeln"]) == ("strongly-catholic", "catholic")
    assert state.scores["0"][C] == {"cities": 1, "provinces": 0, "minor_provinces": 0, "objective": 6}
    before = GAME.apply(started_state(), position_action(round=0, phase="movement", order=FACTIONS)).state
    assert (before.bishoprics, before.cities["koeln"]) == ({}, None)


def test_standard_seats_are_accepted() -> None:
    for players, factions in SEATS.items():
        assert GAME.prepare(factions, players=players).players == players

"""Bad input of the digest (part 10) in the phases of a game: each with its section and its sentence."""

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
from tests.revolution.test_rounds import ALL_FIVE, FLEET, HUGUENOTS, brabant, needing, started

C, H, N, B, R = FACTIONS


# Who plays (rows 1 to 3)


@pytest.mark.parametrize(
    ("players", "factions", "told"),
    [
        (1, (C,), "Revolution is for 2 to 5 players."),
        (6, (C, H, N, B, R), "Revolution is for 2 to 5 players."),
        (3, (H, N, R), "The Catholics must be in a three-player game."),
        (2, (C, N, B, R), "The Nobility is not used with 2 or 4 players."),
        (4, (C, N, B, R), "The Nobility is not used with 2 or 4 players."),
    ],
)
def test_who_plays(players: int, factions: tuple[str, ...], told: str) -> None:
    with pytest.raises(Refused) as refusal:
        GAME.prepare(factions, players=players)
    assert sentence(GAME, refusal.value.message) == told


# Entries: the state, what is entered, the section, the sentence


def check(state: State, action: Action, rule: str | None, told: str) -> None:
    assert refused(state, action) == (rule, told)


def test_7_start_armies() -> None:
    told = "Start armies go on orange boxes, one per box."
    check(started(), StartArmies(faction=H, regions={"utrecht": 1, "rest": 1}), "3.6", told)
    check(started(), StartArmies(faction=H, regions={"rest": 2}), "3.6", told)
    one = StartArmies(faction=H, regions={"rest": 1})
    check(started(), one, "3.6", "Put down exactly 2 armies.")


def test_8_two_counters_in_a_town() -> None:
    layout = {"town:leuven": {C: 2}, "countryside:brabant": {N: 2, "neutral": 1}}
    told = "A town holds one counter. Move one to the countryside."
    check(brabant(), LayOut(faction=C, province="brabant", layout=layout), "5.6", told)


UNITS = {"countryside:artois": "C 2, H 1", "support:jesuits:1": "C 1"}


@pytest.mark.parametrize(
    ("places", "told"),
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
def test_10_to_12_and_43_to_45_new_units(places: dict[str, int], told: str) -> None:
    check(on_board("new-units", UNITS), Place(faction=C, places=places), "6.10", told)


def test_12_the_huguenots_are_not_shared() -> None:
    lying = {"support:huguenots:1": "R 1", "countryside:artois": "B 9"}
    state = on_board("new-units", lying, order=(B, C, H, N, R))
    told = "The Huguenots box is in use by the Reformers."
    check(state, Place(faction=B, places={"support:huguenots:2": 1}), "6.10", told)


SUPPORT = {"support:jesuits:1": "C 1", "support:spanish-treasury:1": "C 1"}


@pytest.mark.parametrize(
    ("moves", "told"),
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
def test_13_to_15_support(moves: dict[str, str], told: str) -> None:
    check(on_board("support", SUPPORT), Support(faction=C, moves=moves), "6.2.1", told)


def test_16_a_used_huguenot() -> None:
    lying = {"used:huguenots:1": "B 1", "support:london-merchants:1": "B 1"}
    moves = {"huguenots:1": "treasury"}
    told = "This counter has already intercepted this round."
    check(on_board("support", lying), Support(faction=B, moves=moves), "6.2.2", told)


def test_17_intercepting_too_many() -> None:
    state = on_board("support", {**FLEET, **HUGUENOTS, "supply": "C 20, B 1"})
    state = apply(state, Support(faction=C, moves=ALL_FIVE)).state
    told = "You can intercept at most 1: you have 1 counter in supply."
    check(state, Intercept(faction=B, count=2), "6.2.2", told)


def taxes(supply: int) -> State:
    cards = {"artois": C, "cleve": C, "koeln": C, "namur": C}
    cities = dict.fromkeys(("koeln", "liege", "utrecht"), C)
    return on_board("taxes", {"supply": f"C {supply}"}, provinces=cards, cities=cities)


@pytest.mark.parametrize("rate", [0, 4])
def test_18_the_rate(rate: int) -> None:
    told = "Choose one rate from 1 to 3 for all your cities."
    check(taxes(20), Tax(faction=C, rate=rate), "6.1", told)


def test_19_the_rate_and_the_supply() -> None:
    told = "Rate 3 needs 11 counters; you have 9 in supply."
    check(taxes(9), Tax(faction=C, rate=3), "6.1", told)


def test_21_and_52_coins() -> None:
    state = on_board("influence", {"treasury": "C 5"})
    told = "That costs 7 coins; you have 5."
    check(state, Influence(faction=C, coins={"koeln": 4, "gent": 3}), "6.16", told)
    refusal = GAME.why_not(settled(state).state, Influence(faction=C, coins={"paris": 1}))
    assert refusal is not None
    assert refusal.rule == "6.16"
    with pytest.raises(Refused) as bad:
        GAME.read_action({"type": "influence", "coins": {"koeln": -1}}, C)
    assert sentence(GAME, bad.value.message) == "Please enter a whole number, 0 or more."


OVERFLOW = {"countryside:gelderland": "C 10", "countryside:cleve": "N 8"}


@pytest.mark.parametrize(
    ("target", "count", "told"),
    [
        ("namur", 1, "Namur cannot be reached: Liège is held by the Burghers."),
        ("brabant", 1, "Brabant cannot be reached."),
        ("cleve", 1, "Cleve is full."),
        ("utrecht", 3, "Only 2 counters are above the limit."),
    ],
)
def test_46_and_47_overflow(target: str, count: int, told: str) -> None:
    state = on_board("overflow", OVERFLOW, cities={"liege": B})
    stream = Stream(source="gelderland", target=target, count=count)
    check(state, Overflow(faction=C, moves=(stream,)), "6.13", told)


def test_48_totals_in_a_province() -> None:
    state = on_board("movement", {"countryside:holland": "B 3, C 2"})
    layout = {"countryside:holland": {B: 3, C: 1}}
    told = "Totals in Holland must stay: Yellow 2, Blue 3."
    check(state, LayOut(faction=B, province="holland", layout=layout), "6.14", told)
    elsewhere = {"countryside:holland": {B: 3, C: 1}, "countryside:utrecht": {C: 1}}
    check(state, LayOut(faction=B, province="holland", layout=elsewhere), "6.14", told)


def test_49_a_besieged_city() -> None:
    lying = {"city:haarlem": "B 2", "siege:haarlem": "H 1", "countryside:holland": "B 1"}
    layout: dict[str, Any] = {"city:haarlem": {B: 3}}
    told = "Haarlem is under siege."
    check(on_board("movement", lying), LayOut(faction=B, province="holland", layout=layout), "6.14", told)


def disputed() -> State:
    state = on_board("movement", {"countryside:brabant": "C 3, N 2", "city:brussels": "B 1"})
    state = GAME.apply(state, Dispute(faction=N, province="brabant")).state
    layout = {"countryside:brabant": {C: 2, N: 2}, "city:brussels": {B: 1, C: 1}}
    return GAME.apply(state, StepBy(faction=C, province="brabant", layout=layout)).state


def test_50_somebody_who_has_moved() -> None:
    layout = {"countryside:brabant": {C: 3, N: 2}, "city:brussels": {B: 1}}
    told = "Yellow has already moved in this province."
    check(disputed(), StepBy(faction=N, province="brabant", layout=layout), "6.14", told)


def test_others_are_pushed_to_the_countryside_only() -> None:
    state = on_board("movement", {"countryside:brabant": "C 3, N 2"})
    state = GAME.apply(state, Dispute(faction=N, province="brabant")).state
    layout = {"countryside:brabant": {C: 3, N: 1}, "town:leuven": {N: 1}}
    told = "Nobility: counters that have not moved may only be pushed to the countryside."
    check(state, StepBy(faction=C, province="brabant", layout=layout), "6.14", told)


def test_51_shortage_picks() -> None:
    told = "Choose exactly 2 different provinces."
    check(needing(2), Shortage(faction=C, provinces=("artois",)), "6.12", told)
    check(needing(2), Shortage(faction=C, provinces=("artois", "artois")), "6.12", told)
    check(
        needing(2),
        Shortage(faction=C, provinces=("artois", "namur")),
        "6.12",
        "Namur needs no more neutrals.",
    )


def test_53_out_of_turn() -> None:
    lying = {"countryside:artois": "C 2, H 9", "countryside:namur": "H 9"}
    state = on_board("new-units", lying, order=(H, C, N, B, R))
    told = "Waiting for the Habsburgs."
    check(state, Place(faction=C, places={"countryside:artois": 2}), "4.1", told)


def test_54_a_phase_that_is_not_finished() -> None:
    told = "Phase 14 is not finished: Nobility has not moved in Brabant."
    check(disputed(), Settled(faction=C), "6.14", told)


def test_55_a_place_outside_the_row() -> None:
    state = settled(on_board("status", {}, round=1)).state
    faction = GAME.prompts(state)[0].faction
    check(state, Draft(faction=faction, position=2), "6.20", "Choose a place from 1 to 2.")


# The board (rows 56 to 58)


@pytest.mark.parametrize(
    ("path", "value", "told"),
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
def test_56_to_58_figures(path: tuple[str, ...], value: Any, told: str) -> None:
    figures = copy.deepcopy(digest_figures())
    part: Any = figures
    for name in path[:-1]:
        part = part[name]
    part[path[-1]] = value
    messages = figures_wrong(figures)
    assert told in [sentence(GAME, message) for message in messages]
    assert not [fault for message in messages for fault in faults(GAME, message)]


# Rulings that hands could not carry out


@pytest.mark.parametrize(
    ("phase", "key", "result", "told"),
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
def test_rulings(phase: str, key: str, result: Any, told: str) -> None:
    lying = {"countryside:namur": "C 2, H 2", "influence:koeln": "C 1", "countryside:artois": "X 9"}
    state = on_board(phase, lying, figures=digest_figures(namur=3))
    ruled = replace(state, rulings={key: Ruling(result=result, reason="House rule")})
    with pytest.raises(Refused) as refusal:
        settled(ruled)
    assert sentence(GAME, refusal.value.message) == told


def test_a_ruling_on_neutrals_that_are_not_there() -> None:
    ruled = replace(needing(6), rulings={"neutrals": Ruling(result={"namur": 7}, reason="House rule")})
    with pytest.raises(Refused) as refusal:
        settled(ruled)
    assert sentence(GAME, refusal.value.message) == "There are only 6 neutral counters in supply."


# Taking a game up in the middle


def taken_up(**changes: Any) -> Position:
    lying = (
        Lying(owner=C, piece="counter", place="city:koeln", count=2),
        Lying(owner=B, piece="counter", place="countryside:holland", count=3),
        Lying(owner="neutral", piece="beggar", place="beggars", count=3),
    )
    given: dict[str, Any] = {"round": 2, "phase": "taxes", "order": (R, B, N, H, C), "holdings": lying}
    return Position(faction=C, **{**given, **changes})


def test_a_game_is_taken_up() -> None:
    facts = {"allegiance": {"koeln": 7}, "provinces": {"brabant": R}, "scores": {}}
    state = GAME.apply(started(), taken_up(facts=facts)).state
    assert (state.round, state.order) == (2, (R, B, N, H, C))
    assert (state.cities["koeln"], state.provinces["holland"], state.provinces["brabant"]) == (C, B, R)
    assert (state.allegiance["koeln"], state.allegiance["gent"]) == (7, 5)
    assert state.universities["city:koeln"] == "catholic"
    assert GAME.prompts(state)


@pytest.mark.parametrize(
    ("changes", "told"),
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
def test_a_game_that_cannot_be_taken_up(changes: dict[str, Any], told: str) -> None:
    refusal = GAME.why_not(started(), taken_up(**changes))
    assert refusal is not None
    assert sentence(GAME, refusal.message).startswith(told)


def lies(owner: str, place: str, count: int) -> Lying:
    return Lying(owner=owner, piece="counter", place=place, count=count)


@pytest.mark.parametrize(
    ("number", "lying", "told"),
    [
        (
            5,
            (lies(B, "countryside:holland", 34),),
            "Burghers: there are only 32 counters in the box, but 34 are named. Please recount.",
        ),
        (
            6,
            (lies("neutral", "countryside:holland", 48),),
            "Neutrals: there are only 47 counters in the box, but 48 are named. Please recount.",
        ),
        (8, (lies(C, "town:arras", 2),), "2 counters lie at town:arras, but there is room for 1."),
        (9, (lies("neutral", "support:jesuits:1", 1),), "Neutral counters never lie at support:jesuits:1."),
        (
            10,
            (lies(C, "support:jesuits:1", 2),),
            "2 counters lie at support:jesuits:1, but there is room for 1.",
        ),
        (11, (lies(H, "support:calvinists:1", 1),), "Red cannot use the Calvinists box."),
        (
            12,
            (lies(B, "support:huguenots:1", 1), lies(R, "support:huguenots:2", 1)),
            "Burghers and Reformers cannot both be with the Huguenots.",
        ),
    ],
)
def test_5_to_12_what_no_table_could_show(number: int, lying: tuple[Lying, ...], told: str) -> None:
    beggars = Lying(owner="neutral", piece="beggar", place="beggars", count=3)
    refusal = GAME.why_not(started(), taken_up(holdings=(*lying, beggars)))
    assert refusal is not None, number
    assert sentence(GAME, refusal.message) == told


@pytest.mark.parametrize("coins", [{"koeln": -1}, {"koeln": 0.5}, {"koeln": "1"}])
def test_52_coins_that_are_no_number(coins: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refusal:
        GAME.read_action({"type": "influence", "coins": coins}, C)
    assert sentence(GAME, refusal.value.message) == "Please enter a whole number, 0 or more."


def test_52_coins_for_a_city_that_is_none() -> None:
    state = on_board("influence", {"treasury": "C 5"})
    rule, told = refused(state, Influence(faction=C, coins={"atlantis": 1}))
    assert (rule, told.startswith("There is no “atlantis” here")) == ("6.16", True)


def test_round_0_is_taken_up_after_the_cards_were_dealt() -> None:
    """5.7: what the board shows is dealt; what the table says goes before it."""
    facts = {"bishoprics": {"liege": "strongly-catholic"}, "cities": {"gent": R}}
    given = taken_up(round=0, phase="status", order=FACTIONS, facts=facts)
    state = GAME.apply(started(), given).state
    assert (state.cities["koeln"], state.cities["gent"], state.provinces["holland"]) == (C, R, B)
    assert (state.bishoprics["liege"], state.bishoprics["koeln"]) == ("strongly-catholic", "catholic")
    assert state.scores["0"][C] == {"cities": 1, "provinces": 0, "minor_provinces": 0, "objective": 6}
    before = GAME.apply(started(), taken_up(round=0, phase="movement", order=FACTIONS)).state
    assert (before.bishoprics, before.cities["koeln"]) == ({}, None)


def test_seats_are_those_of_the_rulebook() -> None:
    for players, factions in SEATS.items():
        assert GAME.prepare(factions, players=players).players == players

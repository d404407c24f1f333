"""Rules that mutants of the phases got past (MUTANTS-rounds.md), each with the smallest position that tells."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from companion.wording import render
from games.revolution.actions import Dispute, Influence, LayOut, Overflow, Shortage, Stream
from games.revolution.board import atlas_of
from games.revolution.factions import FACTIONS
from games.revolution.movement import movers
from games.revolution.neutrals import needs_of
from games.revolution.new_units import allowance_of, new_counters, rooms
from games.revolution.overflow import surpluses
from games.revolution.status import objective, score_now
from games.revolution.taxes import highest_rate
from tests.core.rendering import faults
from tests.revolution.campaigns import GAME, apply, asked, at, refused, settled, supply
from tests.revolution.digest_board import digest_figures, on_board
from tests.revolution.test_rounds import needing, started, steps_with
from tests.revolution.test_rounds_bad_input import taken_up, taxes

C, H, N, B, R = FACTIONS
R_FIRST = (R, C, H, N, B)


# Taxes (6.1)


@pytest.mark.parametrize(("in_supply", "rate"), [(7, 1), (8, 2), (10, 2), (11, 3)])
def test_a_rate_that_the_supply_just_covers_is_offered(in_supply: int, rate: int) -> None:
    assert highest_rate(taxes(in_supply), C) == rate


# New units (5.2, 6.10)


def test_round_0_brings_seven_to_three_new_counters() -> None:
    state = on_board("new-units", {}, round=0)
    assert [new_counters(state, faction) for faction in FACTIONS] == [7, 6, 5, 4, 3]


def test_a_used_huguenot_brings_nothing() -> None:
    lying = {"used:huguenots:1": "B 1", "support:huguenots:2": "B 1"}
    assert allowance_of(on_board("new-units", lying), B).parts["support"] == 1


def test_places_of_others_on_a_card_and_their_towns_bring_nothing() -> None:
    lying = {"town:dordrecht": "B 1", "town:nijmegen": "C 1", "town:arras": "X 1"}
    state = on_board("new-units", lying, cities={"koeln": C, "leiden": R})
    parts = allowance_of(state, C).parts
    assert (parts["cities"], parts["towns"]) == (2, 1)


def test_a_card_lets_in_only_who_is_there_be_it_in_the_city() -> None:
    held = {"koeln": C, "artois": C}
    room = rooms(on_board("new-units", {"city:koeln": "C 1"}, provinces=held), C)
    assert room["countryside:koeln"] == 7
    assert "countryside:artois" not in room


# Neutrals (6.12)


def test_whoever_begins_the_round_splits_the_last_layer() -> None:
    state = replace(needing(4), order=R_FIRST)
    assert asked(state) == (R, "shortage")
    assert refused(state, Shortage(faction=C, provinces=("cleve",))) == ("4.1", "Waiting for the Reformers.")
    after = GAME.apply(state, Shortage(faction=R, provinces=("cleve",))).state
    assert at(after, "countryside:cleve") == "C 1, X 2"


# Besieged cities do not count (6.11 to 6.14)

BESIEGED = {"city:koeln": "C 4", "siege:koeln": "H 1", "countryside:koeln": "C 2, N 3"}


@pytest.mark.parametrize(("outside", "left", "fights"), [("C 1, H 2", "C 1, H 2", 0), ("C 1, H 3", "H 3", 1)])
def test_counters_of_a_besieged_city_neither_begin_a_conflict_nor_fight(
    outside: str, left: str, fights: int
) -> None:
    lying = {**BESIEGED, "countryside:koeln": outside}
    state = on_board("conflict", lying, figures=digest_figures(koeln=3))
    after = GAME.machine.phase_of(state).resolve(state)
    assert after is not None
    assert (at(after.state, "countryside:koeln"), at(after.state, "city:koeln")) == (left, "C 4")
    assert len(steps_with(after.steps, "conflict:koeln")) == fights


def test_neutrals_come_as_if_a_besieged_city_were_empty() -> None:
    assert needs_of(on_board("neutrals", BESIEGED))["koeln"] == 3


def test_counters_of_a_besieged_city_are_no_surplus() -> None:
    state = on_board("overflow", {**BESIEGED, "countryside:koeln": "C 9"})
    assert surpluses(state, C) == {"koeln": 1}


def test_counters_of_a_besieged_city_do_not_make_strong() -> None:
    state = on_board("movement", BESIEGED)
    assert movers(state, atlas_of(state.setup.figures).provinces["koeln"]) == [N, C]


# Overflow (6.13)


def test_streams_add_up_at_both_ends() -> None:
    lying = {"countryside:gelderland": "C 10", "countryside:namur": "C 10", "countryside:liege": "N 6"}
    state = on_board("overflow", lying)
    there = [Stream(source=source, target="liege", count=2) for source in ("gelderland", "namur")]
    assert refused(state, Overflow(faction=C, moves=tuple(there))) == (
        "6.13",
        "Liège has room for 2 counters.",
    )
    away = [Stream(source="gelderland", target=target, count=2) for target in ("utrecht", "cleve")]
    told = "Only 2 counters are above the limit."
    assert refused(state, Overflow(faction=C, moves=tuple(away))) == ("6.13", told)


def test_neutrals_that_are_not_alone_stay() -> None:
    state = on_board("overflow", {"countryside:namur": "N 1, X 9"})
    assert at(settled(state).state, "countryside:namur") == "N 1, X 9"


# Movement inside provinces (6.14)


def test_level_ones_move_in_the_play_order_of_the_round() -> None:
    state = on_board("movement", {"countryside:brabant": "C 2, H 3, R 2"}, order=R_FIRST)
    state = GAME.apply(state, Dispute(faction=C, province="brabant")).state
    assert movers(state, atlas_of(state.setup.figures).provinces["brabant"]) == [H, R, C]


def test_a_city_with_a_neutral_is_not_empty() -> None:
    state = on_board("movement", {"countryside:brabant": "C 1, X 3", "city:brussels": "X 1"})
    layout = {"countryside:brabant": {"neutral": 3}, "city:brussels": {"neutral": 1}, "town:leuven": {C: 1}}
    after = GAME.apply(state, LayOut(faction=C, province="brabant", layout=layout)).state
    assert (at(after, "city:brussels"), at(after, "countryside:brabant")) == ("X 1", "X 3")


# Influence (6.16)

CALM = dict.fromkeys(digest_figures()["cities"], 4)


def test_a_city_that_is_paid_for_changes_once() -> None:
    state = on_board("influence", {"treasury": "R 1", "city:koeln": "C 2"}, allegiance={**CALM, "koeln": 5})
    after = apply(state, Influence(faction=R, coins={"koeln": 1})).state
    assert (after.allegiance["koeln"], at(after, "city:koeln")) == (6, "C 2, R 1")


def test_all_coins_are_home_before_the_first_city_changes() -> None:
    lying = {"treasury": "R 1", "city:aachen": "C 1", "supply": "R 0, C 5, H 5, N 5, B 5, X 5"}
    state = on_board("influence", lying, allegiance={**CALM, "aachen": 6})
    after = apply(state, Influence(faction=R, coins={"utrecht": 1})).state
    assert at(after, "city:aachen") == "C 1, R 1"
    assert supply(after, "R") == 0


# Cards and markers (6.17 to 6.19)


def test_neutrals_hold_nothing_and_a_lost_majority_loses_the_card() -> None:
    lying = {"city:koeln": "C 1, X 2", "city:gent": "R 1, B 1", "countryside:artois": "N 1, X 2"}
    state = on_board("allocation", lying, cities={"koeln": C, "gent": R}, provinces={"artois": N})
    after = settled(state).state
    assert (after.cities["koeln"], after.cities["gent"], after.provinces["artois"]) == (None, None, None)


def test_the_first_round_is_not_repeated_by_bishoprics_and_universities() -> None:
    """Burghers make Köln reformed in round 0 only; Reformers need three rounds for a bishopric."""
    state = on_board(
        "bishoprics",
        {},
        provinces={"liege": R},
        cities={"koeln": B},
        bishoprics=dict.fromkeys(digest_figures()["bishoprics"], "strongly-catholic"),
        universities={"city:koeln": "catholic"},
    )
    after = settled(state).state
    assert after.bishoprics["liege"] == "catholic"
    assert after.universities["city:koeln"] == "catholic"


# What each faction strives for (4.3)


def test_catholics_count_catholic_and_strongly_catholic_bishoprics() -> None:
    columns = {"artois": "strongly-catholic", "liege": "catholic", "trier": "reformed"}
    assert objective(on_board("status", {}, bishoprics=columns), C) == 2


def test_habsburgs_count_regions_not_armies_and_besiegers_too() -> None:
    assert objective(on_board("status", {"strip:holland": "H 2", "strip:rest": "C 1"}), H) == 1
    assert objective(on_board("status", {"siege:haarlem": "H 1", "released:rest": "H 1"}), H) == 1


def test_burghers_count_commercial_towns_and_cities() -> None:
    lying = {"town:breda": "B 1", "town:middelburg": "B 1", "town:dordrecht": "X 1", "town:arras": "B 1"}
    assert objective(on_board("status", lying, cities={"antwerpen": B, "koeln": B}), B) == 3


def test_only_provinces_with_limit_1_are_small() -> None:
    """No copy prints points for another one; should its figures say so, they do not count."""
    state = on_board("status", {}, provinces={"venlo": C}, round=5)
    for limit, points in ((1, Fraction("0.2")), (2, 0)):
        figures = digest_figures(venlo=limit)
        figures["provinces"]["venlo"]["minor"] = 0.2
        printed = replace(state, setup=replace(state.setup, figures=figures))
        assert score_now(printed, C).parts["minor_provinces"] == points


# Taking a game up (4.0)


def test_in_round_0_no_cards_are_dealt_yet() -> None:
    state = GAME.apply(started(), taken_up(round=0, phase="movement")).state
    assert set(state.cities.values()) == set(state.provinces.values()) == {None}


# What is wrong with a state (digest part 9)


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"lying": {"supply": "C 31"}}, "Catholics: 31 counters in all, but there must be 32."),
        ({"lying": {"support:jesuits:1": "X 1"}}, "Neutral counters never lie at Jesuits, cell 1."),
        ({"lying": {"town:breda": "C 1, N 1"}}, "2 counters lie at Breda, but there is room for 1."),
        (
            {"lying": {"support:huguenots:1": "B 1", "used:huguenots:2": "R 1"}},
            "Burghers and Reformers cannot both be with the Huguenots.",
        ),
        (
            {"lying": {"strip:holland": "C 4, H 3"}},
            "Holland region: 7 armies for 6 boxes, besieging and released ones included.",
        ),
        ({"lying": {"siege:haarlem": "H 1"}}, "No siege is under way in this phase, but one is marked: "),
        (
            {"lying": {"region:holland": "W 1"}},
            "Water Beggars are in their box in this phase, but some are out: ",
        ),
        ({"lying": {"influence:koeln": "C 1"}}, "No coins lie beside cities in this phase, but some do: "),
        ({"lying": {"used:huguenots:1": "B 1"}}, "No Huguenots lie face down in this phase, but some do: "),
        ({"lying": {"released:holland": "H 1"}}, "No army is released in this phase, but one is: "),
        ({"cities": {"koeln": "neutral"}}, "Neutrals cannot hold the card Köln."),
        ({"universities": {"city:koeln": "absent"}}, "The university Köln cannot be “not there”."),
        (
            {"order": (C, C, H, N, B)},
            "The play order must name each of Catholics, Habsburgs, Nobility, Burghers, Reformers once.",
        ),
    ],
)
def test_what_is_wrong_is_told(facts: dict[str, Any], told: str) -> None:
    state = on_board("taxes", **{"lying": {}, **facts})
    wrong = GAME.invariants(state)
    assert not [fault for one in wrong for fault in faults(GAME, one) if "has no name" not in fault]
    assert [one for one in wrong if render(GAME, one).startswith(told)]

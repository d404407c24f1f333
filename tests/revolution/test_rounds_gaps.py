"""Tests for mutants that survived the other files (MUTANTS-rounds.md), each with a minimal state."""

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
from tests.revolution.campaigns import GAME, apply, at, next_prompt, refused, settled, supply
from tests.revolution.digest_board import digest_figures, on_board
from tests.revolution.test_rounds import neutral_shortage, started_state, steps_with
from tests.revolution.test_rounds_bad_input import position_action, tax_state

C, H, N, B, R = FACTIONS
R_FIRST = (R, C, H, N, B)


# Taxes (6.1)


@pytest.mark.parametrize(("in_supply", "rate"), [(7, 1), (8, 2), (10, 2), (11, 3)])
def test_tax_rate_that_exactly_uses_the_supply_is_offered(in_supply: int, rate: int) -> None:
    assert highest_rate(tax_state(in_supply), C) == rate


# New units (5.2, 6.10)


def test_round_0_new_units_by_faction() -> None:
    state = on_board("new-units", {}, round=0)
    assert [new_counters(state, faction) for faction in FACTIONS] == [7, 6, 5, 4, 3]


def test_used_huguenot_brings_no_new_unit() -> None:
    pieces = {"used:huguenots:1": "B 1", "support:huguenots:2": "B 1"}
    assert allowance_of(on_board("new-units", pieces), B).parts["support"] == 1


def test_links_and_towns_of_others_bring_no_new_units() -> None:
    pieces = {"town:dordrecht": "B 1", "town:nijmegen": "C 1", "town:arras": "X 1"}
    state = on_board("new-units", pieces, cities={"koeln": C, "leiden": R})
    parts = allowance_of(state, C).parts
    assert (parts["cities"], parts["towns"]) == (2, 1)


def test_province_card_needs_presence_to_place_new_units() -> None:
    held = {"koeln": C, "artois": C}
    room = rooms(on_board("new-units", {"city:koeln": "C 1"}, provinces=held), C)
    assert room["countryside:koeln"] == 7
    assert "countryside:artois" not in room


# Neutrals (6.12)


def test_first_player_of_the_round_resolves_a_shortage() -> None:
    state = replace(neutral_shortage(4), order=R_FIRST)
    assert next_prompt(state) == (R, "shortage")
    assert refused(state, Shortage(faction=C, provinces=("cleve",))) == ("4.1", "Waiting for the Reformers.")
    after = GAME.apply(state, Shortage(faction=R, provinces=("cleve",))).state
    assert at(after, "countryside:cleve") == "C 1, X 2"


# Besieged cities do not count (6.11 to 6.14)

BESIEGED = {"city:koeln": "C 4", "siege:koeln": "H 1", "countryside:koeln": "C 2, N 3"}


@pytest.mark.parametrize(("outside", "left", "fights"), [("C 1, H 2", "C 1, H 2", 0), ("C 1, H 3", "H 3", 1)])
def test_besieged_counters_take_no_part_in_conflicts(outside: str, left: str, fights: int) -> None:
    pieces = {**BESIEGED, "countryside:koeln": outside}
    state = on_board("conflict", pieces, figures=digest_figures(koeln=3))
    after = GAME.machine.phase_of(state).resolve(state)
    assert after is not None
    assert (at(after.state, "countryside:koeln"), at(after.state, "city:koeln")) == (left, "C 4")
    assert len(steps_with(after.steps, "conflict:koeln")) == fights


def test_besieged_counters_do_not_reduce_the_need_for_neutrals() -> None:
    assert needs_of(on_board("neutrals", BESIEGED))["koeln"] == 3


def test_besieged_counters_are_no_surplus() -> None:
    state = on_board("overflow", {**BESIEGED, "countryside:koeln": "C 9"})
    assert surpluses(state, C) == {"koeln": 1}


def test_besieged_counters_do_not_count_for_movement_order() -> None:
    state = on_board("movement", BESIEGED)
    assert movers(state, atlas_of(state.setup.figures).provinces["koeln"]) == [N, C]


# Overflow (6.13)


def test_streams_are_summed_per_source_and_target() -> None:
    pieces = {"countryside:gelderland": "C 10", "countryside:namur": "C 10", "countryside:liege": "N 6"}
    state = on_board("overflow", pieces)
    arriving = [Stream(source=source, target="liege", count=2) for source in ("gelderland", "namur")]
    assert refused(state, Overflow(faction=C, moves=tuple(arriving))) == (
        "6.13",
        "Liège has room for 2 counters.",
    )
    leaving = [Stream(source="gelderland", target=target, count=2) for target in ("utrecht", "cleve")]
    text = "Only 2 counters are above the limit."
    assert refused(state, Overflow(faction=C, moves=tuple(leaving))) == ("6.13", text)


def test_neutrals_that_are_not_alone_stay_above_the_limit() -> None:
    state = on_board("overflow", {"countryside:namur": "N 1, X 9"})
    assert at(settled(state).state, "countryside:namur") == "N 1, X 9"


# Movement inside provinces (6.14)


def test_tied_factions_move_in_play_order() -> None:
    state = on_board("movement", {"countryside:brabant": "C 2, H 3, R 2"}, order=R_FIRST)
    state = GAME.apply(state, Dispute(faction=C, province="brabant")).state
    assert movers(state, atlas_of(state.setup.figures).provinces["brabant"]) == [H, R, C]


def test_city_with_a_neutral_is_not_filled() -> None:
    state = on_board("movement", {"countryside:brabant": "C 1, X 3", "city:brussels": "X 1"})
    layout = {"countryside:brabant": {"neutral": 3}, "city:brussels": {"neutral": 1}, "town:leuven": {C: 1}}
    after = GAME.apply(state, LayOut(faction=C, province="brabant", layout=layout)).state
    assert (at(after, "city:brussels"), at(after, "countryside:brabant")) == ("X 1", "X 3")


# Influence (6.16)

NEUTRAL_ALLEGIANCE = dict.fromkeys(digest_figures()["cities"], 4)


def test_city_with_spent_coins_changes_once() -> None:
    state = on_board(
        "influence", {"treasury": "R 1", "city:koeln": "C 2"}, allegiance={**NEUTRAL_ALLEGIANCE, "koeln": 5}
    )
    after = apply(state, Influence(faction=R, coins={"koeln": 1})).state
    assert (after.allegiance["koeln"], at(after, "city:koeln")) == (6, "C 2, R 1")


def test_coins_return_to_supply_before_cities_change() -> None:
    pieces = {"treasury": "R 1", "city:aachen": "C 1", "supply": "R 0, C 5, H 5, N 5, B 5, X 5"}
    state = on_board("influence", pieces, allegiance={**NEUTRAL_ALLEGIANCE, "aachen": 6})
    after = apply(state, Influence(faction=R, coins={"utrecht": 1})).state
    assert at(after, "city:aachen") == "C 1, R 1"
    assert supply(after, "R") == 0


# Cards and markers (6.17 to 6.19)


def test_card_is_lost_without_a_majority() -> None:
    pieces = {"city:koeln": "C 1, X 2", "city:gent": "R 1, B 1", "countryside:artois": "N 1, X 2"}
    state = on_board("allocation", pieces, cities={"koeln": C, "gent": R}, provinces={"artois": N})
    after = settled(state).state
    assert (after.cities["koeln"], after.cities["gent"], after.provinces["artois"]) == (None, None, None)


def test_round_0_rules_do_not_apply_to_later_rounds() -> None:
    """Burghers reform Köln's university in round 0 only; Reformers move a bishopric by one column."""
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


# Objectives of the factions (4.3)


def test_catholics_count_catholic_and_strongly_catholic_bishoprics() -> None:
    columns = {"artois": "strongly-catholic", "liege": "catholic", "trier": "reformed"}
    assert objective(on_board("status", {}, bishoprics=columns), C) == 2


def test_habsburgs_count_regions_with_active_armies() -> None:
    assert objective(on_board("status", {"strip:holland": "H 2", "strip:rest": "C 1"}), H) == 1
    assert objective(on_board("status", {"siege:haarlem": "H 1", "released:rest": "H 1"}), H) == 1


def test_burghers_count_commercial_towns_and_cities() -> None:
    pieces = {"town:breda": "B 1", "town:middelburg": "B 1", "town:dordrecht": "X 1", "town:arras": "B 1"}
    assert objective(on_board("status", pieces, cities={"antwerpen": B, "koeln": B}), B) == 3


def test_only_provinces_with_limit_1_score_minor_points() -> None:
    """Figures that give minor points to a larger province are ignored."""
    state = on_board("status", {}, provinces={"venlo": C}, round=5)
    for limit, points in ((1, Fraction("0.2")), (2, 0)):
        figures = digest_figures(venlo=limit)
        figures["provinces"]["venlo"]["minor"] = 0.2
        printed = replace(state, setup=replace(state.setup, figures=figures))
        assert score_now(printed, C).parts["minor_provinces"] == points


# Starting from an entered position (4.0)


def test_position_in_round_0_has_no_cards() -> None:
    state = GAME.apply(started_state(), position_action(round=0, phase="movement")).state
    assert set(state.cities.values()) == set(state.provinces.values()) == {None}


# Violated invariants (digest part 9)


@pytest.mark.parametrize(
    ("facts", "text"),
    [
        ({"pieces": {"supply": "C 31"}}, "Catholics: 31 counters in all, but there must be 32."),
        ({"pieces": {"support:jesuits:1": "X 1"}}, "Neutral counters never lie at Jesuits, cell 1."),
        ({"pieces": {"town:breda": "C 1, N 1"}}, "2 counters lie at Breda, but there is room for 1."),
        (
            {"pieces": {"support:huguenots:1": "B 1", "used:huguenots:2": "R 1"}},
            "Burghers and Reformers cannot both be with the Huguenots.",
        ),
        (
            {"pieces": {"strip:holland": "C 4, H 3"}},
            "Holland region: 7 armies for 6 boxes, besieging and released ones included.",
        ),
        ({"pieces": {"siege:haarlem": "H 1"}}, "No siege is under way in this phase, but one is marked: "),
        (
            {"pieces": {"region:holland": "W 1"}},
            "Water Beggars are in their box in this phase, but some are out: ",
        ),
        ({"pieces": {"influence:koeln": "C 1"}}, "No coins lie beside cities in this phase, but some do: "),
        ({"pieces": {"used:huguenots:1": "B 1"}}, "No Huguenots lie face down in this phase, but some do: "),
        ({"pieces": {"released:holland": "H 1"}}, "No army is released in this phase, but one is: "),
        ({"cities": {"koeln": "neutral"}}, "Neutrals cannot hold the card Köln."),
        ({"universities": {"city:koeln": "absent"}}, "The university Köln cannot be “not there”."),
        (
            {"order": (C, C, H, N, B)},
            "The play order must name each of Catholics, Habsburgs, Nobility, Burghers, Reformers once.",
        ),
    ],
)
def test_violated_invariants_are_reported(facts: dict[str, Any], text: str) -> None:
    state = on_board("taxes", **{"pieces": {}, **facts})
    wrong = GAME.invariants(state)
    assert not [fault for message in wrong for fault in faults(GAME, message) if "has no name" not in fault]
    assert any(render(GAME, message).startswith(text) for message in wrong)

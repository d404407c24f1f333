"""Readings of open questions (digest part 8), each with the smallest position that tells it from the others.

Most readings are held where their phase is tested; these are the ones that no other test tells apart.
"""

from __future__ import annotations

from typing import Any

import pytest

from games.core.steps import Outcome
from games.revolution.actions import Overflow, Settled, Shortage, StartArmies, Stream, Support, Tax
from games.revolution.factions import FACTIONS
from games.revolution.overflow import reach
from games.revolution.state import State
from games.revolution.status import objective, score_now
from tests.revolution.campaigns import (
    GAME,
    SEATS,
    apply,
    asked,
    at,
    elements,
    flat,
    position,
    refused,
    settled,
    supply,
    texts,
    treasury,
)
from tests.revolution.digest_board import digest_figures, on_board
from tests.revolution.test_rounds import needing, started
from tests.revolution.test_rounds_gaps import CALM

C, H, N, B, R = FACTIONS


# Set-up and points


def test_q_01_places_are_free_by_what_the_board_holds() -> None:
    """The shipped board has towns that nobody begins in, even with five players."""
    state = GAME.start(GAME.prepare(SEATS[5], players=5)).state
    assert (at(state, "town:groningen"), at(state, "town:arras")) == ("X 1", "C 1")
    assert not [h for h in state.ledger.holdings() if h.owner == "neutral" and h.place.startswith("city:")]


def test_fewer_neutrals_may_be_in_play() -> None:
    assert supply(started(3), "X") == 34
    assert supply(started(3, neutral_pool=20), "X") == 7


def test_q_09_support_counts_nothing_for_the_nobility() -> None:
    lying = {"countryside:artois": "N 3", "support:french-support:1": "N 1"}
    assert score_now(on_board("status", lying), N).parts["objective"] == 1


def test_q_20_both_first_armies_may_stand_in_one_region() -> None:
    figures = digest_figures()
    figures["regions"]["rest"]["orange"] = 2
    state = GAME.start(GAME.prepare(SEATS[5], players=5, figures=figures)).state
    outcome = GAME.apply(state, StartArmies(faction=H, regions={"rest": 2}))
    assert at(outcome.state, "strip:rest") == "H 2"
    assert "start-armies-together" in [step.message.code for step in flat(outcome.steps)]
    assert objective(outcome.state, H) == 1


# Taxes and new units


def test_q_13_the_whole_supply_is_taken_if_the_table_plays_so() -> None:
    cities = dict.fromkeys(("koeln", "liege", "utrecht"), C)
    rich = on_board("taxes", {"supply": "C 8"}, cities=cities, options={"tax_partial_extra": True})
    (prompt,) = GAME.prompts(settled(rich).state)
    assert prompt.choices()["rate"]["high"] == 3
    assert treasury(apply(rich, Tax(faction=C, rate=3)).state, "C") == 8
    strict = on_board("taxes", {"supply": "C 8"}, cities=cities)
    assert refused(strict, Tax(faction=C, rate=3))[0] == "6.1"


def test_q_46_in_round_0_what_cannot_be_placed_goes_to_the_treasury() -> None:
    taken = {f"support:london-merchants:{cell}": "B 1" for cell in (1, 2, 3, 4)}
    taken |= {f"support:huguenots:{cell}": "B 1" for cell in (1, 2)}
    lying = {"countryside:artois": "B 1", **taken}
    after = settled(on_board("new-units", lying, round=0, order=(B, C, H, N, R))).state
    assert (at(after, "countryside:artois"), treasury(after, "B")) == ("B 3", 2)


# Overflow and movement inside provinces


def test_q_18_counters_of_all_players_fill_a_province() -> None:
    lying = {"countryside:gelderland": "C 10", "countryside:cleve": "N 5, B 3"}
    stream = Stream(source="gelderland", target="cleve", count=1)
    state = on_board("overflow", lying)
    assert refused(state, Overflow(faction=C, moves=(stream,))) == ("6.13", "Cleve is full.")


def test_q_24_the_shipped_rhine_goes_on_to_trier_past_koeln() -> None:
    assert "trier" in reach(position("overflow", {}), "gelderland", C)
    held = reach(position("overflow", {}, cities={"koeln": B}), "gelderland", C)
    assert ("koeln" in held, "trier" in held) == (True, False)


def test_q_25_the_first_player_says_when_all_provinces_are_settled() -> None:
    lying = {"countryside:brabant": "C 3, N 2"}
    state = on_board("movement", lying, order=(R, C, H, N, B))
    assert refused(state, Settled(faction=C)) == ("4.1", "Waiting for the Reformers.")
    assert GAME.why_not(state, Settled(faction=R)) is None


def test_q_55_surplus_may_stay_behind_in_round_0_and_returns_to_supply() -> None:
    state = on_board("overflow", {"countryside:gelderland": "C 10"}, round=0)
    outcome = apply(state, Overflow(faction=C, moves=()))
    assert at(outcome.state, "countryside:gelderland") == "C 8"
    assert "Catholics: 2 counters above the limit of Gelderland return to supply." in texts(outcome)


def test_q_57_in_round_0_towns_block_rivers_and_cities_do_not() -> None:
    def reached(lying: dict[str, str], source: str) -> list[str]:
        return reach(on_board("overflow", lying, round=0), source, C)

    assert "trier" in reached({"city:koeln": "B 3"}, "gelderland")
    assert "koeln" not in reached({"town:arnhem": "B 1", "town:nijmegen": "R 1"}, "holland")


# Armies and Water Beggars


def test_q_44_a_besieging_army_exerts_no_influence() -> None:
    besieging = position("military-influence", {"siege:leiden": "H 1", "countryside:holland": "B 2"})
    assert asked(settled(besieging).state) != (H, "convert")


def test_q_52_of_several_armies_the_hirer_says_which_one_dies() -> None:
    lying = {"region:holland": "W 3", "strip:holland": "H 1", "siege:haarlem": "H 1"}
    uses = elements(position("beggars", lying, hirer=B))
    destroyed = {use["target"] for use in uses if use["do"] == "destroy"}
    assert destroyed == {"strip:holland", "siege:haarlem"}


def test_q_56_besieging_beggars_block_no_influence() -> None:
    lying = {"strip:holland": "H 1", "countryside:holland": "B 2"}
    besieging = position("military-influence", {**lying, "siege:leiden": "W 2"})
    assert asked(settled(besieging).state) == (H, "convert")
    staying = position("military-influence", {**lying, "region:holland": "W 1"})
    assert asked(settled(staying).state) != (H, "convert")


# Citizens and cards


def changed(column: int, cities: tuple[str, ...], reformers: int, **more: Any) -> list[str]:
    """What lies in cities of one column when so many Reformers are in supply; a Catholic was there before."""
    lying = {f"city:{city}": "C 1" for city in cities}
    lying["supply"] = f"C 5, H 5, N 5, B 5, R {reformers}, X 5"
    columns = {**CALM, **dict.fromkeys(cities, column)}
    state = settled(on_board("influence", lying, allegiance=columns, **more)).state
    return [at(state, f"city:{city}") for city in cities]


def test_q_08_the_nobility_comes_for_the_reformers_if_the_table_plays_so() -> None:
    assert changed(6, ("koeln",), 0) == ["C 1, B 1"]
    assert changed(6, ("koeln",), 0, options={"reformer_substitute": "N"}) == ["C 1, N 1"]


def test_q_36_cities_change_in_the_order_of_the_chart() -> None:
    assert changed(6, ("aachen", "utrecht"), 1) == ["C 1, R 1", "C 1, B 1"]


def test_q_48_markers_change_their_colour_with_the_cards() -> None:
    outcome = settled(on_board("allocation", {"city:gent": "R 1"}, allegiance=CALM))
    (step,) = [step for step in flat(outcome.steps) if step.message.code == "markers-swap"]
    assert (step.rule, len(step.acts)) == ("6.17", 1)
    assert outcome.state.allegiance == CALM


# Steps say on which option they depended, also where it kept something from happening


def named(outcome: Outcome[State], code: str) -> list[tuple[str, ...]]:
    return [step.options for step in flat(outcome.steps) if step.message.code == code]


def test_q_02_counters_that_no_city_makes_room_for() -> None:
    taken = {f"support:london-merchants:{cell}": "B 1" for cell in (1, 2, 3, 4)}
    taken |= {f"support:huguenots:{cell}": "R 1" for cell in (1, 2)}
    outcome = settled(on_board("new-units", {"city:koeln": "B 2", **taken}, order=(B, C, H, N, R)))
    assert named(outcome, "units-treasury") == [("placement_counts_cities",)]


def test_q_07_huguenots_without_a_coin_in_supply() -> None:
    lying = {"support:spanish-treasury:1": "C 1", "support:huguenots:1": "B 1", "supply": "B 0"}
    move = Support(faction=C, moves={"spanish-treasury:1": "treasury"})
    outcome = apply(on_board("support", lying), move)
    assert named(outcome, "fleet-arrives") == [("huguenot_coin_source",)]
    alone = apply(on_board("support", {"support:spanish-treasury:1": "C 1"}), move)
    assert named(alone, "fleet-arrives") == [()]


def test_q_11_surplus_that_an_ally_may_have_kept_at_home() -> None:
    lying = {"countryside:luxembourg": "C 9"}  # it has no neighbours on the digest's board
    assert named(settled(on_board("overflow", lying, players=2)), "surplus-home") == [("ally_blocks_river",)]
    assert named(settled(on_board("overflow", lying)), "surplus-home") == [()]


@pytest.mark.parametrize(("in_supply", "options"), [(8, ("tax_partial_extra",)), (9, ())])
def test_q_13_rates_that_the_supply_does_not_carry(in_supply: int, options: tuple[str, ...]) -> None:
    cities = dict.fromkeys(("koeln", "liege", "utrecht"), C)
    state = on_board("taxes", {"supply": f"C {in_supply}"}, cities=cities)
    assert named(apply(state, Tax(faction=C, rate=2)), "tax-of") == [options]


def test_neutrals_run_out_of_a_pool() -> None:
    assert named(apply(needing(4), Shortage(faction=C, provinces=("cleve",))), "neutrals-short") == [
        ("neutral_pool",)
    ]

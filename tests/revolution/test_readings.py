"""Readings of open questions (digest part 8) that no other test distinguishes.

Each test uses the smallest state in which the readings differ.
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
    at,
    elements,
    flat,
    next_prompt,
    position,
    refused,
    settled,
    supply,
    texts,
    treasury,
)
from tests.revolution.digest_board import digest_figures, on_board
from tests.revolution.test_rounds import neutral_shortage, started_state
from tests.revolution.test_rounds_gaps import NEUTRAL_ALLEGIANCE

C, H, N, B, R = FACTIONS


# Set-up and points


def test_q_01_neutrals_fill_places_that_are_empty_on_the_board() -> None:
    """The shipped board has towns that are empty at the start, even with five players."""
    state = GAME.start(GAME.prepare(SEATS[5], players=5)).state
    assert (at(state, "town:groningen"), at(state, "town:arras")) == ("X 1", "C 1")
    assert not [h for h in state.ledger.holdings() if h.owner == "neutral" and h.place.startswith("city:")]


def test_neutral_pool_option_limits_the_supply() -> None:
    assert supply(started_state(3), "X") == 34
    assert supply(started_state(3, neutral_pool=20), "X") == 7


def test_q_09_support_does_not_count_for_the_nobility() -> None:
    pieces = {"countryside:artois": "N 3", "support:french-support:1": "N 1"}
    assert score_now(on_board("status", pieces), N).parts["objective"] == 1


def test_q_20_both_starting_armies_may_share_a_region() -> None:
    figures = digest_figures()
    figures["regions"]["rest"]["orange"] = 2
    state = GAME.start(GAME.prepare(SEATS[5], players=5, figures=figures)).state
    outcome = GAME.apply(state, StartArmies(faction=H, regions={"rest": 2}))
    assert at(outcome.state, "strip:rest") == "H 2"
    assert "start-armies-together" in [step.message.code for step in flat(outcome.steps)]
    assert objective(outcome.state, H) == 1


# Taxes and new units


def test_q_13_partial_tax_option_takes_the_whole_supply() -> None:
    cities = dict.fromkeys(("koeln", "liege", "utrecht"), C)
    rich = on_board("taxes", {"supply": "C 8"}, cities=cities, options={"tax_partial_extra": True})
    (prompt,) = GAME.prompts(settled(rich).state)
    assert prompt.choices()["rate"]["high"] == 3
    assert treasury(apply(rich, Tax(faction=C, rate=3)).state, "C") == 8
    strict = on_board("taxes", {"supply": "C 8"}, cities=cities)
    assert refused(strict, Tax(faction=C, rate=3))[0] == "6.1"


def test_q_46_unplaceable_units_go_to_the_treasury_in_round_0() -> None:
    taken = {f"support:london-merchants:{cell}": "B 1" for cell in (1, 2, 3, 4)}
    taken |= {f"support:huguenots:{cell}": "B 1" for cell in (1, 2)}
    pieces = {"countryside:artois": "B 1", **taken}
    after = settled(on_board("new-units", pieces, round=0, order=(B, C, H, N, R))).state
    assert (at(after, "countryside:artois"), treasury(after, "B")) == ("B 3", 2)


# Overflow and movement inside provinces


def test_q_18_counters_of_all_players_count_towards_the_limit() -> None:
    pieces = {"countryside:gelderland": "C 10", "countryside:cleve": "N 5, B 3"}
    stream = Stream(source="gelderland", target="cleve", count=1)
    state = on_board("overflow", pieces)
    assert refused(state, Overflow(faction=C, moves=(stream,))) == ("6.13", "Cleve is full.")


def test_q_24_rhine_continues_past_koeln_to_trier() -> None:
    assert "trier" in reach(position("overflow", {}), "gelderland", C)
    held = reach(position("overflow", {}, cities={"koeln": B}), "gelderland", C)
    assert ("koeln" in held, "trier" in held) == (True, False)


def test_q_25_first_player_declares_movement_settled() -> None:
    pieces = {"countryside:brabant": "C 3, N 2"}
    state = on_board("movement", pieces, order=(R, C, H, N, B))
    assert refused(state, Settled(faction=C)) == ("4.1", "Waiting for the Reformers.")
    assert GAME.why_not(state, Settled(faction=R)) is None


def test_q_55_unmoved_surplus_returns_to_supply_in_round_0() -> None:
    state = on_board("overflow", {"countryside:gelderland": "C 10"}, round=0)
    outcome = apply(state, Overflow(faction=C, moves=()))
    assert at(outcome.state, "countryside:gelderland") == "C 8"
    assert "Catholics: 2 counters above the limit of Gelderland return to supply." in texts(outcome)


def test_q_57_towns_but_not_cities_block_rivers_in_round_0() -> None:
    def reachable(pieces: dict[str, str], source: str) -> list[str]:
        return reach(on_board("overflow", pieces, round=0), source, C)

    assert "trier" in reachable({"city:koeln": "B 3"}, "gelderland")
    assert "koeln" not in reachable({"town:arnhem": "B 1", "town:nijmegen": "R 1"}, "holland")


# Armies and Water Beggars


def test_q_44_besieging_army_exerts_no_influence() -> None:
    besieging = position("military-influence", {"siege:leiden": "H 1", "countryside:holland": "B 2"})
    assert next_prompt(settled(besieging).state) != (H, "convert")


def test_q_52_hirer_chooses_which_army_is_destroyed() -> None:
    pieces = {"region:holland": "W 3", "strip:holland": "H 1", "siege:haarlem": "H 1"}
    uses = elements(position("beggars", pieces, hirer=B))
    destroyed = {use["target"] for use in uses if use["do"] == "destroy"}
    assert destroyed == {"strip:holland", "siege:haarlem"}


def test_q_56_besieging_beggars_block_no_influence() -> None:
    pieces = {"strip:holland": "H 1", "countryside:holland": "B 2"}
    besieging = position("military-influence", {**pieces, "siege:leiden": "W 2"})
    assert next_prompt(settled(besieging).state) == (H, "convert")
    staying = position("military-influence", {**pieces, "region:holland": "W 1"})
    assert next_prompt(settled(staying).state) != (H, "convert")


# Citizens and cards


def cities_after_influence(column: int, cities: tuple[str, ...], reformers: int, **more: Any) -> list[str]:
    """Return the counters in cities of one column after influence; each had one Catholic before."""
    pieces = {f"city:{city}": "C 1" for city in cities}
    pieces["supply"] = f"C 5, H 5, N 5, B 5, R {reformers}, X 5"
    columns = {**NEUTRAL_ALLEGIANCE, **dict.fromkeys(cities, column)}
    state = settled(on_board("influence", pieces, allegiance=columns, **more)).state
    return [at(state, f"city:{city}") for city in cities]


def test_q_08_reformer_substitute_option() -> None:
    assert cities_after_influence(6, ("koeln",), 0) == ["C 1, B 1"]
    assert cities_after_influence(6, ("koeln",), 0, options={"reformer_substitute": "N"}) == ["C 1, N 1"]


def test_q_36_cities_change_in_chart_order() -> None:
    assert cities_after_influence(6, ("aachen", "utrecht"), 1) == ["C 1, R 1", "C 1, B 1"]


def test_q_48_markers_follow_the_holders_of_cards() -> None:
    outcome = settled(on_board("allocation", {"city:gent": "R 1"}, allegiance=NEUTRAL_ALLEGIANCE))
    (step,) = [step for step in flat(outcome.steps) if step.message.code == "markers-swap"]
    assert (step.rule, len(step.acts)) == ("6.17", 1)
    assert outcome.state.allegiance == NEUTRAL_ALLEGIANCE


# Steps name the options they depend on, also if an option prevented something


def options_of_steps(outcome: Outcome[State], code: str) -> list[tuple[str, ...]]:
    return [step.options for step in flat(outcome.steps) if step.message.code == code]


def test_q_02_step_names_placement_counts_cities() -> None:
    taken = {f"support:london-merchants:{cell}": "B 1" for cell in (1, 2, 3, 4)}
    taken |= {f"support:huguenots:{cell}": "R 1" for cell in (1, 2)}
    outcome = settled(on_board("new-units", {"city:koeln": "B 2", **taken}, order=(B, C, H, N, R)))
    assert options_of_steps(outcome, "units-treasury") == [("placement_counts_cities",)]


def test_q_07_step_names_huguenot_coin_source() -> None:
    pieces = {"support:spanish-treasury:1": "C 1", "support:huguenots:1": "B 1", "supply": "B 0"}
    move = Support(faction=C, moves={"spanish-treasury:1": "treasury"})
    outcome = apply(on_board("support", pieces), move)
    assert options_of_steps(outcome, "fleet-arrives") == [("huguenot_coin_source",)]
    alone = apply(on_board("support", {"support:spanish-treasury:1": "C 1"}), move)
    assert options_of_steps(alone, "fleet-arrives") == [()]


def test_q_11_step_names_ally_blocks_river() -> None:
    pieces = {"countryside:luxembourg": "C 9"}  # without neighbours on the digest's board
    assert options_of_steps(settled(on_board("overflow", pieces, players=2)), "surplus-home") == [
        ("ally_blocks_river",)
    ]
    assert options_of_steps(settled(on_board("overflow", pieces)), "surplus-home") == [()]


@pytest.mark.parametrize(("in_supply", "options"), [(8, ("tax_partial_extra",)), (9, ())])
def test_q_13_step_names_tax_partial_extra(in_supply: int, options: tuple[str, ...]) -> None:
    cities = dict.fromkeys(("koeln", "liege", "utrecht"), C)
    state = on_board("taxes", {"supply": f"C {in_supply}"}, cities=cities)
    assert options_of_steps(apply(state, Tax(faction=C, rate=2)), "tax-of") == [options]


def test_shortage_step_names_neutral_pool() -> None:
    assert options_of_steps(
        apply(neutral_shortage(4), Shortage(faction=C, provinces=("cleve",))), "neutrals-short"
    ) == [("neutral_pool",)]

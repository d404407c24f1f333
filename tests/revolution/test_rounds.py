"""Test vectors of the digest in a game: round 0, and phases 1, 2, 10 to 14 and 16 to 20."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from games.core.actions import Ruling
from games.core.steps import Step
from games.revolution import bishoprics, universities
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
from games.revolution.board import atlas_of, figures_wrong
from games.revolution.control import majority
from games.revolution.factions import FACTIONS
from games.revolution.movement import movers
from games.revolution.new_units import allowance_of, rooms
from games.revolution.overflow import reach
from games.revolution.state import State, counts_at
from games.revolution.status import objective, score_now
from tests.revolution.asking import FIVE, LETTERS
from tests.revolution.campaigns import (
    GAME,
    SEATS,
    apply,
    at,
    flat,
    next_prompt,
    settled,
    supply,
    texts,
    treasury,
)
from tests.revolution.digest_board import ALLEGIANCE, BISHOPRICS, SETTLEMENTS, digest_figures, on_board

C, H, N, B, R = FACTIONS


def started_state(players: int = 5, seats: tuple[str, ...] | None = None, **options: Any) -> State:
    setup = GAME.prepare(seats or SEATS[players], players=players, options=options, figures=digest_figures())
    return GAME.start(setup).state


def steps_with(steps: tuple[Step, ...], key: str) -> list[Step]:
    return [step for step in flat(steps) if step.key == key]


# The board


def test_digest_board_is_valid() -> None:
    assert figures_wrong(digest_figures()) == []


def test_r20_city_koeln_is_in_province_koeln() -> None:
    for figures in (digest_figures(), GAME.board.figures):
        assert atlas_of(figures).province_of("city:koeln").slug == "koeln"


def test_shipped_board_matches_the_rulebooks() -> None:
    land = atlas_of(GAME.board.figures)
    assert figures_wrong(GAME.board.figures) == []
    assert len(land.cities) == 12
    assert land.provinces["gelderland"].neighbours == (
        *("cleve", "geldern", "generality", "holland", "overijssel", "utrecht"),
    )
    assert set(land.provinces["zeeland"].neighbours) == {"generality", "holland"}
    assert land.provinces["brabant"].limit == 6
    assert [region.slug for region in land.regions.values() if len(region.provinces) == 1] == [
        *("holland", "utrecht")
    ]


# Set-up (3.5, 3.6)

SUPPLIES = {
    2: {"C": 28, "H": 33, "B": 31, "R": 32},
    3: {"C": 44, "N": 46, "R": 48},
    4: {"C": 28, "H": 33, "B": 31, "R": 32},
    5: {"C": 20, "H": 25, "N": 22, "B": 23, "R": 24},
}
NEUTRALS_LEFT = {2: 38, 3: 34, 4: 38, 5: 47}


@pytest.mark.parametrize("players", SUPPLIES)
def test_supplies_after_setup(players: int) -> None:
    state = started_state(players)
    assert {letter: supply(state, letter) for letter in SUPPLIES[players]} == SUPPLIES[players]
    assert supply(state, "X") == NEUTRALS_LEFT[players]
    assert treasury(state, "C") == 4


def test_r17_five_players_leave_no_place_for_neutrals() -> None:
    state = started_state(5)
    assert not [h for h in state.ledger.holdings() if h.owner == "neutral" and h.place.startswith("town")]
    assert "No neutral counters come to the board." in texts(GAME.start(state.setup))


def test_reformers_start_on_split_cells() -> None:
    state = started_state(5)
    assert [at(state, f"support:calvinists:{cell}") for cell in range(1, 7)] == ["R 1"] * 4 + ["", ""]


def test_first_prompt_depends_on_habsburgs_in_play() -> None:
    assert next_prompt(started_state(3)) == (N, "support")
    assert next_prompt(started_state(5)) == (H, "start-armies")


def test_r06_starting_armies_in_two_regions_score_two_points() -> None:
    state = GAME.apply(started_state(5), StartArmies(faction=H, regions={"holland": 1, "rest": 1})).state
    assert objective(state, H) == 2


# Support movement (5.1, 6.2)


def test_support_moves_to_countryside_and_treasury() -> None:
    state = on_board("support", {"support:calvinists:1": "R 1", "support:calvinists:5": "R 1"}, round=0)
    after = apply(state, Support(faction=R, moves={"calvinists:1": "treasury", "calvinists:5": "utrecht"}))
    assert treasury(after.state, "R") == 1
    assert at(after.state, "countryside:utrecht") == "R 1"


FLEET = {f"support:spanish-treasury:{cell}": "C 1" for cell in range(1, 6)}
ALL_FIVE = {f"spanish-treasury:{cell}": "treasury" for cell in range(1, 6)}
HUGUENOTS = {"support:huguenots:1": "B 1", "support:huguenots:2": "B 1"}


def after_interception(pieces: dict[str, str], count: int, **more: Any) -> State:
    state = on_board("support", pieces, **more)
    state = apply(state, Support(faction=C, moves=ALL_FIVE)).state
    assert next_prompt(state) == (B, "intercept")
    return GAME.apply(state, Intercept(faction=B, count=count)).state


def test_r07a_one_of_five_is_intercepted() -> None:
    state = on_board("support", {**FLEET, **HUGUENOTS, "supply": "C 20, B 1"})
    under_way = apply(state, Support(faction=C, moves=ALL_FIVE)).state
    (prompt,) = GAME.prompts(under_way)
    assert prompt.choices()["count"]["high"] == 1
    after = GAME.apply(under_way, Intercept(faction=B, count=1)).state
    assert (treasury(after, "C"), supply(after, "C")) == (4, 21)
    assert (treasury(after, "B"), supply(after, "B")) == (1, 0)
    assert at(after, "used:huguenots:1") == "B 1"
    assert at(after, "support:huguenots:2") == "B 1"
    assert next_prompt(after) == (B, "support")


def test_r07b_intercepted_coin_comes_from_supply_or_box() -> None:
    pieces = {**FLEET, "support:huguenots:1": "B 1", "supply": "C 20, B 3"}
    after = after_interception(pieces, 1)
    assert (treasury(after, "C"), supply(after, "C")) == (4, 21)
    assert (treasury(after, "B"), supply(after, "B")) == (1, 2)
    after = after_interception(pieces, 1, options={"huguenot_coin_source": "box_counter"})
    assert (treasury(after, "B"), supply(after, "B")) == (1, 3)
    assert at(after, "support:huguenots:1") == at(after, "used:huguenots:1") == ""


def test_r07c_used_huguenot_cannot_intercept_again() -> None:
    second = {"support:spanish-treasury:6": "H 1"}
    after = after_interception({**FLEET, **second, "support:huguenots:1": "B 1"}, 1)
    assert next_prompt(after) == (H, "support")
    after = GAME.apply(after, Support(faction=H, moves={"spanish-treasury:6": "treasury"})).state
    assert treasury(after, "H") == 1


def test_r07c_unused_huguenots_can_intercept_the_second_fleet() -> None:
    second = {"support:spanish-treasury:6": "H 1"}
    after = after_interception({**FLEET, **second, **HUGUENOTS}, 0)
    after = GAME.apply(after, Support(faction=H, moves={"spanish-treasury:6": "treasury"})).state
    assert next_prompt(after) == (B, "intercept")


# New units (5.2, 6.10)


def test_r02_round_0_allows_twice_the_counters_present() -> None:
    state = on_board("new-units", {"countryside:juelich": "N 1"}, round=0)
    assert rooms(state, N)["countryside:juelich"] == 2
    state = on_board("new-units", {"city:aachen": "N 1"}, round=0)
    assert "countryside:juelich" not in rooms(state, N)
    counting = on_board(
        "new-units", {"city:aachen": "N 1"}, round=0, options={"placement_counts_cities": True}
    )
    assert rooms(counting, N)["countryside:juelich"] == 2


def test_r11_allowance_of_eight_new_units() -> None:
    pieces = {
        "city:koeln": "C 1",
        "city:utrecht": "C 1",
        "city:leiden": "C 1, R 1",
        "town:cleve": "C 1",
        "countryside:artois": "C 1",
        "countryside:cleve": "C 2",
        "countryside:koeln": "C 3",
        "countryside:utrecht": "C 2",
        "support:jesuits:1": "C 1",
        "support:jesuits:2": "C 1",
    }
    state = on_board("new-units", pieces, cities={"koeln": C, "utrecht": C})
    allowance = allowance_of(state, C)
    assert allowance.parts == {"cities": 4, "towns": 1, "countryside": 1, "support": 2}
    assert allowance.allowed == 8


@pytest.mark.parametrize(("computed", "in_supply", "expected"), [(3, 20, 7), (3, 5, 5), (12, 9, 9)])
def test_d_u1_to_u3_minimum_and_supply_bound_the_allowance(
    computed: int, in_supply: int, expected: int
) -> None:
    without_links = [city for city in digest_figures()["cities"] if city not in ("koeln", "utrecht")]
    cards = dict.fromkeys(without_links[:computed], C)
    towns = {f"town:{town}": "C 1" for town in ("arras", "mons")[: computed - len(cards)]}
    state = on_board("new-units", {**towns, "supply": f"C {in_supply}"}, cities=cards)
    assert allowance_of(state, C).total == computed
    assert allowance_of(state, C).allowed == expected


def test_d_u4_unplaceable_units_go_to_the_treasury() -> None:
    taken = {f"support:london-merchants:{cell}": "B 1" for cell in (1, 2, 3)}
    taken |= {f"support:huguenots:{cell}": "R 1" for cell in (1, 2)}
    pieces = {"countryside:artois": "B 2", **taken, "supply": "B 20"}
    after = settled(on_board("new-units", pieces, order=(B, C, H, N, R)))
    assert treasury(after.state, "B") == 4
    assert at(after.state, "countryside:artois") == "B 4"
    assert "Burghers: 4 counters cannot be placed anywhere and go to the treasury." in texts(after)


def test_holder_of_a_province_card_places_any_number() -> None:
    pieces = {"countryside:artois": "C 1", "countryside:koeln": "C 1"}
    state = on_board("new-units", pieces, provinces={"artois": C})
    assert (rooms(state, C)["countryside:artois"], rooms(state, C)["countryside:koeln"]) == (7, 1)
    after = apply(state, Place(faction=C, places={"countryside:artois": 7})).state
    assert at(after, "countryside:artois") == "C 8"


# Conflict (5.3, 6.11)

CONFLICTS = [
    ("C 1, H 5", 3, "H 5"),
    ("C 2, H 2", 3, "C 1, H 1"),
    ("C 1, H 1", 1, ""),
    ("C 1, H 1, N 3", 3, "N 3"),
    ("C 1, H 4, N 4", 7, "H 3, N 3"),
    ("C 2, H 3", 4, "C 1, H 3"),
    ("C 3, X 1", 3, "C 3"),
    ("C 1, H 2, N 2", 2, "H 1, N 1"),
    ("C 2, H 3, N 5", 6, "H 2, N 4"),
    ("C 4, H 3, X 2", 5, "C 3, H 2"),
    ("C 3, H 3, N 3", 5, "C 1, H 1, N 1"),
    ("C 2, X 5", 4, "X 4"),
    ("C 1, X 5", 4, "X 5"),
    ("C 1, H 2, N 3, B 4", 5, "N 2, B 3"),
    ("C 7", 4, "C 7"),
]


@pytest.mark.parametrize(("given", "limit", "left"), CONFLICTS, ids=[f"d-c{i}" for i in range(1, 16)])
def test_d_c_conflicts(given: str, limit: int, left: str) -> None:
    state = on_board("conflict", {"countryside:namur": given}, figures=digest_figures(namur=limit))
    outcome = GAME.machine.phase_of(state).resolve(state)
    assert outcome is not None
    assert at(outcome.state, "countryside:namur") == left
    assert len(steps_with(outcome.steps, "conflict:namur")) == (given != left)


def test_d_c16_besieged_city_does_not_count() -> None:
    pieces = {"city:koeln": "C 2", "siege:koeln": "H 1", "countryside:koeln": "C 1, H 2"}
    state = on_board("conflict", pieces, figures=digest_figures(koeln=3))
    outcome = GAME.machine.phase_of(state).resolve(state)
    assert outcome is not None
    assert outcome.state.ledger == state.ledger


def test_losses_take_countryside_then_towns_then_cities() -> None:
    pieces = {"countryside:brabant": "C 1", "town:leuven": "C 1", "city:brussels": "C 2, H 4"}
    state = on_board("conflict", pieces, figures=digest_figures(brabant=4))
    outcome = GAME.machine.phase_of(state).resolve(state)
    assert outcome is not None
    assert at(outcome.state, "countryside:brabant") == at(outcome.state, "town:leuven") == ""
    assert at(outcome.state, "city:brussels") == "C 2, H 2"


def test_ruling_overrides_a_conflict() -> None:
    state = on_board("conflict", {"countryside:namur": "C 2, H 2"}, figures=digest_figures(namur=3))
    ruled = replace(state, rulings={"conflict:namur": Ruling(result={"catholics": 2}, reason="House rule")})
    outcome = GAME.machine.phase_of(ruled).resolve(ruled)
    assert outcome is not None
    assert at(outcome.state, "countryside:namur") == "C 2"
    (step,) = steps_with(outcome.steps, "conflict:namur")
    assert (step.result, step.ruling) == ({"catholics": 2}, "House rule")


# Neutrals (5.4, 6.12)

NEEDS = digest_figures(**dict.fromkeys(digest_figures()["provinces"], 1)) | {}


def neutral_shortage(supply_: int, round_: int = 1) -> State:
    """Return a state in which Artois needs 3 neutrals, Brabant 1 and Cleve 2; all others are full."""
    pieces = {f"countryside:{slug}": "N 1" for slug in NEEDS["provinces"]}
    pieces |= {"countryside:artois": "C 1", "countryside:brabant": "C 1", "countryside:cleve": "C 1"}
    figures = digest_figures(**dict.fromkeys(NEEDS["provinces"], 1) | {"artois": 4, "brabant": 2, "cleve": 3})
    return on_board("neutrals", {**pieces, "supply": f"X {supply_}"}, figures=figures, round=round_)


@pytest.mark.parametrize(
    ("in_supply", "expected"), [(6, ("X 3", "X 1", "X 2")), (5, ("X 2", "X 1", "X 2"))], ids=["d-n1", "d-n3"]
)
def test_d_n_neutrals_without_a_choice(in_supply: int, expected: tuple[str, ...]) -> None:
    after = GAME.machine.phase_of(neutral_shortage(in_supply)).resolve(neutral_shortage(in_supply))
    assert after is not None
    here = [at(after.state, f"countryside:{p}") for p in ("artois", "brabant", "cleve")]
    assert here == [f"C 1, {neutrals}" for neutrals in expected]


def test_d_n2_and_r19_first_player_distributes_the_last_layer() -> None:
    state = neutral_shortage(4)
    assert next_prompt(state) == (C, "shortage")
    (prompt,) = GAME.prompts(state)
    assert [e["provinces"] for e in prompt.elements()] == [("artois",), ("cleve",)]
    after = GAME.apply(state, Shortage(faction=C, provinces=("cleve",))).state
    assert at(after, "countryside:cleve") == "C 1, X 2"


def test_d_n4_two_of_three_provinces_get_a_neutral() -> None:
    state = neutral_shortage(2)
    (prompt,) = GAME.prompts(state)
    assert prompt.size() == 3
    after = GAME.apply(state, Shortage(faction=C, provinces=("artois", "cleve"))).state
    assert at(after, "countryside:brabant") == "C 1"


@pytest.mark.parametrize(("round_", "total", "comes"), [(0, 4, 0), (0, 2, 2), (3, 4, 1)])
def test_d_n5_to_n7_neutrals_fill_to_the_limit_or_one_below(round_: int, total: int, comes: int) -> None:
    figures = digest_figures(**dict.fromkeys(NEEDS["provinces"], 1) | {"namur": 5})
    pieces = {f"countryside:{slug}": "B 1" for slug in NEEDS["provinces"]} | {
        "countryside:namur": f"N {total}"
    }
    state = on_board("neutrals", pieces, figures=figures, round=round_)
    after = GAME.machine.phase_of(state).resolve(state)
    assert after is not None
    assert counts_at(after.state, ("countryside:namur",))["neutral"] == comes


# Overflow (5.5, 6.13)


def reachable(pieces: dict[str, str], source: str, faction: str = C, **more: Any) -> set[str]:
    return set(reach(on_board("overflow", pieces, **more), source, faction))


BY_LAND = {"cleve", "generality", "geldern", "holland", "overijssel", "utrecht"}
BY_RIVER = {"koeln", "venlo", "maastricht", "limburg", "liege"}


def test_r12_overflow_reach_from_gelderland() -> None:
    assert reachable({}, "gelderland") == BY_LAND | BY_RIVER | {"namur", "trier"}
    assert reachable({}, "gelderland", cities={"liege": C}) == BY_LAND | BY_RIVER | {"namur", "trier"}
    assert reachable({}, "gelderland", cities={"liege": B}) == BY_LAND | BY_RIVER | {"trier"}
    assert reachable({}, "gelderland", cities={"koeln": B}) == BY_LAND | BY_RIVER | {"namur"}


@pytest.mark.parametrize(
    ("towns", "can"),
    [
        ({"town:arnhem": "B 1", "town:nijmegen": "C 1"}, True),
        ({"town:arnhem": "X 1", "town:nijmegen": "B 1"}, True),
        ({"town:arnhem": "B 1", "town:nijmegen": "R 1"}, False),
    ],
)
def test_r13_overflow_reach_from_holland_to_koeln(towns: dict[str, str], can: bool) -> None:  # noqa: FBT001
    assert ("koeln" in reachable(towns, "holland")) == can


def test_ally_blocks_river_option() -> None:
    more: dict[str, Any] = {"players": 2, "cities": {"koeln": H}}
    assert "trier" not in reachable({}, "gelderland", **more)
    assert "trier" in reachable({}, "gelderland", **more, options={"ally_blocks_river": False})


def test_unmoved_surplus_returns_to_supply() -> None:
    pieces = {"countryside:gelderland": "C 11", "countryside:cleve": "N 6, X 2"}
    state = on_board("overflow", pieces)
    move = Stream(source="gelderland", target="cleve", count=2)
    after = apply(state, Overflow(faction=C, moves=(move,)))
    assert at(after.state, "countryside:gelderland") == "C 8"
    assert at(after.state, "countryside:cleve") == "C 2, N 6, X 2"
    assert "Catholics: 1 counter above the limit of Gelderland returns to supply." in texts(after)


def test_overflow_displaces_neutrals_option() -> None:
    pieces = {"countryside:gelderland": "C 10", "countryside:cleve": "N 6, X 2"}
    state = on_board("overflow", pieces, options={"overflow_displaces_neutrals": True})
    move = Stream(source="gelderland", target="cleve", count=2)
    after = apply(state, Overflow(faction=C, moves=(move,))).state
    assert at(after, "countryside:cleve") == "C 2, N 6"


def test_neutrals_alone_above_the_limit_return_to_supply() -> None:
    state = on_board("overflow", {"countryside:namur": "X 9"})
    assert at(settled(state).state, "countryside:namur") == "X 8"


# Movement inside provinces (5.6, 6.14)


def movement_in_brabant(**more: Any) -> State:
    pieces = {"countryside:brabant": "C 1, N 2, X 1", "town:leuven": "C 1"}
    return on_board("movement", pieces, round=0, **more)


def test_r03_disputed_movement_in_brabant() -> None:
    state = GAME.apply(movement_in_brabant(), Dispute(faction=N, province="brabant")).state
    province = atlas_of(state.setup.figures).provinces["brabant"]
    assert movers(state, province) == [C, N]
    first = {"town:leuven": {C: 1}, "city:brussels": {C: 1}, "countryside:brabant": {N: 2, "neutral": 1}}
    state = GAME.apply(state, StepBy(faction=C, province="brabant", layout=first)).state
    second = {
        "town:leuven": {C: 1},
        "city:brussels": {C: 1, N: 2},
        "countryside:brabant": {"neutral": 1},
    }
    after = GAME.apply(state, StepBy(faction=N, province="brabant", layout=second)).state
    assert at(after, "city:brussels") == "C 1, N 2"
    assert majority(counts_at(after, ("city:brussels",))) == N
    assert after.provinces["brabant"] is None


def test_displaced_counters_may_move_back_into_a_city() -> None:
    state = on_board("movement", {"city:brussels": "C 3, N 2"})
    state = GAME.apply(state, Dispute(faction=C, province="brabant")).state
    pushed = {"city:brussels": {C: 3}, "countryside:brabant": {N: 2}}
    state = GAME.apply(state, StepBy(faction=C, province="brabant", layout=pushed)).state
    back = {"city:brussels": {C: 3, N: 2}}
    after = GAME.apply(state, StepBy(faction=N, province="brabant", layout=back)).state
    assert at(after, "city:brussels") == "C 3, N 2"


def test_neutrals_fill_empty_cities_after_an_agreed_layout() -> None:
    state = on_board("movement", {"countryside:brabant": "C 2, X 3"})
    layout = {"town:leuven": {C: 1}, "countryside:brabant": {C: 1, "neutral": 3}}
    after = GAME.apply(state, LayOut(faction=C, province="brabant", layout=layout))
    assert at(after.state, "city:brussels") == "X 2"
    assert at(after.state, "countryside:brabant") == "C 1, X 1"


def test_settled_fills_places_from_the_countryside() -> None:
    state = on_board("movement", {"countryside:brabant": "C 2, X 1", "countryside:artois": "X 5"})
    after = GAME.machine.act(state, Settled(faction=C)).state
    assert at(after, "city:brussels") == "X 1"
    assert at(after, "town:leuven") == ""
    assert [at(after, f"town:{town}") for town in ("arras", "mons", "valenciennes")] == ["X 1"] * 3


# Taxes (6.1)


def after_taxes(rate: int, **more: Any) -> State:
    cards = {"artois": C, "cleve": C, "koeln": C, "namur": C}  # 0.5 coins each
    cities = dict.fromkeys(("koeln", "liege", "utrecht"), C)
    state = on_board("taxes", more, provinces=cards, cities=cities)
    return apply(state, Tax(faction=C, rate=rate)).state


@pytest.mark.parametrize(("rate", "collected"), [(1, 5), (2, 8), (3, 11)])
def test_d_t2_taxes_of_provinces_and_three_cities(rate: int, collected: int) -> None:
    assert treasury(after_taxes(rate, supply="C 20"), "C") == collected


def test_d_t3_and_t4_supply_bounds_the_rate() -> None:
    state = on_board(
        "taxes",
        {"supply": "C 9"},
        provinces={"artois": C, "cleve": C, "koeln": C, "namur": C},
        cities=dict.fromkeys(("koeln", "liege", "utrecht"), C),
    )
    (prompt,) = GAME.prompts(settled(state).state)
    assert prompt.choices()["rate"]["high"] == 2
    state = replace(state, ledger=on_board("taxes", {"supply": "C 4"}).ledger)
    assert treasury(settled(state).state, "C") == 4


def test_d_t1_half_coins_are_summed_before_rounding_down() -> None:
    figures = digest_figures()
    figures["provinces"]["koeln"]["tax"] = 1.0
    cards = {"artois": C, "cleve": C, "koeln": C, "namur": C}
    state = settled(on_board("taxes", {}, figures=figures, provinces=cards)).state
    assert treasury(state, "C") == 2


def test_d_t5_no_tax_without_cards() -> None:
    assert treasury(settled(on_board("taxes", {})).state, "C") == 0


# Influence and allegiance (6.16)


def after_influence(start: int, coins: str, order: tuple[str, ...] = FIVE, **more: Any) -> State:
    """Return the state after every faction has spent all its coins on Köln."""
    state = on_board("influence", {"treasury": coins} if coins else {}, order=order, **more)
    state = settled(replace(state, allegiance={**state.allegiance, "koeln": start})).state
    while next_prompt(state) and next_prompt(state)[1] == "influence":  # type: ignore[index]
        faction = next_prompt(state)[0]  # type: ignore[index]
        all_coins = state.ledger.count(faction, "counter", "treasury")
        state = GAME.apply(state, Influence(faction=faction, coins={"koeln": all_coins})).state
    return state


R_FIRST = (R, C, H, N, B)


@pytest.mark.parametrize(
    ("start", "coins", "order", "end"),
    [
        (2, "C 1, H 1, N 1, B 2, R 3", FIVE, 5),
        (2, "C 1, H 1, B 2, R 3", FIVE, 5),
        (2, "C 1, H 1, N 2, B 1", FIVE, 4),
        (4, "R 5, N 1", FIVE, 6),
        (4, "R 2, C 2", FIVE, 4),
        (1, "C 4, R 2", FIVE, 3),
        (1, "C 4, R 2", R_FIRST, 1),
        (5, "N 3", FIVE, 4),
        (7, "C 6", FIVE, 4),
        (4, "R 6, C 3", R_FIRST, 4),
        (6, "C 5, N 2", FIVE, 3),
        (2, "R 9, N 4", FIVE, 4),
        (3, "", FIVE, 3),
    ],
    ids=["r-14", "r-14-without-n", "r-15", *(f"d-i{i}" for i in range(1, 11))],
)
def test_influence(start: int, coins: str, order: tuple[str, ...], end: int) -> None:
    state = after_influence(start, coins, order)
    assert state.allegiance["koeln"] == end
    assert not state.ledger.occupied("influence")
    assert not state.ledger.occupied("treasury")


@pytest.mark.parametrize(
    ("column", "given", "supplies", "after", "players"),
    [
        (2, "B 1, R 1, C 1", "", "C 1, B 1", 5),
        (2, "B 2", "", "B 1", 5),
        (2, "C 2, N 1", "", "C 2, N 1", 5),
        (1, "B 1, C 1", "", "C 2", 5),
        (1, "R 1", "C 0", "H 1", 5),
        (1, "R 1", "C 0, H 0", "X 1", 5),
        (3, "R 1", "", "R 1", 5),
        (5, "R 1", "", "R 1", 5),
        (6, "C 2", "", "C 2, R 1", 5),
        (6, "C 2", "R 0", "C 2, B 1", 5),
        (6, "C 2", "R 0, B 0", "C 2, X 1", 5),
        (6, "C 2", "R 0", "C 2, N 1", 3),
        (7, "C 2, B 1, R 1", "", "R 5", 5),
        (7, "C 2, B 1, R 1", "R 2", "R 3, B 2", 5),
        (7, "X 2", "", "R 3", 5),
        (7, "H 3", "R 2, B 1", "R 2, B 1, X 1", 5),
    ],
)
def test_d_a_allegiance(column: int, given: str, supplies: str, after: str, players: int) -> None:
    five = {LETTERS_OF[f]: 5 for f in (*SEATS[players], "neutral")}
    five |= {part.split()[0]: int(part.split()[1]) for part in supplies.split(", ") if part}
    pieces = {"city:koeln": given, "supply": ", ".join(f"{letter} {n}" for letter, n in five.items())}
    calm = dict.fromkeys(digest_figures()["cities"], 4)
    state = on_board("influence", pieces, players=players)
    state = settled(replace(state, allegiance={**calm, "koeln": column})).state
    assert sorted(at(state, "city:koeln").split(", ")) == sorted(after.split(", "))


LETTERS_OF = {faction: letter for letter, faction in LETTERS.items()}


# Allocation, bishoprics, universities (5.7, 6.17 to 6.19)


def test_r04_half_of_the_counters_is_no_majority() -> None:
    state = settled(on_board("allocation", {"city:koeln": "C 2, N 1, H 1", "city:gent": "R 1"})).state
    assert (state.cities["koeln"], state.cities["gent"]) == (None, R)


def test_cities_do_not_count_for_province_control() -> None:
    pieces = {"city:koeln": "C 5", "countryside:koeln": "N 1"}
    assert settled(on_board("allocation", pieces)).state.provinces["koeln"] == N
    counting = {"province_majority_scope": "cities_excluded_round0_only"}
    assert settled(on_board("allocation", pieces, options=counting)).state.provinces["koeln"] == C
    assert settled(on_board("allocation", pieces, options=counting, round=0)).state.provinces["koeln"] == N


def test_round_0_places_the_allegiance_markers() -> None:
    state = settled(on_board("allocation", {}, round=0, allegiance={})).state
    assert state.allegiance == ALLEGIANCE


COLUMNS = {
    "strongly-catholic": bishoprics.STRONGLY_CATHOLIC,
    "catholic": bishoprics.CATHOLIC,
    "reformed": bishoprics.REFORMED,
    "strongly-reformed": bishoprics.STRONGLY_REFORMED,
}
SC, CA, RE, SR = COLUMNS
MOVED = {
    SC: (SC, CA, CA, SC, CA, CA),
    CA: (SC, CA, CA, CA, RE, RE),
    RE: (CA, CA, CA, RE, RE, SR),
    SR: (RE, RE, RE, SR, RE, SR),
}


@pytest.mark.parametrize("column", MOVED)
def test_d_p1_bishoprics_move_one_column(column: str) -> None:
    assert tuple(bishoprics.moved(column, f) for f in (C, H, None, N, B, R)) == MOVED[column]


def test_d_p2_bishoprics_in_round_0() -> None:
    assert [bishoprics.FIRST[f] for f in (C, H, N, B, R, None)] == [SC, CA, CA, RE, SR, CA]


def test_r18_three_rounds_from_strongly_catholic_to_strongly_reformed() -> None:
    column, seen = SC, []
    for _ in range(3):
        column = bishoprics.moved(column, R)
        seen.append(column)
    assert seen == [CA, RE, SR]


def test_bishop_uncontrolled_option() -> None:
    state = on_board("bishoprics", {}, bishoprics={"liege": SR})
    assert settled(state).state.bishoprics["liege"] == RE
    snap = on_board(
        "bishoprics", {}, bishoprics={"liege": SR}, options={"bishop_uncontrolled": "snap_to_catholic"}
    )
    assert settled(snap).state.bishoprics["liege"] == CA


def bishoprics_to_move(pieces: dict[str, str], **more: Any) -> list[str]:
    """Return the bishoprics whose markers players are told to move after the allocation."""
    outcome = settled(on_board("allocation", pieces, bishoprics=dict.fromkeys(BISHOPRICS, CA), **more))
    messages = [act.message for step in flat(outcome.steps) for act in step.acts]
    return [message.params["province"].slug for message in messages if message.code == "bishopric-hand"]


def test_unchanged_bishopric_markers_are_not_moved() -> None:
    """A marker moves only if its column or colour changes (6.18)."""
    pieces = {"countryside:artois": "H 1", "countryside:koeln": "H 1", "countryside:trier": "R 1"}
    cards = {"koeln": H, "liege": H}
    assert bishoprics_to_move(pieces, provinces=cards) == ["artois", "liege", "trier"]
    assert len(bishoprics_to_move(pieces, round=0)) == 6


UNIVERSITIES = [
    ("city:koeln", "catholic", {R: "reformed"}),
    ("city:koeln", "reformed", {C: "catholic", H: "catholic", None: "catholic"}),
    ("city:leiden", "absent", {R: "reformed"}),
    ("city:leiden", "reformed", {C: "absent", H: "absent"}),
]


@pytest.mark.parametrize(("place", "now", "changes"), UNIVERSITIES)
def test_d_p3_universities(place: str, now: str, changes: dict[str | None, str]) -> None:
    for holder in (*FACTIONS, None):
        assert universities.changed(place, now, holder) == changes.get(holder, now)


def test_universities_in_round_0() -> None:
    state = on_board("universities", {"town:leuven": "B 1"}, round=0, cities={"leiden": R, "utrecht": B})
    assert settled(state).state.universities == {
        "city:koeln": "catholic",
        "town:leuven": "reformed",
        "city:leiden": "reformed",
        "city:utrecht": "absent",
        "town:breda": "absent",
        "town:delft": "absent",
        "town:arras": "absent",
    }


# The end of a round (5.8, 6.20)


def test_r01_points_are_not_cumulative() -> None:
    before = {f: {"cities": Fraction(10)} for f in FIVE}
    cards = dict.fromkeys(list(digest_figures()["cities"])[:8], R)
    state = settled(on_board("status", {}, round=2, scores={"1": before}, cities=cards)).state
    assert sum(state.scores["2"][R].values()) == 8
    assert sum(state.scores["1"][R].values()) == 10


@pytest.mark.parametrize(("players", "seats", "points"), [(5, None, 4), (3, (C, N, R), 2)])
def test_d_v1_objective_of_the_nobility(players: int, seats: tuple[str, ...] | None, points: int) -> None:
    pieces = {"countryside:artois": "N 9", "town:arras": "N 1", "city:koeln": "N 3"}
    state = on_board("status", pieces, players=players, seats=seats)
    assert score_now(state, N).parts["objective"] == points


def test_r05_draft_with_a_tie() -> None:
    cards = dict(zip(digest_figures()["cities"], [C] * 4 + [H] * 3 + [N] * 2 + [B] + [R], strict=False))
    state = settled(on_board("status", {}, round=0, cities=cards, bishoprics={}, order=FIVE)).state
    for faction, place in ((H, 1), (N, 2), (B, 3), (R, 0)):
        assert next_prompt(state) == (faction, "draft")
        state = GAME.apply(state, Draft(faction=faction, position=place)).state
    assert state.order == (R, C, H, N, B)
    assert state.round == 1


def test_d_v2_tied_factions_lay_in_the_current_order() -> None:
    scores = {C: Fraction(9), H: Fraction(15, 2), B: Fraction(15, 2), R: Fraction(4)}
    state = on_board("draft", {}, players=4, order=(R, B, H, C))
    state = replace(state, scores={"1": {f: {"cities": p} for f, p in scores.items()}})
    laid = [C]
    state = settled(state).state
    while state.frames[-1].phase == "draft":
        laid.append(next_prompt(state)[0])  # type: ignore[index]
        state = GAME.apply(state, Draft(faction=laid[-1], position=0)).state
    assert laid == [C, B, H, R]


def test_end_of_round_resets_markers_and_armies() -> None:
    pieces = {"released:holland": "H 1", "used:huguenots:2": "B 1"}
    state = settled(on_board("status", pieces, hirer=B, driven_back={"holland": {H: 1}})).state
    assert at(state, "support:huguenots:2") == "B 1"
    assert not state.ledger.occupied("released")
    assert (state.hirer, state.driven_back) == (None, {})
    assert state.scores["1"][H]["objective"] == 0


def test_small_provinces_count_in_the_last_round_only() -> None:
    figures = digest_figures(venlo=1)
    figures["provinces"]["venlo"]["minor"] = 0.2
    figures["provinces"]["venlo"]["points"] = 0.0
    held = {"venlo": C}
    state = on_board("status", {}, figures=figures, provinces=held, bishoprics={})
    assert score_now(state, C).points == 0
    assert score_now(replace(state, round=5), C).points == Fraction(1, 5)


def test_small_provinces_ignore_points_in_play() -> None:
    """Figures that give a small province points in play are ignored (4.3.1)."""
    state = on_board("status", {}, figures=digest_figures(venlo=1), provinces={"venlo": C}, bishoprics={})
    assert digest_figures()["provinces"]["venlo"]["points"] == 0.5
    assert [score_now(replace(state, round=round_), C).points for round_ in (1, 5)] == [0, 0]


def test_two_player_result_sums_allied_factions() -> None:
    cards = {"koeln": C, "liege": C, "gent": B, "brugge": B, "leiden": R}
    state = settled(
        on_board("status", {}, players=2, round=5, cities=cards, bishoprics={}, universities={})
    ).state
    result = GAME.result(state)
    assert result is not None
    assert result.ranking == ((B, R), (C, H))


def test_tied_factions_share_the_victory() -> None:
    state = settled(
        on_board("status", {}, round=5, cities={"koeln": C, "gent": B}, bishoprics={}, universities={})
    ).state
    result = GAME.result(state)
    assert result is not None
    assert result.winners == (C, B)


def test_prompt_names_places_that_block_a_river() -> None:
    state = on_board("overflow", {"countryside:gelderland": "C 9"}, cities={"liege": B})
    (prompt,) = GAME.prompts(settled(state).state)
    assert prompt.choices()["moves"]["blocked"] == {"gelderland": {"namur": ["city:liege"]}}


# Rulings in the action that leads to the result


def test_rulings_in_the_last_action_of_a_round() -> None:
    pieces = {"treasury": "R 1", "city:koeln": "C 2, R 1", "countryside:artois": "B 1"}
    state = on_board("influence", pieces, order=(C, H, N, B, R))
    state = settled(replace(state, allegiance={**state.allegiance, "koeln": 2})).state
    ruled = {
        "influence:koeln": 6,
        "allegiance:koeln": {"catholics": 1, "reformers": 4},
        "control:city:koeln": "nobility",
        "control:province:artois": None,
        "bishopric:artois": "strongly-reformed",
        "university:city:koeln": "reformed",
        "score:catholics": "15/2",
    }
    rulings = {key: Ruling(result=result, reason="House rule") for key, result in ruled.items()}
    outcome = GAME.apply(state, Influence(faction=R, coins={"koeln": 1}, rulings=rulings))
    after = outcome.state
    assert after.allegiance["koeln"] == 6
    assert at(after, "city:koeln") == "C 1, R 4"
    assert after.cities["koeln"] == N
    assert after.provinces["artois"] is None
    assert after.bishoprics["artois"] == "strongly-reformed"
    assert after.universities["city:koeln"] == "reformed"
    assert sum(after.scores["1"][C].values()) == Fraction(15, 2)
    assert {step.key for step in flat(outcome.steps) if step.ruling} == set(ruled)
    assert GAME.invariants(after) == []


@pytest.mark.parametrize("seed", range(40))
def test_overflow_reach_matches_brute_force(seed: int) -> None:
    """Compare with a brute-force search that tests every stretch of a river (6.13)."""
    generator = random.Random(seed)
    towns = [place for places in SETTLEMENTS.values() for place in places if place.startswith("town:")]
    pieces = {town: f"{generator.choice('CHNBRX')} 1" for town in towns if generator.randrange(2)}
    cards = {city: generator.choice([*FACTIONS, None]) for city in digest_figures()["cities"]}
    state = on_board("overflow", pieces, cities=cards)
    for source in digest_figures()["provinces"]:
        assert set(reach(state, source, C)) == slow_reach(state, source)


def slow_reach(state: State, source: str) -> set[str]:
    figures = state.setup.figures
    targets = set(figures["provinces"][source]["neighbours"])
    for river in figures["rivers"].values():
        for target in river["course"]:
            if source in river["course"] and target != source:
                first, last = sorted((river["course"].index(source), river["course"].index(target)))
                between = river["course"][first + 1 : last]
                if all(river_passes(state, river["channels"].get(p, [[]])) for p in between):
                    targets.add(target)
    return targets


def river_passes(state: State, channels: list[list[str]]) -> bool:
    def rival(place: str) -> bool:
        kind, slug = place.split(":")
        if kind == "city":
            return state.cities[slug] not in (None, C)
        return at(state, place)[:1] not in ("", "C", "X")

    return any(not any(rival(place) for place in channel) for channel in channels)


def test_steps_name_the_options_they_depend_on() -> None:
    pieces = {"countryside:gelderland": "C 10", "countryside:cleve": "N 6, X 2"}
    move = Stream(source="gelderland", target="cleve", count=2)
    after = apply(on_board("overflow", pieces), Overflow(faction=C, moves=(move,)))
    assert ("overflow_displaces_neutrals",) in [step.options for step in flat(after.steps)]

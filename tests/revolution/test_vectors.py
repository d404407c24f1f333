"""Test vectors of the digest (part 7) that calculators cover, by number."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from tests.revolution.asking import (
    FIVE,
    TWO_PLAYERS,
    ask,
    calculate,
    counters,
    factions,
    flat,
    nonzero,
    refused,
    texts,
)

# 7.1 From the rulebooks


def test_r_01_points_are_not_cumulative() -> None:
    """A score contains only the current round."""
    assert ask("score", faction="catholics", players=5, cities=8)["points"] == 8


def test_r_03_control_and_neutrals_in_brabant() -> None:
    assert ask("control", counters=counters("C 1, N 2")) == {"holder": "nobility"}
    assert ask("control", counters=counters("C 1, X 1")) == {"holder": None}
    placed = ask("neutrals", round=0, supply=20, provinces={"brabant": {"limit": 6, "counters": 4}})
    assert placed == {"placed": {"brabant": 1}}


def test_r_04_half_of_the_counters_is_no_majority() -> None:
    assert ask("control", counters=counters("C 2, N 1, H 1")) == {"holder": None}


def test_neutral_majority_gives_the_card_to_nobody() -> None:
    answer = calculate("control", counters=counters("C 1, X 3"))
    assert answer.data == {"holder": None}
    assert texts(answer) == ["Neutrals 3, all others together 1: nobody gets the card."]


def test_r_05_draft_with_a_tie() -> None:
    points = {"catholics": 9, "habsburgs": 8, "nobility": 7, "burghers": 4, "reformers": 4}
    answer = ask("turn-order", points=points, order=list(FIVE), choices=[1, 2, 3, 0])
    assert answer["laying"] == list(FIVE)
    assert answer["order"] == factions("RCHNB")


def test_r_06_two_garrisons_in_round_0() -> None:
    assert ask("score", faction="habsburgs", players=5, objective=2)["parts"]["objective"] == 2


def test_r_08_battle_1() -> None:
    answer = ask("battle", armies=counters("N 1, B 1, R 1"))
    assert answer["left"] == counters("N 0, B 1, R 0")
    assert not answer["standoff"]


def test_r_09_battle_2() -> None:
    answer = calculate("battle", armies=counters("C 1, H 2, B 2"))
    assert answer.data["left"] == counters("C 0, H 1, B 0")
    assert answer.data["lost"] == counters("C 1, H 1, B 2")
    assert texts(answer) == [
        "Catholics and Burghers are the most hostile: 1 army of each goes.",
        "Habsburgs and Burghers are the most hostile: 1 army of each goes.",
        "Habsburgs alone: 1 army stays.",
    ]


def test_r_10_battle_3() -> None:
    answer = ask("battle", armies=counters("C 2, N 2"))
    assert answer["left"] == counters("C 1, N 1")
    assert answer["standoff"]


def test_r_11_new_units() -> None:
    answer = ask(
        "new-units",
        cities=[{"links_held": 0}, {"links_held": 2}],
        towns=1,
        countryside=1 + 2 + 3 + 2,
        support=2,
        supply=30,
    )
    assert answer == {"allowance": 8, "parts": {"cities": 4, "towns": 1, "countryside": 1, "support": 2}}


def test_r_14_influence_in_the_hungarian_rules() -> None:
    spent = counters("C 1, H 1, N 1, B 2, R 3")
    answer = calculate("influence", space=2, order=list(FIVE), spent=spent)
    assert answer.data == {"space": 5}
    assert texts(answer)[:6] == [
        "Catholics: 1 coin, 2 → 1.",
        "Habsburgs: 1 coin, 1 → 1; 1 wasted.",
        "Burghers: 2 coins, 1 → 3.",
        "Reformers: 3 coins, 3 → 6.",
        "Nobility: 1 coin, 6 → 5.",
        "The marker moves from column 2 to 5.",
    ]
    assert sum(move.count for step in answer.steps for move in step.moves) == 8


def test_r_14_influence_without_the_nobility() -> None:
    answer = calculate("influence", space=2, order=list(FIVE), spent=counters("C 1, H 1, B 2, R 3"))
    assert answer.data == {"space": 5}
    assert "From column 2 towards 6 the marker moves 3 columns at most: it ends in 5." in texts(answer)
    assert sum(move.count for step in answer.steps for move in step.moves) == 7


def test_r_15_influence_in_the_italian_rules() -> None:
    spent = counters("C 1, H 1, N 2, B 1, R 0")
    assert ask("influence", space=2, order=list(FIVE), spent=spent) == {"space": 4}


def test_r_16_most_hostile_armies_fight_first() -> None:
    answer = ask("battle", armies=counters("C 1, N 1, B 1, R 1"))
    assert answer["left"] == counters("C 0, N 1, B 1, R 0")
    assert answer["standoff"]


def test_r_19_neutral_shortage() -> None:
    provinces = {p: {"limit": 5, "counters": 3} for p in ("artois", "cleve", "namur")}
    answer = calculate("neutrals", round=2, supply=4, provinces=provinces, order_choice=["cleve"])
    assert answer.data == {"placed": {"artois": 1, "cleve": 2, "namur": 1}}
    assert texts(answer)[-2:] == [
        "Layer 1, one each: Artois, Cleve, Namur.",
        "1 is left, which does not go round; the first player chose: Cleve.",
    ]


# 7.2 Conflict: counters, limit, counters left, totals after each step

CONFLICTS = [
    ("D-C1", "C 1, H 5", 3, "H 5", [5]),
    ("D-C2", "C 2, H 2", 3, "C 1, H 1", [2]),
    ("D-C3", "C 1, H 1", 1, "", [0]),
    ("D-C4", "C 1, H 1, N 3", 3, "N 3", [3]),
    ("D-C5", "C 1, H 4, N 4", 7, "H 3, N 3", [8, 6]),
    ("D-C6", "C 2, H 3", 4, "C 1, H 3", [4]),
    ("D-C7", "C 3, X 1", 3, "C 3", [3]),
    ("D-C8", "C 1, H 2, N 2", 2, "H 1, N 1", [4, 2]),
    ("D-C9", "C 2, H 3, N 5", 6, "H 2, N 4", [9, 8, 7, 6]),
    ("D-C10", "C 4, H 3, X 2", 5, "C 3, H 2", [8, 7, 6, 5]),
    ("D-C11", "C 3, H 3, N 3", 5, "C 1, H 1, N 1", [6, 3]),
    ("D-C12", "C 2, X 5", 4, "X 4", [6, 5, 4]),
    ("D-C13", "C 1, X 5", 4, "X 5", [5]),
    ("D-C14", "C 1, H 2, N 3, B 4", 5, "N 2, B 3", [9, 8, 7, 6, 5]),
    ("D-C15", "C 7", 4, "C 7", []),
    ("D-C16", "C 1, H 2", 3, "C 1, H 2", []),  # 2 more of C in a besieged city do not count
]


@pytest.mark.parametrize(
    ("here", "limit", "left", "totals"), [row[1:] for row in CONFLICTS], ids=[row[0] for row in CONFLICTS]
)
def test_conflict(here: str, limit: int, left: str, totals: list[int]) -> None:
    given = counters(here)
    answer = calculate("conflict", limit=limit, counters=given)
    assert nonzero(answer.data["left"]) == counters(left)
    assert {f: answer.data["left"][f] + answer.data["removed"][f] for f in given} == given
    steps = [step for step in flat(answer.steps) if step.moves]
    assert [step.message.params["after"] for step in steps] == totals


def test_d_c10_passes_are_explained() -> None:
    assert texts(calculate("conflict", limit=5, counters=counters("C 4, H 3, X 2"))) == [
        "9 counters, limit 5: conflict between Catholics, Habsburgs, Neutrals.",
        "Pass 1: from the fewest to the most, each loses 1.",
        "Fewest: Neutrals 2 → 1, 9 → 8.",
        "Next: Habsburgs 3 → 2, 8 → 7.",
        "Next: Catholics 4 → 3, 7 → 6.",
        "Pass 2: from the fewest to the most, each loses 1.",
        "Fewest: Neutrals 1 → 0, 6 → 5.",
        "5 counters are not above the limit of 5: the conflict ends.",
    ]


def test_conflict_reports_the_surplus_above_the_limit() -> None:
    """The survivor's surplus in D-C1, D-C13 and D-C15."""
    last = [
        texts(calculate("conflict", limit=limit, counters=counters(here)))[-1]
        for here, limit in (
            ("C 1, H 5", 3),
            ("C 1, X 5", 4),
            ("C 7", 4),
        )
    ]
    assert last == [
        "Habsburgs alone, limit 3: the conflict ends. 2 counters overflow.",
        "Neutrals alone, limit 4: the conflict ends. 1 counter goes back to supply when others overflow.",
        "Catholics alone, limit 4: no conflict. 3 counters overflow.",
    ]


# 7.2 Neutrals

NEEDS = {"artois": 3, "cleve": 1, "namur": 2}
FILLS = [
    ("D-N1", 6, [], [3, 1, 2]),
    ("D-N2", 4, ["artois"], [2, 1, 1]),
    ("D-N2", 4, ["namur"], [1, 1, 2]),
    ("D-N3", 5, [], [2, 1, 2]),
    ("D-N4", 2, ["cleve", "artois"], [1, 1, 0]),
    ("D-N4", 2, ["namur", "cleve"], [0, 1, 1]),
]


@pytest.mark.parametrize(
    ("supply", "choice", "placed"), [row[1:] for row in FILLS], ids=[row[0] for row in FILLS]
)
def test_neutrals(supply: int, choice: list[str], placed: list[int]) -> None:
    provinces = {p: {"limit": 5, "counters": 5 - need} for p, need in NEEDS.items()}
    answer = ask("neutrals", round=1, supply=supply, order_choice=choice, provinces=provinces)
    assert answer == {"placed": dict(zip(NEEDS, placed, strict=True))}


def test_d_n2_full_province_cannot_be_chosen() -> None:
    provinces = {p: {"limit": 5, "counters": 5 - need} for p, need in NEEDS.items()}
    body = {"round": 1, "supply": 4, "order_choice": ["cleve"], "provinces": provinces}
    assert refused("neutrals", body) == ("6.12", "Choose exactly 1 province.")


@pytest.mark.parametrize(
    ("round_", "total", "placed"),
    [pytest.param(0, 4, 0, id="D-N5"), pytest.param(0, 2, 2, id="D-N6"), pytest.param(3, 4, 1, id="D-N7")],
)
@pytest.mark.parametrize("supply", [2, 20, 47])
def test_neutrals_of_one_province(round_: int, total: int, placed: int, supply: int) -> None:
    provinces = {"zeeland": {"limit": 5, "counters": total}}
    answer = ask("neutrals", round=round_, supply=supply, provinces=provinces)
    assert answer == {"placed": {"zeeland": placed}}


# 7.2 Battles

BATTLES = [
    ("D-B1", "C 2, H 1", False, "C 1", False),
    ("D-B2", "C 1, H 1", False, "C 1, H 1", True),
    ("D-B3", "C 1, H 1, N 1, B 1, R 1", False, "N 1", False),
    ("D-B4", "C 3, R 1", False, "C 2", False),
    ("D-B5", "C 1, H 1, N 1, B 1", False, "H 1, N 1", True),
    ("D-B6", "H 3", False, "H 3", False),
    ("D-B7", "C 2, H 1", True, "C 2, H 1", False),
    ("D-B8", "C 1, H 1", True, "C 1, H 1", True),
    ("D-B9", "C 1, H 1, R 1", True, "H 1", False),
    ("D-B10", "C 1, H 2, B 1", True, "H 2", False),
    ("D-B11", "C 1, R 1", False, "C 1, R 1", True),  # a released army is not entered
]


@pytest.mark.parametrize(
    ("armies", "two_players", "left", "standoff"),
    [row[1:] for row in BATTLES],
    ids=[row[0] for row in BATTLES],
)
def test_battle(armies: str, two_players: bool, left: str, standoff: bool) -> None:  # noqa: FBT001
    answer = ask("battle", armies=counters(armies), allies=TWO_PLAYERS if two_players else [])
    assert nonzero(answer["left"]) == counters(left)
    assert answer["standoff"] is standoff


# 7.2 Influence: start, coins, order, columns of the spare marker, final column

PULLS = [
    ("D-I1", 4, "R 5, N 1", "CHNBR", [7, 6], 6),
    ("D-I2", 4, "R 2, C 2", "CHNBR", [2, 4], 4),
    ("D-I3", 1, "C 4, R 2", "CHNBR", [1, 3], 3),
    ("D-I4", 1, "C 4, R 2", "RCHNB", [3, 1], 1),
    ("D-I5", 5, "N 3", "CHNBR", [4], 4),
    ("D-I6", 7, "C 6", "CHNBR", [1], 4),
    ("D-I7", 4, "R 6, C 3", "RBNHC", [7, 4], 4),
    ("D-I8", 6, "C 5, N 2", "CHNBR", [1, 3], 3),
    ("D-I9", 2, "R 9, N 4", "CHNBR", [7, 4], 4),
    ("D-I10", 3, "", "CHNBR", [], 3),
]


@pytest.mark.parametrize(
    ("start", "coins", "order", "spare", "end"), [row[1:] for row in PULLS], ids=[row[0] for row in PULLS]
)
def test_influence(start: int, coins: str, order: str, spare: list[int], end: int) -> None:
    answer = calculate("influence", space=start, order=factions(order), spent=counters(coins))
    assert answer.data == {"space": end}
    pulls = [step.message.params for step in answer.steps if "faction" in step.message.params]
    assert [pull["end"] for pull in pulls] == spare


# 7.2 Sieges: besieger, city, supplies, city afterwards

SIEGES = [
    ("D-S1", "habsburgs", "X 2", "H 5, X 20", "H 2"),
    ("D-S2", "habsburgs", "R 1", "H 5, X 20", "H 1"),
    ("D-S3", "habsburgs", "B 3", "H 5, X 20", "H 2, X 1"),
    ("D-S4", "habsburgs", "B 5", "H 5, X 20", "H 2, X 3"),
    ("D-S5", "habsburgs", "H 1, B 2, R 1", "H 5, X 20", "H 3, X 1"),
    ("D-S6", "habsburgs", "R 1, X 2", "H 5, X 20", "H 2, X 1"),
    ("D-S7", "habsburgs", "B 3", "H 1, X 20", "H 1, X 1"),
    ("D-S8", "habsburgs", "B 3", "H 0, X 0", ""),
    ("D-S9", "habsburgs", "B 4, X 1", "H 9, X 1", "H 2, X 2"),
    ("D-S10", "catholics", "H 2, X 2", "C 5, X 9", "H 2, C 2"),
    ("D-S11", "water-beggars", "C 2, H 1, X 1", "X 2", "X 3"),
]


@pytest.mark.parametrize(
    ("besieger", "city", "supply", "left"), [row[1:] for row in SIEGES], ids=[row[0] for row in SIEGES]
)
def test_siege(besieger: str, city: str, supply: str, left: str) -> None:
    allies = TWO_PLAYERS if besieger == "catholics" else []
    answer = ask("siege", besieger=besieger, counters=counters(city), supply=counters(supply), allies=allies)
    assert nonzero(answer["counters"]) == counters(left)


def test_d_s1_and_d_s8_supplies_after_sieges() -> None:
    def supply_after(city: str, supply: str) -> Any:
        return ask("siege", besieger="habsburgs", counters=counters(city), supply=counters(supply))["supply"]

    assert supply_after("X 2", "H 5, X 20") == counters("H 3, X 22")  # D-S1
    assert supply_after("B 3", "H 0, X 0") == counters("H 0, X 0, B 3")  # D-S8


@pytest.mark.parametrize(("city", "holder"), [("H 2, X 1", "habsburgs"), ("H 2, X 3", None)])
def test_control_of_the_city_after_d_s3_and_d_s4(city: str, holder: str | None) -> None:
    assert ask("control", counters=counters(city)) == {"holder": holder}


# 7.2 Allegiance effects: every supply is 5 unless noted

ADJUSTED = [
    ("D-A1", 2, "B 1, R 1, C 1", "", 5, "B 1, C 1"),
    ("D-A2", 2, "B 2", "", 5, "B 1"),
    ("D-A3", 2, "C 2, N 1", "", 5, "C 2, N 1"),
    ("D-A4", 1, "B 1, C 1", "", 5, "C 2"),
    ("D-A5", 1, "R 1", "C 0", 5, "H 1"),
    ("D-A6", 1, "R 1", "C 0, H 0", 5, "X 1"),
    ("D-A7", 3, "R 1", "", 5, "R 1"),
    ("D-A7", 4, "R 1", "", 5, "R 1"),
    ("D-A7", 5, "R 1", "", 5, "R 1"),
    ("D-A8", 6, "C 2", "", 5, "C 2, R 1"),
    ("D-A9", 6, "C 2", "R 0", 5, "C 2, B 1"),
    ("D-A10", 6, "C 2", "R 0, B 0", 5, "C 2, X 1"),
    ("D-A11", 6, "C 2", "R 0, B 0", 3, "C 2, N 1"),
    ("D-A12", 7, "C 2, B 1, R 1", "", 5, "R 5"),
    ("D-A13", 7, "C 2, B 1, R 1", "R 2", 5, "R 3, B 2"),
    ("D-A14", 7, "X 2", "", 5, "R 3"),
    ("D-A15", 7, "H 3", "R 2, B 1", 5, "R 2, B 1, X 1"),
]


@pytest.mark.parametrize(
    ("space", "city", "short", "players", "left"),
    [row[1:] for row in ADJUSTED],
    ids=[row[0] for row in ADJUSTED],
)
def test_allegiance(space: int, city: str, short: str, players: int, left: str) -> None:
    supply = counters("C 5, H 5, N 5, B 5, R 5, X 5") | counters(short)
    answer = ask("allegiance", space=space, counters=counters(city), supply=supply, players=players)
    assert nonzero(answer["counters"]) == counters(left)


def test_replaced_counters_return_to_supply_first() -> None:
    """Replaced counters return to supply before new ones are placed (A24)."""
    answer = ask("allegiance", space=7, counters=counters("B 2"), supply={}, players=5)
    assert nonzero(answer["counters"]) == counters("B 2")


# 7.2 Money, units, order


def test_d_t1_rounded_down_once() -> None:
    assert ask("taxes", provinces=[0.5, 0.5, 1, 0.5], cities=0, supply=20) == {"collected": 2}


@pytest.mark.parametrize(("rate", "collected"), [(1, 5), (2, 8), (3, 11)])
def test_d_t2_tax_rates(rate: int, collected: int) -> None:
    assert ask("taxes", provinces=[2], cities=3, rate=rate, supply=20) == {"collected": collected}


def test_d_t3_supply_must_cover_the_rate() -> None:
    body = {"provinces": [2], "cities": 3, "rate": 3, "supply": 9}
    assert refused("taxes", body) == ("6.1", "Rate 3 needs 11 counters; you have 9 in supply.")
    assert ask("taxes", **{**body, "rate": 2}) == {"collected": 8}
    assert ask("taxes", **{**body, "supply": 11}) == {"collected": 11}


def test_d_t4_lowest_rate_takes_what_is_left() -> None:
    body = {"provinces": [2], "cities": 3, "supply": 4}
    assert ask("taxes", **body, rate=1) == {"collected": 4}
    assert refused("taxes", {**body, "rate": 2})[1] == "Rate 2 needs 8 counters; you have 4 in supply."
    assert refused("taxes", {**body, "rate": 3})[1] == "Rate 3 needs 11 counters; you have 4 in supply."


def test_d_t5_no_tax_without_cards() -> None:
    assert ask("taxes", provinces=[], cities=0, supply=20) == {"collected": 0}


@pytest.mark.parametrize(
    ("computed", "supply", "units"),
    [pytest.param(3, 20, 7, id="D-U1"), pytest.param(3, 5, 5, id="D-U2"), pytest.param(12, 9, 9, id="D-U3")],
)
def test_new_units(computed: int, supply: int, units: int) -> None:
    answer = ask("new-units", cities=[], towns=computed, countryside=0, support=0, supply=supply)
    assert answer["allowance"] == units
    assert answer["parts"] == {"cities": 0, "towns": computed, "countryside": 0, "support": 0}


@pytest.mark.parametrize(
    ("faction", "count", "cost"), [("habsburgs", 3, 10), ("burghers", 2, 4), ("catholics", 2, 7)]
)
def test_d_m3_recruiting_cost(faction: str, count: int, cost: int) -> None:
    assert ask("recruit-cost", faction=faction, armies=count) == {"cost": cost}


@pytest.mark.parametrize(("players", "points"), [(5, 4), (3, 2)])
def test_d_v1_objective_of_the_nobility(players: int, points: int) -> None:
    assert ask("score", faction="nobility", players=players, objective=10)["parts"]["objective"] == points


def test_d_v2_ties_follow_the_current_play_order() -> None:
    points = {"catholics": 9, "habsburgs": 7.5, "burghers": 7.5, "reformers": 4}
    answer = ask("turn-order", points=points, order=factions("RBHC"))
    assert answer == {"laying": factions("CBHR")}


# 5 and 6: tables of the digest without case numbers


@pytest.mark.parametrize(
    ("letter", "prices"),
    [
        ("C", [0, 3, 7, 11]),
        ("H", [0, 3, 6, 10]),
        ("N", [0, 2, 5, 8]),
        ("B", [0, 2, 4, 7]),
        ("R", [0, 2, 4, 6]),
    ],
)
def test_recruiting_costs_of_a16(letter: str, prices: list[int]) -> None:
    faction = factions(letter)[0]
    assert [ask("recruit-cost", faction=faction, armies=n)["cost"] for n in range(4)] == prices


@pytest.mark.parametrize(
    ("players", "table"),
    [
        (5, {0: 0, 1: 1, 3: 1, 4: 2, 6: 2, 7: 3, 10: 4}),
        (3, {0: 0, 1: 1, 5: 1, 6: 2, 10: 2, 11: 3}),
    ],
)
def test_objective_of_the_nobility_rounds_up(players: int, table: dict[int, int]) -> None:
    for count, points in table.items():
        answer = ask("score", faction="nobility", players=players, objective=count)
        assert answer["parts"]["objective"] == points


def test_invariant_24_every_order_is_attainable() -> None:
    points = {f: 10 - i for i, f in enumerate(FIVE)}
    reached = {
        tuple(ask("turn-order", points=points, order=list(FIVE), choices=[a, b, c, d])["order"])
        for a in range(2)
        for b in range(3)
        for c in range(4)
        for d in range(5)
    }
    assert reached == set(permutations(FIVE))


# 8: table options


def test_q_08_nobility_substitutes_for_reformers() -> None:
    supply = counters("C 5, H 5, N 5, B 5, R 0, X 5")
    body: dict[str, Any] = {"space": 6, "counters": counters("C 2"), "supply": supply}
    options = {"reformer_substitute": "N"}
    counters_after = {
        p: ask("allegiance", **body, players=p, options=options)["counters"] for p in (2, 3, 4, 5)
    }
    assert nonzero(counters_after[5]) == nonzero(counters_after[3]) == counters("C 2, N 1")
    assert (
        nonzero(counters_after[4]) == nonzero(counters_after[2]) == counters("C 2, X 1")
    )  # the Nobility does not play


def test_q_13_partial_tax_takes_the_whole_supply() -> None:
    body = {"provinces": [2], "cities": 3, "rate": 3, "supply": 9, "options": {"tax_partial_extra": True}}
    assert ask("taxes", **body) == {"collected": 9}


@pytest.mark.parametrize(
    ("city", "left"), [("X 2", "X 2"), ("R 1, X 2", "H 1, X 2"), ("B 3, X 1", "H 2, X 2"), ("B 2", "H 2")]
)
def test_q_19_neutrals_are_not_converted(city: str, left: str) -> None:
    body = {"besieger": "habsburgs", "counters": counters(city), "supply": counters("H 5, X 20")}
    answer = ask("siege", **body, options={"siege_converts_neutrals": False})
    assert nonzero(answer["counters"]) == counters(left)


def test_steps_name_the_options_they_depend_on() -> None:
    supply = counters("C 5, H 5, N 5, B 5, R 0, X 5")
    cases = {
        "reformer_substitute": calculate(
            "allegiance", space=7, counters={"catholics": 1}, supply=supply, players=5
        ),
        "siege_converts_neutrals": calculate(
            "siege", besieger="habsburgs", counters={"neutral": 2}, supply={"habsburgs": 4}
        ),
        "tax_partial_extra": calculate(
            "taxes", provinces=[2], cities=3, rate=3, supply=9, options={"tax_partial_extra": True}
        ),
    }
    for option, answer in cases.items():
        assert option in {name for step in flat(answer.steps) for name in step.options}

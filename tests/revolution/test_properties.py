"""Properties of the calculators: conservation of pieces and the digest's invariants (part 9)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from games.core.calculators import Answer
from games.revolution import CALCULATORS
from games.revolution.conflict import resolve
from tests.core.rendering import faults, is_known_rule
from tests.revolution.asking import FIVE, GAME, TWO_PLAYERS, ask, calculate, flat, nonzero

SIX = (*FIVE, "neutral")
FAST = settings(max_examples=60, deadline=None, derandomize=True)

few = st.integers(0, 7)
everybody = st.dictionaries(st.sampled_from(SIX), few)
armies = st.dictionaries(st.sampled_from(FIVE), st.integers(0, 4))
allies = st.sampled_from([[], TWO_PLAYERS])
orders = st.permutations(FIVE)
besiegers = st.sampled_from([*FIVE, "water-beggars"])
spaces = st.integers(1, 7)
players = st.integers(2, 5)
places = st.sampled_from(["holland", "zeeland", "artois", "namur", "trier"])
needs = st.dictionaries(places, st.fixed_dictionaries({"limit": few, "counters": few}))


def checked_steps(answer: Answer) -> Answer:
    """Return the answer after asserting that every step has a known rule and valid messages."""
    assert answer.steps
    for step in flat(answer.steps):
        assert is_known_rule(GAME, step.rule)
        assert list(faults(GAME, step.message)) == []
        for act in step.acts:
            assert list(faults(GAME, act.message)) == []
    return answer


def moved(answer: Answer, place: str) -> Counter[str]:
    """Return the net change of counters at a place."""
    change: Counter[str] = Counter()
    for step in answer.steps:
        for move in step.all_moves():
            assert move.count > 0
            change[move.owner] += move.count * ((move.target == place) - (move.source == place))
    return change


def after(before: dict[str, int], change: Counter[str]) -> dict[str, int]:
    return nonzero({key: before.get(key, 0) + change[key] for key in SIX})


# 9 and 10: conflict


@FAST
@given(everybody, few)
def test_conflict(here: dict[str, int], limit: int) -> None:
    answer = checked_steps(calculate("conflict", limit=limit, counters=here))
    left, removed = answer.data["left"], answer.data["removed"]
    assert set(left) == set(removed) == set(here)
    assert after(here, moved(answer, "here")) == nonzero(left)
    assert all(0 <= left[f] <= here[f] for f in here)
    assert sum(left.values()) <= limit or len(nonzero(left)) <= 1
    if sum(here.values()) <= limit or len(nonzero(here)) <= 1:
        assert left == here
    for one in nonzero(left):
        for other in nonzero(left):
            assert abs(removed[one] - removed[other]) <= 1
            assert here[one] > here[other] or removed[one] >= removed[other]
    if sum(removed.values()):
        level = resolve(here, limit).passes[-1][-1].factions
        assert limit - sum(left.values()) <= len(level) - 1
    assert ask("conflict", limit=limit, counters=left)["left"] == left


@FAST
@given(everybody, few, st.permutations(SIX))
def test_conflict_treats_all_factions_alike(here: dict[str, int], limit: int, other: list[str]) -> None:
    renamed = dict(zip(SIX, other, strict=True))
    left = ask("conflict", limit=limit, counters=here)["left"]
    answer = ask("conflict", limit=limit, counters={renamed[f]: n for f, n in here.items()})
    assert answer["left"] == {renamed[f]: n for f, n in left.items()}


# 16: battles


@FAST
@given(armies, allies)
def test_battle(here: dict[str, int], friends: Any) -> None:
    answer = checked_steps(calculate("battle", armies=here, allies=friends))
    left, lost = answer.data["left"], answer.data["lost"]
    assert {f: left[f] + lost[f] for f in here} == here
    assert after(here, moved(answer, "here")) == nonzero(left)
    assert sum(lost.values()) % 2 == 0
    allied = any(set(nonzero(left)) <= set(pair) for pair in friends)
    assert len(nonzero(left)) <= 1 or sum(left.values()) == 2 or allied
    assert answer.data["standoff"] == (len(nonzero(left)) == 2 and sum(left.values()) == 2)
    again = ask("battle", armies=left, allies=friends)
    assert again["left"] == left
    for step in answer.steps:
        owners = {move.owner for move in step.moves}
        assert len(owners) in (0, 2)
        assert not owners or not any(owners <= set(pair) for pair in friends)


# 17: influence


@FAST
@given(spaces, orders, st.dictionaries(st.sampled_from(FIVE), few))
def test_influence(space: int, order: list[str], spent: dict[str, int]) -> None:
    answer = checked_steps(calculate("influence", space=space, order=order, spent=spent))
    end = answer.data["space"]
    assert 1 <= end <= 7
    assert abs(end - space) <= 3
    assert moved(answer, "supply") == Counter(spent)
    if not nonzero(spent):
        assert end == space
    if set(nonzero(spent)) == {"nobility"}:
        assert (space - 4) * (end - 4) >= 0
        assert abs(end - 4) <= abs(space - 4)


# 18: allegiance


@FAST
@given(spaces, everybody, everybody, players)
def test_allegiance(space: int, here: dict[str, int], supply: dict[str, int], count: int) -> None:
    body = {"space": space, "counters": here, "supply": supply, "players": count}
    answer = checked_steps(calculate("allegiance", **body))
    assert_counters_conserved(here, supply, answer)
    left = answer.data["counters"]
    size = sum(left.values()) - sum(here.values())
    if 3 <= space <= 5:
        assert nonzero(left) == nonzero(here)
    if space == 2:
        assert size in (0, -1)
    if space == 7 and supply.get("reformers", 0) > sum(here.values()):
        assert set(nonzero(left)) == {"reformers"}
        assert size == 1
    assert size <= 1


def assert_counters_conserved(here: dict[str, int], supply: dict[str, int], answer: Answer) -> None:
    """Assert that counters are conserved and the moves lead from before to after (invariants 1, 2)."""
    city, home = answer.data["counters"], answer.data["supply"]
    assert set(here) | {"neutral"} <= set(city)
    assert set(supply) | {"neutral"} <= set(home)
    for f in SIX:
        assert city.get(f, 0) >= 0
        assert home.get(f, 0) >= 0
        assert city.get(f, 0) + home.get(f, 0) == here.get(f, 0) + supply.get(f, 0)
    assert after(here, moved(answer, "here")) == nonzero(city)
    assert after(supply, moved(answer, "supply")) == nonzero(home)


# 14: sieges


@FAST
@given(besiegers, everybody, everybody, allies)
def test_siege(besieger: str, here: dict[str, int], supply: dict[str, int], friends: Any) -> None:
    answer = checked_steps(
        calculate("siege", besieger=besieger, counters=here, supply=supply, allies=friends)
    )
    assert_counters_conserved(here, supply, answer)
    left = answer.data["counters"]
    own = {besieger, "neutral"}.union(*(pair for pair in friends if besieger in pair))
    assert set(nonzero(left)) <= own
    assert sum(left.values()) <= sum(here.values())
    assert 0 <= left.get(besieger, 0) - here.get(besieger, 0) <= 2
    if supply.get(besieger, 2) >= 2 and besieger in supply and supply.get("neutral", 0) >= sum(here.values()):
        assert sum(left.values()) == sum(here.values())
    for friend in own - {besieger, "neutral"}:
        assert left.get(friend, 0) == here.get(friend, 0)


# 19: control


@FAST
@given(everybody)
def test_control(here: dict[str, int]) -> None:
    holder = checked_steps(calculate("control", counters=here)).data["holder"]
    total = sum(here.values())
    assert holder != "neutral"
    assert (holder is not None) == any(2 * here.get(f, 0) > total for f in FIVE)
    assert holder is None or 2 * here[holder] > total
    more = ask("control", counters={**here, "neutral": here.get("neutral", 0) + 1})["holder"]
    assert more in (None, holder)


# 22: taxes; 23: new units


@FAST
@given(st.lists(st.sampled_from([0, 0.5, 1, 2])), few, st.integers(1, 3), st.integers(0, 40))
def test_taxes(provinces: list[float], cities: int, rate: int, supply: int) -> None:
    body = {
        "provinces": provinces,
        "cities": cities,
        "supply": supply,
        "options": {"tax_partial_extra": True},
    }
    collected = checked_steps(calculate("taxes", **body, rate=rate)).data["collected"]
    assert 0 <= collected <= supply
    assert collected >= ask("taxes", **body, rate=1)["collected"]


@FAST
@given(st.lists(few), few, st.integers(0, 30), few, st.integers(0, 40))
def test_new_units(links: list[int], towns: int, country: int, support: int, supply: int) -> None:
    cities = [{"links_held": n} for n in links]
    body = {"cities": cities, "towns": towns, "countryside": country, "support": support, "supply": supply}
    data = checked_steps(calculate("new-units", **body)).data
    assert min(7, supply) <= data["allowance"] <= supply
    assert data["allowance"] in (7, supply, sum(data["parts"].values()))


# 11: neutrals


@FAST
@given(
    st.integers(0, 5),
    st.integers(0, 47),
    needs,
    st.permutations(("holland", "zeeland", "artois", "namur", "trier")),
)
def test_neutrals(round_: int, supply: int, provinces: Any, choice: list[str]) -> None:
    body = {"round": round_, "supply": supply, "provinces": provinces, "order_choice": choice}
    answer = checked_steps(calculate("neutrals", **body))
    placed = answer.data["placed"]
    wanted = {p: max(0, row["limit"] - (round_ == 0) - row["counters"]) for p, row in provinces.items()}
    assert set(placed) == set(provinces)
    assert all(0 <= placed[p] <= wanted[p] for p in provinces)
    assert sum(placed.values()) == min(supply, sum(wanted.values()))
    unmet = [placed[p] for p in provinces if placed[p] < wanted[p]]
    assert max(unmet, default=0) - min(unmet, default=0) <= 1
    assert moved(answer, "supply")["neutral"] == -sum(placed.values())
    for p in provinces:
        assert moved(answer, f"countryside:{p}")["neutral"] == placed[p]


# 24: turn order


@FAST
@given(orders, st.dictionaries(st.sampled_from(FIVE), st.sampled_from([3, 4, 4.5, 6])), st.data())
def test_turn_order(order: list[str], points: dict[str, float], data: st.DataObject) -> None:
    choices = [data.draw(st.integers(0, i)) for i in range(1, 5)]
    answer = checked_steps(calculate("turn-order", points=points, order=order, choices=choices)).data
    assert sorted(answer["order"]) == sorted(FIVE)
    assert sorted(answer["laying"]) == sorted(FIVE)
    ranked = [points.get(f, 0) for f in answer["laying"]]
    assert ranked == sorted(ranked, reverse=True)
    fewer = ask("turn-order", points=points, order=order, choices=[*choices[:3], 0])["order"]
    last = answer["laying"][-1]
    assert [f for f in fewer if f != last] == [f for f in answer["order"] if f != last]


# 25: score


@FAST
@given(
    st.sampled_from(FIVE),
    st.sampled_from([3, 5]),
    few,
    st.lists(st.sampled_from([0, 0.5, 1])),
    st.lists(st.sampled_from([0.1, 0.2, 0.5])),
    st.booleans(),
)
def test_score(faction: str, count: int, cities: int, cards: Any, small: Any, final: bool) -> None:  # noqa: FBT001
    body = {"faction": faction, "players": count, "cities": cities, "provinces": cards, "objective": 5}
    answer = checked_steps(calculate("score", **body, minor_provinces=small, final=final)).data
    without = ask("score", **body, minor_provinces=[], final=final)
    if not final:
        assert answer == without
        assert answer["points"] * 2 % 1 == 0
    assert without["parts"]["minor_provinces"] == 0


def test_calculators_do_not_modify_their_input() -> None:
    for calculator in CALCULATORS.calculators:
        before = repr(calculator.example)
        assert calculator.calculate(calculator.example) == calculator.calculate(calculator.example)
        assert repr(calculator.example) == before

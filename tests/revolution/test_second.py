"""Comparison of every calculator with its brute-force implementation, on random bodies."""

from __future__ import annotations

import random
from decimal import Decimal
from typing import Any

import pytest

from games.core.errors import Refused
from games.revolution import CALCULATORS
from tests.revolution import slow
from tests.revolution.asking import FIVE, TWO_PLAYERS, ask, nonzero

SIX = (*FIVE, "neutral")
ROUNDS = 1000
PLACES = ("holland", "zeeland", "utrecht", "artois", "namur", "p6")


def counts(rng: random.Random, keys: tuple[str, ...], most: int) -> dict[str, int]:
    """Return counts for some keys; small numbers are likelier, so that ties are frequent."""
    chosen = [key for key in keys if rng.random() < 0.7]
    return {key: rng.randint(0, rng.randint(0, most)) for key in chosen}


def halves(rng: random.Random, most: int) -> list[Any]:
    return [rng.choice([0, 0.5, 1]) for _ in range(rng.randint(0, most))]


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.node.name)


def test_conflict(rng: random.Random) -> None:
    for _ in range(2 * ROUNDS):
        limit, here = rng.randint(0, 14), counts(rng, SIX, 8)
        left, removed = slow.conflict(limit, here)
        assert ask("conflict", limit=limit, counters=here) == {"left": left, "removed": removed}


def test_battle(rng: random.Random) -> None:
    for _ in range(2 * ROUNDS):
        armies, two = counts(rng, FIVE, 4), rng.random() < 0.4
        left, standoff = slow.battle(armies, two_players=two)
        answer = ask("battle", armies=armies, allies=TWO_PLAYERS if two else [])
        assert (answer["left"], answer["standoff"]) == (left, standoff), armies
        assert answer["lost"] == {f: armies[f] - left[f] for f in armies}


def test_influence(rng: random.Random) -> None:
    for _ in range(2 * ROUNDS):
        order = rng.sample(FIVE, rng.randint(2, 5))
        spent = counts(rng, tuple(order), 6)
        space = rng.randint(1, 7)
        assert ask("influence", space=space, order=order, spent=spent) == {
            "space": slow.influence(space, order, spent)
        }


def test_allegiance(rng: random.Random) -> None:
    for _ in range(2 * ROUNDS):
        space, players = rng.choice([1, 2, 6, 7, 7, 7, rng.randint(1, 7)]), rng.randint(2, 5)
        here, supply = counts(rng, SIX, 4), counts(rng, SIX, 3)
        substitute = rng.choice(["B_then_N3p", "N"])
        city, home = slow.allegiance(space, here, supply, players, substitute)
        options = {"reformer_substitute": substitute}
        answer = ask(
            "allegiance", space=space, counters=here, supply=supply, players=players, options=options
        )
        assert answer["counters"] == slow.counts_of(city, {*here, "neutral"})
        assert answer["supply"] == slow.counts_of(home, {*supply, "neutral"})


def test_control(rng: random.Random) -> None:
    for _ in range(ROUNDS):
        here = counts(rng, SIX, 5)
        assert ask("control", counters=here) == {"holder": slow.holder(here)}


def test_new_units(rng: random.Random) -> None:
    for _ in range(ROUNDS):
        links = [rng.randint(0, 3) for _ in range(rng.randint(0, 4))]
        towns, country, support, supply = (rng.randint(0, most) for most in (4, 22, 4, 20))
        allowance, parts = slow.new_units(links, towns, country, support, supply)
        body = {"towns": towns, "countryside": country, "support": support, "supply": supply}
        answer = ask("new-units", cities=[{"links_held": n} for n in links], **body)
        assert answer == {"allowance": allowance, "parts": parts}


def test_recruit_cost() -> None:
    for faction in FIVE:
        for armies in range(4):
            cost = slow.recruit_cost(faction, armies)
            assert ask("recruit-cost", faction=faction, armies=armies) == {"cost": cost}


def test_taxes(rng: random.Random) -> None:
    for _ in range(ROUNDS):
        cards = [rng.choice([0, 0.5, 1, 1.5, 2, 0.25, 0.1]) for _ in range(rng.randint(0, 6))]
        cities, rate, supply = rng.randint(0, 4), rng.randint(1, 3), rng.randint(0, 16)
        partial = rng.random() < 0.3
        options = {"tax_partial_extra": partial}
        collected = slow.taxes(cards, cities, rate, supply, partial=partial)
        body = {"provinces": cards, "cities": cities, "rate": rate, "supply": supply, "options": options}
        if collected is None:
            with pytest.raises(Refused):
                ask("taxes", **body)
        else:
            assert ask("taxes", **body) == {"collected": collected}


def test_siege(rng: random.Random) -> None:
    for _ in range(2 * ROUNDS):
        besieger = rng.choice([*FIVE, "water-beggars"])
        here, supply = counts(rng, SIX, 4), counts(rng, SIX, 3)
        two, convert_neutrals = rng.random() < 0.3, rng.random() < 0.7
        city, home = slow.siege(besieger, here, supply, two_players=two, neutrals_too=convert_neutrals)
        answer = ask(
            "siege",
            besieger=besieger,
            counters=here,
            supply=supply,
            allies=TWO_PLAYERS if two else [],
            options={"siege_converts_neutrals": convert_neutrals},
        )
        assert answer["counters"] == slow.counts_of(city, {*here, "neutral"})
        assert answer["supply"] == slow.counts_of(home, {*supply, "neutral"})


def test_neutrals(rng: random.Random) -> None:
    for _ in range(2 * ROUNDS):
        needs = {p: (rng.randint(1, 8), rng.randint(0, 8)) for p in PLACES if rng.random() < 0.7}
        round_, supply = rng.choice([0, rng.randint(1, 5)]), rng.randint(0, 20)
        choice = [rng.choice(PLACES) for _ in range(rng.randint(0, 8))]
        placed = slow.neutrals(round_, supply, choice, needs)
        provinces = {p: {"limit": limit, "counters": total} for p, (limit, total) in needs.items()}
        body = {"round": round_, "supply": supply, "order_choice": choice, "provinces": provinces}
        if placed is None:
            with pytest.raises(Refused):
                ask("neutrals", **body)
        else:
            assert ask("neutrals", **body) == {"placed": placed}


def test_turn_order(rng: random.Random) -> None:
    for _ in range(ROUNDS):
        order = rng.sample(FIVE, rng.randint(1, 5))
        points = {f: rng.choice([4, 4.5, 5, 7.5, 8]) for f in order if rng.random() < 0.8}
        choices = [rng.randint(0, i) for i in range(1, len(order))]
        laying, row = slow.turn_order(points, order, choices)
        answer = ask("turn-order", points=points, order=order, choices=choices)
        assert answer == {"laying": laying, "order": row}
        assert ask("turn-order", points=points, order=order) == {"laying": laying}


def test_score(rng: random.Random) -> None:
    for _ in range(ROUNDS):
        faction, final = rng.choice(FIVE), rng.random() < 0.5
        players = rng.choice([3, 5]) if faction == "nobility" else rng.randint(2, 5)
        small = [rng.choice([0.1, 0.2, 0.3, 0.5]) for _ in range(rng.randint(0, 4))]
        cities, cards, n = rng.randint(0, 6), halves(rng, 8), rng.randint(0, 20)
        parts = slow.score(faction, players, (cities, cards, small, n), final=final)
        body = {
            "cities": cities,
            "provinces": cards,
            "minor_provinces": small,
            "final": final,
            "objective": n,
        }
        answer = ask("score", faction=faction, players=players, **body)
        assert {part: Decimal(str(points)) for part, points in answer["parts"].items()} == parts
        assert Decimal(str(answer["points"])) == sum(parts.values())


def test_every_calculator_is_compared() -> None:
    tested = {name.removeprefix("test_").replace("_", "-") for name in globals() if name.startswith("test_")}
    assert set(CALCULATORS.by_name) <= tested


def test_random_bodies_are_varied(rng: random.Random) -> None:
    """Enough bodies have several factions, and enough have ties."""
    bodies = [nonzero(counts(rng, SIX, 8)) for _ in range(ROUNDS)]
    assert sum(len(body) > 2 for body in bodies) > ROUNDS / 4
    assert sum(len(set(body.values())) < len(body) for body in bodies) > ROUNDS / 4

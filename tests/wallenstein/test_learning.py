"""What a tower teaches: the prior alone, a few throws, many throws of towers that are known."""

from __future__ import annotations

import random
from collections import Counter
from math import comb, log

import pytest

from games.core.codec import from_json, to_json
from games.wallenstein.battle import Sides
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.learning import (
    MOST_WEIGHT,
    THUMB,
    WEIGHT,
    Falls,
    Mixed,
    Prior,
    learned,
    prior_of,
    share,
)
from games.wallenstein.tower import RULE_OF_THUMB, Retention, Throw
from tests.wallenstein.games import game, seeds

COLOURS = ("red", "blue", "yellow", "purple", "peasants")


def throw_of(inside: dict[str, int], thrown: dict[str, int], cup: dict[str, int] | None = None) -> Throw:
    return Throw("player", Sides("red", "blue"), 0, inside, cup or {}, thrown)


def simulated(throws: int, seed: int, fresh: float, stuck: float, falls: Falls | None = None) -> Falls:
    """A tower whose chances to drop a cube are known, used for battles of two colours at a time."""
    generator = random.Random(seed)
    inside: Counter[str] = Counter(dict.fromkeys(COLOURS, 3))
    found = falls or Falls()
    for _ in range(throws):
        fighting = generator.sample(COLOURS, 2)
        thrown = {colour: generator.randrange(1, 7) for colour in fighting}
        throw = throw_of(dict(inside), thrown)
        fallen = {
            colour: sum(generator.random() < fresh for _ in range(throw.fresh(colour)))
            + sum(generator.random() < stuck for _ in range(throw.stuck(colour)))
            for colour in COLOURS
        }
        found = found.after(throw, fallen)
        inside = inside + Counter(thrown)
        inside.subtract(fallen)
    return found


def rates(retention: Retention) -> tuple[float, float]:
    return 1 - retention.fresh, 1 - retention.stuck


# What is known beforehand


def test_without_a_throw_the_rule_of_thumb_holds() -> None:
    assert rates(learned(Falls())) == pytest.approx((2 / 3, 1 / 3), abs=1e-12)
    assert prior_of([]) == prior_of([Falls()])
    assert rates(prior_of([]).retention) == pytest.approx((2 / 3, 1 / 3), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_a_few_throws_move_little(seed: int) -> None:
    """Three throws of a tower that is nothing like the rule of thumb: not half of the way."""
    fresh, stuck = rates(learned(simulated(3, seed, fresh=0.3, stuck=0.7)))
    assert 0.48 < fresh < 2 / 3
    assert 1 / 3 < stuck < 0.52


def test_more_throws_move_further() -> None:
    found = [rates(learned(simulated(count, 7, fresh=0.4, stuck=0.1)))[1] for count in (0, 5, 20, 80)]
    assert found == sorted(found, reverse=True)
    assert found[0] - found[-1] > 0.15


# Many throws


@pytest.mark.parametrize(
    ("fresh", "stuck"), [(2 / 3, 1 / 3), (0.5, 0.2), (0.9, 0.1), (0.4, 0.6), (0.75, 0.75)]
)
def test_the_rates_of_a_known_tower_are_found(fresh: float, stuck: float) -> None:
    """600 throws are some 4,000 cubes of each sort; the prior of 40 and chance leave two or three hundredths."""
    found = learned(simulated(600, 11, fresh, stuck))
    assert rates(found) == pytest.approx((fresh, stuck), abs=0.03)


def test_the_error_shrinks_as_throws_are_added() -> None:
    def error(throws: int) -> float:
        distances = [
            abs(got - true)
            for seed in range(6)
            for got, true in zip(rates(learned(simulated(throws, seed, 0.5, 0.15))), (0.5, 0.15), strict=True)
        ]
        return sum(distances) / len(distances)

    few, some, many = error(10), error(80), error(500)
    assert few > some > many
    assert many < 0.02


# The method


def posterior(falls: list[Mixed], p: float, q: float, prior: Prior = THUMB) -> float:
    """The logarithm of how likely two chances are: cubes seen before, and the convolution of each colour."""
    seen = (
        log(p) * prior.fresh * (1 - prior.retention.fresh) + log(1 - p) * prior.fresh * prior.retention.fresh
    )
    seen += (
        log(q) * prior.stuck * (1 - prior.retention.stuck) + log(1 - q) * prior.stuck * prior.retention.stuck
    )
    for one in falls:
        ways = (
            comb(one.fresh, j) * p**j * (1 - p) ** (one.fresh - j)
            * comb(one.stuck, one.fell - j) * q ** (one.fell - j) * (1 - q) ** (one.stuck - one.fell + j)
            for j in range(max(0, one.fell - one.stuck), min(one.fresh, one.fell) + 1)
        )  # fmt: skip
        seen += log(sum(ways))
    return seen


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("prior", [THUMB, Prior(Retention(0.5, 0.9), 100, 60)], ids=["thumb", "group"])
def test_nothing_near_it_is_likelier(seed: int, prior: Prior) -> None:
    generator = random.Random(seed)
    seen = []
    found = Falls()
    for _ in range(30):
        fresh, stuck = generator.randrange(6), generator.randrange(6)
        fell = generator.randrange(fresh + stuck + 1)
        seen.append(Mixed(fresh, stuck, fell))
        found = found.after(throw_of({"red": stuck}, {"red": fresh}), {"red": fell})
    p, q = rates(learned(found, prior))
    top = posterior(seen, p, q, prior)
    for step in (0.001, 0.01, 0.05):
        for dp, dq in ((step, 0), (-step, 0), (0, step), (0, -step), (step, step), (step, -step)):
            assert posterior(seen, p + dp, q + dq, prior) < top


def test_shares_of_what_fell() -> None:
    """1 of a fresh and a stuck cube: it was the fresh one four times in five, if it falls twice as often."""
    assert share(Mixed(1, 1, 1), 2 / 3, 1 / 3) == pytest.approx(0.8)
    assert share(Mixed(1, 1, 1), 0.4, 0.4) == pytest.approx(0.5)
    assert share(Mixed(3, 5, 4), 0.3, 0.3) == pytest.approx(1.5), "no difference, so by their number"
    assert share(Mixed(4, 1, 4), 0.5, 1e-9) == pytest.approx(4)
    assert share(Mixed(2, 3, 4), 1e-9, 0.5) == pytest.approx(1), "three stuck ones are all there are"


# What is counted


def test_what_is_plain_is_only_counted() -> None:
    throw = throw_of(
        {"red": 2, "blue": 3, "yellow": 4}, {"red": 3, "peasants": 2}, {"blue": 1, "peasants": 1}
    )
    falls = Falls().after(throw, {"red": 5, "yellow": 1, "peasants": 2})
    assert falls == Falls(throws=1, fresh=3 + 1 + 3, fresh_fell=3 + 2, stuck=2 + 3 + 4, stuck_fell=2 + 1)
    falls = falls.after(throw, {"red": 4})
    assert falls.mixed == (Mixed(3, 2, 4),)
    assert falls.throws == 2
    assert (falls.all_fresh(), falls.all_stuck()) == (14, 18)


def test_a_throw_of_nothing_teaches_nothing() -> None:
    assert Falls().after(throw_of({}, {}), {}) == Falls()
    assert Falls().after(throw_of({"red": 0}, {"blue": 0}), {}) == Falls()


def test_as_json_and_back() -> None:
    falls = simulated(20, 5, 0.6, 0.3)
    assert from_json(Falls, to_json(falls)) == falls


@seeds(0)
def test_a_game_remembers_what_fell_out_of_its_tower(players: int, seed: int) -> None:
    """Every battle is counted with all the cubes there were; no other entry counts any."""
    walk = game(players, seed)
    end = walk.states[-1].falls
    throws = [played for played in walk.played if played.action.type == "throw"]
    assert end.throws == len(throws)
    fell = sum(sum(played.action.fallen.values()) for played in throws)
    assert end.fresh_fell + end.stuck_fell + sum(one.fell for one in end.mixed) == fell
    inside = sum(
        line.count for played in throws for line in played.state.ledger.at("tower") if line.piece == "army"
    )
    assert end.all_fresh() + end.all_stuck() == inside
    assert walk.states[0].falls == Falls()
    assert WALLENSTEIN.read_state(WALLENSTEIN.state_json(walk.states[-1])).falls == end


def test_odds_decide_nothing() -> None:
    """With another past the same entries lead to the same ledger."""
    walk = game(3, 0)
    state = WALLENSTEIN.read_state(
        {**WALLENSTEIN.state_json(walk.states[0]), "falls": to_json(simulated(50, 1, 0.2, 0.8))}
    )
    for played in walk.played:
        state = WALLENSTEIN.apply(state, played.action).state
    assert state.ledger == walk.states[-1].ledger
    assert state.falls != walk.states[-1].falls


# From game to game


def test_a_group_begins_where_it_ended() -> None:
    earlier = [simulated(100, seed, fresh=0.5, stuck=0.15) for seed in (1, 2)]
    prior = prior_of(earlier)
    assert prior.retention == learned(earlier[0] + earlier[1])
    assert rates(learned(Falls(), prior)) == pytest.approx(rates(prior.retention))
    assert prior.throws == 200


def test_a_long_past_counts_for_twenty_throws_at_most() -> None:
    short, long = prior_of([simulated(2, 1, 0.5, 0.2)]), prior_of([simulated(500, 1, 0.5, 0.2)])
    assert WEIGHT < short.fresh < long.fresh == long.stuck == MOST_WEIGHT
    other_tower = simulated(100, 2, 0.8, 0.5)
    assert rates(learned(other_tower, long)) == pytest.approx((0.8, 0.5), abs=0.1)


def test_the_prior_of_a_table_alone() -> None:
    assert Prior() == THUMB
    assert (THUMB.retention, THUMB.fresh, THUMB.stuck) == (RULE_OF_THUMB, WEIGHT, WEIGHT)

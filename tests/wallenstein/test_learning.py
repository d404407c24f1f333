"""Estimation of a tower's chances: the prior alone, few throws, many throws of simulated towers."""

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
    """Return the statistics of a simulated tower with known chances, in battles of two colours."""
    generator = random.Random(seed)
    inside: Counter[str] = Counter(dict.fromkeys(COLOURS, 3))
    observed = falls or Falls()
    for _ in range(throws):
        fighting = generator.sample(COLOURS, 2)
        thrown = {colour: generator.randrange(1, 7) for colour in fighting}
        throw = throw_of(dict(inside), thrown)
        fallen = {
            colour: sum(generator.random() < fresh for _ in range(throw.fresh(colour)))
            + sum(generator.random() < stuck for _ in range(throw.stuck(colour)))
            for colour in COLOURS
        }
        observed = observed.after(throw, fallen)
        inside = inside + Counter(thrown)
        inside.subtract(fallen)
    return observed


def rates(retention: Retention) -> tuple[float, float]:
    return 1 - retention.fresh, 1 - retention.stuck


# Prior


def test_without_a_throw_the_rule_of_thumb_holds() -> None:
    assert rates(learned(Falls())) == pytest.approx((2 / 3, 1 / 3), abs=1e-12)
    assert prior_of([]) == prior_of([Falls()])
    assert rates(prior_of([]).retention) == pytest.approx((2 / 3, 1 / 3), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_few_throws_change_the_estimate_little(seed: int) -> None:
    """Three throws of a very different tower move the estimate less than half of the way."""
    fresh, stuck = rates(learned(simulated(3, seed, fresh=0.3, stuck=0.7)))
    assert 0.48 < fresh < 2 / 3
    assert 1 / 3 < stuck < 0.52


def test_more_throws_move_the_estimate_further() -> None:
    estimates = [rates(learned(simulated(count, 7, fresh=0.4, stuck=0.1)))[1] for count in (0, 5, 20, 80)]
    assert estimates == sorted(estimates, reverse=True)
    assert estimates[0] - estimates[-1] > 0.15


# Many throws


@pytest.mark.parametrize(
    ("fresh", "stuck"), [(2 / 3, 1 / 3), (0.5, 0.2), (0.9, 0.1), (0.4, 0.6), (0.75, 0.75)]
)
def test_estimate_recovers_the_rates_of_a_known_tower(fresh: float, stuck: float) -> None:
    """600 throws are about 4,000 cubes of each sort; prior and chance leave an error of at most 0.03."""
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
    """Return the log posterior of two chances: prior cubes plus the convolution of each colour."""
    logarithm = (
        log(p) * prior.fresh * (1 - prior.retention.fresh) + log(1 - p) * prior.fresh * prior.retention.fresh
    )
    logarithm += (
        log(q) * prior.stuck * (1 - prior.retention.stuck) + log(1 - q) * prior.stuck * prior.retention.stuck
    )
    for cubes in falls:
        ways = (
            comb(cubes.fresh, j) * p**j * (1 - p) ** (cubes.fresh - j)
            * comb(cubes.stuck, cubes.fell - j)
            * q ** (cubes.fell - j) * (1 - q) ** (cubes.stuck - cubes.fell + j)
            for j in range(max(0, cubes.fell - cubes.stuck), min(cubes.fresh, cubes.fell) + 1)
        )  # fmt: skip
        logarithm += log(sum(ways))
    return logarithm


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("prior", [THUMB, Prior(Retention(0.5, 0.9), 100, 60)], ids=["thumb", "group"])
def test_estimate_is_a_local_maximum_of_the_posterior(seed: int, prior: Prior) -> None:
    generator = random.Random(seed)
    seen = []
    statistics = Falls()
    for _ in range(30):
        fresh, stuck = generator.randrange(6), generator.randrange(6)
        fell = generator.randrange(fresh + stuck + 1)
        seen.append(Mixed(fresh, stuck, fell))
        statistics = statistics.after(throw_of({"red": stuck}, {"red": fresh}), {"red": fell})
    p, q = rates(learned(statistics, prior))
    top = posterior(seen, p, q, prior)
    for step in (0.001, 0.01, 0.05):
        for dp, dq in ((step, 0), (-step, 0), (0, step), (0, -step), (step, step), (step, -step)):
            assert posterior(seen, p + dp, q + dq, prior) < top


def test_share_is_the_expected_number_of_fresh_cubes() -> None:
    """The fresh cube of a pair falls in 4 of 5 cases if a fresh cube falls twice as often as a stuck one."""
    assert share(Mixed(1, 1, 1), 2 / 3, 1 / 3) == pytest.approx(0.8)
    assert share(Mixed(1, 1, 1), 0.4, 0.4) == pytest.approx(0.5)
    assert share(Mixed(3, 5, 4), 0.3, 0.3) == pytest.approx(1.5), (
        "equal chances: in proportion to their number"
    )
    assert share(Mixed(4, 1, 4), 0.5, 1e-9) == pytest.approx(4)
    assert share(Mixed(2, 3, 4), 1e-9, 0.5) == pytest.approx(1), "only three cubes are stuck"


# Statistics


def test_unambiguous_colours_are_only_counted() -> None:
    throw = throw_of(
        {"red": 2, "blue": 3, "yellow": 4}, {"red": 3, "peasants": 2}, {"blue": 1, "peasants": 1}
    )
    falls = Falls().after(throw, {"red": 5, "yellow": 1, "peasants": 2})
    assert falls == Falls(throws=1, fresh=3 + 1 + 3, fresh_fell=3 + 2, stuck=2 + 3 + 4, stuck_fell=2 + 1)
    falls = falls.after(throw, {"red": 4})
    assert falls.mixed == (Mixed(3, 2, 4),)
    assert falls.throws == 2
    assert (falls.all_fresh(), falls.all_stuck()) == (14, 18)


def test_throw_without_cubes_changes_nothing() -> None:
    assert Falls().after(throw_of({}, {}), {}) == Falls()
    assert Falls().after(throw_of({"red": 0}, {"blue": 0}), {}) == Falls()


def test_falls_survive_a_json_round_trip() -> None:
    falls = simulated(20, 5, 0.6, 0.3)
    assert from_json(Falls, to_json(falls)) == falls


@seeds(0)
def test_game_records_every_throw(players: int, seed: int) -> None:
    """Every battle is counted with all its cubes; no other entry changes the statistics."""
    walk = game(players, seed)
    end = walk.states[-1].falls
    throws = [played for played in walk.played if played.action.type == "throw"]
    assert end.throws == len(throws)
    fell = sum(sum(played.action.fallen.values()) for played in throws)
    assert end.fresh_fell + end.stuck_fell + sum(cubes.fell for cubes in end.mixed) == fell
    inside = sum(
        line.count for played in throws for line in played.state.ledger.at("tower") if line.piece == "army"
    )
    assert end.all_fresh() + end.all_stuck() == inside
    assert walk.states[0].falls == Falls()
    assert WALLENSTEIN.read_state(WALLENSTEIN.state_json(walk.states[-1])).falls == end


def test_recorded_falls_do_not_affect_the_rules() -> None:
    """With other recorded throws, the same entries lead to the same ledger."""
    walk = game(3, 0)
    state = WALLENSTEIN.read_state(
        {**WALLENSTEIN.state_json(walk.states[0]), "falls": to_json(simulated(50, 1, 0.2, 0.8))}
    )
    for played in walk.played:
        state = WALLENSTEIN.apply(state, played.action).state
    assert state.ledger == walk.states[-1].ledger
    assert state.falls != walk.states[-1].falls


# Priors from earlier games


def test_prior_of_a_group_equals_its_last_estimate() -> None:
    earlier = [simulated(100, seed, fresh=0.5, stuck=0.15) for seed in (1, 2)]
    prior = prior_of(earlier)
    assert prior.retention == learned(earlier[0] + earlier[1])
    assert rates(learned(Falls(), prior)) == pytest.approx(rates(prior.retention))
    assert prior.throws == 200


def test_prior_weight_is_capped() -> None:
    short, long = prior_of([simulated(2, 1, 0.5, 0.2)]), prior_of([simulated(500, 1, 0.5, 0.2)])
    assert WEIGHT < short.fresh < long.fresh == long.stuck == MOST_WEIGHT
    other_tower = simulated(100, 2, 0.8, 0.5)
    assert rates(learned(other_tower, long)) == pytest.approx((0.8, 0.5), abs=0.1)


def test_default_prior_is_the_rule_of_thumb() -> None:
    assert Prior() == THUMB
    assert (THUMB.retention, THUMB.fresh, THUMB.stuck) == (RULE_OF_THUMB, WEIGHT, WEIGHT)

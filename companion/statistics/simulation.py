"""Simulated games between heuristic players, and their results by faction.

A game depends only on the seed and its number, so the results do not depend on the number of processes.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from multiprocessing import get_context
from statistics import NormalDist, fmean, stdev

import django

from companion.registry import titles
from companion.results.intervals import LEVEL, Interval, wilson
from games.core.errors import Refused
from games.core.game import AnyGame


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """Parameters of a simulation."""

    game: str
    players: int
    games: int
    seed: int
    careless: tuple[str, ...] = ()  # factions that make random legal entries


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """Result of one game."""

    points: dict[str, float]
    winners: tuple[str, ...]  # a shared win counts for each winner
    entries: int


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its confidence interval, which is empty for a single value."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """Results of a faction."""

    faction: str
    games: int
    wins: int
    share: float
    interval: Interval
    points: Mean


@dataclass(frozen=True, slots=True)
class Summary:
    """Results of a simulation."""

    simulation: Simulation
    level: float
    length: Mean  # in entries
    rows: tuple[Row, ...]


# Playing


def play_all(simulation: Simulation, processes: int = 1) -> Iterator[SimulatedGame]:
    """Yield the results of all games in order, as they are played."""
    numbers = range(simulation.games)
    if processes == 1:
        yield from (play(simulation, number) for number in numbers)
        return
    # Spawn on every system: a forked process could share database connections with this one.
    with ProcessPoolExecutor(
        min(processes, simulation.games), mp_context=get_context("spawn"), initializer=django.setup
    ) as workers:
        yield from workers.map(play, itertools.repeat(simulation, simulation.games), numbers)


def play(simulation: Simulation, number: int) -> SimulatedGame:
    """Play one game to its end."""
    title = titles()[simulation.game]
    game = title.game
    generator = random.Random(f"{simulation.game} {simulation.players} {simulation.seed} {number}")
    factions = generator.choice(seatings(simulation.game, simulation.players))
    factions = tuple(generator.sample(factions, len(factions)))
    setup = game.prepare(factions, players=simulation.players, first=generator.choice(factions))
    state, entries = game.start(setup).state, 0
    for entries, played in enumerate(  # noqa: B007 - the number of entries is used below
        title.automaton.party(setup, generator, careless=simulation.careless).play_on(state), start=1
    ):
        state = played.outcome.state
    result = game.result(state)
    if result is None:
        raise RuntimeError(f"{game.slug} did not end")
    return SimulatedGame(
        points={standing.faction: float(standing.points) for standing in game.standings(state)},
        winners=result.winners,
        entries=entries,
    )


@lru_cache
def seatings(slug: str, players: int) -> tuple[tuple[str, ...], ...]:
    """Return the legal sets of factions for a number of players."""
    game = titles()[slug].game
    sizes = range(players, len(game.factions) + 1)
    sets = itertools.chain.from_iterable(itertools.combinations(game.factions, size) for size in sizes)
    return tuple(factions for factions in sets if _is_legal(game, players, factions))


def _is_legal(game: AnyGame, players: int, factions: Sequence[str]) -> bool:
    try:
        game.prepare(factions, players=players)
    except Refused:
        return False
    return True


# Summary


def summary(simulation: Simulation, games: Sequence[SimulatedGame], level: float = LEVEL) -> Summary:
    """Summarise the games by faction, in the game's order."""
    rows = []
    for faction in titles()[simulation.game].game.factions:
        played = [game for game in games if faction in game.points]
        if played:
            wins = sum(faction in game.winners for game in played)
            points = mean_of([game.points[faction] for game in played], level)
            share = wins / len(played)
            rows.append(Row(faction, len(played), wins, share, wilson(wins, len(played), level), points))
    return Summary(simulation, level, mean_of([game.entries for game in games], level), tuple(rows))


def mean_of(values: Sequence[float], level: float = LEVEL) -> Mean:
    """Return the mean and its confidence interval at ``level``."""
    mean = fmean(values)
    if len(values) == 1:
        return Mean(mean, mean, mean)
    half = student(len(values) - 1, level) * stdev(values) / sqrt(len(values))
    return Mean(mean, mean - half, mean + half)


def student(degrees: int, level: float = LEVEL) -> float:
    """Return the two-sided quantile of Student's t distribution.

    Uses the expansion around the normal distribution (Abramowitz and Stegun 26.7.5); the error is below
    0.01 from two degrees of freedom on.
    """
    z = NormalDist().inv_cdf((1 + level) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92_160,
    )
    return sum(term / float(degrees) ** at for at, term in enumerate(terms))

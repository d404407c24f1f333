"""Many games played by players without people, and what comes of them for each faction.

A game depends on the seed and its number alone, so the result is the same whatever the number of
processes that share the work.
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

from companion.results.intervals import LEVEL, Interval, wilson
from games.core.errors import Refused
from games.core.game import AnyGame
from games.registry import GAMES
from players.registry import party


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulation:
    """What is asked for."""

    game: str
    players: int
    games: int
    seed: int
    careless: tuple[str, ...] = ()  # factions that enter anything that is allowed


@dataclass(frozen=True, slots=True)
class Ended:
    """How one game ended."""

    points: dict[str, float]
    winners: tuple[str, ...]  # a shared win is a win for each
    entries: int


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with the interval it lies in; of a single value nothing more is known."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Row:
    """A faction's results."""

    faction: str
    games: int
    wins: int
    share: float
    interval: Interval
    points: Mean


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of a simulation."""

    asked: Simulation
    level: float
    length: Mean  # in entries
    rows: tuple[Row, ...]


# Playing


def play_all(asked: Simulation, processes: int = 1) -> Iterator[Ended]:
    """All games, one after the other, as they become known."""
    numbers = range(asked.games)
    if processes == 1:
        yield from (play(asked, number) for number in numbers)
        return
    # The same way on every system: a process that was split off could share connections of this one.
    with ProcessPoolExecutor(min(processes, asked.games), mp_context=get_context("spawn")) as workers:
        yield from workers.map(play, itertools.repeat(asked, asked.games), numbers)


def play(asked: Simulation, number: int) -> Ended:
    """One game, to its end."""
    game = GAMES[asked.game]
    generator = random.Random(f"{asked.game} {asked.players} {asked.seed} {number}")
    factions = generator.choice(seatings(asked.game, asked.players))
    factions = tuple(generator.sample(factions, len(factions)))
    setup = game.prepare(factions, players=asked.players, first=generator.choice(factions))
    state, entries = game.start(setup).state, 0
    for entries, played in enumerate(  # noqa: B007 - how many there were
        party(game, setup, generator, careless=asked.careless).play_on(state), start=1
    ):
        state = played.outcome.state
    result = game.result(state)
    if result is None:
        raise RuntimeError(f"{game.slug} did not end")
    return Ended(
        points={standing.faction: float(standing.points) for standing in game.standings(state)},
        winners=result.winners,
        entries=entries,
    )


@lru_cache
def seatings(slug: str, players: int) -> tuple[tuple[str, ...], ...]:
    """The sets of factions that so many people may play."""
    game = GAMES[slug]
    sizes = range(players, len(game.factions) + 1)
    sets = itertools.chain.from_iterable(itertools.combinations(game.factions, size) for size in sizes)
    return tuple(factions for factions in sets if _may_sit(game, players, factions))


def _may_sit(game: AnyGame, players: int, factions: Sequence[str]) -> bool:
    try:
        game.prepare(factions, players=players)
    except Refused:
        return False
    return True


# Summing up


def summary(asked: Simulation, ended: Sequence[Ended], level: float = LEVEL) -> Summary:
    """What all games together say, for each faction in the game's order."""
    rows = []
    for faction in GAMES[asked.game].factions:
        mine = [game for game in ended if faction in game.points]
        if mine:
            wins = sum(faction in game.winners for game in mine)
            points = mean_of([game.points[faction] for game in mine], level)
            share = wins / len(mine)
            rows.append(Row(faction, len(mine), wins, share, wilson(wins, len(mine), level), points))
    return Summary(asked, level, mean_of([game.entries for game in ended], level), tuple(rows))


def mean_of(values: Sequence[float], level: float = LEVEL) -> Mean:
    """The mean, and where the true one lies in ``level`` of all cases."""
    mean = fmean(values)
    if len(values) == 1:
        return Mean(mean, mean, mean)
    half = student(len(values) - 1, level) * stdev(values) / sqrt(len(values))
    return Mean(mean, mean - half, mean + half)


def student(degrees: int, level: float = LEVEL) -> float:
    """How many standard errors a mean of few values may be off (Student's t), by its expansion around the
    normal distribution: Abramowitz and Stegun 26.7.5, within a hundredth from two degrees of freedom on.
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

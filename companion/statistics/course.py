"""The course of one game: the points after each entry, who led, how long it took."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import pairwise

from companion.models import Entry, Table
from companion.states import course_of, game_of

# Longer than anybody thinks: they had dinner.
PAUSE = timedelta(minutes=20)


@dataclass(frozen=True, slots=True)
class Moment:
    """How things stood after an entry; 0 is the start."""

    number: int
    round: int
    phase: str
    points: Mapping[str, Fraction]  # in play order

    @property
    def leaders(self) -> tuple[str, ...]:
        """Who has most; nobody while all have nothing."""
        most = max(self.points.values(), default=Fraction(0))
        leading = tuple(faction for faction, points in self.points.items() if points == most)
        return leading if any(self.points.values()) else ()


def moments_of(table: Table) -> list[Moment]:
    """Every moment of a started game that counts, as far back as its journal folds."""
    game = game_of(table)
    return [
        Moment(
            number,
            state.round,
            game.phase(state),
            {standing.faction: standing.points for standing in game.standings(game.view(state, None))},
        )
        for number, state in course_of(table)
    ]


def ends_of_rounds(moments: Sequence[Moment]) -> list[Moment]:
    """The last moment of each round, the one under way included; a position can go back to an earlier one."""
    ends: list[Moment] = []
    for moment in moments:
        while ends and ends[-1].round >= moment.round:
            ends.pop()
        ends.append(moment)
    return ends


@dataclass(frozen=True, slots=True)
class Lead:
    """Who is in front at the end of the course, since which round, and how often that changed."""

    leaders: tuple[str, ...]
    since: int
    changes: int


def lead_of(moments: Sequence[Moment]) -> Lead:
    """Read off the ends of rounds: within one, the lead may change with every tile."""
    ends = ends_of_rounds(moments)
    led = [end.leaders for end in ends if end.leaders]
    leaders = led[-1] if led else ()
    since = ends[-1].round
    for end in reversed(ends):
        if end.leaders != leaders:
            break
        since = end.round
    return Lead(leaders, since, sum(before != after for before, after in pairwise(led)))


# Times


@dataclass(frozen=True, slots=True)
class Times:
    """How long a game took, without pauses, and who or what took how long."""

    total: timedelta
    pauses: timedelta
    players: Mapping[str, timedelta]
    entries: Mapping[str, int]
    phases: Mapping[str, timedelta]
    rounds: Mapping[int, timedelta]


def times_of(table: Table, moments: Sequence[Moment]) -> Times:
    """The time before an entry belongs to whoever made it, to the phase and the round it was made in."""
    entries = _entries(table, moments)
    players: dict[str, timedelta] = defaultdict(timedelta)
    phases: dict[str, timedelta] = defaultdict(timedelta)
    rounds: dict[int, timedelta] = defaultdict(timedelta)
    pauses, last = timedelta(), None if moments[0].number else table.started_at
    for before, entry in zip(moments, entries, strict=False):
        gap, last = _gap(last, entry.at), entry.at
        if gap > PAUSE:
            pauses += gap
            continue
        players[entry.faction] += gap
        phases[before.phase] += gap
        rounds[before.round] += gap
    total = sum(players.values(), timedelta())
    return Times(total, pauses, players, Counter(entry.faction for entry in entries), phases, rounds)


def _entries(table: Table, moments: Iterable[Moment]) -> list[Entry]:
    """The entries after the first moment, in order."""
    numbers = [moment.number for moment in moments][1:]
    return list(table.entries.filter(number__in=numbers).order_by("number"))


def _gap(before: datetime | None, after: datetime) -> timedelta:
    """Clocks are set, and mends written later: time never runs backwards."""
    return max(after - before, timedelta()) if before else timedelta()

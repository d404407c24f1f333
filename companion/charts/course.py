"""The course of one game: points after each entry, leaders, and thinking times.

A ``Course`` is the only input of a report and holds public information only.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from threading import Lock
from typing import TypeVar

from companion import wording
from companion.journal.states import State, course_of, game_of
from companion.models import Entry, Status, Table
from companion.results.pauses import PAUSE, Break, breaks_of, times_before
from companion.tables.seats import shown_name
from games.core.game import AnyGame
from games.core.steps import Step, read_step

Key = TypeVar("Key")
CACHED_COURSES = 4


@dataclass(frozen=True, slots=True)
class Series:
    """A faction and the name that charts and tables show for it."""

    faction: str
    name: str


@dataclass(frozen=True, slots=True)
class Moment:
    """Round, phase and points after an entry; number 0 is the start of the game."""

    number: int
    round: int
    phase: str
    points: Mapping[str, Fraction]  # in play order

    @property
    def leaders(self) -> tuple[str, ...]:
        """The factions with the most points; empty while every faction has 0 points."""
        most = max(self.points.values(), default=Fraction(0))
        leading = tuple(faction for faction, points in self.points.items() if points == most)
        return leading if any(self.points.values()) else ()

    def of(self, faction: str) -> Fraction:
        return self.points.get(faction, Fraction(0))


@dataclass(frozen=True, slots=True)
class Course:
    """A started game from its first foldable entry (normally the start) to its latest one."""

    table: Table
    game: AnyGame
    players: Sequence[Series]  # clockwise
    moments: Sequence[Moment]
    states: Sequence[State]  # the public view of the state at each moment
    journal: Sequence[Entry]  # all entries, undone ones included
    breaks: Sequence[Break] = ()

    @property
    def is_playing(self) -> bool:
        return bool(self.table.status == Status.PLAYING)

    @property
    def is_full(self) -> bool:
        """True for a full game, false for a score pad."""
        return bool(self.table.options["mode"] == "full")

    @property
    def series(self) -> list[Series]:
        """The factions in the play order of the last moment."""
        players = {player.faction: player for player in self.players}
        return [
            players.get(f, Series(f, wording.name(self.game, "faction", f))) for f in self.moments[-1].points
        ]

    def name(self, faction: str) -> str:
        names = (player.name for player in self.players if player.faction == faction)
        return next(names, wording.name(self.game, "faction", faction))

    def entries(self) -> list[Entry]:
        """Return the entries that are not undone; each leads from one moment to the next."""
        numbers = {moment.number for moment in self.moments[1:]}
        return [entry for entry in self.journal if entry.number in numbers]

    def moments_with_steps(self) -> Iterator[tuple[Moment, list[Step]]]:
        """Yield every moment with the steps that led to it.

        The first moment has the setup steps, or none if the course does not begin at the start of the game.
        """
        first = self.moments[0]
        yield first, [] if first.number else list(self.game.start(self.states[0].setup).steps)
        for moment, entry in zip(self.moments[1:], self.entries(), strict=True):
            yield moment, [read_step(step) for step in entry.steps]

    def round_ends(self) -> list[tuple[Moment, State]]:
        """Return the last moment of each round with its state."""
        states = dict(zip((moment.number for moment in self.moments), self.states, strict=True))
        return [(end, states[end.number]) for end in ends_of_rounds(self.moments)]


class _CourseCache:
    """LRU cache of courses: the page, file and picture of a game are usually requested together.

    A course never changes for a given table code and version, so entries need no invalidation.
    """

    def __init__(self) -> None:
        self._cache: OrderedDict[tuple[str, int, datetime], Course] = OrderedDict()
        self._lock = Lock()

    def of(self, table: Table) -> Course:
        key = (table.code, table.version, table.changed_at)
        with self._lock:
            cached = self._cache.get(key)
        course = cached or read_course(table)
        with self._lock:
            self._cache[key] = course
            self._cache.move_to_end(key)
            while len(self._cache) > CACHED_COURSES:
                self._cache.popitem(last=False)
        return course


courses = _CourseCache()


def read_course(table: Table) -> Course:
    """Build the course of a started game from its journal."""
    game = game_of(table)
    numbered = [(number, game.view(state, None)) for number, state in course_of(table)]
    return Course(
        table,
        game,
        players_of(table, game),
        [_moment(game, number, state) for number, state in numbered],
        [state for _number, state in numbered],
        list(table.entries.order_by("number")),
        breaks_of(table),
    )


def _moment(game: AnyGame, number: int, state: State) -> Moment:
    points = {standing.faction: standing.points for standing in game.standings(state)}
    return Moment(number, state.round, game.phase(state), points)


def players_of(table: Table, game: AnyGame) -> list[Series]:
    """Return the seated factions, named after their players, or after the faction if a name is not unique."""
    names = {seat.faction: shown_name(seat) for seat in table.seats.all() if seat.faction}
    shared = {name for name, count in Counter(names.values()).items() if count > 1}
    return [
        Series(f, wording.name(game, "faction", f) if name in {"", *shared} else name)
        for f, name in names.items()
    ]


def ends_of_rounds(moments: Sequence[Moment]) -> list[Moment]:
    """Return the last moment of each round, including the current one.

    An entered position may go back to an earlier round; the rounds from there on are then dropped.
    """
    ends: list[Moment] = []
    for moment in moments:
        while ends and ends[-1].round >= moment.round:
            ends.pop()
        ends.append(moment)
    return ends


@dataclass(frozen=True, slots=True)
class Lead:
    """The leaders at the end of the course, since which round, and the number of lead changes."""

    leaders: tuple[str, ...]
    since: int
    changes: int


def lead_of(moments: Sequence[Moment]) -> Lead:
    """Return the lead, judged at the ends of rounds: within a round it may change with every entry."""
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
    """Playing time of a game without breaks and pauses: in all, per player, phase and round."""

    total: timedelta
    pauses: timedelta  # gaps longer than ``PAUSE`` without an announced break
    breaks: timedelta  # announced breaks that were followed by an entry
    players: Mapping[str, timedelta]
    entries: Mapping[str, int]  # per player, without undone ones
    phases: Mapping[str, timedelta]
    rounds: Mapping[int, timedelta]
    by_phase: Mapping[tuple[str, str], timedelta]  # by player and phase
    by_round: Mapping[tuple[str, int], timedelta]  # by player and round


@dataclass(frozen=True, slots=True)
class Thought:
    """Thinking time before an entry: the faction it counts for, and the moment at which it began."""

    faction: str
    before: Moment
    time: timedelta


def times_of(course: Course) -> Times:
    """Return the times of a game; the time before an entry counts for its author, phase and round."""
    thoughts = list(_thoughts(course))
    spent = [thought for thought in thoughts if thought.time <= PAUSE]
    return Times(
        total=sum((thought.time for thought in spent), timedelta()),
        pauses=sum((thought.time for thought in thoughts if thought.time > PAUSE), timedelta()),
        breaks=_time_with_breaks(course) - sum((thought.time for thought in thoughts), timedelta()),
        players=_sum_by(spent, lambda thought: thought.faction),
        entries=Counter(entry.faction for entry in course.entries()),
        phases=_sum_by(spent, lambda thought: thought.before.phase),
        rounds=_sum_by(spent, lambda thought: thought.before.round),
        by_phase=_sum_by(spent, lambda thought: (thought.faction, thought.before.phase)),
        by_round=_sum_by(spent, lambda thought: (thought.faction, thought.before.round)),
    )


def _thoughts(course: Course) -> Iterator[Thought]:
    moment_before = _moment_finder(course)
    for entry, time in times_before(_timed_entries(course), _start_time(course), course.breaks):
        yield Thought(entry.faction, moment_before(entry), time)


def _timed_entries(course: Course) -> list[Entry]:
    """Return the entries since the beginning of the course; only their times are known."""
    return [entry for entry in course.journal if entry.number > course.moments[0].number]


def _start_time(course: Course) -> datetime | None:
    return None if course.moments[0].number else course.table.started_at


def _time_with_breaks(course: Course) -> timedelta:
    """Return the sum of the times before all entries, breaks included."""
    return sum(
        (time for _entry, time in times_before(_timed_entries(course), _start_time(course), ())), timedelta()
    )


def _moment_finder(course: Course) -> Callable[[Entry], Moment]:
    """Return a function from an entry to the moment before it (its closest ancestor that is not undone)."""
    moments = {moment.number: moment for moment in course.moments}
    parents = {entry.number: entry.parent for entry in course.journal}
    rewritten_as = {entry.origin: entry.number for entry in course.journal if entry.origin is not None}

    def moment_before(entry: Entry) -> Moment:
        number = entry.number
        while number not in moments and number in rewritten_as:
            number = rewritten_as[number]
        at = parents[number] if number in moments else entry.parent
        while at not in moments and parents.get(at):
            at = parents[at]
        return moments.get(at, course.moments[0])

    return moment_before


def _sum_by(thoughts: Sequence[Thought], by: Callable[[Thought], Key]) -> dict[Key, timedelta]:
    sums: dict[Key, timedelta] = defaultdict(timedelta)
    for thought in thoughts:
        sums[by(thought)] += thought.time
    return dict(sums)

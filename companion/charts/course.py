"""The course of one game: the points after each entry, who led, how long it took.

Everything that a report tells is read off a ``Course``, and that is what everybody may see.
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
COURSES_KEPT = 4


@dataclass(frozen=True, slots=True)
class Series:
    """A faction as charts and tables name it."""

    faction: str
    name: str


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

    def of(self, faction: str) -> Fraction:
        return self.points.get(faction, Fraction(0))


@dataclass(frozen=True, slots=True)
class Course:
    """A started game from its beginning, or from as far back as its journal folds, until now."""

    table: Table
    game: AnyGame
    players: Sequence[Series]  # clockwise
    moments: Sequence[Moment]
    states: Sequence[State]  # what everybody may see at each of the moments
    journal: Sequence[Entry]  # every entry there is, undone ones too
    breaks: Sequence[Break] = ()

    @property
    def is_playing(self) -> bool:
        return bool(self.table.status == Status.PLAYING)

    @property
    def is_full(self) -> bool:
        """Whether the game itself is played here, and not its score pad."""
        return bool(self.table.options["mode"] == "full")

    @property
    def series(self) -> list[Series]:
        """The factions in the play order of the last moment."""
        named = {one.faction: one for one in self.players}
        return [
            named.get(f, Series(f, wording.name(self.game, "faction", f))) for f in self.moments[-1].points
        ]

    def name(self, faction: str) -> str:
        found = (one.name for one in self.players if one.faction == faction)
        return next(found, wording.name(self.game, "faction", faction))

    def entries(self) -> list[Entry]:
        """The entries that count: each leads from a moment to the next."""
        numbers = {moment.number for moment in self.moments[1:]}
        return [entry for entry in self.journal if entry.number in numbers]

    def told(self) -> Iterator[tuple[Moment, list[Step]]]:
        """Every moment with the steps that led to it; to the first, setting up, if the journal goes back to it."""
        first = self.moments[0]
        yield first, [] if first.number else list(self.game.start(self.states[0].setup).steps)
        for moment, entry in zip(self.moments[1:], self.entries(), strict=True):
            yield moment, [read_step(step) for step in entry.steps]

    def ends(self) -> list[tuple[Moment, State]]:
        """The last moment of each round, and how things were then."""
        states = dict(zip((moment.number for moment in self.moments), self.states, strict=True))
        return [(end, states[end.number]) for end in ends_of_rounds(self.moments)]


class _Courses:
    """The courses that were asked for last: page, file and picture of a game are asked for together.

    What a version of a table shows does not change any more; the code tells tables apart for good.
    """

    def __init__(self) -> None:
        self._found: OrderedDict[tuple[str, int, datetime], Course] = OrderedDict()
        self._lock = Lock()

    def of(self, table: Table) -> Course:
        key = (table.code, table.version, table.changed_at)
        with self._lock:
            found = self._found.get(key)
        course = found or read_course(table)
        with self._lock:
            self._found[key] = course
            self._found.move_to_end(key)
            while len(self._found) > COURSES_KEPT:
                self._found.popitem(last=False)
        return course


courses = _Courses()


def read_course(table: Table) -> Course:
    """The course of a started game, out of its journal."""
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
    """Two people may have the same name, or one play two factions: then the faction tells them apart."""
    names = {seat.faction: shown_name(seat) for seat in table.seats.all() if seat.faction}
    shared = {name for name, count in Counter(names.values()).items() if count > 1}
    return [
        Series(f, wording.name(game, "faction", f) if name in {"", *shared} else name)
        for f, name in names.items()
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
    """How long a game took, without breaks and pauses, and who or what took how long."""

    total: timedelta
    pauses: timedelta  # that nobody spoke of
    breaks: timedelta  # before an entry
    players: Mapping[str, timedelta]
    entries: Mapping[str, int]  # that count
    phases: Mapping[str, timedelta]
    rounds: Mapping[int, timedelta]
    by_phase: Mapping[tuple[str, str], timedelta]  # of a player in a phase
    by_round: Mapping[tuple[str, int], timedelta]


@dataclass(frozen=True, slots=True)
class Thought:
    """The time before an entry: whose it is, and where the game stood."""

    faction: str
    before: Moment
    time: timedelta


def times_of(course: Course) -> Times:
    """The time before an entry belongs to whoever made it, to the phase and the round it was made in."""
    thoughts = list(_thoughts(course))
    spent = [thought for thought in thoughts if thought.time <= PAUSE]
    return Times(
        total=sum((thought.time for thought in spent), timedelta()),
        pauses=sum((thought.time for thought in thoughts if thought.time > PAUSE), timedelta()),
        breaks=_with_breaks(course) - sum((thought.time for thought in thoughts), timedelta()),
        players=_added(spent, lambda thought: thought.faction),
        entries=Counter(entry.faction for entry in course.entries()),
        phases=_added(spent, lambda thought: thought.before.phase),
        rounds=_added(spent, lambda thought: thought.before.round),
        by_phase=_added(spent, lambda thought: (thought.faction, thought.before.phase)),
        by_round=_added(spent, lambda thought: (thought.faction, thought.before.round)),
    )


def _thoughts(course: Course) -> Iterator[Thought]:
    stood = _where_it_stood(course)
    for entry, time in times_before(_timed(course), _began(course), course.breaks):
        yield Thought(entry.faction, stood(entry), time)


def _timed(course: Course) -> list[Entry]:
    """The entries whose time is known: those since the course begins."""
    return [entry for entry in course.journal if entry.number > course.moments[0].number]


def _began(course: Course) -> datetime | None:
    return None if course.moments[0].number else course.table.started_at


def _with_breaks(course: Course) -> timedelta:
    """All the time there was before entries, as if nobody had ever had a break."""
    return sum((time for _entry, time in times_before(_timed(course), _began(course), ())), timedelta())


def _where_it_stood(course: Course) -> Callable[[Entry], Moment]:
    """The moment before an entry; of one that does not count, the last before it that does."""
    moments = {moment.number: moment for moment in course.moments}
    parents = {entry.number: entry.parent for entry in course.journal}
    again = {entry.origin: entry.number for entry in course.journal if entry.origin is not None}

    def moment_before(entry: Entry) -> Moment:
        number = entry.number
        while number not in moments and number in again:
            number = again[number]
        at = parents[number] if number in moments else entry.parent
        while at not in moments and parents.get(at):
            at = parents[at]
        return moments.get(at, course.moments[0])

    return moment_before


def _added(thoughts: Sequence[Thought], by: Callable[[Thought], Key]) -> dict[Key, timedelta]:
    sums: dict[Key, timedelta] = defaultdict(timedelta)
    for thought in thoughts:
        sums[by(thought)] += thought.time
    return dict(sums)

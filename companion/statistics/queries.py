"""Reading statistics across games. Whatever is asked costs the same, however many games there are.

A scope is a circle, or None: all games of the server, without names and codes.
"""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

from django.conf import settings
from django.db.models import Max, Min, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from companion.errors import Refusal
from companion.journal.marks import corrected_among
from companion.models import Circle, Encounter, Member, Result, Score, Skill, Tally
from companion.results.counts import beneath, quantile
from companion.results.filters import ANY, Filter, rules_of
from companion.results.intervals import FEWEST_GAMES, Interval, wilson
from companion.results.order import ended_before
from companion.results.played import PER_POINT

PAGE = 20  # games
NEWEST = 200  # points of a rating's course
BEST = 3  # of each kind of record


# What is told


@dataclass(frozen=True, slots=True)
class Share:
    """How often somebody, or something, won."""

    of: str  # a faction, or a seat in the order
    games: int
    wins: int

    @property
    def is_few(self) -> bool:
        """Too few games to tell a share."""
        return self.games < FEWEST_GAMES

    @property
    def share(self) -> float | None:
        return None if self.is_few else self.wins / self.games

    @property
    def interval(self) -> Interval | None:
        return None if self.is_few else wilson(self.wins, self.games)


@dataclass(frozen=True, slots=True)
class Among:
    """Win shares in the games of so many people."""

    players: int
    games: int
    factions: tuple[Share, ...]
    seats: tuple[Share, ...]  # by the place in the play order at the start


@dataclass(frozen=True, slots=True)
class Distribution:
    """A faction's points at the end. All but the mean are whole points, rounded down."""

    faction: str
    games: int
    mean: Fraction
    least: int
    lower: int  # a quarter has at most this
    median: int
    upper: int
    most: int
    bins: tuple[tuple[int, int], ...]  # points, games

    @property
    def is_few(self) -> bool:
        return self.games < FEWEST_GAMES


@dataclass(frozen=True, slots=True)
class Lengths:
    """How long games took, without pauses; score pads do not tell. The bins are ``counts.MINUTES`` wide."""

    games: int
    mean: timedelta
    median: timedelta  # the beginning of its bin
    bins: tuple[tuple[int, int], ...]  # minutes from, games

    @property
    def is_few(self) -> bool:
        return self.games < FEWEST_GAMES


@dataclass(frozen=True, slots=True)
class Had:
    """What some had at half-time, on average."""

    scores: int
    points: Fraction
    parts: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class HalfTime:
    """How things stood after the middle round, in the games that have one."""

    games: int
    winners: Had | None
    others: Had | None
    leaders: Share  # the games in which somebody led then, and how often one of those who did has won

    @property
    def is_few(self) -> bool:
        return self.games < FEWEST_GAMES


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """All of a game's statistics, for one filter."""

    filter: Filter
    games: int
    factions: tuple[Share, ...]  # in the game's own order; all of them, played or not
    players: tuple[Among, ...]  # from few to many people; those that occur
    points: tuple[Distribution, ...]  # those factions that played
    lengths: Lengths | None
    half_time: HalfTime | None

    @property
    def is_few(self) -> bool:
        return self.games < FEWEST_GAMES


@dataclass(frozen=True, slots=True)
class Choices:
    """What a filter can ask for with something to show: each with its number of games."""

    games: int
    modes: Mapping[str, int]
    players: Mapping[int, int]
    options: Mapping[str, int]  # ``DEFAULT`` or name=value; see ``filters.options_of`` for their words
    clean: int
    first: str | None  # month with a game, as 2026-11
    last: str | None


@dataclass(frozen=True, slots=True)
class Rating:
    """OpenSkill's: a mean, and how unsure it is (one standard deviation)."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """What somebody is worth almost surely; who is listed first."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member of a circle at a game."""

    pk: int
    name: str
    rating: Rating
    record: Share  # of games and wins; ``of`` is empty
    favourite: str | None  # the faction played most
    best: str | None  # the one won with most surely; None while all have too few games


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A rating after a game."""

    at: datetime
    code: str  # of the table
    rating: Rating
    place: int
    won: bool
    faction: str


@dataclass(frozen=True, slots=True)
class FactionRecord:
    """A member with a faction."""

    share: Share  # ``of`` is the faction
    points: Fraction  # on average


@dataclass(frozen=True, slots=True)
class Against:
    """A member's record against another."""

    pk: int
    name: str
    wins: int  # came off better
    losses: int
    ties: int

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.ties


@dataclass(frozen=True, slots=True)
class MemberStatistics:
    line: MemberLine
    course: tuple[RatingPoint, ...]  # the newest ``NEWEST`` games, the oldest first
    factions: tuple[FactionRecord, ...]  # most played first
    against: tuple[Against, ...]  # most met first


@dataclass(frozen=True, slots=True)
class GameScore:
    """How a faction came off in a game of a circle."""

    faction: str
    name: str  # empty: forgotten, or not to be told apart
    member: int | None
    points: Decimal
    place: int
    won: bool


@dataclass(frozen=True, slots=True)
class GameLine:
    """A game of a circle."""

    code: str
    game: str
    mode: str
    players: int
    ended_at: datetime
    length: timedelta | None
    margin: Decimal | None
    clean: bool
    early: bool
    corrected: bool  # also one that was ended early, which is not clean anyway
    scores: tuple[GameScore, ...]  # by place


@dataclass(frozen=True, slots=True)
class GamesPage:
    """Some games of a circle, the newest first."""

    games: tuple[GameLine, ...]
    following: str  # where the next page begins (``after``); empty: there is none


@dataclass(frozen=True, slots=True)
class BestScore:
    score: GameScore
    game: GameLine


@dataclass(frozen=True, slots=True)
class Records:
    """What stands out at a game in a circle, games ended early aside; each list from the first down."""

    points: tuple[BestScore, ...]  # most points
    narrowest: tuple[GameLine, ...]
    clearest: tuple[GameLine, ...]
    longest: tuple[GameLine, ...]
    shortest: tuple[GameLine, ...]
    games: tuple[MemberLine, ...]  # who played most
    wins: tuple[MemberLine, ...]  # who won most


def is_public() -> bool:
    """Whether everybody may see what is counted over all games of the server."""
    return bool(settings.PUBLIC_STATISTICS)


# Games


def games_in(circle: Circle | None) -> dict[str, int]:
    """How many games there are of each, as the registry lists them."""
    counted: Counter[str] = Counter()
    for tally in Tally.objects.filter(circle=circle, span="all", option=ANY):
        counted[tally.game] += tally.counts["games"]
    return dict(counted)


def of_game(asked: Filter, circle: Circle | None = None) -> GameStatistics:
    """The statistics of a game, for a filter."""
    by_players = _by_players(_tallies(asked, circle))
    counts = sum(by_players.values(), Counter[str]())
    factions = rules_of(asked.game)[0].factions
    return GameStatistics(
        filter=asked,
        games=counts["games"],
        factions=_shares(counts, "faction", factions),
        players=tuple(_among(n, by_players[n], factions) for n in sorted(by_players)),
        points=tuple(_distribution(counts, f) for f in factions if counts[f"faction/{f}/games"]),
        lengths=_lengths(counts),
        half_time=_half_time(counts),
    )


def _tallies(asked: Filter, circle: Circle | None) -> QuerySet[Tally]:
    tallies = Tally.objects.filter(circle=circle, game=asked.game, option=asked.option)
    tallies = tallies.filter(_periods(asked.since, asked.until))
    if asked.mode is not None:
        tallies = tallies.filter(mode=asked.mode)
    if asked.players is not None:
        tallies = tallies.filter(players=asked.players)
    return tallies.filter(is_clean=True) if asked.clean else tallies


def _periods(since: str | None, until: str | None) -> Q:
    """The cells whose sum is a period: whole years, and the months before and after them."""
    if since is None and until is None:
        return Q(span="all")
    first, last = since or "0000-01", until or "9999-12"
    full_from, full_to = int(first[:4]) + (first[5:] > "01"), int(last[:4]) - (last[5:] < "12")
    if full_from > full_to:
        return Q(span="month", period__gte=first, period__lte=last)
    years = Q(span="year", period__gte=f"{full_from:04}", period__lte=f"{full_to:04}")
    before = Q(span="month", period__gte=first, period__lt=f"{full_from:04}")
    after = Q(span="month", period__gt=f"{full_to:04}-12", period__lte=last)
    return years | before | after


def _by_players(tallies: Iterable[Tally]) -> dict[int, Counter[str]]:
    found: dict[int, Counter[str]] = {}
    for tally in tallies:
        found.setdefault(tally.players, Counter()).update(tally.counts)
    return found


def _shares(counts: Mapping[str, int], what: str, of: Iterable[str]) -> tuple[Share, ...]:
    return tuple(
        Share(one, counts.get(f"{what}/{one}/games", 0), counts.get(f"{what}/{one}/wins", 0)) for one in of
    )


def _among(players: int, counts: Mapping[str, int], factions: Sequence[str]) -> Among:
    played = [faction for faction in factions if counts.get(f"faction/{faction}/games")]
    seats = sorted({int(name.split("/")[0]) for name in beneath(counts, "seat")})
    return Among(
        players=players,
        games=counts["games"],
        factions=_shares(counts, "faction", played),
        seats=_shares(counts, "seat", map(str, seats)),
    )


def _distribution(counts: Mapping[str, int], faction: str) -> Distribution:
    bins = {int(points): games for points, games in beneath(counts, f"points/{faction}").items()}
    games = sum(bins.values())
    return Distribution(
        faction=faction,
        games=games,
        mean=Fraction(counts.get(f"sum/{faction}", 0), PER_POINT * games),
        least=min(bins),
        lower=quantile(bins, 0.25),
        median=quantile(bins, 0.5),
        upper=quantile(bins, 0.75),
        most=max(bins),
        bins=tuple(sorted(bins.items())),
    )


def _lengths(counts: Mapping[str, int]) -> Lengths | None:
    bins = {int(minutes): games for minutes, games in beneath(counts, "length").items()}
    if not bins:
        return None
    games = counts["timed"]
    return Lengths(
        games=games,
        mean=timedelta(seconds=counts.get("seconds", 0) / games),
        median=timedelta(minutes=quantile(bins, 0.5)),
        bins=tuple(sorted(bins.items())),
    )


def _half_time(counts: Mapping[str, int]) -> HalfTime | None:
    if not counts.get("half/games"):
        return None
    return HalfTime(
        games=counts["half/games"],
        winners=_had(beneath(counts, "half/won")),
        others=_had(beneath(counts, "half/lost")),
        leaders=Share("", counts.get("half/led", 0), counts.get("half/held", 0)),
    )


def _had(counts: Mapping[str, int]) -> Had | None:
    scores = counts.get("scores")
    if not scores:
        return None
    return Had(
        scores=scores,
        points=Fraction(counts.get("points", 0), PER_POINT * scores),
        parts={
            part: Fraction(counts.get(f"part/{part}", 0), PER_POINT * had)
            for part, had in beneath(counts, "had").items()
        },
    )


def choices_of(game: str, circle: Circle | None = None) -> Choices:
    """What can be filtered for."""
    modes, players, options = Counter[str](), Counter[int](), Counter[str]()
    clean = 0
    tallies = Tally.objects.filter(circle=circle, game=game)
    for tally in tallies.filter(span="all"):
        games = tally.counts["games"]
        if tally.option != ANY:
            options[tally.option] += games
            continue
        modes[tally.mode] += games
        players[tally.players] += games
        clean += games if tally.is_clean else 0
    period = tallies.filter(span="month", option=ANY).aggregate(first=Min("period"), last=Max("period"))
    return Choices(
        games=sum(modes.values()),
        modes=dict(sorted(modes.items())),
        players=dict(sorted(players.items())),
        options=dict(sorted(options.items())),
        clean=clean,
        first=period["first"],
        last=period["last"],
    )


# Members of a circle


def members_of(circle: Circle, game: str) -> tuple[MemberLine, ...]:
    """Who has played a game in a circle; the highest rating that is almost sure comes first."""
    skills = Skill.objects.filter(member__circle=circle, game=game).select_related("member")
    return tuple(sorted(map(_member_line, skills), key=lambda line: (-line.rating.ordinal, line.name)))


def _member_line(skill: Skill) -> MemberLine:
    factions = _faction_records(skill)
    tried = [one.share for one in factions if one.share.interval]
    best = max(tried, key=lambda share: wilson(share.wins, share.games).low, default=None)
    return MemberLine(
        pk=skill.member.pk,
        name=skill.member.name,
        rating=Rating(skill.mu, skill.sigma),
        record=Share("", skill.games, skill.wins),
        favourite=factions[0].share.of if factions else None,
        best=best.of if best else None,
    )


def _faction_records(skill: Skill) -> tuple[FactionRecord, ...]:
    """Most played first; of equals, what the alphabet says."""
    records = [
        FactionRecord(Share(faction, games, wins), Fraction(points, PER_POINT * games))
        for faction, (games, wins, points) in sorted(skill.factions.items())
    ]
    return tuple(sorted(records, key=lambda record: -record.share.games))


def games_of_member(circle: Circle, member: int) -> dict[str, int]:
    """Which games a member has played in a circle, and how often. Raises ``Refusal``."""
    _refuse_stranger(circle, member)
    return dict(Skill.objects.filter(member=member).order_by("game").values_list("game", "games"))


def member(circle: Circle, member: int, game: str) -> MemberStatistics:
    """A member at a game. Raises ``Refusal``."""
    _refuse_stranger(circle, member)
    skill = Skill.objects.filter(member=member, game=game).select_related("member").first()
    if skill is None:
        raise Refusal("unknown", _("They have not played this game here."))
    return MemberStatistics(
        line=_member_line(skill),
        course=_course(skill),
        factions=_faction_records(skill),
        against=_against(skill),
    )


def _refuse_stranger(circle: Circle, member: int) -> None:
    if not Member.objects.filter(circle=circle, pk=member).exists():
        raise Refusal("unknown", _("There is nobody like that in this circle."))


def _course(skill: Skill) -> tuple[RatingPoint, ...]:
    """Where somebody has two factions, the better one stands for both."""
    rows = Score.objects.filter(member=skill.member, game=skill.game).select_related("table")
    newest: dict[int, RatingPoint] = {}
    for score in rows.order_by("-ended_at", "-table", "place", "seat")[:NEWEST]:
        if score.mu is not None and score.sigma is not None:
            rating = Rating(score.mu, score.sigma)
            point = RatingPoint(
                score.ended_at, score.table.code, rating, score.place, score.won, score.faction
            )
            newest.setdefault(score.table.pk, point)
    return tuple(reversed(newest.values()))


def _against(skill: Skill) -> tuple[Against, ...]:
    rows = Encounter.objects.filter(member=skill.member, game=skill.game).select_related("other")
    found = [Against(row.other.pk, row.other.name, row.wins, row.losses, row.ties) for row in rows]
    return tuple(sorted(found, key=lambda one: (-one.games, one.name)))


# Games of a circle


def games_of(circle: Circle, asked: Filter | None = None, after: str = "") -> GamesPage:
    """A page of the games of a circle, the newest first; ``after`` is what the page before it gave.

    Raises ``Refusal``.
    """
    results = results_of(circle, asked)
    if after:
        results = results.filter(ended_before(*_read_mark(after)))
    found = list(_with_scores(results.order_by("-ended_at", "-table")[: PAGE + 1]))
    shown = found[:PAGE]
    following = f"{shown[-1].ended_at:%Y-%m-%dT%H:%M:%S.%f}.{shown[-1].table_id}" if len(found) > PAGE else ""
    return GamesPage(_game_lines(shown), following)


def results_of(circle: Circle, asked: Filter | None = None) -> QuerySet[Result]:
    """The games that count in a circle, for a filter."""
    results = Result.objects.filter(circle=circle, in_circle=True)
    return results if asked is None else results.filter(_asked(asked))


def _asked(asked: Filter) -> Q:
    wanted = Q(game=asked.game)
    if asked.mode is not None:
        wanted &= Q(mode=asked.mode)
    if asked.players is not None:
        wanted &= Q(players=asked.players)
    if asked.clean:
        wanted &= Q(is_clean=True)
    if asked.option != ANY:
        wanted &= Q(options__contains=f"|{asked.option}|")
    if asked.since is not None:
        wanted &= Q(ended_at__gte=_first_moment(asked.since))
    if asked.until is not None:
        wanted &= Q(ended_at__lte=_last_moment(asked.until))
    return wanted


def _first_moment(month: str) -> datetime:
    return datetime(max(int(month[:4]), 1), int(month[5:]), 1, tzinfo=UTC)


def _last_moment(month: str) -> datetime:
    first = _first_moment(month)
    days = monthrange(first.year, first.month)[1]
    return first.replace(day=days, hour=23, minute=59, second=59, microsecond=999_999)


def _read_mark(after: str) -> tuple[datetime, int]:
    time, _dot, table = after.rpartition(".")
    try:
        return datetime.fromisoformat(time).replace(tzinfo=UTC), int(table[:18])
    except ValueError:
        raise Refusal("bad-input", _("This is no place in the list of games.")) from None


def _with_scores(results: QuerySet[Result]) -> QuerySet[Result]:
    scores = Prefetch("scores", Score.objects.select_related("member").order_by("place", "seat"))
    return results.select_related("table").prefetch_related(scores)


def _game_lines(results: Iterable[Result]) -> tuple[GameLine, ...]:
    found = list(results)
    early = [result.table_id for result in found if result.early]
    corrected = corrected_among(early) if early else set()
    return tuple(
        _game_line(one, corrected=one.table_id in corrected if one.early else not one.is_clean)
        for one in found
    )


def _game_line(result: Result, *, corrected: bool) -> GameLine:
    return GameLine(
        code=result.table.code,
        game=result.game,
        mode=result.mode,
        players=result.players,
        ended_at=result.ended_at,
        length=None if result.seconds is None else timedelta(seconds=result.seconds),
        margin=result.margin,
        clean=result.is_clean,
        early=result.early,
        corrected=corrected,
        scores=tuple(map(_game_score, result.scores.all())),
    )


def _game_score(score: Score) -> GameScore:
    return GameScore(
        faction=score.faction,
        name=score.member.name if score.member else "",
        member=score.member_id,
        points=score.points,
        place=score.place,
        won=score.won,
    )


def records_of(circle: Circle, game: str) -> Records:
    """What stands out at a game in a circle."""
    results = Result.objects.filter(circle=circle, in_circle=True, game=game, early=False)

    def first(column: str, *, most: bool) -> tuple[GameLine, ...]:
        down = "-" if most else ""  # equals too, so that an index has them in this order
        known = results.filter(**{f"{column}__isnull": False})
        known = known.order_by(*(f"{down}{name}" for name in (column, "ended_at", "table")))
        return _game_lines(_with_scores(known[:BEST]))

    members = members_of(circle, game)
    return Records(
        points=_most_points(circle, game),
        narrowest=first("margin", most=False),
        clearest=first("margin", most=True),
        longest=first("seconds", most=True),
        shortest=first("seconds", most=False),
        games=tuple(sorted(members, key=lambda line: -line.record.games)[:BEST]),
        wins=tuple(sorted(members, key=lambda line: -line.record.wins)[:BEST]),
    )


def _most_points(circle: Circle, game: str) -> tuple[BestScore, ...]:
    scores = Score.objects.filter(circle=circle, game=game, result__early=False)
    best = scores.order_by("-points", "-ended_at", "-table", "-seat").select_related("member")[:BEST]
    results = list(_with_scores(Result.objects.filter(pk__in=[score.result_id for score in best])))
    lines = {result.pk: line for result, line in zip(results, _game_lines(results), strict=True)}
    return tuple(BestScore(_game_score(score), lines[score.result_id]) for score in best)

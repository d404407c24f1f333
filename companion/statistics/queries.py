"""Queries for statistics across games. Their cost does not depend on the number of games.

The scope is a circle, or None for all games of the server, without names and table codes.
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
from companion.results.counts import counts_below, quantile
from companion.results.filters import ANY, Filter, rules_of
from companion.results.intervals import FEWEST_GAMES, Interval, wilson
from companion.results.order import ended_before
from companion.results.played import PER_POINT

PAGE = 20  # games
NEWEST = 200  # scores in the rating history of a member
BEST = 3  # entries per kind of record


# Results


@dataclass(frozen=True, slots=True)
class Share:
    """Games and wins of a faction, a seat or a member."""

    of: str  # a faction, or a seat in the play order
    games: int
    wins: int

    @property
    def is_few(self) -> bool:
        """True if there are too few games to show a share."""
        return self.games < FEWEST_GAMES

    @property
    def share(self) -> float | None:
        return None if self.is_few else self.wins / self.games

    @property
    def interval(self) -> Interval | None:
        return None if self.is_few else wilson(self.wins, self.games)


@dataclass(frozen=True, slots=True)
class Among:
    """Win shares in the games with a given number of players."""

    players: int
    games: int
    factions: tuple[Share, ...]
    seats: tuple[Share, ...]  # by place in the initial play order


@dataclass(frozen=True, slots=True)
class Distribution:
    """Distribution of a faction's final points. All but the mean are rounded down to whole points."""

    faction: str
    games: int
    mean: Fraction
    least: int
    lower: int  # first quartile
    median: int
    upper: int  # third quartile
    most: int
    bins: tuple[tuple[int, int], ...]  # points, games

    @property
    def is_few(self) -> bool:
        return self.games < FEWEST_GAMES


@dataclass(frozen=True, slots=True)
class Lengths:
    """Lengths of games without pauses and without score pads. The bins are ``counts.MINUTES`` wide."""

    games: int
    mean: timedelta
    median: timedelta  # lower bound of its bin
    bins: tuple[tuple[int, int], ...]  # lower bound in minutes, games

    @property
    def is_few(self) -> bool:
        return self.games < FEWEST_GAMES


@dataclass(frozen=True, slots=True)
class HalfTimeMeans:
    """Mean points of winners, or of the others, at half-time."""

    scores: int
    points: Fraction
    parts: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class HalfTime:
    """Standings after the middle round, in the games that have one."""

    games: int
    winners: HalfTimeMeans | None
    others: HalfTimeMeans | None
    leaders: Share  # games with a leader at half-time, and wins of such a leader

    @property
    def is_few(self) -> bool:
        return self.games < FEWEST_GAMES


@dataclass(frozen=True, slots=True)
class GameStatistics:
    """All statistics of a game for one filter."""

    filter: Filter
    games: int
    factions: tuple[Share, ...]  # all factions in the game's order, played or not
    players: tuple[Among, ...]  # by number of players, ascending; only numbers that occur
    points: tuple[Distribution, ...]  # only factions that were played
    lengths: Lengths | None
    half_time: HalfTime | None

    @property
    def is_few(self) -> bool:
        return self.games < FEWEST_GAMES


@dataclass(frozen=True, slots=True)
class Choices:
    """Filter values that match at least one game, each with its number of games."""

    games: int
    modes: Mapping[str, int]
    players: Mapping[int, int]
    options: Mapping[str, int]  # ``DEFAULT`` or name=value; see ``filters.options_of``
    clean: int
    first: str | None  # first month with a game, as 2026-11
    last: str | None  # last month with a game


@dataclass(frozen=True, slots=True)
class Rating:
    """An OpenSkill rating: mean and standard deviation."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """Conservative estimate of the skill, used for sorting."""
        return self.mu - 3 * self.sigma


@dataclass(frozen=True, slots=True)
class MemberLine:
    """A member of a circle at a game."""

    pk: int
    name: str
    rating: Rating
    record: Share  # games and wins; ``of`` is empty
    favourite: str | None  # the most played faction
    best: str | None  # the faction with the highest lower bound of its share; None if all have too few games


@dataclass(frozen=True, slots=True)
class RatingPoint:
    """A member's rating after a game."""

    at: datetime
    code: str  # of the table
    rating: Rating
    place: int
    won: bool
    faction: str


@dataclass(frozen=True, slots=True)
class FactionRecord:
    """A member's record with a faction."""

    share: Share  # ``of`` is the faction
    points: Fraction  # on average


@dataclass(frozen=True, slots=True)
class Against:
    """A member's record against another."""

    pk: int
    name: str
    wins: int  # games with a better place than the other
    losses: int
    ties: int

    @property
    def games(self) -> int:
        return self.wins + self.losses + self.ties


@dataclass(frozen=True, slots=True)
class MemberStatistics:
    """All statistics of a member at a game."""

    line: MemberLine
    course: tuple[RatingPoint, ...]  # the newest games (``NEWEST`` scores), the oldest first
    factions: tuple[FactionRecord, ...]  # most played first
    against: tuple[Against, ...]  # most games first


@dataclass(frozen=True, slots=True)
class GameScore:
    """The score of a faction in a game of a circle."""

    faction: str
    name: str  # empty if forgotten or ambiguous
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
    corrected: bool  # also set for games that ended early, which are never clean
    scores: tuple[GameScore, ...]  # by place


@dataclass(frozen=True, slots=True)
class GamesPage:
    """A page of the games of a circle, the newest first."""

    games: tuple[GameLine, ...]
    following: str  # the ``after`` of the next page; empty on the last page


@dataclass(frozen=True, slots=True)
class BestScore:
    """A record score and its game."""

    score: GameScore
    game: GameLine


@dataclass(frozen=True, slots=True)
class Records:
    """Records of a game in a circle, best first, without games that ended early."""

    points: tuple[BestScore, ...]  # most points
    narrowest: tuple[GameLine, ...]
    clearest: tuple[GameLine, ...]
    longest: tuple[GameLine, ...]
    shortest: tuple[GameLine, ...]
    games: tuple[MemberLine, ...]  # most games
    wins: tuple[MemberLine, ...]  # most wins


def is_public() -> bool:
    """Return True if the statistics over all games of the server are public."""
    return bool(settings.PUBLIC_STATISTICS)


# Games


def games_in(circle: Circle | None) -> dict[str, int]:
    """Return the number of games by slug."""
    counted: Counter[str] = Counter()
    for tally in Tally.objects.filter(circle=circle, span="all", option=ANY):
        counted[tally.game] += tally.counts["games"]
    return dict(counted)


def game_statistics(filter_: Filter, circle: Circle | None = None) -> GameStatistics:
    """Return the statistics of the games that match a filter."""
    by_players = _by_players(_tallies(filter_, circle))
    counts = sum(by_players.values(), Counter[str]())
    factions = rules_of(filter_.game)[0].factions
    return GameStatistics(
        filter=filter_,
        games=counts["games"],
        factions=_shares(counts, "faction", factions),
        players=tuple(_among(n, by_players[n], factions) for n in sorted(by_players)),
        points=tuple(_distribution(counts, f) for f in factions if counts[f"faction/{f}/games"]),
        lengths=_lengths(counts),
        half_time=_half_time(counts),
    )


def _tallies(filter_: Filter, circle: Circle | None) -> QuerySet[Tally]:
    tallies = Tally.objects.filter(circle=circle, game=filter_.game, option=filter_.option)
    tallies = tallies.filter(_period_condition(filter_.since, filter_.until))
    if filter_.mode is not None:
        tallies = tallies.filter(mode=filter_.mode)
    if filter_.players is not None:
        tallies = tallies.filter(players=filter_.players)
    return tallies.filter(is_clean=True) if filter_.clean else tallies


def _period_condition(since: str | None, until: str | None) -> Q:
    """Return the tallies that add up to a period: whole years, and the months before and after them."""
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
    counts: dict[int, Counter[str]] = {}
    for tally in tallies:
        counts.setdefault(tally.players, Counter()).update(tally.counts)
    return counts


def _shares(counts: Mapping[str, int], kind: str, names: Iterable[str]) -> tuple[Share, ...]:
    return tuple(
        Share(name, counts.get(f"{kind}/{name}/games", 0), counts.get(f"{kind}/{name}/wins", 0))
        for name in names
    )


def _among(players: int, counts: Mapping[str, int], factions: Sequence[str]) -> Among:
    played = [faction for faction in factions if counts.get(f"faction/{faction}/games")]
    seats = sorted({int(name.split("/")[0]) for name in counts_below(counts, "seat")})
    return Among(
        players=players,
        games=counts["games"],
        factions=_shares(counts, "faction", played),
        seats=_shares(counts, "seat", map(str, seats)),
    )


def _distribution(counts: Mapping[str, int], faction: str) -> Distribution:
    bins = {int(points): games for points, games in counts_below(counts, f"points/{faction}").items()}
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
    bins = {int(minutes): games for minutes, games in counts_below(counts, "length").items()}
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
        winners=_half_time_means(counts_below(counts, "half/won")),
        others=_half_time_means(counts_below(counts, "half/lost")),
        leaders=Share("", counts.get("half/led", 0), counts.get("half/held", 0)),
    )


def _half_time_means(counts: Mapping[str, int]) -> HalfTimeMeans | None:
    scores = counts.get("scores")
    if not scores:
        return None
    return HalfTimeMeans(
        scores=scores,
        points=Fraction(counts.get("points", 0), PER_POINT * scores),
        parts={
            part: Fraction(counts.get(f"part/{part}", 0), PER_POINT * had)
            for part, had in counts_below(counts, "had").items()
        },
    )


def choices_of(game: str, circle: Circle | None = None) -> Choices:
    """Return the filter values that match at least one game."""
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
    """Return the members who played a game, sorted by the conservative estimate of their rating."""
    skills = Skill.objects.filter(member__circle=circle, game=game).select_related("member")
    return tuple(sorted(map(_member_line, skills), key=lambda line: (-line.rating.ordinal, line.name)))


def _member_line(skill: Skill) -> MemberLine:
    factions = _faction_records(skill)
    shares = [record.share for record in factions if record.share.interval]
    best = max(shares, key=lambda share: wilson(share.wins, share.games).low, default=None)
    return MemberLine(
        pk=skill.member.pk,
        name=skill.member.name,
        rating=Rating(skill.mu, skill.sigma),
        record=Share("", skill.games, skill.wins),
        favourite=factions[0].share.of if factions else None,
        best=best.of if best else None,
    )


def _faction_records(skill: Skill) -> tuple[FactionRecord, ...]:
    """Return the records by faction, most played first, then alphabetically."""
    records = [
        FactionRecord(Share(faction, games, wins), Fraction(points, PER_POINT * games))
        for faction, (games, wins, points) in sorted(skill.factions.items())
    ]
    return tuple(sorted(records, key=lambda record: -record.share.games))


def games_of_member(circle: Circle, member: int) -> dict[str, int]:
    """Return a member's number of games by slug. Raise ``Refusal`` for anybody outside the circle."""
    _require_member(circle, member)
    return dict(Skill.objects.filter(member=member).order_by("game").values_list("game", "games"))


def member_statistics(circle: Circle, member: int, game: str) -> MemberStatistics:
    """Return a member's statistics. Raise ``Refusal`` if the member or their games do not exist."""
    _require_member(circle, member)
    skill = Skill.objects.filter(member=member, game=game).select_related("member").first()
    if skill is None:
        raise Refusal("unknown", _("They have not played this game here."))
    return MemberStatistics(
        line=_member_line(skill),
        course=_rating_history(skill),
        factions=_faction_records(skill),
        against=_against(skill),
    )


def _require_member(circle: Circle, member: int) -> None:
    if not Member.objects.filter(circle=circle, pk=member).exists():
        raise Refusal("unknown", _("There is nobody like that in this circle."))


def _rating_history(skill: Skill) -> tuple[RatingPoint, ...]:
    """Return the rating history; for a member with two factions, the better one represents the game."""
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
    records = [Against(row.other.pk, row.other.name, row.wins, row.losses, row.ties) for row in rows]
    return tuple(sorted(records, key=lambda record: (-record.games, record.name)))


# Games of a circle


def games_of(circle: Circle, filter_: Filter | None = None, after: str = "") -> GamesPage:
    """Return a page of the games of a circle, the newest first.

    ``after`` is the previous page's ``following``. Raise ``Refusal`` if it is malformed.
    """
    results = results_of(circle, filter_)
    if after:
        results = results.filter(ended_before(*_parse_cursor(after)))
    rows = list(_with_scores(results.order_by("-ended_at", "-table")[: PAGE + 1]))
    shown = rows[:PAGE]
    following = f"{shown[-1].ended_at:%Y-%m-%dT%H:%M:%S.%f}.{shown[-1].table_id}" if len(rows) > PAGE else ""
    return GamesPage(_game_lines(shown), following)


def results_of(circle: Circle, filter_: Filter | None = None) -> QuerySet[Result]:
    """Return the results that count in a circle and match a filter."""
    results = Result.objects.filter(circle=circle, in_circle=True)
    return results if filter_ is None else results.filter(_condition(filter_))


def _condition(filter_: Filter) -> Q:
    condition = Q(game=filter_.game)
    if filter_.mode is not None:
        condition &= Q(mode=filter_.mode)
    if filter_.players is not None:
        condition &= Q(players=filter_.players)
    if filter_.clean:
        condition &= Q(is_clean=True)
    if filter_.option != ANY:
        condition &= Q(options__contains=f"|{filter_.option}|")
    if filter_.since is not None:
        condition &= Q(ended_at__gte=_start_of_month(filter_.since))
    if filter_.until is not None:
        condition &= Q(ended_at__lte=_end_of_month(filter_.until))
    return condition


def _start_of_month(month: str) -> datetime:
    return datetime(max(int(month[:4]), 1), int(month[5:]), 1, tzinfo=UTC)


def _end_of_month(month: str) -> datetime:
    first = _start_of_month(month)
    days = monthrange(first.year, first.month)[1]
    return first.replace(day=days, hour=23, minute=59, second=59, microsecond=999_999)


def _parse_cursor(after: str) -> tuple[datetime, int]:
    time, _dot, table = after.rpartition(".")
    try:
        return datetime.fromisoformat(time).replace(tzinfo=UTC), int(table[:18])
    except ValueError:
        raise Refusal("bad-input", _("This is no place in the list of games.")) from None


def _with_scores(results: QuerySet[Result]) -> QuerySet[Result]:
    scores = Prefetch("scores", Score.objects.select_related("member").order_by("place", "seat"))
    return results.select_related("table").prefetch_related(scores)


def _game_lines(results: Iterable[Result]) -> tuple[GameLine, ...]:
    rows = list(results)
    early = [result.table_id for result in rows if result.early]
    corrected = corrected_among(early) if early else set()
    return tuple(
        _game_line(row, corrected=row.table_id in corrected if row.early else not row.is_clean)
        for row in rows
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
    """Return the records of a game in a circle."""
    results = Result.objects.filter(circle=circle, in_circle=True, game=game, early=False)

    def first(column: str, *, most: bool) -> tuple[GameLine, ...]:
        sign = "-" if most else ""  # the same for all columns, so that an index can be used
        rows = results.filter(**{f"{column}__isnull": False})
        rows = rows.order_by(*(f"{sign}{name}" for name in (column, "ended_at", "table")))
        return _game_lines(_with_scores(rows[:BEST]))

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

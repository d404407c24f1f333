"""Results of tables for statistics, kept in sync with their journals.

Every change of a finished table, and every change that finishes or reopens one, updates its result in the
same transaction (see ``versions.with_latest``). A result that changes is removed from all tallies, records
and ratings, and added again. All of this can be rebuilt from the journals at any time.

Several tables can hold the same game, for example if an exported game is imported again. Tables with equal
game, mode and start time are twins; only the oldest of them counts.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from django.db import connection, transaction

from companion.errors import Refusal
from companion.journal.marks import is_corrected
from companion.journal.states import State, game_of, state_at
from companion.models import (
    Encounter,
    Member,
    Result,
    Score,
    Seat,
    Skill,
    Standing,
    Status,
    Table,
    Tally,
)
from companion.results import ratings, tallies
from companion.results.counts import SERVER
from companion.results.filters import DEFAULT, option_key
from companion.results.pauses import breaks_of
from companion.results.played import PER_POINT, Line, Played, margin_of, seconds_played
from games.core.game import AnyGame
from games.core.options import Option

# Key of the PostgreSQL advisory lock: an arbitrary number that nothing else uses.
_LOCK = 0x5E2E5C4A1


def sync_result(table: Table) -> None:
    """Update the result of a table from its journal. The table must be locked."""
    stored = Result.objects.filter(table=table).first()
    try:
        played = played_of(table)
    except Refusal:  # the journal does not fold under the current rules: only names can be updated
        played = _renamed(table, played_from(stored)) if stored else None
    if stored and played and _is_stored(stored, played):
        return
    if stored or played:
        _lock_counting()
    if stored:
        _remove(stored)
    if played:
        _add(played)


def _renamed(table: Table, played: Played) -> Played:
    names = _names(table)
    lines = tuple(replace(line, name=normalise_name(names.get(line.faction, ""))) for line in played.lines)
    return replace(played, circle=table.circle_id, lines=lines)


def withdraw_result(table: Table) -> None:
    """Remove the result of a table that will be deleted."""
    stored = Result.objects.filter(table=table).first()
    if stored:
        _lock_counting()
        _remove(stored)


def _lock_counting() -> None:
    """Lock out concurrent counting until the transaction ends; SQLite has a single writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])


def _is_stored(stored: Result, played: Played) -> bool:
    """Return whether the stored result equals a game; results that do not count in a circle have no names."""
    return played_from(stored) == (played if stored.in_circle else played.anonymous())


# From the journal


def played_of(table: Table) -> Played | None:
    """Return the game of a table as statistics count it; None if it has not ended.

    Raises ``Refusal`` if the journal does not fold.
    """
    if table.status != Status.FINISHED:
        return None
    game, state = game_of(table), state_at(table, table.head)
    entered = list(table.entries.filter(undone=False).order_by("number").values_list("created_at", flat=True))
    lines = _lines(table, game, state)
    together = state.setup.players < len(state.setup.factions)
    seconds = None  # unknown for score pads
    if table.started_at is not None and table.options["mode"] == "full":
        seconds = seconds_played(table.started_at, entered, breaks_of(table))
    return Played(
        table=table.pk,
        circle=table.circle_id,
        game=table.game,
        mode=table.options["mode"],
        players=state.setup.players,
        options=tuple(_options(game, state)),
        clean=not table.ended_by_host and not is_corrected(table),
        early=table.ended_by_host,
        started_at=table.started_at,
        ended_at=table.ended_at or max([table.created_at, *entered]),
        seconds=seconds,
        margin=margin_of(lines, together=together and not table.ended_by_host),
        lines=lines,
    )


def _options(game: AnyGame, state: State) -> Iterator[str]:
    """Yield the options that differ from their default at the end of the game."""
    for option in game.options:
        value = state.setup.options[option.name]
        if value != option.default:
            yield option_key(option.name, value if isinstance(option, Option) else None)


def _lines(table: Table, game: AnyGame, state: State) -> tuple[Line, ...]:
    points = {standing.faction: standing.points for standing in game.standings(state)}
    places = _places(table, game, state, points)
    order = game.start(state.setup).state.order
    halves = _half_time(table, state)
    names = _names(table)
    return tuple(
        Line(
            faction=faction,
            seat=seat,
            points=_thousandths(points[faction]),
            place=places[faction],
            won=faction in table.winners,
            half_points=_thousandths(Fraction(halves[faction].points)) if faction in halves else None,
            half_parts=_parts(halves[faction]) if faction in halves else None,
            name=normalise_name(names.get(faction, "")),
        )
        for seat, faction in enumerate(order, start=1)
    )


def _thousandths(points: Fraction) -> int:
    return round(points * PER_POINT)


def _parts(standing: Standing) -> dict[str, int]:
    return {part: _thousandths(Fraction(points)) for part, points in sorted(standing.parts.items())}


def _places(table: Table, game: AnyGame, state: State, points: Mapping[str, Fraction]) -> dict[str, int]:
    """Return the place of each faction, by the game's ranking; if the host ended the game, by points."""
    result = None if table.ended_by_host else game.result(state)
    if result is None:
        return {f: 1 + sum(other > points[f] for other in points.values()) for f in points}
    places, place = {}, 1
    for shared in result.ranking:
        places.update(dict.fromkeys(shared, place))
        place += len(shared)
    return places


def _half_time(table: Table, state: State) -> dict[str, Standing]:
    """Return the standings after the middle round; empty for one round, or if the app was started later."""
    middle = state.round // 2
    return {row.faction: row for row in Standing.objects.filter(table=table, round=middle)} if middle else {}


def _names(table: Table) -> dict[str, str]:
    """Return the names of the players by faction, as written; empty without a circle.

    Equal names are ambiguous and left out, unless players have two factions each.
    """
    if table.circle_id is None or table.setup is None:
        return {}
    names = dict(Seat.objects.filter(table=table).exclude(name="").values_list("faction", "name"))
    if table.setup["players"] < len(table.setup["factions"]):
        return names
    occurrences = Counter(map(normalise_name, names.values()))
    return {faction: name for faction, name in names.items() if occurrences[normalise_name(name)] == 1}


def normalise_name(name: str) -> str:
    """Return a name independent of case, whitespace and Unicode compatibility forms."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


# Rows


def _add(played: Played) -> None:
    _update_twins(_write(played))


def _write(played: Played) -> Result:
    """Insert the rows of a result that is not counted anywhere yet."""
    result = result_row(played)
    result.save(force_insert=True)
    Score.objects.bulk_create(score_row(result, line) for line in played.lines)
    return result


def result_row(played: Played) -> Result:
    return Result(
        table_id=played.table,
        circle_id=played.circle,
        game=played.game,
        mode=played.mode,
        players=played.players,
        options="".join(f"|{option}" for option in (played.options or (DEFAULT,))) + "|",
        is_clean=played.clean,
        early=played.early,
        started_at=played.started_at,
        ended_at=played.ended_at,
        seconds=played.seconds,
        margin=_decimal(played.margin),
    )


def score_row(result: Result, line: Line) -> Score:
    return Score(
        result=result,
        table_id=result.table_id,
        game=result.game,
        ended_at=result.ended_at,
        faction=line.faction,
        seat=line.seat,
        points=Decimal(line.points) / PER_POINT,
        place=line.place,
        won=line.won,
        half_points=_decimal(line.half_points),
        half_parts=line.half_parts,
    )


def _decimal(thousandths: int | None) -> Decimal | None:
    return None if thousandths is None else Decimal(thousandths) / PER_POINT


def played_from(result: Result) -> Played:
    """Return the game of a stored result; the inverse of ``result_row`` and ``score_row``."""
    options = tuple(option for option in result.options.strip("|").split("|") if option != DEFAULT)
    return Played(
        table=result.table_id,
        circle=result.circle_id,
        game=result.game,
        mode=result.mode,
        players=result.players,
        options=options,
        clean=result.is_clean,
        early=result.early,
        started_at=result.started_at,
        ended_at=result.ended_at,
        seconds=result.seconds,
        margin=_to_thousandths(result.margin),
        lines=tuple(map(_line, result.scores.select_related("member").order_by("seat"))),
    )


def _line(score: Score) -> Line:
    return Line(
        faction=score.faction,
        seat=score.seat,
        points=_to_thousandths(score.points) or 0,
        place=score.place,
        won=score.won,
        half_points=_to_thousandths(score.half_points),
        half_parts=score.half_parts,
        name=score.member.normal if score.member else "",
    )


def _to_thousandths(points: Decimal | None) -> int | None:
    return None if points is None else int(points * PER_POINT)


def _remove(result: Result) -> None:
    """Remove a result from everything that counts it; its oldest twin, if any, counts from now on."""
    if result.on_server:
        _count_on_server(result, -1)
    if result.in_circle:
        _leave_circle(result)
    result.delete()
    _update_twins(result)


# Counting


def _update_twins(result: Result) -> None:
    """Let only the oldest twin count, on the server and in the circle of the result."""
    twins = _twins(result)
    for twin in twins:
        _set_on_server(twin, counts=twin is twins[0])
    in_circle = [twin for twin in twins if twin.circle_id == result.circle_id and twin.circle_id is not None]
    for twin in in_circle:
        _set_in_circle(twin, counts=twin is in_circle[0])


def _twins(result: Result) -> list[Result]:
    """Return all results of the same game, that of the oldest table first."""
    twins = Result.objects.filter(game=result.game, mode=result.mode, started_at=result.started_at)
    if result.started_at is None:
        twins = twins.filter(table=result.table_id)
    return list(twins.order_by("table"))


def _set_on_server(result: Result, *, counts: bool) -> None:
    if result.on_server != counts:
        _count_on_server(result, 1 if counts else -1)
        result.on_server = counts
        result.save(update_fields=["on_server"])


def _count_on_server(result: Result, sign: int) -> None:
    tallies.count(played_from(result).anonymous(), SERVER, sign)


def _set_in_circle(result: Result, *, counts: bool) -> None:
    if result.in_circle != counts:
        (_join_circle if counts else _leave_circle)(result)


def _join_circle(result: Result) -> None:
    circle, played = _circle_of(result), _link(result)
    tallies.count(played, circle)
    ratings.rate_from(circle, result.game, result.ended_at, result.table_id, ())


def _link(result: Result) -> Played:
    """Link a result to its circle and its members, and update their records, but not tallies and ratings."""
    circle, names = _circle_of(result), _names(result.table)
    members = _members(circle, names.values())
    scores = list(result.scores.all())
    for score in scores:
        score.circle_id = circle
        score.member = members.get(normalise_name(names.get(score.faction, "")))
    Score.objects.bulk_update(scores, ["circle", "member"])
    result.in_circle = True
    result.save(update_fields=["in_circle"])
    played = played_from(result)
    ratings.record(played, members)
    return played


def _members(circle: int, names: Iterable[str]) -> dict[str, Member]:
    """Return the members with these names by normalised name; new ones are created, others renamed."""
    written = {normalise_name(name): name for name in names}
    Member.objects.bulk_create(
        [Member(circle_id=circle, normal=normal, name=name) for normal, name in written.items()],
        update_conflicts=True,
        unique_fields=["circle", "normal"],
        update_fields=["name"],
    )
    return {member.normal: member for member in Member.objects.filter(circle=circle, normal__in=written)}


def _leave_circle(result: Result) -> None:
    circle, played = _circle_of(result), played_from(result)
    members = {member.normal: member for member in Member.objects.filter(scores__result=result).distinct()}
    tallies.count(played, circle, -1)
    ratings.record(played, members, -1)
    result.in_circle = False
    result.save(update_fields=["in_circle"])
    result.scores.update(circle=None, member=None, mu=None, sigma=None)
    ratings.rate_from(circle, result.game, result.ended_at, result.table_id, members.values())
    unused = Member.objects.filter(pk__in=[member.pk for member in members.values()], scores=None)
    unused.delete()


def _circle_of(result: Result) -> int:
    if result.circle_id is None:
        raise ValueError("result without a circle")
    return result.circle_id


# Rebuilding


def rebuild_results() -> list[str]:
    """Rebuild all results, tallies, records and ratings from the journals.

    Returns the codes of tables whose journal does not fold; their stored results stay.
    """
    with transaction.atomic():
        _lock_counting()
        for model in (Tally, Encounter, Skill, Member):
            model.objects.all().delete()
        Score.objects.update(circle=None, member=None, mu=None, sigma=None)
        Result.objects.update(on_server=False, in_circle=False)
        failed = _write_all()
        tallies.count_all(_count_all())
        for circle, game in _rated_games():
            first = Result.objects.filter(circle=circle, game=game, in_circle=True).order_by(
                "ended_at", "table"
            )[0]
            ratings.rate_from(circle, game, first.ended_at, first.table_id, ())
    return failed


def _write_all() -> list[str]:
    failed = []
    ended = Table.objects.filter(status=Status.FINISHED)
    Result.objects.exclude(table__in=ended).delete()
    for table in ended.order_by("pk").iterator(chunk_size=100):
        try:
            played = played_of(table)
        except Refusal:
            failed.append(table.code)
            continue
        if played:
            Result.objects.filter(table=table).delete()
            _write(played)
    return failed


def _count_all() -> Iterator[tuple[Played, int]]:
    """Mark and yield each game once for the server and once for each circle: that of the oldest table."""
    on_server: set[tuple[object, ...]] = set()
    in_circle: set[tuple[object, ...]] = set()
    for result in Result.objects.order_by("table").select_related("table").iterator(chunk_size=100):
        twin_key = (result.game, result.mode, result.started_at or result.pk)
        if twin_key not in on_server:
            on_server.add(twin_key)
            Result.objects.filter(pk=result.pk).update(on_server=True)
            yield played_from(result), SERVER
        if result.circle_id is not None and (result.circle_id, *twin_key) not in in_circle:
            in_circle.add((result.circle_id, *twin_key))
            yield _link(result), result.circle_id


def _rated_games() -> list[tuple[int, str]]:
    counted = Result.objects.filter(in_circle=True, circle__isnull=False)
    return list(counted.order_by("circle", "game").values_list("circle", "game").distinct())

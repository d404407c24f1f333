"""What people take elsewhere: standings, journals and results as CSV, the games of a circle as one document.

The columns have the names of the API, in English; sentences are in the reader's language. Everything is
written bit by bit, so that a circle of thousands of games needs no more memory than one of a few.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import islice
from typing import TypeAlias

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from companion import wording
from companion.errors import Refusal
from companion.journal import secrets
from companion.journal.marks import marks_of
from companion.journal.states import game_of
from companion.journal.versions import unchanged
from companion.models import Circle, Entry, Result, Score, Table
from companion.results.filters import DEFAULT, Filter
from companion.statistics.queries import results_of
from companion.tables.documents import write_document
from games.core.game import AnyGame
from games.core.steps import Step, read_step

Value: TypeAlias = str | int | float | Decimal | None
Rows: TypeAlias = Iterator[Sequence[Value]]

GAMES_FORMAT = "seneschal-games-1"
AT_ONCE = 200  # rows
# With these a spreadsheet takes a cell for a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")


# Writing


def written(rows: Rows) -> Iterator[str]:
    """Rows as CSV, some at once. What people typed is never a formula: an apostrophe says it is text."""
    while some := list(islice(rows, AT_ONCE)):
        text = io.StringIO()
        csv.writer(text).writerows([_cell(value) for value in row] for row in some)
        yield text.getvalue()


def _cell(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            return f"'{value}" if value.startswith(_FORMULAS) else value
        case Decimal():
            return f"{value.normalize():f}"
        case _:
            return str(value)


# A table


def standings_csv(table: Table) -> str:
    """Everybody's points at the end of each round, and now; a column for each part."""
    seats = {seat.faction: seat for seat in table.seats.all()}
    order = {faction: at for at, faction in enumerate((table.setup or {}).get("factions", ()))}
    rows = sorted(table.standings.all(), key=lambda row: (row.round, order[row.faction]))
    parts = list(dict.fromkeys(part for row in rows for part in row.parts))

    def lines() -> Rows:
        yield ("round", "faction", "name", "points", *parts)
        for row in rows:
            name = seats[row.faction].name if row.faction in seats else ""
            yield (row.round, row.faction, name, row.points, *(row.parts.get(part, 0) for part in parts))

    return "".join(written(lines()))


def journal_csv(table: Table) -> str:
    """Every entry, those that are undone too. Raises ``Refusal`` while something is hidden."""
    return unchanged(table, lambda: _journal(table))


def _journal(table: Table) -> str:
    secrets.refuse_export(table)
    game = game_of(table)
    names = {seat.faction: seat.name for seat in table.seats.all()}

    def lines() -> Rows:
        yield (
            "number",
            "parent",
            "at",
            "faction",
            "name",
            "action",
            "text",
            "undone",
            "origin",
            "reason",
            "marks",
        )
        for entry in table.entries.all():
            yield (
                entry.number,
                entry.parent,
                entry.created_at.isoformat(),
                entry.faction,
                names.get(entry.faction, ""),
                json.dumps(entry.action, ensure_ascii=False),
                _told(game, entry),
                entry.undone,
                entry.origin,
                entry.reason,
                " ".join(marks_of(entry)),
            )

    return "".join(written(lines()))


def _told(game: AnyGame, entry: Entry) -> str:
    """What an entry led to: a sentence for each step, finer ones after the one they belong to."""
    return " ".join(sentence for data in entry.steps for sentence in _sentences(game, read_step(data)))


def _sentences(game: AnyGame, step: Step) -> Iterator[str]:
    yield wording.render(game, step.message)
    for finer in step.steps:
        yield from _sentences(game, finer)


def result_csv(table: Table) -> str:
    """How the game of a table ended. Raises ``Refusal`` until it has."""
    return "".join(written(_results(Result.objects.filter(pk=result_of(table).pk))))


def result_of(table: Table) -> Result:
    """Raises ``Refusal`` for a table whose game has no result."""
    result = Result.objects.filter(table=table).first()
    if result is None:
        raise Refusal("nothing", _("The game has no result yet."))
    return result


# A circle


def results_csv(circle: Circle, asked: Filter | None = None) -> Iterator[str]:
    """A line for each faction in each game of a circle, the oldest game first."""
    return written(_results(results_of(circle, asked).order_by("ended_at", "table")))


def _results(results: QuerySet[Result]) -> Rows:
    yield (
        *(
            "table",
            "game",
            "mode",
            "started_at",
            "ended_at",
            "seconds",
            "players",
            "options",
            "clean",
            "early",
        ),
        *("faction", "name", "seat", "points", "place", "won"),
    )
    found = results.select_related("table").prefetch_related("scores", "table__seats")
    for result in found.iterator(chunk_size=AT_ONCE):
        names = {seat.faction: seat.name for seat in result.table.seats.all()}
        options = [option for option in result.options.strip("|").split("|") if option != DEFAULT]
        about: tuple[Value, ...] = (
            result.table.code,
            result.game,
            result.mode,
            result.started_at.isoformat() if result.started_at else None,
            result.ended_at.isoformat(),
            result.seconds,
            result.players,
            " ".join(options),
            result.is_clean,
            result.early,
        )
        for score in result.scores.all():
            yield (*about, *_score(score, names.get(score.faction, "")))


def _score(score: Score, name: str) -> tuple[Value, ...]:
    return (score.faction, name, score.seat, score.points, score.place, score.won)


def games_json(circle: Circle, asked: Filter | None = None) -> Iterator[str]:
    """The games of a circle as one document: each as ``documents`` writes it, the oldest first. One that still
    hides something is left out, and listed with the reason.
    """
    head = json.dumps({"format": GAMES_FORMAT, "circle": circle.name}, ensure_ascii=False)
    yield f'{head[:-1]}, "games": ['
    left_out: list[dict[str, str]] = []
    between = "\n"
    tables = list(results_of(circle, asked).order_by("ended_at", "table").values_list("table", flat=True))
    for table in map(_table, tables):
        if table is None:  # deleted since
            continue
        try:
            document = write_document(table)
        except Refusal as refusal:
            left_out.append({"table": table.code, "why": refusal.message})
            continue
        yield between + json.dumps(document, ensure_ascii=False)
        between = ",\n"
    yield f'\n], "left_out": {json.dumps(left_out, ensure_ascii=False)}}}\n'


def _table(number: int) -> Table | None:
    return Table.objects.filter(pk=number).first()

"""Exports: standings, journals and results as CSV, the games of a circle as one JSON document.

Columns have the API's English names; sentences are in the reader's language. Exports of a circle are
streamed in chunks, so that memory use does not depend on the number of games.
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
from companion.journal.versions import read_consistent
from companion.models import Circle, Entry, Result, Score, Table
from companion.results.filters import DEFAULT, Filter
from companion.statistics.queries import results_of
from companion.tables.documents import write_document
from games.core.game import AnyGame
from games.core.steps import Step, read_step

Value: TypeAlias = str | int | float | Decimal | None
Rows: TypeAlias = Iterator[Sequence[Value]]

GAMES_FORMAT = "seneschal-games-1"
CHUNK_SIZE = 200  # rows
# Spreadsheets interpret a cell that begins with one of these as a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")


# CSV


def csv_chunks(rows: Rows) -> Iterator[str]:
    """Yield rows as chunks of CSV; texts that look like a formula are prefixed with an apostrophe."""
    while chunk := list(islice(rows, CHUNK_SIZE)):
        text = io.StringIO()
        csv.writer(text).writerows([_cell(value) for value in row] for row in chunk)
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
    """Return the points of each faction at the end of each round and now, with a column per part."""
    seats = {seat.faction: seat for seat in table.seats.all()}
    order = {faction: at for at, faction in enumerate((table.setup or {}).get("factions", ()))}
    rows = sorted(table.standings.all(), key=lambda row: (row.round, order[row.faction]))
    parts = list(dict.fromkeys(part for row in rows for part in row.parts))

    def lines() -> Rows:
        yield ("round", "faction", "name", "points", *parts)
        for row in rows:
            name = seats[row.faction].name if row.faction in seats else ""
            yield (row.round, row.faction, name, row.points, *(row.parts.get(part, 0) for part in parts))

    return "".join(csv_chunks(lines()))


def journal_csv(table: Table) -> str:
    """Return all entries, undone ones included. Raise ``Refusal`` while the journal contains secrets."""
    return read_consistent(table, lambda: _journal_csv(table))


def _journal_csv(table: Table) -> str:
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
                _entry_text(game, entry),
                entry.undone,
                entry.origin,
                entry.reason,
                " ".join(marks_of(entry)),
            )

    return "".join(csv_chunks(lines()))


def _entry_text(game: AnyGame, entry: Entry) -> str:
    """Return the sentences of an entry's steps, each followed by those of its substeps."""
    return " ".join(sentence for data in entry.steps for sentence in _sentences(game, read_step(data)))


def _sentences(game: AnyGame, step: Step) -> Iterator[str]:
    yield wording.render(game, step.message)
    for substep in step.steps:
        yield from _sentences(game, substep)


def result_csv(table: Table) -> str:
    """Return the result of a table. Raise ``Refusal`` if its game has none yet."""
    return "".join(csv_chunks(_result_rows(Result.objects.filter(pk=result_of(table).pk))))


def result_of(table: Table) -> Result:
    """Return the stored result of a table. Raise ``Refusal`` if its game has none yet."""
    result = Result.objects.filter(table=table).first()
    if result is None:
        raise Refusal("nothing", _("The game has no result yet."))
    return result


# A circle


def results_csv(circle: Circle, filter_: Filter | None = None) -> Iterator[str]:
    """Yield a row per faction and game of a circle, the oldest game first."""
    return csv_chunks(_result_rows(results_of(circle, filter_).order_by("ended_at", "table")))


def _result_rows(results: QuerySet[Result]) -> Rows:
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
    rows = results.select_related("table").prefetch_related("scores", "table__seats")
    for result in rows.iterator(chunk_size=CHUNK_SIZE):
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
            yield (*about, *_score_columns(score, names.get(score.faction, "")))


def _score_columns(score: Score, name: str) -> tuple[Value, ...]:
    return (score.faction, name, score.seat, score.points, score.place, score.won)


def games_json(circle: Circle, filter_: Filter | None = None) -> Iterator[str]:
    """Yield the games of a circle as one document, each as ``write_document`` writes it, the oldest first.

    Games that still contain secrets are listed in ``left_out`` with the reason.
    """
    head = json.dumps({"format": GAMES_FORMAT, "circle": circle.name}, ensure_ascii=False)
    yield f'{head[:-1]}, "games": ['
    left_out: list[dict[str, str]] = []
    separator = "\n"
    tables = list(results_of(circle, filter_).order_by("ended_at", "table").values_list("table", flat=True))
    for table in map(_table, tables):
        if table is None:  # deleted during the export
            continue
        try:
            document = write_document(table)
        except Refusal as refusal:
            left_out.append({"table": table.code, "why": refusal.message})
            continue
        yield separator + json.dumps(document, ensure_ascii=False)
        separator = ",\n"
    yield f'\n], "left_out": {json.dumps(left_out, ensure_ascii=False)}}}\n'


def _table(number: int) -> Table | None:
    return Table.objects.filter(pk=number).first()

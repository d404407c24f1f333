"""Relational mirror of a table's state: holdings, standings, and the derived columns of the table."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any

from companion.journal.states import memoised
from companion.models import Holding, Standing, Status, Table
from games.core.game import AnyGame
from games.core.ledger import Holding as Line
from games.core.ledger import Ledger

# Derived columns that the host has set at a table that was ended early.
ENDED_BY_HOST = ("status", "winners", "waiting_for")
_THOUSANDTH = Decimal("0.001")


def sync(table: Table, game: AnyGame, before: Any, after: Any) -> None:
    """Update the mirror from one state to another; ``before`` is None if there are no rows yet."""
    _holdings(table, before.ledger if before else None, after.ledger)
    if before is not None and after.round < before.round:
        Standing.objects.filter(table=table, round__gt=after.round).delete()
    if before is None or _scores(game, before) != _scores(game, after):
        _standings(table, game, after)


def _scores(game: AnyGame, state: Any) -> tuple[Any, ...]:
    return state.round, memoised(game.standings, state)


def derived_columns(game: AnyGame, state: Any) -> dict[str, Any]:
    """Return the columns of a table that are derived from its state."""
    result = game.result(state)
    return {
        "round": state.round,
        "phase": game.phase(state),
        "order": list(state.order),
        "waiting_for": list(memoised(game.waiting_for, state)),
        "winners": list(result.winners) if result else [],
        "status": Status.FINISHED if result else Status.PLAYING,
    }


def rebuild(table: Table, game: AnyGame, states: list[Any]) -> None:
    """Rewrite holdings and standings from `states`: one per entry that counts, the last one current.

    If earlier entries no longer fold, `states` begins later. Standings of rounds before that are kept, since they
    cannot be computed again.
    """
    Holding.objects.filter(table=table).delete()
    Standing.objects.filter(table=table, round__gte=states[0].round).delete()
    _holdings(table, None, states[-1].ledger)
    for state in _ends_of_rounds(states):
        _standings(table, game, state)


def differences(table: Table, game: AnyGame, states: list[Any]) -> list[str]:
    """Return the names of the columns and tables that differ from the states along the journal."""
    columns = derived_columns(game, states[-1])
    if table.ended_by_host:
        for name in ENDED_BY_HOST:
            del columns[name]
    wrong = [name for name, value in columns.items() if getattr(table, name) != value]
    lines = Holding.objects.filter(table=table).values_list("owner", "piece", "place", "count")
    if sorted(lines) != sorted(map(tuple, states[-1].ledger.holdings())):
        wrong.append("holdings")
    expected = [row for state in _ends_of_rounds(states) for row in _standing_rows(table, game, state)]
    stored = Standing.objects.filter(table=table, round__gte=states[0].round)
    if _by_round(stored) != _by_round(expected):
        wrong.append("standings")
    return wrong


def _ends_of_rounds(states: list[Any]) -> list[Any]:
    """Return the last state of each round, including the current one.

    A position can go back to an earlier round; then the later rounds are dropped.
    """
    ends: list[Any] = []
    for state in states:
        while ends and ends[-1].round >= state.round:
            ends.pop()
        ends.append(state)
    return ends


def _by_round(rows: Iterable[Standing]) -> dict[tuple[int, str], tuple[Decimal, Any]]:
    return {(row.round, row.faction): (row.points.quantize(_THOUSANDTH), row.parts) for row in rows}


def _holdings(table: Table, before: Ledger | None, after: Ledger) -> None:
    """Upsert the changed lines; lines that have disappeared are set to 0 in the same query, then deleted."""
    old = set(before.holdings()) if before else set()
    new = set(after.holdings())
    remaining = {line[:3] for line in new}
    gone = [line._replace(count=0) for line in old if line[:3] not in remaining]
    Holding.objects.bulk_create(
        [_row(table, line) for line in sorted([*(new - old), *gone])],
        update_conflicts=True,
        unique_fields=("table", "owner", "piece", "place"),
        update_fields=("count",),
    )
    if gone:
        Holding.objects.filter(table=table, count=0).delete()


def _row(table: Table, line: Line) -> Holding:
    return Holding(table=table, owner=line.owner, piece=line.piece, place=line.place, count=line.count)


def _standings(table: Table, game: AnyGame, state: Any) -> None:
    Standing.objects.bulk_create(
        _standing_rows(table, game, state),
        update_conflicts=True,
        unique_fields=("table", "round", "faction"),
        update_fields=("points", "parts"),
    )


def _standing_rows(table: Table, game: AnyGame, state: Any) -> list[Standing]:
    return [
        Standing(
            table=table,
            round=state.round,
            faction=standing.faction,
            points=decimal(standing.points),
            parts={part: plain(points) for part, points in standing.parts.items()},
        )
        for standing in memoised(game.standings, state)
    ]


def decimal(points: Fraction) -> Decimal:
    return Decimal(points.numerator) / Decimal(points.denominator)


def plain(points: Fraction) -> int | float:
    """Return points as a JSON number: an integer if whole, else the nearest float."""
    return points.numerator if points.denominator == 1 else float(points)

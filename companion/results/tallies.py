"""Keeping tallies up as games end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.models import Tally
from companion.results.counts import SERVER, Cell, added, cells_of, counts_of
from companion.results.played import Played

AT_ONCE = 200


def count(played: Played, scope: int, sign: int = 1) -> None:
    """Count a game in its cells of a scope, or take it out again (``sign`` -1).

    To be called while no other game is being counted.
    """
    counts = counts_of(played)
    _write(dict.fromkeys(cells_of(played, scope), counts), sign)


def count_all(games: Iterable[tuple[Played, int]]) -> None:
    """Count many games at once, each in a scope, into tallies that may be there already."""
    total: dict[Cell, Counter[str]] = {}
    for played, scope in games:
        counts = counts_of(played)
        for cell in cells_of(played, scope):
            total.setdefault(cell, Counter()).update(counts)
    cells = sorted(total, key=lambda cell: cell.key)
    for at in range(0, len(cells), AT_ONCE):
        _write({cell: total[cell] for cell in cells[at : at + AT_ONCE]}, 1)


def _write(changes: dict[Cell, Counter[str]], sign: int) -> None:
    kept = Tally.objects.in_bulk([cell.key for cell in changes], field_name="key")
    rows, gone = [], []
    for cell, counts in changes.items():
        row = kept.get(cell.key) or _row(cell)
        row.counts = added(row.counts, counts, sign)
        if row.counts:
            rows.append(row)
        else:
            gone.append(row.key)
    Tally.objects.filter(key__in=gone).delete()
    Tally.objects.bulk_create(rows, update_conflicts=True, unique_fields=["key"], update_fields=["counts"])


def _row(cell: Cell) -> Tally:
    return Tally(
        key=cell.key,
        circle_id=None if cell.scope == SERVER else cell.scope,
        game=cell.game,
        mode=cell.mode,
        players=cell.players,
        is_clean=cell.clean,
        span=cell.span,
        period=cell.period,
        option=cell.option,
    )

"""Updates of the tally rows as games end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.models import Tally
from companion.results.counts import SERVER, Cell, add_counts, cells_of, counts_of
from companion.results.played import Played

BATCH_SIZE = 200


def count(played: Played, scope: int, sign: int = 1) -> None:
    """Add a game to its cells of a scope, or subtract it (``sign`` -1).

    The caller must hold the lock against concurrent counting.
    """
    counts = counts_of(played)
    _write(dict.fromkeys(cells_of(played, scope), counts), sign)


def count_all(games: Iterable[tuple[Played, int]]) -> None:
    """Add many games, each to its scope, in batches; existing tallies are updated."""
    total: dict[Cell, Counter[str]] = {}
    for played, scope in games:
        counts = counts_of(played)
        for cell in cells_of(played, scope):
            total.setdefault(cell, Counter()).update(counts)
    cells = sorted(total, key=lambda cell: cell.key)
    for at in range(0, len(cells), BATCH_SIZE):
        _write({cell: total[cell] for cell in cells[at : at + BATCH_SIZE]}, 1)


def _write(changes: dict[Cell, Counter[str]], sign: int) -> None:
    existing = Tally.objects.in_bulk([cell.key for cell in changes], field_name="key")
    rows, empty = [], []
    for cell, counts in changes.items():
        row = existing.get(cell.key) or _row(cell)
        row.counts = add_counts(row.counts, counts, sign)
        if row.counts:
            rows.append(row)
        else:
            empty.append(row.key)
    Tally.objects.filter(key__in=empty).delete()
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

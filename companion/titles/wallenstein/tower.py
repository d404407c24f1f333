"""Prior estimate of a table's cube tower, learned from earlier games of the group."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from django.db.models import QuerySet

from companion.errors import Refusal
from companion.journal.states import state_at
from companion.models import Status, Table
from games.wallenstein.learning import THUMB, Falls, Prior, prior_of

# Use the newest games only: their total weight is capped anyway, and each must be folded.
EARLIER = 10


def prior_for(table: Table) -> Prior:
    """Return the prior from games finished earlier by the same circle or, without one, on the same board."""
    return prior_of(list(_earlier_falls(table))) if table.circle_id or table.board_id else THUMB


def _earlier(table: Table) -> QuerySet[Table]:
    tables = Table.objects.filter(game=table.game, options__mode="full", status=Status.FINISHED)
    if table.circle_id:
        tables = tables.filter(circle=table.circle_id)
    else:
        tables = tables.filter(circle=None, board=table.board_id)
    if table.started_at:
        tables = tables.filter(ended_at__lte=table.started_at)
    return tables.exclude(pk=table.pk).order_by("-ended_at", "-pk")[:EARLIER]


def _earlier_falls(table: Table) -> Iterator[Falls]:
    """Yield the falls of earlier games, skipping games that the current rules cannot fold."""
    for earlier in _earlier(table):
        with contextlib.suppress(Refusal):
            yield state_at(earlier, earlier.head).falls

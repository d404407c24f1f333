"""What is known of a table's cube tower before its game begins: what earlier games of the group have taught."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from django.db.models import QuerySet

from companion.errors import Refusal
from companion.journal.states import state_at
from companion.models import Status, Table
from games.wallenstein.learning import THUMB, Falls, Prior, prior_of

# The newest games are enough: their weight is bounded, and so must be the work.
EARLIER = 10


def prior_for(table: Table) -> Prior:
    """Learned from the games that the same circle, or else the same copy of the game, had finished before."""
    return prior_of(list(_earlier_falls(table))) if table.circle_id or table.board_id else THUMB


def _earlier(table: Table) -> QuerySet[Table]:
    found = Table.objects.filter(game=table.game, options__mode="full", status=Status.FINISHED)
    if table.circle_id:
        found = found.filter(circle=table.circle_id)
    else:
        found = found.filter(circle=None, board=table.board_id)
    if table.started_at:
        found = found.filter(ended_at__lte=table.started_at)
    return found.exclude(pk=table.pk).order_by("-ended_at", "-pk")[:EARLIER]


def _earlier_falls(table: Table) -> Iterator[Falls]:
    """A game that the rules of today refuse teaches nothing any more."""
    for earlier in _earlier(table):
        with contextlib.suppress(Refusal):
            yield state_at(earlier, earlier.head).falls

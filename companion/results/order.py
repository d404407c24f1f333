"""Conditions on the order in which games ended: by time, then by table.

Each condition also bounds the time alone, so that the database can use an index: a plain OR (later, or at the
same time at a later table) would be evaluated for every game.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q


def ended_since(at: datetime, table: int) -> Q:
    """Match the game that ended at this time at this table, and all that ended after it."""
    return Q(ended_at__gte=at) & (Q(ended_at__gt=at) | Q(table__gte=table))


def ended_before(at: datetime, table: int) -> Q:
    return Q(ended_at__lte=at) & (Q(ended_at__lt=at) | Q(table__lt=table))

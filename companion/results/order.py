"""The order in which games ended: by the moment, and of those that ended together, by their tables.

Each condition has a bound of its own on the moment: with it an index begins or ends there. An alternative alone
(later, or then and at a later table) would be tried on every game there is.
"""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q


def ended_since(at: datetime, table: int) -> Q:
    """From a table that ended at a moment on."""
    return Q(ended_at__gte=at) & (Q(ended_at__gt=at) | Q(table__gte=table))


def ended_before(at: datetime, table: int) -> Q:
    return Q(ended_at__lte=at) & (Q(ended_at__lt=at) | Q(table__lt=table))

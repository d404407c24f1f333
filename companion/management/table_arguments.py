"""The tables a command is about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.core.management.base import CommandParser

from companion.access.table_access import find
from companion.models import Table


def add_codes(parser: CommandParser) -> None:
    parser.add_argument(
        "codes", nargs="*", metavar="CODE", help="The code of a table; without any, all of them."
    )


def started(codes: Sequence[str]) -> Iterator[Table]:
    """The tables with these codes, or all, as far as their game has begun. Raises ``Refusal``."""
    begun = Table.objects.filter(setup__isnull=False)
    if codes:
        begun = begun.filter(pk__in=[find(code).pk for code in codes])
    return begun.order_by("pk").iterator(chunk_size=100)

"""Command line arguments that select tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.core.management.base import CommandParser

from companion.access.table_access import find
from companion.models import Table


def add_codes(parser: CommandParser) -> None:
    parser.add_argument(
        "codes", nargs="*", metavar="CODE", help="The code of a table; without any, all of them."
    )


def started_tables(codes: Sequence[str]) -> Iterator[Table]:
    """Yield the started tables with these codes, or all of them. Raise `Refusal` for an unknown code."""
    tables = Table.objects.filter(setup__isnull=False)
    if codes:
        tables = tables.filter(pk__in=[find(code).pk for code in codes])
    return tables.order_by("pk").iterator(chunk_size=100)

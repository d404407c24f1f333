"""Who asks, and about which table."""

from __future__ import annotations

from django.http import HttpRequest
from rest_framework.request import Request

from companion.access.table_access import TableAccess, find_from, identify_from, touch
from companion.models import Table
from companion.web.phone import address_of

SCHEME = "seat"


def table_of(request: Request | HttpRequest, code: str) -> Table:
    """The table with a code. Raises ``Refusal``."""
    return find_from(address_of(request), code, [token_of(request)])


def token_of(request: Request | HttpRequest) -> str:
    """The token of ``Authorization: Seat <token>``; empty when there is none."""
    scheme, _space, token = request.headers.get("Authorization", "").strip().partition(" ")
    return token.strip() if scheme.lower() == SCHEME else ""


def reader_of(request: Request | HttpRequest, table: Table) -> TableAccess:
    """Who looks at a table. A token that means nothing here shows no more than none. Raises ``Refusal``."""
    return identify_from(address_of(request), table, [token_of(request)])


def access_of(request: Request, table: Table) -> TableAccess:
    """Who wants to change a table, noted as present there. Raises ``Refusal``."""
    access = identify_from(address_of(request), table, [token_of(request)])
    touch(table, access)
    return access

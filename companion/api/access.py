"""Look up the table and the access rights of an API request."""

from __future__ import annotations

from django.http import HttpRequest
from rest_framework.request import Request

from companion.access.table_access import (
    TableAccess,
    find_rate_limited,
    identify_rate_limited,
    record_presence,
)
from companion.models import Table
from companion.web.phone import address_of

SCHEME = "seat"


def table_of(request: Request | HttpRequest, code: str) -> Table:
    """Return the table with this code. Raises `Refusal`."""
    return find_rate_limited(address_of(request), code, [token_of(request)])


def token_of(request: Request | HttpRequest) -> str:
    """Return the token of `Authorization: Seat <token>`; empty if there is none."""
    scheme, _space, token = request.headers.get("Authorization", "").strip().partition(" ")
    return token.strip() if scheme.lower() == SCHEME else ""


def reader_of(request: Request | HttpRequest, table: Table) -> TableAccess:
    """Return read access to a table; an unknown token grants no more than none. Raises `Refusal`."""
    return identify_rate_limited(address_of(request), table, [token_of(request)])


def access_of(request: Request, table: Table) -> TableAccess:
    """Return access for changing a table and record presence there. Raises `Refusal`."""
    access = identify_rate_limited(address_of(request), table, [token_of(request)])
    record_presence(table, access)
    return access

"""Circles: groups of people who play together, with shared statistics but no accounts.

The key in a circle's link is random and stored hashed. Its holder may read everything about the circle, add
tables they host, and renew the link, which invalidates the old one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from companion.access.rate_limits import WRONG_CODE
from companion.access.table_access import TableAccess, hash_of, new_token, refuse_unless_host
from companion.errors import Refusal
from companion.journal.result_sync import normalise_name
from companion.journal.versions import bump_version, with_latest
from companion.models import Circle, Member, Seat, Table
from companion.tables.seats import clean_name, erase_name

LONGEST_NAME = 40
MOST_NAMES = 200
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class OpenedCircle:
    """A new circle with its key, which is stored hashed and cannot be retrieved later."""

    circle: Circle
    key: str


def open_circle(*, name: str) -> OpenedCircle:
    """Create a circle. Raise `Refusal` if the name is invalid."""
    key = new_token()
    return OpenedCircle(
        Circle.objects.create(name=clean_name(name, LONGEST_NAME), key_hash=hash_of(key)), key
    )


def find_circle(address: str, key: str) -> Circle:
    """Return the circle with this key. Raise `Refusal` if there is none; wrong guesses are rate limited."""
    WRONG_CODE.refuse_if_exhausted(address)
    circle = Circle.objects.filter(key_hash=hash_of(key)).first() if _KEY.fullmatch(key) else None
    if circle is None:
        WRONG_CODE.take(address)
        raise Refusal("unknown", _("There is no circle at this link; it may have been renewed."))
    return circle


def rename_circle(*, circle: Circle, name: str) -> None:
    """Rename a circle. Raise `Refusal` if the name is invalid."""
    circle.name = clean_name(name, LONGEST_NAME)
    circle.save(update_fields=["name"])


def renew_link(*, circle: Circle) -> str:
    """Replace the key of a circle and return the new one."""
    key = new_token()
    circle.key_hash = hash_of(key)
    circle.save(update_fields=["key_hash"])
    return key


# Tables


def put_into_circle(*, table: Table, access: TableAccess, circle: Circle | None) -> None:
    """Assign a table to a circle, or to none. Host only. Raise `Refusal` if nothing would change."""
    refuse_unless_host(access)

    def attempt() -> None:
        if table.circle_id == (circle.pk if circle else None):
            raise Refusal("nothing", _("The game counts there already."))
        bump_version(table, circle=circle)

    with_latest(table, attempt)


# Names


def names_of(circle: Circle) -> list[str]:
    """Return up to 200 member names, offered to players who join a table of the circle."""
    return list(
        Member.objects.filter(circle=circle).order_by("normal").values_list("name", flat=True)[:MOST_NAMES]
    )


def forget_member(*, circle: Circle, member: int) -> None:
    """Erase a name for good from a circle and all its tables. Raise `Refusal` if there is no such member."""
    row = Member.objects.filter(circle=circle, pk=member).first()
    if row is None:
        raise Refusal("unknown", _("There is nobody like that in this circle."))
    seats = Seat.objects.filter(table__circle=circle).exclude(name="").values_list("table", "name")
    tables = {table for table, name in seats if normalise_name(name) == row.normal}
    for table in Table.objects.filter(pk__in=tables).order_by("pk"):
        with_latest(table, partial(_erase, table, row.normal))


def _erase(table: Table, name: str) -> None:
    seats = [seat for seat in table.seats.all() if seat.name and normalise_name(seat.name) == name]
    if seats:
        bump_version(table)
    for seat in seats:
        erase_name(table, seat)

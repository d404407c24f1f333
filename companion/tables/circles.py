"""Circles: people who play together, and what is remembered of them. No accounts.

The key in a circle's link is random and stored hashed; whoever has it may read everything about the
circle, put a table they host into it, and renew it, after which older links lead nowhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial

from django.utils.translation import gettext as _

from companion.access.rate_limits import WRONG_CODE
from companion.access.table_access import TableAccess, hash_of, new_token, refuse_unless_host
from companion.errors import Refusal
from companion.journal.result_sync import normal
from companion.journal.versions import bump_version, with_latest
from companion.models import Circle, Member, Seat, Table
from companion.tables.seats import clean_name, forget_row

LONGEST_NAME = 40
MOST_NAMES = 200
_KEY = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class OpenedCircle:
    """A circle and its key, which is told only now."""

    circle: Circle
    key: str


def open_circle(*, name: str) -> OpenedCircle:
    """A new circle. Raises ``Refusal``."""
    key = new_token()
    return OpenedCircle(
        Circle.objects.create(name=clean_name(name, LONGEST_NAME), key_hash=hash_of(key)), key
    )


def find_circle(address: str, key: str) -> Circle:
    """The circle of a link, for somebody who may not guess links for ever. Raises ``Refusal``."""
    WRONG_CODE.refuse_if_used_up(address)
    circle = Circle.objects.filter(key_hash=hash_of(key)).first() if _KEY.fullmatch(key) else None
    if circle is None:
        WRONG_CODE.take(address)
        raise Refusal("unknown", _("There is no circle at this link; it may have been renewed."))
    return circle


def rename_circle(*, circle: Circle, name: str) -> None:
    """Another name. Raises ``Refusal``."""
    circle.name = clean_name(name, LONGEST_NAME)
    circle.save(update_fields=["name"])


def renew_link(*, circle: Circle) -> str:
    """A new key; the old one leads nowhere any more."""
    key = new_token()
    circle.key_hash = hash_of(key)
    circle.save(update_fields=["key_hash"])
    return key


# Tables


def put_into_circle(*, table: Table, access: TableAccess, circle: Circle | None) -> None:
    """The game of a table is a circle's, or nobody's (None). Host only. Raises ``Refusal``."""
    refuse_unless_host(access)

    def attempt() -> None:
        if table.circle_id == (circle.pk if circle else None):
            raise Refusal("nothing", _("The game counts there already."))
        bump_version(table, circle=circle)

    with_latest(table, attempt)


# Names


def names_of(circle: Circle) -> list[str]:
    """The names that are remembered, for whoever sits down at one of the circle's tables."""
    return list(
        Member.objects.filter(circle=circle).order_by("normal").values_list("name", flat=True)[:MOST_NAMES]
    )


def forget_member(*, circle: Circle, member: int) -> None:
    """Remove a name for good: from the circle, and from every table of it. Raises ``Refusal``."""
    row = Member.objects.filter(circle=circle, pk=member).first()
    if row is None:
        raise Refusal("unknown", _("There is nobody like that in this circle."))
    seats = Seat.objects.filter(table__circle=circle).exclude(name="").values_list("table", "name")
    tables = {table for table, name in seats if normal(name) == row.normal}
    for table in Table.objects.filter(pk__in=tables).order_by("pk"):
        with_latest(table, partial(_forget, table, row.normal))


def _forget(table: Table, name: str) -> None:
    seats = [seat for seat in table.seats.all() if seat.name and normal(seat.name) == name]
    if seats:
        bump_version(table)
    for seat in seats:
        forget_row(table, seat)

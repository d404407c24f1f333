"""Authentication by tokens, and the access they give to a table. There are no accounts.

A token is random, stored hashed, and belongs to a seat or to the host. A phone keeps all
its tokens in one cookie; a program sends one in the ``Authorization`` header.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import OperationalError, connection
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.access.rate_limits import WRONG_CODE, WRONG_TOKEN
from companion.cache import LruCache, register
from companion.errors import Refusal, unknown_table
from companion.models import Seat, Table

# Minimum time between two updates of `seen_at`; a seat counts as present for longer than two heartbeats.
SEEN_EVERY = timedelta(seconds=50)
SHORT_TIMEOUT = "PRAGMA busy_timeout = 100"  # milliseconds
USUAL_TIMEOUT = "PRAGMA busy_timeout = 20000"  # as in companion/settings.py
_CODE = re.compile(r"[0-9A-Za-z]{1,6}")


def new_token() -> str:
    return secrets.token_urlsafe(24)


def hash_of(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class TableAccess:
    """The seats and the host role that the tokens of a request give access to; without either, a spectator.

    A snapshot taken when the request arrives: a phone that loses its seat meanwhile may still be served.
    """

    seats: tuple[Seat, ...] = ()
    is_host: bool = False
    is_stranger: bool = False  # sent tokens, but none of this table

    @property
    def factions(self) -> tuple[str, ...]:
        return tuple(seat.faction for seat in self.seats)

    @property
    def is_seated(self) -> bool:
        return bool(self.seats)

    def seat_for(self, faction: str) -> Seat | None:
        return next((seat for seat in self.seats if seat.faction == faction), None)


SPECTATOR = TableAccess()

CACHED_VERSIONS = 400
_seats: LruCache[tuple[Seat, ...]] = register(LruCache("seats", CACHED_VERSIONS))


def seats_of(table: Table) -> tuple[Seat, ...]:
    """Return the seats of a table, clockwise; cached per version, since each change of a seat bumps it."""
    return _seats.get_or_compute((table.code, table.version), lambda: _read_seats(table))


def _read_seats(table: Table) -> tuple[Seat, ...]:
    return tuple(Seat.objects.filter(table=table).order_by("number"))


def find(code: str) -> Table:
    """Return the table with a code, ignoring case. Raises ``Refusal`` if there is none."""
    try:
        return _with_code(code).get()
    except Table.DoesNotExist:
        raise unknown_table() from None


def _with_code(code: str) -> QuerySet[Table]:
    return Table.objects.filter(code=code.upper()) if _CODE.fullmatch(code) else Table.objects.none()


def find_rate_limited(address: str, code: str, tokens: Iterable[str] = ()) -> Table:
    """Return the table with a code; wrong codes are rate-limited per address. Raises ``Refusal``.

    Holders of a seat are never limited, whatever others behind the same address do. For everybody else a
    used-up limit refuses right and wrong codes alike, after the same queries, so that neither the answer nor
    its timing tells a guesser which codes exist.
    """
    table = _own_table(code, _hashes(tokens))
    if table:
        return table
    WRONG_CODE.refuse_if_exhausted(address)
    try:
        return find(code)
    except Refusal:
        WRONG_CODE.take(address)
        raise


def _own_table(code: str, hashes: Sequence[str]) -> Table | None:
    """Return the table with a code if one of the tokens belongs to it."""
    if not hashes:
        return None
    is_own = Q(host_hash__in=hashes) | Q(seats__token_hash__in=hashes)
    # The join finds a table once per seat. Unlike first(), a slice adds no ORDER BY to this hot query.
    return next(iter(_with_code(code).filter(is_own)[:1]), None)


def _hashes(tokens: Iterable[str]) -> list[str]:
    return [hash_of(token) for token in tokens if token]


def identify(table: Table, tokens: Iterable[str]) -> TableAccess:
    """Return the access that these tokens give to a table."""
    hashes = _hashes(tokens)
    if not hashes:
        return TableAccess()
    seats = tuple(seat for seat in seats_of(table) if seat.token_hash in hashes)
    is_host = table.host_hash in hashes
    return TableAccess(seats, is_host=is_host, is_stranger=not seats and not is_host)


def identify_rate_limited(address: str, table: Table, tokens: Iterable[str]) -> TableAccess:
    """Like ``identify``, but wrong tokens are rate-limited per address. Raises ``Refusal``.

    A right token is accepted even if the limit is used up: it was not guessed.
    """
    access = identify(table, tokens)
    if access.is_stranger:
        WRONG_TOKEN.refuse_if_exhausted(address)  # so that a flood of requests does not write to the database
        WRONG_TOKEN.take(address)
    return access


def record_presence(table: Table, access: TableAccess) -> None:
    """Update ``seen_at`` of these seats, or of the host, without a new version of the table.

    Database errors are ignored: reading works even where nothing can be written.
    """
    now = timezone.now()
    is_host = access.is_host and abs(now - table.host_seen_at) > SEEN_EVERY
    seats = [seat for seat in access.seats if abs(now - seat.seen_at) > SEEN_EVERY]
    if is_host or seats:
        with contextlib.suppress(OperationalError), _short_timeout():
            _update_seen_at(table, seats, is_host=is_host)


def _update_seen_at(table: Table, seats: Iterable[Seat], *, is_host: bool) -> None:
    now = timezone.now()
    # An event stream lives long: the token may have been replaced since it was looked up.
    if is_host:
        Table.objects.filter(pk=table.pk, host_hash=table.host_hash).update(host_seen_at=now)
        table.host_seen_at = now
    for seat in seats:
        Seat.objects.filter(pk=seat.pk, token_hash=seat.token_hash).update(seen_at=now)
        seat.seen_at = now


@contextlib.contextmanager
def _short_timeout() -> Iterator[None]:
    """Use a short busy timeout, so that a long writer never delays a reader that only records ``seen_at``."""
    if connection.vendor != "sqlite":
        yield
        return
    connection.ensure_connection()
    sqlite = connection.connection
    sqlite.execute(SHORT_TIMEOUT)
    try:
        yield
    finally:
        sqlite.execute(USUAL_TIMEOUT)


def refuse_stranger(access: TableAccess) -> None:
    """Raise ``Refusal`` unless a token of this table was sent."""
    if access.is_stranger:
        raise Refusal("foreign-token", _("This seat belongs to another table."))
    if not access.seats and not access.is_host:
        raise Refusal("no-token", _("Take a seat first."))


def refuse_unless_host(access: TableAccess) -> None:
    refuse_stranger(access)
    if not access.is_host:
        raise Refusal("foreign-token", _("Only the host may do this."))


def refuse_if_lost(seat: Seat) -> None:
    """Raise ``Refusal`` if the seat's token has changed since the request. The table must be locked."""
    if not Seat.objects.filter(pk=seat.pk, token_hash=seat.token_hash).exists():
        raise Refusal("foreign-token", _("This seat is not yours."))


def refuse_unless_for(access: TableAccess, faction: str) -> None:
    """Raise ``Refusal`` unless this access may act for a faction: a seat for its own, the host for all."""
    refuse_stranger(access)
    if not access.is_host and faction not in access.factions:
        raise Refusal("foreign-token", _("This seat is not yours."))

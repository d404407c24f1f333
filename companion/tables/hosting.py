"""Actions of the host, and changes of host."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.access.table_access import TableAccess, hash_of, new_token, refuse_stranger, refuse_unless_host
from companion.errors import Refusal
from companion.journal import breaks, mirror
from companion.journal.result_sync import withdraw_result
from companion.journal.states import State, game_of, state_at
from companion.journal.versions import add_notice, bump_version, with_latest
from companion.models import Seat, Status, Table
from games.core.game import AnyGame

HOST_GONE_AFTER = timedelta(minutes=2)
HOST_TICKET = "host"  # URL query parameter
_TICKETS = signing.TimestampSigner(salt="host")
_TICKET_MAX_AGE = timedelta(hours=12)


def set_locked(*, table: Table, access: TableAccess, locked: bool) -> None:
    """Lock or unlock a table; nobody can join a locked one."""
    refuse_unless_host(access)
    with_latest(table, lambda: bump_version(table, locked=locked))


def hand_over(*, table: Table, access: TableAccess, seat: Seat) -> None:
    """Make the holder of another seat the host."""
    refuse_unless_host(access)
    with_latest(table, lambda: _make_host(table, seat, "host-handed-over"))


def take_over(*, table: Table, access: TableAccess, seat: Seat) -> None:
    """Make a seated player the host. Raise `Refusal` unless the host has been absent for 2 minutes."""
    refuse_stranger(access)
    if all(mine.pk != seat.pk for mine in access.seats):
        raise Refusal("foreign-token", _("This seat is not yours."))

    def attempt() -> None:
        if not is_host_gone(table):
            raise Refusal("illegal", _("The host is still there."))
        _make_host(table, seat, "host-taken-over")

    with_latest(table, attempt)


def is_host_gone(table: Table) -> bool:
    """Return True if the host was last seen more than 2 minutes ago.

    A time in the future (the clock was set back) counts as well: a present host is soon seen again.
    """
    return abs(timezone.now() - table.host_seen_at) > HOST_GONE_AFTER


def _make_host(table: Table, seat: Seat, code: str) -> None:
    row = table.seats.filter(pk=seat.pk).exclude(token_hash="").first()
    if row is None:
        raise Refusal("unknown", _("Nobody sits there."))
    bump_version(table, host_hash=row.token_hash, host=row, host_seen_at=timezone.now())
    add_notice(table, code, name=row.name)


# Moving to another phone


def ticket_for_host(table: Table) -> str:
    """Return a single-use ticket for the host role. Show it to the host or the operator only."""
    return _TICKETS.sign(f"{table.pk}.{table.host_hash[:16]}")


def redeem_host(*, table: Table, ticket: str) -> str:
    """Move the host role by its ticket and return the new token. Raise `Refusal` if the ticket is invalid."""
    gone = Refusal("gone", _("This link is used up or too old. Ask for a new one."))
    try:
        signed = _TICKETS.unsign(ticket, max_age=_TICKET_MAX_AGE)
    except signing.BadSignature:
        raise gone from None

    def attempt() -> str:
        if signed != f"{table.pk}.{table.host_hash[:16]}":
            raise gone
        token = new_token()
        bump_version(table, host_hash=hash_of(token), host_seen_at=timezone.now())
        return token

    return with_latest(table, attempt)


# Ending a game early


def finish(*, table: Table, access: TableAccess) -> None:
    """End a game early; the leaders win."""
    refuse_unless_host(access)

    def attempt() -> None:
        _refuse_unless_playing(table)
        winners = leaders(game_of(table), state_at(table, table.head))
        _close(table, Status.FINISHED, "finished-early", winners=winners)

    with_latest(table, attempt)


def leaders(game: AnyGame, state: State) -> list[str]:
    """Return the factions with the most points."""
    standings = game.standings(state)
    most = max(standing.points for standing in standings)
    return [standing.faction for standing in standings if standing.points == most]


def abandon(*, table: Table, access: TableAccess) -> None:
    """End a game without a winner."""
    refuse_unless_host(access)

    def attempt() -> None:
        if table.status not in (Status.OPEN, Status.PLAYING):
            raise Refusal("illegal", _("This game has ended already."))
        _close(table, Status.ABANDONED, "abandoned", winners=[])

    with_latest(table, attempt)


def _refuse_unless_playing(table: Table) -> None:
    if table.status != Status.PLAYING:
        raise Refusal("illegal", _("No game is being played at this table."))


def _close(table: Table, status: Status, code: str, **columns: Any) -> None:
    bump_version(table, status=status, ended_by_host=True, ended_at=timezone.now(), waiting_for=[], **columns)
    breaks.end_current(table)
    add_notice(table, code)


def reopen(*, table: Table, access: TableAccess) -> None:
    """Resume a game that the host ended."""
    refuse_unless_host(access)

    def attempt() -> None:
        if not table.ended_by_host:
            raise Refusal("illegal", _("This game was not ended by hand."))
        columns: dict[str, Any] = {"status": Status.OPEN}
        if table.setup is not None:
            columns = mirror.derived_columns(game_of(table), state_at(table, table.head))
        bump_version(table, ended_by_host=False, ended_at=None, **columns)
        add_notice(table, "reopened")

    with_latest(table, attempt)


def delete(*, table: Table, access: TableAccess) -> None:
    """Delete a table and everything that belongs to it."""
    refuse_unless_host(access)

    def attempt() -> None:
        bump_version(table)
        withdraw_result(table)
        table.delete()

    with_latest(table, attempt)

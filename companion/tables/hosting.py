"""What only the host does, and who is the host."""

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
from companion.journal.versions import bump_version, notice, with_latest
from companion.models import Seat, Status, Table
from games.core.game import AnyGame

HOST_GONE_AFTER = timedelta(minutes=2)
HOST_TICKET = "host"  # its name in an address
_TICKETS = signing.TimestampSigner(salt="host")
_EVENING = timedelta(hours=12)


def set_locked(*, table: Table, access: TableAccess, locked: bool) -> None:
    """Whether anybody may still join."""
    refuse_unless_host(access)
    with_latest(table, lambda: bump_version(table, locked=locked))


def hand_over(*, table: Table, access: TableAccess, seat: Seat) -> None:
    """Make the phone of a seat the host's."""
    refuse_unless_host(access)
    with_latest(table, lambda: _make_host(table, seat, "host-handed-over"))


def take_over(*, table: Table, access: TableAccess, seat: Seat) -> None:
    """A seated player becomes host when the host has been gone for a while."""
    refuse_stranger(access)
    if all(mine.pk != seat.pk for mine in access.seats):
        raise Refusal("foreign-token", _("This seat is not yours."))

    def attempt() -> None:
        if not is_host_gone(table):
            raise Refusal("illegal", _("The host is still there."))
        _make_host(table, seat, "host-taken-over")

    with_latest(table, attempt)


def is_host_gone(table: Table) -> bool:
    """Who was last seen in the future was seen before the clock was set back; a host who is there is seen again."""
    return abs(timezone.now() - table.host_seen_at) > HOST_GONE_AFTER


def _make_host(table: Table, seat: Seat, code: str) -> None:
    row = table.seats.filter(pk=seat.pk).exclude(token_hash="").first()
    if row is None:
        raise Refusal("unknown", _("Nobody sits there."))
    bump_version(table, host_hash=row.token_hash, host=row, host_seen_at=timezone.now())
    notice(table, code, name=row.name)


# Another phone


def ticket_for_host(table: Table) -> str:
    """What makes the phone that shows it the host's, once. To be shown to the host, or to who has the laptop."""
    return _TICKETS.sign(f"{table.pk}.{table.host_hash[:16]}")


def redeem_host(*, table: Table, ticket: str) -> str:
    """Move being host to the phone that shows its ticket; the token it keeps. Raises ``Refusal``."""
    gone = Refusal("gone", _("This link is used up or too old. Ask for a new one."))
    try:
        signed = _TICKETS.unsign(ticket, max_age=_EVENING)
    except signing.BadSignature:
        raise gone from None

    def attempt() -> str:
        if signed != f"{table.pk}.{table.host_hash[:16]}":
            raise gone
        token = new_token()
        bump_version(table, host_hash=hash_of(token), host_seen_at=timezone.now())
        return token

    return with_latest(table, attempt)


# Ending by hand


def finish(*, table: Table, access: TableAccess) -> None:
    """End a game early: it counts as it stands now."""
    refuse_unless_host(access)

    def attempt() -> None:
        _refuse_unless_playing(table)
        winners = leaders(game_of(table), state_at(table, table.head))
        _close(table, Status.FINISHED, "finished-early", winners=winners)

    with_latest(table, attempt)


def leaders(game: AnyGame, state: State) -> list[str]:
    """Who has most points in a state."""
    standings = game.standings(state)
    most = max(standing.points for standing in standings)
    return [standing.faction for standing in standings if standing.points == most]


def abandon(*, table: Table, access: TableAccess) -> None:
    """Give a game up: nobody has won."""
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
    breaks.end_with(table)
    notice(table, code)


def reopen(*, table: Table, access: TableAccess) -> None:
    """Go on with a game that was ended by hand."""
    refuse_unless_host(access)

    def attempt() -> None:
        if not table.ended_by_host:
            raise Refusal("illegal", _("This game was not ended by hand."))
        columns: dict[str, Any] = {"status": Status.OPEN}
        if table.setup is not None:
            columns = mirror.derived_columns(game_of(table), state_at(table, table.head))
        bump_version(table, ended_by_host=False, ended_at=None, **columns)
        notice(table, "reopened")

    with_latest(table, attempt)


def delete(*, table: Table, access: TableAccess) -> None:
    """Remove a table and everything about it."""
    refuse_unless_host(access)

    def attempt() -> None:
        bump_version(table)
        withdraw_result(table)
        table.delete()

    with_latest(table, attempt)

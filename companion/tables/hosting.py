"""What only the host does, and who is the host."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext as _

from companion import mirror
from companion.errors import Refusal
from companion.models import Seat, Status, Table
from companion.states import State, game_of, state_at
from companion.tables import breaks
from companion.tables.changes import change, notice, on_newest
from companion.tables.holders import Holder, hash_of, new_token, refuse_stranger, refuse_unless_host
from companion.tables.results import withdraw_result
from games.core.game import AnyGame

HOST_GONE_AFTER = timedelta(minutes=2)
HOST_TICKET = "host"  # its name in an address
_TICKETS = signing.TimestampSigner(salt="host")
_EVENING = timedelta(hours=12)


def set_locked(*, table: Table, holder: Holder, locked: bool) -> None:
    """Whether anybody may still join."""
    refuse_unless_host(holder)
    on_newest(table, lambda: change(table, locked=locked))


def hand_over(*, table: Table, holder: Holder, seat: Seat) -> None:
    """Make the phone of a seat the host's."""
    refuse_unless_host(holder)
    on_newest(table, lambda: _make_host(table, seat, "host-handed-over"))


def take_over(*, table: Table, holder: Holder, seat: Seat) -> None:
    """A seated player becomes host when the host has been gone for a while."""
    refuse_stranger(holder)
    if all(mine.pk != seat.pk for mine in holder.seats):
        raise Refusal("foreign-token", _("This seat is not yours."))

    def attempt() -> None:
        if not is_host_gone(table):
            raise Refusal("illegal", _("The host is still there."))
        _make_host(table, seat, "host-taken-over")

    on_newest(table, attempt)


def is_host_gone(table: Table) -> bool:
    """Who was last seen in the future was seen before the clock was set back; a host who is there is seen again."""
    return abs(timezone.now() - table.host_seen_at) > HOST_GONE_AFTER


def _make_host(table: Table, seat: Seat, code: str) -> None:
    row = table.seats.filter(pk=seat.pk).exclude(token_hash="").first()
    if row is None:
        raise Refusal("unknown", _("Nobody sits there."))
    change(table, host_hash=row.token_hash, host=row, host_seen_at=timezone.now())
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
        change(table, host_hash=hash_of(token), host_seen_at=timezone.now())
        return token

    return on_newest(table, attempt)


# Ending by hand


def finish(*, table: Table, holder: Holder) -> None:
    """End a game early: it counts as it stands now."""
    refuse_unless_host(holder)

    def attempt() -> None:
        _refuse_unless_playing(table)
        winners = leaders(game_of(table), state_at(table, table.tip))
        _close(table, Status.FINISHED, "finished-early", winners=winners)

    on_newest(table, attempt)


def leaders(game: AnyGame, state: State) -> list[str]:
    """Who has most points in a state."""
    standings = game.standings(state)
    most = max(standing.points for standing in standings)
    return [standing.faction for standing in standings if standing.points == most]


def abandon(*, table: Table, holder: Holder) -> None:
    """Give a game up: nobody has won."""
    refuse_unless_host(holder)

    def attempt() -> None:
        if table.status not in (Status.OPEN, Status.PLAYING):
            raise Refusal("illegal", _("This game has ended already."))
        _close(table, Status.ABANDONED, "abandoned", winners=[])

    on_newest(table, attempt)


def _refuse_unless_playing(table: Table) -> None:
    if table.status != Status.PLAYING:
        raise Refusal("illegal", _("No game is being played at this table."))


def _close(table: Table, status: Status, code: str, **columns: Any) -> None:
    change(table, status=status, closed=True, ended_at=timezone.now(), waiting_for=[], **columns)
    breaks.end_with(table)
    notice(table, code)


def reopen(*, table: Table, holder: Holder) -> None:
    """Go on with a game that was ended by hand."""
    refuse_unless_host(holder)

    def attempt() -> None:
        if not table.closed:
            raise Refusal("illegal", _("This game was not ended by hand."))
        columns: dict[str, Any] = {"status": Status.OPEN}
        if table.setup is not None:
            columns = mirror.where_it_stands(game_of(table), state_at(table, table.tip))
        change(table, closed=False, ended_at=None, **columns)
        notice(table, "reopened")

    on_newest(table, attempt)


def delete(*, table: Table, holder: Holder) -> None:
    """Remove a table and everything about it."""
    refuse_unless_host(holder)

    def attempt() -> None:
        change(table)
        withdraw_result(table)
        table.delete()

    on_newest(table, attempt)

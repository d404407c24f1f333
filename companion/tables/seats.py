"""Seats: taking one, giving one up, moving one to another phone, forgetting who sat there."""

from __future__ import annotations

import unicodedata

from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.access.table_access import TableAccess, hash_of, new_token, refuse_stranger
from companion.errors import Refusal
from companion.journal.states import game_of
from companion.journal.validation import validate_json
from companion.journal.versions import bump_version, notice, with_latest
from companion.models import Notice, Seat, Status, Table
from companion.wording import name as name_in
from companion.wording import render

LONGEST_NAME = 20
TICKET_SECONDS = 300
OWN, BY_HOST = "own", "host"  # who made a ticket: the seat's own phone, or the host for it
NAMES_TOLD = ("name", "old", "new")  # the params of a notice that are people's names; empty: forgotten
_TICKETS = signing.TimestampSigner(salt="seat")


def clean_name(name: str, most: int = LONGEST_NAME) -> str:
    """A name as it is kept: composed, without control or direction characters. Raises ``Refusal``."""
    if not isinstance(name, str):
        raise Refusal("bad-input", _("Please enter a name."))
    composed = unicodedata.normalize("NFC", name)
    shown = "".join(c for c in composed if not unicodedata.category(c).startswith("C"))
    shown = " ".join(shown.split())
    if not shown:
        raise Refusal("bad-input", _("Please enter a name."))
    if len(shown) > most:
        raise Refusal("bad-input", _("A name has at most %(most)d characters.") % {"most": most})
    return shown


def refuse_faction(table: Table, faction: str, *, but: Seat | None = None) -> None:
    """A faction of the game that nobody has; empty leaves it to chance."""
    validate_json(faction)
    if faction == "":
        return
    game = game_of(table)
    if faction in game.nobodys:
        raise Refusal("bad-input", render(game, game.nobodys[faction]), game.start_rule)
    if faction not in game.factions:
        raise Refusal(
            "bad-input", _("There is no faction “%(faction)s” in this game.") % {"faction": str(faction)[:40]}
        )
    others = table.seats.filter(faction=faction)
    seat = (others.exclude(pk=but.pk) if but else others).first()
    if seat:
        raise Refusal("taken", _taken(table, seat))


def _taken(table: Table, seat: Seat) -> str:
    if not seat.name:  # it was forgotten
        return _("Somebody has taken this already.")
    told = {"faction": name_in(game_of(table), "faction", seat.faction), "name": seat.name}
    return _("%(faction)s: already taken by %(name)s.") % told


def take_seat(*, table: Table, name: str, faction: str) -> tuple[Seat, str]:
    """A new seat, or one that was freed. Gives the seat and its token. Raises ``Refusal``."""
    validate_json(faction)
    return with_latest(table, lambda: _take(table, clean_name(name), faction))


def _take(table: Table, name: str, faction: str) -> tuple[Seat, str]:
    if table.locked:
        raise Refusal("locked", _("The host has locked this table."))
    token = new_token()
    free = table.seats.filter(token_hash="", faction=faction).exclude(faction="").first()
    if free:
        bump_version(table)
        notice(table, "seat-taken", old=free.name, new=name)
        free.name = name
        _take_over(table, free, token)
        return free, token
    refuse_faction(table, faction)
    if table.status != Status.OPEN:
        raise Refusal("started", _("The game has begun already; only a freed seat can be taken."))
    seats = list(table.seats.all())
    if len(seats) >= len(game_of(table).factions):
        raise Refusal("taken", _("All seats are taken."))
    bump_version(table)
    number = max((seat.number for seat in seats), default=0) + 1
    seat = Seat.objects.create(
        table=table, number=number, name=name, faction=faction, token_hash=hash_of(token)
    )
    return seat, token


def _give(seat: Seat, token: str) -> None:
    """Let a seat belong to the phone with this token, and to no other."""
    seat.token_hash, seat.seen_at = hash_of(token), timezone.now()
    seat.save(update_fields=["name", "token_hash", "seen_at", "taken_over_after"])


def _take_over(table: Table, seat: Seat, token: str) -> None:
    """Give a seat to another phone without the consent of the old one: what was hidden so far stays hidden."""
    seat.taken_over_after = table.latest
    _give(seat, token)


def change_seat(*, table: Table, access: TableAccess, seat: Seat, name: str, faction: str) -> None:
    """Another name at any time, another faction before the game begins."""
    _refuse_unless_mine(access, seat)

    def attempt() -> None:
        row = _row(table, seat.pk)
        kept_name = row.name if name == row.name else clean_name(name)
        if faction != row.faction:
            if table.status != Status.OPEN:
                raise Refusal("started", _("The game has begun already."))
            refuse_faction(table, faction, but=row)
        bump_version(table)
        row.name, row.faction = kept_name, faction
        row.save(update_fields=["name", "faction"])

    with_latest(table, attempt)


def free_seat(*, table: Table, access: TableAccess, seat: Seat) -> None:
    """Give up a seat: before the game it goes, during the game somebody else may take it."""
    _refuse_unless_mine(access, seat)

    def attempt() -> None:
        row = _row(table, seat.pk)
        # Whoever is host stays so, without the seat; whoever sits there next is not.
        bump_version(table, **({"host": None} if table.host_id == row.pk else {}))
        if table.setup is None:
            row.delete()
            return
        row.token_hash = ""
        row.save(update_fields=["token_hash"])
        notice(table, "seat-freed", name=row.name)

    with_latest(table, attempt)


# Names


def shown_name(seat: Seat) -> str:
    """What a seat is called: the person's name, or the faction's once that was forgotten."""
    if seat.name:
        return seat.name
    return name_in(game_of(seat.table), "faction", seat.faction) if seat.faction else _("Somebody")


def forget_name(*, table: Table, access: TableAccess, seat: Seat) -> None:
    """Remove a person's name from a table for good: from the seat, and wherever something was told of it."""
    _refuse_unless_mine(access, seat)

    def attempt() -> None:
        row = _row(table, seat.pk)
        if not row.name:
            raise Refusal("nothing", _("This name is forgotten already."))
        bump_version(table)
        forget_row(table, row)

    with_latest(table, attempt)


def forget_row(table: Table, row: Seat) -> None:
    """Remove the name of a seat, and what was told of it. To be called where the table changes."""
    for told in table.notices.all():
        _forget_in(told, row.name)
    row.name = ""
    row.save(update_fields=["name"])


def _forget_in(told: Notice, name: str) -> None:
    params = {k: "" if k in NAMES_TOLD and value == name else value for k, value in told.params.items()}
    if params != told.params:
        told.params = params
        told.save(update_fields=["params"])


# Another phone


def ticket_for(*, access: TableAccess, seat: Seat) -> str:
    """Return the signed ticket of a QR code that moves a seat to the phone that scans it, valid for minutes.

    It says whether the seat's own phone made it: if the host did, the seat is taken over.
    """
    _refuse_unless_mine(access, seat)
    maker = OWN if _holds(access, seat) else BY_HOST
    return _TICKETS.sign(f"{seat.pk}.{seat.token_hash[:16]}.{maker}")


def seat_of(table: Table, ticket: str) -> Seat | None:
    """Whose seat a ticket moves; None if it moves none any more."""
    return _read_ticket(table, ticket)[0]


def _read_ticket(table: Table, ticket: str) -> tuple[Seat | None, str]:
    """Return the seat a ticket moves, None if it moves none any more, and who made the ticket."""
    try:
        pk, mark, maker = _TICKETS.unsign(ticket, max_age=TICKET_SECONDS).split(".")
    except (signing.BadSignature, ValueError):
        return None, ""
    seat = table.seats.filter(pk=pk).first()
    return (seat if seat and seat.token_hash[:16] == mark else None), maker


def redeem(*, table: Table, ticket: str) -> tuple[Seat, str]:
    """Move a seat to the phone that shows its ticket; the old phone loses it. Raises ``Refusal``."""
    return with_latest(table, lambda: _redeem(table, ticket))


def _redeem(table: Table, ticket: str) -> tuple[Seat, str]:
    seat, maker = _read_ticket(table, ticket)
    if seat is None:
        raise Refusal("gone", _("This link is used up or too old. Ask for a new one."))
    token = new_token()
    is_host = bool(seat.token_hash) and seat.token_hash == table.host_hash
    bump_version(table, **({"host_hash": hash_of(token)} if is_host else {}))
    if maker == OWN:
        notice(table, "seat-moved", name=seat.name)
        _give(seat, token)
    else:
        notice(table, "seat-taken-over", name=seat.name)
        _take_over(table, seat, token)
    return seat, token


def _refuse_unless_mine(access: TableAccess, seat: Seat) -> None:
    refuse_stranger(access)
    if not access.is_host and not _holds(access, seat):
        raise Refusal("foreign-token", _("This seat is not yours."))


def _holds(access: TableAccess, seat: Seat) -> bool:
    return any(mine.pk == seat.pk for mine in access.seats)


def _row(table: Table, pk: int) -> Seat:
    seat = table.seats.filter(pk=pk).first()
    if seat is None:
        raise Refusal("unknown", _("There is no such seat."))
    return seat

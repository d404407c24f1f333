"""Seats: taking, changing, freeing, moving to another phone, erasing names."""

from __future__ import annotations

import unicodedata

from django.core import signing
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.access.table_access import TableAccess, hash_of, new_token, refuse_stranger
from companion.errors import Refusal
from companion.journal.states import game_of
from companion.journal.validation import validate_json
from companion.journal.versions import add_notice, bump_version, with_latest
from companion.models import Notice, Seat, Status, Table
from companion.wording import name as name_in
from companion.wording import render

LONGEST_NAME = 20
TICKET_SECONDS = 300
OWN, BY_HOST = "own", "host"  # maker of a ticket: the phone that holds the seat, or the host
NAME_PARAMS = ("name", "old", "new")  # parameters of a notice that are people's names; empty: erased
_TICKETS = signing.TimestampSigner(salt="seat")


def clean_name(name: str, most: int = LONGEST_NAME) -> str:
    """Return a name in NFC without control characters. Raise `Refusal` if it is empty or too long."""
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


def refuse_faction(table: Table, faction: str, *, own: Seat | None = None) -> None:
    """Raise `Refusal` unless a faction is free, or held by the seat `own`; empty means drawn at the start."""
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
    seat = (others.exclude(pk=own.pk) if own else others).first()
    if seat:
        raise Refusal("taken", _taken_message(table, seat))


def _taken_message(table: Table, seat: Seat) -> str:
    if not seat.name:  # erased
        return _("Somebody has taken this already.")
    params = {"faction": name_in(game_of(table), "faction", seat.faction), "name": seat.name}
    return _("%(faction)s: already taken by %(name)s.") % params


def take_seat(*, table: Table, name: str, faction: str) -> tuple[Seat, str]:
    """Take a new or a freed seat. Return the seat and its token. Raise `Refusal` if that is not possible."""
    validate_json(faction)
    return with_latest(table, lambda: _take(table, clean_name(name), faction))


def _take(table: Table, name: str, faction: str) -> tuple[Seat, str]:
    if table.locked:
        raise Refusal("locked", _("The host has locked this table."))
    token = new_token()
    free = table.seats.filter(token_hash="", faction=faction).exclude(faction="").first()
    if free:
        bump_version(table)
        add_notice(table, "seat-taken", old=free.name, new=name)
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


def _assign(seat: Seat, token: str) -> None:
    """Save a seat with a new token; the previous one becomes invalid."""
    seat.token_hash, seat.seen_at = hash_of(token), timezone.now()
    seat.save(update_fields=["name", "token_hash", "seen_at", "taken_over_after"])


def _take_over(table: Table, seat: Seat, token: str) -> None:
    """Assign a seat without the consent of its holder: entries hidden so far stay hidden from the new one."""
    seat.taken_over_after = table.latest
    _assign(seat, token)


def change_seat(*, table: Table, access: TableAccess, seat: Seat, name: str, faction: str) -> None:
    """Change the name of a seat at any time, its faction before the start of the game."""
    _refuse_unless_mine(access, seat)

    def attempt() -> None:
        row = _row(table, seat.pk)
        new_name = row.name if name == row.name else clean_name(name)
        if faction != row.faction:
            if table.status != Status.OPEN:
                raise Refusal("started", _("The game has begun already."))
            refuse_faction(table, faction, own=row)
        bump_version(table)
        row.name, row.faction = new_name, faction
        row.save(update_fields=["name", "faction"])

    with_latest(table, attempt)


def free_seat(*, table: Table, access: TableAccess, seat: Seat) -> None:
    """Free a seat: before the start it is deleted, afterwards somebody else may take it."""
    _refuse_unless_mine(access, seat)

    def attempt() -> None:
        row = _row(table, seat.pk)
        # The host keeps hosting without the seat; its next holder must not become host.
        bump_version(table, **({"host": None} if table.host_id == row.pk else {}))
        if table.setup is None:
            row.delete()
            return
        row.token_hash = ""
        row.save(update_fields=["token_hash"])
        add_notice(table, "seat-freed", name=row.name)

    with_latest(table, attempt)


# Names


def shown_name(seat: Seat) -> str:
    """Return the name of the player, or of the faction if the name was erased."""
    if seat.name:
        return seat.name
    return name_in(game_of(seat.table), "faction", seat.faction) if seat.faction else _("Somebody")


def forget_name(*, table: Table, access: TableAccess, seat: Seat) -> None:
    """Erase a player's name from a table for good: from the seat and from all notices."""
    _refuse_unless_mine(access, seat)

    def attempt() -> None:
        row = _row(table, seat.pk)
        if not row.name:
            raise Refusal("nothing", _("This name is forgotten already."))
        bump_version(table)
        erase_name(table, row)

    with_latest(table, attempt)


def erase_name(table: Table, row: Seat) -> None:
    """Erase the name of a seat from the seat and all notices. Call inside `with_latest`."""
    for notice in table.notices.all():
        _erase_in(notice, row.name)
    row.name = ""
    row.save(update_fields=["name"])


def _erase_in(notice: Notice, name: str) -> None:
    params = {k: "" if k in NAME_PARAMS and value == name else value for k, value in notice.params.items()}
    if params != notice.params:
        notice.params = params
        notice.save(update_fields=["params"])


# Another phone


def ticket_for(*, access: TableAccess, seat: Seat) -> str:
    """Return a signed ticket that moves a seat to the phone that redeems it, valid for 5 minutes.

    It records whether the holder or the host made it: with the host's ticket the seat is taken over.
    """
    _refuse_unless_mine(access, seat)
    maker = OWN if _holds(access, seat) else BY_HOST
    return _TICKETS.sign(f"{seat.pk}.{seat.token_hash[:16]}.{maker}")


def seat_of(table: Table, ticket: str) -> Seat | None:
    """Return the seat that a ticket moves; None if the ticket is invalid, used or expired."""
    return _read_ticket(table, ticket)[0]


def _read_ticket(table: Table, ticket: str) -> tuple[Seat | None, str]:
    """Return the seat that a ticket moves (None if it is invalid, used or expired), and its maker."""
    try:
        pk, prefix, maker = _TICKETS.unsign(ticket, max_age=TICKET_SECONDS).split(".")
    except (signing.BadSignature, ValueError):
        return None, ""
    seat = table.seats.filter(pk=pk).first()
    return (seat if seat and seat.token_hash[:16] == prefix else None), maker


def redeem(*, table: Table, ticket: str) -> tuple[Seat, str]:
    """Move a seat by its ticket. Return the seat and its new token; the old token becomes invalid."""
    return with_latest(table, lambda: _redeem(table, ticket))


def _redeem(table: Table, ticket: str) -> tuple[Seat, str]:
    seat, maker = _read_ticket(table, ticket)
    if seat is None:
        raise Refusal("gone", _("This link is used up or too old. Ask for a new one."))
    token = new_token()
    is_host = bool(seat.token_hash) and seat.token_hash == table.host_hash
    bump_version(table, **({"host_hash": hash_of(token)} if is_host else {}))
    if maker == OWN:
        add_notice(table, "seat-moved", name=seat.name)
        _assign(seat, token)
    else:
        add_notice(table, "seat-taken-over", name=seat.name)
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

"""Opening a table, its options, starting the game, and rematches."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.access.codes import random_code
from companion.access.table_access import TableAccess, hash_of, new_token, refuse_unless_host
from companion.errors import Refusal
from companion.journal import mirror
from companion.journal.states import cache_state, game_of
from companion.journal.validation import validate_json
from companion.journal.versions import bump_version, with_latest
from companion.models import Board, Circle, Seat, Status, Table
from companion.registry import MODES, rules_of, titles
from companion.tables.board_copies import figures_of, refuse_invalid
from companion.tables.seats import clean_name, refuse_faction
from companion.wording import refusal
from games.core.codec import to_json
from games.core.errors import Refused
from games.core.game import AnyGame
from games.core.options import read_options

CODE_LENGTH = 6

TABLE_OPTIONS = ("mode", "players", "first_player")
RANDOM = "random"

_dice = secrets.SystemRandom()


@dataclass(frozen=True, slots=True)
class NewSeat:
    """A player seated when a table is opened."""

    name: str
    faction: str


@dataclass(frozen=True, slots=True)
class Opened:
    """A new table with its tokens, which are stored hashed and cannot be retrieved later."""

    table: Table
    host_token: str
    seats: tuple[tuple[Seat, str], ...]


def open_table(
    *,
    game: str,
    seats: Sequence[NewSeat] = (),
    options: Any = None,
    board: Board | None = None,
    circle: Circle | None = None,
) -> Opened:
    """Open a table, with seats in clockwise order. Raise `Refusal` if an argument is invalid.

    `board` is a group's own copy of the printed figures; the game counts in the statistics of `circle`.
    """
    validate_json(game)
    requested = {} if options is None else options
    rules = find_game(game, requested)
    table_options = read_table_options(rules, requested)
    most = len(rules.factions)
    if len(seats) > most:
        raise Refusal("bad-input", _("There are %(most)d seats at this table.") % {"most": most})
    if board:
        refuse_invalid(rules, board)
    host_token = new_token()
    with transaction.atomic():
        table = Table.objects.create(
            code=new_code(),
            game=game,
            options=table_options,
            host_hash=hash_of(host_token),
            board=board,
            circle=circle,
        )
        taken_seats = tuple(_seat(table, number, seat) for number, seat in enumerate(seats, start=1))
    return Opened(table, host_token, taken_seats)


def _seat(table: Table, number: int, seat: NewSeat) -> tuple[Seat, str]:
    refuse_faction(table, seat.faction)
    token = new_token()
    name = clean_name(seat.name)
    row = Seat.objects.create(
        table=table, number=number, name=name, faction=seat.faction, token_hash=hash_of(token)
    )
    return row, token


def new_code() -> str:
    while True:
        code = random_code(CODE_LENGTH)
        if not Table.objects.filter(code=code).exists():
            return code


def find_game(slug: Any, options: Any) -> AnyGame:
    """Return the rules of a game, or of its score pad. Raise `Refusal` if there is no such game or mode."""
    mode = options.get("mode", "full") if isinstance(options, dict) else "full"
    if not isinstance(mode, str) or mode not in MODES:
        raise Refusal("bad-input", _("A table is played in mode “full”, or “pad” for the score alone."))
    if not isinstance(slug, str) or slug not in titles():
        raise Refusal("bad-input", _("There is no game “%(game)s” here.") % {"game": str(slug)[:40]})
    return rules_of(slug, mode)


def read_table_options(game: AnyGame, options: Any) -> dict[str, Any]:
    """Return the validated options of a table, with defaults filled in. Raise `Refusal` if one is invalid.

    Options that are printed figures are omitted unless given: the board decides them. A score pad uses none
    of its game's options: they are validated and dropped.
    """
    if not isinstance(options, dict):
        raise Refusal("bad-input", _("The options must be a table of names and values."))
    validate_json(options)
    players = options.get("players")
    if players is not None and (not isinstance(players, int) or isinstance(players, bool)):
        raise Refusal("bad-input", _("The number of players must be a whole number."))
    first = options.get("first_player")
    if first is not None and first not in (*game.factions, RANDOM):
        raise Refusal("bad-input", _("The first player must be one of the colours, or random."))
    try:
        known = titles()[game.slug].game.options
        chosen = read_options(known, {k: v for k, v in options.items() if k not in TABLE_OPTIONS})
    except Refused as refused:
        raise refusal(game, refused) from None
    own = {option.name: chosen[option.name] for option in game.options}
    by_board = [o.name for o in game.options if o.figure and o.name not in options]
    return {
        "mode": options.get("mode", "full"),
        **{name: value for name, value in own.items() if name not in by_board},
        **{k: options[k] for k in ("players", "first_player") if options.get(k) is not None},
    }


# Start


def start(*, table: Table, access: TableAccess) -> None:
    """Start the game with the current seats. Host only. Raise `Refusal` if it cannot start."""
    refuse_unless_host(access)
    with_latest(table, lambda: _start(table))


def _start(table: Table) -> None:
    if table.status != Status.OPEN:
        raise Refusal("started", _("The game has begun already."))
    game = game_of(table)
    seats = _with_factions(table, game)
    factions = [seat.faction for seat in seats]
    first = table.options.get("first_player")
    own = {k: v for k, v in table.options.items() if k not in TABLE_OPTIONS}
    try:
        setup = game.prepare(
            factions,
            players=table.options.get("players"),
            first=_dice.choice(factions) if first == RANDOM and factions else first,
            options=own,
            figures=figures_of(game, table),
        )
    except Refused as refused:
        raise refusal(game, refused) from None
    state = game.start(setup).state
    columns = {**mirror.derived_columns(game, state), "setup": to_json(setup), "started_at": timezone.now()}
    bump_version(table, **columns)
    Seat.objects.bulk_update(seats, ["faction"])
    mirror.sync(table, game, None, state)
    cache_state(table, 0, state)


def _with_factions(table: Table, game: AnyGame) -> list[Seat]:
    """Return the seats in clockwise order; draw a free faction for each seat without one."""
    seats = list(table.seats.all())
    free = [faction for faction in game.factions if faction not in {seat.faction for seat in seats}]
    for seat in seats:
        if not seat.faction and free:
            seat.faction = free.pop(_dice.randrange(len(free)))
    return seats


def shuffle_seats(*, table: Table, access: TableAccess) -> None:
    """Shuffle the seating order before the start of the game. Host only."""
    refuse_unless_host(access)
    with_latest(table, lambda: _shuffle(table))


def _shuffle(table: Table) -> None:
    if table.status != Status.OPEN:
        raise Refusal("started", _("The game has begun already."))
    bump_version(table)
    seats = list(table.seats.all())
    _dice.shuffle(seats)
    _renumber(seats)


def _renumber(seats: list[Seat]) -> None:
    """Number seats from 1, in two passes: a unique constraint forbids equal numbers at any moment."""
    for base in (len(seats) + max((seat.number for seat in seats), default=0) + 1, 1):
        for number, seat in enumerate(seats, start=base):
            seat.number = number
            seat.save(update_fields=["number"])


def set_option(*, table: Table, access: TableAccess, name: str, value: Any) -> None:
    """Change an option before the start of the game. Host only."""
    refuse_unless_host(access)

    def attempt() -> None:
        if table.status != Status.OPEN:
            raise Refusal("started", _("The game has begun already."))
        if name == "mode":
            raise Refusal("bad-input", _("The mode is chosen when a table is opened."))
        bump_version(table, options=read_table_options(game_of(table), {**table.options, name: value}))

    with_latest(table, attempt)


def rematch(*, table: Table, access: TableAccess) -> Table:
    """Return a table with the same players, options and tokens; an existing open rematch, if there is one."""
    refuse_unless_host(access)

    def attempt() -> Table:
        existing = table.rematches.filter(status__in=(Status.OPEN, Status.PLAYING)).first()
        if existing:
            return existing
        bump_version(table)
        return _create_rematch(table)

    return with_latest(table, attempt)


def _create_rematch(table: Table) -> Table:
    new_table = Table.objects.create(
        code=new_code(),
        game=table.game,
        options=table.options,
        board=table.board,
        circle=table.circle,
        host_hash=table.host_hash,
        rematch_of=table,
    )
    for seat in table.seats.exclude(token_hash=""):
        copy = Seat.objects.create(
            table=new_table,
            number=seat.number,
            name=seat.name,
            faction=seat.faction,
            token_hash=seat.token_hash,
        )
        if seat.pk == table.host_id:
            new_table.host = copy
            new_table.save(update_fields=["host"])
    return new_table

"""Export and import of a whole game as one JSON document.

A document holds the entries with their times, but no tokens. The import does not trust it: the rules apply
every entry again to its parent, and state, steps, standings and winners are recomputed. One exception: if the
current rules reject entries before a later position, their steps and the points scored by then are taken from
the document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from itertools import pairwise
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from companion import wording
from companion.access.table_access import hash_of, new_token
from companion.errors import Refusal
from companion.journal import mirror, secrets
from companion.journal.mending import clean_reason
from companion.journal.result_sync import sync_result
from companion.journal.states import Line, State, cache_state, course_of, fold_all, foldable_suffix
from companion.journal.todo import hands
from companion.journal.versions import NOTICES, read_consistent
from companion.models import Break, Entry, Notice, Seat, Standing, Status, Table, Tick
from companion.tables.hosting import leaders
from companion.tables.opening import Opened, find_game, new_code, read_table_options
from companion.tables.seats import clean_name
from companion.wording import refusal
from games.core.actions import Position, action_json
from games.core.codec import Count, Json, from_json, to_json
from games.core.errors import Refused
from games.core.game import AnyGame, Setup
from games.core.steps import Outcome, check_step, read_step, step_json

FORMAT = "seneschal-table-1"
# Many times the longest game. A limit is needed because every entry is applied again.
MOST_ENTRIES = 10_000
ENTRIES_PER_UNIT = 250  # of the rate limit for imports
MOST_TICKS = 50_000
MOST_LINES = 30_000
MOST_SEATS = 20
MOST_BREAKS = 1_000
MOST_STANDINGS = 1_000
MOST_POINTS = 100_000
LONGEST_PARAM = 60_000  # characters of a notice's parameter; some list the numbers of all entries
MOST_IN_ENTRY = 2_000  # items of a list inside an entry, such as the lines of a position
# Maximum length of each list of a document.
MOST = {
    "entries": MOST_ENTRIES,
    "ticks": MOST_TICKS,
    "seats": MOST_SEATS,
    "notices": MOST_ENTRIES,
    "breaks": MOST_BREAKS,
    "standings": MOST_STANDINGS,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatLine:
    seat: Count
    name: str
    faction: str
    free: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    number: Count
    parent: Count
    faction: str
    action: Json
    seat: Count | None  # that entered it; None: the host
    undone: bool
    at: str
    version: Count
    # Set if a mend rewrote the entry; missing in older documents.
    origin: Count | None = None
    mended_at: str | None = None
    reason: str = ""
    # Derived data: for readers of the document, and for entries that no longer fold.
    rules: Count = 0
    steps: Json = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TickLine:
    number: Count
    line: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeLine:
    code: str
    params: Mapping[str, str]
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakLine:
    began_at: str
    ended_at: str | None  # None: under way


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingLine:
    """Points at the end of a round that can no longer be recomputed."""

    round: Count
    faction: str
    points: Fraction
    parts: Mapping[str, Fraction]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    format: str
    game: str
    status: str
    closed: bool
    locked: bool
    version: Count
    options: Json
    setup: Setup | None
    created_at: str
    started_at: str | None
    ended_at: str | None
    seats: tuple[SeatLine, ...]
    entries: tuple[EntryLine, ...]
    ticks: tuple[TickLine, ...] = ()
    notices: tuple[NoticeLine, ...] = ()
    # Missing in older documents.
    breaks: tuple[BreakLine, ...] = ()
    standings: tuple[StandingLine, ...] = ()


# Export


def write_document(table: Table) -> dict[str, Json]:
    """Return the whole game of a table as a document. Raise `Refusal` while entries are hidden."""
    return read_consistent(table, lambda: _document(table))


def _document(table: Table) -> dict[str, Json]:
    secrets.refuse_export(table)
    entries = table.entries.select_related("seat")
    ticks = table.ticks.order_by("number", "line")
    return {
        "format": FORMAT,
        "game": table.game,
        "status": table.status,
        "closed": table.ended_by_host,
        "locked": table.locked,
        "version": table.version,
        "options": table.options,
        "setup": table.setup,
        "created_at": table.created_at.isoformat(),
        "started_at": table.started_at.isoformat() if table.started_at else None,
        "ended_at": table.ended_at.isoformat() if table.ended_at else None,
        "seats": [
            {"seat": seat.number, "name": seat.name, "faction": seat.faction, "free": not seat.token_hash}
            for seat in table.seats.all()
        ],
        "entries": [_entry_data(entry) for entry in entries],
        "ticks": [{"number": tick.number, "line": tick.line} for tick in ticks],
        "notices": [
            {"code": notice.code, "params": notice.params, "at": notice.created_at.isoformat()}
            for notice in table.notices.all()
        ],
        "breaks": [
            {
                "began_at": pause.began_at.isoformat(),
                "ended_at": pause.ended_at.isoformat() if pause.ended_at else None,
            }
            for pause in table.breaks.all()
        ],
        "standings": [to_json(line) for line in _lost_standings(table)],
    }


def _lost_standings(table: Table) -> list[StandingLine]:
    """Return the standings of rounds before the first state that can still be folded."""
    if not table.entries.filter(undone=False, action__type=Position.type).exists():
        return []
    number, first = course_of(table)[0]
    if not number:
        return []
    return [
        StandingLine(
            round=row.round,
            faction=row.faction,
            points=Fraction(row.points),
            parts={part: Fraction(str(points)) for part, points in row.parts.items()},
        )
        for row in table.standings.filter(round__lt=first.round)
    ]


def _entry_data(entry: Entry) -> dict[str, Json]:
    return {
        "number": entry.number,
        "parent": entry.parent,
        "faction": entry.faction,
        "action": entry.action,
        "seat": entry.seat.number if entry.seat else None,
        "undone": entry.undone,
        "at": entry.created_at.isoformat(),
        "version": entry.version,
        "origin": entry.origin,
        "mended_at": entry.mended_at.isoformat() if entry.mended_at else None,
        "reason": entry.reason,
        "rules": entry.rules,
        "steps": entry.steps,
    }


# Import


@dataclass(frozen=True, slots=True)
class _FoldedEntry:
    """An imported entry with its steps: recomputed, or from the document if it no longer folds."""

    line: EntryLine
    action: Json
    steps: list[Json]
    rules: int


def read_document(data: Any) -> Opened:
    """Create a table from a document, with new tokens. Raise `Refusal` if the document is invalid."""
    game = _game(data)
    document = _read(game, data)
    _refuse_seats(game, document)
    _refuse_order(document)
    options = read_table_options(game, document.options)
    setup = _setup(game, document)
    folded, states = _fold(game, setup, document.entries)
    _refuse_standings(document, states)
    state = states[-1] if states else None
    columns = {
        "game": game.slug,
        "options": options,
        "setup": to_json(setup) if setup else None,
        "locked": document.locked,
        "version": document.version,
        "head": max((line.number for line in document.entries if not line.undone), default=0),
        "latest": len(document.entries),
        **_times(document),
        **_derived_columns(game, document, state),
    }
    return _write(game, document, columns, folded, states)


def import_cost(data: Mapping[str, Any]) -> int:
    """Return the cost of an import for the rate limit: 1, plus 1 per `ENTRIES_PER_UNIT` entries."""
    entries = data.get("entries")
    return 1 + (min(len(entries), MOST_ENTRIES) if isinstance(entries, list) else 0) // ENTRIES_PER_UNIT


def _bad(message: str) -> Refusal:
    return Refusal("bad-input", message)


def _game(data: Any) -> AnyGame:
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise _bad(
            _("This is not the document of a game (its “format” should be “%(format)s”).")
            % {"format": FORMAT}
        )
    return find_game(data.get("game"), data.get("options"))


def _read(game: AnyGame, data: Any) -> Document:
    for name, most in MOST.items():
        if isinstance(data.get(name), list) and len(data[name]) > most:
            raise Refusal("too-large", _("The document has too many “%(name)s”.") % {"name": name})
    try:
        return from_json(Document, data)
    except Refused as refused:
        raise refusal(game, refused) from None


def _refuse_seats(game: AnyGame, document: Document) -> None:
    numbers = [line.seat for line in document.seats]
    factions = [line.faction for line in document.seats if line.faction]
    if numbers != sorted(set(numbers)) or not all(0 < number <= MOST_LINES for number in numbers):
        raise _bad(_("The seats must be numbered clockwise, each with a number of its own."))
    if len(factions) != len(set(factions)) or not set(factions) <= set(game.factions):
        raise _bad(_("Each seat needs a faction of its own."))
    if any(line.name and clean_name(line.name) != line.name for line in document.seats):  # empty: erased
        raise _bad(_("A name in the document is not well formed."))
    if any(line.seat is not None and line.seat not in numbers for line in document.entries):
        raise _bad(_("An entry comes from a seat that is not there."))


def _refuse_order(document: Document) -> None:
    """Raise `Refusal` unless entries are numbered from 1, have earlier parents, and form one current path."""
    lines = document.entries
    if [line.number for line in lines] != list(range(1, len(lines) + 1)):
        raise _bad(_("The entries must be numbered from 1, none left out."))
    if any(line.parent >= line.number for line in lines):
        raise _bad(_("An entry must be made on an earlier one."))
    path = [line for line in lines if not line.undone]
    if [line.parent for line in path] != [0, *(line.number for line in path)][: len(path)]:
        raise _bad(_("The entries that are not undone must follow each other."))
    _refuse_mends(lines)
    _refuse_notices(document)
    _refuse_breaks(document)
    _refuse_versions(document)
    if any(tick.number > len(lines) or tick.line > MOST_LINES for tick in document.ticks):
        raise _bad(_("A tick belongs to an entry that is not there."))
    if len(set(document.ticks)) != len(document.ticks):
        raise _bad(_("A line of the hands list can be ticked once only."))


def _refuse_notices(document: Document) -> None:
    """Raise `Refusal` unless every notice has a known code with exactly its parameters."""
    for line in document.notices:
        if set(line.params) != set(NOTICES.get(line.code, ("unknown",))):
            raise _bad(
                _("The document tells something that is not known here: “%(code)s”.")
                % {"code": line.code[:40]}
            )
        if any(len(value) > LONGEST_PARAM for value in line.params.values()):
            raise Refusal("too-large", _("This is too long."))
        _time(line.at)


def _refuse_breaks(document: Document) -> None:
    """Raise `Refusal` if a break ends before it begins, or is open without a game in progress."""
    for line in document.breaks:
        began = _time(line.began_at)
        if line.ended_at is not None and _time(line.ended_at) < began:
            raise _bad(_("A break cannot end before it began."))
    under_way = [line for line in document.breaks if line.ended_at is None]
    if len(under_way) > (document.status == Status.PLAYING):
        raise _bad(_("A break must have an end, unless the game is having it now."))


def _refuse_mends(lines: Sequence[EntryLine]) -> None:
    """Raise `Refusal` unless each mended entry names the undone entry it replaces and the time."""
    by_number = {line.number: line for line in lines}
    for line in lines:
        if (line.origin is None) != (line.mended_at is None) or (line.reason and line.origin is None):
            raise _bad(_("A mended entry must say which one it was, and when it was mended."))
        if line.reason and clean_reason(line.reason) != line.reason:
            raise _bad(_("The reason of a mended entry is not well formed."))
        if line.origin is None:
            continue
        old = by_number.get(line.origin)
        if old is None or old.number >= line.number or not old.undone or old.faction != line.faction:
            raise _bad(_("A mended entry must have been an earlier one that is undone."))


def _refuse_versions(document: Document) -> None:
    """Raise `Refusal` unless versions increase; the entries of one mend share a version."""
    if not document.version or any(line.version > document.version for line in document.entries):
        raise _bad(_("The versions in the document must grow from entry to entry."))
    versions = [0, *(line.version for line in document.entries)]
    for (earlier, later), line in zip(pairwise(versions), document.entries, strict=True):
        if earlier > later or (earlier == later and line.origin is None):
            raise _bad(_("The versions in the document must grow from entry to entry."))


def _setup(game: AnyGame, document: Document) -> Setup | None:
    """Return the setup, validated as at the start of a game; None if the game has not started."""
    if document.setup is None:
        if document.entries or document.ticks:
            raise _bad(_("There are entries, but the game never began."))
        return None
    seated = [line.faction for line in document.seats if line.faction]
    if list(document.setup.factions) != seated:
        raise _bad(_("The factions of the set-up must be those of the seats."))
    if not game.board.fits(document.setup.figures):
        raise _bad(_("The printed figures in the document do not belong to this game."))
    try:
        return game.prepare(
            document.setup.factions,
            players=document.setup.players,
            first=document.setup.first,
            options=document.setup.options,
            figures=document.setup.figures,
        )
    except Refused as refused:
        raise refusal(game, refused) from None


def _fold(
    game: AnyGame, setup: Setup | None, lines: Sequence[EntryLine]
) -> tuple[list[_FoldedEntry], list[State]]:
    """Apply every entry again. Return all entries, and the states of the longest foldable end of the path."""
    if setup is None:
        return [], []
    entries = {line.number: _line(game, line) for line in lines}
    path = [0, *(line.number for line in lines if not line.undone)]
    states: dict[int, State] = {}
    folded: list[_FoldedEntry] = []
    try:
        for number, outcome in fold_all(game, setup, entries, path):
            if outcome is not None:
                states[number] = outcome.state
            if number:
                folded.append(_folded(game, lines[number - 1], entries[number]["action"], outcome))
    except Refused as refused:
        raise _entry_refusal(game, lines[len(folded)], refused) from None
    return folded, foldable_suffix(path, states)


def _line(game: AnyGame, line: EntryLine) -> Line:
    try:
        action = action_json(game.read_action(line.action, line.faction))
    except Refused as refused:
        raise _entry_refusal(game, line, refused) from None
    return {"number": line.number, "parent": line.parent, "faction": line.faction, "action": action}


def _folded(game: AnyGame, line: EntryLine, action: Json, outcome: Outcome[Any] | None) -> _FoldedEntry:
    if outcome is None:
        return _FoldedEntry(line, action, _stored_steps(game, line), min(line.rules, game.version))
    return _FoldedEntry(line, action, [step_json(step) for step in outcome.steps], game.version)


def _stored_steps(game: AnyGame, line: EntryLine) -> list[Json]:
    """Return the document's steps of an entry that no longer folds, if pages can render them.

    Raise `Refused` or `Refusal` otherwise.
    """
    steps = from_json(tuple[Any, ...], line.steps, "steps")
    for step in steps:
        check_step(step)
    try:
        parsed = [read_step(step) for step in steps]
        for step in parsed:
            for substep in step.all_steps():
                wording.render(game, substep.message)
        hands(game, parsed, game.factions)
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ):  # the parts of a step contradict each other
        parsed = []
    if not parsed:
        raise _bad(_("What entry %(number)d led to cannot be told.") % {"number": line.number})
    return [step_json(step) for step in parsed]


def _entry_refusal(game: AnyGame, line: EntryLine, refused: Refused) -> Refusal:
    why = refusal(game, refused)
    sentence = _("Entry %(number)d is not accepted: %(why)s") % {"number": line.number, "why": why.message}
    return Refusal(why.code, sentence, why.rule)


def _refuse_standings(document: Document, states: Sequence[State]) -> None:
    """Raise `Refusal` unless the standings are plausible and older than the first foldable state."""
    lost = bool(states) and len(states) <= sum(not line.undone for line in document.entries)
    lines = [(line.round, line.faction) for line in document.standings]
    fits = all(lost and line.round < states[0].round for line in document.standings)
    known = set(document.setup.factions) if document.setup else set()
    small = all(
        abs(points) <= MOST_POINTS
        for line in document.standings
        for points in (line.points, *line.parts.values())
    )
    if not (fits and small and len(set(lines)) == len(lines) and {faction for _, faction in lines} <= known):
        raise _bad(_("The document tells points that cannot have been scored so."))


def _times(document: Document) -> dict[str, datetime | None]:
    return {
        "created_at": _time(document.created_at),
        "started_at": _time(document.started_at) if document.started_at else None,
        "ended_at": _time(document.ended_at) if document.ended_at else None,
    }


def _time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
        in_utc = time.astimezone(UTC) if time.tzinfo else None
    except (ValueError, OverflowError):
        in_utc = None
    if in_utc is None:
        raise _bad(_("“%(time)s” is not a time with its zone.") % {"time": text[:40]})
    return in_utc


def _derived_columns(game: AnyGame, document: Document, state: State | None) -> dict[str, Any]:
    """Return the columns that follow from the last state, or from the host having ended the game."""
    columns = mirror.derived_columns(game, state) if state else {"status": Status.OPEN}
    if not document.closed:
        if document.status != columns["status"]:
            raise _contradiction(document)
        return columns
    if columns["status"] == Status.FINISHED:
        raise _contradiction(document)
    columns |= {"ended_by_host": True, "status": document.status, "waiting_for": []}
    if document.status == Status.FINISHED and state:
        return columns | {"winners": leaders(game, state)}
    if document.status == Status.ABANDONED:
        return columns | {"winners": []}
    raise _contradiction(document)


def _contradiction(document: Document) -> Refusal:
    return _bad(
        _("The entries do not lead to a game that is “%(status)s”.") % {"status": document.status[:40]}
    )


def _write(
    game: AnyGame,
    document: Document,
    columns: Mapping[str, Any],
    folded: Sequence[_FoldedEntry],
    states: Sequence[State],
) -> Opened:
    host_token = new_token()
    with transaction.atomic():
        table = Table.objects.create(code=new_code(), host_hash=hash_of(host_token), **columns)
        seats = {line.seat: _seat(table, line) for line in document.seats}
        rows = {number: seat for number, (seat, _token) in seats.items()}
        Entry.objects.bulk_create([_entry(table, rows, entry) for entry in folded], batch_size=500)
        Tick.objects.bulk_create([Tick(table=table, number=t.number, line=t.line) for t in document.ticks])
        Notice.objects.bulk_create(
            [
                Notice(table=table, code=line.code, params=dict(line.params), created_at=_time(line.at))
                for line in document.notices
            ]
        )
        Break.objects.bulk_create(_break(table, line) for line in document.breaks)
        Standing.objects.bulk_create(_standing(table, line) for line in document.standings)
        if states:
            mirror.rebuild(table, game, list(states))
            cache_state(table, table.head, states[-1])
        sync_result(table)
    return Opened(table, host_token, tuple((seat, token) for seat, token in seats.values() if token))


def _seat(table: Table, line: SeatLine) -> tuple[Seat, str]:
    token = "" if line.free else new_token()
    seat = Seat.objects.create(
        table=table,
        number=line.seat,
        name=line.name,
        faction=line.faction,
        token_hash=hash_of(token) if token else "",
    )
    return seat, token


def _break(table: Table, line: BreakLine) -> Break:
    ended_at = _time(line.ended_at) if line.ended_at else None
    return Break(table=table, began_at=_time(line.began_at), ended_at=ended_at)


def _standing(table: Table, line: StandingLine) -> Standing:
    parts = {part: mirror.plain(points) for part, points in line.parts.items()}
    points = mirror.decimal(line.points)
    return Standing(table=table, round=line.round, faction=line.faction, points=points, parts=parts)


def _entry(table: Table, seats: Mapping[int, Seat], folded: _FoldedEntry) -> Entry:
    line = folded.line
    return Entry(
        table=table,
        number=line.number,
        parent=line.parent,
        faction=line.faction,
        action=folded.action,
        steps=folded.steps,
        rules=folded.rules,
        version=line.version,
        seat=seats[line.seat] if line.seat is not None else None,
        undone=line.undone,
        created_at=_time(line.at),
        origin=line.origin,
        mended_at=_time(line.mended_at) if line.mended_at else None,
        reason=line.reason,
    )

"""Comparing the app with the real table: the moves of the journal, and corrections for the differences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from companion.access.table_access import TableAccess, refuse_stranger
from companion.errors import Refusal
from companion.journal import submit, todo
from companion.journal.causes import Difference, EntryMoves, Finding, TrackedMove
from companion.journal.states import game_of, setup_of, state_at
from companion.journal.versions import add_notice, bump_version, with_latest
from companion.models import Table, Tick
from games.core.actions import Position
from games.core.corrections import COMPARED
from games.core.game import AnyGame
from games.core.ledger import SUPPLY
from games.core.steps import Step, read_step

NOTICE = "compared"


# The journal


def entry_moves_of(table: Table) -> list[EntryMoves]:
    """Return the moves of the entries that count, newest first, back to the last position or the setup."""
    ticked = set(Tick.objects.filter(table=table).values_list("number", "line"))
    entries = []
    rows = table.entries.filter(undone=False).order_by("-number")
    for number, kind, steps in rows.values_list("number", "action__type", "steps"):
        entries.append(_entry_moves(number, map(read_step, steps), ticked, is_position=kind == Position.type))
        if entries[-1].is_position:
            return entries
    start = game_of(table).start(setup_of(table))
    return [*entries, _entry_moves(0, start.steps, ticked)]


def _entry_moves(
    number: int, steps: Iterable[Step], ticked: set[tuple[int, int]], *, is_position: bool = False
) -> EntryMoves:
    moves = (
        TrackedMove(move, line is not None and (number, line) not in ticked)
        for line, move in todo.moves_of(steps)
    )
    return EntryMoves(number, tuple(moves), is_position)


def is_due(table: Table) -> bool:
    """Return whether a round has begun since the last comparison, or since the first round."""
    newest = table.notices.filter(code=NOTICE).order_by("-pk").values_list("params", flat=True).first()
    return table.round > (int(newest["round"]) if newest else 1)


# Corrections

Correction = Mapping[str, Any]


def is_stuck(game: AnyGame, finding: Finding, against: Mapping[str, str]) -> bool:
    """Return whether only a supply differs and no place is known that the pieces come from or belong to."""
    difference = finding.missing or finding.extra
    if difference is None or finding.is_shift or difference.place != SUPPLY:
        return False
    if against.get(finding.owner + finding.piece):
        return False
    return finding.piece not in game.uncounted


def corrections(table: Table, findings: Sequence[Finding], against: Mapping[str, str]) -> list[Correction]:
    """Return the entries that correct the app's counts; removals come first, to make the pieces available.

    ``against`` maps owner and piece, joined, to the place that a difference in the supply is booked against.
    """
    game, ledger = game_of(table), state_at(table, table.head).ledger
    changes: Counter[tuple[str, str, str]] = Counter()

    def correct(finding: Finding, place: str, change: int, other: str | None = None) -> Correction:
        owner, piece = finding.owner, finding.piece
        changes[owner, piece, place] += change
        if other:
            changes[owner, piece, other] -= change
        count = ledger.count(owner, piece, place) + changes[owner, piece, place]
        fields = {"owner": owner, "piece": piece, "place": place, "count": count, "reason": COMPARED}
        return {"type": "correct", **fields, **({"against": other} if other else {})}

    entries: list[Correction] = []
    for finding in sorted(findings, key=_rank):
        if is_stuck(game, finding, against):
            continue
        for place, change, other in _parts(
            finding, against, lambda difference, at: ledger.count(difference.owner, difference.piece, at)
        ):
            entries.append(correct(finding, place, change, other))
    return entries


def _rank(finding: Finding) -> int:
    """Return the sort key of a finding: missing pieces, then shifts, then extra pieces."""
    return 1 if finding.is_shift else 0 if finding.missing else 2


def _parts(finding: Finding, against: Mapping[str, str], count: Any) -> Iterator[tuple[str, int, str | None]]:
    """Yield place, change of the count, and the other place of the transfer; None is the supply."""
    missing, extra, n = finding.missing, finding.extra, finding.count
    if missing and extra:
        if extra.place == SUPPLY:
            yield missing.place, -n, None
        else:
            yield extra.place, n, None if missing.place == SUPPLY else missing.place
    elif difference := missing or extra:
        change = n if extra else -n
        is_supply = difference.place == SUPPLY
        other = against.get(difference.owner + difference.piece) if is_supply else None
        if difference.also:
            yield from ((place, part, None) for place, part in _spread(finding, difference, change, count))
        else:
            yield difference.place, change, other


def _spread(finding: Finding, difference: Difference, change: int, count: Any) -> Iterator[tuple[str, int]]:
    """Distribute a change among places counted as a sum: first those of the cause, then the fullest."""
    move = finding.cause.move if finding.cause else None
    named = {move.source, move.target} if move else set()
    places = sorted(difference.places, key=lambda place: (place not in named, -count(difference, place)))
    if change > 0:
        yield places[0], change
        return
    for place in places:
        part = min(-change, count(difference, place))
        if part:
            yield place, -part
            change += part


def enter(  # noqa: PLR0913 - keyword-only
    *,
    table: Table,
    access: TableAccess,
    faction: str,
    findings: Sequence[Finding],
    against: Mapping[str, str],
    places: int,
    key: str,
) -> list[int]:
    """Enter the corrections, all or none, and return the numbers of the entries. Raises ``Refusal``."""

    def attempt() -> list[int]:
        refuse_stranger(access)
        _refuse_if_outdated(table, findings)
        numbers = [
            submit.submit(
                table=table, access=access, faction=faction, action=dict(action), key=f"{key[:50]}-{at}"
            ).number
            for at, action in enumerate(corrections(table, findings, against))
        ]
        bump_version(table)
        params = {"places": places, "corrections": len(numbers), "round": table.round}
        add_notice(table, NOTICE, **{name: str(number) for name, number in params.items()})
        return numbers

    return with_latest(table, attempt)


def _refuse_if_outdated(table: Table, findings: Iterable[Finding]) -> None:
    """Raise ``Refusal`` if an entry has changed the expected counts since the comparison."""
    ledger = state_at(table, table.head).ledger
    for side in (side for finding in findings for side in (finding.missing, finding.extra) if side):
        if sum(ledger.count(side.owner, side.piece, place) for place in side.places) != side.expected:
            raise Refusal("gone", _("Something was entered meanwhile. Please look at what has changed."))

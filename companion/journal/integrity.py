"""Integrity of tables: checking that the journal folds and matches the mirror, and repairing both."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from companion.errors import Refusal
from companion.journal import mirror
from companion.journal.states import (
    NOT_FOLDING,
    State,
    agreed_at,
    cache_state,
    foldable_suffix,
    game_of,
    path_of,
    refold,
    setup_of,
)
from companion.journal.versions import bump_version, read_consistent, with_latest
from companion.models import Entry, Table
from companion.wording import render
from games.core.actions import Position, action_json
from games.core.errors import NotThere, Refused
from games.core.ledger import SUPPLY, Ledger
from games.core.steps import Outcome, read_step, step_json


class Unfoldable(Exception):  # noqa: N818 - the name describes the journal
    """The current rules refuse an entry of the journal that was accepted before."""


@dataclass(slots=True)
class Findings:
    """Errors found in a started table, as text."""

    journal: list[str] = field(default_factory=list)
    mirror: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        mirror = [f"mirror: {', '.join(self.mirror)}"] if self.mirror else []
        return "; ".join([*self.journal, *mirror])


def examine(*, table: Table) -> Findings:
    """Refold a started table and compare the result with the stored steps and the mirror. Read-only."""
    return read_consistent(table, lambda: _examine(table)[0])


def rebuild_mirror(*, table: Table) -> bool:
    """Rebuild the mirror of a started table from its journal; return whether it differed.

    Raises ``Unfoldable``.
    """

    def attempt() -> bool:
        findings, states = _examine(table)
        if not states:
            raise Unfoldable(str(findings))
        if findings.mirror:
            _rebuild(table, states)
        return bool(findings.mirror)

    return with_latest(table, attempt)


def _rebuild(table: Table, states: list[State]) -> None:
    game = game_of(table)
    by_host = mirror.ENDED_BY_HOST if table.ended_by_host else ()
    columns = mirror.derived_columns(game, states[-1])
    bump_version(table, **{name: value for name, value in columns.items() if name not in by_host})
    mirror.rebuild(table, game, states)
    path = path_of(table)
    table.entries.filter(number__in=path).update(undone=False)
    table.entries.exclude(number__in=path).update(undone=True)


def _examine(table: Table) -> tuple[Findings, list[State]]:
    """Return the findings, and the states of the entries that count; no states if it does not fold."""
    findings = Findings()
    entries = {entry.number: entry for entry in table.entries.all()}
    folded: set[int] = set()
    states: dict[int, State] = {}
    try:
        for number, outcome in refold(table):
            folded.add(number)
            if outcome is None:
                continue
            states[number] = outcome.state
            if number and entries[number].steps != _steps_json(outcome):
                findings.journal.append(f"{_named(table, entries[number])} leads to other steps")
    except NOT_FOLDING as error:
        refused = next(entry for number, entry in entries.items() if number not in folded)
        findings.journal.append(f"{_named(table, refused)} is refused: {_reason(table, error)}")
        return findings, []
    path = path_of(table)
    path_states = foldable_suffix(path, states)
    findings.mirror += mirror.differences(table, game_of(table), path_states)
    if any(entry.undone == (number in path) for number, entry in entries.items()):
        findings.mirror.append("undone")
    return findings, path_states


def _steps_json(outcome: Outcome[Any]) -> list[Any]:
    return [step_json(step) for step in outcome.steps]


def _named(table: Table, entry: Entry) -> str:
    now = game_of(table).version
    rules = f"rules {entry.rules}" if entry.rules == now else f"rules {entry.rules}, now {now}"
    return f"entry {entry.number} ({rules})"


def _reason(table: Table, error: Exception) -> str:
    return render(game_of(table), error.message) if isinstance(error, Refused) else repr(error)


# Resuming a table whose journal does not fold


def resume_from_position(*, table: Table, phase: str | None = None) -> int:
    """Append a position built from the mirror to a journal that does not fold; return its number.

    ``phase`` is the phase to resume in, by default the current one. Raises ``Refusal`` if the journal folds,
    ``Unfoldable`` if the rules refuse the position.
    """

    def attempt() -> int:
        if _examine(table)[1]:
            raise Refusal("nothing", _("The journal of this table folds; it needs no position."))
        action = _position(table, phase or table.phase)
        try:
            outcome = game_of(table).apply(agreed_at(table, table.head), action)
        except NOT_FOLDING as error:
            raise Unfoldable(_reason(table, error)) from None
        return _append(table, action, outcome)

    return with_latest(table, attempt)


def _append(table: Table, action: Position, outcome: Outcome[Any]) -> int:
    game, number, parent = game_of(table), table.latest + 1, table.head
    by_host = mirror.ENDED_BY_HOST if table.ended_by_host else ()
    derived = mirror.derived_columns(game, outcome.state)
    columns = {name: value for name, value in derived.items() if name not in by_host}
    bump_version(table, head=number, latest=number, **columns)
    mirror.rebuild(table, game, [outcome.state])
    Entry.objects.create(
        table=table,
        number=number,
        parent=parent,
        faction=action.faction,
        action=action_json(action),
        steps=_steps_json(outcome),
        rules=game.version,
        version=table.version,
    )
    cache_state(table, number, outcome.state)
    return number


def _position(table: Table, phase: str) -> Position:
    turn = next(iter(table.waiting_for), None)
    data = {
        "type": Position.type,
        "round": table.round,
        "phase": phase,
        "order": table.order,
        "turn": turn,
        "holdings": _holdings(table),
    }
    action = game_of(table).read_action(data, turn or table.order[0])
    assert isinstance(action, Position)  # noqa: S101 - for the type checker
    return action


def _holdings(table: Table) -> list[dict[str, Any]]:
    """Return the holdings of the mirror outside the supply; piles in the journal's order if both agree."""
    rows = list(table.holdings.order_by("place", "owner", "piece"))
    lines = [(row.owner, row.piece, row.place, row.count) for row in rows]
    ledger = _ledger_from_steps(table)
    if ledger is not None and sorted(map(tuple, ledger.holdings())) == sorted(lines):
        piles = ledger.to_json().items()
        lines = [(owner, piece, place, count) for place, pile in piles for owner, piece, count in pile]
    return [
        {"owner": owner, "piece": piece, "place": place, "count": count}
        for owner, piece, place, count in lines
        if place != SUPPLY
    ]


def _ledger_from_steps(table: Table) -> Ledger | None:
    """Return the ledger after the moves of the stored steps, independent of the rules; None if impossible."""
    entries = {entry.number: entry for entry in table.entries.all()}
    game = game_of(table)
    ledger: Ledger = game.start(setup_of(table)).state.ledger
    try:
        for number in path_of(table)[1:]:
            entry = entries[number]
            if entry.action["type"] == Position.type:
                action = game.read_action(entry.action, entry.faction)
                ledger = game.apply(agreed_at(table, entry.parent), action).state.ledger
            moves = [move for step in entry.steps for move in read_step(step).all_moves()]
            ledger = ledger.move(*moves)
    except (NotThere, Refused):
        return None
    return ledger

"""Looking after tables: whether the journal still folds, and whether the mirror shows what it says."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from companion import mirror
from companion.models import Entry, Table
from companion.states import State, anew, game_of, path_of
from companion.tables.changes import change, on_newest, unchanged
from companion.wording import render
from games.core.errors import NotThere, Refused, Runaway
from games.core.steps import Outcome, step_json


class Unfoldable(Exception):  # noqa: N818 - says what the journal is
    """The rules refuse an entry of the journal that they once accepted."""


@dataclass(slots=True)
class Findings:
    """What is wrong with a started table; empty when nothing is."""

    journal: list[str] = field(default_factory=list)
    mirror: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        shown = [f"mirror: {', '.join(self.mirror)}"] if self.mirror else []
        return "; ".join([*self.journal, *shown])


def examine(*, table: Table) -> Findings:
    """Fold a started table again and compare it with the stored steps and the mirror. Changes nothing."""
    return unchanged(table, lambda: _examine(table)[0])


def rebuild_mirror(*, table: Table) -> bool:
    """Bring the mirror of a started table to what its journal says; whether it said something else.

    Raises ``Unfoldable``.
    """

    def attempt() -> bool:
        findings, states = _examine(table)
        if not states:
            raise Unfoldable(str(findings))
        if findings.mirror:
            _rebuild(table, states)
        return bool(findings.mirror)

    return on_newest(table, attempt)


def _rebuild(table: Table, states: list[State]) -> None:
    game = game_of(table)
    by_hand = mirror.ENDED_BY_HAND if table.closed else ()
    columns = mirror.where_it_stands(game, states[-1])
    change(table, **{name: value for name, value in columns.items() if name not in by_hand})
    mirror.rebuild(table, game, states)
    path = path_of(table)
    table.entries.filter(number__in=path).update(undone=False)
    table.entries.exclude(number__in=path).update(undone=True)


def _examine(table: Table) -> tuple[Findings, list[State]]:
    """What is wrong, and the states of the entries that count; none if the journal does not fold."""
    findings = Findings()
    entries = {entry.number: entry for entry in table.entries.all()}
    states: dict[int, State] = {}
    try:
        for number, outcome in anew(table):
            states[number] = outcome.state
            if number and entries[number].steps != _steps_json(outcome):
                findings.journal.append(f"{_named(table, entries[number])} leads to other steps")
    except (Refused, NotThere, Runaway) as error:
        refused = next(entry for number, entry in entries.items() if number not in states)
        findings.journal.append(f"{_named(table, refused)} is refused: {_reason(table, error)}")
        return findings, []
    path = path_of(table)
    along = [states[number] for number in path]
    findings.mirror += mirror.differences(table, game_of(table), along)
    if any(entry.undone == (number in path) for number, entry in entries.items()):
        findings.mirror.append("undone")
    return findings, along


def _steps_json(outcome: Outcome[Any]) -> list[Any]:
    return [step_json(step) for step in outcome.steps]


def _named(table: Table, entry: Entry) -> str:
    now = game_of(table).version
    rules = f"rules {entry.rules}" if entry.rules == now else f"rules {entry.rules}, now {now}"
    return f"entry {entry.number} ({rules})"


def _reason(table: Table, error: Exception) -> str:
    return render(game_of(table), error.message) if isinstance(error, Refused) else repr(error)

"""Mending: changing or dropping an earlier entry, and replaying the later ones.

Rows are never overwritten. The mended entry and all later ones are marked undone; the changed entry and the
later ones that are still legal are appended under new numbers. Each appended entry stores the number it
had before (``origin``, a chain that leads back to the first row), and keeps its time, its seat and the
reason of an earlier mend. A later entry that is not legal any more is dropped; a notice says so.

Overruling is mending the entry that led to a result: a ruling is added to its action.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from companion.access.table_access import SPECTATOR, TableAccess, refuse_stranger
from companion.errors import Refusal
from companion.journal import mirror, secrets
from companion.journal.omissions import entry_numbers
from companion.journal.states import State, cache_state, course_of, game_of, state_at
from companion.journal.submit import idempotent, outcome_of, refuse_unless_playable, set_state
from companion.journal.validation import validate_json
from companion.journal.versions import add_notice, read_consistent, with_latest
from companion.models import Entry, Notice, Table, Tick
from games.core.codec import Json
from games.core.rulings import REASONS
from games.core.steps import Outcome, Step, read_step, step_json

# Reasons that the page offers; players may also write their own.
MEND_REASONS = (*REASONS, "miscounted")
LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Rewritten:
    """An entry as it will be appended again."""

    entry: Entry
    action: Json
    outcome: Outcome[Any]


@dataclass(frozen=True, slots=True)
class Broken:
    """A later entry that is not legal any more, and the reason."""

    entry: Entry
    why: Refusal

    @property
    def number(self) -> int:
        return self.entry.number


@dataclass(frozen=True, slots=True)
class Plan:
    """The effects of a mend on a table of this version, before it is carried out."""

    version: int
    entry: Entry  # the entry to change or drop
    changed: Rewritten | None  # None if it is dropped
    following: tuple[Rewritten, ...]
    broken: tuple[Broken, ...]
    before: State
    after: State
    withheld: bool  # the effects depend on entries that are hidden from the viewer

    @property
    def holds(self) -> list[int]:
        """Return the numbers of the later entries that are still legal."""
        return [rewritten.entry.number for rewritten in self.following]

    @property
    def written(self) -> tuple[Rewritten, ...]:
        """Return all entries that will be appended."""
        return (*([self.changed] if self.changed else []), *self.following)


@dataclass(frozen=True, slots=True)
class Mended:
    """The result of a mend: ``number`` is the new entry, or the one that was dropped."""

    version: int
    number: int
    dropped: list[int]  # later entries that were not legal any more


def plan(
    *, table: Table, number: int, action: Any, faction: str | None = None, access: TableAccess = SPECTATOR
) -> Plan:
    """Return what would follow if an entry were changed, or dropped (``action`` None). Raises ``Refusal``."""
    validate_json([faction, action])

    def read() -> Plan:
        refuse_unless_playable(table)
        return _plan(table, number, action, faction, access)

    return read_consistent(table, read)


def mend(  # noqa: PLR0913 - keyword-only
    *,
    table: Table,
    access: TableAccess,
    number: int,
    action: Any,
    faction: str | None,
    reason: str,
    version: int,
    key: str | None = None,
) -> Mended:
    """Carry out the plan for this version. Raises ``Refusal`` without changing anything."""
    cleaned = clean_reason(reason)
    validate_json([faction, action])

    def do() -> int:
        if table.version != version:
            raise Refusal("gone", _("The table has changed since. Please look at what would change now."))
        return _mend(table, _plan(table, number, action, faction, access), cleaned)

    def attempt() -> Mended:
        refuse_stranger(access)
        accepted = idempotent(table, key, ["mend", number, action, faction, cleaned, version], do)
        return Mended(accepted.version, accepted.number, _dropped(table, accepted.version))

    return with_latest(table, attempt)


def clean_reason(reason: str) -> str:
    """Return the reason of a mend with normalised whitespace. Raises ``Refusal`` if empty or too long."""
    validate_json(reason)
    cleaned = " ".join(reason.split())
    if not 0 < len(cleaned) <= LONGEST_REASON:
        raise Refusal(
            "bad-input",
            _("Please say why, in 1 to %(most)d characters.") % {"most": LONGEST_REASON},
        )
    return cleaned


# Planning


def _plan(table: Table, number: int, action: Any, faction: str | None, access: TableAccess) -> Plan:
    entries = list(table.entries.filter(undone=False, number__gte=number).select_related("seat"))
    if not entries or entries[0].number != number:
        raise _no_such_entry(table, number)
    entry, later = entries[0], entries[1:]
    if faction is not None and faction != entry.faction:
        raise Refusal("bad-input", _("An entry stays with the faction that made it."))
    state = state_at(table, entry.parent)
    changed = None
    if action is not None:
        secrets.refuse_to_change(table, access.seats, entry)
        changed = _changed(table, state, entry, action)
        state = changed.outcome.state
    following, broken, after = _replay(table, state, later)
    before = state_at(table, table.head)
    withheld = _is_withheld(table, access, later, before, after)
    return Plan(table.version, entry, changed, tuple(following), tuple(broken), before, after, withheld)


def _is_withheld(
    table: Table, access: TableAccess, later: Iterable[Entry], before: State, after: State
) -> bool:
    """Return whether the effects would disclose a secret: a later entry is hidden, or would be revealed."""
    hidden = secrets.hidden_from(table, access.seats)
    return bool(hidden) and (
        any(entry.number in hidden for entry in later) or game_of(table).reveals(before, after)
    )


def _no_such_entry(table: Table, number: int) -> Refusal:
    if table.entries.filter(number=number).exists():
        return Refusal("gone", _("This entry does not count any more."))
    return Refusal("unknown", _("There is no such entry."))


def _changed(table: Table, state: State, entry: Entry, action: Any) -> Rewritten:
    entered, outcome = outcome_of(table, state, entry.faction, action, now=state_at(table, table.head))
    if entered == entry.action:
        raise Refusal("nothing", _("This is what was entered already."))
    return Rewritten(entry, entered, outcome)


def _replay(
    table: Table, state: State, later: Iterable[Entry]
) -> tuple[list[Rewritten], list[Broken], State]:
    """Apply the later entries in order; return those accepted, those refused, and the last state."""
    following, broken = [], []
    for entry in later:
        try:
            entered, outcome = outcome_of(table, state, entry.faction, entry.action)
        except Refusal as why:
            broken.append(Broken(entry, why))
        else:
            following.append(Rewritten(entry, entered, outcome))
            state = outcome.state
    return following, broken, state


# Mending


def _mend(table: Table, plan: Plan, reason: str) -> int:
    parent, first = plan.entry.parent, table.latest + 1
    numbers = range(first, first + len(plan.written))
    set_state(table, plan.after, head=numbers[-1] if numbers else parent, latest=first + len(numbers) - 1)
    table.entries.filter(undone=False, number__gte=plan.entry.number).update(undone=True)
    rows = []
    for number, rewritten in zip(numbers, plan.written, strict=True):
        row_reason = reason if rewritten is plan.changed else rewritten.entry.reason
        rows.append(_row(table, number, parent, rewritten, row_reason))
        cache_state(table, number, rewritten.outcome.state)
        parent = number
    Entry.objects.bulk_create(rows, batch_size=100)
    _copy_ticks(table, rows, plan)
    mirror.rebuild(table, game_of(table), [state for _number, state in course_of(table)])
    _add_notices(table, plan, reason)
    return first if plan.changed else plan.entry.number


def _row(table: Table, number: int, parent: int, rewritten: Rewritten, reason: str) -> Entry:
    return Entry(
        table=table,
        number=number,
        parent=parent,
        faction=rewritten.entry.faction,
        action=rewritten.action,
        steps=[step_json(step) for step in rewritten.outcome.steps],
        rules=game_of(table).version,
        version=table.version,
        seat=rewritten.entry.seat,
        created_at=rewritten.entry.created_at,
        origin=rewritten.entry.number,
        mended_at=timezone.now(),
        reason=reason,
    )


def _copy_ticks(table: Table, rows: Iterable[Entry], plan: Plan) -> None:
    """Copy the ticks of entries whose steps are unchanged: their pieces need not be moved again."""
    new_numbers = {
        rewritten.entry.number: row.number
        for row, rewritten in zip(rows, plan.written, strict=True)
        if row.steps == rewritten.entry.steps
    }
    ticks = Tick.objects.filter(table=table, number__in=new_numbers)
    Tick.objects.bulk_create([Tick(table=table, number=new_numbers[t.number], line=t.line) for t in ticks])


def _add_notices(table: Table, plan: Plan, reason: str) -> None:
    code = "mended" if plan.changed else "left-out"
    add_notice(table, code, number=str(plan.entry.number), reason=reason)
    if plan.broken:
        numbers = ", ".join(str(broken.number) for broken in plan.broken)
        add_notice(table, "no-longer-held", numbers=numbers, version=str(table.version))


def _dropped(table: Table, version: int) -> list[int]:
    """Return the later entries that the mend leading to this version dropped, read from its notice."""
    notice = Notice.objects.filter(table=table, code="no-longer-held", params__version=str(version)).first()
    return entry_numbers(notice) if notice else []


# Overruling


def overrulable(entry: Entry) -> list[Step]:
    """Return the steps of an entry that the players can overrule: those with a key."""
    return [step for stored in entry.steps for step in read_step(stored).all_steps() if step.key]


def with_ruling(entry: Entry, key: str, result: Json, reason: str) -> Json:
    """Return the action of an entry with a ruling added; other rulings stay."""
    rulings = {**entry.action.get("rulings", {}), key: {"result": result, "reason": reason}}
    return {**entry.action, "rulings": rulings}


def without_ruling(entry: Entry, key: str) -> Json:
    """Return the action of an entry without a ruling, so that the rules decide again."""
    rulings = {name: ruling for name, ruling in entry.action.get("rulings", {}).items() if name != key}
    return {**entry.action, "rulings": rulings}

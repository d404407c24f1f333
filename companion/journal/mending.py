"""Mending: an earlier entry becomes another one, or is left out, and the rest is played again.

Entries are never changed. The mended entry and all that follow it are marked undone, and the new
one is appended with whatever still holds, under new numbers. Each of them knows the number it had
just before (``origin``; followed back through the rows it leads to the first one), keeps its time
and its seat, and the reason it was once mended for. An entry that no longer holds is left out; a
notice tells everybody.

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
from companion.journal.omissions import numbers_told
from companion.journal.states import State, course_of, game_of, keep, state_at
from companion.journal.submit import idempotent, outcome_of, refuse_unless_going_on, stand_at
from companion.journal.validation import validate_json
from companion.journal.versions import notice, unchanged, with_latest
from companion.models import Entry, Notice, Table, Tick
from games.core.codec import Json
from games.core.rulings import REASONS
from games.core.steps import Outcome, Step, read_step, step_json

# What a page offers as the reason of a mend; others are people's own words.
MEND_REASONS = (*REASONS, "miscounted")
LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Rewritten:
    """An entry as it will be written again."""

    entry: Entry
    action: Json
    outcome: Outcome[Any]


@dataclass(frozen=True, slots=True)
class Broken:
    """A later entry that no longer holds, and why."""

    entry: Entry
    why: Refusal

    @property
    def number(self) -> int:
        return self.entry.number


@dataclass(frozen=True, slots=True)
class Plan:
    """What a mend would do to a table of this version. Nothing has changed yet."""

    version: int
    entry: Entry  # that is changed or left out
    changed: Rewritten | None  # None: it is left out
    following: tuple[Rewritten, ...]
    broken: tuple[Broken, ...]
    before: State
    after: State
    withheld: bool  # what follows depends on what is hidden from whoever asks

    @property
    def holds(self) -> list[int]:
        """The later entries that still hold."""
        return [one.entry.number for one in self.following]

    @property
    def written(self) -> tuple[Rewritten, ...]:
        """Everything that will be appended."""
        return (*([self.changed] if self.changed else []), *self.following)


@dataclass(frozen=True, slots=True)
class Mended:
    """What a mend led to: ``number`` is the new entry, or the one that was left out."""

    version: int
    number: int
    dropped: list[int]  # later entries that no longer held


def plan(
    *, table: Table, number: int, action: Any, faction: str | None = None, access: TableAccess = SPECTATOR
) -> Plan:
    """What becomes of the game if an entry had been another one, or none. Raises ``Refusal``; changes no row."""
    validate_json([faction, action])

    def read() -> Plan:
        refuse_unless_going_on(table)
        return _plan(table, number, action, faction, access)

    return unchanged(table, read)


def mend(  # noqa: PLR0913 - all by name
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
    """Do what a plan for this version showed. Raises ``Refusal``; then nothing has changed."""
    why = clean_reason(reason)
    validate_json([faction, action])

    def do() -> int:
        if table.version != version:
            raise Refusal("gone", _("The table has changed since. Please look at what would change now."))
        return _mend(table, _plan(table, number, action, faction, access), why)

    def attempt() -> Mended:
        refuse_stranger(access)
        accepted = idempotent(table, key, ["mend", number, action, faction, why, version], do)
        return Mended(accepted.version, accepted.number, _dropped(table, accepted.version))

    return with_latest(table, attempt)


def clean_reason(reason: str) -> str:
    """Why something is mended, without spaces around it. Raises ``Refusal``."""
    validate_json(reason)
    why = " ".join(reason.split())
    if not 0 < len(why) <= LONGEST_REASON:
        raise Refusal(
            "bad-input",
            _("Please say why, in 1 to %(most)d characters.") % {"most": LONGEST_REASON},
        )
    return why


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
    following, broken, after = _play_again(table, state, later)
    before = state_at(table, table.head)
    withheld = _is_withheld(table, access, later, before, after)
    return Plan(table.version, entry, changed, tuple(following), tuple(broken), before, after, withheld)


def _is_withheld(
    table: Table, access: TableAccess, later: Iterable[Entry], before: State, after: State
) -> bool:
    """Whether what follows would tell a secret: if a later entry is one, or if one would be revealed."""
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


def _play_again(
    table: Table, state: State, later: Iterable[Entry]
) -> tuple[list[Rewritten], list[Broken], State]:
    """Each entry in its turn on what came of those before; what is refused is left out."""
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
    stand_at(table, plan.after, head=numbers[-1] if numbers else parent, latest=first + len(numbers) - 1)
    table.entries.filter(undone=False, number__gte=plan.entry.number).update(undone=True)
    rows = []
    for number, one in zip(numbers, plan.written, strict=True):
        why = reason if one is plan.changed else one.entry.reason
        rows.append(_row(table, number, parent, one, why))
        keep(table, number, one.outcome.state)
        parent = number
    Entry.objects.bulk_create(rows, batch_size=100)
    _take_ticks_along(table, rows, plan)
    mirror.rebuild(table, game_of(table), [state for _number, state in course_of(table)])
    _tell(table, plan, reason)
    return first if plan.changed else plan.entry.number


def _row(table: Table, number: int, parent: int, one: Rewritten, reason: str) -> Entry:
    return Entry(
        table=table,
        number=number,
        parent=parent,
        faction=one.entry.faction,
        action=one.action,
        steps=[step_json(step) for step in one.outcome.steps],
        rules=game_of(table).version,
        version=table.version,
        seat=one.entry.seat,
        created_at=one.entry.created_at,
        origin=one.entry.number,
        mended_at=timezone.now(),
        reason=reason,
    )


def _take_ticks_along(table: Table, rows: Iterable[Entry], plan: Plan) -> None:
    """What hands have done already need not be done again, where it is the same as before."""
    now = {
        one.entry.number: row.number
        for row, one in zip(rows, plan.written, strict=True)
        if row.steps == one.entry.steps
    }
    ticks = Tick.objects.filter(table=table, number__in=now)
    Tick.objects.bulk_create([Tick(table=table, number=now[t.number], line=t.line) for t in ticks])


def _tell(table: Table, plan: Plan, reason: str) -> None:
    code = "mended" if plan.changed else "left-out"
    notice(table, code, number=str(plan.entry.number), reason=reason)
    if plan.broken:
        numbers = ", ".join(str(one.number) for one in plan.broken)
        notice(table, "no-longer-held", numbers=numbers, version=str(table.version))


def _dropped(table: Table, version: int) -> list[int]:
    """The later entries that the mend which led to this version left out, as everybody was told."""
    told = Notice.objects.filter(table=table, code="no-longer-held", params__version=str(version)).first()
    return numbers_told(told) if told else []


# Overruling


def overrulable(entry: Entry) -> list[Step]:
    """The results of an entry that the table can rule differently: each step that has a key."""
    return [step for kept in entry.steps for step in read_step(kept).all_steps() if step.key]


def ruled(entry: Entry, key: str, result: Json, reason: str) -> Json:
    """The action of an entry with a ruling added; other rulings are kept."""
    rulings = {**entry.action.get("rulings", {}), key: {"result": result, "reason": reason}}
    return {**entry.action, "rulings": rulings}


def unruled(entry: Entry, key: str) -> Json:
    """The action of an entry without a ruling: the rules decide again."""
    rulings = {name: ruling for name, ruling in entry.action.get("rulings", {}).items() if name != key}
    return {**entry.action, "rulings": rulings}

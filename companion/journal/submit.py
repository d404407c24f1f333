"""Entries of the journal: submit, preview, undo, redo, going back; and ticks of the hands list."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from companion.access.table_access import TableAccess, refuse_if_lost, refuse_stranger, refuse_unless_for
from companion.errors import Refusal
from companion.journal import breaks, mirror, todo
from companion.journal.states import State, cache_state, course_of, game_of, setup_of, state_at
from companion.journal.validation import validate_json
from companion.journal.versions import bump_version, with_latest
from companion.models import Entry, IdempotencyKey, Status, Table, Tick
from companion.wording import refusal
from games.core.actions import Position, action_json
from games.core.errors import Refused
from games.core.steps import Outcome, Step, read_step, step_json

LONGEST_KEY = 64


@dataclass(frozen=True, slots=True)
class Accepted:
    """The response to an accepted submission."""

    version: int
    number: int


def submit(
    *, table: Table, access: TableAccess, faction: str, action: Any, key: str | None = None
) -> Accepted:
    """Append an entry, validated against the latest state. Raises ``Refusal`` without changing anything."""
    validate_json([faction, action])

    def attempt() -> Accepted:
        refuse_unless_for(access, faction)
        return idempotent(
            table, key, ["action", faction, action], lambda: _submit(table, access, faction, action)
        )

    return with_latest(table, attempt)


def _submit(table: Table, access: TableAccess, faction: str, action: Any) -> int:
    before = state_at(table, table.head)
    entered, outcome = outcome_of(table, before, faction, action, now=before)
    seat = access.seat_for(faction)
    if seat and entered["type"] in game_of(table).secrets:
        refuse_if_lost(seat)  # otherwise the phone that took it over would see the secret
    number, parent = table.latest + 1, table.head
    _move_to(table, before, outcome.state, head=number, latest=number)
    breaks.end_current(table)
    Entry.objects.create(
        table=table,
        number=number,
        parent=parent,
        faction=faction,
        action=entered,
        steps=[step_json(step) for step in outcome.steps],
        rules=game_of(table).version,
        version=table.version,
        seat=seat,
    )
    cache_state(table, number, outcome.state)
    return number


def preview(*, table: Table, access: TableAccess, faction: str, action: Any) -> Outcome[Any]:
    """Return the outcome of an action without storing it, up to the first secret it would reveal."""
    validate_json([faction, action])
    refuse_unless_for(access, faction)
    refuse_unless_playable(table)
    game = game_of(table)
    try:
        return game.foresee(state_at(table, table.head), game.read_action(action, faction))
    except Refused as refused:
        raise refusal(game, refused) from None


def outcome_of(
    table: Table, state: State, faction: str, data: Any, now: State | None = None
) -> tuple[Any, Outcome[Any]]:
    """Return the action as it is stored, and its outcome. Raises ``Refusal``.

    ``now`` is the current state if a player enters the action now: its rulings may not concern secrets of
    that state, since the response would disclose them.
    """
    game = game_of(table)
    try:
        action = game.read_action(data, faction)
        if now is not None and action.rulings and game.secrets:
            game.foresee(state, action, now)
        return action_json(action), game.apply(state, action)
    except Refused as refused:
        raise refusal(game, refused) from None


def refuse_unless_playable(table: Table) -> None:
    if table.status == Status.OPEN:
        raise Refusal("illegal", _("The game has not begun yet."))
    if table.ended_by_host:
        raise Refusal("illegal", _("This game was ended. The host can reopen it."))


def _move_to(table: Table, before: State, after: State, **columns: Any) -> None:
    """Move the table to another state, and sync the mirror."""
    set_state(table, after, **columns)
    mirror.sync(table, game_of(table), before, after)


def set_state(table: Table, after: State, **columns: Any) -> None:
    """Set the derived columns of the table; the caller syncs the mirror."""
    columns |= mirror.derived_columns(game_of(table), after)
    ended = columns["status"] == Status.FINISHED
    bump_version(table, ended_at=(table.ended_at or timezone.now()) if ended else None, **columns)
    if ended:
        breaks.end_current(table)


# Undo and redo


def undo(*, table: Table, access: TableAccess, number: int | None = None, key: str | None = None) -> Accepted:
    """Undo the newest entry that counts; refused if ``number`` is given and names another one."""

    def attempt() -> Accepted:
        refuse_stranger(access)
        return idempotent(table, key, ["undo", number], lambda: _undo(table, number))

    return with_latest(table, attempt)


def _undo(table: Table, number: int | None) -> int:
    if not table.head:
        _refuse_if_gone(table, number)
        raise Refusal("nothing", _("There is nothing to undo."))
    head = table.head
    _refuse_unless_next(number, head)
    parent = Entry.objects.values_list("parent", flat=True).get(table=table, number=head)
    _move_to(table, state_at(table, head), state_at(table, parent), head=parent)
    _mark_undone(table, after=parent)
    return head


def _mark_undone(table: Table, after: int) -> None:
    """Mark the entries after one as undone; rebuild the mirror if a position is among them.

    A position may have dropped the standings of rounds that count again now.
    """
    undone = Entry.objects.filter(table=table, number__gt=after, undone=False)
    actions = undone.values_list("action", flat=True)
    if any(action["type"] == Position.type for action in actions):
        mirror.rebuild(table, game_of(table), [state for _number, state in course_of(table)])
    undone.update(undone=True)


def redo(*, table: Table, access: TableAccess, number: int | None = None, key: str | None = None) -> Accepted:
    """Restore the entry that was undone last, unless another one was made since."""

    def attempt() -> Accepted:
        refuse_stranger(access)
        return idempotent(table, key, ["redo", number], lambda: _redo(table, number))

    return with_latest(table, attempt)


def _redo(table: Table, number: int | None) -> int:
    following = next_redo(table)
    if following is None:
        _refuse_if_gone(table, number)
        raise Refusal("nothing", _("There is nothing to redo."))
    _refuse_unless_next(number, following.number)
    _move_to(table, state_at(table, table.head), state_at(table, following.number), head=following.number)
    table.entries.filter(pk=following.pk).update(undone=False)
    return following.number


def next_redo(table: Table) -> Entry | None:
    """Return the entry that a redo restores: the newest child of the current head, or None."""
    return Entry.objects.filter(table=table, parent=table.head).order_by("-number").first()


def back_to(*, table: Table, access: TableAccess, number: int) -> Accepted:
    """Undo all entries after one that counts; 0 is the start. Redo restores them one by one."""

    def attempt() -> Accepted:
        refuse_stranger(access)
        refuse_unless_playable(table)
        if number and not table.entries.filter(number=number, undone=False).exists():
            raise Refusal("gone", _("This entry does not count any more."))
        if number == table.head:
            raise Refusal("nothing", _("The game stands there already."))
        _move_to(table, state_at(table, table.head), state_at(table, number), head=number)
        _mark_undone(table, after=number)
        return Accepted(table.version, number)

    return with_latest(table, attempt)


def _refuse_unless_next(number: int | None, next_number: int) -> None:
    if number is not None and number != next_number:
        raise _no_longer_next()


def _refuse_if_gone(table: Table, number: int | None) -> None:
    """Raise ``Refusal`` if the named entry exists, since then another request was faster."""
    if number is not None and table.entries.filter(number=number).exists():
        raise _no_longer_next()


def _no_longer_next() -> Refusal:
    return Refusal("gone", _("Somebody else was faster; this entry is no longer next."))


# Hands list


def tick(*, table: Table, access: TableAccess, number: int, line: int, done: bool) -> None:
    """Tick or untick a line of an entry's hands list."""
    refuse_stranger(access)

    def attempt() -> None:
        if not 0 <= line < todo.count_lines(_steps(table, number)):
            raise Refusal("unknown", _("There is no such line to tick."))
        ticks = Tick.objects.filter(table=table, number=number, line=line)
        if ticks.exists() == done:
            return
        bump_version(table)
        if done:
            Tick.objects.create(table=table, number=number, line=line)
        else:
            ticks.delete()

    with_latest(table, attempt)


def tick_all(*, table: Table, access: TableAccess, number: int) -> None:
    """Tick all lines of an entry's hands list."""
    refuse_stranger(access)

    def attempt() -> None:
        ticked = Tick.objects.filter(table=table, number=number).values_list("line", flat=True)
        missing = sorted(set(range(todo.count_lines(_steps(table, number)))) - set(ticked))
        if missing:
            bump_version(table)
            Tick.objects.bulk_create(Tick(table=table, number=number, line=line) for line in missing)

    with_latest(table, attempt)


def _steps(table: Table, number: int) -> Iterable[Step]:
    """Return the steps of an entry; 0 is the setup. Raises ``Refusal`` if there is no such entry."""
    if table.setup is not None and not number:
        return game_of(table).start(setup_of(table)).steps
    entry = table.entries.filter(number=number).first()
    if entry is None:
        raise Refusal("unknown", _("There is no such entry."))
    return map(read_step, entry.steps)


# Idempotency keys


def idempotent(table: Table, key: str | None, request: list[Any], do: Callable[[], int]) -> Accepted:
    """Run ``do`` once per idempotency key, and return the stored response for repeated requests.

    Raises ``Refusal`` if the key was used for a different request.
    """
    digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
    stored = _stored_response(table, key, digest)
    if stored:
        return stored
    refuse_unless_playable(table)
    number = do()
    if key is not None:
        IdempotencyKey.objects.create(
            table=table, key=key, digest=digest, number=number, version=table.version
        )
    return Accepted(table.version, number)


def _stored_response(table: Table, key: str | None, digest: str) -> Accepted | None:
    """Return the response to an earlier request with this key, or None."""
    if key is None:
        return None
    validate_json(key)
    if not 0 < len(key) <= LONGEST_KEY:
        raise Refusal("bad-input", _("A key has 1 to %(most)d characters.") % {"most": LONGEST_KEY})
    stored = IdempotencyKey.objects.filter(table=table, key=key).first()
    if stored is None:
        return None
    if stored.digest != digest:
        raise Refusal("key", _("This key was used for something else already."))
    return Accepted(stored.version, stored.number)

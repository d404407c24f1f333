"""Playing: submit, preview, undo, redo, go back, tick."""

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
from companion.journal.states import State, course_of, game_of, keep, setup_of, state_at
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
    """What a submission led to."""

    version: int
    number: int


def submit(
    *, table: Table, access: TableAccess, faction: str, action: Any, key: str | None = None
) -> Accepted:
    """Append an entry, judged against the newest state. Raises ``Refusal``; then nothing has changed."""
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
        refuse_if_lost(seat)  # whoever took it over would see what it enters
    number, parent = table.latest + 1, table.head
    _stand(table, before, outcome.state, head=number, latest=number)
    breaks.end_with(table)  # who enters something plays
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
    keep(table, number, outcome.state)
    return number


def preview(*, table: Table, access: TableAccess, faction: str, action: Any) -> Outcome[Any]:
    """What an entry would lead to, as far as nothing is revealed by it; nothing is kept."""
    validate_json([faction, action])
    refuse_unless_for(access, faction)
    refuse_unless_going_on(table)
    game = game_of(table)
    try:
        return game.foresee(state_at(table, table.head), game.read_action(action, faction))
    except Refused as refused:
        raise refusal(game, refused) from None


def outcome_of(
    table: Table, state: State, faction: str, data: Any, now: State | None = None
) -> tuple[Any, Outcome[Any]]:
    """The action as it is kept, and what it does.

    ``now`` is what people know who enter it for the first time: they may not rule on what is hidden
    there. It would be refused or not, or with these words or those, and so tell what it is.
    """
    game = game_of(table)
    try:
        action = game.read_action(data, faction)
        if now is not None and action.rulings and game.secrets:
            game.foresee(state, action, now)
        return action_json(action), game.apply(state, action)
    except Refused as refused:
        raise refusal(game, refused) from None


def refuse_unless_going_on(table: Table) -> None:
    if table.status == Status.OPEN:
        raise Refusal("illegal", _("The game has not begun yet."))
    if table.ended_by_host:
        raise Refusal("illegal", _("This game was ended. The host can reopen it."))


def _stand(table: Table, before: State, after: State, **columns: Any) -> None:
    """Let the table stand at another state."""
    stand_at(table, after, **columns)
    mirror.sync(table, game_of(table), before, after)


def stand_at(table: Table, after: State, **columns: Any) -> None:
    """Set the columns that say where the game stands; the rows of the mirror are left to the caller."""
    columns |= mirror.derived_columns(game_of(table), after)
    ended = columns["status"] == Status.FINISHED
    bump_version(table, ended_at=(table.ended_at or timezone.now()) if ended else None, **columns)
    if ended:
        breaks.end_with(table)


# Undo and redo


def undo(*, table: Table, access: TableAccess, number: int | None = None, key: str | None = None) -> Accepted:
    """Take back the newest entry that counts; ``number`` is the one the button named."""

    def attempt() -> Accepted:
        refuse_stranger(access)
        return idempotent(table, key, ["undo", number], lambda: _undo(table, number))

    return with_latest(table, attempt)


def _undo(table: Table, number: int | None) -> int:
    if not table.head:
        _refuse_if_gone(table, number)
        raise Refusal("nothing", _("There is nothing to undo."))
    head = table.head
    _refuse_unless_named(number, head)
    parent = Entry.objects.values_list("parent", flat=True).get(table=table, number=head)
    _stand(table, state_at(table, head), state_at(table, parent), head=parent)
    _give_back(table, after=parent)
    return head


def _give_back(table: Table, after: int) -> None:
    """Mark what counts after an entry undone. A position there may have put rounds away that are scored again now."""
    given_back = Entry.objects.filter(table=table, number__gt=after, undone=False)
    actions = given_back.values_list("action", flat=True)
    if any(action["type"] == Position.type for action in actions):
        mirror.rebuild(table, game_of(table), [state for _number, state in course_of(table)])
    given_back.update(undone=True)


def redo(*, table: Table, access: TableAccess, number: int | None = None, key: str | None = None) -> Accepted:
    """Bring back the entry that was undone last, unless something else was entered since."""

    def attempt() -> Accepted:
        refuse_stranger(access)
        return idempotent(table, key, ["redo", number], lambda: _redo(table, number))

    return with_latest(table, attempt)


def _redo(table: Table, number: int | None) -> int:
    following = next_redo(table)
    if following is None:
        _refuse_if_gone(table, number)
        raise Refusal("nothing", _("There is nothing to redo."))
    _refuse_unless_named(number, following.number)
    _stand(table, state_at(table, table.head), state_at(table, following.number), head=following.number)
    table.entries.filter(pk=following.pk).update(undone=False)
    return following.number


def next_redo(table: Table) -> Entry | None:
    """The newest entry made on the present state: what a redo brings back."""
    return Entry.objects.filter(table=table, parent=table.head).order_by("-number").first()


def back_to(*, table: Table, access: TableAccess, number: int) -> Accepted:
    """Undo everything after an entry that counts; 0 is the start. Redo leads forward again."""

    def attempt() -> Accepted:
        refuse_stranger(access)
        refuse_unless_going_on(table)
        if number and not table.entries.filter(number=number, undone=False).exists():
            raise Refusal("gone", _("This entry does not count any more."))
        if number == table.head:
            raise Refusal("nothing", _("The game stands there already."))
        _stand(table, state_at(table, table.head), state_at(table, number), head=number)
        _give_back(table, after=number)
        return Accepted(table.version, number)

    return with_latest(table, attempt)


def _refuse_unless_named(named: int | None, found: int) -> None:
    if named is not None and named != found:
        raise _no_longer_next()


def _refuse_if_gone(table: Table, named: int | None) -> None:
    """Nothing is next; whoever named an entry that there is was too late for it."""
    if named is not None and table.entries.filter(number=named).exists():
        raise _no_longer_next()


def _no_longer_next() -> Refusal:
    return Refusal("gone", _("Somebody else was faster; this entry is no longer next."))


# Hands


def tick(*, table: Table, access: TableAccess, number: int, line: int, done: bool) -> None:
    """Note that a line of the hands list of an entry is done, or not."""
    refuse_stranger(access)

    def attempt() -> None:
        if not 0 <= line < todo.how_many(_steps(table, number)):
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
    """Note that all hands are done with an entry."""
    refuse_stranger(access)

    def attempt() -> None:
        ticked = Tick.objects.filter(table=table, number=number).values_list("line", flat=True)
        missing = sorted(set(range(todo.how_many(_steps(table, number)))) - set(ticked))
        if missing:
            bump_version(table)
            Tick.objects.bulk_create(Tick(table=table, number=number, line=line) for line in missing)

    with_latest(table, attempt)


def _steps(table: Table, number: int) -> Iterable[Step]:
    """What an entry led to; 0 is setting up. Raises ``Refusal``."""
    if table.setup is not None and not number:
        return game_of(table).start(setup_of(table)).steps
    entry = table.entries.filter(number=number).first()
    if entry is None:
        raise Refusal("unknown", _("There is no such entry."))
    return map(read_step, entry.steps)


# Keys


def idempotent(table: Table, key: str | None, sent: list[Any], do: Callable[[], int]) -> Accepted:
    """Make, undo, redo or mend an entry and give its number; sent twice with one key it counts once."""
    digest = hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()
    earlier = _receipt(table, key, digest)
    if earlier:
        return earlier
    refuse_unless_going_on(table)
    number = do()
    if key is not None:
        IdempotencyKey.objects.create(
            table=table, key=key, digest=digest, number=number, version=table.version
        )
    return Accepted(table.version, number)


def _receipt(table: Table, key: str | None, digest: str) -> Accepted | None:
    """The answer an accepted submission with this key had."""
    if key is None:
        return None
    validate_json(key)
    if not 0 < len(key) <= LONGEST_KEY:
        raise Refusal("bad-input", _("A key has 1 to %(most)d characters.") % {"most": LONGEST_KEY})
    receipt = IdempotencyKey.objects.filter(table=table, key=key).first()
    if receipt is None:
        return None
    if receipt.digest != digest:
        raise Refusal("key", _("This key was used for something else already."))
    return Accepted(receipt.version, receipt.number)

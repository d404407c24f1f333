"""The state after an entry: folded from the journal, and cached in the process.

An entry points at its parent and never changes, so neither does the state after it: a cached state is
never stale. This holds only for committed entries, since a number that was rolled back is used again;
so a state enters the cache when its transaction is committed.

A ``position`` depends on nothing before it but the options and figures that were agreed on. So a game
whose earlier entries are refused by the current rules can still be continued from its last position.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from threading import get_ident
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from django.db import transaction
from django.utils.translation import gettext as _

from companion.cache import LruCache, register
from companion.errors import Refusal
from companion.models import Entry, Table
from companion.registry import rules_of
from games.core.actions import Position, SetFigure, SetOption
from games.core.codec import from_json
from games.core.errors import NotThere, Refused, Runaway
from games.core.game import AnyGame, Setup
from games.core.steps import Outcome

CACHED_STATES = 2_000  # about 3 kB each: states of one game share most of their parts
CACHED_RESULTS = 600  # of functions of recent states

T = TypeVar("T")

State = Any
Line = Mapping[str, Any]  # an entry: number, parent, faction, action

# Exceptions of ``apply`` for an entry that was accepted by an earlier version of the rules.
NOT_FOLDING = (Refused, NotThere, Runaway)
AGREED = (SetOption.type, SetFigure.type)


state_cache: LruCache[State] = register(LruCache("states", CACHED_STATES))
_results: LruCache[tuple[State, Any]] = register(LruCache("rules", CACHED_RESULTS))


@dataclass(frozen=True, slots=True, weakref_slot=True)
class _CacheOnCommit:
    """Callback of a transaction: put a state into the cache once its entry is committed."""

    key: tuple[int, int]
    state: State

    def __call__(self) -> None:
        state_cache.put(self.key, self.state)


# States of uncommitted entries, per thread. Only Django holds a strong reference to a callback: it runs it
# after the commit, and drops it on a rollback, also of a savepoint; then the state disappears from here.
_uncommitted: WeakValueDictionary[tuple[int, tuple[int, int]], _CacheOnCommit] = WeakValueDictionary()


def cache_state(table: Table, number: int, state: State) -> None:
    """Cache the state after an entry; until the entry is committed, for this transaction only."""
    callback = _CacheOnCommit((table.pk, number), state)
    _uncommitted[get_ident(), callback.key] = callback
    transaction.on_commit(callback)


def _cached(table: Table, number: int) -> State | None:
    key = (table.pk, number)
    uncommitted = _uncommitted.get((get_ident(), key))
    return uncommitted.state if uncommitted else state_cache.get(key)


def memoised(function: Callable[..., T], state: State, *args: Hashable) -> T:
    """Return ``function(state, *args)``, cached; states are immutable.

    The state is cached with the result, so that its id cannot be reused by another state.
    """
    key = (function, id(state), *args)
    cached = _results.get(key)
    if cached is None:
        cached = (state, function(state, *args))
        _results.put(key, cached)
    result: T = cached[1]
    return result


def game_of(table: Table) -> AnyGame:
    """Return the rules of a table: those of the game, or of its score pad."""
    return rules_of(table.game, table.options["mode"])


def setup_of(table: Table) -> Setup:
    return from_json(Setup, table.setup)


def state_at(table: Table, number: int) -> State:
    """Return the state after an existing entry of a started table; 0 is the start.

    Raises ``Refusal`` if the journal does not fold under the current rules.
    """
    state = _cached(table, number)
    if state is None:
        try:
            state = _fold(table, number)
        except NOT_FOLDING:
            raise Refusal(
                "gone", _("The rules have changed since then; this moment cannot be worked out any more.")
            ) from None
        cache_state(table, number, state)
    return state


def _fold(table: Table, number: int) -> State:
    """Fold from the nearest ancestor that is cached, or from the nearest position, to an entry."""
    if not number:
        return game_of(table).start(setup_of(table)).state
    last = _entries(table).get(number=number)
    before = _cached(table, last["parent"])
    if before is not None:
        return _apply(game_of(table), before, last).state
    entries = {e["number"]: e for e in _entries(table).filter(number__lte=number)}
    path: list[Line] = []
    at, state = number, None
    while state is None:
        path.append(entries[at])
        at = entries[at]["parent"]
        if is_position(path[-1]):
            state = _agreed(game_of(table), setup_of(table), entries, at)
        else:
            state = _cached(table, at) if at else state_at(table, 0)
    for entry in reversed(path):
        state = _apply(game_of(table), state, entry).state
    return state


def is_position(entry: Line) -> bool:
    return bool(entry["action"]["type"] == Position.type)


def agreed_at(table: Table, number: int) -> State:
    """Return the state that a position after an entry is applied to, even if that entry does not fold."""
    return _agreed(game_of(table), setup_of(table), {e["number"]: e for e in _entries(table)}, number)


def _agreed(game: AnyGame, setup: Setup, entries: Mapping[int, Line], number: int) -> State:
    """Return the start state with the options and figures that were agreed on up to an entry."""
    agreed = []
    while number:
        if entries[number]["action"]["type"] in AGREED:
            agreed.append(entries[number])
        number = entries[number]["parent"]
    state = game.start(setup).state
    for entry in reversed(agreed):
        with contextlib.suppress(*NOT_FOLDING):
            state = _apply(game, state, entry).state
    return state


def refold(table: Table) -> Iterator[tuple[int, Outcome[Any] | None]]:
    """Fold the start (0) and every entry, including undone ones, without using the cache."""
    entries = {entry["number"]: entry for entry in _entries(table).order_by("number")}
    return fold_all(game_of(table), setup_of(table), entries, path_of(table))


def fold_all(
    game: AnyGame, setup: Setup, entries: Mapping[int, Line], counting: Collection[int]
) -> Iterator[tuple[int, Outcome[Any] | None]]:
    """Yield the outcomes of the start (0) and of every entry of a journal, by number.

    The outcome is None for an entry that does not fold but is followed by a position that counts, since the
    game continues from there. Without such a position, raises what ``apply`` raises.
    """
    start = game.start(setup)
    yield 0, start
    last = max((n for n in counting if n and is_position(entries[n])), default=0)
    states = {0: start.state}
    for number, entry in entries.items():
        outcome = None
        before = states.get(entry["parent"])
        if before is None and is_position(entry):
            before = _agreed(game, setup, entries, entry["parent"])
        try:
            outcome = _apply(game, before, entry) if before is not None else None
        except NOT_FOLDING:
            if number >= last:
                raise
        if outcome is not None:
            states[number] = outcome.state
        yield number, outcome


def foldable_suffix(path: Sequence[int], states: Mapping[int, State]) -> list[State]:
    """Return the states of the longest suffix of a path whose entries all fold."""
    last_gap = max((at for at, number in enumerate(path) if number not in states), default=-1)
    return [states[number] for number in path[last_gap + 1 :]]


def course_of(table: Table) -> list[tuple[int, State]]:
    """Return the entries that count, from the start (0) to the head, each with the state after it.

    If an entry does not fold, it is left out with everything before the next position.
    """
    entries = {entry["number"]: entry for entry in _entries(table)}
    course: list[tuple[int, State]] = []
    state: State | None = None
    for number in path_of(table):
        before, state = state, _cached(table, number)
        if state is None:
            state = _next(table, entries, number, before)
        if state is None:
            course.clear()
        else:
            course.append((number, state))
    return course


def _next(table: Table, entries: Mapping[int, Line], number: int, before: State | None) -> State | None:
    """Return the state after an entry; None if it, or an entry before it, does not fold."""
    if not number:
        return game_of(table).start(setup_of(table)).state
    if before is None:
        if not is_position(entries[number]):
            return None
        before = _agreed(game_of(table), setup_of(table), entries, entries[number]["parent"])
    with contextlib.suppress(*NOT_FOLDING):
        return _apply(game_of(table), before, entries[number]).state
    return None


def path_of(table: Table) -> list[int]:
    """Return the entries that count, from the start (0) to the head."""
    parents = dict(Entry.objects.filter(table=table).values_list("number", "parent"))
    path = [table.head]
    while path[-1]:
        path.append(parents[path[-1]])
    return path[::-1]


def _entries(table: Table) -> Any:
    return Entry.objects.filter(table=table).values("number", "parent", "faction", "action")


def _apply(game: AnyGame, state: State, entry: Line) -> Outcome[Any]:
    return game.apply(state, game.read_action(entry["action"], entry["faction"]))

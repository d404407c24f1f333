"""Any mix of entries, undo, redo and what else happens ends where a fresh fold ends."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from companion.errors import Refusal
from companion.models import Table
from companion.states import game_of, kept, state_at
from companion.tables.play import Accepted, back_to, redo, submit, tick, undo
from tests.tables.sitting import FACTIONS, Sitting, assert_sound, offered, play

MODEST = settings(
    max_examples=20,
    stateful_step_count=25,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(MODEST, max_examples=150, stateful_step_count=50, derandomize=False, print_blob=True)


class Journal(RuleBasedStateMachine):
    """A table beside a plain model of it: entries by number, and the undo stack everybody knows."""

    sitting: Sitting

    @initialize(players=st.integers(2, 4))
    def begin(self, players: int) -> None:
        self.sitting = play(players)
        self.table = self.sitting.table
        self.behind = self.sitting.fresh()
        self.factions = FACTIONS[:players]
        self.parents: dict[int, int] = {}
        self.states: dict[int, Any] = {0: state_at(self.table, 0)}
        self.tip = 0
        self.undone: list[int] = []
        self.version = self.table.version
        self.sent: list[tuple[str, str, Any, Accepted]] = []

    # Entering

    def enter(self, table: Table, faction: str, action: Any, key: str | None = None) -> None:
        game = game_of(table)
        expected = game.apply(self.states[self.tip], game.read_action(action, faction)).state
        holder = self.sitting.holder(faction)
        accepted = submit(table=table, holder=holder, faction=faction, action=action, key=key)
        number = len(self.parents) + 1
        assert accepted.number == number
        self.parents[number], self.states[number] = self.tip, expected
        self.tip, self.undone = number, []
        self.moved_on(accepted.version)
        if key:
            self.sent.append((key, faction, action, accepted))

    def moved_on(self, version: int) -> None:
        assert version == self.version + 1
        self.version = version

    @rule(generator=st.randoms(use_true_random=False), with_key=st.booleans(), late=st.booleans())
    def enters_what_is_asked(self, generator: Any, *, with_key: bool, late: bool) -> None:
        if not game_of(self.table).prompts(self.states[self.tip]):
            return
        self.table.refresh_from_db()
        faction, action = offered(self.table, generator)
        key = f"key {len(self.parents)}" if with_key else None
        self.enter(self.behind if late else self.table, faction, action, key)

    @rule(who=st.integers(0, 3), x=st.integers(-3, 3), y=st.integers(-3, 3), count=st.integers(0, 30))
    def corrects(self, who: int, x: int, y: int, count: int) -> None:
        faction = self.factions[who % len(self.factions)]
        action = {
            "type": "correct",
            "owner": faction,
            "piece": "knight",
            "place": f"cell:{x},{y}",
            "count": count,
            "reason": "counted",
        }
        game = game_of(self.table)
        if game.why_not(self.states[self.tip], game.read_action(action, faction)):
            self.refused("illegal", lambda: self.enter_unchecked(faction, action))
        else:
            self.enter(self.table, faction, action)

    @rule(name=st.sampled_from(["must_move", "lone_knight"]), value=st.booleans())
    def changes_an_option(self, name: str, *, value: bool) -> None:
        self.enter(self.table, self.factions[0], {"type": "option", "name": name, "value": value})

    def enter_unchecked(self, faction: str, action: Any) -> None:
        submit(table=self.table, holder=self.sitting.holder(faction), faction=faction, action=action)

    # Refusals

    def refused(self, code: str, attempt: Any) -> None:
        with pytest.raises(Refusal) as found:
            attempt()
        assert found.value.code == code

    @rule()
    def enters_what_is_not_allowed(self) -> None:
        """Every tile lies once at most; nobody lays one far away."""
        action = {"type": "place", "tile": "plain", "at": [10, 10]}
        self.refused("illegal", lambda: self.enter_unchecked(self.factions[0], action))

    @rule(index=st.integers(0, 100))
    def sends_again(self, index: int) -> None:
        if not self.sent:
            return
        key, faction, action, accepted = self.sent[index % len(self.sent)]
        holder = self.sitting.holder(faction)
        again = submit(table=self.table, holder=holder, faction=faction, action=action, key=key)
        assert again == accepted
        self.refused(
            "key",
            lambda: submit(
                table=self.table, holder=holder, faction=faction, action={"type": "end", "x": 1}, key=key
            ),
        )

    # Back and forth

    @rule()
    def undoes(self) -> None:
        if not self.tip:
            self.refused("nothing", lambda: undo(table=self.table, holder=self.sitting.host))
            return
        accepted = undo(table=self.table, holder=self.sitting.host, number=self.tip)
        self.undone.append(self.tip)
        self.tip = self.parents[self.tip]
        self.moved_on(accepted.version)

    @rule()
    def redoes(self) -> None:
        if not self.undone:
            self.refused("nothing", lambda: redo(table=self.table, holder=self.sitting.host))
            return
        accepted = redo(table=self.table, holder=self.sitting.host)
        self.tip = self.undone.pop()
        assert accepted.number == self.tip
        self.moved_on(accepted.version)

    @rule(index=st.integers(0, 100))
    def goes_back(self, index: int) -> None:
        number = index % (len(self.parents) + 1)
        if number == self.tip or number not in self.path():
            code = "nothing" if number == self.tip else "gone"
            self.refused(code, lambda: back_to(table=self.table, holder=self.sitting.host, number=number))
            return
        accepted = back_to(table=self.table, holder=self.sitting.host, number=number)
        self.undone += [passed for passed in reversed(self.path()) if passed > number]
        self.tip = number
        self.moved_on(accepted.version)

    def path(self) -> list[int]:
        path = [self.tip]
        while path[-1]:
            path.append(self.parents[path[-1]])
        return path[::-1]

    # Around the game

    @rule(number=st.integers(0, 5), line=st.integers(0, 2), done=st.booleans())
    def ticks(self, number: int, line: int, *, done: bool) -> None:
        with contextlib.suppress(Refusal):
            tick(table=self.table, holder=self.sitting.host, number=number, line=line, done=done)
        assert self.table.version - self.version in (0, 1)
        self.version = self.table.version

    @rule()
    def forgets(self) -> None:
        kept.clear()

    @rule()
    def looks(self) -> None:
        assert_sound(self.table)

    @invariant()
    def stands_where_the_model_stands(self) -> None:
        if not hasattr(self, "sitting"):
            return
        table = self.sitting.fresh()
        assert (table.tip, table.last, table.version) == (self.tip, len(self.parents), self.version)
        entries = list(table.entries.values_list("number", "parent", "undone"))
        path = self.path()
        assert entries == [(n, parent, n not in path) for n, parent in sorted(self.parents.items())]
        assert state_at(table, self.tip) == self.states[self.tip]
        assert table.waiting_for == list(game_of(table).waiting_for(self.states[self.tip]))

    def teardown(self) -> None:
        if hasattr(self, "sitting"):
            assert_sound(self.table)


@pytest.mark.django_db(transaction=True)
def test_any_mix_of_what_happens_at_a_table() -> None:
    run_state_machine_as_test(Journal, settings=MODEST)


@pytest.mark.long
@pytest.mark.django_db(transaction=True)
def test_any_mix_of_what_happens_at_a_table_for_long() -> None:
    run_state_machine_as_test(Journal, settings=LONG)

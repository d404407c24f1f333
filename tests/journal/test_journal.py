"""Stateful test: any mix of operations leads to the state of a plain model and of a fresh fold."""

from __future__ import annotations

import contextlib
import functools
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from companion.cache import clear_all
from companion.errors import Refusal
from companion.journal.mending import mend, overrulable, plan, with_ruling
from companion.journal.states import game_of, state_at
from companion.journal.submit import Accepted, back_to, redo, submit, tick, undo
from companion.models import Table
from companion.tables.documents import read_document, write_document
from companion.tables.opening import Opened
from games.core.errors import Refused
from tests.tables.sitting import FACTIONS, Sitting, assert_sound, offered, play, play_on

QUICK = settings(
    max_examples=20,
    stateful_step_count=25,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
FEW = settings(QUICK, max_examples=8, stateful_step_count=15)
# Fewer examples, because each imports and folds a whole game.
LONG_END = settings(FEW, max_examples=30, stateful_step_count=25, derandomize=False, print_blob=True)
LONG = settings(QUICK, max_examples=150, stateful_step_count=50, derandomize=False, print_blob=True)


@functools.cache
def finished() -> Any:
    """Return the document of a finished game."""
    sitting = play(2)
    while game_of(sitting.table).prompts(state_at(sitting.table, sitting.table.head)):
        play_on(sitting, 1)
    return write_document(sitting.fresh())


def sitting_at(opened: Opened) -> Sitting:
    return Sitting(opened.table, opened.host_token, {seat.faction: token for seat, token in opened.seats})


class Journal(RuleBasedStateMachine):
    """A table and a plain model of it: entries by number, and an undo stack."""

    sitting: Sitting

    @initialize(players=st.integers(2, 4))
    def begin(self, players: int) -> None:
        self.use_table(play(players))
        self.factions = FACTIONS[:players]
        self.parents: dict[int, int] = {}
        self.entered: dict[int, tuple[str, Any]] = {}
        self.states: dict[int, Any] = {0: state_at(self.table, 0)}
        self.head = 0
        self.undone: list[int] = []
        self.version = self.table.version

    def use_table(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.table = sitting.fresh()
        self.stale_table = sitting.fresh()
        self.sent: list[tuple[str, str, Any, Accepted]] = []

    # Entries

    def enter(self, table: Table, faction: str, action: Any, key: str | None = None) -> None:
        game = game_of(table)
        expected = game.apply(self.states[self.head], game.read_action(action, faction)).state
        access = self.sitting.access(faction)
        accepted = submit(table=table, access=access, faction=faction, action=action, key=key)
        number = len(self.parents) + 1
        assert accepted.number == number
        self.add_entry(number, faction, action, expected)
        self.expect_version(accepted.version)
        if key:
            self.sent.append((key, faction, action, accepted))

    def add_entry(self, number: int, faction: str, action: Any, state: Any) -> None:
        self.parents[number], self.states[number] = self.head, state
        self.entered[number] = (faction, action)
        self.head, self.undone = number, []

    def expect_version(self, version: int) -> None:
        assert version == self.version + 1
        self.version = version

    @rule(generator=st.randoms(use_true_random=False), with_key=st.booleans(), is_stale=st.booleans())
    def answers_a_prompt(self, generator: Any, *, with_key: bool, is_stale: bool) -> None:
        if not game_of(self.table).prompts(self.states[self.head]):
            return
        self.table.refresh_from_db()
        faction, action = offered(self.table, generator)
        key = f"key {len(self.parents)}" if with_key else None
        self.enter(self.stale_table if is_stale else self.table, faction, action, key)

    @rule(seat=st.integers(0, 3), x=st.integers(-3, 3), y=st.integers(-3, 3), count=st.integers(0, 30))
    def corrects(self, seat: int, x: int, y: int, count: int) -> None:
        faction = self.factions[seat % len(self.factions)]
        action = {
            "type": "correct",
            "owner": faction,
            "piece": "knight",
            "place": f"cell:{x},{y}",
            "count": count,
            "reason": "counted",
        }
        game = game_of(self.table)
        if game.why_not(self.states[self.head], game.read_action(action, faction)):
            self.refused("illegal", lambda: self.enter_unchecked(faction, action))
        else:
            self.enter(self.table, faction, action)

    @rule(name=st.sampled_from(["must_move", "lone_knight"]), value=st.booleans())
    def changes_an_option(self, name: str, *, value: bool) -> None:
        self.enter(self.table, self.factions[0], {"type": "option", "name": name, "value": value})

    def enter_unchecked(self, faction: str, action: Any) -> None:
        submit(table=self.table, access=self.sitting.access(faction), faction=faction, action=action)

    # Refusals

    def refused(self, code: str, attempt: Any) -> None:
        with pytest.raises(Refusal) as refusal:
            attempt()
        assert refusal.value.code == code

    @rule()
    def enters_something_illegal(self) -> None:
        """Place a tile that touches no other."""
        action = {"type": "place", "tile": "plain", "at": [10, 10]}
        self.refused("illegal", lambda: self.enter_unchecked(self.factions[0], action))

    @rule(index=st.integers(0, 100))
    def sends_again(self, index: int) -> None:
        if not self.sent:
            return
        key, faction, action, accepted = self.sent[index % len(self.sent)]
        access = self.sitting.access(faction)
        repeated = submit(table=self.table, access=access, faction=faction, action=action, key=key)
        assert repeated == accepted
        self.refused(
            "key",
            lambda: submit(
                table=self.table, access=access, faction=faction, action={"type": "end", "x": 1}, key=key
            ),
        )

    # Undo and redo

    @rule()
    def undoes(self) -> None:
        if not self.head:
            self.refused("nothing", lambda: undo(table=self.table, access=self.sitting.host))
            return
        accepted = undo(table=self.table, access=self.sitting.host, number=self.head)
        self.undone.append(self.head)
        self.head = self.parents[self.head]
        self.expect_version(accepted.version)

    @rule()
    def redoes(self) -> None:
        if not self.undone:
            self.refused("nothing", lambda: redo(table=self.table, access=self.sitting.host))
            return
        accepted = redo(table=self.table, access=self.sitting.host)
        self.head = self.undone.pop()
        assert accepted.number == self.head
        self.expect_version(accepted.version)

    @rule(index=st.integers(0, 100))
    def goes_back(self, index: int) -> None:
        number = index % (len(self.parents) + 1)
        if number == self.head or number not in self.path():
            code = "nothing" if number == self.head else "gone"
            self.refused(code, lambda: back_to(table=self.table, access=self.sitting.host, number=number))
            return
        accepted = back_to(table=self.table, access=self.sitting.host, number=number)
        self.undone += [passed for passed in reversed(self.path()) if passed > number]
        self.head = number
        self.expect_version(accepted.version)

    # Mending

    @rule(index=st.integers(0, 100), generator=st.randoms(use_true_random=False))
    def changes_an_entry(self, index: int, generator: Any) -> None:
        """Change an entry to another answer to one of its prompts, which may be illegal."""
        number = self.chosen(index)
        if not number:
            return
        faction, _action = self.entered[number]
        prompts = game_of(self.table).prompts(self.states[self.parents[number]])
        mine = [prompt for prompt in prompts if prompt.faction == faction]
        if mine:
            self.mend(number, generator.choice(mine).sample(generator.randrange))

    @rule(index=st.integers(0, 100), count=st.integers(0, 4))
    def changes_an_entry_into_a_correction(self, index: int, count: int) -> None:
        number = self.chosen(index)
        if number:
            fields = {"piece": "knight", "place": "cell:0,0", "reason": "counted"}
            owner = self.entered[number][0]
            self.mend(number, {"type": "correct", "owner": owner, "count": count, **fields})

    @rule(index=st.integers(0, 100))
    def leaves_an_entry_out(self, index: int) -> None:
        number = self.chosen(index)
        if number:
            self.mend(number, None)

    @rule(points=st.integers(0, 9))
    def overrules(self, points: int) -> None:
        entry = self.table.entries.filter(number=self.head).first()
        steps = overrulable(entry) if entry else []
        if entry and steps:
            result = dict.fromkeys(steps[0].result, points)
            self.mend(self.head, with_ruling(entry, steps[0].key or "", result, "house-rule"))

    def chosen(self, index: int) -> int:
        """Return one of the last six entries, so that a mend does not break the whole game."""
        path = self.path()[1:]
        return path[-1 - index % min(len(path), 6)] if path else 0

    def mend(self, number: int, action: Any) -> None:
        table, host = self.sitting.fresh(), self.sitting.host
        faction, before = self.entered[number]
        fields: dict[str, Any] = {"number": number, "action": action, "faction": faction}
        replayed = [(faction, action)] if action is not None else []
        if self.is_refused(self.parents[number], replayed):
            self.refused("illegal", lambda: plan(table=table, **fields))
            return
        read = game_of(table).read_action
        if action is not None and read(action, faction) == read(before, faction):
            self.refused("nothing", lambda: plan(table=table, **fields))
            return
        planned = plan(table=table, **fields)
        stale = self.version - 1
        fields |= {"table": table, "access": host, "reason": "misplayed"}
        self.refused("gone", lambda: mend(**fields, version=stale))
        answer = mend(**fields, version=planned.version)
        assert answer.dropped == [broken.number for broken in planned.broken]
        self.mend_model(number, replayed)
        self.expect_version(answer.version)
        assert state_at(table, table.head) == planned.after

    def is_refused(self, at: int, replayed: list[tuple[str, Any]]) -> bool:
        game = game_of(self.table)
        return any(
            game.why_not(self.states[at], game.read_action(action, faction)) for faction, action in replayed
        )

    def mend_model(self, number: int, replayed: list[tuple[str, Any]]) -> None:
        """Mend an entry in the model: apply the changed entry, and each later one that is still legal."""
        game, path = game_of(self.table), self.path()
        undone = [*self.undone, *(passed for passed in reversed(path) if passed >= number)]
        replayed += [self.entered[later] for later in path if later > number]
        self.head, self.undone = self.parents[number], undone
        for faction, action in replayed:
            with contextlib.suppress(Refused):
                state = game.apply(self.states[self.head], game.read_action(action, faction)).state
                self.add_entry(len(self.parents) + 1, faction, action, state)

    # Documents

    @rule()
    def is_exported_and_imported(self) -> None:
        document = write_document(self.table)
        self.use_table(sitting_at(read_document(document)))
        assert write_document(self.table) == document

    def path(self) -> list[int]:
        path = [self.head]
        while path[-1]:
            path.append(self.parents[path[-1]])
        return path[::-1]

    # Other operations

    @rule(number=st.integers(0, 5), line=st.integers(0, 2), done=st.booleans())
    def ticks(self, number: int, line: int, *, done: bool) -> None:
        with contextlib.suppress(Refusal):
            tick(table=self.table, access=self.sitting.host, number=number, line=line, done=done)
        assert self.table.version - self.version in (0, 1)
        self.version = self.table.version

    @rule()
    def clears_caches(self) -> None:
        clear_all()

    @rule()
    def checks_integrity(self) -> None:
        assert_sound(self.table)

    @invariant()
    def matches_the_model(self) -> None:
        if not hasattr(self, "sitting"):
            return
        table = self.sitting.fresh()
        assert (table.head, table.latest, table.version) == (self.head, len(self.parents), self.version)
        entries = list(table.entries.values_list("number", "parent", "undone"))
        path = self.path()
        assert entries == [(n, parent, n not in path) for n, parent in sorted(self.parents.items())]
        assert state_at(table, self.head) == self.states[self.head]
        assert table.waiting_for == list(game_of(table).waiting_for(self.states[self.head]))

    def teardown(self) -> None:
        if hasattr(self, "sitting"):
            assert_sound(self.table)


class End(Journal):
    """The same at the end of a game, where results can be overruled."""

    @initialize()
    def begin(self) -> None:
        self.use_table(sitting_at(read_document(finished())))
        entries = list(self.table.entries.all())
        self.factions = FACTIONS[:2]
        self.parents = {entry.number: entry.parent for entry in entries}
        self.entered = {entry.number: (entry.faction, entry.action) for entry in entries}
        self.states = {number: state_at(self.table, number) for number in range(len(entries) + 1)}
        self.head, self.undone, self.version = self.table.head, [], self.table.version


MACHINES = pytest.mark.parametrize("machine", [Journal, End])


@MACHINES
@pytest.mark.django_db(transaction=True)
def test_random_operations_match_the_model(machine: type[Journal]) -> None:
    run_state_machine_as_test(machine, settings=QUICK if machine is Journal else FEW)


@pytest.mark.long
@MACHINES
@pytest.mark.django_db(transaction=True)
def test_random_operations_match_the_model_for_long(machine: type[Journal]) -> None:
    run_state_machine_as_test(machine, settings=LONG if machine is Journal else LONG_END)

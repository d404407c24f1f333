"""Tasks: members are spent for the effect of a task tile (digest 5.3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.core.actions import Action
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, call, done
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Joint, Prompt
from games.core.steps import Account, Outcome
from games.signoria.actions import Errand
from games.signoria.alliances import draw_frame
from games.signoria.asking import asked, skip, whose
from games.signoria.dice import limit, why_not_members
from games.signoria.effects import is_possible
from games.signoria.florins import florins_frame
from games.signoria.marriages import marriage_frame
from games.signoria.members import PLURAL, gain_frame
from games.signoria.missions import mission_frame
from games.signoria.options import LIGHT_ENTRY, THRESHOLD_ABOVE_22
from games.signoria.pieces import (
    INITIATIVE,
    MAN,
    MEMBERS,
    RESERVE,
    SUPPLY,
    THRESHOLD,
    WOMAN,
)
from games.signoria.progress import progress_frame
from games.signoria.state import State, after, available, on_threshold, option

RULE = "5.3"
ROW_OF = {WOMAN: "upper", MAN: "lower"}  # 2.1: row in which each member is spent
PER_MEMBER = 2  # progress points or florins


class Task(NamedTuple):
    """A task tile: limits on the members spent, and its effect for that many members.

    `effect` is None for the threshold task, whose members move to the threshold space.
    """

    least: int
    most: int
    effect: Callable[[str, int], Frame] | None


def _on(track: str) -> Callable[[str, int], Frame]:
    return lambda faction, members: progress_frame(faction, PER_MEMBER * members, (track,))


TASKS: Mapping[str, Task] = {
    "political": Task(1, 3, _on("political")),
    "church": Task(1, 3, _on("church")),
    "military": Task(1, 3, _on("military")),
    "initiative": Task(1, 3, _on(INITIATIVE)),
    "blind": Task(1, 1, lambda faction, _: draw_frame(faction)),
    "threshold": Task(1, 3, None),
    "marriage": Task(2, 2, lambda faction, _: marriage_frame(faction)),
    "mission": Task(2, 2, lambda faction, _: mission_frame(faction)),
    "florins": Task(1, 3, lambda faction, members: florins_frame(faction, PER_MEMBER * members, RULE)),
    "members": Task(1, 3, gain_frame),
}


@dataclass(frozen=True, slots=True)
class Spending:
    """The members a player spends on a task."""

    faction: str
    task: str
    men: int
    women: int

    @property
    def member(self) -> str:
        return WOMAN if self.women else MAN

    @property
    def count(self) -> int:
        return self.men + self.women


def spendings(state: State, faction: str, task: str) -> list[Spending]:
    """Return the possible ways to spend members on a task now (5.3)."""
    tile = TASKS[task]
    ways = [
        Spending(faction, task, n if member == MAN else 0, n if member == WOMAN else 0)
        for member in genders_of(state, task)
        for n in range(tile.least, tile.most + 1)
    ]
    return [way for way in ways if why_not_spend(state, way) is None]


def genders_of(state: State, task: str) -> tuple[str, ...]:
    """Return whether a task tile is paid with men or with women, which depends on its row on the board.

    With the option ``light_entry`` the rows are not recorded, so both are returned (R-00).
    """
    if option(state, LIGHT_ENTRY.name):
        return MEMBERS
    row = next((space.partition(":")[2] for space, tile in state.tasks.items() if tile == task), "")
    return tuple(member for member in MEMBERS if ROW_OF[member] == row)


def why_not_spend(state: State, way: Spending) -> Message | None:
    """Return the reason why members cannot be spent like this, or None (5.3)."""
    tile = TASKS[way.task]
    for member, count in ((MAN, way.men), (WOMAN, way.women)):
        if count and member not in genders_of(state, way.task):
            (right,) = genders_of(state, way.task) or (member,)
            row, names = Name("row", ROW_OF[right]), (PLURAL[right], PLURAL[member])
            return say("wrong-row", row=row, right=Name("members", names[0]), wrong=Name("members", names[1]))
    if way.men and way.women:
        return say("one-gender")
    if not tile.least <= way.count <= tile.most:
        if tile.most > tile.least:
            return say("spend-up-to")
        return say("spend-exactly", count=tile.least)
    have = available(state, way.faction, way.member)
    if way.count > have:
        return say(f"few-{PLURAL[way.member]}", count=have)
    return _why_no_effect(state, way)


def _why_no_effect(state: State, way: Spending) -> Message | None:
    """Return the reason why a task has no effect once its members are spent, or None (5.3)."""
    tile = TASKS[way.task]
    if tile.effect is None:
        members = on_threshold(state, way.faction) + way.count
        return why_not_members(members, above_22=bool(option(state, THRESHOLD_ABOVE_22.name)))
    paid = after(state, *_payment(way))
    if is_possible(paid, tile.effect(way.faction, way.count)):
        return None
    if way.task == "marriage" and way.women and not available(paid, way.faction, WOMAN):
        return say("none-left-to-marry", count=way.count)
    return say("task-impossible", task=Name("task", way.task))


def _payment(way: Spending) -> list[Move]:
    target = SUPPLY if TASKS[way.task].effect else THRESHOLD
    return [Move(way.faction, way.member, RESERVE, target, way.count)]


def perform(account: Account[State], way: Spending) -> None:
    """Spend the members, then start the effect of the task (5.3)."""
    tile = TASKS[way.task]
    name, task = faction_name(way.faction), Name("task", way.task)
    message = say(f"task-{PLURAL[way.member]}", faction=name, task=task, count=way.count)
    options = () if tile.effect else (THRESHOLD_ABOVE_22.name,)
    account.step(RULE, message, moves=_payment(way), options=options)
    if tile.effect:
        account.set(frames=call(account.state, tile.effect(way.faction, way.count)))
        return
    members = on_threshold(account.state, way.faction)
    account.step(RULE, say("new-limit", faction=faction_name(way.faction), limit=limit(members)))


def refuse_spending(state: State, way: Spending) -> None:
    message = why_not_spend(state, way)
    if message:
        raise Illegal(message, rule=RULE)


def refuse_task(task: str | None) -> str:
    if task is None or task not in TASKS:
        raise BadInput(say("core.not-one-of", field="task", allowed=tuple(TASKS)), rule=RULE)
    return task


# Any task, with a helper


def errand_frame(faction: str) -> Frame:
    return Frame("errand", {"faction": faction})


def errands(state: State, faction: str) -> list[Spending]:
    """Return the possible ways to perform any task on the table with exactly one member (5.10)."""
    return [way for task in TASKS for way in spendings(state, faction, task) if way.count == 1]


@dataclass(frozen=True, slots=True)
class Errands:
    """Phase: a task of any colour and row, with one member."""

    name = "errand"
    rule = "5.10"

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = whose(state)
        ways = tuple((way.task, way.men, way.women) for way in errands(state, faction))
        task, men, women = ways[0]
        return [
            Prompt(
                faction=faction,
                title=say("prompt-errand"),
                rule=self.rule,
                example=Errand(faction=faction, task=task, men=men, women=women),
                fields=(Joint(("task", "men", "women"), ways),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        errand = asked(state, action, Errand, self.rule)
        task = refuse_task(errand.task)
        if TASKS[task].least > 1:
            raise Illegal(say("errand-needs-two"), rule=self.rule)
        way = Spending(errand.faction, task, errand.men, errand.women)
        if way.count > 1:
            raise Illegal(say("errand-one-member"), rule=self.rule)
        refuse_spending(state, way)
        account = Account(state)
        account.set(frames=done(state))
        perform(account, way)
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None if errands(state, whose(state)) else skip(state, self.rule)

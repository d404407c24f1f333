"""Members gained from the general supply: descendants and other gains (digest 5.8)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.checks import check_all_of
from games.core.codec import Count, Json
from games.core.errors import Illegal
from games.core.flow import Automatic, Frame, done
from games.core.ledger import Move
from games.core.messages import faction_name, say
from games.core.prompts import Choice, Joint, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.signoria.actions import Descendants, Gain
from games.signoria.asking import asked, skip, whose
from games.signoria.dice import FACES, refuse_face
from games.signoria.pieces import MAN, MEMBERS, RESERVE, SUPPLY, WOMAN
from games.signoria.state import State, brides, frame_data, in_supply, printed

RULE, TAKING_RULE = "5.8", "5.12"
LAST_WOMAN = 3  # a descendant die gives a woman up to this face, a man above it
HEAD = 1  # die for the head of the family, who is married from the start
PLURAL = {MAN: "men", WOMAN: "women"}


def gain_step(state: State, faction: str, wanted: Mapping[str, int], rule: str = RULE) -> Step:
    """Return the step that moves men and women from the general supply, as far as it lasts (5.8)."""
    have = {PLURAL[member]: in_supply(state, faction, member) for member in MEMBERS}
    most = {name: min(wanted[name], have[name]) for name in have}
    verdict = judge(
        state,
        f"members:{faction}",
        most,
        Mapping[str, Count],
        lambda result: _refuse_gain(result, have, rule),
    )
    count = {name: verdict.result.get(name, 0) for name in have}
    moves = [Move(faction, m, SUPPLY, RESERVE, count[PLURAL[m]]) for m in MEMBERS if count[PLURAL[m]]]
    members = tuple(say(name, count=n) for name, n in count.items() if n) or (say("no-members"),)
    message = say("members-gained", faction=faction_name(faction), members=members)
    return Step(rule, message, tuple(moves)).settles(verdict)


def _refuse_gain(result: Mapping[str, int], have: Mapping[str, int], rule: str) -> None:
    check_all_of(result, have, "members", rule=rule)
    if any(count > have[name] for name, count in result.items()):
        members = tuple(say(name, count=number) for name, number in have.items())
        raise Illegal(say("supply-has", members=members), rule=rule)


def has_supply(state: State, data: Mapping[str, Json]) -> bool:
    """Return whether the player has a figure left in the general supply (R-11)."""
    return any(in_supply(state, data["faction"], member) for member in MEMBERS)


# Descendants


def descendants_frame(faction: str, dice: int | None = None) -> Frame:
    """Return the frame of a descendant roll; `dice` overrides the usual number of dice."""
    return Frame("descendants", {"faction": faction, "dice": dice})


def dice_rolled(state: State, faction: str) -> int:
    """Return the number of dice: fixed by the frame, or one for the head and one per bride (5.8)."""
    fixed = frame_data(state)["dice"]
    return HEAD + min(brides(state, faction), printed(state).descendants) if fixed is None else int(fixed)


@dataclass(frozen=True, slots=True)
class RollDescendants:
    """Phase: descendant dice are rolled and give members."""

    name = "descendants"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = whose(state)
        count = dice_rolled(state, faction)
        rolls = tuple(itertools.combinations_with_replacement(FACES, count))
        return [
            Prompt(
                faction=faction,
                title=say("prompt-descendants", count=count),
                rule=RULE,
                example=Descendants(faction=faction, dice=rolls[len(rolls) // 2]),
                fields=(Choice("dice", rolls),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        roll = asked(state, action, Descendants, RULE)
        for die in roll.dice:
            refuse_face(die)
        self._refuse_count(state, roll)
        women = sum(die <= LAST_WOMAN for die in roll.dice)
        message = say("descendants-rolled", faction=faction_name(roll.faction), dice=tuple(sorted(roll.dice)))
        gained = gain_step(state, roll.faction, {"men": len(roll.dice) - women, "women": women})
        account = Account(state)
        account.step(RULE, message, steps=[gained])
        account.set(frames=done(state))
        return account.outcome()

    def _refuse_count(self, state: State, roll: Descendants) -> None:
        count = dice_rolled(state, roll.faction)
        if len(roll.dice) == count:
            return
        if frame_data(state)["dice"] is None:
            raise Illegal(say("descendants-dice", count=brides(state, roll.faction), dice=count), rule=RULE)
        raise Illegal(say("roll-dice", count=count), rule=RULE)

    def resolve(self, state: State) -> Outcome[State] | None:
        return None if has_supply(state, frame_data(state)) else skip(state, RULE)


# Members by choice


def gain_frame(faction: str, count: int) -> Frame:
    return Frame("gain", {"faction": faction, "count": count})


@dataclass(frozen=True, slots=True)
class Gaining:
    """Phase: a number of members, each man or woman by choice (R-26)."""

    name = "gain"
    rule = "5.3"

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = whose(state)
        ways = _gains(state, faction)
        men, women = ways[0]
        return [
            Prompt(
                faction=faction,
                title=say("prompt-gain", count=men + women),
                rule=self.rule,
                example=Gain(faction=faction, men=men, women=women),
                fields=(Joint(("men", "women"), tuple(ways)),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        gain = asked(state, action, Gain, self.rule)
        ways = _gains(state, gain.faction)
        if (gain.men, gain.women) not in ways:
            have = {PLURAL[m]: say(PLURAL[m], count=in_supply(state, gain.faction, m)) for m in MEMBERS}
            raise Illegal(say("gain-wrong", count=sum(ways[0]), **have), rule=self.rule)
        account = Account(state)
        account.add(gain_step(state, gain.faction, {"men": gain.men, "women": gain.women}, self.rule))
        account.set(frames=done(state))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None if has_supply(state, frame_data(state)) else skip(state, self.rule)


def _gains(state: State, faction: str) -> list[tuple[int, int]]:
    """Return the combinations of men and women that make up the count, as far as the supply lasts."""
    men, women = (in_supply(state, faction, member) for member in MEMBERS)
    count = min(frame_data(state)["count"], men + women)
    return [(count - w, w) for w in range(count + 1) if w <= women and count - w <= men]


# Members without a choice


def take_frame(faction: str, member: str, count: int) -> Frame:
    return Frame("members", {"faction": faction, "member": member, "count": count})


def can_take(state: State, data: Mapping[str, Json]) -> bool:
    return in_supply(state, data["faction"], data["member"]) > 0


def _take_members(account: Account[State]) -> None:
    """Take members of one gender, as far as the supply lasts (5.12)."""
    data = frame_data(account.state)
    wanted = {PLURAL[m]: data["count"] if m == data["member"] else 0 for m in MEMBERS}
    account.add(gain_step(account.state, data["faction"], wanted, TAKING_RULE))
    account.set(frames=done(account.state))


TAKING_MEMBERS: Automatic[State] = Automatic("members", TAKING_RULE, _take_members)

"""Florins and points gained without a decision (digest 5.9 and 5.10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.codec import Count
from games.core.flow import Frame, done
from games.core.messages import faction_name, say
from games.core.prompts import Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome
from games.signoria.state import State, frame_data, point_disc, receive, score

FLORINS = 3


def florins_frame(faction: str, count: int = FLORINS, rule: str = "5.9") -> Frame:
    return Frame("florins", {"faction": faction, "count": count, "rule": rule})


@dataclass(frozen=True, slots=True)
class Florins:
    """Phase: florins from the bank (5.9)."""

    name = "florins"
    rule = "5.9"

    def prompts(self, state: State) -> Sequence[Prompt]:
        return []

    def act(self, state: State, action: Action) -> Outcome[State]:
        raise AssertionError("this phase resolves automatically")

    def resolve(self, state: State) -> Outcome[State] | None:
        data = frame_data(state)
        faction = data["faction"]
        verdict = judge(state, f"florins:{faction}", int(data["count"]), Count)
        account = Account(state)
        account.step(
            data["rule"],
            say("florins-gained", faction=faction_name(faction), count=verdict.result),
            moves=receive(faction, verdict.result),
            verdict=verdict,
        )
        account.set(frames=done(state))
        return account.outcome()


def points_frame(faction: str, count: int) -> Frame:
    return Frame("points", {"faction": faction, "count": count})


@dataclass(frozen=True, slots=True)
class HelperPoints:
    """Phase: points from a helper (5.10)."""

    name = "points"
    rule = "5.10"

    def prompts(self, state: State) -> Sequence[Prompt]:
        return []

    def act(self, state: State, action: Action) -> Outcome[State]:
        raise AssertionError("this phase resolves automatically")

    def resolve(self, state: State) -> Outcome[State] | None:
        data = frame_data(state)
        faction = data["faction"]
        verdict = judge(state, f"helper:{faction}", int(data["count"]), Count)
        account = Account(state)
        account.step(
            self.rule,
            say("helper-scores", faction=faction_name(faction), count=verdict.result),
            moves=score(faction, "helper", verdict.result),
            steps=point_disc(state, faction, verdict.result),
            verdict=verdict,
        )
        account.set(frames=done(state))
        return account.outcome()

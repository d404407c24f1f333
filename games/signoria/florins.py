"""Florins and points gained without a decision (digest 5.9 and 5.10)."""

from __future__ import annotations

from games.core.codec import Count
from games.core.flow import Automatic, Frame, done
from games.core.messages import faction_name, say
from games.core.rulings import judge
from games.core.steps import Account
from games.signoria.state import State, frame_data, point_disc, receive, score

RULE, HELPER_RULE = "5.9", "5.10"
FLORINS = 3


def florins_frame(faction: str, count: int = FLORINS, rule: str = RULE) -> Frame:
    return Frame("florins", {"faction": faction, "count": count, "rule": rule})


def gain_florins(account: Account[State], key: str, faction: str, count: int, rule: str) -> None:
    """Record florins from the bank; the table may rule on their number under ``key:faction``."""
    verdict = judge(account.state, f"{key}:{faction}", count, Count)
    account.step(
        rule,
        say("florins-gained", faction=faction_name(faction), count=verdict.result),
        moves=receive(faction, verdict.result),
        verdict=verdict,
    )


def _florins(account: Account[State]) -> None:
    """Take florins from the bank (5.9)."""
    data = frame_data(account.state)
    gain_florins(account, "florins", data["faction"], int(data["count"]), data["rule"])
    account.set(frames=done(account.state))


GAINING_FLORINS: Automatic[State] = Automatic("florins", RULE, _florins)


def points_frame(faction: str, count: int) -> Frame:
    return Frame("points", {"faction": faction, "count": count})


def _helper_points(account: Account[State]) -> None:
    """Score the points of a helper (5.10)."""
    state = account.state
    data = frame_data(state)
    faction = data["faction"]
    verdict = judge(state, f"helper:{faction}", int(data["count"]), Count)
    account.step(
        HELPER_RULE,
        say("helper-scores", faction=faction_name(faction), count=verdict.result),
        moves=score(faction, "helper", verdict.result),
        steps=point_disc(state, faction, verdict.result),
        verdict=verdict,
    )
    account.set(frames=done(account.state))


HELPER_POINTS: Automatic[State] = Automatic("points", HELPER_RULE, _helper_points)

"""Effects of tasks, helpers and rewards: each is a frame, with a check whether it is possible now."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.core.codec import Json
from games.core.flow import Frame
from games.signoria.alliances import can_draw
from games.signoria.hiring import can_hire
from games.signoria.marriages import can_marry
from games.signoria.members import can_take, has_supply
from games.signoria.missions import can_send
from games.signoria.progress import can_progress
from games.signoria.state import State


def _either(state: State, data: Mapping[str, Json]) -> bool:
    return can_send(state, data) or can_marry(state, data)


def _always(_state: State, _data: Mapping[str, Json]) -> bool:
    return True


def _points(_state: State, data: Mapping[str, Json]) -> bool:
    return bool(data["count"] > 0)


POSSIBLE: Mapping[str, Callable[[State, Mapping[str, Json]], bool]] = {
    "progress": can_progress,
    "mission": can_send,
    "marriage": can_marry,
    "city-action": _either,
    "descendants": has_supply,
    "gain": has_supply,
    "members": can_take,
    "draw": can_draw,
    "hire": can_hire,
    "florins": _always,
    "points": _points,
}


def is_possible(state: State, effect: Frame) -> bool:
    """Return whether an effect can be performed at least in part (5.1)."""
    return POSSIBLE[effect.phase](state, effect.data)

"""Actions: what people enter. Frozen records with a JSON form that is checked where it comes in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from games.core.codec import Count, Json, from_json, to_json
from games.core.errors import BadInput
from games.core.messages import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What the table decided instead of the rules' own result, and why."""

    result: Json
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Something a faction enters."""

    type: ClassVar[str]
    hidden: ClassVar[bool] = False  # until it is revealed, others see only its type
    faction: str
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(Action):
    """The real table wins: so many of an owner's pieces do lie at a place."""

    type: ClassVar[str] = "correct"
    owner: str
    piece: str
    place: str
    count: Count
    reason: str
    against: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOption(Action):
    """The table agrees on another reading of the rules from now on."""

    type: ClassVar[str] = "option"
    name: str
    value: Json
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFigure(Action):
    """A figure printed on the group's own copy is another one than the board file says."""

    type: ClassVar[str] = "figure"
    path: tuple[str, ...]  # the names that lead to it: ("provinces", "holland", "limit")
    value: Json
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lying:
    """Some pieces of an owner that lie at a place."""

    owner: str
    piece: str
    place: str
    count: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(Action):
    """The game goes on from what lies on the table, whatever happened before.

    What is not named lies in its owner's supply. At an ordered place the lines are from the
    bottom up. ``turn`` is who is to act, where the phase does not say it; ``facts`` is what else
    the game must know.
    """

    type: ClassVar[str] = "position"
    round: Count
    phase: str
    order: tuple[str, ...]
    holdings: tuple[Lying, ...]
    turn: str | None = None
    facts: Mapping[str, Json] = field(default_factory=dict)


CORE_ACTIONS: tuple[type[Action], ...] = (Correct, SetOption, SetFigure, Position)


def read_action(kinds: Mapping[str, type[Action]], data: Json, faction: str) -> Action:
    """The action that JSON data describes, entered by a faction. Raises ``BadInput``."""
    if not isinstance(data, Mapping):
        raise BadInput(say("core.not-an-action"))
    if "type" not in data:
        raise BadInput(say("core.missing-field", field="type"))
    name = data["type"]
    if not isinstance(name, str) or name not in kinds:
        raise BadInput(say("core.unknown-action", type=str(name)[:40], known=tuple(sorted(kinds))))
    if "faction" in data:
        raise BadInput(say("core.unknown-field", field="faction"))
    fields = {k: v for k, v in data.items() if k != "type"}
    return from_json(kinds[name], {**fields, "faction": faction})


def action_json(action: Action) -> dict[str, Json]:
    """The JSON form of an action, without who entered it."""
    data: dict[str, Json] = {"type": action.type, **to_json(action)}
    del data["faction"]
    if not data["rulings"]:
        del data["rulings"]
    return data

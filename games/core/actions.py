"""Actions: the entries of players, as frozen records with a JSON form that is validated when parsed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from games.core.codec import Count, Json, from_json, to_json
from games.core.errors import BadInput
from games.core.messages import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A result that the table decided in place of the rules' own, with its reason."""

    result: Json
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """Base class of everything that a faction enters."""

    type: ClassVar[str]
    hidden: ClassVar[bool] = False  # until it is revealed, others see only its type
    faction: str
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correct(Action):
    """Set the count of an owner's pieces at a place to what the real table shows."""

    type: ClassVar[str] = "correct"
    owner: str
    piece: str
    place: str
    count: Count
    reason: str
    against: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SetOption(Action):
    """Change a table option from this entry on."""

    type: ClassVar[str] = "option"
    name: str
    value: Json
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetFigure(Action):
    """Replace a figure of the board file by the one printed on the group's own copy."""

    type: ClassVar[str] = "figure"
    path: tuple[str, ...]  # path in the board file: ("provinces", "holland", "limit")
    value: Json
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lying:
    """Count of one kind of piece of an owner at a place."""

    owner: str
    piece: str
    place: str
    count: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Position(Action):
    """Continue the game from the pieces on the real table, whatever the journal says.

    Pieces that are not listed are in their owner's supply. At an ordered place the holdings are
    listed from the bottom up. ``turn`` is the faction to act, where the phase does not determine it;
    ``facts`` holds the rest of the state that the game needs.
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
    """Parse an action that a faction entered as JSON. Raise ``BadInput`` if it is malformed."""
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
    """Encode an action as JSON, without the faction that entered it."""
    data: dict[str, Json] = {"type": action.type, **to_json(action)}
    del data["faction"]
    if not data["rulings"]:
        del data["rulings"]
    return data

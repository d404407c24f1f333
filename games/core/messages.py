"""Messages: a code with parameters, never final text.

The English wording of a code is in a game's ``wording`` module; messages are translated when they are
displayed. A parameter with a translatable name (a faction, a tile, an ordinal) is a ``Name``.
"""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

Json: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Name:
    """A translatable name of a thing."""

    kind: str
    slug: str


@dataclass(frozen=True, slots=True)
class Message:
    """A translatable sentence: its code and parameters."""

    code: str
    params: Mapping[str, Param] = field(default_factory=dict)


Param: TypeAlias = "int | str | Fraction | Name | Message | tuple[Param, ...]"


def say(code: str, **params: Param) -> Message:
    """Return a message: ``say("core.turn-of", faction=faction_name("red"))``."""
    return Message(code, params)


def faction_name(slug: str) -> Name:
    return Name("faction", slug)


def faction_names(slugs: Iterable[str]) -> tuple[Name, ...]:
    return tuple(map(faction_name, slugs))


@dataclass(frozen=True, slots=True)
class Plural:
    """A wording whose form depends on a numeric parameter, whole or fractional."""

    one: str
    many: str
    count: str = "count"


Wording: TypeAlias = str | Plural


# Separator between context and text in gettext catalogues.
_JOINT = "\x04"


def text(english: str, context: str = "") -> str:
    """Mark a wording for translation; ``context`` distinguishes equal texts with different meanings."""
    return f"{context}{_JOINT}{english}" if context else english


def without_context(wording: str) -> str:
    return wording.rpartition(_JOINT)[2]


def plural(one: str, many: str, count: str = "count") -> Plural:
    """Mark a wording with singular and plural for translation."""
    return Plural(one, many, count)


def message_json(message: Message) -> dict[str, Json]:
    """Encode a message as JSON."""
    return {
        "code": message.code,
        "params": {name: _param_json(value) for name, value in message.params.items()},
    }


def read_message(data: Json) -> Message:
    """Parse a message encoded by ``message_json``."""
    return Message(data["code"], {name: _read_param(value) for name, value in data["params"].items()})


def _param_json(value: Param) -> Json:
    match value:
        case Name():
            return {"name": [value.kind, value.slug]}
        case Message():
            return {"message": message_json(value)}
        case Fraction():
            return {"fraction": str(value)}
        case tuple():
            return [_param_json(item) for item in value]
        case _:
            return value


def _read_param(data: Json) -> Param:
    match data:
        case {"name": [kind, slug]}:
            return Name(kind, slug)
        case {"message": message}:
            return read_message(message)
        case {"fraction": fraction}:
            return Fraction(fraction)
        case list():
            return tuple(_read_param(item) for item in data)
        case _:
            return typing.cast("Param", data)

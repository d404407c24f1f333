"""Messages: a code with parameters, never finished text.

The English wording of a code stands in a game's ``wording`` module; whoever shows a
message translates it. A parameter that has a name of its own in each language (a
faction, a tile, an ordinal) is a ``Name``, so that it is translated too.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

Json: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class Name:
    """Something that is called differently in each language."""

    kind: str
    slug: str


@dataclass(frozen=True, slots=True)
class Message:
    """What is to be said, without saying it."""

    code: str
    params: Mapping[str, Param] = field(default_factory=dict)


Param: TypeAlias = "int | str | Fraction | Name | Message | tuple[Param, ...]"


def say(code: str, **params: Param) -> Message:
    """A message; ``say("core.turn-of", faction=faction_name("red"))``."""
    return Message(code, params)


def faction_name(slug: str) -> Name:
    return Name("faction", slug)


@dataclass(frozen=True, slots=True)
class Plural:
    """A wording that depends on how many a parameter says there are: whole ones, or points with halves."""

    one: str
    many: str
    count: str = "count"


Wording: TypeAlias = str | Plural


# How catalogues join a context to a text.
_JOINT = "\x04"


def text(english: str, context: str = "") -> str:
    """Mark a wording for translation; a context tells it from the same words where they mean something else."""
    return f"{context}{_JOINT}{english}" if context else english


def without_context(wording: str) -> str:
    return wording.rpartition(_JOINT)[2]


def plural(one: str, many: str, count: str = "count") -> Plural:
    """Mark a wording with two forms for translation."""
    return Plural(one, many, count)


def message_json(message: Message) -> dict[str, Json]:
    """A message as JSON data."""
    return {
        "code": message.code,
        "params": {name: _param_json(value) for name, value in message.params.items()},
    }


def read_message(data: Json) -> Message:
    """The message that ``message_json`` wrote."""
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

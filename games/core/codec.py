"""Encode frozen records as JSON and parse them, driven by their type hints.

Parsing is strict, because the input is untrusted: unknown or missing fields, wrong types and fractions
of a piece raise ``BadInput``. Supported types: ``int``, ``Count`` (a whole number, 0 or more), ``str``,
``bool``, ``None``, ``Fraction``, ``Literal``, unions with ``None``, tuples, ``Mapping[str, ...]``, other
frozen records, and ``Json`` for data that is passed through.
"""

from __future__ import annotations

import dataclasses
import re
import types
import typing
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal, TypeVar, Union

from games.core.errors import BadInput
from games.core.messages import Json as Json  # noqa: PLC0414 - re-exported for the games
from games.core.messages import say

Count = Annotated[int, "count"]
R = TypeVar("R")

# Larger numbers are typing errors, or an attack on integer arithmetic.
LARGEST = 1_000_000
_FRACTION = re.compile(r"(-?\d{1,7})(?:/(\d{1,7}))?", re.ASCII)


def to_json(value: Any) -> Json:
    """Encode a record, or a part of one, as plain JSON data."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: to_json(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, list | tuple):
        return [to_json(v) for v in value]
    if isinstance(value, Mapping):
        return {str(k): to_json(v) for k, v in value.items()}
    if hasattr(value, "to_json"):
        return value.to_json()
    return value


def plain(number: Fraction) -> int | float:
    """Return a number as JSON: 6, or 6.5."""
    return number.numerator if number.denominator == 1 else float(number)


def from_json(kind: type[R], data: Json, field: str = "") -> R:
    """Parse a value of type ``kind`` from JSON data. Raise ``BadInput``, which names the invalid field."""
    return typing.cast(R, _reader(typing.cast("typing.Hashable", kind))(data, field))


@cache
def _reader(kind: Any) -> Callable[[Json, str], Any]:  # noqa: PLR0911 - one return per kind of type
    origin, args = typing.get_origin(kind), typing.get_args(kind)
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if origin is Annotated:
        return _read_count
    if origin is Literal:
        return _literal(args)
    if origin in (Union, types.UnionType):
        return _union(args)
    if origin is tuple:
        return _tuple(args)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(args[1])
    if dataclasses.is_dataclass(kind):
        return _record(typing.cast(type, kind))
    msg = f"no JSON form for {kind!r}"
    raise TypeError(msg)


def _read_int(data: Json, field: str) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or abs(data) > LARGEST:
        raise BadInput(say("core.not-a-whole-number", field=field))
    return data


def _read_count(data: Json, field: str) -> int:
    if isinstance(data, bool) or not isinstance(data, int) or not 0 <= data <= LARGEST:
        raise BadInput(say("core.not-a-count", field=field))
    return data


def _read_str(data: Json, field: str) -> str:
    if not isinstance(data, str):
        raise BadInput(say("core.not-a-text", field=field))
    return data


def _read_bool(data: Json, field: str) -> bool:
    if not isinstance(data, bool):
        raise BadInput(say("core.not-yes-or-no", field=field))
    return data


def _read_none(data: Json, field: str) -> None:
    if data is not None:
        raise BadInput(say("core.not-empty", field=field))


def _read_fraction(data: Json, field: str) -> Fraction:
    """Parse a whole number or a fraction as written by ``to_json``.

    Exponents are rejected because 1e999999 would exhaust the memory.
    """
    match = _FRACTION.fullmatch(str(data)) if isinstance(data, int | str) else None
    if not match or isinstance(data, bool) or not int(match[2] or 1):
        raise BadInput(say("core.not-a-number", field=field))
    return Fraction(int(match[1]), int(match[2] or 1))


_SIMPLE: dict[Any, Callable[[Json, str], Any]] = {
    Any: lambda data, _: data,
    int: _read_int,
    str: _read_str,
    bool: _read_bool,
    type(None): _read_none,
    Fraction: _read_fraction,
}


def _literal(allowed: tuple[Any, ...]) -> Callable[[Json, str], Any]:
    def read(data: Json, field: str) -> Json:
        if not any(type(data) is type(a) and data == a for a in allowed):
            raise BadInput(say("core.not-one-of", field=field, allowed=tuple(str(a) for a in allowed)))
        return data

    return read


def _union(args: tuple[Any, ...]) -> Callable[[Json, str], Any]:
    others = [a for a in args if a is not type(None)]
    if len(others) != 1 or len(others) == len(args):
        msg = f"only unions with None have a JSON form, not {args!r}"
        raise TypeError(msg)
    inner = _reader(others[0])
    return lambda data, field: None if data is None else inner(data, field)


def _tuple(args: tuple[Any, ...]) -> Callable[[Json, str], Any]:
    endless = args[-1] is Ellipsis
    readers = [_reader(a) for a in args if a is not Ellipsis]

    def read(data: Json, field: str) -> tuple[Any, ...]:
        if not isinstance(data, list | tuple) or (not endless and len(data) != len(readers)):
            raise BadInput(say("core.not-a-list", field=field))
        each = readers * len(data) if endless else readers
        return tuple(
            reader(item, f"{field}[{i}]") for i, (reader, item) in enumerate(zip(each, data, strict=True))
        )

    return read


def _mapping(value: Any) -> Callable[[Json, str], Any]:
    inner = _reader(value)

    def read(data: Json, field: str) -> Mapping[str, Any]:
        if not isinstance(data, Mapping) or not all(isinstance(k, str) for k in data):
            raise BadInput(say("core.not-a-table", field=field))
        return {k: inner(v, f"{field}.{k}") for k, v in data.items()}

    return read


def _record(kind: type) -> Callable[[Json, str], Any]:
    fields = {f.name: f for f in dataclasses.fields(kind)}

    @cache
    def readers() -> dict[str, Callable[[Json, str], Any]]:
        hints = typing.get_type_hints(kind, include_extras=True)
        return {name: _reader(hints[name]) for name in fields}

    def read(data: Json, field: str) -> Any:
        if not isinstance(data, Mapping):
            raise BadInput(say("core.not-a-table", field=field))
        unknown = sorted(str(k) for k in data if k not in fields)
        if unknown:
            raise BadInput(say("core.unknown-field", field=unknown[0][:40]))
        missing = sorted(name for name, f in fields.items() if name not in data and _is_required(f))
        if missing:
            raise BadInput(say("core.missing-field", field=missing[0]))
        return kind(**{name: readers()[name](value, name) for name, value in data.items()})

    return read


def _is_required(field: dataclasses.Field[Any]) -> bool:
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING

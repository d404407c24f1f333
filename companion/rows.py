"""Rows that every page and every tap ask for or write: making up a question anew takes Django longer than asking it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import connection
from django.db.models import Field, Model

M = TypeVar("M", bound=Model)
Reading = tuple[list[str], list[int], list[tuple[int, Any, Any]]]

AT_ONCE = 150  # rows: databases take only so many values with a question, old SQLites 999


def rows(model: type[M], where: str, *values: Any, columns: str = "*") -> list[M]:
    """The rows of which this is true, in the order that is told after it; ``where`` is written in the code.

    Of ``columns`` the first is ``id``; others than these are read when they are asked for.
    """
    named = model._meta.db_table  # noqa: SLF001 - Django's own way to say it
    question = f"SELECT {columns} FROM {named} WHERE {where}"  # noqa: S608 - no value is put into it
    with connection.cursor() as cursor:
        cursor.execute(question, values)
        told = tuple(column[0] for column in cursor.description)
        found = cursor.fetchall()
    names, places, converters = _reading(model, told, connection.vendor)
    made = []
    for row in found:
        read = [row[place] for place in places]
        for at, column, convert in converters:
            read[at] = convert(read[at], column, connection)
        made.append(model.from_db(connection.alias, names, read))
    return made


@cache
def _reading(model: type[Model], told: tuple[str, ...], _vendor: str) -> Reading:
    """How a row is read that has these columns: their names as a model has them in order, where each of them stands,
    and how values come out of this kind of database: which of those, its column, with what."""
    meta = model._meta  # noqa: SLF001 - likewise
    columns = {field.attname: field.get_col(meta.db_table) for field in meta.concrete_fields}
    names = [name for name in columns if name in told]
    converters = [
        (at, columns[name], convert)
        for at, name in enumerate(names)
        for convert in (
            *connection.ops.get_db_converters(columns[name]),
            *columns[name].get_db_converters(connection),
        )
    ]
    return names, [told.index(name) for name in names], converters


def put(new: Sequence[Model], unique: tuple[str, ...]) -> None:
    """Insert rows of a kind, each instead of the one that is the same in the ``unique`` columns."""
    for at in range(0, len(new), AT_ONCE):
        some = new[at : at + AT_ONCE]
        fields = _written(type(some[0]))
        values = [
            field.get_db_prep_save(getattr(row, field.attname), connection)
            for row in some
            for field in fields
        ]
        with connection.cursor() as cursor:
            cursor.execute(_putting(type(some[0]), unique, len(some)), values)


def drop(model: type[Model], columns: tuple[str, ...], gone: Sequence[tuple[Any, ...]]) -> None:
    """Delete the rows that have these values in these columns."""
    for at in range(0, len(gone), AT_ONCE):
        some = gone[at : at + AT_ONCE]
        values = [value for one in some for value in one]
        with connection.cursor() as cursor:
            cursor.execute(_dropping(model, columns, len(some)), values)


@cache
def _written(model: type[Model]) -> tuple[Field[Any, Any], ...]:
    """The columns that the database does not fill in itself."""
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key)  # noqa: SLF001 - likewise


@cache
def _putting(model: type[Model], unique: tuple[str, ...], many: int) -> str:
    columns = [field.attname for field in _written(model)]  # the database calls them so, too
    sets = [f"{_quoted(name)} = excluded.{_quoted(name)}" for name in columns if name not in unique]
    return (
        f"INSERT INTO {model._meta.db_table} ({_quoted(*columns)})"  # noqa: S608, SLF001 - names alone
        f" VALUES {_values(len(columns), many)} ON CONFLICT ({_quoted(*unique)}) DO UPDATE SET {', '.join(sets)}"
    )


@cache
def _dropping(model: type[Model], columns: tuple[str, ...], many: int) -> str:
    return (
        f"DELETE FROM {model._meta.db_table}"  # noqa: S608, SLF001 - names alone
        f" WHERE ({_quoted(*columns)}) IN (VALUES {_values(len(columns), many)})"
    )


def _values(columns: int, many: int) -> str:
    return ", ".join([f"({', '.join(['%s'] * columns)})"] * many)


def _quoted(*names: str) -> str:
    return ", ".join(f'"{name}"' for name in names)

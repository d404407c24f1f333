"""Template data for calculator answers: labelled lines and small tables."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from companion import wording
from games.core.calculators import Calculators
from games.core.codec import Json

Shown = dict[str, Any]

# Kinds of names to look a slug up in, in this order.
KINDS = ("faction", "part", "word", "region", "province", "field")
SMALLEST = 0.005  # a smaller chance would round to 0 %


def answer_lines(game: Calculators, data: Mapping[str, Json], chances: Collection[str] = ()) -> list[Shown]:
    """Return an answer as template data; consecutive mappings with the same keys become one table."""
    lines: list[Shown] = []
    for key, value in data.items():
        line = _line(game, key, value, chance=key in chances)
        joined = _beside(lines[-1], line) if lines else None
        if joined:
            lines[-1] = joined
        else:
            lines.append(line)
    return lines


def _line(game: Calculators, key: str, value: Json, *, chance: bool) -> Shown:
    label = wording.label(game, f"answer.{key}", key)
    if not isinstance(value, Mapping):
        return {"label": label, "value": _shown(game, value)}
    parts = _parts(value)
    rows = [
        {
            "key": name,
            "label": _any_name(game, name),
            "cells": [_shown(game, inner.get(part), chance=chance) for part in parts]
            if isinstance(inner, Mapping)
            else [_shown(game, inner, chance=chance)],
        }
        for name, inner in value.items()
    ]
    columns = [_any_name(game, part) for part in parts] if parts else [label]
    stacked = any(isinstance(inner, list | tuple) for inner in value.values())
    return {"label": label, "columns": columns, "rows": rows, "table": bool(parts), "stacked": stacked}


def _parts(value: Mapping[str, Json]) -> list[str]:
    """Return the keys of the nested mappings, each once."""
    return list(
        dict.fromkeys(part for inner in value.values() if isinstance(inner, Mapping) for part in inner)
    )


def _beside(left: Shown, right: Shown) -> Shown | None:
    """Return two mappings joined into one table; None if the second has keys that the first lacks."""
    if "rows" not in left or "rows" not in right or left["stacked"] or right["stacked"]:
        return None
    more = {row["key"]: row["cells"] for row in right["rows"]}
    if not more or not more.keys() <= {row["key"] for row in left["rows"]}:
        return None
    blank: list[Shown] = [{}] * len(right["columns"])
    rows = [{**row, "cells": [*row["cells"], *more.get(row["key"], blank)]} for row in left["rows"]]
    return {**left, "columns": [*left["columns"], *right["columns"]], "rows": rows, "table": True}


def _shown(game: Calculators, value: Json, *, chance: bool = False) -> Shown:
    match value:
        case bool():
            return {"flag": value}
        case int() | float():
            return {"text": _per_cent(value) if chance else wording.localized(f"{round(value, 2):g}")}
        case list() | tuple():
            return _list(game, value)
        case None:
            return {"text": "–"}
        case _:
            is_faction = f"faction:{value}" in game.texts.names
            return {"text": _any_name(game, str(value)), "key": value if is_faction else ""}


def _list(game: Calculators, value: list[Json] | tuple[Json, ...]) -> Shown:
    """Return a list of numbers as one text (1 · 2 · 1), any other list item by item."""
    if value and all(isinstance(item, int) for item in value):
        return {"text": " · ".join(str(item) for item in value)}
    ways = bool(value) and all(isinstance(item, list | tuple) for item in value)
    return {"list": [_shown(game, item) for item in value], "ways": ways}


def _per_cent(chance: float) -> str:
    if 0 < chance < SMALLEST:
        return "< 1 %"
    if 1 - SMALLEST < chance < 1:
        return "> 99 %"
    return f"{round(100 * chance)} %"


def _any_name(game: Calculators, slug: str) -> str:
    """Return the name of a slug of any kind, or the slug itself."""
    for kind in KINDS:
        if f"{kind}:{slug}" in game.texts.names:
            return wording.name(game, kind, slug)
    return slug

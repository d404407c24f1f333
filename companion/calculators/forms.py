"""Calculators as forms: what their inputs look like filled in, and the body a sent form describes.

A field of a form is named by the path to its value in the body: ``counters.catholics``,
``cities.0.links_held``. Buttons change the shape: ``add``/``drop`` a row, move an item ``up``.

Everything is to fit on one phone's screen. So what is alike stands side by side: counts of the
same things and records of the same shape are tables of cells, plain lists are strips of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion import wording
from games.core.calculators import (
    Calculator,
    Calculators,
    Counts,
    Flag,
    Group,
    Input,
    Keyed,
    Number,
    Order,
    Pick,
    Rows,
    Settings,
)
from games.core.codec import Json
from games.core.errors import BadInput, Refused
from games.core.messages import Message

Form = Mapping[str, str]
Widget = dict[str, Any]
Within = tuple[str, ...]  # the calculator, then the inputs around the one that is drawn

MOST_BESIDE_LABEL = 6  # numbers to pick from that stand in one line with their label
MOST_IN_ROW = 5  # factions that stand in one line
LONGEST_INDEX = 3  # digits


# From a body to widgets


def widgets(
    game: Calculators,
    inputs: Iterable[Input],
    body: Mapping[str, Json],
    prefix: str = "",
    within: Within = (),
) -> list[Widget]:
    """What a template draws for some inputs, filled with a body."""
    found: list[Widget] = []
    for asked in inputs:
        item = _asked_for(asked, body)
        drawn = _widget(game, item, body.get(item.name), prefix + item.name, within)
        joined = _beside(found[-1], drawn) if found else None
        if joined:
            found[-1] = joined
        else:
            found.append(drawn)
    return found


def _asked_for(item: Input, body: Mapping[str, Json]) -> Input:
    """A group without what is not among the items of the list that it names."""
    if isinstance(item, Group) and item.among:
        return replace(item, inputs=tuple(one for one in item.inputs if one.name in body[item.among]))
    return item


def _beside(left: Widget, right: Widget) -> Widget | None:
    """Counts of the same things become one table; picks out of the same words stand in one line."""
    same = left.get("keys") is not None and left["keys"] == right.get("keys")
    if same and right["kind"] == "counts":
        lines = [
            {**line, "cells": [*line["cells"], *more["cells"]]}
            for line, more in zip(left["lines"], right["lines"], strict=True)
        ]
        return {**left, "kind": "grid", "columns": [*left["columns"], *right["columns"]], "lines": lines}
    if same and right["kind"] == "pick" and right["words"]:
        return {**left, "kind": "picks", "picks": [*left.get("picks", [left]), right]}
    return None


def _widget(game: Calculators, item: Input, value: Json, path: str, within: Within) -> Widget:
    shared = {"kind": type(item).__name__.lower(), "path": path, "label": _label(game, item.name, within)}
    return {**shared, **_DRAWN[type(item)](game, item, value, path, within)}


def _draw_number(game: Calculators, item: Number, value: Json, path: str, within: Within) -> Widget:
    return {"cell": _cell(item, value, path, _label(game, item.name, within))}


def _draw_flag(_game: Calculators, _item: Flag, value: Json, _path: str, _within: Within) -> Widget:
    return {"value": bool(value)}


def _draw_pick(game: Calculators, item: Pick, value: Json, _path: str, _within: Within) -> Widget:
    words = bool(item.kind)
    return {
        "options": _options(game, item, value),
        "keys": item.options,
        "words": words,
        "faction": item.kind == "faction",
        "beside_label": len(item.options) <= (2 if words else MOST_BESIDE_LABEL),
        "in_row": item.kind == "faction" and len(item.options) <= MOST_IN_ROW,
    }


def _draw_counts(game: Calculators, item: Counts, value: Json, path: str, within: Within) -> Widget:
    counts, label = value or {}, _label(game, item.name, within)
    names = {key: _option(game, item.kind, key) for key in item.keys}
    lines = [
        {
            "key": key,
            "label": name,
            "cells": [_cell(item, counts.get(key), f"{path}.{key}", f"{name}, {label}")],
        }
        for key, name in names.items()
    ]
    return {"lines": lines, "columns": [label], "keys": item.keys}


def _draw_order(game: Calculators, item: Order, value: Json, path: str, _within: Within) -> Widget:
    """What is missing or named twice comes right again, whatever was sent."""
    order = _ordered(item, value or ())
    out = [key for key in item.keys if key not in order]
    return {
        "rows": [
            {"path": f"{path}.{i}", "key": key, "label": _option(game, item.kind, key)}
            for i, key in enumerate(order)
        ],
        "drop": item.fewest is not None and len(order) > item.fewest,
        "out": [{"path": f"{path}.{key}", "key": key, "label": _option(game, item.kind, key)} for key in out],
    }


def _ordered(item: Order, keys: Iterable[str]) -> list[str]:
    """Each key once; those that were left out come last, unless fewer are enough."""
    found = list(dict.fromkeys(key for key in keys if key in item.keys))
    enough = item.fewest is not None and len(found) >= item.fewest
    return found if enough else [*found, *(key for key in item.keys if key not in found)]


def _draw_keyed(game: Calculators, item: Keyed, value: Json, path: str, within: Within) -> Widget:
    inner, title = (*within, item.name), _title(game, item, within)
    rows = [
        {
            "path": f"{path}.{i}",
            "number": i + 1,
            "cells": [
                _one(game, _key_pick(item, value, key), key, f"{path}.{i}.key", f"{title} {i + 1}"),
                *(
                    _small(game, one, _named(record), f"{path}.{i}.", inner, _option(game, item.kind, key))
                    for one in item.inputs
                ),
            ],
        }
        for i, (key, record) in enumerate((value or {}).items())
    ]
    labels = [_label(game, one.name, inner) for one in item.inputs]
    full = len(rows) >= min(item.most, len(item.keys))
    return {"kind": "rows", "hint": ", ".join(labels), "rows": rows, "add": "" if full else path}


def _key_pick(item: Keyed, value: Mapping[str, Json], key: str) -> Pick:
    """The keys a row may have: its own, and those that no other row has."""
    return Pick("key", tuple(one for one in item.keys if one == key or one not in value), item.kind)


def _draw_settings(game: Calculators, item: Settings, value: Json, path: str, _within: Within) -> Widget:
    chosen = value or {}
    return {
        "label": wording.label(game, "core.as-played", ""),
        "picks": [
            {
                "path": f"{path}.{option.name}",
                "label": wording.option_title(game, option.name),
                "options": [
                    (
                        str(i),
                        wording.option_value(game, option.name, one),
                        one == chosen.get(option.name, option.default),
                    )
                    for i, one in enumerate(option.values)
                ],
            }
            for option in item.options
        ],
        "changed": any(chosen.get(option.name, option.default) != option.default for option in item.options),
    }


def _draw_group(game: Calculators, item: Group, value: Json, path: str, within: Within) -> Widget:
    inner, fields = (*within, item.name), _named(value)
    if all(isinstance(one, Number) for one in item.inputs):
        title = _title(game, item, within)
        cells = [_small(game, one, fields, f"{path}.", inner, title) for one in item.inputs]
        return {"kind": "cells", "cells": cells}
    if all(isinstance(one, Rows) for one in item.inputs):
        return {"kind": "stacks", **_stacks(game, item, fields, path, inner)}
    if all(isinstance(one, Group) for one in item.inputs):
        if _is_table(item.inputs):
            return {"kind": "grid", **_table(game, item, fields, path, inner)}
        return {"kind": "folds", "widgets": widgets(game, item.inputs, fields, f"{path}.", inner)}
    drawn = widgets(game, item.inputs, fields, f"{path}.", inner)
    return {"widgets": drawn, "filled": bool(value) and _holds_something(value)}


def _holds_something(value: Json) -> bool:
    if isinstance(value, Mapping):
        return any(_holds_something(inner) for inner in value.values())
    return bool(value)


def _is_table(inputs: Sequence[Input]) -> bool:
    """Whether these are records of the same shape, with nothing in them that needs much room."""
    shapes = {one.inputs for one in inputs if isinstance(one, Group)}
    return len(shapes) == 1 and all(_is_small(inner) for inner in shapes.pop())


def _is_small(item: Input) -> bool:
    return isinstance(item, Number | Pick) or (isinstance(item, Rows) and _is_strip(item))


def _table(game: Calculators, item: Group, fields: Mapping[str, Json], path: str, within: Within) -> Widget:
    lines, columns = [], []
    for one in item.inputs:
        label, record = _label(game, one.name, within), _named(fields.get(one.name))
        inner = (*within, one.name)
        cells = [
            _small(game, small, record, f"{path}.{one.name}.", inner, label) for small in _inputs_of(one)
        ]
        columns = [_label(game, small.name, inner) for small in _inputs_of(one)]
        lines.append({"key": one.name, "label": label, "cells": cells})
    return {"lines": lines, "columns": columns}


def _inputs_of(item: Input) -> tuple[Input, ...]:
    return item.inputs if isinstance(item, Group | Rows) else ()


def _stacks(game: Calculators, item: Group, fields: Mapping[str, Json], path: str, within: Within) -> Widget:
    """Lists beside each other: those with something in them, and a button for each of the others."""
    lines, empty = [], []
    for one in item.inputs:
        label = _label(game, one.name, within) or one.name
        if fields.get(one.name):
            strip = _small(game, one, fields, f"{path}.", within)
            lines.append({"key": one.name, "label": label, "cells": [strip]})
        else:
            empty.append({"label": label, "path": f"{path}.{one.name}"})
    return {"lines": lines, "empty": empty}


def _draw_rows(game: Calculators, item: Rows, value: Json, path: str, within: Within) -> Widget:
    inner = (*within, item.name)
    labels = [_label(game, one.name, inner) for one in item.inputs]
    shared, title = {"hint": ", ".join(label for label in labels if label)}, _title(game, item, within)
    if _is_strip(item):
        return {**shared, "kind": "strip", **_strip(game, item, value, path, title)}
    rows = [
        {
            "path": f"{path}.{i}",
            "number": i + 1,
            "cells": [
                _small(game, one, _named(row), f"{path}.{i}.", inner, f"{title} {i + 1}")
                for one in item.inputs
            ],
        }
        for i, row in enumerate(value or [])
    ]
    return {**shared, "rows": rows, "add": "" if len(rows) >= item.most else path}


_DRAWN: Mapping[type, Callable[..., Widget]] = {
    Number: _draw_number,
    Flag: _draw_flag,
    Pick: _draw_pick,
    Counts: _draw_counts,
    Order: _draw_order,
    Group: _draw_group,
    Rows: _draw_rows,
    Keyed: _draw_keyed,
    Settings: _draw_settings,
}


# Small widgets: what stands in a cell of a table or a list


def _small(
    game: Calculators,
    item: Input,
    fields: Mapping[str, Json],
    prefix: str,
    within: Within,
    title: str = "",
) -> Widget:
    """A cell, a drop-down or a strip; ``title`` is what it belongs to."""
    path, label, value = prefix + item.name, _label(game, item.name, within), fields.get(item.name)
    spoken = ", ".join(part for part in (title, label) if part)
    if isinstance(item, Rows):
        return {"kind": "strip", "label": spoken, **_strip(game, item, value, path, spoken or item.name)}
    return {"short": label, "key": item.name, **_one(game, item, value, path, spoken)}


def _one(game: Calculators, item: Input, value: Json, path: str, label: str) -> Widget:
    if isinstance(item, Pick) and not _is_run(item):
        return {"kind": "select", "path": path, "label": label, "options": _options(game, item, value)}
    return _cell(item, value, path, label)


def _is_run(item: Pick) -> bool:
    """Whether the options are numbers one after the other, as on a die."""
    first = item.options[0]
    return isinstance(first, int) and item.options == tuple(range(first, first + len(item.options)))


def _strip(game: Calculators, item: Rows, value: Json, path: str, label: str) -> Widget:
    """A plain list: its cells in a line, a button for one more, another for one fewer."""
    (one,) = item.inputs
    cells = []
    for i, row in enumerate(value or []):
        at, inner = (
            (f"{path}.{i}", row) if _is_plain(item) else (f"{path}.{i}.{one.name}", _named(row).get(one.name))
        )
        cells.append(_one(game, one, inner, at, f"{label} {i + 1}"))
    fixed = bool(item.after_first)
    return {
        "cells": cells,
        "add": "" if fixed or len(cells) >= item.most else path,
        "drop": f"{path}.{len(cells) - 1}" if cells and not fixed else "",
    }


def _cell(item: Input, value: Json, path: str, label: str) -> Widget:
    low, high, by = _bounds(item)
    shown = low if value is None else value
    return {
        "kind": "cell",
        "path": path,
        "label": label,
        "value": _plain(shown),
        "low": _plain(low),
        "high": _plain(high),
        "by": _plain(by),
    }


def _bounds(item: Input) -> tuple[float, float, float]:
    match item:
        case Number():
            return item.low, item.high, item.by
        case Counts():
            return item.low, item.high, 1
        case Pick():
            return item.options[0], item.options[-1], 1
        case _:
            raise TypeError(item)


def _plain(value: Json) -> str:
    """A number as a field of a form wants it in every language."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _named(value: Json) -> Mapping[str, Json]:
    """A record by the names of its fields; a list by its positions."""
    if isinstance(value, list | tuple):
        return {str(i): inner for i, inner in enumerate(value)}
    return value or {}


def _is_strip(item: Rows) -> bool:
    return len(item.inputs) == 1 and isinstance(item.inputs[0], Number | Pick)


def _is_plain(item: Rows) -> bool:
    return len(item.inputs) == 1 and not item.inputs[0].name


def _label(game: Calculators, name: str, within: Within) -> str:
    """The wording nearest to where the input stands: ``input.<around>.<name>``, or ``input.<name>`` anywhere."""
    for around in reversed(within):
        found = wording.label(game, f"input.{around}.{name}", "")
        if found:
            return found
    return wording.label(game, f"input.{name}", "" if name.isdigit() else name)


def _title(game: Calculators, item: Input, within: Within) -> str:
    """What the parts of an input are called after: one of it, where the label says more (``input.<name>.one``)."""
    one = _label(game, f"{item.name}.one", within)
    return one if one != f"{item.name}.one" else _label(game, item.name, within) or item.name


def _options(game: Calculators, item: Pick, value: Json) -> list[tuple[str, str, bool]]:
    return [(str(option), _option(game, item.kind, option), option == value) for option in item.options]


def _option(game: Calculators, kind: str, option: Json) -> str:
    if option is None:
        return wording.name(game, kind, "none")
    return wording.name(game, kind, str(option)) if kind else str(option)


# From a form to a body


def completed(inputs: Iterable[Input], body: Mapping[str, Json]) -> dict[str, Json]:
    """A body with every count of the form in it, as the form sends it."""
    full: dict[str, Json] = {}
    for item in inputs:
        full[item.name] = _complete(item, body.get(item.name))
        if isinstance(item, Keyed):
            full[item.order] = list(full[item.name])
    return full


def _complete(item: Input, value: Json) -> Json:
    if isinstance(item, Counts):
        return {key: (value or {}).get(key, 0) for key in item.keys}
    if isinstance(item, Group) and not isinstance(value, list | tuple):
        return completed(item.inputs, value or {})
    if isinstance(item, Settings):
        return {option.name: option.default for option in item.options}
    return [] if isinstance(item, Rows) and value is None else value


def body_of(inputs: Iterable[Input], form: Form, prefix: str = "") -> dict[str, Json]:
    """The body a form describes. What is badly filled in is passed on for the calculator to refuse."""
    body: dict[str, Json] = {}
    for item in inputs:
        asked = _asked_for(item, body)
        value = _value(asked, form, prefix + item.name)
        body[item.name] = _as_many(asked, value, body)
        if isinstance(item, Keyed):
            body[item.order] = list(value)
    return body


def _as_many(item: Input, value: Json, body: Mapping[str, Json]) -> Json:
    """A list with a row for each item but the first of the list that it names."""
    if not isinstance(item, Rows) or not item.after_first:
        return value
    wanted = max(0, len(body[item.after_first]) - 1)
    new = [_value(item.inputs[0], {}, "")] * (wanted - len(value))
    return [*value, *new][:wanted]


def _inner(inputs: Sequence[Input], form: Form, prefix: str) -> Json:
    """A record inside the body; where its fields are values by position, a list."""
    found = body_of(inputs, form, prefix)
    is_list = all(one.name.isdigit() and isinstance(one, Number | Pick) for one in inputs)
    return list(found.values()) if is_list else found


def _value(item: Input, form: Form, path: str) -> Json:
    return _READ[type(item)](item, form, path)


def _read_number(item: Number, form: Form, path: str) -> Json:
    """What is not sent is new and starts low; an empty field is for the calculator to refuse."""
    return _number(form[path]) if path in form else max(item.low, 0)


def _read_flag(_item: Flag, form: Form, path: str) -> bool:
    return path in form


def _read_pick(item: Pick, form: Form, path: str) -> Json:
    """One of the options. In a cell any number can be written; that is for the calculator to refuse."""
    sent = form.get(path)
    for option in item.options:
        if str(option) == sent:
            return option
    return item.options[0] if sent is None or not _is_run(item) else _number(sent)


def _read_counts(item: Counts, form: Form, path: str) -> Json:
    return {key: _number(form.get(f"{path}.{key}", "0")) for key in item.keys}


def _read_order(item: Order, form: Form, path: str) -> Json:
    sent = [form[f"{path}.{i}"] for i in range(len(item.keys)) if f"{path}.{i}" in form]
    order = _moved_up(sent, form, path)
    gone, come = form.get("drop", ""), form.get("add", "")
    order = [key for i, key in enumerate(order) if gone != f"{path}.{i}"]
    order += [key for key in item.keys if come == f"{path}.{key}"]
    return _ordered(item, order)


def _read_group(item: Group, form: Form, path: str) -> Json:
    found = _inner(item.inputs, form, f"{path}.")
    return _made_distinct(item, found, form, path) if item.distinct else found


def _made_distinct(item: Group, found: dict[str, Json], form: Form, path: str) -> Json:
    """What was just added is something that does not stand anywhere yet, while there is something."""
    grown = form.get("add", "").removeprefix(f"{path}.")
    rows = next((one for one in item.inputs if one.name == grown), None)
    if not isinstance(rows, Rows) or not isinstance(rows.inputs[0], Pick) or not found.get(grown):
        return found
    *kept, _new = found[grown]
    there = [value for name, values in found.items() for value in (kept if name == grown else values)]
    free = [option for option in rows.inputs[0].options if option not in there]
    return {**found, grown: [*kept, free[0]]} if free else found


def _read_keyed(item: Keyed, form: Form, path: str) -> Json:
    found: dict[str, Json] = {}
    for i in range(item.most):
        at = f"{path}.{i}"
        key = form.get(f"{at}.key")
        if key is not None and form.get("drop") != at:
            found[key] = _inner(item.inputs, form, f"{at}.")
    free = [key for key in item.keys if key not in found]
    if form.get("add") == path and free and len(found) < item.most:
        found[free[0]] = _inner(item.inputs, {}, f"{path}.new.")
    return found


def _read_settings(item: Settings, form: Form, path: str) -> Json:
    found = {}
    for option in item.options:
        sent = form.get(f"{path}.{option.name}", "")
        index = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < LONGEST_INDEX else None
        known = index is not None and index < len(option.values)
        found[option.name] = option.values[index] if known and index is not None else option.default
    return found


def _number(text: str) -> Json:
    """A whole number, a number with a fraction, or the text as it is."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def _moved_up(order: list[str], form: Form, path: str) -> list[str]:
    wanted, _dot, index = form.get("up", "").rpartition(".")
    if wanted == path and index in map(str, range(1, len(order))):
        at = int(index)
        order[at - 1], order[at] = order[at], order[at - 1]
    return order


def _rows(item: Rows, form: Form, path: str) -> list[Json]:
    rows, start = [], len(path) + 1
    sent = {key[start:].partition(".")[0] for key in form if key.startswith(f"{path}.")}
    for i in range(item.most):
        at = f"{path}.{i}"
        if str(i) not in sent:
            break
        if form.get("drop") != at:
            rows.append(
                _value(item.inputs[0], form, at) if _is_plain(item) else _inner(item.inputs, form, f"{at}.")
            )
    if form.get("add") == path and len(rows) < item.most:
        rows.append(
            _value(item.inputs[0], {}, path) if _is_plain(item) else _inner(item.inputs, {}, f"{path}.new.")
        )
    return rows


_READ: Mapping[type, Callable[..., Json]] = {
    Number: _read_number,
    Flag: _read_flag,
    Pick: _read_pick,
    Counts: _read_counts,
    Order: _read_order,
    Group: _read_group,
    Rows: _rows,
    Keyed: _read_keyed,
    Settings: _read_settings,
}


# From a refusal to a sentence about the form


def named_fields(game: Calculators, found: Calculator, refused: Refused) -> Refused:
    """The same refusal, with a field of the body called as the form calls it."""
    path = refused.message.params.get("field")
    if not isinstance(refused, BadInput) or not isinstance(path, str):
        return refused
    *around, name = (part.partition("[")[0] for part in path.split("."))
    label = _label(game, name, (found.name, *around))
    return BadInput(
        Message(refused.message.code, {**refused.message.params, "field": label}), rule=refused.rule
    )

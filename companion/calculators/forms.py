"""Calculator forms: widgets for a calculator's inputs, and the request body that a submitted form describes.

A form field is named by the path to its value in the body: `counters.catholics`, `cities.0.links_held`.
Buttons change the structure: `add` or `drop` a row, move an item `up`.

A form should fit on one phone screen, so similar inputs are combined: counts of the same keys and records of
the same shape become tables of cells, plain lists become strips of cells.
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
Within = tuple[str, ...]  # names of the calculator and of the enclosing inputs, outermost first

MOST_BESIDE_LABEL = 6  # numbers to pick from that fit in one line with their label
MOST_IN_ROW = 5  # factions that fit in one line
LONGEST_INDEX = 3  # digits


# From a body to widgets


def widgets(
    game: Calculators,
    inputs: Iterable[Input],
    body: Mapping[str, Json],
    prefix: str = "",
    within: Within = (),
) -> list[Widget]:
    """Return the template data of the inputs, filled with the values of a body."""
    result: list[Widget] = []
    for declared in inputs:
        item = _effective(declared, body)
        widget = _widget(game, item, body.get(item.name), prefix + item.name, within)
        joined = _beside(result[-1], widget) if result else None
        if joined:
            result[-1] = joined
        else:
            result.append(widget)
    return result


def _effective(item: Input, body: Mapping[str, Json]) -> Input:
    """Return the input; a group with `among` keeps only the inputs named in that list of the body."""
    if isinstance(item, Group) and item.among:
        return replace(item, inputs=tuple(inner for inner in item.inputs if inner.name in body[item.among]))
    return item


def _beside(left: Widget, right: Widget) -> Widget | None:
    """Return two widgets combined, None if they cannot be.

    Counts of the same keys become one table, picks from the same words one line.
    """
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
    return {**shared, **_RENDERERS[type(item)](game, item, value, path, within)}


def _render_number(game: Calculators, item: Number, value: Json, path: str, within: Within) -> Widget:
    return {"cell": _cell(item, value, path, _label(game, item.name, within))}


def _render_flag(_game: Calculators, _item: Flag, value: Json, _path: str, _within: Within) -> Widget:
    return {"value": bool(value)}


def _render_pick(game: Calculators, item: Pick, value: Json, _path: str, _within: Within) -> Widget:
    words = bool(item.kind)
    return {
        "options": _options(game, item, value),
        "keys": item.options,
        "words": words,
        "faction": item.kind == "faction",
        "beside_label": len(item.options) <= (2 if words else MOST_BESIDE_LABEL),
        "in_row": item.kind == "faction" and len(item.options) <= MOST_IN_ROW,
    }


def _render_counts(game: Calculators, item: Counts, value: Json, path: str, within: Within) -> Widget:
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


def _render_order(game: Calculators, item: Order, value: Json, path: str, _within: Within) -> Widget:
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
    """Return each known key once; missing ones are appended unless there are already `fewest`."""
    order = list(dict.fromkeys(key for key in keys if key in item.keys))
    enough = item.fewest is not None and len(order) >= item.fewest
    return order if enough else [*order, *(key for key in item.keys if key not in order)]


def _render_keyed(game: Calculators, item: Keyed, value: Json, path: str, within: Within) -> Widget:
    inner, title = (*within, item.name), _title(game, item, within)
    rows = [
        {
            "path": f"{path}.{i}",
            "number": i + 1,
            "cells": [
                _control(game, _key_pick(item, value, key), key, f"{path}.{i}.key", f"{title} {i + 1}"),
                *(
                    _small(
                        game, field, _by_name(record), f"{path}.{i}.", inner, _option(game, item.kind, key)
                    )
                    for field in item.inputs
                ),
            ],
        }
        for i, (key, record) in enumerate((value or {}).items())
    ]
    labels = [_label(game, field.name, inner) for field in item.inputs]
    full = len(rows) >= min(item.most, len(item.keys))
    return {"kind": "rows", "hint": ", ".join(labels), "rows": rows, "add": "" if full else path}


def _key_pick(item: Keyed, value: Mapping[str, Json], key: str) -> Pick:
    """Return the choice of keys for a row: its own key and those that no other row has."""
    return Pick(
        "key", tuple(option for option in item.keys if option == key or option not in value), item.kind
    )


def _render_settings(game: Calculators, item: Settings, value: Json, path: str, _within: Within) -> Widget:
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
                        wording.option_value(game, option.name, choice),
                        choice == chosen.get(option.name, option.default),
                    )
                    for i, choice in enumerate(option.values)
                ],
            }
            for option in item.options
        ],
        "changed": any(chosen.get(option.name, option.default) != option.default for option in item.options),
    }


def _render_group(game: Calculators, item: Group, value: Json, path: str, within: Within) -> Widget:
    inner, fields = (*within, item.name), _by_name(value)
    if all(isinstance(field, Number) for field in item.inputs):
        title = _title(game, item, within)
        cells = [_small(game, field, fields, f"{path}.", inner, title) for field in item.inputs]
        return {"kind": "cells", "cells": cells}
    if all(isinstance(field, Rows) for field in item.inputs):
        return {"kind": "stacks", **_stacks(game, item, fields, path, inner)}
    if all(isinstance(field, Group) for field in item.inputs):
        if _is_table(item.inputs):
            return {"kind": "grid", **_table(game, item, fields, path, inner)}
        return {"kind": "folds", "widgets": widgets(game, item.inputs, fields, f"{path}.", inner)}
    inner_widgets = widgets(game, item.inputs, fields, f"{path}.", inner)
    return {"widgets": inner_widgets, "filled": bool(value) and _holds_something(value)}


def _holds_something(value: Json) -> bool:
    if isinstance(value, Mapping):
        return any(_holds_something(inner) for inner in value.values())
    return bool(value)


def _is_table(inputs: Sequence[Input]) -> bool:
    """Return True if these are groups of the same shape that contain only small inputs."""
    shapes = {field.inputs for field in inputs if isinstance(field, Group)}
    return len(shapes) == 1 and all(_is_small(inner) for inner in shapes.pop())


def _is_small(item: Input) -> bool:
    return isinstance(item, Number | Pick) or (isinstance(item, Rows) and _is_strip(item))


def _table(game: Calculators, item: Group, fields: Mapping[str, Json], path: str, within: Within) -> Widget:
    lines, columns = [], []
    for field in item.inputs:
        label, record = _label(game, field.name, within), _by_name(fields.get(field.name))
        inner = (*within, field.name)
        cells = [
            _small(game, small, record, f"{path}.{field.name}.", inner, label) for small in _inputs_of(field)
        ]
        columns = [_label(game, small.name, inner) for small in _inputs_of(field)]
        lines.append({"key": field.name, "label": label, "cells": cells})
    return {"lines": lines, "columns": columns}


def _inputs_of(item: Input) -> tuple[Input, ...]:
    return item.inputs if isinstance(item, Group | Rows) else ()


def _stacks(game: Calculators, item: Group, fields: Mapping[str, Json], path: str, within: Within) -> Widget:
    """Return the strips of lists that have items, and an `add` button for each empty list."""
    lines, empty = [], []
    for field in item.inputs:
        label = _label(game, field.name, within) or field.name
        if fields.get(field.name):
            strip = _small(game, field, fields, f"{path}.", within)
            lines.append({"key": field.name, "label": label, "cells": [strip]})
        else:
            empty.append({"label": label, "path": f"{path}.{field.name}"})
    return {"lines": lines, "empty": empty}


def _render_rows(game: Calculators, item: Rows, value: Json, path: str, within: Within) -> Widget:
    inner = (*within, item.name)
    labels = [_label(game, field.name, inner) for field in item.inputs]
    shared, title = {"hint": ", ".join(label for label in labels if label)}, _title(game, item, within)
    if _is_strip(item):
        return {**shared, "kind": "strip", **_strip(game, item, value, path, title)}
    rows = [
        {
            "path": f"{path}.{i}",
            "number": i + 1,
            "cells": [
                _small(game, field, _by_name(row), f"{path}.{i}.", inner, f"{title} {i + 1}")
                for field in item.inputs
            ],
        }
        for i, row in enumerate(value or [])
    ]
    return {**shared, "rows": rows, "add": "" if len(rows) >= item.most else path}


_RENDERERS: Mapping[type, Callable[..., Widget]] = {
    Number: _render_number,
    Flag: _render_flag,
    Pick: _render_pick,
    Counts: _render_counts,
    Order: _render_order,
    Group: _render_group,
    Rows: _render_rows,
    Keyed: _render_keyed,
    Settings: _render_settings,
}


# Small widgets: the contents of a table cell or a list row


def _small(
    game: Calculators,
    item: Input,
    fields: Mapping[str, Json],
    prefix: str,
    within: Within,
    title: str = "",
) -> Widget:
    """Return a cell, a drop-down or a strip; `title` precedes its label for screen readers."""
    path, label, value = prefix + item.name, _label(game, item.name, within), fields.get(item.name)
    spoken = ", ".join(part for part in (title, label) if part)
    if isinstance(item, Rows):
        return {"kind": "strip", "label": spoken, **_strip(game, item, value, path, spoken or item.name)}
    return {"short": label, "key": item.name, **_control(game, item, value, path, spoken)}


def _control(game: Calculators, item: Input, value: Json, path: str, label: str) -> Widget:
    if isinstance(item, Pick) and not _is_run(item):
        return {"kind": "select", "path": path, "label": label, "options": _options(game, item, value)}
    return _cell(item, value, path, label)


def _is_run(item: Pick) -> bool:
    """Return True if the options are consecutive integers, as on a die."""
    first = item.options[0]
    return isinstance(first, int) and item.options == tuple(range(first, first + len(item.options)))


def _strip(game: Calculators, item: Rows, value: Json, path: str, label: str) -> Widget:
    """Return the cells of a plain list, with the paths for its `add` and `drop` buttons."""
    (field,) = item.inputs
    cells = []
    for i, row in enumerate(value or []):
        at, inner = (
            (f"{path}.{i}", row)
            if _is_plain(item)
            else (f"{path}.{i}.{field.name}", _by_name(row).get(field.name))
        )
        cells.append(_control(game, field, inner, at, f"{label} {i + 1}"))
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
    """Return a number as the value of an HTML form field, independent of the locale."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def _by_name(value: Json) -> Mapping[str, Json]:
    """Return a record by field name, a list by index."""
    if isinstance(value, list | tuple):
        return {str(i): inner for i, inner in enumerate(value)}
    return value or {}


def _is_strip(item: Rows) -> bool:
    return len(item.inputs) == 1 and isinstance(item.inputs[0], Number | Pick)


def _is_plain(item: Rows) -> bool:
    return len(item.inputs) == 1 and not item.inputs[0].name


def _label(game: Calculators, name: str, within: Within) -> str:
    """Return the label `input.<enclosing>.<name>` of the innermost enclosing input, or `input.<name>`."""
    for around in reversed(within):
        label = wording.label(game, f"input.{around}.{name}", "")
        if label:
            return label
    return wording.label(game, f"input.{name}", "" if name.isdigit() else name)


def _title(game: Calculators, item: Input, within: Within) -> str:
    """Return the title for the rows of an input: its singular (`input.<name>.one`) or its label."""
    singular = _label(game, f"{item.name}.one", within)
    return singular if singular != f"{item.name}.one" else _label(game, item.name, within) or item.name


def _options(game: Calculators, item: Pick, value: Json) -> list[tuple[str, str, bool]]:
    return [(str(option), _option(game, item.kind, option), option == value) for option in item.options]


def _option(game: Calculators, kind: str, option: Json) -> str:
    if option is None:
        return wording.name(game, kind, "none")
    return wording.name(game, kind, str(option)) if kind else str(option)


# From a form to a body


def completed(inputs: Iterable[Input], body: Mapping[str, Json]) -> dict[str, Json]:
    """Return a body with defaults for everything it leaves out, as a submitted form would have it."""
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
    """Return the body that a form describes; invalid values are passed on and rejected by the calculator."""
    body: dict[str, Json] = {}
    for item in inputs:
        effective = _effective(item, body)
        value = _value(effective, form, prefix + item.name)
        body[item.name] = _resized(effective, value, body)
        if isinstance(item, Keyed):
            body[item.order] = list(value)
    return body


def _resized(item: Input, value: Json, body: Mapping[str, Json]) -> Json:
    """Return the value; a list with `after_first` gets one row per item of that list except the first."""
    if not isinstance(item, Rows) or not item.after_first:
        return value
    wanted = max(0, len(body[item.after_first]) - 1)
    new = [_value(item.inputs[0], {}, "")] * (wanted - len(value))
    return [*value, *new][:wanted]


def _inner(inputs: Sequence[Input], form: Form, prefix: str) -> Json:
    """Return a nested record, as a list if its fields are named by index."""
    record = body_of(inputs, form, prefix)
    is_list = all(item.name.isdigit() and isinstance(item, Number | Pick) for item in inputs)
    return list(record.values()) if is_list else record


def _value(item: Input, form: Form, path: str) -> Json:
    return _READ[type(item)](item, form, path)


def _read_number(item: Number, form: Form, path: str) -> Json:
    """Return the number; a missing field belongs to a new row and gets the lowest value of at least 0."""
    return _number(form[path]) if path in form else max(item.low, 0)


def _read_flag(_item: Flag, form: Form, path: str) -> bool:
    return path in form


def _read_pick(item: Pick, form: Form, path: str) -> Json:
    """Return the chosen option; a cell accepts any number, which the calculator then rejects."""
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
    dropped, added = form.get("drop", ""), form.get("add", "")
    order = [key for i, key in enumerate(order) if dropped != f"{path}.{i}"]
    order += [key for key in item.keys if added == f"{path}.{key}"]
    return _ordered(item, order)


def _read_group(item: Group, form: Form, path: str) -> Json:
    record = _inner(item.inputs, form, f"{path}.")
    return _made_distinct(item, record, form, path) if item.distinct else record


def _made_distinct(item: Group, record: dict[str, Json], form: Form, path: str) -> Json:
    """Return the record with the value just added replaced by one not in any of its lists, if possible."""
    grown = form.get("add", "").removeprefix(f"{path}.")
    rows = next((inner for inner in item.inputs if inner.name == grown), None)
    if not isinstance(rows, Rows) or not isinstance(rows.inputs[0], Pick) or not record.get(grown):
        return record
    *earlier, _new = record[grown]
    used = [value for name, values in record.items() for value in (earlier if name == grown else values)]
    free = [option for option in rows.inputs[0].options if option not in used]
    return {**record, grown: [*earlier, free[0]]} if free else record


def _read_keyed(item: Keyed, form: Form, path: str) -> Json:
    records: dict[str, Json] = {}
    for i in range(item.most):
        at = f"{path}.{i}"
        key = form.get(f"{at}.key")
        if key is not None and form.get("drop") != at:
            records[key] = _inner(item.inputs, form, f"{at}.")
    free = [key for key in item.keys if key not in records]
    if form.get("add") == path and free and len(records) < item.most:
        records[free[0]] = _inner(item.inputs, {}, f"{path}.new.")
    return records


def _read_settings(item: Settings, form: Form, path: str) -> Json:
    chosen = {}
    for option in item.options:
        sent = form.get(f"{path}.{option.name}", "")
        index = int(sent) if sent.isascii() and sent.isdigit() and len(sent) < LONGEST_INDEX else None
        known = index is not None and index < len(option.values)
        chosen[option.name] = option.values[index] if known and index is not None else option.default
    return chosen


def _number(text: str) -> Json:
    """Parse a number; text that is none is returned unchanged."""
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


# Error messages in terms of the form


def named_fields(game: Calculators, calculator: Calculator, refused: Refused) -> Refused:
    """Return the refusal with the label of the form field in place of the field's path."""
    path = refused.message.params.get("field")
    if not isinstance(refused, BadInput) or not isinstance(path, str):
        return refused
    *around, name = (part.partition("[")[0] for part in path.split("."))
    label = _label(game, name, (calculator.name, *around))
    return BadInput(
        Message(refused.message.code, {**refused.message.params, "field": label}), rule=refused.rule
    )

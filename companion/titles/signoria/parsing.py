"""Conversion between submitted forms and actions, in both directions.

Options whose fields depend on each other are one form field, ``way``, with the fields of the action as JSON.
The field ``pick`` names the die of the action "take"; in other forms it only filters the visible ways. The
remaining fields are numbers or names, such as ``f.red.4``, the number of red dice that show 4.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from games.core.codec import Json
from games.signoria.pieces import CITIES, die_piece

Form = Mapping[str, str]
WHITE = "white"
MAX_WAY = 400  # characters of the field ``way``
MOST = 60  # maximal value of a number
YES, NO = "yes", "no"
ANSWERS: Mapping[str, str] = {"helper": "use", "buy": "buy"}  # actions that are a yes or no -> their field


def way_of(fields: Mapping[str, Json]) -> str:
    """Encode fields of an action as the value of a choice, without those that have their default."""
    encoded = {key: value for key, value in fields.items() if _is_set(value)}
    return json.dumps(encoded, sort_keys=True, separators=(",", ":"))


def _is_set(value: Json) -> bool:
    return isinstance(value, bool) or value not in (None, 0)


# Form to action


def action_of(form: Form) -> Json:
    """Parse a submitted form into an action. Invalid values are passed on, for the rules to refuse."""
    kind, _colon, answer = form.get("type", "").partition(":")
    if kind in ANSWERS:
        return {"type": kind, ANSWERS[kind]: {YES: True, NO: False}.get(answer, answer)}
    parse = _PARSERS.get(kind, _parse_way)
    return {**parse(form), "type": kind}


def _parse_way(form: Form) -> dict[str, Json]:
    try:
        way = json.loads(form.get("way", "")[:MAX_WAY])
    except ValueError:
        return {}
    return way if isinstance(way, dict) else {}


def _parse_take(form: Form) -> dict[str, Json]:
    colour, _dash, face = form.get("pick", "").partition("-")
    return {**_parse_way(form), "colour": colour, "die": _number(face)}


def _number(text: str) -> int:
    return min(int(text), MOST) if text.isascii() and text.isdigit() and len(text) < len("1000000") else 0


def _named(form: Form, prefix: str) -> dict[str, str]:
    """Return the non-empty fields with a prefix, without the prefix, ordered by name."""
    return {
        key.removeprefix(prefix): form[key] for key in sorted(form) if key.startswith(prefix) and form[key]
    }


def _parse_faces(form: Form) -> dict[str, list[int]]:
    """Return the faces of the dice by colour."""
    dice: dict[str, list[int]] = {}
    for key, text in _named(form, "f.").items():
        colour, _dot, face = key.partition(".")
        dice.setdefault(colour, []).extend([_number(face)] * _number(text))
    return {colour: faces for colour, faces in dice.items() if faces}


def _parse_climbs(form: Form) -> dict[str, Json]:
    climbs = []
    for key, text in _named(form, "c.").items():
        career, at, _man = (*key.split("."), "", "")[:3]
        if steps := _number(text):
            climbs.append((career, _number(at), _number(at) + steps))
    return {
        "climbs": [{"career": career, "at": at, "to": to} for career, at, to in sorted(climbs)],
        "initiative": _number(form.get("initiative", "")),
        "stay": form.get("stay", "") == "on",
    }


_PARSERS: Mapping[str, Callable[[Form], dict[str, Json]]] = {
    "order": lambda form: {"order": list(_named(form, "o.").values())},
    "unused": lambda form: {"cities": [city for city in CITIES if f"u.{city}" in form]},
    "reward-tiles": lambda form: {
        "bonus": list(_named(form, "bonus.").values()),
        "points": list(_named(form, "points.").values()),
    },
    "boards": lambda form: {"boards": _named(form, "b.")},
    "refill": lambda form: {"tiles": _named(form, "t.")},
    "roll": lambda form: {"dice": _parse_faces(form)},
    "deal": lambda form: {"tasks": _named(form, "k.")},
    "take": _parse_take,
    "descendants": lambda form: {"dice": _parse_faces(form).get(WHITE, [])},
    "progress": _parse_climbs,
    "pass": lambda _form: {},
}


# Action to form


def form_of(action: Mapping[str, Any]) -> dict[str, str]:
    """Return the form fields that describe an action; none for a yes or no, which is a button."""
    kind = action["type"]
    if kind in ANSWERS:
        return {}
    write = _WRITERS.get(kind, _write_way)
    return {key: str(value) for key, value in write(action).items()}


def _write_way(action: Mapping[str, Any]) -> dict[str, Any]:
    fields = {key: value for key, value in action.items() if key not in ("type", "faction")}
    match action["type"]:
        case "take":
            pick = {"pick": die_piece(fields.pop("colour"), fields.pop("die"))}
        case "mission":
            pick = {"pick": f"{action['career']}-{action['at']}"}
        case "marriage":
            pick = {"pick": action["city"]}
        case _:
            pick = {}
    return {**pick, "way": way_of(fields)}


def _write_faces(dice: Mapping[str, Any]) -> dict[str, Any]:
    return {
        f"f.{colour}.{face}": list(faces).count(face) for colour, faces in dice.items() for face in set(faces)
    }


def _write_climbs(action: Mapping[str, Any]) -> dict[str, Any]:
    """Write climbs; men from the same space get consecutive numbers."""
    fields: dict[str, Any] = {}
    for climb in action["climbs"]:
        start = f"c.{climb['career']}.{climb['at']}."
        fields[f"{start}{sum(key.startswith(start) for key in fields)}"] = climb["to"] - climb["at"]
    if action.get("initiative"):
        fields["initiative"] = action["initiative"]
    return fields | ({"stay": "on"} if action.get("stay") else {})


def _write_row(prefix: str, values: Any) -> dict[str, Any]:
    return {f"{prefix}.{i}": value for i, value in enumerate(values)}


_WRITERS: Mapping[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "order": lambda action: _write_row("o", action["order"]),
    "unused": lambda action: {f"u.{city}": "on" for city in action["cities"]},
    "reward-tiles": lambda action: {
        **_write_row("bonus", action["bonus"]),
        **_write_row("points", action["points"]),
    },
    "boards": lambda action: {f"b.{faction}": board for faction, board in action["boards"].items()},
    "refill": lambda action: {f"t.{space}": tile for space, tile in action["tiles"].items()},
    "roll": lambda action: _write_faces(action["dice"]),
    "deal": lambda action: {f"k.{space}": task for space, task in action["tasks"].items()},
    "descendants": lambda action: _write_faces({WHITE: action["dice"]}),
    "progress": _write_climbs,
    "pass": lambda _action: {},
}

"""Forms for overruling a result: fields for a JSON value, and parsing of the submitted replacement.

The form follows the structure of the result: a number is a stepper, a mapping or list has one field per part,
a faction is a choice of all factions. The rules validate the new value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from companion import wording
from companion.errors import Refusal
from games.core.codec import Json
from games.core.game import AnyGame

# Kinds of names to look a key up in, in this order.
KINDS = ("faction", "part", "word", "region", "province", "field", "piece")
NAME = "result"
MOST = 999
LONGEST_TEXT = 60
_FRACTION = re.compile(r"-?\d{1,6}(/\d{1,6})?", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,6}(\.\d{1,3})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Field:
    """Form field for one value of a result."""

    name: str
    label: str
    kind: str  # number, choice or text
    value: str
    key: str = ""  # the part of the result; a faction is shown with its token
    options: Sequence[tuple[str, str]] = ()  # of a choice: submitted value and text
    step: str = "1"
    least: int = 0
    most: int = MOST


def fields_of(
    game: AnyGame, result: Json, name: str = NAME, key: str = "", above: Sequence[str] = ()
) -> list[Field]:
    """Return the fields of a result, filled with its values."""
    parts = _parts(result)
    if parts is None:
        return [_field(game, result, name, key, " · ".join(above))]
    return [
        field
        for part, value in parts
        for field in fields_of(game, value, f"{name}.{part}", part, [*above, _name(game, part)])
    ]


def read_result(result: Json, form: Mapping[str, str], name: str = NAME) -> Json:
    """Parse a form into a value of the result's structure. Raise `Refusal` if a field is invalid."""
    if isinstance(result, Mapping):
        return {part: read_result(value, form, f"{name}.{part}") for part, value in result.items()}
    if isinstance(result, list | tuple):
        return [read_result(value, form, f"{name}.{i}") for i, value in enumerate(result, start=1)]
    text = form.get(name, "")
    return _read_number(result, text) if _is_number(result) else _read_other(result, text)


def picked(text: str) -> Json:
    """Parse the submitted value of a choice. Raise `Refusal` if it is no JSON scalar."""
    try:
        value = json.loads(text[:LONGEST_TEXT])
    except ValueError:
        value = []
    if not isinstance(value, str | int | bool | None):
        raise _unreadable()
    return value


def _unreadable() -> Refusal:
    return Refusal("bad-input", _("Please fill in every field."))


def _parts(result: Json) -> list[tuple[str, Json]] | None:
    if isinstance(result, Mapping):
        return list(result.items())
    if isinstance(result, list | tuple):
        return [(str(i), value) for i, value in enumerate(result, start=1)]
    return None


def _is_number(value: Json) -> bool:
    """Return True for a number or the text of a fraction."""
    if isinstance(value, str):
        return _FRACTION.fullmatch(value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


def _read_number(result: Json, text: str) -> Json:
    if not _NUMBER.fullmatch(text):
        raise _unreadable()
    value = Fraction(text)
    if isinstance(result, str):
        return str(value)
    return value.numerator if value.denominator == 1 else float(value)


def _read_other(result: Json, text: str) -> Json:
    if isinstance(result, bool) or text.startswith(('"', "null")):
        value = picked(text)
        if isinstance(result, bool) != isinstance(value, bool):
            raise _unreadable()
        return value
    if not text.strip() or len(text) > LONGEST_TEXT:
        raise _unreadable()
    return text.strip()


def _field(game: AnyGame, value: Json, name: str, key: str, label: str) -> Field:
    if _is_number(value):
        number = Fraction(value)
        step = "1" if isinstance(value, int) else "0.5"
        return Field(name, label, "number", f"{float(number):g}", key, step=step, least=min(0, int(number)))
    if isinstance(value, bool):
        words = [("true", _("Yes")), ("false", _("No"))]
        return Field(name, label, "choice", json.dumps(value), key, words)
    owners = (*game.factions, *game.neutrals)
    if value is None or value in owners:
        factions = [(json.dumps(f), wording.name(game, "faction", f)) for f in owners]
        return Field(name, label, "choice", json.dumps(value), key, [*factions, ("null", _("Nobody"))])
    return Field(name, label, "text", str(value), key)


def _name(game: AnyGame, key: str) -> str:
    for kind in KINDS:
        if f"{kind}:{key}" in game.texts.names:
            return wording.name(game, kind, key)
    return wording.name(game, "place", key) if ":" in key else key

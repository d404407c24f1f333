"""Table options: open questions of the rulebooks, each with a default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from games.core.codec import Json, from_json
from games.core.errors import BadInput
from games.core.messages import Name, Param, say


@dataclass(frozen=True, slots=True)
class Option:
    """A choice between a few values. Its wording is ``option.<name>``."""

    name: str
    question: str  # number of the open question in the rules digest
    default: Json
    values: tuple[Json, ...]
    fixed: bool = False  # cannot change once the game has begun
    figure: tuple[str, ...] = ()  # printed figure that supplies the value unless the host sets one

    def read(self, value: Json) -> Json:
        if not any(type(value) is type(v) and value == v for v in self.values):
            allowed = tuple(str(v).lower() for v in self.values)
            raise BadInput(say("core.option-value", option=self.name, allowed=allowed))
        return value


@dataclass(frozen=True, slots=True)
class Numbers:
    """A number for each key, with a fixed sum (a set of tiles)."""

    name: str
    question: str
    default: Mapping[str, int]
    fixed: bool = False
    figure: tuple[str, ...] = ()

    def read(self, value: Json) -> Json:
        numbers = from_json(dict[str, int], value, self.name)
        total = sum(self.default.values())
        if set(numbers) != set(self.default) or min(numbers.values()) < 0 or sum(numbers.values()) != total:
            raise BadInput(
                say("core.option-numbers", option=self.name, keys=tuple(sorted(self.default)), count=total)
            )
        return {key: numbers[key] for key in self.default}


AnyOption = Option | Numbers


def told_value(value: Json) -> Param:
    """Return an option's value as a message parameter."""
    if isinstance(value, bool):
        return Name("word", "yes" if value else "no")
    if isinstance(value, Mapping):
        return tuple(f"{key} {number}" for key, number in value.items())
    return str(value)


def check_names(known: Sequence[AnyOption], given: Iterable[Json]) -> None:
    """Raise ``BadInput`` if one of the given names is not an option."""
    names = tuple(option.name for option in known)
    unknown = sorted(str(name) for name in given if name not in names)
    if unknown:
        raise BadInput(say("core.unknown-option", option=unknown[0][:40], known=names))


def read_options(
    known: Sequence[AnyOption], given: Json, printed: Mapping[str, Json] | None = None
) -> dict[str, Json]:
    """Return the value of every option: as given, else as printed, else the default. Raise ``BadInput``."""
    if not isinstance(given, Mapping):
        raise BadInput(say("core.not-a-table", field="options"))
    check_names(known, given)
    values = {**(printed or {}), **given}
    return {o.name: o.read(values[o.name]) if o.name in values else o.default for o in known}

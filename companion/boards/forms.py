"""Printed figures as pages show them: screen by screen, each with a control, and read back from the form."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from companion import wording
from companion.errors import Refusal
from games.core.boards import LONGEST_LIST, Figure, Path, figure_at, inner_of
from games.core.codec import Json
from games.core.game import AnyGame
from games.core.messages import Message, Name, Param

# Figures as they were seen on a phone, and as they are typed.
Form = dict[Path, tuple[Json, Json]]


@dataclass(frozen=True, slots=True)
class Screenful:
    """Figures that are compared on one screen of a phone: one province, or a part without things in it."""

    path: Path
    figures: tuple[Figure, ...]

    @property
    def key(self) -> str:
        return ".".join(self.path)

    @property
    def paths(self) -> list[str]:
        return [".".join(figure.path) for figure in self.figures]

    @property
    def stands_alone(self) -> bool:
        """Whether it is one figure that is a part by itself."""
        return len(self.figures[0].path) == 1


def screenfuls(game: AnyGame) -> list[Screenful]:
    """All figures of a board in its order; those that stand alone, with which a board file begins, last."""
    found: dict[Path, list[Figure]] = {}
    for path, figure in game.board.leaves.items():
        found.setdefault(_screen_of(game, path), []).append(figure)
    screens = [Screenful(path, tuple(figures)) for path, figures in found.items()]
    return sorted(screens, key=lambda screen: screen.stands_alone)


def _screen_of(game: AnyGame, path: Path) -> Path:
    """As deep as there is nothing but things in things; in a part also a list is one."""
    depth = 1
    while all(inner_of(one) is not None for one in _within(game, path[:depth])):
        depth += 1
    is_list = len(path) > 1 and isinstance(figure_at(game.board.figures, path[:2]), list)
    is_thing = len(path) > 2  # noqa: PLR2004 - a part, its things, their figures
    return path[:2] if depth == 1 and (is_list or is_thing) else path[:depth]


def _within(game: AnyGame, path: Path) -> list[Json]:
    node = figure_at(game.board.figures, path)
    inner = inner_of(node)
    return [node] if inner is None else list(inner.values())


def title_of(game: AnyGame, screen: Screenful) -> str:
    """What a screen is called within its part."""
    return wording.figure_path(game, screen.path, 1) or wording.figure_name(game, screen.path[0])


def parts_of(game: AnyGame) -> list[tuple[str, list[Screenful]]]:
    """The screens by the part they belong to, under its title."""
    parts: dict[str, list[Screenful]] = {}
    for screen in screenfuls(game):
        parts.setdefault(screen.path[0], []).append(screen)
    return [(wording.figure_name(game, part), screens) for part, screens in parts.items()]


def text_of(game: AnyGame, figure: Figure, value: Json) -> str:
    """A figure in words."""
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, int | float):
        return wording.written(f"{value:g}")
    if isinstance(value, str):
        return wording.figure_name(game, value, figure.part)
    between = " / " if figure.kind == "lists" and any(isinstance(one, list) for one in value) else ", "
    return between.join(text_of(game, figure, one) for one in value) or _("none")


def label_of(game: AnyGame, screen: Screenful, figure: Figure) -> str:
    """What a figure is called on its screen."""
    return wording.figure_path(game, figure.path, len(screen.path)) or title_of(game, screen)


# A screen as it is drawn


@dataclass(frozen=True, slots=True)
class Sheet:
    """The figures of a copy, or of a table, with what is known about them."""

    game: AnyGame
    figures: Mapping[str, Json]
    confirmed: Collection[str] = ()

    def drawn(self, screen: Screenful, form: Form | None = None) -> dict[str, Any]:
        """A screen for its template; what was typed into a form stays."""
        wrong = self.game.figures_wrong(self.figures)
        rows = [self._row(screen, figure, wrong, form or {}) for figure in screen.figures]
        sentences = [self._sentence(m) for m in wrong if self._is_about(m, screen)]
        said = {*sentences, *(sentence for row in rows for sentence in row["sentences"])}
        return {
            "key": screen.key,
            "title": title_of(self.game, screen),
            "part": wording.figure_name(self.game, screen.path[0]) if len(screen.path) > 1 else "",
            "rows": rows,
            "sentences": sentences,
            "elsewhere": len({self._sentence(m) for m in wrong} - said),  # wrong, but not here
        }

    def _sentence(self, message: Message) -> str:
        return wording.capital(wording.render(self.game, message))

    def _is_about(self, message: Message, screen: Screenful) -> bool:
        """Whether a sentence concerns a screen and none of its figures; one that names nothing concerns all."""
        if any(_is_beside(message, screen, figure) for figure in screen.figures):
            return False
        return _names(message, screen.path) or not any(_slugs(message))

    def _row(self, screen: Screenful, figure: Figure, wrong: Sequence[Message], form: Form) -> dict[str, Any]:
        path, stored = ".".join(figure.path), figure_at(self.figures, figure.path)
        seen, typed = form.get(figure.path, (stored, stored))
        return {
            "path": path,
            "id": path.replace(".", "-"),
            "label": label_of(self.game, screen, figure),
            "kind": figure.kind,
            "was": json.dumps(stored),
            "value": f"{typed:g}" if figure.kind == "number" and isinstance(typed, int | float) else typed,
            "step": f"{float(figure.unit):g}",
            "source": figure.source,
            "confirmed": path in self.confirmed,
            "shipped": text_of(self.game, figure, figure.value) if figure.value != stored else "",
            "meanwhile": text_of(self.game, figure, stored) if stored not in (seen, typed) else "",
            "sentences": [self._sentence(m) for m in wrong if _is_beside(m, screen, figure)],
            **self._choices(figure, typed),
        }

    def _choices(self, figure: Figure, typed: Json) -> dict[str, Any]:
        named = [(slug, wording.figure_name(self.game, slug, figure.part)) for slug in figure.choices]
        if figure.kind == "name":
            return {"choices": [(slug, label, slug == typed) for slug, label in named]}
        if figure.kind not in ("names", "lists") or not isinstance(typed, list):
            return {}
        if figure.kind == "lists":
            return {"lists": [_slots(named, one) for one in [*filter(None, typed), []]]}
        if figure.in_order:
            return {"slots": _slots(named, typed)}
        labels = dict(named)
        return {
            "here": [(slug, labels.get(slug, slug)) for slug in typed],
            "others": [(slug, label) for slug, label in named if slug not in typed],
        }


def _slots(named: Sequence[tuple[str, str]], names: Sequence[Json]) -> list[list[tuple[str, str, bool]]]:
    """For each of some names a list to choose it from; and one that is free."""
    return [[(slug, label, slug == one) for slug, label in named] for one in [*names, ""]]


def _is_beside(message: Message, screen: Screenful, figure: Figure) -> bool:
    """Whether a sentence names a figure of a screen."""
    return _names(message, figure.path[len(screen.path) :][-1:])


def _names(message: Message, path: Path) -> bool:
    return not set(path).isdisjoint(_slugs(message))


def _slugs(message: Message) -> Iterator[str]:
    for value in message.params.values():
        yield from _slugs_of(value)


def _slugs_of(value: Param) -> Iterator[str]:
    match value:
        case Name():
            yield value.slug
        case Message():
            yield from _slugs(value)
        case tuple():
            for one in value:
                yield from _slugs_of(one)


# From a form


def read_form(game: AnyGame, form: QueryDict) -> Form:
    """The figures of a form. Raises ``Refusal``."""
    read = {}
    for field in form:
        if not field.startswith("was."):
            continue
        path = tuple(field.split(".")[1:])
        if path not in game.board.leaves:
            raise Refusal("bad-input", _("The board has no figure “%(figure)s”.") % {"figure": field[4:80]})
        seen = _seen(form.get(field, ""))
        read[path] = (seen, _typed(game.board.leaves[path], form, seen))
    return read


def _seen(text: Any) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Refusal("bad-input", _("This cannot be read.")) from None


def _typed(figure: Figure, form: QueryDict, before: Json) -> Json:  # noqa: PLR0911 - one for each kind
    """What a form's field says. What is badly filled in comes as it is, for others to refuse."""
    sent = form.getlist("f." + ".".join(figure.path))
    match figure.kind:
        case "number":
            return _number(sent[0] if sent else "", like=figure.value)
        case "numbers":
            return [_number(text, like=figure.value[0]) for text in sent]
        case "lists":
            fields = (form.getlist(f"f.{'.'.join(figure.path)}.{place}") for place in range(LONGEST_LIST))
            lists = [[name for name in names if name] for names in fields]
            return list(filter(None, lists)) or [[]]
        case "flag":
            return sent[:1] == ["true"]
        case "name":
            return sent[0] if sent else ""
        case _ if figure.in_order:
            return [name for name in sent if name]
        case _:
            return _in_the_order_of(before if isinstance(before, list) else [], sent)


def _number(text: str, like: Json) -> Json:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if number.is_integer() and isinstance(like, int) else number


def _in_the_order_of(before: list[Json], sent: Sequence[str]) -> list[str]:
    """Those that were there stay where they were; a list that is sorted stays sorted."""
    names = [name for name in before if name in sent]
    names += [name for name in dict.fromkeys(sent) if name not in names]
    return (
        sorted(names) if all(isinstance(one, str) for one in before) and before == sorted(before) else names
    )

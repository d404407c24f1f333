"""Forms for printed figures: one screen per group of figures, and parsing of the submitted form."""

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

# Per figure: the value shown when the form was rendered, and the value submitted.
Form = dict[Path, tuple[Json, Json]]


@dataclass(frozen=True, slots=True)
class Screenful:
    """Figures edited together on one screen: those of one province, or of a part without subdivisions."""

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
        """Return True if the screen is a single figure at the top level of the board file."""
        return len(self.figures[0].path) == 1


def screenfuls(game: AnyGame) -> list[Screenful]:
    """Return the screens of a board in file order, those with a single top-level figure last."""
    by_screen: dict[Path, list[Figure]] = {}
    for path, figure in game.board.leaves.items():
        by_screen.setdefault(_screen_of(game, path), []).append(figure)
    screens = [Screenful(path, tuple(figures)) for path, figures in by_screen.items()]
    return sorted(screens, key=lambda screen: screen.stands_alone)


def _screen_of(game: AnyGame, path: Path) -> Path:
    """Return the path of the screen that shows a figure.

    It leads to the deepest level that holds only mappings; within a part, a list has its own screen.
    """
    depth = 1
    while all(inner_of(node) is not None for node in _within(game, path[:depth])):
        depth += 1
    is_list = len(path) > 1 and isinstance(figure_at(game.board.figures, path[:2]), list)
    is_thing = len(path) > 2  # noqa: PLR2004 - part, thing, figure
    return path[:2] if depth == 1 and (is_list or is_thing) else path[:depth]


def _within(game: AnyGame, path: Path) -> list[Json]:
    """Return the children of the node at a path, or the node itself if it is a leaf."""
    node = figure_at(game.board.figures, path)
    inner = inner_of(node)
    return [node] if inner is None else list(inner.values())


def title_of(game: AnyGame, screen: Screenful) -> str:
    """Return the title of a screen within its part."""
    return wording.figure_path(game, screen.path, 1) or wording.figure_name(game, screen.path[0])


def parts_of(game: AnyGame) -> list[tuple[str, list[Screenful]]]:
    """Return the screens grouped by part, each group with the title of the part."""
    parts: dict[str, list[Screenful]] = {}
    for screen in screenfuls(game):
        parts.setdefault(screen.path[0], []).append(screen)
    return [(wording.figure_name(game, part), screens) for part, screens in parts.items()]


def text_of(game: AnyGame, figure: Figure, value: Json) -> str:
    """Return the display text of a figure's value."""
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    if isinstance(value, int | float):
        return wording.localized(f"{value:g}")
    if isinstance(value, str):
        return wording.figure_name(game, value, figure.part)
    separator = " / " if figure.kind == "lists" and any(isinstance(item, list) for item in value) else ", "
    return separator.join(text_of(game, figure, item) for item in value) or _("none")


def label_of(game: AnyGame, screen: Screenful, figure: Figure) -> str:
    """Return the label of a figure on its screen."""
    return wording.figure_path(game, figure.path, len(screen.path)) or title_of(game, screen)


# Rendering a screen


@dataclass(frozen=True, slots=True)
class Sheet:
    """The figures of a board copy or of a table, with the paths confirmed by the group."""

    game: AnyGame
    figures: Mapping[str, Json]
    confirmed: Collection[str] = ()

    def screen_context(self, screen: Screenful, form: Form | None = None) -> dict[str, Any]:
        """Return the template context of a screen; values submitted in a form take precedence."""
        wrong = self.game.figures_wrong(self.figures)
        rows = [self._row(screen, figure, wrong, form or {}) for figure in screen.figures]
        sentences = [self._sentence(m) for m in wrong if self._is_about(m, screen)]
        shown = {*sentences, *(sentence for row in rows for sentence in row["sentences"])}
        return {
            "key": screen.key,
            "title": title_of(self.game, screen),
            "part": wording.figure_name(self.game, screen.path[0]) if len(screen.path) > 1 else "",
            "rows": rows,
            "sentences": sentences,
            "elsewhere": len({self._sentence(m) for m in wrong} - shown),  # errors on other screens
        }

    def _sentence(self, message: Message) -> str:
        return wording.capital(wording.render(self.game, message))

    def _is_about(self, message: Message, screen: Screenful) -> bool:
        """Return True if a message concerns a screen but none of its figures.

        A message that names nothing concerns every screen.
        """
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
            return {"lists": [_slots(named, names) for names in [*filter(None, typed), []]]}
        if figure.in_order:
            return {"slots": _slots(named, typed)}
        labels = dict(named)
        return {
            "here": [(slug, labels.get(slug, slug)) for slug in typed],
            "others": [(slug, label) for slug, label in named if slug not in typed],
        }


def _slots(named: Sequence[tuple[str, str]], names: Sequence[Json]) -> list[list[tuple[str, str, bool]]]:
    """Return the options of a drop-down for each name, and of an empty one at the end."""
    return [[(slug, label, slug == name) for slug, label in named] for name in [*names, ""]]


def _is_beside(message: Message, screen: Screenful, figure: Figure) -> bool:
    """Return True if a message names a figure of a screen."""
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
            for item in value:
                yield from _slugs_of(item)


# Parsing the form


def read_form(game: AnyGame, form: QueryDict) -> Form:
    """Parse the figures of a form. Raise `Refusal` if one is unknown or unreadable."""
    figures = {}
    for field in form:
        if not field.startswith("was."):
            continue
        path = tuple(field.split(".")[1:])
        if path not in game.board.leaves:
            raise Refusal("bad-input", _("The board has no figure “%(figure)s”.") % {"figure": field[4:80]})
        seen = _seen(form.get(field, ""))
        figures[path] = (seen, _typed(game.board.leaves[path], form, seen))
    return figures


def _seen(text: Any) -> Json:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Refusal("bad-input", _("This cannot be read.")) from None


def _typed(figure: Figure, form: QueryDict, before: Json) -> Json:  # noqa: PLR0911 - one return per kind
    """Return the submitted value of a figure; invalid input is returned as is, validation rejects it."""
    sent = form.getlist("f." + ".".join(figure.path))
    match figure.kind:
        case "number":
            return _number(sent[0] if sent else "", like=figure.value)
        case "numbers":
            return [_number(text, like=figure.value[0]) for text in sent]
        case "lists":
            fields = (form.getlist(f"f.{'.'.join(figure.path)}.{index}") for index in range(LONGEST_LIST))
            lists = [[name for name in names if name] for names in fields]
            return list(filter(None, lists)) or [[]]
        case "flag":
            return sent[:1] == ["true"]
        case "name":
            return sent[0] if sent else ""
        case _ if figure.in_order:
            return [name for name in sent if name]
        case _:
            return _keep_order(before if isinstance(before, list) else [], sent)


def _number(text: str, like: Json) -> Json:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if number.is_integer() and isinstance(like, int) else number


def _keep_order(before: list[Json], sent: Sequence[str]) -> list[str]:
    """Return the submitted names in their previous order, new ones last; a sorted list stays sorted."""
    names = [name for name in before if name in sent]
    names += [name for name in dict.fromkeys(sent) if name not in names]
    return (
        sorted(names) if all(isinstance(name, str) for name in before) and before == sorted(before) else names
    )

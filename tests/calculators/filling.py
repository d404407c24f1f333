"""Form data as a browser would send it, derived from widgets or rendered pages."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

from companion.calculators.forms import completed, widgets
from companion.registry import titles
from games.core.calculators import Calculator, Calculators

ALL: list[tuple[Calculators, Calculator[Any]]] = [
    (title.calculators, calculator)
    for title in titles().values()
    for calculator in title.calculators.calculators
]
IDS = [f"{game.slug}-{calculator.name}" for game, calculator in ALL]


def fields_of(game: Calculators, calculator: Calculator[Any], body: Any) -> dict[str, str]:
    """Return the form fields of a calculator filled with a body, by name."""
    rendered = widgets(game, calculator.inputs, completed(calculator.inputs, body), within=(calculator.name,))
    return dict(pair for widget in rendered for pair in _fields(widget))


def _fields(widget: Any) -> Iterator[tuple[str, str]]:  # noqa: C901, PLR0912 - one case per kind of widget
    match widget["kind"]:
        case "number":
            yield from _fields(widget["cell"])
        case "cell":
            yield widget["path"], widget["value"]
        case "flag":
            if widget["value"]:
                yield widget["path"], "on"
        case "pick" | "select":
            chosen = [option for option, _label, is_chosen in widget["options"] if is_chosen]
            if chosen:
                yield widget["path"], chosen[0]
        case "picks":
            for pick in widget["picks"]:
                yield from _fields(pick)
        case "settings":
            for pick in widget["picks"]:
                yield from _fields({**pick, "kind": "select"})
        case "order":
            for row in widget["rows"]:
                yield row["path"], row["key"]
        case "counts" | "grid" | "stacks":
            for line in widget["lines"]:
                for cell in line["cells"]:
                    yield from _fields(cell)
        case "cells" | "strip":
            for cell in widget["cells"]:
                yield from _fields(cell)
        case "rows":
            for row in widget["rows"]:
                for cell in row["cells"]:
                    yield from _fields(cell)
        case "group" | "folds":
            for inner in widget["widgets"]:
                yield from _fields(inner)
        case kind:
            raise AssertionError(kind)


class Page(HTMLParser):
    """Parsed page: the fields of its form, its buttons and its visible text."""

    VOID = frozenset({"meta", "link", "input", "br", "hr", "img", "use"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.buttons: list[tuple[str, str]] = []
        self.words: list[str] = []
        self._open: list[str] = []
        self._select = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.words += [attributes[name] or "" for name in ("aria-label", "title") if name in attributes]
        if tag not in self.VOID:
            self._open.append(tag)
        name, value = attributes.get("name") or "", attributes.get("value") or ""
        is_toggle = attributes.get("type") in ("radio", "checkbox")
        if tag == "input" and name and (not is_toggle or "checked" in attributes):
            self.fields[name] = value or "on"
        if tag == "select":
            self._select = name
        if tag == "option" and "selected" in attributes:
            self.fields[self._select] = value
        if tag == "button" and name:
            self.buttons.append((name, value))

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self._open) and data.strip():
            self.words.append(data.strip())

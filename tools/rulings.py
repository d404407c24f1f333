"""`python -m tools.rulings`: generate docs/rulings.md, the register of rulings, from the guides of the games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from companion.registry import titles
from games.core import guide as core
from games.core import wording
from games.core.guide import Guide, Guides, Reading
from games.core.messages import Wording, without_context
from tools.django_setup import set_up_django

Words = Mapping[str, Wording]

TARGET = Path(__file__).parents[1] / "docs" / "rulings.md"

HEAD = """# Rulings

How this app reads the rules: every rule in a few sentences, every open question with our reading, the
alternatives, the table option that chooses, and the tests that hold it. The app shows the same in the
reader's language under `/rules/`. Written by `python -m tools.rulings` from `games/*/guide.py`; a test
compares the two.
"""


def register() -> str:
    parts = [HEAD, *_game("Every game", wording.RULES, core.GUIDE, {})]
    for title in titles().values():
        rules = {**title.pad.game.texts.rules, **title.game.texts.rules}
        parts += _game(title.game.name, rules, title.guide, title.game.texts.messages)
    return "\n".join(parts)


def _game(name: str, titles: Mapping[str, str], guides: Guides, words: Words) -> Iterator[str]:
    yield f"## {name}\n"
    for rule, guide in guides.items():
        yield from _rule(rule, without_context(titles[rule]), guide, words)


def _rule(rule: str, title: str, guide: Guide, words: Words) -> Iterator[str]:
    yield f"### {f'§ {rule} ' if rule[0].isdigit() else ''}{title}\n"
    yield f"{guide.text} *{guide.rulebook}.*\n"
    yield from _tests(guide.held_by)
    for reading in guide.readings:
        yield from _reading(reading, words)


def _reading(reading: Reading, words: Words) -> Iterator[str]:
    yield f"- **{reading.question}** {reading.ruling}"
    if reading.alternatives:
        yield f"  - Also read as: {reading.alternatives}"
    if reading.option:
        yield f"  - Table option: {words.get(f'option.{reading.option}', reading.option)} (`{reading.option}`)"
    yield f"  - Held by: {', '.join(f'`{test}`' for test in reading.held_by)}\n"


def _tests(held_by: tuple[str, ...]) -> Iterator[str]:
    if held_by:
        yield f"Held by: {', '.join(f'`{test}`' for test in held_by)}\n"


if __name__ == "__main__":
    set_up_django()
    TARGET.write_text(register(), encoding="utf-8")

"""Rule texts in the active language, with the app's readings of open questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from companion import wording
from companion.registry import titles
from games.core import guide as core
from games.core.game import AnyGame
from games.core.guide import Guide, Reading
from games.core.messages import Json


@dataclass(frozen=True, slots=True)
class ShownReading:
    """An open question of a rule in the active language."""

    question: str
    ruling: str
    alternatives: str
    option: str  # title of the table option that decides it
    here: str  # the table's choice, empty without a table
    held_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownRule:
    """A rule in the active language."""

    rule: str
    section: str  # of the rulebook; empty for rules common to all games
    title: str
    text: str
    rulebook: str
    readings: tuple[ShownReading, ...]
    held_by: tuple[str, ...]


def rules_of(game: AnyGame) -> list[str]:
    """Return the rules of a game in rulebook order, then those common to all games."""
    return [*titles()[game.slug].guide, *core.GUIDE]


def guide_of(game: AnyGame, rule: str) -> Guide | None:
    return titles()[game.slug].guide.get(rule) or core.GUIDE.get(rule)


def section(rule: str) -> str:
    """Return the citation of a rulebook section, empty for rules common to all games."""
    return f"§ {rule}" if rule[0].isdigit() else ""


def shown(game: AnyGame, rule: str, options: Mapping[str, Json] | None = None) -> ShownRule | None:
    """Return a rule in the active language; `options` are those of a table, to show what it plays."""
    guide = guide_of(game, rule)
    if guide is None:
        return None
    return ShownRule(
        rule=rule,
        section=section(rule),
        title=wording.rule_title(_game_with_rule(game, rule), rule),
        text=gettext(guide.text),
        rulebook=gettext(guide.rulebook),
        readings=tuple(_reading(game, reading, options or {}) for reading in guide.readings),
        held_by=guide.held_by,
    )


def _game_with_rule(game: AnyGame, rule: str) -> AnyGame:
    """Return the game, or its score pad if only the pad has the rule."""
    pad = titles()[game.slug].pad.game
    return pad if rule in pad.texts.rules and rule not in game.texts.rules else game


def _reading(game: AnyGame, reading: Reading, options: Mapping[str, Json]) -> ShownReading:
    chosen = options.get(reading.option)
    return ShownReading(
        question=gettext(reading.question),
        ruling=gettext(reading.ruling),
        alternatives=gettext(reading.alternatives) if reading.alternatives else "",
        option=wording.option_title(game, reading.option) if reading.option else "",
        here="" if chosen is None else wording.option_value(game, reading.option, chosen),
        held_by=reading.held_by,
    )

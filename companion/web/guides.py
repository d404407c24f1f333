"""The rules at hand in the reader's language: what each says, and how this app reads it where it is silent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext

from companion import wording
from games.core import guide as core
from games.core.game import AnyGame
from games.core.guide import Guide, Reading
from games.core.messages import Json
from games.registry import GUIDES, PADS


@dataclass(frozen=True, slots=True)
class ShownReading:
    """An open question as pages show it."""

    question: str
    ruling: str
    alternatives: str
    option: str  # the table option that chooses, in words
    here: str  # what the table in question plays
    held_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownRule:
    """A rule as pages show it."""

    rule: str
    section: str  # of the rulebook; empty for what every game has
    title: str
    text: str
    rulebook: str
    readings: tuple[ShownReading, ...]
    held_by: tuple[str, ...]


def rules_of(game: AnyGame) -> list[str]:
    """The rules of a game in the order of its rulebook, then those of every game."""
    return [*GUIDES[game.slug], *core.GUIDE]


def guide_of(game: AnyGame, rule: str) -> Guide | None:
    return GUIDES[game.slug].get(rule) or core.GUIDE.get(rule)


def section(rule: str) -> str:
    """The section of a rulebook as it is cited; a rule that every game has stands in none."""
    return f"§ {rule}" if rule[0].isdigit() else ""


def shown(game: AnyGame, rule: str, options: Mapping[str, Json] | None = None) -> ShownRule | None:
    """A rule in the reader's language; ``options`` are those of the table where it is asked."""
    guide = guide_of(game, rule)
    if guide is None:
        return None
    return ShownRule(
        rule=rule,
        section=section(rule),
        title=wording.rule_title(_knowing(game, rule), rule),
        text=gettext(guide.text),
        rulebook=gettext(guide.rulebook),
        readings=tuple(_reading(game, reading, options or {}) for reading in guide.readings),
        held_by=guide.held_by,
    )


def _knowing(game: AnyGame, rule: str) -> AnyGame:
    """The game, or its score pad where only that has the rule."""
    pad = PADS[game.slug]
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

"""The form of a filter: what can be chosen with something to show, and how many games that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from companion import wording
from companion.results.filters import DEFAULT, Filter, options_of, rules_of
from companion.statistics.across import players_told
from companion.statistics.queries import Choices


@dataclass(frozen=True, slots=True)
class Pick:
    """A value of a field: what it is called, how many games it shows."""

    value: str
    label: str
    games: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form; the first pick asks for nothing."""

    name: str
    label: str
    picks: tuple[Pick, ...]


def fields_of(asked: Filter, choices: Choices, typed: Mapping[str, str]) -> list[Field]:
    """The fields in which there is something to choose, or in which something is chosen."""
    modes = {"full": _("Full games"), "pad": _("Score pads")}
    found = [
        _field(
            "mode",
            _("Kind"),
            _("All games"),
            {m: modes[m] for m in choices.modes},
            choices.modes,
            asked,
            typed,
        ),
        _field(
            "players",
            _("Players"),
            _("Any number"),
            {str(n): players_told(n) for n in choices.players},
            {str(n): games for n, games in choices.players.items()},
            asked,
            typed,
        ),
        _field(
            "option",
            _("Options"),
            _("Any"),
            {option: option_told(asked.game, option) for option in choices.options},
            choices.options,
            asked,
            typed,
        ),
    ]
    return [field for field in found if len(field.picks) > 2 or any(pick.chosen for pick in field.picks[1:])]  # noqa: PLR2004


def _field(  # noqa: PLR0913, PLR0917 - what a field is made of
    name: str,
    label: str,
    nothing: str,
    words: Mapping[str, str],
    games: Mapping[str, int],
    asked: Filter,
    typed: Mapping[str, str],
) -> Field:
    value = getattr(asked, name)
    chosen = "" if value is None else str(value)
    if chosen and chosen not in words:  # as an address has it that somebody kept
        words = {
            **words,
            chosen: option_told(asked.game, chosen) if name == "option" else typed.get(name, chosen),
        }
    picks = [Pick(one, word, games.get(one, 0), one == chosen) for one, word in words.items()]
    return Field(name, label, (Pick("", nothing, 0, not chosen), *picks))


def option_told(game: str, option: str) -> str:
    """An option that differs from its default, in words."""
    if option == DEFAULT:
        return _("None other than usual")
    known = options_of(game).get(option)
    if known is None:  # the rules have changed
        return option
    name, value = known
    rules = next(rules for rules in rules_of(game) if any(one.name == name for one in rules.options))
    title = wording.option_title(rules, name)
    shown = _("other numbers") if value is None else wording.option_value(rules, name, value)
    return f"{title}: {shown}"

"""The filter form: its choices, each with the number of games it would show."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from companion import wording
from companion.results.filters import DEFAULT, Filter, options_of, rules_of
from companion.statistics.across import players_text
from companion.statistics.queries import Choices


@dataclass(frozen=True, slots=True)
class Pick:
    """A value of a field with its label and its number of games."""

    value: str
    label: str
    games: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form; its first pick means no filter."""

    name: str
    label: str
    picks: tuple[Pick, ...]


def fields_of(filter_: Filter, choices: Choices, typed: Mapping[str, str]) -> list[Field]:
    """Return the fields with at least two values, or with a chosen value."""
    modes = {"full": _("Full games"), "pad": _("Score pads")}
    fields = [
        _field(
            "mode",
            _("Kind"),
            _("All games"),
            {m: modes[m] for m in choices.modes},
            choices.modes,
            filter_,
            typed,
        ),
        _field(
            "players",
            _("Players"),
            _("Any number"),
            {str(n): players_text(n) for n in choices.players},
            {str(n): games for n, games in choices.players.items()},
            filter_,
            typed,
        ),
        _field(
            "option",
            _("Options"),
            _("Any"),
            {option: option_text(filter_.game, option) for option in choices.options},
            choices.options,
            filter_,
            typed,
        ),
    ]
    return [field for field in fields if len(field.picks) > 2 or any(pick.chosen for pick in field.picks[1:])]  # noqa: PLR2004


def _field(  # noqa: PLR0913, PLR0917 - the parts of a field
    name: str,
    label: str,
    any_label: str,
    labels: Mapping[str, str],
    games: Mapping[str, int],
    filter_: Filter,
    typed: Mapping[str, str],
) -> Field:
    chosen_value = getattr(filter_, name)
    chosen = "" if chosen_value is None else str(chosen_value)
    if chosen and chosen not in labels:  # from a bookmarked URL
        labels = {
            **labels,
            chosen: option_text(filter_.game, chosen) if name == "option" else typed.get(name, chosen),
        }
    picks = [Pick(value, label, games.get(value, 0), value == chosen) for value, label in labels.items()]
    return Field(name, label, (Pick("", any_label, 0, not chosen), *picks))


def option_text(game: str, option: str) -> str:
    """Return the label of an option that differs from its default."""
    if option == DEFAULT:
        return _("None other than usual")
    known = options_of(game).get(option)
    if known is None:  # not an option of the current rules
        return option
    name, value = known
    rules = next(rules for rules in rules_of(game) if any(option.name == name for option in rules.options))
    title = wording.option_title(rules, name)
    shown = _("other numbers") if value is None else wording.option_value(rules, name, value)
    return f"{title}: {shown}"

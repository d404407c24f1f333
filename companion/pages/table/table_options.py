"""Table options: the host's choices before the game, and those in force."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from companion import wording
from companion.pages.table.snapshot import Snapshot
from companion.tables.board_copies import options_of
from games.core.options import Option

Choice = tuple[str, str, bool]  # form value, label, and a flag whether it is chosen


class TableOptions:
    """The options of a table, with titles and values as text."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._game = snapshot.game

    def forms(self) -> list[dict[str, Any]]:
        """Return the host's choices: the first player, the number of people and the table options."""
        forms = [_form("first_player", _("Who begins"), self._first_players())]
        if self._game.refuse_seating:
            forms.append(_form("players", _("People at the table"), self._numbers_of_people()))
        chosen = options_of(self._game, self._snapshot.table)
        return forms + [
            _form(
                option.name,
                wording.option_title(self._game, option.name),
                self._values(option, chosen[option.name]),
            )
            for option in self._game.options
            if isinstance(option, Option)
        ]

    def in_force(self) -> list[tuple[str, str]]:
        """Return titles and values of the table options in force."""
        setup = self._snapshot.public_state.setup
        chosen = [(option.name, setup.options[option.name]) for option in self._game.options]
        return [
            (wording.option_title(self._game, name), wording.option_value(self._game, name, value))
            for name, value in chosen
            if not isinstance(value, dict)
        ]

    def _first_players(self) -> list[Choice]:
        first = self._snapshot.table.options.get("first_player") or ""
        players = [(p.faction, p.name, p.faction == first) for p in self._snapshot.players.values()]
        return [("", _("First seat"), not first), ("random", _("By lot"), first == "random"), *players]

    def _numbers_of_people(self) -> list[Choice]:
        """Return the choice of the number of people, for games where one may play two factions."""
        chosen = self._snapshot.table.options.get("players")
        counts = range(self._game.min_players, self._game.max_players + 1)
        people = [(str(count), str(count), count == chosen) for count in counts]
        return [("", _("One for each seat"), chosen is None), *people]

    def _values(self, option: Option, chosen: Any) -> list[Choice]:
        return [
            (_form_value(value), wording.option_value(self._game, option.name, value), value == chosen)
            for value in option.values
        ]


def _form(name: str, title: str, values: list[Choice]) -> dict[str, Any]:
    return {"name": name, "title": title, "values": values}


def _form_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

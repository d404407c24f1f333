"""Preparation of a round: alliance tiles, action dice and tasks (4 and 5.13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Form
from companion.titles.entry_forms import Fields
from companion.titles.signoria.board.market import MEMBER_OF
from companion.titles.signoria.forms.base import CardsByPlaceForm, FacesForm
from companion.titles.signoria.forms.widgets import Cards, Choice, Row
from companion.titles.signoria.names import name, title
from games.core.prompts import Prompt
from games.signoria.pieces import ALLIANCES, HOUSES, MAN, ROWS, TILE_VALUES, WOMAN, tile_piece
from games.signoria.state import State, printed, tiles_seen


class RefillForm(CardsByPlaceForm):
    action = "refill"
    field = "tiles"
    prefix = "t."

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        bounds = prompt.fields[0].bounds()
        left = bounds["houses"]
        rows = []
        for space in bounds["spaces"]:
            kind, __, city = space.partition(":")
            rows.append(Row(f"t.{space}", f"{name('city', city)}, {name('phase', kind).lower()}", kind))
        # One row per value, one column per house.
        cards = tuple(
            Choice(tile_piece(house, value), name("piece", tile_piece(house, value)))
            for value in TILE_VALUES
            for house in HOUSES
            if left[house]
        )
        count = None if bounds["count"] == len(rows) else bounds["count"]
        return self.cards_part(
            prompt,
            _("Enter the tiles"),
            _("Draw them for us"),
            Cards((("", tuple(rows)),), cards, count=count, again=True, narrow=True),
            lots="tiles",
            weights=self._weights(state),
            left=",".join(f"{house}:{left[house]}" for house in HOUSES),
        )

    def _weights(self, state: State) -> str:
        """Return how often each tile exists and is not face up: the chances of a random draw."""
        printed_on, seen = printed(state).figures["houses"], tiles_seen(state)
        return ",".join(
            f"{tile}:{max(0, printed_on[t.house][str(t.value)] - seen[tile])}"
            for tile, t in ALLIANCES.items()
        )


class RollForm(FacesForm):
    action = "roll"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        note = _("Tap a face once for each die that shows it.")
        return self.faces_part(prompt, prompt.fields[0].bounds()["counts"], note)

    def parse(self, form: Form) -> Fields:
        return {"dice": self.parse_dice(form)}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return self.fill_dice(action["dice"])


class DealForm(CardsByPlaceForm):
    action = "deal"
    field = "tasks"
    prefix = "k."

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        bounds = prompt.fields[0].bounds()
        headings = {WOMAN: _("Upper row, for women"), MAN: _("Lower row, for men")}
        groups = []
        for row in ROWS:
            member = MEMBER_OF[row]
            spaces = [space for space in bounds["spaces"] if space.endswith(f":{row}")]
            rows = (Row(f"k.{space}", title("die", space.partition(":")[0]), member) for space in spaces)
            groups.append((headings[member], tuple(rows)))
        cards = tuple(Choice(task, title("task", task)) for task in bounds["tasks"])
        return self.cards_part(prompt, _("Enter the tasks"), _("Deal for us"), Cards(tuple(groups), cards))

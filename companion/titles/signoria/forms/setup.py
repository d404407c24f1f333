"""Set-up: play order, unused cities, reward tiles and player boards (3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.base import Form
from companion.titles.entry_forms import Fields
from companion.titles.signoria.forms.base import (
    CardsByPlaceForm,
    CardsForm,
    PartForm,
    named,
    numbered,
    ways_of,
)
from companion.titles.signoria.forms.widgets import Cards, Choice, Row
from companion.titles.signoria.names import name, title
from games.core.prompts import Prompt
from games.signoria.pieces import CAREERS, CITIES
from games.signoria.state import State, printed


class OrderForm(CardsForm):
    action = "order"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        places = range(1, len(state.order) + 1)
        rows = tuple(Row(f"o.{i}", title("ordinal", str(place))) for i, place in enumerate(places))
        cards = tuple(Choice(f, name("faction", f), owner=f) for f in state.setup.factions)
        return self.cards_part(prompt, _("Enter the order"), _("Draw lots"), Cards((("", rows),), cards))

    def parse(self, form: Form) -> Fields:
        return {"order": list(named(form, "o.").values())}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return numbered("o.", action["order"])


class UnusedForm(PartForm):
    action = "unused"
    kind = "some"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        ways = [way["cities"] for way in ways_of(prompt)]
        count = len(ways[0])
        cities = list(dict.fromkeys(city for way in ways for city in way))
        return self.part(
            prompt,
            self.button(ngettext("Leave it out", "Leave them out", count)),
            count=count,
            choices=[Choice(f"u.{city}", name("city", city)) for city in cities],
            lot=_("Draw lots"),
        )

    def parse(self, form: Form) -> Fields:
        return {"cities": [city for city in CITIES if f"u.{city}" in form]}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {f"u.{city}": "on" for city in action["cities"]}


class RewardTilesForm(CardsForm):
    action = "reward-tiles"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        bounds, first = prompt.fields[0].bounds(), 1
        widgets = []
        for kind, heading in (("bonus", _("Rounds 1 to 5")), ("points", _("Rounds 6 and 7"))):
            count = bounds[kind]["count"]
            rows = tuple(
                Row(f"{kind}.{i}", _("Round %(round)d") % {"round": first + i}) for i in range(count)
            )
            cards = tuple(Choice(tile, title("reward", tile)) for tile in bounds[kind]["options"])
            widgets.append(Cards((("", rows),), cards, title=heading))
            first += count
        return self.cards_part(prompt, _("Enter the reward tiles"), _("Draw them for us"), *widgets)

    def parse(self, form: Form) -> Fields:
        return {
            "bonus": list(named(form, "bonus.").values()),
            "points": list(named(form, "points.").values()),
        }

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {**numbered("bonus.", action["bonus"]), **numbered("points.", action["points"])}


class BoardsForm(CardsByPlaceForm):
    """Player boards, which are recognised by their plans."""

    action = "boards"
    field = "boards"
    prefix = "b."

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        rows = tuple(Row(f"b.{f}", name("faction", f), owner=f) for f in state.setup.factions)
        boards = printed(state).boards
        cards = tuple(
            Choice(board, _("Board %(board)s") % {"board": board}, self._plan(state, board))
            for board in boards
        )
        note = _("A board is known by its plan: the shields of the political, church and military career.")
        widget = Cards((("", rows),), cards)
        return self.cards_part(prompt, _("Enter the boards"), _("Draw lots"), widget, note=note)

    def _plan(self, state: State, board: str) -> str:
        shields = [printed(state).shields(board, career).elements() for career in CAREERS]
        return " · ".join("".join(sorted(houses)).upper() for houses in shields)

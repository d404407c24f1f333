"""Everything of Harvest that is not rules: board, entry form, walk, automatic player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.titles.base import Button, Form, Screen
from companion.titles.entry_forms import EntryForm, EntryForms, Fields
from companion.titles.pad import Pad
from companion.titles.title import Title
from companion.titles.walks import Spot, Stop, Walk
from companion.titles.widgets import number, only_field
from companion.web.tokens import Token, colours
from games.core.prompts import Number, Prompt
from players.automaton import Automaton
from players.chance import Chance
from players.heuristic import Sense
from tests.harvest.pad import CALCULATORS, PAD, SHEET
from tests.harvest.rules import BARN, GUIDE, HARVEST, SHEAF, State, sheaves_of


class BringForm(EntryForm):
    action = "bring"

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        return {"numbers": only_field(prompt, Number), "buttons": [Button(self.action, "Bring them in")]}

    def parse(self, form: Form) -> Fields:
        return {"sheaves": number(form.get("sheaves", ""))}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {"sheaves": action["sheaves"]}


FORMS = EntryForms(BringForm())


def prompt(state: State, prompts: Sequence[Prompt]) -> dict[str, Any]:
    return FORMS[prompts[0].action].context(state, prompts[0])


def board(state: State) -> dict[str, Any]:
    return {"barns": [(faction, sheaves_of(state, faction)) for faction in state.order]}


def walk(state: State) -> Walk:
    barns = tuple(Spot(BARN, faction, offered=((faction, SHEAF),), owner=faction) for faction in state.order)
    return Walk((Stop("barns", "Barns", barns),))


TITLE = Title(
    game=HARVEST,
    screen=Screen(
        folder="harvest",
        css=(),
        js=(),
        hint="The barns as they should look on your table.",
        board=board,
        prompt=prompt,
        parse=FORMS.parse,
        fill=FORMS.fill,
        walk=walk,
    ),
    pad=Pad(PAD, SHEET),
    calculators=CALCULATORS,
    guide=GUIDE,
    automaton=Automaton(
        HARVEST,
        Chance(),
        Sense(worth=lambda state: {faction: sheaves_of(state, faction) for faction in state.order}),
    ),
    tokens=colours("red", "blue") | {"ochre": Token("star", "#b8860b")},
)

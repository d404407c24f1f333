"""Robber Knights: land, entry forms and position editor."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from companion.titles.base import Screen
from companion.titles.pad import Pad
from companion.titles.raubritter.board import chart_of
from companion.titles.raubritter.demo import DEMO
from companion.titles.raubritter.forms import FORMS, prompt_context
from companion.titles.raubritter.position import EDITOR
from companion.titles.raubritter.walk import walk
from companion.titles.title import Title
from companion.web.tokens import colours
from games.raubritter import RAUBRITTER
from games.raubritter.calculators import CALCULATORS
from games.raubritter.guide import GUIDE
from games.raubritter.pad import PAD, SHEET
from players.automaton import Automaton
from players.raubritter import CHANCE, SENSE

SCREEN = Screen(
    folder="raubritter",
    css=("css/raubritter.css",),
    js=("js/raubritter.js",),
    hint=gettext_noop(
        "The land as it should lie on your table. Tap a tile to see who stands there and who controls it."
    ),
    board=chart_of,
    prompt=prompt_context,
    parse=FORMS.parse,
    fill=FORMS.fill,
    walk=walk,
    position=EDITOR,
)

TITLE = Title(
    game=RAUBRITTER,
    screen=SCREEN,
    pad=Pad(PAD, SHEET),
    calculators=CALCULATORS,
    guide=GUIDE,
    automaton=Automaton(RAUBRITTER, CHANCE, SENSE),
    tokens=colours("blue", "yellow", "green", "red"),
    demo=DEMO,
)

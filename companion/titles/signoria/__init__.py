"""Signoria: main board, player boards, entry forms and forecasts."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from companion.titles.base import Screen
from companion.titles.pad import Pad
from companion.titles.signoria.board import chart_of
from companion.titles.signoria.demo import DEMO
from companion.titles.signoria.forecast import forecast
from companion.titles.signoria.forms import FORMS, prompt_context
from companion.titles.signoria.luck import dice_section
from companion.titles.signoria.position import EDITOR
from companion.titles.signoria.walk import walk
from companion.titles.title import Title
from companion.web.tokens import RING, Token, colours
from games.signoria import CALCULATORS
from games.signoria.game import SIGNORIA
from games.signoria.guide import GUIDE
from games.signoria.pad import PAD, SHEET
from players.automaton import Automaton
from players.signoria import CHANCE, SENSE

SCREEN = Screen(
    folder="signoria",
    css=("css/signoria.css",),
    js=("js/asking.js", "js/picks.js", "js/signoria.js"),
    hint=gettext_noop(
        "The boards as they should look on your table. Tap a name to open what that player has."
    ),
    board=chart_of,
    prompt=prompt_context,
    parse=FORMS.parse,
    fill=FORMS.fill,
    forecast=forecast,
    walk=walk,
    position=EDITOR,
)

TITLE = Title(
    game=SIGNORIA,
    screen=SCREEN,
    pad=Pad(PAD, SHEET),
    calculators=CALCULATORS,
    guide=GUIDE,
    automaton=Automaton(SIGNORIA, CHANCE, SENSE),
    tokens=colours("yellow", "red", "blue", "purple") | {"neutral": Token(RING)},
    sections=(dice_section,),
    demo=DEMO,
)

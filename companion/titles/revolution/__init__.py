"""Revolution: map, entry forms and forecasts."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from companion.titles.base import Screen
from companion.titles.pad import Pad
from companion.titles.revolution.board import chart_of
from companion.titles.revolution.demo import DEMO
from companion.titles.revolution.forecast import forecast
from companion.titles.revolution.forms import FORMS, prompt_context
from companion.titles.revolution.position import EDITOR
from companion.titles.revolution.walk import walk
from companion.titles.title import Title
from companion.web.tokens import BLUE, GREEN, ORANGE, RED, RING, YELLOW, Token
from games.revolution import CALCULATORS, REVOLUTION
from games.revolution.guide import GUIDE
from games.revolution.pad import PAD, SHEET
from players.automaton import Automaton
from players.revolution import CHANCE, SENSE

SCREEN = Screen(
    folder="revolution",
    css=("css/atlas.css", "css/revolution.css"),
    js=("js/asking.js", "js/atlas.js", "js/revolution.js"),
    hint=gettext_noop(
        "The board as it should look on your table. Tap a province to see its cities, counters and armies."
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
    game=REVOLUTION,
    screen=SCREEN,
    pad=Pad(PAD, SHEET),
    calculators=CALCULATORS,
    guide=GUIDE,
    automaton=Automaton(REVOLUTION, CHANCE, SENSE),
    tokens={
        "catholics": Token("cross", YELLOW),
        "habsburgs": Token("crown", RED),
        "nobility": Token("shield", GREEN),
        "burghers": Token("scales", BLUE),
        "reformers": Token("book", ORANGE),
        "neutral": Token(RING),
    },
    demo=DEMO,
)

"""Wallenstein: map, entry forms and battle odds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

from django.utils.translation import gettext_noop

from companion.models import Table
from companion.titles.base import Screen
from companion.titles.pad import Pad
from companion.titles.title import Title
from companion.titles.wallenstein.board import chart_of, plan_in
from companion.titles.wallenstein.demo import DEMO
from companion.titles.wallenstein.forms import forms_with, prompt_context
from companion.titles.wallenstein.luck import calibration_section, luck_section
from companion.titles.wallenstein.odds import forecast
from companion.titles.wallenstein.position import EDITOR
from companion.titles.wallenstein.tower import prior_for
from companion.titles.wallenstein.walk import walk
from companion.web.tokens import RING, Token, colours
from games.wallenstein import CALCULATORS
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.guide import GUIDE
from games.wallenstein.learning import THUMB, Prior
from games.wallenstein.pad import PAD, SHEET
from games.wallenstein.pieces import CUP, TOWER
from players.automaton import Automaton
from players.wallenstein import CHANCE, SENSE


def _screen_with(prior: Callable[[], Prior]) -> Screen:
    forms = forms_with(prior)
    return Screen(
        folder="wallenstein",
        css=("css/atlas.css", "css/wallenstein.css"),
        js=("js/asking.js", "js/atlas.js", "js/picks.js", "js/wallenstein.js"),
        hint=gettext_noop(
            "The board as it should look on your table. Tap a province to see its armies, buildings and unrest."
        ),
        board=chart_of,
        prompt=partial(prompt_context, forms),
        parse=forms.parse,
        fill=forms.fill,
        secret=lambda state: {"plan": plan_in(state)},
        forecast=lambda state, faction, form: forecast(state, faction, forms.parse(form), prior()),
        walk=walk,
        position=EDITOR,
        spills={CUP: TOWER},  # cubes fall out when somebody bumps into the table (5.10)
    )


SCREEN = _screen_with(lambda: THUMB)


def screen_for(table: Table) -> Screen:
    """Return the screen with the odds of this table's tower; computed only when shown, as it folds games."""
    return _screen_with(cache(lambda: prior_for(table)))


TITLE = Title(
    game=WALLENSTEIN,
    screen=SCREEN,
    pad=Pad(PAD, SHEET),
    calculators=CALCULATORS,
    guide=GUIDE,
    automaton=Automaton(WALLENSTEIN, CHANCE, SENSE),
    tokens=colours("red", "blue", "yellow", "purple", "black") | {"peasants": Token(RING)},
    screen_for=screen_for,
    sections=(luck_section, calibration_section),
    demo=DEMO,
)

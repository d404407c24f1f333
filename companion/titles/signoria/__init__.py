"""Signoria: main board, player boards, entry forms and forecasts."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from companion.titles.base import Screen
from companion.titles.signoria.board import chart_of
from companion.titles.signoria.forms import forecast, screen_of
from companion.titles.signoria.parsing import action_of, form_of
from companion.titles.signoria.position import EDITOR
from companion.titles.signoria.walk import walk

SCREEN = Screen(
    folder="signoria",
    css=("css/signoria.css",),
    js=("js/asking.js", "js/picks.js", "js/signoria.js"),
    hint=gettext_noop(
        "The boards as they should look on your table. Tap a name to open what that player has."
    ),
    board=chart_of,
    prompt=screen_of,
    parse=action_of,
    fill=form_of,
    forecast=forecast,
    walk=walk,
    position=EDITOR,
)

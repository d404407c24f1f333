"""Revolution: map, entry forms and forecasts."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from companion.titles.base import Screen
from companion.titles.revolution.board import chart_of
from companion.titles.revolution.forecast import forecast
from companion.titles.revolution.forms import action_of, form_of, screen_of
from companion.titles.revolution.position import EDITOR
from companion.titles.revolution.walk import walk

SCREEN = Screen(
    folder="revolution",
    css=("css/atlas.css", "css/revolution.css"),
    js=("js/asking.js", "js/atlas.js", "js/revolution.js"),
    hint=gettext_noop(
        "The board as it should look on your table. Tap a province to see its cities, counters and armies."
    ),
    board=chart_of,
    prompt=screen_of,
    parse=action_of,
    fill=form_of,
    forecast=forecast,
    walk=walk,
    position=EDITOR,
)

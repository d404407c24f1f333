"""Boards rendered without a table."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string


def render_board(screen: Any, state: Any, template: str = "board", *, game: Any = None) -> str:
    """Return the HTML of ``board.html`` or ``picture.html``, as a spectator sees it."""
    chart = screen.board(state)
    viewer = {"mine": (), "may_enter": False, "may_correct": False}
    page = {"board": {"chart": chart, "secret": {}}, "viewer": viewer, "state_key": object()}
    return render_to_string(f"{screen.folder}/{template}.html", {"page": page, "board": chart, "game": game})

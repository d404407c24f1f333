"""Set up a position: one entry with the state of the real table, to start following a game in mid-course.

Each tap changes a draft in the session, from which the page is rendered, so it works without JavaScript.
A game whose screen has a `PositionEditor` renders its own board.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from companion import wording
from companion.access.table_access import TableAccess, refuse_stranger
from companion.errors import Refusal
from companion.journal import positions, secrets, submit
from companion.journal.states import game_of
from companion.journal.versions import refresh
from companion.models import Table
from companion.pages.numbers import parse_number
from companion.pages.table.page import TablePage
from companion.tables import opening
from companion.titles import screen_of
from companion.web.messages import message_page
from companion.web.phone import access_of, table_of
from games.core.actions import Position, action_json
from games.core.codec import Json
from games.core.game import AnyGame
from games.core.ledger import SUPPLY


@require_http_methods(["GET", "POST"])
def position(request: HttpRequest, code: str) -> HttpResponse:
    """Show the draft, or process a form sent from it. Seated players and the host only."""
    try:
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_stranger(access)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    if request.method != "POST":
        return _page(request, table, access)
    try:
        response = _process(request, table, access)
    except Refusal as refusal:
        return _page(request, table, access, refusal)
    if response:
        return response
    if request.htmx:  # type: ignore[attr-defined]
        return _page(request, table, access)
    return redirect(_here(request, table))


def _here(request: HttpRequest, table: Table) -> str:
    """Return the URL of this page with the current part, place and owner of the last piece added."""
    query = {name: request.GET.get(name, "") for name in ("part", "place", "owner")}
    query["owner"] = request.POST.get("owner", query["owner"])
    encoded = urlencode({name: value for name, value in query.items() if value})
    address = reverse("position", args=[table.code])
    return f"{address}?{encoded}" if encoded else address


# The draft


def _session_key(table: Table) -> str:
    return f"position-{table.code}"


def _draft(request: HttpRequest, table: Table, access: TableAccess) -> Position:
    """Load the draft from the session, or start one from the current state."""
    faction = access.factions[0] if access.is_seated else table.order[0]
    stored = request.session.get(_session_key(table))
    draft = positions.read_draft(game_of(table), stored, faction) if stored else None
    draft = draft or replace(positions.draft_of(table, faction), facts=_facts(table))
    phases = _phases(table)
    return replace(draft, phase=phases[0]) if phases and draft.phase not in phases else draft


def _phases(table: Table) -> tuple[str, ...]:
    """Return the phases in which a position can be set up; empty if the game has no position editor."""
    editor = screen_of(table).position
    return editor.phases if editor else ()


def _facts(table: Table) -> Mapping[str, Json]:
    """Return the initial facts of the draft beyond its pieces."""
    editor = screen_of(table).position
    return editor.initial_facts(secrets.public(table, table.head)) if editor else {}


def _store(request: HttpRequest, table: Table, draft: Position) -> None:
    request.session[_session_key(table)] = action_json(draft)


def _forget(request: HttpRequest, table: Table) -> None:
    request.session.pop(_session_key(table), None)


# Processing forms

Fields = Mapping[str, str]
Tap = Callable[[AnyGame, Position, Fields], Position]


def _put(game: AnyGame, draft: Position, form: Fields) -> Position:
    owner, piece, place = _line(game, draft, form)
    return positions.add_piece(draft, owner, piece, place, ordered=game.places.is_ordered(place))


def _take(game: AnyGame, draft: Position, form: Fields) -> Position:
    return positions.remove_piece(draft, *_line(game, draft, form))


def _line(game: AnyGame, draft: Position, form: Fields) -> tuple[str, str, str]:
    """Return owner, piece and place, from one field (`red knight`) or several.

    Raise `Refusal` if there is no such piece.
    """
    owner, _space, piece = form.get("what", "").partition(" ")
    owner, piece = owner or form.get("owner", ""), piece or form.get("piece", "")
    place = form.get("place", "")
    if owner not in (*draft.order, *game.neutrals) or piece not in game.pieces or len(place) > 60:  # noqa: PLR2004
        raise Refusal("bad-input", _("There is no such piece."))
    return owner, piece, place


def _round(_game: AnyGame, draft: Position, form: Fields) -> Position:
    number = parse_number(form.get("round"))
    if number is None or not 0 < number <= positions.MOST_ROUNDS:
        raise Refusal(
            "bad-input", _("Please enter a round from 1 to %(most)d.") % {"most": positions.MOST_ROUNDS}
        )
    return replace(draft, round=number)


def _turn(_game: AnyGame, draft: Position, form: Fields) -> Position:
    return replace(draft, turn=_faction(draft, form))


def _earlier(_game: AnyGame, draft: Position, form: Fields) -> Position:
    return positions.move_up(draft, _faction(draft, form))


def _phase(_game: AnyGame, draft: Position, form: Fields) -> Position:
    return replace(draft, phase=form.get("phase", "")[:40])


def _faction(draft: Position, form: Fields) -> str:
    faction = form.get("faction", "")
    if faction not in draft.order:
        raise Refusal("bad-input", _("Nobody at this table has this colour."))
    return faction


TAPS: Mapping[str, Tap] = {
    "put": _put,
    "take": _take,
    "clear": lambda _game, draft, form: positions.clear(draft, form.get("place", "")),
    "empty": lambda _game, draft, _form: positions.clear(draft),
    "round": _round,
    "turn": _turn,
    "earlier": _earlier,
    "phase": _phase,
}


def _process(request: HttpRequest, table: Table, access: TableAccess) -> HttpResponse | None:
    """Process the button that was tapped; return a response if it leads to another page."""
    do = request.POST.get("do", "")
    if do == "start":
        opening.start(table=table, access=access)
        return None
    if table.setup is None:
        raise Refusal("illegal", _("The game has not begun yet."))
    if do == "again":
        _forget(request, table)
        return None
    draft = _draft(request, table, access)
    if do == "send":
        return _send(request, table, access, draft)
    _store(request, table, _changed(table, draft, request.POST.dict()))
    return None


def _changed(table: Table, draft: Position, form: Fields) -> Position:
    """Return the draft after a tap handled by the game's position editor or by `TAPS`."""
    editor = screen_of(table).position
    changed = editor.tap(secrets.public(table, table.head), draft, form) if editor else None
    if changed:
        return changed
    if form.get("do", "") not in TAPS:
        raise Refusal("bad-input", _("There is no such button."))
    return TAPS[form["do"]](game_of(table), draft, form)


def _send(request: HttpRequest, table: Table, access: TableAccess, draft: Position) -> HttpResponse:
    submit.submit(
        table=table,
        access=access,
        faction=draft.faction,
        action=action_json(draft),
        key=request.POST.get("key") or None,
    )
    _forget(request, table)
    address = reverse("table", args=[table.code])
    if request.htmx:  # type: ignore[attr-defined]
        return HttpResponse(headers={"HX-Redirect": address})
    return redirect(address)


# The page


def _page(
    request: HttpRequest, table: Table, access: TableAccess, error: Refusal | None = None
) -> HttpResponse:
    refresh(table)
    page = TablePage(table, access)
    context = {
        "page": page,
        "table": table,
        "game": page.game,
        "screen": screen_of(table),
        "url": reverse("position", args=[table.code]),
        "here": _here(request, table),
        "error": error,
    }
    if page.started and not table.ended_by_host:
        draft = _draft(request, table, access)
        context |= _draft_context(request, page, draft)
    template = "position/draft.html" if request.htmx else "position/position.html"  # type: ignore[attr-defined]
    response = render(request, template, context, status=error.status if error else 200)
    response["Cache-Control"] = "no-store"
    return response


def _draft_context(request: HttpRequest, page: TablePage, draft: Position) -> dict[str, Any]:
    game = page.game
    state = positions.draft_state(game, secrets.public(page.table, page.table.head), draft)
    place = request.GET.get("place", "")
    place = place if place and game.knows_place(state, place) else ""
    owner = request.POST.get("owner") or request.GET.get("owner", "")
    screen = screen_of(page.table)
    board = screen.position.board(state, place, owner) if screen.position else None
    return {
        "draft": draft,
        "round_before": draft.round - 1,
        "round_after": draft.round + 1,
        "part": request.GET.get("part", ""),
        "place": place,
        "place_name": wording.name(game, "place", place) if place else "",
        "phases": [(phase, wording.name(game, "phase", phase)) for phase in _phases(page.table)],
        "order": [page.players[faction] for faction in draft.order if faction in page.players],
        "board": board,
        "template": f"{screen.folder}/position.html" if board else "position/list.html",
        "places": _places(game, state),
        "lines": _lines(page, state, place),
        "pieces": [(piece, wording.name(game, "piece", piece)) for piece in sorted(game.pieces)],
        **_trial(page, draft),
        "drafted": _session_key(page.table) in request.session,
        "key": uuid.uuid4().hex,
    }


def _trial(page: TablePage, draft: Position) -> dict[str, Any]:
    """Return why the draft cannot be submitted, or the standings it would lead to."""
    try:
        outcome = submit.preview(
            table=page.table, access=page.access, faction=draft.faction, action=action_json(draft)
        )
    except Refusal as refusal:
        return {"wrong": refusal}
    rows = [(page.players.get(s.faction), s.points) for s in page.game.standings(outcome.state)]
    return {"standings": [(player, wording.number(points)) for player, points in rows if player]}


def _places(game: AnyGame, state: Any) -> list[tuple[str, str]]:
    occupied = state.ledger.occupied()
    return [(place, wording.name(game, "place", place)) for place in occupied if place != SUPPLY]


def _lines(page: TablePage, state: Any, place: str) -> list[dict[str, Any]]:
    """Return the pieces at a place, one line per owner and piece."""
    return [
        {
            "owner": line.owner,
            "owner_name": wording.name(page.game, "faction", line.owner),
            "piece": line.piece,
            "piece_name": wording.name(page.game, "piece", line.piece),
            "count": line.count,
        }
        for line in (state.ledger.at(place) if place else [])
    ]

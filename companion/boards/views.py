"""Pages of printed figures: the shipped ones, a group's board copy, and those of a running game."""

from __future__ import annotations

import json
import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from companion.access import rate_limits
from companion.access.table_access import TableAccess, find_rate_limited
from companion.boards.forms import (
    Form,
    Screenful,
    Sheet,
    label_of,
    parts_of,
    read_form,
    screenfuls,
    text_of,
    title_of,
)
from companion.errors import Refusal
from companion.journal import submit
from companion.journal.states import game_of, state_at
from companion.models import Board, Table
from companion.registry import titles
from companion.tables import board_copies
from companion.tables.board_copies import Comparison
from companion.web.addresses import address_for_phones
from companion.web.messages import message_page
from companion.web.phone import access_of, address_of, board_codes_of, remember_board
from games.core.boards import Path, differences, figure_at, with_figure
from games.core.codec import Json
from games.core.game import AnyGame

LARGEST_FILE = 256 * 1024


def _game(slug: str) -> AnyGame:
    if slug not in titles():
        raise Http404
    return titles()[slug].game


# The shipped figures, and the board copies known to this phone


@require_http_methods(["GET", "POST"])
def shipped(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the shipped figures; create, find or import a board copy."""
    game = _game(slug)
    if request.method != "POST":
        return _shipped_page(request, game)
    try:
        copy = _copy(request, game)
    except Refusal as refusal:
        return _shipped_page(request, game, refusal)
    response = redirect("board", slug=game.slug, code=copy.code)
    remember_board(response, request, copy.code)
    return response


def _copy(request: HttpRequest, game: AnyGame) -> Board:
    match request.POST.get("do"):
        case "copy":
            rate_limits.OPEN_TABLE.take(address_of(request))
            return board_copies.make_copy(game=game, name=request.POST.get("name", ""))
        case "import":
            rate_limits.OPEN_TABLE.take(address_of(request))
            return board_copies.read_board(_uploaded(request), game=game)
        case "find":
            code = "".join(request.POST.get("code", "").split())
            return board_copies.find_board(address_of(request), game.slug, code)
        case _:
            raise Refusal("bad-input", _("There is no such button."))


def _uploaded(request: HttpRequest) -> Json:
    """Return the JSON of the uploaded file. Raise `Refusal` if it is missing, too large or unreadable."""
    file = request.FILES.get("file")
    if file is None:
        raise Refusal("bad-input", _("Please choose a file."))
    if (file.size or 0) > LARGEST_FILE:
        raise Refusal("too-large", _("That is too large."))
    try:
        return json.loads(file.read().decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Refusal("bad-input", _("This file holds no board.")) from None


def _shipped_page(request: HttpRequest, game: AnyGame, error: Refusal | None = None) -> HttpResponse:
    parts = [
        {
            "title": title,
            "sources": sorted({figure.source for screen in screens for figure in screen.figures}),
            "things": [_thing(game, screen) for screen in screens],
        }
        for title, screens in parts_of(game)
    ]
    context = {
        "game": game,
        "parts": parts,
        "copies": copies_of(request, game),
        "error": error,
        "typed": request.POST.get("name", "")[:40],
    }
    return render(request, "boards/shipped.html", context, status=error.status if error else 200)


def _thing(game: AnyGame, screen: Screenful) -> dict[str, Any]:
    return {
        "title": title_of(game, screen) if len(screen.path) > 1 else "",
        "rows": [
            {
                "label": label_of(game, screen, figure) if figure.path != screen.path else "",
                "text": text_of(game, figure, figure.value),
                "source": figure.source,
            }
            for figure in screen.figures
        ],
    }


def copies_of(request: HttpRequest, game: AnyGame) -> list[Board]:
    """Return the board copies that this phone has opened, last changed first."""
    codes = board_codes_of(request)
    return list(Board.objects.filter(game=game.slug, code__in=codes).order_by("-changed_at")) if codes else []


# A board copy


@require_http_methods(["GET", "POST"])
def board(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Show a board copy, or one screen of it to compare (`?at=provinces.holland`)."""
    game = _game(slug)
    try:
        copy = board_copies.find_board(address_of(request), game.slug, code)
        board_copies.refuse_misfit(game, copy)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    if request.method == "POST" and request.POST.get("do") == "delete":
        board_copies.delete(board=copy)
        return redirect("boards", slug=game.slug)
    if request.method == "POST":
        response = _update(request, game, copy)
    else:
        screen = _screen(game, request.GET.get("at", ""))
        response = _screen_page(request, game, copy, screen) if screen else _board_page(request, game, copy)
    remember_board(response, request, copy.code)
    return response


def _screen(game: AnyGame, key: str) -> Screenful | None:
    return next((screen for screen in screenfuls(game) if screen.key == key), None)


def _update(request: HttpRequest, game: AnyGame, copy: Board) -> HttpResponse:
    """Rename the copy, or store the compared figures."""
    if request.POST.get("do") != "rename":
        return _compare(request, game, copy)
    try:
        board_copies.rename(board=copy, name=request.POST.get("name", ""))
    except Refusal as refusal:
        return _board_page(request, game, copy, refusal)
    return redirect("board", slug=game.slug, code=copy.code)


def _compare(request: HttpRequest, game: AnyGame, copy: Board) -> HttpResponse:
    """Store the printed figures typed on one screen, and which of them were confirmed as correct.

    Redirect to the next screen with unconfirmed figures if the whole screen was confirmed, else to the same one.
    """
    screen = _screen(game, request.POST.get("at", ""))
    if screen is None:
        return redirect("board", slug=game.slug, code=copy.code)
    right, unsure = request.POST.get("right", ""), request.POST.get("unsure", "")
    try:
        compared = {
            path: Comparison(seen, typed, right=right in ("all", ".".join(path)))
            for path, (seen, typed) in read_form(game, request.POST).items()
        }
        unconfirmed = [path for path in compared if ".".join(path) == unsure]
        board_copies.compare(game=game, board=copy, figures=compared, unsure=unconfirmed)
    except Refusal as refusal:
        copy.refresh_from_db()
        return _screen_page(request, game, copy, screen, refusal)
    address = reverse("board", args=[game.slug, copy.code])
    next_screen = _next(game, copy, screen) if right == "all" else screen
    anchor = f"#{right.replace('.', '-')}" if right not in ("", "all") else ""
    return redirect(f"{address}?at={next_screen.key}{anchor}" if next_screen else address)


def _next(game: AnyGame, copy: Board, screen: Screenful) -> Screenful | None:
    """Return the next screen with unconfirmed figures, wrapping around; None if there is none."""
    all_screens = screenfuls(game)
    here = next(index for index, other in enumerate(all_screens) if other.key == screen.key)
    return next(
        (other for other in [*all_screens[here + 1 :], *all_screens[:here]] if _left(copy, other)),
        None,
    )


def _left(copy: Board, screen: Screenful) -> int:
    """Return the number of unconfirmed figures of a screen."""
    return len(set(screen.paths) - set(copy.confirmed))


def _screen_page(
    request: HttpRequest, game: AnyGame, copy: Board, screen: Screenful, error: Refusal | None = None
) -> HttpResponse:
    sheet = Sheet(game, copy.figures, copy.confirmed)
    form = request.POST if error else None
    all_screens = screenfuls(game)
    here = [other.key for other in all_screens].index(screen.key)
    context = {
        "game": game,
        "board": copy,
        "screen": sheet.screen_context(screen, _typed(game, form)),
        "left": _left(copy, screen),
        "place": here + 1,
        "places": len(all_screens),
        "before": all_screens[here - 1].key if here else "",
        "after": all_screens[here + 1].key if here + 1 < len(all_screens) else "",
        "error": error,
    }
    return render(request, "boards/screen.html", context, status=error.status if error else 200)


def _typed(game: AnyGame, form: QueryDict | None) -> Form:
    """Return the submitted figures to show again; nothing if the form is invalid."""
    try:
        return read_form(game, form) if form else {}
    except Refusal:
        return {}


def _board_page(
    request: HttpRequest, game: AnyGame, copy: Board, error: Refusal | None = None
) -> HttpResponse:
    sheet = Sheet(game, copy.figures, copy.confirmed)
    parts: list[tuple[str, list[dict[str, Any]]]] = []
    for title, screens in parts_of(game):
        lines = [{"key": s.key, "title": title_of(game, s), "left": _left(copy, s)} for s in screens]
        if len(lines) > 1:
            parts.append((title, lines))
        elif parts and not parts[-1][0]:
            parts[-1][1].extend(lines)
        else:
            parts.append(("", lines))  # consecutive parts with one screen each share an untitled list
    leaves = game.board.leaves
    next_screen = next((screen for screen in screenfuls(game) if _left(copy, screen)), None)
    context = {
        "game": game,
        "board": copy,
        "parts": parts,
        "wrong": board_copies.figure_errors(game, sheet.figures),
        "compared": len(copy.confirmed),
        "figures": len(leaves),
        "onward": {"key": next_screen.key, "title": title_of(game, next_screen)} if next_screen else None,
        "differs": [_difference(game, path, copy.figures) for path in _changed_paths(game, copy.figures)],
        "address": address_for_phones(request, "board", game.slug, copy.code),
        "error": error,
    }
    return render(request, "boards/board.html", context, status=error.status if error else 200)


def _changed_paths(game: AnyGame, figures: Json) -> list[Path]:
    """Return the paths of figures that differ from the shipped ones."""
    return [path for path, figure in game.board.leaves.items() if figure_at(figures, path) != figure.value]


def _difference(game: AnyGame, path: Path, figures: Json, before: Json = None) -> dict[str, str]:
    figure = game.board.leaves[path]
    old = figure.value if before is None else figure_at(before, path)
    return {
        "title": board_copies.figure_name(game, path),
        "before": text_of(game, figure, old),
        "after": text_of(game, figure, figure_at(figures, path)),
    }


@require_GET
def export(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """Download a board copy as a JSON file."""
    game = _game(slug)
    try:
        copy = board_copies.find_board(address_of(request), game.slug, code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    response = JsonResponse(
        board_copies.write_board(copy), json_dumps_params={"indent": 1, "ensure_ascii": False}
    )
    response["Content-Disposition"] = f'attachment; filename="{game.slug}-{copy.code}.json"'
    return response


# The figures of a running game


@require_http_methods(["GET", "POST"])
def table_figures(request: HttpRequest, code: str) -> HttpResponse:
    """Show the figures a table plays with; `?path=` selects those to correct."""
    try:
        table = find_rate_limited(address_of(request), code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    if table.setup is None:
        return redirect("table", code=table.code)
    if request.method != "POST" or request.POST.get("more"):
        form = request.POST if request.method == "POST" else None
        return _table_page(request, table, form)
    access = access_of(request, table)
    try:
        _correct(request, table, access)
    except Refusal as refusal:
        table.refresh_from_db()
        return _table_page(request, table, request.POST, refusal)
    return redirect(reverse("table", args=[table.code]) + "?tab=journal")


def _correct(request: HttpRequest, table: Table, access: TableAccess) -> None:
    """Submit changed figures for the rest of the game; with `too`, also store them in the board copy."""
    game = game_of(table)
    reason = " ".join(request.POST.get("reason", "").split())
    if not reason:
        raise Refusal("bad-input", _("Please say in a word how you know."))
    figures = state_at(table, table.head).setup.figures
    if request.POST.get("do") == "copy":
        changed, path, value = _from_copy(game, table, figures)
    else:
        changed, path, value = _from_form(game, request.POST, figures)
    faction = access.factions[0] if access.is_seated else next(iter(table.order), "")
    action = {"type": "figure", "path": list(path), "value": value, "reason": reason[:200]}
    submit.submit(
        table=table, access=access, faction=faction, action=action, key=request.POST.get("key") or None
    )
    if table.board and request.POST.get("too"):
        board_copies.record_figures(game=game, board=table.board, figures=changed)


def _from_form(game: AnyGame, form: QueryDict, current: Json) -> tuple[dict[Path, Json], Path, Json]:
    """Return the changed figures, the longest path common to all of them, and the new value there.

    Raise `Refusal` if nothing is changed, or if a figure was changed since the form was rendered.
    """
    changed, figures = {}, current
    for path, (seen, typed) in read_form(game, form).items():
        if typed == seen:
            continue
        if figure_at(current, path) not in (seen, typed):
            raise Refusal(
                "gone",
                _("Somebody else has changed this meanwhile. What you entered is still here; look at both."),
            )
        changed[path] = typed
        figures = with_figure(figures, path, typed)
    if not changed:
        raise Refusal("bad-input", _("Nothing is changed yet. Set the figure as your board shows it."))
    path = _common_prefix(list(changed))
    return changed, path, figure_at(figures, path)


def _common_prefix(paths: list[Path]) -> Path:
    shared = []
    for names in zip(*paths, strict=False):
        if len(set(names)) > 1:
            break
        shared.append(names[0])
    return tuple(shared)


def _from_copy(game: AnyGame, table: Table, current: Json) -> tuple[dict[Path, Json], Path, Json]:
    """Return all figures in which the board copy differs. Raise `Refusal` if there is no valid copy."""
    if table.board is None:
        raise board_copies.unknown_board()
    board_copies.refuse_invalid(game, table.board)
    changed = {
        path: figure_at(table.board.figures, path) for path in differences(current, table.board.figures)
    }
    return changed, (), table.board.figures


def _table_page(
    request: HttpRequest, table: Table, form: QueryDict | None = None, error: Refusal | None = None
) -> HttpResponse:
    game = game_of(table)
    figures = state_at(table, table.head).setup.figures
    sheet = Sheet(game, figures, table.board.confirmed if table.board else ())
    wanted = _wanted(request, form)
    shown = [screen for screen in screenfuls(game) if _is_wanted(screen, wanted)]
    keys = [screen.key for screen in shown]
    parts = [
        (title, [(s.key, title_of(game, s)) for s in screens if s.key not in keys])
        for title, screens in parts_of(game)
    ]
    context = {
        "table": table,
        "game": game,
        "url": reverse("table", args=[table.code]),
        "screens": [sheet.screen_context(screen, _typed(game, form)) for screen in shown],
        "parts": [(title, screens) for title, screens in parts if screens],
        "unconfirmed": len(board_copies.unconfirmed(game, table.board)),
        "board": table.board,
        "as_shipped": board_copies.uses_shipped_figures(game, table),
        "copy_differs": _copy_differs(game, table, figures),
        "may_enter": access_of(request, table) != TableAccess(),
        "error": error,
        "reason": form.get("reason", "")[:200] if form else "",
        "key": uuid.uuid4().hex,
    }
    return render(request, "boards/table.html", context, status=error.status if error else 200)


def _wanted(request: HttpRequest, form: QueryDict | None) -> list[Path]:
    paths = [*request.GET.getlist("path"), *(form.getlist("screen") if form else ())]
    if form and form.get("more"):
        paths.append(form["more"])
    return [tuple(path.split(".")) for path in paths if path]


def _is_wanted(screen: Screenful, wanted: list[Path]) -> bool:
    """Return True if a wanted path leads to the screen, to something around it, or to one of its figures."""
    return any(path[: len(screen.path)] == screen.path or screen.path[: len(path)] == path for path in wanted)


def _copy_differs(game: AnyGame, table: Table, figures: Json) -> list[dict[str, str]]:
    """Return the differences between the table's figures and its board copy, if the copy is valid."""
    copy = table.board
    if copy is None or not game.board.fits(copy.figures) or game.figures_wrong(copy.figures):
        return []
    return [_difference(game, path, copy.figures, figures) for path in differences(figures, copy.figures)]

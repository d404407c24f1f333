"""The printed figures: those that ship, a group's own copy of them, and those a table plays with."""

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
from companion.access.table_access import TableAccess, find_from
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
from companion.tables import board_copies
from companion.tables.board_copies import Compared
from companion.web.addresses import address_for_phones
from companion.web.messages import message_page
from companion.web.phone import access_of, address_of, board_codes_of, remember_board
from games.core.boards import Path, differences, figure_at, with_figure
from games.core.codec import Json
from games.core.game import AnyGame
from games.registry import GAMES

LARGEST_FILE = 256 * 1024


def _game(slug: str) -> AnyGame:
    if slug not in GAMES:
        raise Http404
    return GAMES[slug]


# The shipped figures, and the copies this phone knows


@require_http_methods(["GET", "POST"])
def shipped(request: HttpRequest, slug: str) -> HttpResponse:
    """What ships; from here a group makes, finds or imports its own copy."""
    game = _game(slug)
    if request.method != "POST":
        return _shipped_page(request, game)
    try:
        board = _copy(request, game)
    except Refusal as refusal:
        return _shipped_page(request, game, refusal)
    response = redirect("board", slug=game.slug, code=board.code)
    remember_board(response, request, board.code)
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
    """The document in a file. Raises ``Refusal``."""
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
    """The copies this phone has met, the newest change first."""
    codes = board_codes_of(request)
    return list(Board.objects.filter(game=game.slug, code__in=codes).order_by("-changed_at")) if codes else []


# A copy


@require_http_methods(["GET", "POST"])
def board(request: HttpRequest, slug: str, code: str) -> HttpResponse:
    """A copy at a glance, or one screen of it to compare (``?at=provinces.holland``)."""
    game = _game(slug)
    try:
        found = board_copies.find_board(address_of(request), game.slug, code)
        board_copies.refuse_misfit(game, found)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    if request.method == "POST" and request.POST.get("do") == "delete":
        board_copies.delete(board=found)
        return redirect("boards", slug=game.slug)
    if request.method == "POST":
        response = _changed(request, game, found)
    else:
        screen = _screen(game, request.GET.get("at", ""))
        response = _screen_page(request, game, found, screen) if screen else _board_page(request, game, found)
    remember_board(response, request, found.code)
    return response


def _screen(game: AnyGame, key: str) -> Screenful | None:
    return next((screen for screen in screenfuls(game) if screen.key == key), None)


def _changed(request: HttpRequest, game: AnyGame, found: Board) -> HttpResponse:
    if request.POST.get("do") != "rename":
        return _compare(request, game, found)
    try:
        board_copies.rename(board=found, name=request.POST.get("name", ""))
    except Refusal as refusal:
        return _board_page(request, game, found, refusal)
    return redirect("board", slug=game.slug, code=found.code)


def _compare(request: HttpRequest, game: AnyGame, found: Board) -> HttpResponse:
    screen = _screen(game, request.POST.get("at", ""))
    if screen is None:
        return redirect("board", slug=game.slug, code=found.code)
    right, unsure = request.POST.get("right", ""), request.POST.get("unsure", "")
    try:
        compared = {
            path: Compared(seen, typed, right=right in ("all", ".".join(path)))
            for path, (seen, typed) in read_form(game, request.POST).items()
        }
        taken_back = [path for path in compared if ".".join(path) == unsure]
        board_copies.compare(game=game, board=found, figures=compared, unsure=taken_back)
    except Refusal as refusal:
        found.refresh_from_db()
        return _screen_page(request, game, found, screen, refusal)
    address = reverse("board", args=[game.slug, found.code])
    onward = _next(game, found, screen) if right == "all" else screen
    at = f"#{right.replace('.', '-')}" if right not in ("", "all") else ""
    return redirect(f"{address}?at={onward.key}{at}" if onward else address)


def _next(game: AnyGame, found: Board, screen: Screenful) -> Screenful | None:
    """The next screen with something to compare, after this one and round to it."""
    all_screens = screenfuls(game)
    here = next(place for place, one in enumerate(all_screens) if one.key == screen.key)
    return next(
        (one for one in [*all_screens[here + 1 :], *all_screens[:here]] if _left(found, one)),
        None,
    )


def _left(found: Board, screen: Screenful) -> int:
    return len(set(screen.paths) - set(found.confirmed))


def _screen_page(
    request: HttpRequest, game: AnyGame, found: Board, screen: Screenful, error: Refusal | None = None
) -> HttpResponse:
    sheet = Sheet(game, found.figures, found.confirmed)
    form = request.POST if error else None
    all_screens = screenfuls(game)
    here = [one.key for one in all_screens].index(screen.key)
    context = {
        "game": game,
        "board": found,
        "screen": sheet.drawn(screen, _typed(game, form)),
        "left": _left(found, screen),
        "place": here + 1,
        "places": len(all_screens),
        "before": all_screens[here - 1].key if here else "",
        "after": all_screens[here + 1].key if here + 1 < len(all_screens) else "",
        "error": error,
    }
    return render(request, "boards/screen.html", context, status=error.status if error else 200)


def _typed(game: AnyGame, form: QueryDict | None) -> Form:
    """What was typed, to be shown again; nothing of a form that was made up."""
    try:
        return read_form(game, form) if form else {}
    except Refusal:
        return {}


def _board_page(
    request: HttpRequest, game: AnyGame, found: Board, error: Refusal | None = None
) -> HttpResponse:
    sheet = Sheet(game, found.figures, found.confirmed)
    parts: list[tuple[str, list[dict[str, Any]]]] = []
    for title, screens in parts_of(game):
        lines = [{"key": s.key, "title": title_of(game, s), "left": _left(found, s)} for s in screens]
        if len(lines) > 1:
            parts.append((title, lines))
        elif parts and not parts[-1][0]:
            parts[-1][1].extend(lines)
        else:
            parts.append(("", lines))  # parts of one screen need no title of their own
    leaves = game.board.leaves
    onward = next((screen for screen in screenfuls(game) if _left(found, screen)), None)
    context = {
        "game": game,
        "board": found,
        "parts": parts,
        "wrong": board_copies.wrong_with(game, sheet.figures),
        "compared": len(found.confirmed),
        "figures": len(leaves),
        "onward": {"key": onward.key, "title": title_of(game, onward)} if onward else None,
        "differs": [_difference(game, path, found.figures) for path in _others(game, found.figures)],
        "address": address_for_phones(request, "board", game.slug, found.code),
        "error": error,
    }
    return render(request, "boards/board.html", context, status=error.status if error else 200)


def _others(game: AnyGame, figures: Json) -> list[Path]:
    """The figures that are others than those that ship."""
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
    """A copy as a file."""
    game = _game(slug)
    try:
        found = board_copies.find_board(address_of(request), game.slug, code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    response = JsonResponse(
        board_copies.write_board(found), json_dumps_params={"indent": 1, "ensure_ascii": False}
    )
    response["Content-Disposition"] = f'attachment; filename="{game.slug}-{found.code}.json"'
    return response


# The figures of a table, doubted during its game


@require_http_methods(["GET", "POST"])
def table_figures(request: HttpRequest, code: str) -> HttpResponse:
    """The figures a table plays with; ``?path=`` shows some of them to be corrected."""
    try:
        found = find_from(address_of(request), code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    if found.setup is None:
        return redirect("table", code=found.code)
    if request.method != "POST" or request.POST.get("more"):
        form = request.POST if request.method == "POST" else None
        return _table_page(request, found, form)
    access = access_of(request, found)
    try:
        _correct(request, found, access)
    except Refusal as refusal:
        found.refresh_from_db()
        return _table_page(request, found, request.POST, refusal)
    return redirect(reverse("table", args=[found.code]) + "?tab=journal")


def _correct(request: HttpRequest, found: Table, access: TableAccess) -> None:
    """Enter another figure for the rest of the game, and write it into the group's copy if that is wanted."""
    game = game_of(found)
    reason = " ".join(request.POST.get("reason", "").split())
    if not reason:
        raise Refusal("bad-input", _("Please say in a word how you know."))
    now = state_at(found, found.head).setup.figures
    if request.POST.get("do") == "copy":
        changed, path, value = _of_the_copy(game, found, now)
    else:
        changed, path, value = _of_the_form(game, request.POST, now)
    faction = access.factions[0] if access.is_seated else next(iter(found.order), "")
    action = {"type": "figure", "path": list(path), "value": value, "reason": reason[:200]}
    submit.submit(
        table=found, access=access, faction=faction, action=action, key=request.POST.get("key") or None
    )
    if found.board and request.POST.get("too"):
        board_copies.take_over(game=game, board=found.board, figures=changed)


def _of_the_form(game: AnyGame, form: QueryDict, now: Json) -> tuple[dict[Path, Json], Path, Json]:
    """What is typed otherwise than the table has it, and the shortest path that leads to all of it."""
    changed, figures = {}, now
    for path, (seen, typed) in read_form(game, form).items():
        if typed == seen:
            continue
        if figure_at(now, path) not in (seen, typed):
            raise Refusal(
                "gone",
                _("Somebody else has changed this meanwhile. What you entered is still here; look at both."),
            )
        changed[path] = typed
        figures = with_figure(figures, path, typed)
    if not changed:
        raise Refusal("bad-input", _("Nothing is changed yet. Set the figure as your board shows it."))
    path = _common(list(changed))
    return changed, path, figure_at(figures, path)


def _common(paths: list[Path]) -> Path:
    shared = []
    for names in zip(*paths, strict=False):
        if len(set(names)) > 1:
            break
        shared.append(names[0])
    return tuple(shared)


def _of_the_copy(game: AnyGame, found: Table, now: Json) -> tuple[dict[Path, Json], Path, Json]:
    if found.board is None:
        raise board_copies.unknown_board()
    board_copies.refuse_wrong(game, found.board)
    changed = {path: figure_at(found.board.figures, path) for path in differences(now, found.board.figures)}
    return changed, (), found.board.figures


def _table_page(
    request: HttpRequest, found: Table, form: QueryDict | None = None, error: Refusal | None = None
) -> HttpResponse:
    game = game_of(found)
    figures = state_at(found, found.head).setup.figures
    sheet = Sheet(game, figures, found.board.confirmed if found.board else ())
    wanted = _wanted(request, form)
    shown = [screen for screen in screenfuls(game) if _is_wanted(screen, wanted)]
    keys = [screen.key for screen in shown]
    parts = [
        (title, [(s.key, title_of(game, s)) for s in screens if s.key not in keys])
        for title, screens in parts_of(game)
    ]
    context = {
        "table": found,
        "game": game,
        "url": reverse("table", args=[found.code]),
        "screens": [sheet.drawn(screen, _typed(game, form)) for screen in shown],
        "parts": [(title, screens) for title, screens in parts if screens],
        "unconfirmed": len(board_copies.unconfirmed(game, found.board)),
        "board": found.board,
        "as_shipped": board_copies.began_as_shipped(game, found),
        "copy_differs": _copy_differs(game, found, figures),
        "may_enter": access_of(request, found) != TableAccess(),
        "error": error,
        "reason": form.get("reason", "")[:200] if form else "",
        "key": uuid.uuid4().hex,
    }
    return render(request, "boards/table.html", context, status=error.status if error else 200)


def _wanted(request: HttpRequest, form: QueryDict | None) -> list[Path]:
    asked = [*request.GET.getlist("path"), *(form.getlist("screen") if form else ())]
    if form and form.get("more"):
        asked.append(form["more"])
    return [tuple(path.split(".")) for path in asked if path]


def _is_wanted(screen: Screenful, wanted: list[Path]) -> bool:
    """A path may lead to a part, to a thing in it, or to one of its figures."""
    return any(path[: len(screen.path)] == screen.path or screen.path[: len(path)] == path for path in wanted)


def _copy_differs(game: AnyGame, found: Table, figures: Json) -> list[dict[str, str]]:
    """What the group's copy says otherwise by now, if one could play with it."""
    copy = found.board
    if copy is None or not game.board.fits(copy.figures) or game.figures_wrong(copy.figures):
        return []
    return [_difference(game, path, copy.figures, figures) for path in differences(figures, copy.figures)]

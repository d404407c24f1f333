"""POST views of a table's journal: entries, previews, corrections, undo and redo, ticks, breaks."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from companion.access.table_access import TableAccess
from companion.errors import Refusal
from companion.journal import breaks, submit
from companion.journal.versions import refresh
from companion.models import Table
from companion.pages.numbers import parse_number
from companion.pages.table.page import TablePage
from companion.pages.table.standings import gains
from companion.pages.table.table_action import table_action
from companion.titles import screen_of
from companion.web.phone import access_of, is_scribe, table_of


@table_action
def act(request: HttpRequest, table: Table, access: TableAccess) -> None:
    try:
        submit.submit(
            table=table,
            access=access,
            faction=request.POST.get("faction", ""),
            action=screen_of(table).parse(request.POST.dict()),
            key=request.POST.get("key") or None,
        )
    except Refusal as refusal:
        raise _meanwhile(request, table, access, refusal) from None


def _meanwhile(request: HttpRequest, table: Table, access: TableAccess, refusal: Refusal) -> Refusal:
    """Return the refusal, naming also the entry made since the form was rendered: the likely reason."""
    refresh(table)
    seen = parse_number(request.POST.get("seen"))
    if seen is None or seen >= table.head or refusal.code not in ("illegal", "bad-input"):
        return refusal
    page = TablePage(table, access)
    newest = page.changes.newest
    if newest is None or newest.faction not in page.players:
        return refusal
    named = {"name": page.players[newest.faction].name, "what": page.texts.title(newest)}
    addition = _("Meanwhile %(name)s entered: %(what)s") % named
    return Refusal(refusal.code, f"{refusal.message} {addition}", refusal.rule)


@require_POST
def preview(request: HttpRequest, code: str) -> HttpResponse:
    """Show the standings that the form as filled in would lead to, or the error; nothing is stored."""
    try:
        table = table_of(request, code)
        access = access_of(request, table)
        page = TablePage(table, access, scribe=is_scribe(request, table))
        faction, form = request.POST.get("faction", ""), request.POST.dict()
        if page.screen.forecast and page.started and faction in page.viewer.mine():
            lines = page.screen.forecast(page.viewer.state, faction, form)
            return render(request, "table/forecast.html", {"lines": lines})
        action = page.screen.parse(form)
        outcome = submit.preview(table=table, access=access, faction=faction, action=action)
    except Refusal as refusal:
        return render(request, "table/preview.html", {"error": refusal})
    return render(request, "table/preview.html", {"rows": gains(page.viewer, outcome.state)})


@table_action
def correct(request: HttpRequest, table: Table, access: TableAccess) -> None:
    fields = {name: request.POST.get(name, "") for name in ("owner", "piece", "place", "reason")}
    count = parse_number(request.POST.get("count"))
    against = request.POST.get("against")
    action = {
        "type": "correct",
        **fields,
        "count": -1 if count is None else count,
        **({"against": against} if against else {}),
    }
    faction = access.factions[0] if access.is_seated else next(iter(table.order), "")
    submit.submit(
        table=table, access=access, faction=faction, action=action, key=request.POST.get("key") or None
    )


@table_action
def undo(request: HttpRequest, table: Table, access: TableAccess) -> None:
    submit.undo(table=table, access=access, number=parse_number(request.POST.get("number")))


@table_action
def redo(request: HttpRequest, table: Table, access: TableAccess) -> None:
    submit.redo(table=table, access=access, number=parse_number(request.POST.get("number")))


@table_action
def back_to(request: HttpRequest, table: Table, access: TableAccess) -> None:
    number = parse_number(request.POST.get("number"))
    if number is None:
        raise Refusal("bad-input", _("Say which entry to go back to."))
    submit.back_to(table=table, access=access, number=number)


@table_action
def tick(request: HttpRequest, table: Table, access: TableAccess) -> None:
    """Tick or untick a line.

    The button's value names the target state (`3:1`: line 3 is done), which makes repeated taps idempotent.
    """
    text, _colon, done = request.POST.get("line", "").partition(":")
    number, line = parse_number(request.POST.get("number")), parse_number(text)
    if number is not None and text == "all":
        submit.tick_all(table=table, access=access, number=number)
        return
    if number is None or line is None or done not in ("0", "1"):
        raise Refusal("bad-input", _("Say which line is done."))
    submit.tick(table=table, access=access, number=number, line=line, done=done == "1")


@table_action
def pause(request: HttpRequest, table: Table, access: TableAccess) -> None:
    """Begin or end a break."""
    match request.POST.get("do"):
        case "begin":
            breaks.begin(table=table, access=access)
        case "end":
            breaks.end(table=table, access=access)
        case _:
            raise Refusal("bad-input", _("There is no such button."))

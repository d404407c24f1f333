"""Mending from the journal: say what an entry should have been, see what follows, agree or leave it.

Three ways lead to one preview: change an entry, leave it out, rule differently on one of its
results. Nothing is kept until somebody agrees to the preview.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from companion import wording
from companion.access.table_access import TableAccess, refuse_stranger
from companion.errors import Refusal
from companion.journal import mending, secrets
from companion.journal.submit import refuse_unless_going_on
from companion.models import Entry, Table
from companion.pages.ruling_forms import NAME, Field, fields_of, picked, read_result
from companion.pages.table_page import TablePage
from companion.titles.base import Fills
from companion.web.entries import shown_step
from companion.web.messages import message_page
from companion.web.phone import access_of, is_scribe, table_of
from games.core.actions import Correct, Position, SetFigure, SetOption
from games.core.codec import Json
from games.core.game import AnyGame
from games.core.options import Option
from games.core.rulings import REASONS
from games.core.steps import Step

# The field of an entry that is no move of the game, which can be another one.
TOLD = {Correct.type: "count", SetOption.type: "value", SetFigure.type: "value"}
LONGEST_ACTION = 50_000

_VERSION = re.compile(r"\d{1,9}", re.ASCII)

EntryPage = Callable[[HttpRequest, Table, TableAccess, Entry], HttpResponse]


def entry_page(show: EntryPage) -> Callable[..., HttpResponse]:
    """A page about one entry that counts, for those who may mend it."""

    def view(request: HttpRequest, code: str, number: int) -> HttpResponse:
        try:
            table = table_of(request, code)
            access = access_of(request, table)
            refuse_stranger(access)
            refuse_unless_going_on(table)
            return show(request, table, access, _entry(table, number))
        except Refusal as refusal:
            return message_page(request, refusal.message, refusal.status)

    return require_http_methods(["GET", "HEAD", "POST"])(view)


def _entry(table: Table, number: int) -> Entry:
    entry = table.entries.filter(number=number).select_related("seat").first()
    if entry is None:
        raise Refusal("unknown", _("There is no such entry."))
    if entry.undone:
        raise Refusal("gone", _("This entry does not count any more."))
    return entry


# What it should have been


@entry_page
def change(request: HttpRequest, table: Table, access: TableAccess, entry: Entry) -> HttpResponse:
    """The form in which the entry was made, where the game stood then."""
    secrets.refuse_to_change(table, access.seats, entry)
    shown_to, scribe = request.GET.get("open"), is_scribe(request, table)
    page = TablePage(table, access, scribe=scribe, at=entry.parent, shown_to=shown_to)
    if page.is_shared and shown_to != entry.faction and entry.number in secrets.hidden_entries(table):
        return _page(request, page, entry, "mend/cover.html", {"title": _("Change this entry")})
    told = TOLD.get(entry.action["type"])
    if request.method == "POST":
        try:
            return _preview(request, page, entry, _entered(request, page, entry, told))
        except Refusal as refusal:
            return _change_page(request, page, entry, told, refusal)
    return _change_page(request, page, entry, told)


def _entered(request: HttpRequest, page: TablePage, entry: Entry, told: str | None) -> Json:
    """The action that a sent form describes; rulings of the entry stay with it."""
    form = request.POST.dict()
    if told is None:
        action = page.screen.action(form)
    elif _option(page.game, entry):
        action = {**entry.action, told: picked(form.get(NAME, ""))}
    else:
        action = {**entry.action, told: read_result(entry.action[told], form)}
    rulings = entry.action.get("rulings")
    return {**action, "rulings": rulings} if rulings else action


def _change_page(
    request: HttpRequest, page: TablePage, entry: Entry, told: str | None, error: Refusal | None = None
) -> HttpResponse:
    context: dict[str, Any] = {"title": _("Change this entry"), "error": error}
    if told is not None:
        context["fields"] = _told_fields(page.game, entry, told)
    elif entry.action["type"] != Position.type:
        form = page.form_for(entry.faction)
        context |= {"form": form, "filled": json.dumps(_filled(request, page, entry))}
    return _page(request, page, entry, "mend/change.html", context)


def _filled(request: HttpRequest, page: TablePage, entry: Entry) -> Mapping[str, str]:
    """What was typed, else what was entered, if the screen can tell."""
    if request.method == "POST":
        typed = request.POST.dict()
        return {name: text for name, text in typed.items() if name not in ("csrfmiddlewaretoken", "type")}
    return page.screen.form(entry.action) if isinstance(page.screen, Fills) else {}


def _told_fields(game: AnyGame, entry: Entry, told: str) -> list[Field]:
    option = _option(game, entry)
    if option is None:
        return fields_of(game, entry.action[told])
    words = [(json.dumps(value), wording.option_value(game, option.name, value)) for value in option.values]
    return [Field(NAME, "", "choice", json.dumps(entry.action[told]), options=words)]


def _option(game: AnyGame, entry: Entry) -> Option | None:
    """The option that an entry sets, if it is one of a few values."""
    if entry.action["type"] != SetOption.type:
        return None
    known = (option for option in game.options if option.name == entry.action["name"])
    return next((option for option in known if isinstance(option, Option)), None)


@entry_page
def leave_out(request: HttpRequest, table: Table, access: TableAccess, entry: Entry) -> HttpResponse:
    """The game as if the entry had never been made."""
    page = TablePage(table, access, at=entry.parent)
    context: dict[str, Any] = {"title": _("Leave this entry out")}
    if request.method == "POST":
        try:
            return _preview(request, page, entry, None)
        except Refusal as refusal:
            context["error"] = refusal
    return _page(request, page, entry, "mend/leave_out.html", context)


@entry_page
def rule(request: HttpRequest, table: Table, access: TableAccess, entry: Entry) -> HttpResponse:
    """Another result than the rules found: a form of the result's own shape."""
    page = TablePage(table, access, at=entry.parent)
    step = _step(entry, request.GET.get("key", ""))
    context: dict[str, Any] = {"title": _("Rule differently")}
    if request.method == "POST":
        try:
            return _preview(request, page, entry, _ruled(request, entry, step))
        except Refusal as refusal:
            context["error"] = refusal
    context |= {"step": shown_step(page.game, step), "fields": fields_of(page.game, step.result)}
    return _page(request, page, entry, "mend/rule.html", context)


def _step(entry: Entry, key: str) -> Step:
    step = next((step for step in mending.overrulable(entry) if step.key == key), None)
    if step is None:
        raise Refusal("unknown", _("There is nothing to rule on here."))
    return step


def _ruled(request: HttpRequest, entry: Entry, step: Step) -> Json:
    key = step.key or ""
    if request.POST.get("do") == "rules":
        return mending.unruled(entry, key)
    return mending.ruled(entry, key, read_result(step.result, request.POST.dict()), _reason(request))


def _reason(request: HttpRequest) -> str:
    """Own words count before what was picked. Raises ``Refusal``."""
    words = request.POST.get("words", "").strip()
    return mending.clean_reason(words or request.POST.get("reason", ""))


def _page(
    request: HttpRequest, page: TablePage, entry: Entry, template: str, context: Mapping[str, Any]
) -> HttpResponse:
    codes = REASONS if entry.action["type"] != Correct.type else mending.MEND_REASONS
    picked_reason = request.POST.get("reason") or ("house-rule" if "step" in context else codes[-1])
    shared = {
        "page": page,
        "table": page.table,
        "game": page.game,
        "entry": entry,
        "was": page.steps_of(entry),
        "journal": _journal(page.table, entry),
        "reasons": [(code, wording.reason(code), code == picked_reason) for code in codes],
        "words": request.POST.get("words", "")[: mending.LONGEST_REASON],
        "longest": mending.LONGEST_REASON,
    }
    error = context.get("error")
    response = render(request, template, {**shared, **context}, status=error.status if error else 200)
    response["Cache-Control"] = "no-store" if page.shown_to else "no-cache"
    return response


def _journal(table: Table, entry: Entry) -> str:
    return f"{reverse('table', args=[table.code])}?tab=journal#entry-{entry.number}"


# What follows


@dataclass(frozen=True, slots=True)
class Wish:
    """What an entry should have been (None: none), and why."""

    action: Json
    reason: str


def _preview(request: HttpRequest, page: TablePage, entry: Entry, action: Json) -> HttpResponse:
    """What would change, to be agreed to. Raises ``Refusal``."""
    reason = _reason(request)
    plan = mending.plan(
        table=page.table, number=entry.number, action=action, faction=entry.faction, access=page.access
    )
    return _preview_page(request, page, plan, Wish(action, reason))


def _preview_page(
    request: HttpRequest,
    page: TablePage,
    plan: mending.Plan,
    wish: Wish,
    error: Refusal | None = None,
) -> HttpResponse:
    game = page.game
    changed = plan.changed.outcome.steps if plan.changed else ()
    was, becomes = page.steps_of(plan.entry), [shown_step(game, step) for step in changed]
    context = {
        "title": _("What would change"),
        "plan": plan,
        "page": page,
        "table": page.table,
        "game": game,
        "entry": plan.entry,
        "was": _other_than(becomes, was),
        **({} if plan.withheld else _following(page, plan, _other_than(was, becomes))),
        "reason": wish.reason,
        "reason_text": wording.reason(wish.reason),
        "action": json.dumps(wish.action),
        "version": plan.version,
        "key": uuid.uuid4().hex,
        "journal": _journal(page.table, plan.entry),
        "error": error,
    }
    return render(request, "mend/preview.html", context, status=error.status if error else 200)


def _following(page: TablePage, plan: mending.Plan, becomes: Sequence[Any]) -> dict[str, Any]:
    """What the entry would lead to, and what would become of the rest."""
    return {
        "becomes": becomes,
        "broken": [(one, page.title(one.entry)) for one in plan.broken],
        "standings": _standings(page, plan),
        "lies": _lies(page.game, plan),
        "then": _then(page, plan),
    }


def _other_than(others: Sequence[Any], steps: Sequence[Any]) -> Sequence[Any]:
    """The steps that differ; the first of all if none does."""
    return [step for step in steps if step not in others] or steps[:1]


def _standings(page: TablePage, plan: mending.Plan) -> list[dict[str, Any]]:
    """Everybody's points before and after."""
    before = {one.faction: one.points for one in page.game.standings(plan.before)}
    after = {one.faction: one.points for one in page.game.standings(plan.after)}
    return [
        {
            "player": page.players[faction],
            "before": wording.number(before[faction]),
            "after": wording.number(after[faction]),
            "changed": before[faction] != after[faction],
        }
        for faction in sorted(after, key=lambda faction: -after[faction])
        if faction in page.players and faction in before
    ]


def _lies(game: AnyGame, plan: mending.Plan) -> list[dict[str, Any]]:
    """What lies otherwise on the table afterwards: hands bring it there."""
    before = {(h.place, h.owner, h.piece): h.count for h in plan.before.ledger.holdings()}
    after = {(h.place, h.owner, h.piece): h.count for h in plan.after.ledger.holdings()}
    return [
        {
            "owner": owner,
            "owner_name": wording.name(game, "faction", owner),
            "what": wording.name(game, "piece", piece),
            "where": wording.name(game, "place", place),
            "before": before.get((place, owner, piece), 0),
            "after": after.get((place, owner, piece), 0),
        }
        for place, owner, piece in sorted({**before, **after})
        if before.get((place, owner, piece), 0) != after.get((place, owner, piece), 0)
    ]


def _then(page: TablePage, plan: mending.Plan) -> dict[str, Any]:
    """Where the game would stand."""
    game, after = page.game, plan.after
    result = game.result(after)
    factions = result.winners if result else game.waiting_for(after)
    return {
        "over": result is not None,
        "round": after.round,
        "phase": wording.name(game, "phase", game.phase(after)),
        "players": [page.players[faction] for faction in factions if faction in page.players],
    }


@require_POST
def agree(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Do what the preview showed; if the table moved on meanwhile, show what would change now."""
    try:
        table = table_of(request, code)
        wish = Wish(_sent_action(request), request.POST.get("reason", ""))
        return _agree(request, table, number, wish)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)


def _agree(request: HttpRequest, table: Table, number: int, wish: Wish) -> HttpResponse:
    access = access_of(request, table)
    try:
        mended = mending.mend(
            table=table,
            access=access,
            number=number,
            action=wish.action,
            faction=None,
            reason=wish.reason,
            version=_sent_version(request),
            key=request.POST.get("key") or None,
        )
    except Refusal as refusal:
        if refusal.code != "gone":
            raise
        plan = mending.plan(table=table, number=number, action=wish.action, access=access)
        return _preview_page(request, TablePage(table, access), plan, wish, refusal)
    address = reverse("table", args=[table.code])
    return redirect(f"{address}?tab=journal#entry-{mended.number}")


def _sent_action(request: HttpRequest) -> Json:
    text = request.POST.get("action", "")
    try:
        return json.loads(text) if len(text) <= LONGEST_ACTION else {}
    except (ValueError, RecursionError):
        raise Refusal("bad-input", _("This cannot be read.")) from None


def _sent_version(request: HttpRequest) -> int:
    """0, which no table has, if there is none."""
    text = request.POST.get("version", "")
    return int(text) if _VERSION.fullmatch(text) else 0

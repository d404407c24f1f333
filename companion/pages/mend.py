"""Mend an earlier entry: enter the replacement, preview the consequences, confirm or cancel.

Three forms lead to the same preview: change an entry, leave it out, or overrule one of its results.
Nothing is stored until the preview is confirmed.
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
from companion.journal.submit import refuse_unless_playable
from companion.models import Entry, Table
from companion.pages.ruling_forms import NAME, Field, fields_of, picked, read_result
from companion.pages.table.page import TablePage
from companion.web.entries import shown_step, shown_steps
from companion.web.messages import message_page
from companion.web.phone import access_of, is_scribe, table_of
from games.core.actions import Correct, Position, SetFigure, SetOption
from games.core.codec import Json
from games.core.game import AnyGame
from games.core.options import Option
from games.core.rulings import REASONS
from games.core.steps import Step

# The editable field of each action that is not a move of the game.
EDITABLE_FIELDS = {Correct.type: "count", SetOption.type: "value", SetFigure.type: "value"}
LONGEST_ACTION = 50_000

_VERSION = re.compile(r"\d{1,9}", re.ASCII)

EntryPage = Callable[[HttpRequest, Table, TableAccess, Entry], HttpResponse]


def entry_page(show: EntryPage) -> Callable[..., HttpResponse]:
    """Decorate a view of one entry that is not undone, for seated players and the host of a running game."""

    def view(request: HttpRequest, code: str, number: int) -> HttpResponse:
        try:
            table = table_of(request, code)
            access = access_of(request, table)
            refuse_stranger(access)
            refuse_unless_playable(table)
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


# The replacement


@entry_page
def change(request: HttpRequest, table: Table, access: TableAccess, entry: Entry) -> HttpResponse:
    """Show the form of the entry in the state in which it was made; on POST, preview the change."""
    secrets.refuse_to_change(table, access.seats, entry)
    shown_to, scribe = request.GET.get("open"), is_scribe(request, table)
    page = TablePage(table, access, scribe=scribe, at=entry.parent, shown_to=shown_to)
    if page.viewer.is_shared and shown_to != entry.faction and entry.number in secrets.hidden_entries(table):
        return _page(request, page, entry, "mend/cover.html", {"title": _("Change this entry")})
    field = EDITABLE_FIELDS.get(entry.action["type"])
    if request.method == "POST":
        try:
            return _preview(request, page, entry, _entered_action(request, page, entry, field))
        except Refusal as refusal:
            return _change_page(request, page, entry, field, refusal)
    return _change_page(request, page, entry, field)


def _entered_action(request: HttpRequest, page: TablePage, entry: Entry, field: str | None) -> Json:
    """Return the action described by the form, with the rulings of the entry."""
    form = request.POST.dict()
    if field is None:
        action = page.screen.parse(form)
    elif _option(page.game, entry):
        action = {**entry.action, field: picked(form.get(NAME, ""))}
    else:
        action = {**entry.action, field: read_result(entry.action[field], form)}
    rulings = entry.action.get("rulings")
    return {**action, "rulings": rulings} if rulings else action


def _change_page(
    request: HttpRequest, page: TablePage, entry: Entry, field: str | None, error: Refusal | None = None
) -> HttpResponse:
    context: dict[str, Any] = {"title": _("Change this entry"), "error": error}
    if field is not None:
        context["fields"] = _fields(page.game, entry, field)
    elif entry.action["type"] != Position.type:
        form = page.forms.form_for(entry.faction)
        context |= {"form": form, "filled": json.dumps(_filled(request, page, entry))}
    return _page(request, page, entry, "mend/change.html", context)


def _filled(request: HttpRequest, page: TablePage, entry: Entry) -> Mapping[str, str]:
    """Return the form values: as submitted, else from the entry."""
    if request.method == "POST":
        typed = request.POST.dict()
        return {name: text for name, text in typed.items() if name not in ("csrfmiddlewaretoken", "type")}
    return page.screen.fill(entry.action)


def _fields(game: AnyGame, entry: Entry, field: str) -> list[Field]:
    option = _option(game, entry)
    if option is None:
        return fields_of(game, entry.action[field])
    words = [(json.dumps(value), wording.option_value(game, option.name, value)) for value in option.values]
    return [Field(NAME, "", "choice", json.dumps(entry.action[field]), options=words)]


def _option(game: AnyGame, entry: Entry) -> Option | None:
    """Return the option that an entry sets, if it has a fixed list of values."""
    if entry.action["type"] != SetOption.type:
        return None
    matches = (option for option in game.options if option.name == entry.action["name"])
    return next((option for option in matches if isinstance(option, Option)), None)


@entry_page
def leave_out(request: HttpRequest, table: Table, access: TableAccess, entry: Entry) -> HttpResponse:
    """Ask for a reason to leave the entry out; on POST, preview the game without it."""
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
    """Show a form for another result of one step; on POST, preview the ruling."""
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
        return mending.without_ruling(entry, key)
    return mending.with_ruling(entry, key, read_result(step.result, request.POST.dict()), _reason(request))


def _reason(request: HttpRequest) -> str:
    """Return the reason; free text takes precedence over the choice. Raise `Refusal` if it is invalid."""
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
        "was": shown_steps(page.game, entry),
        "journal": _journal(page.table, entry),
        "reasons": [(code, wording.reason(code), code == picked_reason) for code in codes],
        "words": request.POST.get("words", "")[: mending.LONGEST_REASON],
        "longest": mending.LONGEST_REASON,
    }
    error = context.get("error")
    response = render(request, template, {**shared, **context}, status=error.status if error else 200)
    response["Cache-Control"] = "no-store" if page.viewer.shown_to else "no-cache"
    return response


def _journal(table: Table, entry: Entry) -> str:
    return f"{reverse('table', args=[table.code])}?tab=journal#entry-{entry.number}"


# The preview


@dataclass(frozen=True, slots=True)
class Replacement:
    """The action that replaces an entry's (None to leave the entry out), and the reason."""

    action: Json
    reason: str


def _preview(request: HttpRequest, page: TablePage, entry: Entry, action: Json) -> HttpResponse:
    """Show what the replacement would change. Raise `Refusal` if it is not possible."""
    reason = _reason(request)
    plan = mending.plan(
        table=page.table, number=entry.number, action=action, faction=entry.faction, access=page.access
    )
    return _preview_page(request, page, plan, Replacement(action, reason))


def _preview_page(
    request: HttpRequest,
    page: TablePage,
    plan: mending.Plan,
    replacement: Replacement,
    error: Refusal | None = None,
) -> HttpResponse:
    game = page.game
    changed = plan.changed.outcome.steps if plan.changed else ()
    was, becomes = shown_steps(game, plan.entry), [shown_step(game, step) for step in changed]
    context = {
        "title": _("What would change"),
        "plan": plan,
        "page": page,
        "table": page.table,
        "game": game,
        "entry": plan.entry,
        "was": _differing(becomes, was),
        **({} if plan.withheld else _following(page, plan, _differing(was, becomes))),
        "reason": replacement.reason,
        "reason_text": wording.reason(replacement.reason),
        "action": json.dumps(replacement.action),
        "version": plan.version,
        "key": uuid.uuid4().hex,
        "journal": _journal(page.table, plan.entry),
        "error": error,
    }
    return render(request, "mend/preview.html", context, status=error.status if error else 200)


def _following(page: TablePage, plan: mending.Plan, becomes: Sequence[Any]) -> dict[str, Any]:
    """Return the consequences: new steps, invalid later entries, standings, pieces and next prompt."""
    return {
        "becomes": becomes,
        "broken": [(broken, page.texts.title(broken.entry)) for broken in plan.broken],
        "standings": _standings(page, plan),
        "lies": _moved_pieces(page.game, plan),
        "then": _outlook(page, plan),
    }


def _differing(others: Sequence[Any], steps: Sequence[Any]) -> Sequence[Any]:
    """Return the steps that are not among the others; the first step if all are."""
    return [step for step in steps if step not in others] or steps[:1]


def _standings(page: TablePage, plan: mending.Plan) -> list[dict[str, Any]]:
    """Return each player's points before and after."""
    before = {standing.faction: standing.points for standing in page.game.standings(plan.before)}
    after = {standing.faction: standing.points for standing in page.game.standings(plan.after)}
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


def _moved_pieces(game: AnyGame, plan: mending.Plan) -> list[dict[str, Any]]:
    """Return the pieces whose counts change, to be moved by hand on the real table."""
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


def _outlook(page: TablePage, plan: mending.Plan) -> dict[str, Any]:
    """Return round, phase and the players to act next, or the winners."""
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
    """Apply the confirmed preview; if the table has changed since, show a new preview."""
    try:
        table = table_of(request, code)
        replacement = Replacement(_sent_action(request), request.POST.get("reason", ""))
        return _agree(request, table, number, replacement)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)


def _agree(request: HttpRequest, table: Table, number: int, replacement: Replacement) -> HttpResponse:
    access = access_of(request, table)
    try:
        mended = mending.mend(
            table=table,
            access=access,
            number=number,
            action=replacement.action,
            faction=None,
            reason=replacement.reason,
            version=_sent_version(request),
            key=request.POST.get("key") or None,
        )
    except Refusal as refusal:
        if refusal.code != "gone":
            raise
        plan = mending.plan(table=table, number=number, action=replacement.action, access=access)
        return _preview_page(request, TablePage(table, access), plan, replacement, refusal)
    address = reverse("table", args=[table.code])
    return redirect(f"{address}?tab=journal#entry-{mended.number}")


def _sent_action(request: HttpRequest) -> Json:
    text = request.POST.get("action", "")
    try:
        return json.loads(text) if len(text) <= LONGEST_ACTION else {}
    except (ValueError, RecursionError):
        raise Refusal("bad-input", _("This cannot be read.")) from None


def _sent_version(request: HttpRequest) -> int:
    """Return the version that the preview was made for; 0, which no table has, if it is missing."""
    text = request.POST.get("version", "")
    return int(text) if _VERSION.fullmatch(text) else 0

"""Compare the app with the real table: a walk from stop to stop on which people enter deviating counts.

The counts are kept in the session and submitted all at once, because a piece that is missing at one stop is
often found at the next one, which makes a single correction. The page works without JavaScript.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from companion import wording
from companion.access.table_access import TableAccess
from companion.errors import Refusal
from companion.journal import comparison, secrets
from companion.journal.causes import Cause, Difference, Finding, Kind, findings
from companion.journal.states import game_of
from companion.journal.submit import refuse_unless_playable
from companion.journal.versions import refresh
from companion.models import Entry, Table
from companion.pages.table.page import TablePage
from companion.titles import screen_of
from companion.titles.walks import Counting, Line, Spot, Stop, split_key
from companion.web.messages import message_page
from companion.web.phone import access_of, table_of

END, DONE = "end", "done"  # pages after the last stop: the findings, and the corrections made
MOST = 999  # pieces per count
LONGEST_TITLE = 70  # characters of the title of an entry named as a cause
MOST_NAMED = 10  # empty places listed by name


@require_http_methods(["GET", "POST"])
def compare(request: HttpRequest, code: str) -> HttpResponse:
    """Show the walk, or process a form sent from it. Seated players and the host only."""
    try:
        table = table_of(request, code)
        access = access_of(request, table)
        counting = _counting(table, access)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    draft = _load_draft(request, table, counting)
    if request.method != "POST":
        return _page(request, Compared(table, access, counting, draft), request.GET.get("stop", ""))
    return _submitted(request, Compared(table, access, counting, draft))


def _submitted(request: HttpRequest, compared: Compared) -> HttpResponse:
    """Process a form; show or redirect to the resulting page, or show the error."""
    table, draft, error = compared.table, compared.draft, None
    try:
        at = _process(request, compared)
    except Refusal as refusal:
        at, error = request.GET.get("stop", ""), refusal
    _store(request, table, draft)
    if request.POST.get("do") == "weigh":
        return _findings_fragment(request, compared, at, error)
    if not error and not request.htmx:  # type: ignore[attr-defined]
        return redirect(_address(table, at))
    refresh(table)
    newest = Compared(table, compared.access, _counting(table, compared.access), draft)
    response = _page(request, newest, at, error)
    response["HX-Push-Url"] = _address(table, at)
    return response


def _counting(table: Table, access: TableAccess) -> Counting:
    """Return the public counts of a table. Raise `Refusal` for spectators, ended games and score pads."""
    if not access.is_seated and not access.is_host:
        sentence = _("Comparing is for those who sit at this table, and for the host. Take a seat first.")
        raise Refusal("no-token", sentence)
    refuse_unless_playable(table)
    screen = screen_of(table)
    if screen.walk is None:
        raise Refusal("illegal", _("A score pad does not know what lies on the board."))
    state = secrets.public(table, table.head)
    return Counting(game_of(table), state, screen.walk(state))


def _address(table: Table, stop: str = "") -> str:
    address = reverse("compare", args=[table.code])
    return f"{address}?{urlencode({'stop': stop})}" if stop else address


# Counts in the session


@dataclass
class CountDraft:
    """The stops seen so far, and the counts that deviate from the app's."""

    seen: list[str] = field(default_factory=list)
    # by key of the line: the app's count at that time, and the count on the real table
    counts: dict[str, tuple[int, int]] = field(default_factory=dict)

    def set(self, key: str, expected: int, counted: int) -> None:
        if expected == counted:
            self.counts.pop(key, None)
        else:
            self.counts[key] = (expected, counted)

    def mark_seen(self, slug: str) -> None:
        if slug not in self.seen:
            self.seen.append(slug)


def _session_key(table: Table) -> str:
    return f"compare-{table.code}"


def _load_draft(request: HttpRequest, table: Table, counting: Counting) -> CountDraft:
    """Load the counts from the session, without stops and lines that do not exist in the current state."""
    stored = request.session.get(_session_key(table)) or {}
    draft = CountDraft()
    slugs = {stop.slug for stop in counting.walk.stops}
    draft.seen = [slug for slug in stored.get("seen", []) if slug in slugs]
    known = counting.all_lines(stored.get("counts", {}))
    draft.counts = {
        key: (expected, counted)
        for key, (expected, counted) in stored.get("counts", {}).items()
        if key in known
    }
    return draft


def _store(request: HttpRequest, table: Table, draft: CountDraft) -> None:
    if draft.seen or draft.counts:
        request.session[_session_key(table)] = {"seen": draft.seen, "counts": draft.counts}
    else:
        request.session.pop(_session_key(table), None)


@dataclass
class Compared:
    """A table with the app's counts and those entered on the walk."""

    table: Table
    access: TableAccess
    counting: Counting
    draft: CountDraft

    @property
    def stops(self) -> Sequence[Stop]:
        return self.counting.walk.stops

    @cached_property
    def lines(self) -> dict[str, Line]:
        return self.counting.all_lines(self.draft.counts)

    @cached_property
    def differing(self) -> dict[str, Line]:
        """The lines whose entered count deviates from the app's current count."""
        lines = self.lines
        return {key: lines[key] for key, (_expected, n) in self.draft.counts.items() if n != lines[key].count}

    @cached_property
    def outdated(self) -> dict[str, Line]:
        """The deviating lines whose count in the app has changed since the count was entered."""
        return {key: line for key, line in self.differing.items() if self.draft.counts[key][0] != line.count}

    @cached_property
    def findings(self) -> list[Finding]:
        """The differences, matched to shifts and with likely causes."""
        differences = [
            Difference(
                line.owner, line.piece, line.spot.place, line.count, self.draft.counts[key][1], line.spot.also
            )
            for key, line in self.differing.items()
        ]
        return (
            findings(differences, comparison.entry_moves_of(self.table), self.counting.distance)
            if differences
            else []
        )

    def against(self) -> dict[str, str]:
        """Return the place that a correction is booked against, by owner and piece."""
        return {
            owner + piece: spot.against
            for stop in self.stops
            for spot in stop.spots
            for owner, piece in spot.offered
            if spot.against
        }

    def next_after(self, slug: str) -> str:
        """Return the next unseen stop, wrapping around; `END` if all are seen."""
        slugs = [stop.slug for stop in self.stops]
        at = slugs.index(slug) + 1 if slug in slugs else 0
        return next((other for other in (*slugs[at:], *slugs[:at]) if other not in self.draft.seen), END)


# Processing forms


def _process(request: HttpRequest, compared: Compared) -> str:
    """Process the tapped button and return the stop to show next. Raise `Refusal` if it is invalid."""
    draft, form = compared.draft, request.POST
    match form.get("do"):
        case "again":
            draft.seen, draft.counts = [], {}
            return compared.stops[0].slug
        case "enter":
            return _enter(request, compared)
    stop = compared.counting.stop(request.GET.get("stop", ""))
    if stop is None:
        raise Refusal("bad-input", _("There is no such stop on this walk."))
    match form.get("do"):
        case "right":
            for line in compared.counting.lines(stop, draft.counts):
                draft.counts.pop(line.key, None)
            draft.mark_seen(stop.slug)
            return compared.next_after(stop.slug)
        case "add":
            _record_counts(compared, stop, form.dict())
            _add(compared, stop, form.get("where", ""), form.get("what", ""))
            return stop.slug
        case "weigh":
            _record_counts(compared, stop, form.dict())
            return stop.slug
        case "next":
            if _record_counts(compared, stop, form.dict()):
                raise Refusal(
                    "gone", _("Something was entered meanwhile. These counts are new; please look again.")
                )
            draft.mark_seen(stop.slug)
            return compared.next_after(stop.slug)
    raise Refusal("bad-input", _("There is no such button."))


def _record_counts(compared: Compared, stop: Stop, form: Mapping[str, str]) -> bool:
    """Store the counts of a stop's form; return True if the app's counts changed since it was rendered."""
    lines = {line.key: line for line in compared.counting.lines(stop, compared.draft.counts)}
    sent = {name.removeprefix("n."): _number(text) for name, text in form.items() if name.startswith("n.")}
    shown = {key: _number(form.get(f"was.{key}", "0")) for key in sent}
    has_changed = False
    for key, counted in sent.items():
        if key not in lines and not _is_addable(compared, stop, key):
            raise Refusal("bad-input", _("There is no such piece."))
        count = lines[key].count if key in lines else 0
        has_changed = has_changed or shown[key] != count
        # A field left as rendered follows the app's current count.
        compared.draft.set(key, count, count if counted == shown[key] else counted)
    return has_changed


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST))):
        raise Refusal("bad-input", _("Please enter whole numbers from 0 to %(most)d.") % {"most": MOST})
    return int(text)


def _is_addable(compared: Compared, stop: Stop, key: str) -> bool:
    owner, piece, place = split_key(key)
    spots = [spot for spot in stop.spots if spot.place == place]
    return any((owner, piece) in compared.counting.addable(spot) for spot in spots)


def _add(compared: Compared, stop: Stop, place: str, kind: str) -> None:
    """Add one piece that the app does not have at a place."""
    key = f"{kind} {place}"
    if not _is_addable(compared, stop, key):
        raise Refusal("bad-input", _("Choose a place and a piece."))
    lines = {line.key: line for line in compared.counting.lines(stop, compared.draft.counts)}
    count = lines[key].count if key in lines else 0
    _expected, counted = compared.draft.counts.get(key, (count, count))
    compared.draft.set(key, count, counted + 1)


def _enter(request: HttpRequest, compared: Compared) -> str:
    """Submit the findings as corrections and end the walk."""
    table, access, draft = compared.table, compared.access, compared.draft
    if not draft.seen and not draft.counts:
        raise Refusal("nothing", _("Nothing was compared yet."))
    if compared.outdated:
        raise Refusal("gone", _("Something was entered meanwhile. Please look at what has changed."))
    numbers = comparison.enter(
        table=table,
        access=access,
        faction=access.factions[0] if access.is_seated else table.order[0],
        findings=compared.findings,
        against=compared.against(),
        places=len(draft.seen),
        key=request.POST.get("key") or uuid.uuid4().hex,
    )
    request.session[f"compared-{table.code}"] = {
        "numbers": numbers,
        "seen": len(draft.seen),
        "stops": len(compared.stops),
    }
    draft.seen, draft.counts = [], {}
    return DONE


# The page


def _page(request: HttpRequest, compared: Compared, at: str, error: Refusal | None = None) -> HttpResponse:
    table = compared.table
    page = TablePage(table, compared.access)
    stop = compared.counting.stop(at)
    if stop is None and at not in (END, DONE):
        at = compared.next_after("")
        stop = compared.counting.stop(at)
    context = {
        "page": page,
        "table": table,
        "game": page.game,
        "screen": screen_of(table),
        "url": reverse("compare", args=[table.code]),
        "here": _address(table, at),
        "error": error,
        "at": at,
        "stops": [_stop_row(compared, other) for other in compared.stops],
        "seen": len(compared.draft.seen),
        "progress": len(compared.stops) if at == DONE else len(compared.draft.seen),
        "key": uuid.uuid4().hex,
    }
    if stop:
        context |= _stop(page, compared, stop)
    elif at == END:
        context |= _end(page, compared)
    else:
        context |= _done(request, page)
    template = "compare/walk.html" if request.htmx else "compare/compare.html"  # type: ignore[attr-defined]
    response = render(request, template, context, status=error.status if error else 200)
    response["Cache-Control"] = "no-store"
    return response


def _stop_row(compared: Compared, stop: Stop) -> dict[str, Any]:
    here = {line.key for line in compared.counting.lines(stop, compared.draft.counts)}
    return {
        "slug": stop.slug,
        "title": stop.title,
        "owner": stop.owner,
        "seen": stop.slug in compared.draft.seen,
        "differs": bool(here & compared.differing.keys()),
        "outdated": bool(here & compared.outdated.keys()),
    }


def _stop(page: TablePage, compared: Compared, stop: Stop) -> dict[str, Any]:
    slugs = [other.slug for other in compared.stops]
    at = slugs.index(stop.slug)
    counted = compared.counting.counted(stop, compared.draft.counts)
    return {
        "stop": stop,
        "number": at + 1,
        "before": slugs[at - 1] if at else None,
        "after": slugs[at + 1] if at + 1 < len(slugs) else END,
        "spots": [
            (row.spot, [_line_row(compared, row.spot, line) for line in row.lines])
            for row in counted
            if row.lines
        ],
        "empty": [row.spot.title for row in counted if not row.lines],
        "is_bare": sum(not row.lines for row in counted) > MOST_NAMED,
        "others": _others(compared, stop),
        "found": _findings_here(page, compared, stop),
    }


def _line_row(compared: Compared, spot: Spot, line: Line) -> dict[str, Any]:
    expected, counted = compared.draft.counts.get(line.key, (line.count, line.count))
    is_outdated = line.key in compared.draft.counts and expected != line.count
    return {
        "key": line.key,
        "name": line.name,
        "kind": line.kind,
        "token": line.token,
        "label": f"{spot.title}, {line.name} {line.kind}".strip(),
        "count": line.count,
        "found": counted,
        "differs": counted != line.count,
        "meanwhile": expected if is_outdated else None,
    }


def _others(compared: Compared, stop: Stop) -> dict[str, Any]:
    """Return the places and kinds of pieces that can be added at a stop."""
    counting, game = compared.counting, compared.counting.game
    spots = [spot for spot in stop.spots if spot.allowed]
    kinds = dict.fromkeys(kind for spot in spots for kind in counting.addable(spot))
    common = counting.walk.common
    pieces = [
        (
            f"{owner} {piece}",
            wording.capital(wording.name(game, "piece", piece))
            if piece in common
            else f"{wording.name(game, 'faction', owner)}: {wording.name(game, 'piece', piece)}",
        )
        for owner, piece in kinds
    ]
    return {"where": [(spot.place, spot.title) for spot in spots], "what": pieces}


def _findings_here(page: TablePage, compared: Compared, stop: Stop) -> list[dict[str, Any]]:
    """Return the findings of a stop, including shifts from or to another stop."""
    keys = {line.key for line in compared.counting.lines(stop, compared.draft.counts)}
    if keys.isdisjoint(compared.differing):
        return []
    places = {place for spot in stop.spots for place in (spot.place, *spot.also)}
    return [
        _finding_row(page, compared, finding)
        for finding in compared.findings
        if any(
            side and side.place in places and f"{side.owner} {side.piece} {side.place}" in keys
            for side in (finding.missing, finding.extra)
        )
    ]


def _findings_fragment(
    request: HttpRequest, compared: Compared, at: str, error: Refusal | None
) -> HttpResponse:
    """Render the findings of a stop for the counts as they are typed."""
    stop = compared.counting.stop(at)
    page = TablePage(compared.table, compared.access)
    typed = Compared(compared.table, compared.access, compared.counting, compared.draft)
    rows = _findings_here(page, typed, stop) if stop and not error else []
    return render(request, "compare/found.html", {"found": rows, "table": compared.table, "error": error})


def _end(page: TablePage, compared: Compared) -> dict[str, Any]:
    game, against = page.game, compared.against()
    stuck = [finding for finding in compared.findings if comparison.is_stuck(game, finding, against)]
    return {
        "found": [
            _finding_row(page, compared, finding) for finding in compared.findings if finding not in stuck
        ],
        "stuck": [_finding_row(page, compared, finding) for finding in stuck],
        "unseen": len(compared.stops) - len(compared.draft.seen),
        "next": compared.next_after(""),
        "outdated": [row for stop in compared.stops if (row := _stop_row(compared, stop))["outdated"]],
    }


def _done(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    result = request.session.get(f"compared-{page.table.code}") or {}
    entries = page.table.entries.filter(number__in=result.get("numbers", []), undone=False).order_by("number")
    return {
        "done": result,
        "made": [(entry.number, page.texts.title(entry)) for entry in entries],
    }


# Sentences


def _finding_row(page: TablePage, compared: Compared, finding: Finding) -> dict[str, Any]:
    piece = wording.name(page.game, "piece", finding.piece)
    is_common = finding.piece in compared.counting.walk.common
    whose = "" if is_common else wording.name(page.game, "faction", finding.owner)
    return {
        "token": "" if is_common else finding.owner,
        "name": whose or wording.capital(piece),
        "kind": wording.capital(piece) if whose else "",
        "count": finding.count,
        "text": _sentence(page, finding),
        "was": finding.missing or finding.extra,
        "is_shift": finding.is_shift,
        **_cause_context(page, finding.cause),
    }


def _sentence(page: TablePage, finding: Finding) -> str:
    """Return a finding as a sentence."""

    def place(side: Difference) -> str:
        return _("the points") if side.also else wording.name(page.game, "place", side.place)

    missing, extra = finding.missing, finding.extra
    if missing and extra:
        template = ngettext(
            "{count} probably lies at {there}, not at {here}.",
            "{count} probably lie at {there}, not at {here}.",
            finding.count,
        )
        return template.format(count=finding.count, there=place(extra), here=place(missing))
    difference = missing or extra
    if difference is None:
        return ""
    template = _("{place}: {found}, the app has {told}.")
    return wording.capital(
        template.format(place=place(difference), found=difference.counted, told=difference.expected)
    )


CAUSES: Mapping[Kind, Any] = {
    Kind.UNTICKED: lambda: _("{entry}: “{line}”. Nobody ticked that line."),
    Kind.FORGOTTEN: lambda: _("{entry}: “{line}”. Perhaps that was not done."),
    Kind.TWICE: lambda: _("{entry}: “{line}”. Perhaps that was done twice."),
    Kind.TOUCHED: lambda: _("The newest entry that moved these: {entry}."),
    Kind.PLACE: lambda: _("The newest entry that changed anything there: {entry}."),
    Kind.WHOLE: lambda: _("{entry}: there it was said what lies on the whole table."),
}


def _cause_context(page: TablePage, cause: Cause | None) -> dict[str, Any]:
    """Return the likely cause as a sentence, with the number of its entry."""
    if cause is None:
        return {"cause": _("Nothing in the journal explains it."), "number": None}
    entry = Entry.objects.filter(table=page.table, number=cause.number).first() if cause.number else None
    title = _("Setting up")
    if entry:
        short = Truncator(page.texts.title(entry).rstrip(".")).chars(LONGEST_TITLE)
        title = _("Entry {number}, {title}").format(number=entry.number, title=short)
    line = wording.hand_line(page.game, cause.move) if cause.move else ""
    return {
        "cause": CAUSES[cause.kind]().format(entry=title, line=line),
        "number": cause.number,
        "may_change": entry is not None and page.viewer.may_change(entry),
    }

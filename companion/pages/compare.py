"""Comparing with the real table: a walk from stop to stop, where what differs is counted up and down.

What was said is kept in the phone's session until it is entered, all at once: a piece that is missing here
often lies at the next stop, and then is one correction. The page works without JavaScript.
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
from companion.journal.submit import refuse_unless_going_on
from companion.journal.versions import refresh
from companion.models import Entry, Table
from companion.pages.table_page import TablePage
from companion.titles import screen_of
from companion.titles.base import Walks
from companion.titles.walks import Counting, Line, Spot, Stop, parts_of
from companion.web.messages import message_page
from companion.web.phone import access_of, table_of

END, DONE = "end", "done"  # beside the stops: what was found, and what became of it
MOST = 999  # pieces that anybody counts
LONGEST_TITLE = 70  # of an entry that is named as a cause
MOST_NAMED = 10  # empty places that are told by name


@require_http_methods(["GET", "POST"])
def compare(request: HttpRequest, code: str) -> HttpResponse:
    """The walk, and everything that is tapped on it. For those who sit at the table, and the host."""
    try:
        table = table_of(request, code)
        access = access_of(request, table)
        counting = _counting(table, access)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    said = _said(request, table, counting)
    if request.method != "POST":
        return _page(request, Compared(table, access, counting, said), request.GET.get("stop", ""))
    return _tapped(request, Compared(table, access, counting, said))


def _tapped(request: HttpRequest, compared: Compared) -> HttpResponse:
    """Do what was tapped; show where that leads, or why not."""
    table, said, error = compared.table, compared.said, None
    try:
        at = _tap(request, compared)
    except Refusal as refusal:
        at, error = request.GET.get("stop", ""), refusal
    _keep(request, table, said)
    if request.POST.get("do") == "weigh":
        return _weighed(request, compared, at, error)
    if not error and not request.htmx:  # type: ignore[attr-defined]
        return redirect(_address(table, at))
    refresh(table)
    newest = Compared(table, compared.access, _counting(table, compared.access), said)
    response = _page(request, newest, at, error)
    response["HX-Push-Url"] = _address(table, at)
    return response


def _counting(table: Table, access: TableAccess) -> Counting:
    """What everybody may count. Raises ``Refusal`` for whom, or where, there is nothing to compare."""
    if not access.is_seated and not access.is_host:
        sentence = _("Comparing is for those who sit at this table, and for the host. Take a seat first.")
        raise Refusal("no-token", sentence)
    refuse_unless_going_on(table)
    screen = screen_of(table)
    if not isinstance(screen, Walks):
        raise Refusal("illegal", _("A score pad does not know what lies on the board."))
    state = secrets.public(table, table.head)
    return Counting(game_of(table), state, screen.walk(state))


def _address(table: Table, stop: str = "") -> str:
    address = reverse("compare", args=[table.code])
    return f"{address}?{urlencode({'stop': stop})}" if stop else address


# What was said


@dataclass
class Said:
    """What people have said so far: which stops they have seen, and which counts are others than the app's."""

    seen: list[str] = field(default_factory=list)
    # by the key of a line: what the app counted then, and what lies there
    counts: dict[str, tuple[int, int]] = field(default_factory=dict)

    def set(self, key: str, told: int, found: int) -> None:
        if told == found:
            self.counts.pop(key, None)
        else:
            self.counts[key] = (told, found)

    def saw(self, slug: str) -> None:
        if slug not in self.seen:
            self.seen.append(slug)


def _kept_as(table: Table) -> str:
    return f"compare-{table.code}"


def _said(request: HttpRequest, table: Table, counting: Counting) -> Said:
    """What the session has kept, as far as it still makes sense."""
    kept = request.session.get(_kept_as(table)) or {}
    said = Said()
    slugs = {stop.slug for stop in counting.walk.stops}
    said.seen = [slug for slug in kept.get("seen", []) if slug in slugs]
    known = counting.all_lines(kept.get("counts", {}))
    said.counts = {
        key: (told, found) for key, (told, found) in kept.get("counts", {}).items() if key in known
    }
    return said


def _keep(request: HttpRequest, table: Table, said: Said) -> None:
    if said.seen or said.counts:
        request.session[_kept_as(table)] = {"seen": said.seen, "counts": said.counts}
    else:
        request.session.pop(_kept_as(table), None)


@dataclass
class Compared:
    """The app's counts beside what was said."""

    table: Table
    access: TableAccess
    counting: Counting
    said: Said

    @property
    def stops(self) -> Sequence[Stop]:
        return self.counting.walk.stops

    @cached_property
    def lines(self) -> dict[str, Line]:
        return self.counting.all_lines(self.said.counts)

    @cached_property
    def differing(self) -> dict[str, Line]:
        """The lines about which something else was said than the app counts now."""
        lines = self.lines
        return {key: lines[key] for key, (_told, n) in self.said.counts.items() if n != lines[key].count}

    @cached_property
    def outdated(self) -> dict[str, Line]:
        """Those of them that the app counted otherwise when it was said."""
        return {key: line for key, line in self.differing.items() if self.said.counts[key][0] != line.count}

    @cached_property
    def findings(self) -> list[Finding]:
        """What differs, with causes."""
        differences = [
            Difference(
                line.owner, line.piece, line.spot.place, line.count, self.said.counts[key][1], line.spot.also
            )
            for key, line in self.differing.items()
        ]
        return (
            findings(differences, comparison.deeds_of(self.table), self.counting.near) if differences else []
        )

    def against(self) -> dict[str, str]:
        return {
            owner + piece: spot.against
            for stop in self.stops
            for spot in stop.spots
            for owner, piece in spot.offered
            if spot.against
        }

    def next_after(self, slug: str) -> str:
        """The next stop that nobody has looked at, round to the beginning; then the end."""
        slugs = [stop.slug for stop in self.stops]
        at = slugs.index(slug) + 1 if slug in slugs else 0
        return next((one for one in (*slugs[at:], *slugs[:at]) if one not in self.said.seen), END)


# What is tapped


def _tap(request: HttpRequest, compared: Compared) -> str:
    """Do what was tapped, and say where that leads. Raises ``Refusal``."""
    said, form = compared.said, request.POST
    match form.get("do"):
        case "again":
            said.seen, said.counts = [], {}
            return compared.stops[0].slug
        case "enter":
            return _enter(request, compared)
    stop = compared.counting.stop(request.GET.get("stop", ""))
    if stop is None:
        raise Refusal("bad-input", _("There is no such stop on this walk."))
    match form.get("do"):
        case "right":
            for line in compared.counting.lines(stop, said.counts):
                said.counts.pop(line.key, None)
            said.saw(stop.slug)
            return compared.next_after(stop.slug)
        case "add":
            _hear(compared, stop, form.dict())
            _add(compared, stop, form.get("where", ""), form.get("what", ""))
            return stop.slug
        case "weigh":
            _hear(compared, stop, form.dict())
            return stop.slug
        case "next":
            if _hear(compared, stop, form.dict()):
                raise Refusal(
                    "gone", _("Something was entered meanwhile. These counts are new; please look again.")
                )
            said.saw(stop.slug)
            return compared.next_after(stop.slug)
    raise Refusal("bad-input", _("There is no such button."))


def _hear(compared: Compared, stop: Stop, form: Mapping[str, str]) -> bool:
    """Take down what a stop's form says; whether the app counts otherwise by now than the form showed."""
    lines = {line.key: line for line in compared.counting.lines(stop, compared.said.counts)}
    sent = {name.removeprefix("n."): _number(text) for name, text in form.items() if name.startswith("n.")}
    shown = {key: _number(form.get(f"was.{key}", "0")) for key in sent}
    is_new = False
    for key, found in sent.items():
        if key not in lines and not _may_be(compared, stop, key):
            raise Refusal("bad-input", _("There is no such piece."))
        count = lines[key].count if key in lines else 0
        is_new = is_new or shown[key] != count
        # What nobody has touched follows the app.
        compared.said.set(key, count, count if found == shown[key] else found)
    return is_new


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MOST))):
        raise Refusal("bad-input", _("Please enter whole numbers from 0 to %(most)d.") % {"most": MOST})
    return int(text)


def _may_be(compared: Compared, stop: Stop, key: str) -> bool:
    owner, piece, place = parts_of(key)
    spots = [spot for spot in stop.spots if spot.place == place]
    return any((owner, piece) in compared.counting.addable(spot) for spot in spots)


def _add(compared: Compared, stop: Stop, where: str, what: str) -> None:
    """One piece that the app does not have there."""
    key = f"{what} {where}"
    if not _may_be(compared, stop, key):
        raise Refusal("bad-input", _("Choose a place and a piece."))
    lines = {line.key: line for line in compared.counting.lines(stop, compared.said.counts)}
    count = lines[key].count if key in lines else 0
    _told, found = compared.said.counts.get(key, (count, count))
    compared.said.set(key, count, found + 1)


def _enter(request: HttpRequest, compared: Compared) -> str:
    """What was found becomes corrections; the walk is over."""
    table, access, said = compared.table, compared.access, compared.said
    if not said.seen and not said.counts:
        raise Refusal("nothing", _("Nothing was compared yet."))
    if compared.outdated:
        raise Refusal("gone", _("Something was entered meanwhile. Please look at what has changed."))
    numbers = comparison.enter(
        table=table,
        access=access,
        faction=access.factions[0] if access.is_seated else table.order[0],
        findings=compared.findings,
        against=compared.against(),
        places=len(said.seen),
        key=request.POST.get("key") or uuid.uuid4().hex,
    )
    request.session[f"compared-{table.code}"] = {
        "numbers": numbers,
        "seen": len(said.seen),
        "stops": len(compared.stops),
    }
    said.seen, said.counts = [], {}
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
        "stops": [_told_stop(compared, one) for one in compared.stops],
        "seen": len(compared.said.seen),
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


def _told_stop(compared: Compared, stop: Stop) -> dict[str, Any]:
    here = {line.key for line in compared.counting.lines(stop, compared.said.counts)}
    return {
        "slug": stop.slug,
        "title": stop.title,
        "owner": stop.owner,
        "seen": stop.slug in compared.said.seen,
        "differs": bool(here & compared.differing.keys()),
        "outdated": bool(here & compared.outdated.keys()),
    }


def _stop(page: TablePage, compared: Compared, stop: Stop) -> dict[str, Any]:
    slugs = [one.slug for one in compared.stops]
    at = slugs.index(stop.slug)
    counted = compared.counting.counted(stop, compared.said.counts)
    return {
        "stop": stop,
        "number": at + 1,
        "before": slugs[at - 1] if at else None,
        "after": slugs[at + 1] if at + 1 < len(slugs) else END,
        "spots": [
            (one.spot, [_told_line(compared, one.spot, line) for line in one.lines])
            for one in counted
            if one.lines
        ],
        "empty": [one.spot.title for one in counted if not one.lines],
        "is_bare": sum(not one.lines for one in counted) > MOST_NAMED,
        "others": _others(compared, stop),
        "found": _found_here(page, compared, stop),
    }


def _told_line(compared: Compared, spot: Spot, line: Line) -> dict[str, Any]:
    told, found = compared.said.counts.get(line.key, (line.count, line.count))
    meanwhile = line.key in compared.said.counts and told != line.count
    return {
        "key": line.key,
        "name": line.name,
        "kind": line.kind,
        "token": line.token,
        "label": f"{spot.title}, {line.name} {line.kind}".strip(),
        "count": line.count,
        "found": found,
        "differs": found != line.count,
        "meanwhile": told if meanwhile else None,
    }


def _others(compared: Compared, stop: Stop) -> dict[str, Any]:
    """What else may lie at a stop: the places, and the pieces by what they are."""
    counting, game = compared.counting, compared.counting.game
    spots = [spot for spot in stop.spots if spot.may_lie]
    kinds = dict.fromkeys(kind for spot in spots for kind in counting.addable(spot))
    common = counting.walk.common
    what = [
        (
            f"{owner} {piece}",
            wording.capital(wording.name(game, "piece", piece))
            if piece in common
            else f"{wording.name(game, 'faction', owner)}: {wording.name(game, 'piece', piece)}",
        )
        for owner, piece in kinds
    ]
    return {"where": [(spot.place, spot.title) for spot in spots], "what": what}


def _found_here(page: TablePage, compared: Compared, stop: Stop) -> list[dict[str, Any]]:
    """What differs at a stop; with the other end of what probably lies elsewhere."""
    keys = {line.key for line in compared.counting.lines(stop, compared.said.counts)}
    if keys.isdisjoint(compared.differing):
        return []
    places = {place for spot in stop.spots for place in (spot.place, *spot.also)}
    return [
        _told_finding(page, compared, one)
        for one in compared.findings
        if any(
            side and side.place in places and f"{side.owner} {side.piece} {side.place}" in keys
            for side in (one.missing, one.extra)
        )
    ]


def _weighed(request: HttpRequest, compared: Compared, at: str, error: Refusal | None) -> HttpResponse:
    """What the journal says about a stop as it is typed now."""
    stop = compared.counting.stop(at)
    page = TablePage(compared.table, compared.access)
    typed = Compared(compared.table, compared.access, compared.counting, compared.said)
    found = _found_here(page, typed, stop) if stop and not error else []
    return render(request, "compare/found.html", {"found": found, "table": compared.table, "error": error})


def _end(page: TablePage, compared: Compared) -> dict[str, Any]:
    found = compared.findings
    game, against = page.game, compared.against()
    stuck = [one for one in found if comparison.is_stuck(game, one, against)]
    return {
        "found": [_told_finding(page, compared, one) for one in found if one not in stuck],
        "stuck": [_told_finding(page, compared, one) for one in stuck],
        "unseen": len(compared.stops) - len(compared.said.seen),
        "next": compared.next_after(""),
        "outdated": [one for stop in compared.stops if (one := _told_stop(compared, stop))["outdated"]],
    }


def _done(request: HttpRequest, page: TablePage) -> dict[str, Any]:
    kept = request.session.get(f"compared-{page.table.code}") or {}
    entries = page.table.entries.filter(number__in=kept.get("numbers", []), undone=False).order_by("number")
    return {
        "done": kept,
        "made": [(entry.number, page.title(entry)) for entry in entries],
    }


# In words


def _told_finding(page: TablePage, compared: Compared, finding: Finding) -> dict[str, Any]:
    piece = wording.name(page.game, "piece", finding.piece)
    is_common = finding.piece in compared.counting.walk.common
    whose = "" if is_common else page.faction_name(finding.owner)
    return {
        "token": "" if is_common else finding.owner,
        "name": whose or wording.capital(piece),
        "kind": wording.capital(piece) if whose else "",
        "count": finding.count,
        "text": _sentence(page, finding),
        "was": finding.missing or finding.extra,
        "is_shift": finding.is_shift,
        **_told_cause(page, finding.cause),
    }


def _sentence(page: TablePage, finding: Finding) -> str:
    """What lies otherwise than the app has it."""

    def place(side: Difference) -> str:
        return _("the points") if side.also else wording.name(page.game, "place", side.place)

    missing, extra = finding.missing, finding.extra
    if missing and extra:
        told = ngettext(
            "{count} probably lies at {there}, not at {here}.",
            "{count} probably lie at {there}, not at {here}.",
            finding.count,
        )
        return told.format(count=finding.count, there=place(extra), here=place(missing))
    one = missing or extra
    if one is None:
        return ""
    told = _("{place}: {found}, the app has {told}.")
    return wording.capital(told.format(place=place(one), found=one.found, told=one.told))


CAUSES: Mapping[Kind, Any] = {
    Kind.UNTICKED: lambda: _("{entry}: “{line}”. Nobody ticked that line."),
    Kind.FORGOTTEN: lambda: _("{entry}: “{line}”. Perhaps that was not done."),
    Kind.TWICE: lambda: _("{entry}: “{line}”. Perhaps that was done twice."),
    Kind.TOUCHED: lambda: _("The newest entry that moved these: {entry}."),
    Kind.PLACE: lambda: _("The newest entry that changed anything there: {entry}."),
    Kind.WHOLE: lambda: _("{entry}: there it was said what lies on the whole table."),
}


def _told_cause(page: TablePage, cause: Cause | None) -> dict[str, Any]:
    """The likely cause as a sentence, and the entry that it leads to."""
    if cause is None:
        return {"cause": _("Nothing in the journal explains it."), "number": None}
    entry = Entry.objects.filter(table=page.table, number=cause.number).first() if cause.number else None
    told = _("Setting up")
    if entry:
        title = Truncator(page.title(entry).rstrip(".")).chars(LONGEST_TITLE)
        told = _("Entry {number}, {title}").format(number=entry.number, title=title)
    line = wording.hand_line(page.game, cause.move) if cause.move else ""
    return {
        "cause": CAUSES[cause.kind]().format(entry=told, line=line),
        "number": cause.number,
        "may_change": entry is not None and entry.number not in page.hidden,
    }

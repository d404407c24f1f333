"""The report as a standalone file, and the summary picture of a game."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from companion.access.table_access import TableAccess, find_rate_limited
from companion.charts.course import courses, times_of
from companion.errors import Refusal
from companion.models import Status
from companion.pages.table.page import TablePage
from companion.report.standalone import file_name, scripts, styles
from companion.report.summary import summary_of, tokens
from companion.report.views import ranking_of, report_context
from companion.web.messages import message_page
from companion.web.phone import address_of
from companion.wording import duration


def _table_page(request: HttpRequest, code: str) -> TablePage:
    """Return the public page of a started game. Raise ``Refusal`` if there is none."""
    page = TablePage(find_rate_limited(address_of(request), code), TableAccess())
    if not page.started:
        raise Refusal(
            "unknown", _("The game has not begun yet. The report grows with it, from the first entry on.")
        )
    return page


@require_GET
def standalone(request: HttpRequest, code: str) -> HttpResponse:
    """Send the report as one HTML file that needs no server."""
    try:
        page = _table_page(request, code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    context = {"page": page, "table": page.table, "game": page.game, **report_context(page)}
    context |= {"styles": styles(), "scripts": scripts(), "tokens": tokens(), "saved_at": timezone.now()}
    html = str(render_to_string("report/standalone.html", context, request))
    # Tokens are embedded in the file; all other links lead back to this server.
    html = html.replace(f'href="{static("icons/tokens.svg")}#', 'href="#')
    html = html.replace('href="/', f'href="{request.build_absolute_uri("/")}')
    response = HttpResponse(html)
    response["Content-Disposition"] = f'attachment; filename="{file_name(page.table)}.html"'
    response["Cache-Control"] = "no-cache"
    return response


@require_GET
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """Send names, points and the course of the game as an SVG."""
    try:
        page = _table_page(request, code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    course = courses.of(page.table)
    standings = sorted(page.game.standings(page.snapshot.public_state), key=lambda standing: -standing.points)
    places = ranking_of(page, standings)
    ranking = sorted(places, key=lambda faction: places[faction])
    context = {
        "table": page.table,
        "game": page.game,
        "so_far": page.is_playing,
        "played": duration(times_of(course).total),
        "picture": summary_of(course, ranking, _headline(page)),
        "tokens": tokens(),
    }
    response = render(request, "report/summary.svg", context, content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{file_name(page.table)}.svg"'
    response["Cache-Control"] = "no-cache"
    return response


def _headline(page: TablePage) -> str:
    """Return the outcome in a few words."""
    if page.is_playing:
        return _("The game so far")
    names = ", ".join(winner.name for winner in page.winners)
    if page.table.status == Status.ABANDONED or not names:
        return _("The game was given up")
    template = ngettext("%(names)s wins", "%(names)s share the victory", len(page.winners))
    return template % {"names": names}

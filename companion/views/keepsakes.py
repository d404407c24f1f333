"""What people keep of a game: its report as one file, and a picture to pass on."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET

from companion.errors import Refusal
from companion.models import Status
from companion.statistics.alone import file_name, scripts, styles
from companion.statistics.course import courses, times_of
from companion.statistics.summary import summary_of, tokens
from companion.statistics.thinking import duration
from companion.tables.holders import Holder, find_from
from companion.views.now import Sight
from companion.views.pages import message_page
from companion.views.phone import address_of
from companion.views.report import ranking_of, told


def _sight(request: HttpRequest, code: str) -> Sight:
    """A game that has begun, as everybody may see it. Raises ``Refusal``."""
    sight = Sight(find_from(address_of(request), code), Holder())
    if not sight.started:
        raise Refusal(
            "unknown", _("The game has not begun yet. The report grows with it, from the first entry on.")
        )
    return sight


@require_GET
def standalone(request: HttpRequest, code: str) -> HttpResponse:
    """The report with everything it needs, to be saved and opened anywhere."""
    try:
        sight = _sight(request, code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    context = {"sight": sight, "table": sight.table, "game": sight.game, **told(sight)}
    context |= {"styles": styles(), "scripts": scripts(), "tokens": tokens(), "saved_at": timezone.now()}
    page = str(render_to_string("report/standalone.html", context, request))
    # Tokens stand in the file itself; other links lead back to where it was saved.
    page = page.replace(f'href="{static("icons/tokens.svg")}#', 'href="#')
    page = page.replace('href="/', f'href="{request.build_absolute_uri("/")}')
    response = HttpResponse(page)
    response["Content-Disposition"] = f'attachment; filename="{file_name(sight.table)}.html"'
    response["Cache-Control"] = "no-cache"
    return response


@require_GET
def picture(request: HttpRequest, code: str) -> HttpResponse:
    """Names, points and the course of the game, as an SVG."""
    try:
        sight = _sight(request, code)
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    course = courses.of(sight.table)
    standings = sorted(sight.game.standings(sight.state), key=lambda standing: -standing.points)
    places = ranking_of(sight, standings)
    ranking = sorted(places, key=lambda faction: places[faction])
    context = {
        "table": sight.table,
        "game": sight.game,
        "so_far": sight.is_playing,
        "played": duration(times_of(course).total),
        "picture": summary_of(course, ranking, _headline(sight)),
        "tokens": tokens(),
    }
    response = render(request, "report/summary.svg", context, content_type="image/svg+xml")
    response["Content-Disposition"] = f'inline; filename="{file_name(sight.table)}.svg"'
    response["Cache-Control"] = "no-cache"
    return response


def _headline(sight: Sight) -> str:
    """How it ended, in a few words."""
    if sight.is_playing:
        return _("The game so far")
    names = ", ".join(winner.name for winner in sight.winners)
    if sight.table.status == Status.ABANDONED or not names:
        return _("The game was given up")
    told_so = ngettext("%(names)s wins", "%(names)s share the victory", len(sight.winners))
    return told_so % {"names": names}

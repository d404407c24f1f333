"""Pages of the statistics across games: start, a game on the server or in a circle, a member.

Pages of a circle are visible to everybody who has its link, and must not be cached.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from companion import wording
from companion.access import rate_limits
from companion.errors import Refusal
from companion.models import Circle
from companion.registry import games, titles
from companion.results.filters import Filter, read_filter, rules_of
from companion.statistics import queries
from companion.statistics.across import sections_of_game
from companion.statistics.circle_views import circle_view, circles_of, lines_of, members_of, records_of
from companion.statistics.filter_form import fields_of
from companion.statistics.people import sections_of_member
from companion.tables import circles
from companion.web.messages import message_page
from companion.web.phone import address_of, remember_circle
from games.core.game import AnyGame

LONGEST_NUMBER = 18  # digits


# Start page


@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """Show the circles of this phone and the public statistics; POST opens a circle."""
    if request.method != "POST":
        return _index(request)
    try:
        rate_limits.OPEN_TABLE.take(address_of(request))
        opened = circles.open_circle(name=request.POST.get("name", ""))
    except Refusal as refusal:
        return _index(request, refusal)
    response = redirect("circle", key=opened.key)
    remember_circle(response, request, opened.key)
    return response


def _index(request: HttpRequest, error: Refusal | None = None) -> HttpResponse:
    public = queries.is_public()
    counted = queries.games_in(None) if public else {}
    context = {
        "circles": circles_of(request),
        "public": public,
        "games": [(game, counted.get(slug, 0)) for slug, game in games().items()],
        "typed": request.POST.get("name", "")[: circles.LONGEST_NAME],
        "longest": circles.LONGEST_NAME,
        "error": error,
    }
    response = render(request, "statistics/index.html", context, status=error.status if error else 200)
    response["Cache-Control"] = "private, no-store"  # it contains private links
    return response


# A game


@require_GET
def server_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the statistics over all games of the server, without names."""
    if not queries.is_public():
        return message_page(request, _("Statistics over all games are switched off on this server."), 404)
    here = reverse("stats-game", args=[slug])
    return _game_page(request, slug, "statistics/game.html", {"here": here}, None)


@circle_view
@require_GET
def circle_game(request: HttpRequest, circle: Circle, key: str, slug: str) -> HttpResponse:
    """Show the statistics over the games of a circle, with its members, records and games."""
    here = reverse("circle-game", args=[key, slug])
    return _game_page(request, slug, "statistics/circle_game.html", {"here": here, "key": key}, circle)


def _game_page(
    request: HttpRequest, slug: str, template: str, context: dict[str, Any], circle: Circle | None
) -> HttpResponse:
    try:
        rules = _rules(slug)
        filter_, error = _parse_filter(slug, request.GET)
        if circle:
            context |= {"circle": circle, **_circle_context(request, circle, filter_, context["key"], error)}
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    statistics = queries.game_statistics(filter_, circle)
    choices = queries.choices_of(slug, circle)
    context |= {
        "game": rules,
        "statistics": statistics,
        "sections": [] if error else sections_of_game(statistics),
        "choices": choices,
        "fields": fields_of(filter_, choices, request.GET),
        "filter": filter_,
        "error": error,
    }
    return render(request, template, context, status=error.status if error else 200)


def _rules(slug: str) -> AnyGame:
    """Return the rules of a game. Raise ``Refusal`` if it does not exist."""
    return rules_of(read_filter(slug, {}).game)[0]


def _parse_filter(slug: str, query: Mapping[str, str]) -> tuple[Filter, Refusal | None]:
    """Parse the filter of a query string; if it is invalid, return an empty filter and the error to show."""
    try:
        return read_filter(slug, query), None
    except Refusal as refusal:
        return Filter(slug), refusal


def _circle_context(
    request: HttpRequest, circle: Circle, filter_: Filter, key: str, error: Refusal | None
) -> dict[str, Any]:
    """Return the context of a circle: members, records, games. Raise ``Refusal`` if ``after`` is invalid."""
    after = "" if error else request.GET.get("after", "")
    page = queries.games_of(circle, filter_, after)
    return {
        "members": members_of(circle, filter_.game, key),
        "records": [] if after else records_of(circle, filter_.game, key),
        "lines": lines_of(page.games, key),
        "following": page.following,
        "after": after,
    }


# A member


@circle_view
@require_GET
def member(request: HttpRequest, circle: Circle, key: str, slug: str, number: str) -> HttpResponse:
    """Show a member at a game: rating over time, factions, record against others."""
    if not (number.isascii() and number.isdigit() and len(number) < LONGEST_NUMBER):
        raise Refusal("unknown", _("There is nobody like that in this circle."))
    rules = _rules(slug)
    statistics = queries.member_statistics(circle, int(number), slug)
    context = {
        "circle": circle,
        "key": key,
        "game": rules,
        "statistics": statistics,
        "best": wording.name(rules, "faction", statistics.line.best) if statistics.line.best else "",
        "favourite": wording.name(rules, "faction", statistics.line.favourite)
        if statistics.line.favourite
        else "",
        "others": [
            (titles()[other].game, games)
            for other, games in queries.games_of_member(circle, int(number)).items()
            if other != slug and other in titles()
        ],
        "sections": sections_of_member(slug, statistics),
    }
    return render(request, "statistics/member.html", context)

"""Statistics across games: what is counted over the whole server, and the pages of a game and of a member.

A circle's pages are its own: whoever has the link may see them, and nobody between may keep them.
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
from companion.results.filters import Filter, read_filter, rules_of
from companion.statistics import queries
from companion.statistics.across import sections_of_game
from companion.statistics.circle_views import circles_of, lines_of, members_of, of_circle, records_of
from companion.statistics.filter_form import fields_of
from companion.statistics.people import sections_of_member
from companion.tables import circles
from companion.web.messages import message_page
from companion.web.phone import address_of, remember_circle
from games.core.game import AnyGame
from games.registry import GAMES

LONGEST_NUMBER = 18  # digits


# The start


@require_http_methods(["GET", "POST"])
def index(request: HttpRequest) -> HttpResponse:
    """The circles this phone knows, a new one, and what is counted over all games."""
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
        "games": [(game, counted.get(slug, 0)) for slug, game in GAMES.items()],
        "typed": request.POST.get("name", "")[: circles.LONGEST_NAME],
        "longest": circles.LONGEST_NAME,
        "error": error,
    }
    response = render(request, "statistics/index.html", context, status=error.status if error else 200)
    response["Cache-Control"] = "private, no-store"  # it has the links of circles
    return response


# A game


@require_GET
def server_game(request: HttpRequest, slug: str) -> HttpResponse:
    """What is counted over all games of the server, without names."""
    if not queries.is_public():
        return message_page(request, _("Statistics over all games are switched off on this server."), 404)
    here = reverse("stats-game", args=[slug])
    return _game_page(request, slug, "statistics/game.html", {"here": here}, None)


@of_circle
@require_GET
def circle_game(request: HttpRequest, circle: Circle, key: str, slug: str) -> HttpResponse:
    """The same over the games of a circle; and its people, records and games."""
    here = reverse("circle-game", args=[key, slug])
    return _game_page(request, slug, "statistics/circle_game.html", {"here": here, "key": key}, circle)


def _game_page(
    request: HttpRequest, slug: str, template: str, context: dict[str, Any], circle: Circle | None
) -> HttpResponse:
    try:
        rules = _rules(slug)
        asked, error = _asked(slug, request.GET)
        if circle:
            context |= {"circle": circle, **_of_circle(request, circle, asked, context["key"], error)}
    except Refusal as refusal:
        return message_page(request, refusal.message, refusal.status)
    told = queries.of_game(asked, circle)
    choices = queries.choices_of(slug, circle)
    context |= {
        "game": rules,
        "told": told,
        "sections": [] if error else sections_of_game(told),
        "choices": choices,
        "fields": fields_of(asked, choices, request.GET),
        "asked": asked,
        "error": error,
    }
    return render(request, template, context, status=error.status if error else 200)


def _rules(slug: str) -> AnyGame:
    """Raises ``Refusal`` for a game that is not here."""
    return rules_of(read_filter(slug, {}).game)[0]


def _asked(slug: str, asked: Mapping[str, str]) -> tuple[Filter, Refusal | None]:
    """The filter of an address; one that is wrong asks for nothing, and the page says what is wrong."""
    try:
        return read_filter(slug, asked), None
    except Refusal as refusal:
        return Filter(slug), refusal


def _of_circle(
    request: HttpRequest, circle: Circle, asked: Filter, key: str, error: Refusal | None
) -> dict[str, Any]:
    """Who plays it, what stood out, and the games themselves. Raises ``Refusal``."""
    after = "" if error else request.GET.get("after", "")
    page = queries.games_of(circle, asked, after)
    return {
        "members": members_of(circle, asked.game, key),
        "records": [] if after else records_of(circle, asked.game, key),
        "lines": lines_of(page.games, key),
        "following": page.following,
        "after": after,
    }


# A member


@of_circle
@require_GET
def member(request: HttpRequest, circle: Circle, key: str, slug: str, number: str) -> HttpResponse:
    """Somebody at a game: the rating over time, the factions, the record against others."""
    if not (number.isascii() and number.isdigit() and len(number) < LONGEST_NUMBER):
        raise Refusal("unknown", _("There is nobody like that in this circle."))
    rules = _rules(slug)
    told = queries.member(circle, int(number), slug)
    context = {
        "circle": circle,
        "key": key,
        "game": rules,
        "told": told,
        "best": wording.name(rules, "faction", told.line.best) if told.line.best else "",
        "favourite": wording.name(rules, "faction", told.line.favourite) if told.line.favourite else "",
        "others": [
            (GAMES[other], games)
            for other, games in queries.games_of_member(circle, int(number)).items()
            if other != slug and other in GAMES
        ],
        "sections": sections_of_member(slug, told),
    }
    return render(request, "statistics/member.html", context)

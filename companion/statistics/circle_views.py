"""A circle at its private link: its games, people, ratings and records; its name, its link, its files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from companion import wording
from companion.access.table_access import hash_of
from companion.errors import Refusal
from companion.models import Circle
from companion.results.filters import Filter, read_filter, rules_of
from companion.statistics import queries
from companion.statistics.across import length_told, percent
from companion.statistics.exports import games_json, results_csv
from companion.statistics.people import SURE
from companion.statistics.queries import GameLine, GameScore, MemberLine
from companion.tables import circles
from companion.web.addresses import address_for_phones
from companion.web.downloads import CSV, JSON, MARK, streamed
from companion.web.messages import message_page
from companion.web.phone import address_of, circle_keys_of, forget_circle, remember_circle
from games.registry import GAMES

View = Callable[..., HttpResponseBase]
LONGEST_NUMBER = 18  # digits


def of_circle(view: View) -> View:
    """A view of a circle, by the key in its address. What it answers is nobody's to keep or to list, and the
    phone remembers the link.
    """

    @wraps(view)
    def found(request: HttpRequest, key: str, **parts: str) -> HttpResponseBase:
        response: HttpResponseBase
        try:
            circle = circles.find_circle(address_of(request), key)
            response = view(request, circle, key, **parts)
            if isinstance(response, HttpResponse) and not response.cookies:
                remember_circle(response, request, key)
        except Refusal as refusal:
            response = message_page(request, refusal.message, refusal.status)
        response["Cache-Control"] = "private, no-store"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return found


def circles_of(request: HttpRequest) -> list[tuple[str, Circle]]:
    """The circles whose link this phone has followed, with their keys, the newest first."""
    keys = circle_keys_of(request)
    hashes = {hash_of(key): key for key in keys}
    found = {hashes[one.key_hash]: one for one in Circle.objects.filter(key_hash__in=hashes)} if keys else {}
    return [(key, found[key]) for key in keys if key in found]


# The overview


@of_circle
@require_http_methods(["GET", "POST"])
def circle(request: HttpRequest, circle: Circle, key: str) -> HttpResponse:
    if request.method != "POST":
        return _page(request, circle, key)
    try:
        return _deed(request, circle, key)
    except Refusal as refusal:
        circle.refresh_from_db()
        return _page(request, circle, key, refusal)


def _deed(request: HttpRequest, circle: Circle, key: str) -> HttpResponse:
    match request.POST.get("do"):
        case "rename":
            circles.rename_circle(circle=circle, name=request.POST.get("name", ""))
        case "renew":
            return _renew(request, circle, key)
        case "forget":
            circles.forget_member(circle=circle, member=_number(request.POST.get("member", "")))
        case "leave":
            response = redirect("stats")
            forget_circle(response, request, key)
            return response
        case _:
            raise Refusal("bad-input", _("There is no such button."))
    return redirect("circle", key=key)


def _renew(request: HttpRequest, circle: Circle, key: str) -> HttpResponse:
    renewed = circles.renew_link(circle=circle)
    response = redirect("circle", key=renewed)
    remember_circle(response, request, renewed, instead_of=key)
    return response


def _number(text: str) -> int:
    is_number = text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER
    return int(text) if is_number else 0


def _page(request: HttpRequest, circle: Circle, key: str, error: Refusal | None = None) -> HttpResponse:
    after = request.GET.get("after", "") if request.method != "POST" else ""
    counted = queries.games_in(circle)
    page = queries.games_of(circle, after=after)
    games = [
        {
            "game": game,
            "count": counted[slug],
            "members": members_of(circle, slug, key),
            "records": records_of(circle, slug, key, most=1),
        }
        for slug, game in GAMES.items()
        if counted.get(slug)
    ]
    context = {
        "circle": circle,
        "key": key,
        "games": games,
        "all_games": list(GAMES.values()),
        "count": sum(counted.values()),
        "lines": lines_of(page.games, key),
        "following": page.following,
        "after": after,
        "address": address_for_phones(request, "circle", key),
        "longest": circles.LONGEST_NAME,
        "error": error,
    }
    return render(request, "statistics/circle.html", context, status=error.status if error else 200)


# What its pages list


def members_of(circle: Circle, slug: str, key: str) -> list[dict[str, Any]]:
    """Who plays a game, the highest rating that is almost sure first."""
    rules = rules_of(slug)[0]
    return [
        {
            "name": line.name,
            "link": _member_link(key, slug, line.pk),
            "rating": wording.written(f"{line.rating.mu:.1f}"),
            "strays": wording.written(f"{SURE * line.rating.sigma:.1f}"),
            "games": line.record.games,
            "wins": line.record.wins,
            "share": percent(line.record.share) if line.record.share is not None else "",
            "favourite": line.favourite,
            "favourite_name": wording.name(rules, "faction", line.favourite) if line.favourite else "",
        }
        for line in queries.members_of(circle, slug)
    ]


def _member_link(key: str, slug: str, member: int | None) -> str:
    return reverse("circle-member", args=[key, slug, member]) if member else ""


def lines_of(games: Iterable[GameLine], key: str) -> list[dict[str, Any]]:
    """Games with who played them, by place."""
    return [_line(game, key) for game in games]


def _line(line: GameLine, key: str) -> dict[str, Any]:
    return {
        "line": line,
        "game": rules_of(line.game)[0],
        "length": _length(line),
        "scores": [_score(line.game, score, key) for score in line.scores],
    }


def _score(slug: str, score: GameScore, key: str) -> dict[str, Any]:
    return {
        "faction": score.faction,
        "name": score.name or wording.name(rules_of(slug)[0], "faction", score.faction),
        "link": _member_link(key, slug, score.member),
        "points": f"{score.points.normalize():f}",
        "won": score.won,
    }


def records_of(circle: Circle, slug: str, key: str, most: int = queries.BEST) -> list[dict[str, Any]]:
    """What stands out at a game, each kind with its first few."""
    found = queries.records_of(circle, slug)
    points = [
        {"value": score["points"], "who": [score], "line": best.game}
        for best in found.points
        for score in [_score(slug, best.score, key)]
    ]
    kinds = [
        (_("Most points"), points),
        (_("Narrowest win"), _of_games(found.narrowest, key, _margin)),
        (_("Clearest win"), _of_games(found.clearest, key, _margin)),
        (_("Longest game"), _of_games(found.longest, key, _length)),
        (_("Shortest game"), _of_games(found.shortest, key, _length)),
        (_("Most games"), _of_members(found.games, slug, key, lambda one: one.record.games)),
        (_("Most wins"), _of_members(found.wins, slug, key, lambda one: one.record.wins)),
    ]
    return [{"title": title, "rows": rows[:most]} for title, rows in kinds if rows]


def _margin(line: GameLine) -> str:
    return f"{line.margin.normalize():f}" if line.margin is not None else ""


def _length(line: GameLine) -> str:
    return length_told(line.length) if line.length else ""


def _of_games(lines: Iterable[GameLine], key: str, value: Callable[[GameLine], str]) -> list[dict[str, Any]]:
    return [
        {
            "value": value(line),
            "who": [_score(line.game, score, key) for score in line.scores if score.won],
            "line": line,
        }
        for line in lines
    ]


def _of_members(
    lines: Iterable[MemberLine], slug: str, key: str, value: Callable[[MemberLine], int]
) -> list[dict[str, Any]]:
    return [
        {"value": value(line), "who": [{"name": line.name, "link": _member_link(key, slug, line.pk)}]}
        for line in lines
        if value(line)
    ]


# Files


@of_circle
@require_GET
def results_file(request: HttpRequest, circle: Circle, key: str) -> HttpResponseBase:  # noqa: ARG001
    """The results of a circle, or of one of its games for a filter (``?game=``)."""
    parts = results_csv(circle, _asked(request))
    return streamed(_marked(parts), f"{_file_name(circle)}-results.csv", CSV)


@of_circle
@require_GET
def games_file(request: HttpRequest, circle: Circle, key: str) -> HttpResponseBase:  # noqa: ARG001
    """The whole games of a circle, or those of one of its games for a filter, as one document."""
    return streamed(games_json(circle, _asked(request)), f"{_file_name(circle)}-games.json", JSON)


def _asked(request: HttpRequest) -> Filter | None:
    """Raises ``Refusal``."""
    game = request.GET.get("game", "")
    return read_filter(game, request.GET) if game else None


def _marked(parts: Iterator[str]) -> Iterator[str]:
    yield MARK
    yield from parts


def _file_name(circle: Circle) -> str:
    return slugify(circle.name) or "circle"

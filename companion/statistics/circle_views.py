"""Pages of a circle at its private link: overview, members, records, settings and downloads."""

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
from companion.registry import games
from companion.results.filters import Filter, read_filter, rules_of
from companion.statistics import queries
from companion.statistics.across import length_text, percent
from companion.statistics.exports import games_json, results_csv
from companion.statistics.people import DEVIATIONS
from companion.statistics.queries import GameLine, GameScore, MemberLine
from companion.tables import circles
from companion.web.addresses import address_for_phones
from companion.web.downloads import CSV, JSON, MARK, streamed
from companion.web.messages import message_page
from companion.web.phone import address_of, circle_keys_of, forget_circle, remember_circle

View = Callable[..., HttpResponseBase]
LONGEST_NUMBER = 18  # digits


def circle_view(view: View) -> View:
    """Decorate a view of a circle: look it up by the key in the URL and remember the link in a cookie.

    Responses must be neither cached nor indexed; a refusal is shown as a page.
    """

    @wraps(view)
    def wrapper(request: HttpRequest, key: str, **parts: str) -> HttpResponseBase:
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

    return wrapper


def circles_of(request: HttpRequest) -> list[tuple[str, Circle]]:
    """Return the circles in this phone's cookie with their keys, the newest first."""
    keys = circle_keys_of(request)
    hashes = {hash_of(key): key for key in keys}
    rows = Circle.objects.filter(key_hash__in=hashes) if keys else ()
    by_key = {hashes[row.key_hash]: row for row in rows}
    return [(key, by_key[key]) for key in keys if key in by_key]


# The overview


@circle_view
@require_http_methods(["GET", "POST"])
def circle(request: HttpRequest, circle: Circle, key: str) -> HttpResponse:
    if request.method != "POST":
        return _overview(request, circle, key)
    try:
        return _post_action(request, circle, key)
    except Refusal as refusal:
        circle.refresh_from_db()
        return _overview(request, circle, key, refusal)


def _post_action(request: HttpRequest, circle: Circle, key: str) -> HttpResponse:
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


def _overview(request: HttpRequest, circle: Circle, key: str, error: Refusal | None = None) -> HttpResponse:
    after = request.GET.get("after", "") if request.method != "POST" else ""
    counted = queries.games_in(circle)
    page = queries.games_of(circle, after=after)
    played = [
        {
            "game": game,
            "count": counted[slug],
            "members": members_of(circle, slug, key),
            "records": records_of(circle, slug, key, most=1),
        }
        for slug, game in games().items()
        if counted.get(slug)
    ]
    context = {
        "circle": circle,
        "key": key,
        "games": played,
        "all_games": list(games().values()),
        "count": sum(counted.values()),
        "lines": lines_of(page.games, key),
        "following": page.following,
        "after": after,
        "address": address_for_phones(request, "circle", key),
        "longest": circles.LONGEST_NAME,
        "error": error,
    }
    return render(request, "statistics/circle.html", context, status=error.status if error else 200)


# Members, games and records


def members_of(circle: Circle, slug: str, key: str) -> list[dict[str, Any]]:
    """Return the members who played a game, sorted by the conservative estimate of their rating."""
    rules = rules_of(slug)[0]
    return [
        {
            "name": line.name,
            "link": _member_link(key, slug, line.pk),
            "rating": wording.localized(f"{line.rating.mu:.1f}"),
            "uncertainty": wording.localized(f"{DEVIATIONS * line.rating.sigma:.1f}"),
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
    """Return rows of games with their scores by place."""
    return [_game_row(game, key) for game in games]


def _game_row(line: GameLine, key: str) -> dict[str, Any]:
    return {
        "line": line,
        "game": rules_of(line.game)[0],
        "remarks": _remarks(line),
        "scores": [_score_row(line.game, score, key) for score in line.scores],
    }


def _remarks(line: GameLine) -> list[str]:
    remarks = (
        _("score pad") if line.mode == "pad" else "",
        _length(line),
        _("ended early") if line.early else "",
        _("with corrections") if line.corrected else "",
    )
    return [remark for remark in remarks if remark]


def _score_row(slug: str, score: GameScore, key: str) -> dict[str, Any]:
    return {
        "faction": score.faction,
        "name": score.name or wording.name(rules_of(slug)[0], "faction", score.faction),
        "link": _member_link(key, slug, score.member),
        "points": f"{score.points.normalize():f}",
        "won": score.won,
    }


def records_of(circle: Circle, slug: str, key: str, most: int = queries.BEST) -> list[dict[str, Any]]:
    """Return the records of a game, each kind with its best few."""
    records = queries.records_of(circle, slug)
    points = [
        {"value": score["points"], "people": [score], "line": best.game}
        for best in records.points
        for score in [_score_row(slug, best.score, key)]
    ]
    kinds = [
        (_("Most points"), points),
        (_("Narrowest win"), _game_records(records.narrowest, key, _margin)),
        (_("Clearest win"), _game_records(records.clearest, key, _margin)),
        (_("Longest game"), _game_records(records.longest, key, _length)),
        (_("Shortest game"), _game_records(records.shortest, key, _length)),
        (_("Most games"), _member_records(records.games, slug, key, lambda line: line.record.games)),
        (_("Most wins"), _member_records(records.wins, slug, key, lambda line: line.record.wins)),
    ]
    return [{"title": title, "rows": rows[:most]} for title, rows in kinds if rows]


def _margin(line: GameLine) -> str:
    return f"{line.margin.normalize():f}" if line.margin is not None else ""


def _length(line: GameLine) -> str:
    return length_text(line.length) if line.length else ""


def _game_records(
    lines: Iterable[GameLine], key: str, value: Callable[[GameLine], str]
) -> list[dict[str, Any]]:
    return [
        {
            "value": value(line),
            "people": [_score_row(line.game, score, key) for score in line.scores if score.won],
            "line": line,
        }
        for line in lines
    ]


def _member_records(
    lines: Iterable[MemberLine], slug: str, key: str, value: Callable[[MemberLine], int]
) -> list[dict[str, Any]]:
    return [
        {"value": value(line), "people": [{"name": line.name, "link": _member_link(key, slug, line.pk)}]}
        for line in lines
        if value(line)
    ]


# Downloads


@circle_view
@require_GET
def results_file(request: HttpRequest, circle: Circle, key: str) -> HttpResponseBase:  # noqa: ARG001
    """Send the results of a circle as CSV, optionally of one game with a filter (``?game=``)."""
    parts = results_csv(circle, _download_filter(request))
    return streamed(_with_byte_order_mark(parts), f"{_file_name(circle)}-results.csv", CSV)


@circle_view
@require_GET
def games_file(request: HttpRequest, circle: Circle, key: str) -> HttpResponseBase:  # noqa: ARG001
    """Send the games of a circle as one JSON document, optionally those of one game with a filter."""
    return streamed(games_json(circle, _download_filter(request)), f"{_file_name(circle)}-games.json", JSON)


def _download_filter(request: HttpRequest) -> Filter | None:
    """Parse the filter of a download; None without ``?game=``. Raise ``Refusal`` if it is invalid."""
    game = request.GET.get("game", "")
    return read_filter(game, request.GET) if game else None


def _with_byte_order_mark(parts: Iterator[str]) -> Iterator[str]:
    yield MARK
    yield from parts


def _file_name(circle: Circle) -> str:
    return slugify(circle.name) or "circle"

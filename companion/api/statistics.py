"""Statistics across games: of the whole server, and of a circle to whoever has its key."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from companion.access import rate_limits
from companion.access.table_access import refuse_unless_host
from companion.api import serializers
from companion.api import statistics_serializers as forms
from companion.api.access import access_of, table_of
from companion.api.errors import nothing_here
from companion.api.schema import describe
from companion.api.views import ApiView, sent
from companion.models import Circle as CircleRow
from companion.results.filters import Filter, read_filter
from companion.statistics import queries
from companion.tables import circles
from companion.web.phone import address_of

FILTER = [
    OpenApiParameter("mode", str, description="`full` or `pad`; both if not given."),
    OpenApiParameter("since", str, description="The first month: `2026-11`."),
    OpenApiParameter("until", str, description="The last month."),
    OpenApiParameter("players", int, description="The number of people."),
    OpenApiParameter(
        "option", str, description="`name=value` that differs from the default, or `=`: none differs."
    ),
    OpenApiParameter("clean", str, description="`1`: only games played to their end without corrections."),
]
LONGEST_NUMBER = 18  # digits
AFTER = OpenApiParameter("after", str, description="`following` of the page before.")


def _filter(request: Request, game: str) -> Filter:
    return read_filter(game, request.query_params)


def _circle(request: Request, key: str) -> CircleRow:
    return circles.find_circle(address_of(request), key)


class Statistics(ApiView):
    @describe(
        forms.GameStatistics, "bad-input", "unknown", parameters=FILTER, operation_id="server_statistics"
    )
    def get(self, request: Request, game: str) -> Response:
        """What is counted over all games of the server, without names; unknown where that is switched off."""
        if not queries.is_public():
            raise nothing_here()
        return Response(forms.GameStatistics(queries.of_game(_filter(request, game))).data)


class Circles(ApiView):
    @describe(
        forms.OpenedCircle,
        *("bad-input", "too-large", "too-many"),
        sends=forms.NewCircle,
        status=201,
        operation_id="open_circle",
    )
    def post(self, request: Request) -> Response:
        """A circle for people who play together. Its key is told only now."""
        asked = sent(request, forms.NewCircle)
        rate_limits.OPEN_TABLE.take(address_of(request))
        opened = circles.open_circle(name=asked["name"])
        return Response({"name": opened.circle.name, "key": opened.key}, status=201)


class Circle(ApiView):
    @describe(forms.Circle, "unknown", "too-many", operation_id="circle")
    def get(self, request: Request, key: str) -> Response:
        """A circle: its name, those of its people, and how many games it played."""
        found = _circle(request, key)
        return Response(
            {"name": found.name, "names": circles.names_of(found), "games": queries.games_in(found)}
        )


class Renew(ApiView):
    @describe(
        forms.OpenedCircle,
        *("bad-input", "unknown", "too-large", "too-many"),
        operation_id="renew_circle",
    )
    def post(self, request: Request, key: str) -> Response:
        """Another key; this one leads nowhere any more."""
        found = _circle(request, key)
        sent(request, serializers.Nothing)
        return Response({"name": found.name, "key": circles.renew_link(circle=found)})


class CircleStatistics(ApiView):
    @describe(
        forms.GameStatistics,
        *("bad-input", "unknown", "too-many"),
        parameters=FILTER,
        operation_id="circle_statistics",
    )
    def get(self, request: Request, key: str, game: str) -> Response:
        """What is counted over the games of a circle."""
        found = _circle(request, key)
        return Response(forms.GameStatistics(queries.of_game(_filter(request, game), found)).data)


class Games(ApiView):
    @describe(
        forms.GamesPage,
        *("bad-input", "unknown", "too-many"),
        parameters=[*FILTER, AFTER],
        operation_id="circle_games",
    )
    def get(self, request: Request, key: str, game: str) -> Response:
        """The games of a circle, the newest first."""
        found, after = _circle(request, key), request.query_params.get("after", "")
        return Response(forms.GamesPage(queries.games_of(found, _filter(request, game), after)).data)


class Records(ApiView):
    @describe(forms.Records, "unknown", "too-many", operation_id="circle_records")
    def get(self, request: Request, key: str, game: str) -> Response:
        """What stands out among the games of a circle."""
        found = _circle(request, key)
        return Response(forms.Records(queries.records_of(found, read_filter(game, {}).game)).data)


class Members(ApiView):
    @describe(forms.Member(many=True), "unknown", "too-many", operation_id="circle_members")
    def get(self, request: Request, key: str, game: str) -> Response:
        """Who plays a game in a circle, with their ratings."""
        found = _circle(request, key)
        return Response(forms.Member(queries.members_of(found, read_filter(game, {}).game), many=True).data)


class Member(ApiView):
    @describe(forms.MemberStatistics, "unknown", "too-many", operation_id="circle_member")
    def get(self, request: Request, key: str, game: str, member: str) -> Response:
        """One of them: the course of the rating, factions, record against others."""
        found = _circle(request, key)
        if not (member.isascii() and member.isdigit() and len(member) < LONGEST_NUMBER):
            raise nothing_here()
        known = queries.member(found, int(member), read_filter(game, {}).game)
        return Response(forms.MemberStatistics(known).data)


class TableCircle(ApiView):
    @describe(
        serializers.Version,
        *("bad-input", "no-token", "foreign-token", "unknown", "nothing", "too-large", "too-many"),
        sends=forms.CircleOfTable,
        access="needed",
        operation_id="put_into_circle",
    )
    def post(self, request: Request, code: str) -> Response:
        """Let a table's game count in a circle, or in none. Only the host may, with the circle's key."""
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_unless_host(access)
        key = sent(request, forms.CircleOfTable)["circle"]
        circle = None if key is None else _circle(request, key)
        circles.put_into_circle(table=table, access=access, circle=circle)
        return Response({"version": table.version})

"""Statistics across games: of the whole server, and of a circle for clients with its key."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from companion.access import rate_limits
from companion.access.table_access import refuse_unless_host
from companion.api import serializers
from companion.api import statistics_serializers as forms
from companion.api.access import access_of, table_of
from companion.api.errors import not_found
from companion.api.schema import describe
from companion.api.views import ApiView, validated_body
from companion.models import Circle as CircleRow
from companion.results.filters import Filter, read_filter
from companion.statistics import queries
from companion.tables import circles
from companion.web.phone import address_of

FILTER = [
    OpenApiParameter("mode", str, description="`full` or `pad`; defaults to both."),
    OpenApiParameter("since", str, description="The first month, such as `2026-11`."),
    OpenApiParameter("until", str, description="The last month."),
    OpenApiParameter("players", int, description="The number of players."),
    OpenApiParameter(
        "option",
        str,
        description="`name=value` of an option that differs from its default; `=` for default options.",
    ),
    OpenApiParameter("clean", str, description="`1` for games played to the end without corrections only."),
]
LONGEST_NUMBER = 18  # digits
AFTER = OpenApiParameter("after", str, description="`following` of the previous page.")


def _filter(request: Request, game: str) -> Filter:
    return read_filter(game, request.query_params)


def _circle(request: Request, key: str) -> CircleRow:
    return circles.find_circle(address_of(request), key)


class Statistics(ApiView):
    @describe(
        forms.GameStatistics, "bad-input", "unknown", parameters=FILTER, operation_id="server_statistics"
    )
    def get(self, request: Request, game: str) -> Response:
        """Anonymous statistics over all games of the server; error `unknown` if they are disabled."""
        if not queries.is_public():
            raise not_found()
        return Response(forms.GameStatistics(queries.game_statistics(_filter(request, game))).data)


class Circles(ApiView):
    @describe(
        forms.OpenedCircle,
        *("bad-input", "too-large", "too-many"),
        sends=forms.NewCircle,
        status=201,
        operation_id="open_circle",
    )
    def post(self, request: Request) -> Response:
        """Create a circle for people who play together. Its key is shown only once."""
        body = validated_body(request, forms.NewCircle)
        rate_limits.OPEN_TABLE.take(address_of(request))
        opened = circles.open_circle(name=body["name"])
        return Response({"name": opened.circle.name, "key": opened.key}, status=201)


class Circle(ApiView):
    @describe(forms.Circle, "unknown", "too-many", operation_id="circle")
    def get(self, request: Request, key: str) -> Response:
        """The name of a circle, its players' names, and its number of games."""
        circle = _circle(request, key)
        return Response(
            {"name": circle.name, "names": circles.names_of(circle), "games": queries.games_in(circle)}
        )


class Renew(ApiView):
    @describe(
        forms.OpenedCircle,
        *("bad-input", "unknown", "too-large", "too-many"),
        operation_id="renew_circle",
    )
    def post(self, request: Request, key: str) -> Response:
        """Replace the key of a circle; the old one becomes invalid."""
        circle = _circle(request, key)
        validated_body(request, serializers.EmptyBody)
        return Response({"name": circle.name, "key": circles.renew_link(circle=circle)})


class CircleStatistics(ApiView):
    @describe(
        forms.GameStatistics,
        *("bad-input", "unknown", "too-many"),
        parameters=FILTER,
        operation_id="circle_statistics",
    )
    def get(self, request: Request, key: str, game: str) -> Response:
        """Statistics over the games of a circle."""
        circle = _circle(request, key)
        return Response(forms.GameStatistics(queries.game_statistics(_filter(request, game), circle)).data)


class Games(ApiView):
    @describe(
        forms.GamesPage,
        *("bad-input", "unknown", "too-many"),
        parameters=[*FILTER, AFTER],
        operation_id="circle_games",
    )
    def get(self, request: Request, key: str, game: str) -> Response:
        """The games of a circle, newest first."""
        circle, after = _circle(request, key), request.query_params.get("after", "")
        return Response(forms.GamesPage(queries.games_of(circle, _filter(request, game), after)).data)


class Records(ApiView):
    @describe(forms.Records, "unknown", "too-many", operation_id="circle_records")
    def get(self, request: Request, key: str, game: str) -> Response:
        """The records of a circle: best scores, closest and longest games, most games and wins."""
        circle = _circle(request, key)
        return Response(forms.Records(queries.records_of(circle, read_filter(game, {}).game)).data)


class Members(ApiView):
    @describe(forms.Member(many=True), "unknown", "too-many", operation_id="circle_members")
    def get(self, request: Request, key: str, game: str) -> Response:
        """The players of a game in a circle, with their ratings."""
        circle = _circle(request, key)
        return Response(forms.Member(queries.members_of(circle, read_filter(game, {}).game), many=True).data)


class Member(ApiView):
    @describe(forms.MemberStatistics, "unknown", "too-many", operation_id="circle_member")
    def get(self, request: Request, key: str, game: str, member: str) -> Response:
        """One player: course of the rating, results by faction and against other players."""
        circle = _circle(request, key)
        if not (member.isascii() and member.isdigit() and len(member) < LONGEST_NUMBER):
            raise not_found()
        statistics = queries.member_statistics(circle, int(member), read_filter(game, {}).game)
        return Response(forms.MemberStatistics(statistics).data)


class TableCircle(ApiView):
    @describe(
        serializers.Version,
        *("bad-input", "no-token", "foreign-token", "unknown", "nothing", "too-large", "too-many"),
        sends=forms.CircleOfTable,
        access="needed",
        operation_id="put_into_circle",
    )
    def post(self, request: Request, code: str) -> Response:
        """Assign a table to a circle, or to none. Requires the host's token and the circle's key."""
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_unless_host(access)
        key = validated_body(request, forms.CircleOfTable)["circle"]
        circle = None if key is None else _circle(request, key)
        circles.put_into_circle(table=table, access=access, circle=circle)
        return Response({"version": table.version})

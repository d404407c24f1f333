"""Downloads for other programs: CSV of tables and circles, games of a circle as JSON, a play for BG Stats."""

from __future__ import annotations

from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from companion.api import statistics_serializers as serializers
from companion.api.access import table_of
from companion.api.schema import describe
from companion.api.statistics import FILTER
from companion.api.views import ApiView
from companion.models import Circle
from companion.report.standalone import file_name
from companion.results.filters import Filter, read_filter
from companion.statistics import exports
from companion.statistics.bgstats import play_link, play_of
from companion.tables import circles
from companion.web.downloads import CSV, JSON, ready, streamed
from companion.web.phone import address_of

AS_CSV = (200, "text/csv")
GAME_FILTER = [
    OpenApiParameter("game", str, description="Only this game; without it the other filters are ignored."),
    *FILTER,
]


# Tables


class StandingsFile(ApiView):
    @describe(OpenApiTypes.STR, "unknown", "too-many", status=AS_CSV, operation_id="standings_csv")
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """All factions' points at the end of each round and now, as CSV."""
        table = table_of(request, code)
        return ready(exports.standings_csv(table), f"{file_name(table)}-standings.csv", CSV)


class JournalFile(ApiView):
    @describe(OpenApiTypes.STR, "unknown", "hidden", "too-many", status=AS_CSV, operation_id="journal_csv")
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """All journal entries as CSV: the action as JSON, its outcome in sentences."""
        table = table_of(request, code)
        return ready(exports.journal_csv(table), f"{file_name(table)}-journal.csv", CSV)


class ResultFile(ApiView):
    @describe(OpenApiTypes.STR, "unknown", "nothing", "too-many", status=AS_CSV, operation_id="result_csv")
    def get(self, request: Request, code: str) -> HttpResponseBase:
        """The final result as CSV, one row per faction; error `nothing` until the game has ended."""
        table = table_of(request, code)
        return ready(exports.result_csv(table), f"{file_name(table)}-result.csv", CSV)


class PlayLink(ApiView):
    @describe(serializers.PlayLink, "unknown", "nothing", "too-many", operation_id="play_link")
    def get(self, request: Request, code: str) -> Response:
        """The finished game as a play for the app BG Stats, and the link that opens it there."""
        table = table_of(request, code)
        return Response({"url": play_link(table), "play": play_of(exports.result_of(table))})


# Circles


class ResultsFile(ApiView):
    @describe(
        OpenApiTypes.STR,
        *("bad-input", "unknown", "too-many"),
        status=AS_CSV,
        parameters=GAME_FILTER,
        operation_id="circle_results_csv",
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """The results of a circle as CSV, one row per faction and game, oldest first."""
        parts = exports.results_csv(_circle(request, key), _filter_of(request))
        return streamed(parts, "results.csv", CSV)


class GamesFile(ApiView):
    @describe(
        serializers.GamesDocument,
        *("bad-input", "unknown", "too-many"),
        parameters=GAME_FILTER,
        operation_id="circle_games_json",
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """The complete games of a circle, each as in `/api/tables/{code}/export/`, oldest first."""
        parts = exports.games_json(_circle(request, key), _filter_of(request))
        return streamed(parts, "games.json", JSON)


def _circle(request: Request, key: str) -> Circle:
    return circles.find_circle(address_of(request), key)


def _filter_of(request: Request) -> Filter | None:
    game = request.query_params.get("game", "")
    return read_filter(game, request.query_params) if game else None

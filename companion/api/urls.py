"""URL patterns below `/api/`."""

from __future__ import annotations

from django.urls import path, re_path

from companion.api import boards, calculators, exports, playing, statistics, tables, views
from companion.api.events import events

urlpatterns = [
    path("", views.Root.as_view(), name="api-root"),
    path("schema/", views.Schema.as_view(), name="api-schema"),
    path("docs/", views.docs, name="api-docs"),
    path("games/", views.Games.as_view(), name="api-games"),
    path("calculators/<str:game>/<str:name>/", calculators.Calculator.as_view(), name="api-calculator"),
    path("boards/<str:game>/", boards.Boards.as_view(), name="api-boards"),
    path("boards/<str:game>/<str:code>/", boards.Copy.as_view(), name="api-board"),
    path("tables/", tables.Tables.as_view(), name="api-tables"),
    path("tables/import/", tables.Import.as_view(), name="api-import"),
    path("tables/<str:code>/", tables.Table.as_view(), name="api-table"),
    path("tables/<str:code>/seats/", tables.Seats.as_view(), name="api-seats"),
    path("tables/<str:code>/start/", tables.Start.as_view(), name="api-start"),
    path("tables/<str:code>/state/", playing.State.as_view(), name="api-state"),
    path("tables/<str:code>/prompts/", playing.Prompts.as_view(), name="api-prompts"),
    path("tables/<str:code>/actions/", playing.Actions.as_view(), name="api-actions"),
    path("tables/<str:code>/preview/", playing.Preview.as_view(), name="api-preview"),
    path("tables/<str:code>/undo/", playing.Undo.as_view(), name="api-undo"),
    path("tables/<str:code>/redo/", playing.Redo.as_view(), name="api-redo"),
    path("tables/<str:code>/mend/", playing.Mend.as_view(), name="api-mend"),
    path("tables/<str:code>/mend/preview/", playing.PreviewMend.as_view(), name="api-preview-mend"),
    path("tables/<str:code>/journal/", playing.Journal.as_view(), name="api-journal"),
    path("tables/<str:code>/standings/", playing.Standings.as_view(), name="api-standings"),
    path("tables/<str:code>/export/", tables.Export.as_view(), name="api-export"),
    path("tables/<str:code>/standings.csv", exports.StandingsFile.as_view(), name="api-standings-file"),
    path("tables/<str:code>/journal.csv", exports.JournalFile.as_view(), name="api-journal-file"),
    path("tables/<str:code>/results.csv", exports.ResultFile.as_view(), name="api-result-file"),
    path("tables/<str:code>/play-link/", exports.PlayLink.as_view(), name="api-play-link"),
    path("tables/<str:code>/events/", events, name="api-events"),
    path("tables/<str:code>/circle/", statistics.TableCircle.as_view(), name="api-table-circle"),
    path("stats/<str:game>/", statistics.Statistics.as_view(), name="api-stats"),
    path("circles/", statistics.Circles.as_view(), name="api-circles"),
    path("circles/<str:key>/", statistics.Circle.as_view(), name="api-circle"),
    path("circles/<str:key>/renew/", statistics.Renew.as_view(), name="api-circle-renew"),
    path("circles/<str:key>/results.csv", exports.ResultsFile.as_view(), name="api-circle-results"),
    path("circles/<str:key>/games.json", exports.GamesFile.as_view(), name="api-circle-documents"),
    path("circles/<str:key>/games/<str:game>/", statistics.Games.as_view(), name="api-circle-games"),
    path(
        "circles/<str:key>/stats/<str:game>/", statistics.CircleStatistics.as_view(), name="api-circle-stats"
    ),
    path("circles/<str:key>/records/<str:game>/", statistics.Records.as_view(), name="api-circle-records"),
    path("circles/<str:key>/members/<str:game>/", statistics.Members.as_view(), name="api-circle-members"),
    path(
        "circles/<str:key>/members/<str:game>/<str:member>/",
        statistics.Member.as_view(),
        name="api-circle-member",
    ),
    re_path("", views.NotFound.as_view(), name="api-nothing"),
]

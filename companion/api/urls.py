"""Every address below ``/api/``."""

from __future__ import annotations

from django.urls import path, re_path

from companion.api import boards, calculators, playing, tables, views
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
    path("tables/<str:code>/events/", events, name="api-events"),
    re_path("", views.NothingHere.as_view(), name="api-nothing"),
]

"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from companion.views import calculators, display, pages, replay, table
from companion.views.health import healthz

handler404 = "companion.views.pages.not_found"
handler400 = "companion.api.errors.bad_request"
handler500 = "companion.api.errors.server_error"

at_a_table = [
    path("", table.table, name="table"),
    path("act/", table.act, name="act"),
    path("correct/", table.correct, name="correct"),
    path("undo/", table.undo, name="undo"),
    path("redo/", table.redo, name="redo"),
    path("back/", table.back_to, name="back"),
    path("tick/", table.tick, name="tick"),
    path("sit/", table.sit, name="sit"),
    path("seat/", table.seat, name="seat"),
    path("claim/", table.claim, name="claim"),
    path("host/", table.host, name="host"),
    path("display/", display.display, name="display"),
    path("replay/", replay.replay, name="replay"),
]

urlpatterns = [
    path("", pages.home, name="home"),
    path("open/", pages.open_a_table, name="open"),
    path("join/", pages.join, name="join"),
    path("look/", pages.look, name="look"),
    path("t/<str:code>/", include(at_a_table)),
    path("calculators/", calculators.index, name="calculators"),
    path("calculators/<slug:slug>/<slug:name>/", calculators.calculator, name="calculator"),
    path("api/", include("companion.api.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
]

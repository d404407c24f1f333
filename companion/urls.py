"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from companion.views import boards, calculators, display, mend, pages, position, replay, report, table
from companion.views.health import healthz

handler404 = "companion.views.pages.not_found"
handler400 = "companion.api.errors.bad_request"
handler500 = "companion.api.errors.server_error"

at_a_table = [
    path("", table.table, name="table"),
    path("act/", table.act, name="act"),
    path("preview/", table.preview, name="preview"),
    path("correct/", table.correct, name="correct"),
    path("undo/", table.undo, name="undo"),
    path("redo/", table.redo, name="redo"),
    path("back/", table.back_to, name="back"),
    path("mend/<int:number>/", mend.change, name="mend"),
    path("mend/<int:number>/leave-out/", mend.leave_out, name="leave-out"),
    path("mend/<int:number>/rule/", mend.rule, name="rule"),
    path("mend/<int:number>/agree/", mend.agree, name="agree"),
    path("tick/", table.tick, name="tick"),
    path("sit/", table.sit, name="sit"),
    path("seat/", table.seat, name="seat"),
    path("claim/", table.claim, name="claim"),
    path("host/", table.host, name="host"),
    path("figures/", boards.table_figures, name="table-figures"),
    path("display/", display.display, name="display"),
    path("replay/", replay.replay, name="replay"),
    path("report/", report.report, name="report"),
    path("position/", position.position, name="position"),
]

urlpatterns = [
    path("", pages.home, name="home"),
    path("open/", pages.open_a_table, name="open"),
    path("join/", pages.join, name="join"),
    path("look/", pages.look, name="look"),
    path("forget/", pages.forget, name="forget"),
    path("t/<str:code>/", include(at_a_table)),
    path("boards/<slug:slug>/", boards.shipped, name="boards"),
    path("boards/<slug:slug>/<str:code>/", boards.board, name="board"),
    path("boards/<slug:slug>/<str:code>/export/", boards.export, name="board-export"),
    path("calculators/", calculators.index, name="calculators"),
    path("calculators/<slug:slug>/<slug:name>/", calculators.calculator, name="calculator"),
    path("api/", include("companion.api.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("healthz", healthz, name="healthz"),
    path("admin/", admin.site.urls),
]

"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from companion.views import (
    boards,
    calculators,
    circles,
    compare,
    display,
    exports,
    installing,
    keepsakes,
    mend,
    pages,
    position,
    replay,
    report,
    rules,
    statistics,
    table,
    trust,
)
from companion.views.health import healthz, readyz

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
    path("break/", table.pause, name="break"),
    path("sit/", table.sit, name="sit"),
    path("seat/", table.seat, name="seat"),
    path("seats/", table.all_seats, name="all-seats"),
    path("claim/", table.claim, name="claim"),
    path("host/", table.host, name="host"),
    path("figures/", boards.table_figures, name="table-figures"),
    path("display/", display.display, name="display"),
    path("replay/", replay.replay, name="replay"),
    path("report/", report.report, name="report"),
    path("report/standalone.html", keepsakes.standalone, name="report-file"),
    path("report/summary.svg", keepsakes.picture, name="report-picture"),
    path("position/", position.position, name="position"),
    path("compare/", compare.compare, name="compare"),
    path("standings.csv", exports.standings, name="standings-file"),
    path("journal.csv", exports.journal, name="journal-file"),
    path("results.csv", exports.result, name="result-file"),
    path("game.json", exports.game, name="game-file"),
]

of_a_circle = [
    path("", circles.circle, name="circle"),
    path("results.csv", circles.results_file, name="circle-results"),
    path("games.json", circles.games_file, name="circle-games"),
    path("<slug:slug>/", statistics.circle_game, name="circle-game"),
    path("<slug:slug>/<str:number>/", statistics.member, name="circle-member"),
]

urlpatterns = [
    path("", pages.home, name="home"),
    path("open/", pages.open_a_table, name="open"),
    path("join/", pages.join, name="join"),
    path("look/", pages.look, name="look"),
    path("hints/", pages.hints, name="hints"),
    path("help/", pages.help_page, name="help"),
    path("forget/", pages.forget, name="forget"),
    path("t/<str:code>/", include(at_a_table)),
    path("boards/<slug:slug>/", boards.shipped, name="boards"),
    path("boards/<slug:slug>/<str:code>/", boards.board, name="board"),
    path("boards/<slug:slug>/<str:code>/export/", boards.export, name="board-export"),
    path("calculators/", calculators.index, name="calculators"),
    path("calculators/<slug:slug>/<slug:name>/", calculators.calculator, name="calculator"),
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:slug>/", rules.register, name="rules-of"),
    path("rules/<slug:slug>/<str:rule>/", rules.one, name="rule-sheet"),
    path("stats/", statistics.index, name="stats"),
    path("stats/circle/<str:key>/", include(of_a_circle)),
    path("stats/<slug:slug>/", statistics.server_game, name="stats-game"),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("worker.js", installing.worker, name="worker"),
    path("offline/", installing.offline, name="offline"),
    path("trust/", trust.trust, name="trust"),
    path("trust/seneschal.crt", trust.authority, name="trust-authority"),
    path("api/", include("companion.api.urls")),
    path("i18n/", include("django.conf.urls.i18n")),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("admin/", admin.site.urls),
]

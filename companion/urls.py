"""URL patterns of the site."""

from django.contrib import admin
from django.urls import include, path

from companion.boards import views as board_views
from companion.calculators import views as calculator_views
from companion.pages import compare, display, home, installing, mend, position, replay, rules, trust
from companion.pages.health import healthz, readyz
from companion.pages.table import entry_views, host_views, seat_views
from companion.pages.table import views as table_views
from companion.report import export_views, keepsakes
from companion.report import views as report_views
from companion.statistics import circle_views
from companion.statistics import views as statistics_views

handler404 = "companion.web.messages.not_found"
handler400 = "companion.api.errors.bad_request"
handler500 = "companion.api.errors.server_error"

table_urls = [
    path("", table_views.table, name="table"),
    path("act/", entry_views.act, name="act"),
    path("preview/", entry_views.preview, name="preview"),
    path("correct/", entry_views.correct, name="correct"),
    path("undo/", entry_views.undo, name="undo"),
    path("redo/", entry_views.redo, name="redo"),
    path("back/", entry_views.back_to, name="back"),
    path("mend/<int:number>/", mend.change, name="mend"),
    path("mend/<int:number>/leave-out/", mend.leave_out, name="leave-out"),
    path("mend/<int:number>/rule/", mend.rule, name="rule"),
    path("mend/<int:number>/agree/", mend.agree, name="agree"),
    path("tick/", entry_views.tick, name="tick"),
    path("break/", entry_views.pause, name="break"),
    path("sit/", seat_views.sit, name="sit"),
    path("seat/", seat_views.seat, name="seat"),
    path("seats/", seat_views.all_seats, name="all-seats"),
    path("claim/", seat_views.claim, name="claim"),
    path("host/", host_views.host, name="host"),
    path("figures/", board_views.table_figures, name="table-figures"),
    path("display/", display.display, name="display"),
    path("replay/", replay.replay, name="replay"),
    path("report/", report_views.report, name="report"),
    path("report/standalone.html", keepsakes.standalone, name="report-file"),
    path("report/summary.svg", keepsakes.picture, name="report-picture"),
    path("position/", position.position, name="position"),
    path("compare/", compare.compare, name="compare"),
    path("standings.csv", export_views.standings, name="standings-file"),
    path("journal.csv", export_views.journal, name="journal-file"),
    path("results.csv", export_views.result, name="result-file"),
    path("game.json", export_views.game, name="game-file"),
]

circle_urls = [
    path("", circle_views.circle, name="circle"),
    path("results.csv", circle_views.results_file, name="circle-results"),
    path("games.json", circle_views.games_file, name="circle-games"),
    path("<slug:slug>/", statistics_views.circle_game, name="circle-game"),
    path("<slug:slug>/<str:number>/", statistics_views.member, name="circle-member"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("open/", home.open_a_table, name="open"),
    path("join/", home.join, name="join"),
    path("look/", home.look, name="look"),
    path("hints/", home.hints, name="hints"),
    path("help/", home.help_page, name="help"),
    path("forget/", home.forget, name="forget"),
    path("t/<str:code>/", include(table_urls)),
    path("boards/<slug:slug>/", board_views.shipped, name="boards"),
    path("boards/<slug:slug>/<str:code>/", board_views.board, name="board"),
    path("boards/<slug:slug>/<str:code>/export/", board_views.export, name="board-export"),
    path("calculators/", calculator_views.index, name="calculators"),
    path("calculators/<slug:slug>/<slug:name>/", calculator_views.calculator, name="calculator"),
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:slug>/", rules.register, name="rules-of"),
    path("rules/<slug:slug>/<str:rule>/", rules.one, name="rule-sheet"),
    path("stats/", statistics_views.index, name="stats"),
    path("stats/circle/<str:key>/", include(circle_urls)),
    path("stats/<slug:slug>/", statistics_views.server_game, name="stats-game"),
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

"""Statistics pages: of the server without names, and of a circle at its private link."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from companion.journal.versions import add_notice
from companion.models import Circle, Member, Result, Table
from companion.results.filters import Filter
from companion.statistics import queries
from companion.tables.circles import open_circle
from companion.web.phone import CIRCLES_COOKIE
from tests.pages.conftest import Phone
from tests.statistics.evenings import BEGIN, Evening, import_evening
from tests.statistics.many import fill

GAME = "raubritter"
GAMES = 24
PEOPLE = ("Ada", "Béla", "Carla", "Dario", "Éva", "Fabio")


@pytest.fixture
def key(db: None) -> str:
    return open_circle(name="Thursdays").key


@pytest.fixture
def circle(key: str) -> Circle:
    new = Circle.objects.get()
    fill(new, GAME, GAMES)
    return new


def text(answer: Any) -> str:
    return str(answer.content.decode())


def rows(page: str, panel: str) -> Iterator[list[str]]:
    """Yield the rows of the data table of a chart."""
    part = page.split(f'id="{panel}-panel"')[1].split("<tbody>")[1].partition("</tbody>")[0]
    for row in part.split("</tr>")[:-1]:
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        yield [re.sub(r"<[^>]*>", "", cell).strip() for cell in cells]


# The start page


def test_opened_circle_is_remembered_by_its_phone(db: None, client: Client) -> None:
    answer = client.post("/stats/", {"name": "Thursdays"})
    link = answer["Location"]
    assert link.startswith("/stats/circle/")
    assert answer.cookies[CIRCLES_COOKIE]["httponly"]
    assert link in text(client.get("/stats/"))
    assert link not in text(Client().get("/stats/"))
    page = client.get(link)
    assert "No game of this circle has ended yet" in text(page)
    assert 'class="qr"' in text(page)
    other = Client()
    other.get(link)
    assert link in text(other.get("/stats/")), "the phone remembers a followed link"


@pytest.mark.parametrize("name", ["", "   ", "x" * 41])
def test_circle_without_valid_name_is_rejected(db: None, client: Client, name: str) -> None:
    answer = client.post("/stats/", {"name": name})
    assert answer.status_code == 400
    assert 'role="alert"' in text(answer)
    assert not Circle.objects.exists()


@pytest.mark.usefixtures("circle")
def test_server_statistics_have_no_names_and_can_be_disabled(client: Client, settings: Any) -> None:
    assert f"{GAMES} games" in text(client.get("/stats/"))
    page = text(client.get(f"/stats/{GAME}/"))
    assert "Who wins" in page
    assert not any(name in page for name in PEOPLE)
    assert not any(code in page for code in Table.objects.values_list("code", flat=True))
    settings.PUBLIC_STATISTICS = False
    assert client.get(f"/stats/{GAME}/").status_code == 404
    index = text(client.get("/stats/"))
    assert "Switched off" in index
    assert f"{GAMES} games" not in index


def test_home_links_to_statistics(db: None, client: Client) -> None:
    assert 'href="/stats/"' in text(client.get("/"))


# A game


@pytest.mark.parametrize("query", ["", "players=3", "clean=1&since=2025-03"])
@pytest.mark.parametrize("of_circle", [False, True])
def test_pages_show_the_queried_numbers(
    circle: Circle, key: str, client: Client, query: str, *, of_circle: bool
) -> None:
    address = f"/stats/circle/{key}/{GAME}/" if of_circle else f"/stats/{GAME}/"
    page = text(client.get(f"{address}?{query}"))
    filters = {"": {}, "players=3": {"players": 3}}.get(query, {"clean": True, "since": "2025-03"})
    expected = queries.game_statistics(Filter(GAME, **filters), circle if of_circle else None)  # type: ignore[arg-type]
    assert 0 < expected.games <= GAMES
    counted = [(share.games, share.wins) for share in expected.factions]
    assert [(int(row[1]), int(row[2])) for row in rows(page, "factions")] == counted
    bins = expected.lengths.bins if expected.lengths else ()
    assert [int(row[1]) for row in rows(page, "lengths")] == [games for _minutes, games in bins]
    assert expected.half_time
    assert expected.half_time.winners
    assert f"{float(expected.half_time.winners.points):.1f}" in next(rows(page, "half-time"))
    medians = [box.median for box in expected.points if not box.is_few]
    assert [int(row[4]) for row in rows(page, "points")] == medians


@pytest.mark.usefixtures("circle")
def test_filter_is_kept_in_the_form(client: Client, key: str) -> None:
    page = text(client.get(f"/stats/circle/{key}/{GAME}/?players=3&clean=1&until=2026-01"))
    assert re.search(r'<option value="3" selected>3 players \(\d+\)</option>', page)
    assert 'name="until" value="2026-01"' in page
    assert 'name="clean" value="1" checked' in page
    assert "until=2026-01&amp;players=3&amp;clean=1" in page, "downloads have the same filter"


@pytest.mark.parametrize(
    "bad", ["players=many", "players=99", "since=2026", "option=chess", "clean=maybe", "mode=x", "since=%00"]
)
@pytest.mark.usefixtures("circle")
def test_invalid_filter_is_rejected_with_a_message(client: Client, key: str, bad: str) -> None:
    for address in (f"/stats/{GAME}/", f"/stats/circle/{key}/{GAME}/"):
        answer = client.get(f"{address}?{bad}")
        assert answer.status_code == 400
        assert 'role="alert"' in text(answer)
        assert "data-figure" not in text(answer)
    for file in ("results.csv", "games.json"):
        assert client.get(f"/stats/circle/{key}/{file}?game={GAME}&{bad}").status_code == 400


def test_unknown_game_returns_404(key: str, client: Client) -> None:
    for address in ("/stats/chess/", f"/stats/circle/{key}/chess/", f"/stats/circle/{key}/chess/1/"):
        assert client.get(address).status_code == 404
    assert client.get(f"/stats/circle/{key}/results.csv?game=chess").status_code == 404


def test_too_few_games_show_a_message_without_charts(key: str, client: Client) -> None:
    fill(Circle.objects.get(), GAME, 2)
    page = text(client.get(f"/stats/{GAME}/"))
    assert "Too few games to tell anything yet: 2." in page
    assert "data-figure" not in page
    empty = text(client.get("/stats/signoria/"))
    assert "has been finished here yet" in empty
    assert "data-figure" not in empty
    assert "No game is like that." in text(client.get(f"/stats/{GAME}/?until=2020-01"))


# A circle


@pytest.mark.parametrize("part", ["", "raubritter/", "raubritter/1/", "results.csv", "games.json"])
@pytest.mark.parametrize("wrong", ["nothing", "x" * 70, "%00", "ü"])
def test_unknown_circle_link_returns_404(db: None, client: Client, part: str, wrong: str) -> None:
    answer = client.get(f"/stats/circle/{wrong}/{part}")
    assert answer.status_code == 404
    assert "There is no circle at this link" in text(answer)


def test_circle_pages_are_not_cached_or_indexed(circle: Circle, key: str, client: Client) -> None:
    member = Member.objects.get(circle=circle, name="Ada")
    for part in ("", f"{GAME}/", f"{GAME}/{member.pk}/", "results.csv", "games.json"):
        answer = client.get(f"/stats/circle/{key}/{part}")
        assert answer.status_code == 200, part
        assert answer["Cache-Control"] == "private, no-store"
        assert answer["X-Robots-Tag"] == "noindex, nofollow"
        assert answer["Referrer-Policy"] == "same-origin"


def test_overview_lists_members_games_and_records(circle: Circle, key: str, client: Client) -> None:
    page = text(client.get(f"/stats/circle/{key}/"))
    for line in queries.members_of(circle, GAME):
        assert f"<b>{line.rating.mu:.1f}</b>" in page
        assert f"/stats/circle/{key}/{GAME}/{line.pk}/" in page
    newest = queries.games_of(circle)
    for game in newest.games:
        assert all(f"/t/{game.code}/{part}" in page for part in ("", "report/", "replay/"))
    assert "Most points" in page
    older = text(client.get(f"/stats/circle/{key}/?after={newest.following}"))
    assert [game.code in older for game in newest.games] == [False] * queries.PAGE
    assert older.count('class="came-off"') == GAMES - queries.PAGE
    assert client.get(f"/stats/circle/{key}/?after=nowhere").status_code == 400
    assert client.get(f"/stats/circle/{key}/{GAME}/?after=nowhere").status_code == 400


def test_games_with_corrections_are_marked(circle: Circle, key: str, client: Client) -> None:
    """Marks are shown in the list and the records, also for a game that was ended early."""
    games = queries.games_of(circle).games
    early = next(game for game in games if game.clean)
    Result.objects.filter(table__code=early.code).update(early=True, is_clean=False)
    marked = [game for game in games if game.corrected]
    assert 0 < len(marked) < len(games)
    assert early.code not in [game.code for game in queries.games_of(circle).games if game.corrected]
    records, listed = text(client.get(f"/stats/circle/{key}/")).split('class="games"')
    assert listed.count("with corrections") == len(marked)
    add_notice(Table.objects.get(code=early.code), "left-out", number="3", reason="misplayed")
    records, listed = text(client.get(f"/stats/circle/{key}/{GAME}/")).split('class="games"')
    assert re.search(r"ended early · with corrections", listed)
    best_games = queries.records_of(circle, GAME)
    lines = [best.game for best in best_games.points]
    lines += [
        *best_games.narrowest,
        *best_games.clearest,
        *best_games.longest,
        *best_games.shortest,
    ]
    assert records.count("with corrections") == sum(line.corrected for line in lines) > 0


def test_query_count_does_not_grow_with_games(key: str, client: Client) -> None:
    circle, counts = Circle.objects.get(), []
    for _more in range(2):
        Table.objects.filter(circle=circle).delete()
        fill(circle, GAME, 6 + 10 * len(counts))
        counts.append([])
        for part in ("", f"{GAME}/"):
            with CaptureQueriesContext(connection) as captured:
                client.get(f"/stats/circle/{key}/{part}")
            counts[-1].append(len(captured))
    assert counts[0] == counts[1]


def test_member_page_shows_ratings_and_opponents(circle: Circle, key: str, client: Client) -> None:
    member = Member.objects.get(circle=circle, name="Ada")
    page = text(client.get(f"/stats/circle/{key}/{GAME}/{member.pk}/"))
    expected = queries.member_statistics(circle, member.pk, GAME)
    newest = [f"{point.rating.mu:.1f}" for point in reversed(expected.course)]
    assert [row[3] for row in rows(page, "rating")] == newest
    against = [
        [rival.name, str(rival.wins), str(rival.ties), str(rival.losses)] for rival in expected.against
    ]
    assert [row[:4] for row in rows(page, "against")] == against
    assert client.get(f"/stats/circle/{key}/signoria/{member.pk}/").status_code == 404
    for other in ("0", "999999", "x", "9" * 40, "²"):
        assert client.get(f"/stats/circle/{key}/{GAME}/{other}/").status_code == 404


def test_circle_can_be_renamed_and_its_link_renewed(circle: Circle, key: str, client: Client) -> None:
    client.post(f"/stats/circle/{key}/", {"do": "rename", "name": "Fridays"})
    assert "Fridays" in text(client.get(f"/stats/circle/{key}/"))
    assert client.post(f"/stats/circle/{key}/", {"do": "rename", "name": ""}).status_code == 400
    assert client.post(f"/stats/circle/{key}/", {"do": "dance"}).status_code == 400
    renewed = client.post(f"/stats/circle/{key}/", {"do": "renew"})["Location"]
    assert client.get(f"/stats/circle/{key}/").status_code == 404
    assert client.get(renewed).status_code == 200
    assert key not in client.cookies[CIRCLES_COOKIE].value
    assert renewed in text(client.get("/stats/"))
    client.post(renewed, {"do": "leave"})
    assert renewed not in text(client.get("/stats/"))
    circle.refresh_from_db()
    assert circle.name == "Fridays"


def test_member_can_be_removed(key: str, client: Client) -> None:
    table = import_evening(Evening("raubritter-pad", 2, 0, BEGIN, ("Ada", "Béla")), Circle.objects.get())
    member = Member.objects.get(name="Ada")
    client.post(f"/stats/circle/{key}/", {"do": "forget", "member": member.pk})
    page = text(client.get(f"/stats/circle/{key}/"))
    assert "Béla" in page
    assert "Ada" not in page
    assert not table.seats.filter(name="Ada").exists()
    assert client.post(f"/stats/circle/{key}/", {"do": "forget", "member": "x"}).status_code == 404


# Tables of a circle


def test_table_opened_in_a_circle_offers_its_names(circle: Circle, key: str) -> None:
    phone = Phone()
    answer = phone.client.post("/open/", {"game": f"full:{GAME}", "circle": key})
    phone.code = answer["Location"].split("/")[2]
    assert phone.table().circle == circle
    page = text(phone.get())
    assert all(f'<option value="{name}"></option>' in page for name in PEOPLE)
    assert phone.client.post("/open/", {"game": f"full:{GAME}", "circle": "nope"}).status_code == 404


def test_only_the_host_chooses_the_circle_of_a_table(ada: Phone, charlie: Phone, key: str) -> None:
    circle = Circle.objects.get()
    assert "Let it count" not in text(ada.get("?tab=menu")), "the phone knows no circle"
    ada.client.get(f"/stats/circle/{key}/")
    assert "Let it count" in text(ada.get("?tab=menu"))
    charlie.client.get(f"/stats/circle/{key}/")
    assert "Let it count" not in text(charlie.get("?tab=menu"))
    assert charlie.post("host/", do="circle", circle=key).status_code in (401, 403)
    ada.post("host/?tab=menu", do="circle", circle=key)
    assert ada.table().circle == circle
    assert "Counts here" in text(ada.get("?tab=menu"))
    assert f"/stats/circle/{key}/" in text(charlie.get("?tab=menu"))
    assert key not in text(Client().get(f"/t/{ada.code}/?tab=menu"))
    ada.post("host/", do="abandon")
    ada.post("host/", do="rematch")
    assert Table.objects.exclude(code=ada.code).get().circle == circle
    ada.post("host/?tab=menu", do="circle", circle="")
    assert ada.table().circle is None
    assert ada.post("host/", do="circle", circle="nope").status_code == 404


def test_renaming_the_circle_changes_the_etag_of_the_menu(ada: Phone, key: str) -> None:
    ada.client.get(f"/stats/circle/{key}/")
    tag = ada.get("?tab=menu")["ETag"]
    assert ada.get("?tab=menu", **{"If-None-Match": tag}).status_code == 304
    ada.client.post(f"/stats/circle/{key}/", {"do": "rename", "name": "Fridays"})
    assert "Fridays" in text(ada.get("?tab=menu", **{"If-None-Match": tag}))

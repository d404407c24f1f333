"""The pages of the printed figures: what ships, a group's copy, the figures of a table."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from companion.boards.forms import screenfuls, title_of
from companion.models import Board, Table
from companion.tables.board_copies import Compared, compare, make_copy, write_board
from games.raubritter import RAUBRITTER
from games.registry import GAMES
from tests.pages.conftest import Phone

pytestmark = pytest.mark.django_db

SHIPPED = "/boards/raubritter/"


@pytest.fixture
def phone() -> Client:
    return Client()


@pytest.fixture
def board(phone: Client) -> Board:
    phone.post(SHIPPED, {"do": "copy", "name": "Our box"})
    return Board.objects.get()


def address(board: Board, at: str = "") -> str:
    return f"{SHIPPED}{board.code}/" + (f"?at={at}" if at else "")


def text(answer: Any) -> str:
    return unescape(re.sub(r"\s+", " ", answer.content.decode()))


def fields(answer: Any) -> dict[str, Any]:
    """What the form of a page would send."""
    page = answer.content.decode()
    form = page[page.index('id="figures"') : page.index("</form>", page.index('id="figures"'))]
    sent: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        kind = re.search(r'type="(\w+)"', tag)
        name = re.search(r'name="([^"]*)"', tag)
        if not kind or not name or (kind[1] in ("checkbox", "radio") and " checked" not in tag):
            continue
        value = re.search(r'value="([^"]*)"', tag)
        sent.setdefault(name[1], []).append(unescape(value[1]) if value else "")
    for name, options in re.findall(r'<select[^>]*name="([^"]*)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'<option value="([^"]*)" selected>', options)
        sent.setdefault(name, []).append(chosen[1] if chosen else "")
    return sent


# What ships


def test_every_figure_is_shown_with_where_it_comes_from(phone: Client) -> None:
    page = text(phone.get(SHIPPED))
    for words in (
        "Tiles of one player’s set",
        "Plain castle",
        "rulebook",
        "Letter B",
        "found",
        "Rows",
        "unverified",
    ):
        assert words in page
    assert page.count('class="source rulebook"') >= 9


@pytest.mark.parametrize(
    "path", ["/boards/chess/", "/boards/", "/boards/chess/ABCDEFGH/", f"{SHIPPED}ABCDEFGH/"]
)
def test_what_is_not_there(phone: Client, path: str) -> None:
    assert phone.get(path).status_code == 404
    assert phone.get(f"{path}export/").status_code == 404


@pytest.mark.parametrize("slug", list(GAMES))
def test_every_game_can_be_compared_screen_by_screen(phone: Client, slug: str) -> None:
    game = GAMES[slug]
    copy = make_copy(game=game, name="Ours")
    assert phone.get(f"/boards/{slug}/").status_code == 200
    screens = screenfuls(game)
    assert sorted(path for one in screens for path in one.paths) == sorted(map(".".join, game.board.leaves))
    for screen in screens:
        answer = phone.get(f"/boards/{slug}/{copy.code}/?at={screen.key}")
        assert title_of(game, screen) in text(answer)
        sent = {**fields(answer), "right": "all"}
        assert phone.post(f"/boards/{slug}/{copy.code}/", sent).status_code == 302
    copy.refresh_from_db()
    assert copy.figures == game.board.figures
    assert copy.confirmed == [".".join(path) for path in game.board.leaves]
    assert "Everything is compared." in text(phone.get(f"/boards/{slug}/{copy.code}/"))


# Copies


def test_a_phone_remembers_its_copies(phone: Client, board: Board) -> None:
    assert "Our box" in text(phone.get(SHIPPED))
    assert "0 of 15 compared" in text(phone.get(SHIPPED))
    assert "Our box" not in text(Client().get(SHIPPED))


def test_a_copy_is_found_by_its_code(board: Board) -> None:
    other = Client()
    answer = other.post(SHIPPED, {"do": "find", "code": f" {board.code.lower()} "})
    assert answer["Location"] == address(board)
    assert "Our box" in text(other.get(SHIPPED))
    answer = other.post(SHIPPED, {"do": "find", "code": "WRONG"})
    assert answer.status_code == 404
    assert "There is no copy with this code." in text(answer)


@pytest.mark.parametrize("sent", [{"do": "copy", "name": " "}, {"do": "import"}, {"do": "dance"}, {}])
def test_a_copy_without_what_it_needs(phone: Client, sent: dict[str, str]) -> None:
    answer = phone.post(SHIPPED, sent)
    assert (answer.status_code, Board.objects.count()) == (400, 0)
    assert 'role="alert"' in text(answer)


def test_a_correction_is_kept_confirmed_and_told_apart(phone: Client, board: Board) -> None:
    sent = fields(phone.get(address(board, "start")))
    assert sent["f.start.rows"] == ["2"]
    answer = phone.post(address(board), {**sent, "f.start.rows": "1"})
    assert answer["Location"] == address(board, "start")
    board.refresh_from_db()
    assert (board.figures["start"]["rows"], board.confirmed) == (1, ["start.rows"])
    page = text(phone.get(address(board)))
    assert "1 of 15 compared" in page
    assert "Starting rectangle, Rows" in page
    assert "As shipped: 2" in text(phone.get(address(board, "start")))


def test_one_figure_is_right_and_all_of_them_lead_on(phone: Client, board: Board) -> None:
    sent = fields(phone.get(address(board, "tile_set")))
    phone.post(address(board), {**sent, "right": "tile_set.lake"})
    board.refresh_from_db()
    assert board.confirmed == ["tile_set.lake"]
    answer = phone.post(address(board), {**sent, "right": "all"})
    assert answer["Location"] == address(board, "letters.A")
    board.refresh_from_db()
    assert len(board.confirmed) == 9
    phone.post(address(board), {**sent, "unsure": "tile_set.lake"})
    board.refresh_from_db()
    assert "tile_set.lake" not in board.confirmed


def test_what_cannot_be_is_said_at_the_top_and_beside_the_figure(phone: Client, board: Board) -> None:
    sent = fields(phone.get(address(board, "tile_set")))
    answer = phone.post(address(board), {**sent, "f.tile_set.lake": "2"}, follow=True)
    page = text(answer)
    assert "A set has 24 tiles; this one adds up to 25." in page
    assert '<p class="note bad">Lake: the set has 2, but 1 bear a letter.</p>' in page
    overview = text(phone.get(address(board)))
    assert "Lake: the set has 2" in overview
    assert "Open a table with it" not in overview


def test_a_list_loses_and_gains_a_name(phone: Client, board: Board) -> None:
    sent = fields(phone.get(address(board, "letters.A")))
    assert sent["f.letters.A"] == ["plain-castle", "plain", "plain-village", "mountain", ""]
    phone.post(
        address(board), {**sent, "f.letters.A": ["plain-castle", "", "lake", "plain", "lake", "mountain"]}
    )
    board.refresh_from_db()
    assert board.figures["letters"]["A"] == ["plain-castle", "lake", "plain", "lake", "mountain"]


@pytest.mark.parametrize(
    "change",
    [
        {"f.tile_set.lake": "many"},
        {"f.tile_set.lake": "-1"},
        {"f.tile_set.lake": ""},
        {"f.tile_set.lake": "1e99"},
        {"was.tile_set.lake": "{"},
        {"was.moon": "1"},
    ],
)
def test_what_is_badly_typed_is_refused_and_changes_nothing(
    phone: Client, board: Board, change: dict[str, str]
) -> None:
    sent = fields(phone.get(address(board, "tile_set")))
    answer = phone.post(address(board), {**sent, **change})
    assert answer.status_code == 400
    assert 'role="alert"' in text(answer)
    board.refresh_from_db()
    assert (board.figures, board.confirmed) == (RAUBRITTER.board.figures, [])


def test_the_second_phone_is_told_and_keeps_what_it_typed(phone: Client, board: Board) -> None:
    sent = fields(phone.get(address(board, "tile_set")))
    other = {("tile_set", "lake"): Compared(1, 3, right=True)}
    compare(game=RAUBRITTER, board=board, figures=other)
    answer = phone.post(address(board), {**sent, "f.tile_set.lake": "2"})
    page = text(answer)
    assert answer.status_code == 409
    assert "Somebody else has changed this meanwhile." in page
    assert "Somebody else has set this to: 3" in page
    again = fields(answer)
    assert (again["f.tile_set.lake"], again["was.tile_set.lake"]) == (["2"], ["3"])
    phone.post(address(board), again)
    board.refresh_from_db()
    assert board.figures["tile_set"]["lake"] == 2


def test_export_and_import(phone: Client, board: Board) -> None:
    answer = phone.get(f"{address(board)}export/")
    assert answer["Content-Disposition"] == f'attachment; filename="raubritter-{board.code}.json"'
    assert answer.json() == write_board(board)
    file = SimpleUploadedFile("board.json", answer.content)
    answer = Client().post(SHIPPED, {"do": "import", "file": file})
    assert (answer.status_code, Board.objects.count()) == (302, 2)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"format": "other"}'])
def test_a_file_that_is_no_board(phone: Client, content: bytes) -> None:
    answer = phone.post(SHIPPED, {"do": "import", "file": SimpleUploadedFile("board.json", content)})
    assert (answer.status_code, Board.objects.count()) == (400, 0)


def test_a_file_of_another_game(phone: Client, board: Board) -> None:
    document = {**write_board(board), "game": "wallenstein"}
    file = SimpleUploadedFile("board.json", json.dumps(document).encode())
    answer = phone.post(SHIPPED, {"do": "import", "file": file})
    assert "This is the board of another game." in text(answer)


# The lobby


def test_the_host_takes_a_copy_of_this_phone_to_the_table(ada: Phone, bela: Phone) -> None:
    ada.client.post(SHIPPED, {"do": "copy", "name": "Our box"})
    board = Board.objects.get()
    page = text(ada.get())
    assert "Our box" in page
    assert "6 figures have not been compared with a real board." in page
    ada.post("host/", do="board", board=board.code)
    assert ada.table().board == board
    ada.post("host/", do="board", board="")
    assert ada.table().board is None
    answer = ada.post("host/", do="board", board="WRONG")
    assert "There is no copy with this code." in text(answer)
    bela.post("host/", do="board", board=board.code)
    assert ada.table().board is None
    assert "Our box" not in text(bela.get())


def test_the_lobby_is_not_taken_from_the_cache_when_a_copy_changed(ada: Phone) -> None:
    tag = ada.get()["ETag"]
    ada.client.post(SHIPPED, {"do": "copy", "name": "Our box"})
    assert ada.get(**{"If-None-Match": tag}).status_code == 200


def test_a_table_is_opened_with_a_copy(phone: Client, board: Board) -> None:
    answer = phone.post("/open/", {"game": "raubritter", "board": board.code})
    assert Table.objects.get(code=answer["Location"].split("/")[2]).board == board
    assert phone.post("/open/", {"game": "raubritter", "board": "WRONG"}).status_code == 404


# In a game


def test_the_help_leads_to_the_figures_of_the_table(playing: Phone) -> None:
    page = text(playing.get("?tab=help"))
    assert "6 figures have not been compared with a real board." in page
    assert f"/t/{playing.code}/figures/" in page
    page = text(playing.get("figures/"))
    assert "?path=letters.A" in page


def swap(playing: Phone, **more: Any) -> Any:
    """The lake and a mountain change letters."""
    sent = fields(playing.get("figures/?path=letters.A&path=letters.B"))
    sent["f.letters.A"] = ["plain-castle", "plain", "plain-village", "lake"]
    sent["f.letters.B"] = ["mountain", *sent["f.letters.B"][1:]]
    return playing.client.post(f"/t/{playing.code}/figures/", {**sent, "reason": "We looked.", **more})


def test_figures_are_corrected_during_a_game(playing: Phone) -> None:
    answer = swap(playing)
    assert answer.status_code == 302
    entry = playing.table().entries.last()
    assert entry is not None
    assert (entry.action["type"], entry.action["path"]) == ("figure", ["letters"])
    assert entry.action["value"]["A"] == ["plain-castle", "plain", "plain-village", "lake"]
    assert "Letters on the backs, Letter A" in text(playing.get("?tab=journal"))


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"reason": " "}, 400, "Please say in a word how you know."),
        ({"f.letters.B": ["lake"]}, 400, "the set has"),
        ({"f.letters.A": ["moon"]}, 400, "cannot stand for"),
        ({"was.letters.A": '["lake"]'}, 409, "Somebody else has changed this meanwhile."),
        ({"do": "copy"}, 404, "There is no copy with this code."),
    ],
)
def test_what_is_refused_during_a_game_stays_typed(
    playing: Phone, change: dict[str, Any], status: int, words: str
) -> None:
    answer = swap(playing, **change)
    assert answer.status_code == status
    assert words in text(answer)
    assert playing.table().latest == 2
    typed = change.get("f.letters.A", ["plain-castle", "plain", "plain-village", "lake"])
    known = [tile if tile != "moon" else "" for tile in typed]  # no choice of that name
    assert fields(answer)["f.letters.A"] == [*known, ""]


def test_nothing_changed_is_no_entry(playing: Phone) -> None:
    sent = fields(playing.get("figures/?path=start"))
    answer = playing.client.post(f"/t/{playing.code}/figures/", {**sent, "reason": "We looked."})
    assert "Nothing is changed yet." in text(answer)


def test_more_figures_are_shown_without_losing_what_is_typed(playing: Phone) -> None:
    sent = fields(playing.get("figures/?path=letters.A"))
    sent["f.letters.A"] = ["plain-castle", "plain", "plain-village", "lake"]
    answer = playing.client.post(f"/t/{playing.code}/figures/", {**sent, "more": "letters.B"})
    shown = fields(answer)
    assert (shown["f.letters.A"][3], shown["f.letters.B"][0]) == ("lake", "lake")


def test_a_spectator_may_look_but_not_change(playing: Phone, charlie: Phone) -> None:
    assert "Play with this" not in text(charlie.get("figures/?path=start"))
    sent = fields(charlie.get("figures/?path=start"))
    answer = charlie.client.post(
        f"/t/{charlie.code}/figures/", {**sent, "f.start.rows": "1", "reason": "Because."}
    )
    assert answer.status_code == 401


def test_before_the_game_there_are_none(ada: Phone) -> None:
    assert ada.get("figures/").status_code == 302
    assert ada.client.get("/t/WRONG7/figures/").status_code == 404


def on_copy(ada: Phone, bela: Phone) -> Board:
    """A game that began with a copy."""
    ada.client.post(SHIPPED, {"do": "copy", "name": "Our box"})
    board = Board.objects.get()
    ada.post("host/", do="board", board=board.code)
    ada.post("host/", do="start")
    return board


def test_a_correction_is_written_into_the_copy_too(ada: Phone, bela: Phone) -> None:
    board = on_copy(ada, bela)
    assert "Write it into “Our box” too" in text(ada.get("figures/?path=letters.A"))
    assert swap(ada, too="yes").status_code == 302
    board.refresh_from_db()
    assert board.figures["letters"]["A"][3] == "lake"
    assert board.confirmed == ["letters.A", "letters.B"]


def test_a_game_takes_over_what_its_copy_says_by_now(ada: Phone, bela: Phone) -> None:
    board = on_copy(ada, bela)
    swapped = {**board.figures["letters"]}
    swapped["A"], swapped["B"] = [*swapped["A"][:3], "lake"], ["mountain", *swapped["B"][1:]]
    Board.objects.filter(pk=board.pk).update(figures={**board.figures, "letters": swapped})
    assert "says otherwise by now" in text(ada.get("figures/"))
    ada.post("figures/", do="copy", reason="Compared at home.")
    assert ada.table().latest == 1
    assert "says otherwise by now" not in text(ada.get("figures/"))


def test_a_copy_is_renamed_and_deleted(phone: Client, board: Board) -> None:
    answer = phone.post(address(board), {"do": "rename", "name": "x" * 30})
    assert answer.status_code == 400
    assert 'role="alert"' in text(answer)
    phone.post(address(board), {"do": "rename", "name": "The attic’s"})
    assert '<h1 class="what">The attic’s</h1>' in text(phone.get(address(board)))
    assert phone.post(address(board), {"do": "delete"})["Location"] == SHIPPED
    assert not Board.objects.exists()
    assert phone.get(address(board)).status_code == 404
    assert "Your copies" not in text(phone.get(SHIPPED))


def test_a_table_whose_copy_is_gone_does_not_say_it_began_as_shipped(ada: Phone, bela: Phone) -> None:
    board = on_copy(ada, bela)
    ada.client.post(address(board), {"do": "delete"})
    for part in ("figures/", "?tab=help"):
        assert "This table began with the figures as shipped." in text(ada.get(part)), "they were no others"
    table = ada.table()
    Table.objects.filter(pk=table.pk).update(
        setup={**table.setup, "figures": {**table.setup["figures"], "start": {"rows": 1}}}
    )
    for part in ("figures/", "?tab=help"):
        assert "This table began with figures of its own." in text(ada.get(part))


def test_the_arms_of_a_river_grow_and_shrink(phone: Client) -> None:
    """Lists of lists: as many arms as the copy shows, each with its settlements."""
    board = make_copy(game=GAMES["revolution"], name="Attic")
    here = f"/boards/revolution/{board.code}/?at=rivers.rhine"
    arms = "f.rivers.rhine.channels"

    def save(**changes: list[str]) -> Any:
        phone.post(here, {**fields(phone.get(here)), **{f"{arms}.{k}": v for k, v in changes.items()}})
        board.refresh_from_db()
        return board.figures["rivers"]["rhine"]["channels"]

    assert save() == GAMES["revolution"].board.figures["rivers"]["rhine"]["channels"]
    assert board.confirmed == []
    kept = save(**{"gelderland.2": ["town:doesburg", ""]})
    assert kept["gelderland"] == [["town:arnhem"], ["town:nijmegen"]], "no such town: refused"
    kept = save(**{"holland.2": ["town:delft"], "cleve.0": ["city:koeln"]})
    assert kept["holland"] == [["town:rotterdam"], ["town:dordrecht"], ["town:delft"]]
    assert kept["cleve"] == [["city:koeln"]]
    assert board.confirmed == ["rivers.rhine.channels.cleve", "rivers.rhine.channels.holland"]
    assert "Rotterdam / Dordrecht / Delft" in text(phone.get(f"/boards/revolution/{board.code}/"))
    kept = save(**{"holland.0": [""], "holland.1": ["", "town:dordrecht"], "cleve.0": [""]})
    assert kept["holland"] == [["town:dordrecht"], ["town:delft"]]
    assert kept["cleve"] == [[]]

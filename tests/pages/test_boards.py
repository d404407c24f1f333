"""Pages of printed figures: the shipped ones, board copies, and the figures of a table."""

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
from companion.registry import titles
from companion.tables.board_copies import Comparison, compare, make_copy, write_board
from games.raubritter import RAUBRITTER
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
    """Return the fields that the figures form of a page would submit."""
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


# Shipped figures


def test_shipped_figures_are_shown_with_their_source(phone: Client) -> None:
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
def test_unknown_games_and_copies_return_404(phone: Client, path: str) -> None:
    assert phone.get(path).status_code == 404
    assert phone.get(f"{path}export/").status_code == 404


@pytest.mark.parametrize("slug", list(titles()))
def test_confirming_every_screen_confirms_all_figures(phone: Client, slug: str) -> None:
    game = titles()[slug].game
    copy = make_copy(game=game, name="Ours")
    assert phone.get(f"/boards/{slug}/").status_code == 200
    screens = screenfuls(game)
    assert sorted(path for screen in screens for path in screen.paths) == sorted(
        map(".".join, game.board.leaves)
    )
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


def test_shipped_page_lists_copies_of_this_phone_only(phone: Client, board: Board) -> None:
    assert "Our box" in text(phone.get(SHIPPED))
    assert "0 of 15 compared" in text(phone.get(SHIPPED))
    assert "Our box" not in text(Client().get(SHIPPED))


def test_copy_is_found_by_its_code(board: Board) -> None:
    other = Client()
    answer = other.post(SHIPPED, {"do": "find", "code": f" {board.code.lower()} "})
    assert answer["Location"] == address(board)
    assert "Our box" in text(other.get(SHIPPED))
    answer = other.post(SHIPPED, {"do": "find", "code": "WRONG"})
    assert answer.status_code == 404
    assert "There is no copy with this code." in text(answer)


@pytest.mark.parametrize("sent", [{"do": "copy", "name": " "}, {"do": "import"}, {"do": "dance"}, {}])
def test_creating_a_copy_with_missing_fields_is_rejected(phone: Client, sent: dict[str, str]) -> None:
    answer = phone.post(SHIPPED, sent)
    assert (answer.status_code, Board.objects.count()) == (400, 0)
    assert 'role="alert"' in text(answer)


def test_changed_figure_is_stored_confirmed_and_listed(phone: Client, board: Board) -> None:
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


def test_confirming_all_figures_of_a_screen_leads_to_the_next(phone: Client, board: Board) -> None:
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


def test_invalid_figures_are_reported_on_top_and_next_to_the_figure(phone: Client, board: Board) -> None:
    sent = fields(phone.get(address(board, "tile_set")))
    answer = phone.post(address(board), {**sent, "f.tile_set.lake": "2"}, follow=True)
    page = text(answer)
    assert "A set has 24 tiles; this one adds up to 25." in page
    assert '<p class="note bad">Lake: the set has 2, but 1 bear a letter.</p>' in page
    overview = text(phone.get(address(board)))
    assert "Lake: the set has 2" in overview
    assert "Open a table with it" not in overview


def test_list_figure_can_be_edited(phone: Client, board: Board) -> None:
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
def test_invalid_input_is_rejected_and_changes_nothing(
    phone: Client, board: Board, change: dict[str, str]
) -> None:
    sent = fields(phone.get(address(board, "tile_set")))
    answer = phone.post(address(board), {**sent, **change})
    assert answer.status_code == 400
    assert 'role="alert"' in text(answer)
    board.refresh_from_db()
    assert (board.figures, board.confirmed) == (RAUBRITTER.board.figures, [])


def test_conflicting_change_is_reported_and_input_is_kept(phone: Client, board: Board) -> None:
    sent = fields(phone.get(address(board, "tile_set")))
    other = {("tile_set", "lake"): Comparison(1, 3, right=True)}
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


def test_exported_copy_can_be_imported(phone: Client, board: Board) -> None:
    answer = phone.get(f"{address(board)}export/")
    assert answer["Content-Disposition"] == f'attachment; filename="raubritter-{board.code}.json"'
    assert answer.json() == write_board(board)
    file = SimpleUploadedFile("board.json", answer.content)
    answer = Client().post(SHIPPED, {"do": "import", "file": file})
    assert (answer.status_code, Board.objects.count()) == (302, 2)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000, b'{"format": "other"}'])
def test_importing_an_invalid_file_is_rejected(phone: Client, content: bytes) -> None:
    answer = phone.post(SHIPPED, {"do": "import", "file": SimpleUploadedFile("board.json", content)})
    assert (answer.status_code, Board.objects.count()) == (400, 0)


def test_importing_a_board_of_another_game_is_rejected(phone: Client, board: Board) -> None:
    document = {**write_board(board), "game": "wallenstein"}
    file = SimpleUploadedFile("board.json", json.dumps(document).encode())
    answer = phone.post(SHIPPED, {"do": "import", "file": file})
    assert "This is the board of another game." in text(answer)


# The lobby


def test_only_the_host_chooses_a_copy_for_the_table(ada: Phone, bela: Phone) -> None:
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


def test_new_copy_changes_the_etag_of_the_lobby(ada: Phone) -> None:
    tag = ada.get()["ETag"]
    ada.client.post(SHIPPED, {"do": "copy", "name": "Our box"})
    assert ada.get(**{"If-None-Match": tag}).status_code == 200


def test_table_can_be_opened_with_a_copy(phone: Client, board: Board) -> None:
    answer = phone.post("/open/", {"game": "raubritter", "board": board.code})
    assert Table.objects.get(code=answer["Location"].split("/")[2]).board == board
    assert phone.post("/open/", {"game": "raubritter", "board": "WRONG"}).status_code == 404


# In a game


def test_help_links_to_the_figures_of_the_table(playing: Phone) -> None:
    page = text(playing.get("?tab=help"))
    assert "6 figures have not been compared with a real board." in page
    assert f"/t/{playing.code}/figures/" in page
    page = text(playing.get("figures/"))
    assert "?path=letters.A" in page


def swap(playing: Phone, **more: Any) -> Any:
    """Submit figures in which the lake and a mountain exchange letters."""
    sent = fields(playing.get("figures/?path=letters.A&path=letters.B"))
    sent["f.letters.A"] = ["plain-castle", "plain", "plain-village", "lake"]
    sent["f.letters.B"] = ["mountain", *sent["f.letters.B"][1:]]
    return playing.client.post(f"/t/{playing.code}/figures/", {**sent, "reason": "We looked.", **more})


def test_figures_can_be_corrected_during_a_game(playing: Phone) -> None:
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
def test_rejected_correction_keeps_the_input(
    playing: Phone, change: dict[str, Any], status: int, words: str
) -> None:
    answer = swap(playing, **change)
    assert answer.status_code == status
    assert words in text(answer)
    assert playing.table().latest == 2
    typed = change.get("f.letters.A", ["plain-castle", "plain", "plain-village", "lake"])
    known = [tile if tile != "moon" else "" for tile in typed]  # an unknown name is not among the options
    assert fields(answer)["f.letters.A"] == [*known, ""]


def test_unchanged_figures_are_rejected(playing: Phone) -> None:
    sent = fields(playing.get("figures/?path=start"))
    answer = playing.client.post(f"/t/{playing.code}/figures/", {**sent, "reason": "We looked."})
    assert "Nothing is changed yet." in text(answer)


def test_showing_more_figures_keeps_the_input(playing: Phone) -> None:
    sent = fields(playing.get("figures/?path=letters.A"))
    sent["f.letters.A"] = ["plain-castle", "plain", "plain-village", "lake"]
    answer = playing.client.post(f"/t/{playing.code}/figures/", {**sent, "more": "letters.B"})
    shown = fields(answer)
    assert (shown["f.letters.A"][3], shown["f.letters.B"][0]) == ("lake", "lake")


def test_spectator_sees_figures_but_cannot_change_them(playing: Phone, charlie: Phone) -> None:
    assert "Play with this" not in text(charlie.get("figures/?path=start"))
    sent = fields(charlie.get("figures/?path=start"))
    answer = charlie.client.post(
        f"/t/{charlie.code}/figures/", {**sent, "f.start.rows": "1", "reason": "Because."}
    )
    assert answer.status_code == 401


def test_figures_page_redirects_before_the_game(ada: Phone) -> None:
    assert ada.get("figures/").status_code == 302
    assert ada.client.get("/t/WRONG7/figures/").status_code == 404


def on_copy(ada: Phone, bela: Phone) -> Board:
    """Start a game with a board copy and return the copy."""
    ada.client.post(SHIPPED, {"do": "copy", "name": "Our box"})
    board = Board.objects.get()
    ada.post("host/", do="board", board=board.code)
    ada.post("host/", do="start")
    return board


def test_correction_can_be_stored_in_the_copy_too(ada: Phone, bela: Phone) -> None:
    board = on_copy(ada, bela)
    assert "Write it into “Our box” too" in text(ada.get("figures/?path=letters.A"))
    assert swap(ada, too="yes").status_code == 302
    board.refresh_from_db()
    assert board.figures["letters"]["A"][3] == "lake"
    assert board.confirmed == ["letters.A", "letters.B"]


def test_game_can_adopt_later_changes_of_its_copy(ada: Phone, bela: Phone) -> None:
    board = on_copy(ada, bela)
    swapped = {**board.figures["letters"]}
    swapped["A"], swapped["B"] = [*swapped["A"][:3], "lake"], ["mountain", *swapped["B"][1:]]
    Board.objects.filter(pk=board.pk).update(figures={**board.figures, "letters": swapped})
    assert "says otherwise by now" in text(ada.get("figures/"))
    ada.post("figures/", do="copy", reason="Compared at home.")
    assert ada.table().latest == 1
    assert "says otherwise by now" not in text(ada.get("figures/"))


def test_copy_can_be_renamed_and_deleted(phone: Client, board: Board) -> None:
    answer = phone.post(address(board), {"do": "rename", "name": "x" * 30})
    assert answer.status_code == 400
    assert 'role="alert"' in text(answer)
    phone.post(address(board), {"do": "rename", "name": "The attic’s"})
    assert '<h1 class="what">The attic’s</h1>' in text(phone.get(address(board)))
    assert phone.post(address(board), {"do": "delete"})["Location"] == SHIPPED
    assert not Board.objects.exists()
    assert phone.get(address(board)).status_code == 404
    assert "Your copies" not in text(phone.get(SHIPPED))


def test_origin_of_figures_is_shown_after_the_copy_is_deleted(ada: Phone, bela: Phone) -> None:
    board = on_copy(ada, bela)
    ada.client.post(address(board), {"do": "delete"})
    for part in ("figures/", "?tab=help"):
        assert "This table began with the figures as shipped." in text(ada.get(part)), (
            "the copy was unchanged"
        )
    table = ada.table()
    Table.objects.filter(pk=table.pk).update(
        setup={**table.setup, "figures": {**table.setup["figures"], "start": {"rows": 1}}}
    )
    for part in ("figures/", "?tab=help"):
        assert "This table began with figures of its own." in text(ada.get(part))


def test_lists_of_lists_can_be_edited(phone: Client) -> None:
    """The channels of a river are a list of lists of settlements."""
    board = make_copy(game=titles()["revolution"].game, name="Attic")
    here = f"/boards/revolution/{board.code}/?at=rivers.rhine"
    arms = "f.rivers.rhine.channels"

    def save(**changes: list[str]) -> Any:
        phone.post(here, {**fields(phone.get(here)), **{f"{arms}.{k}": v for k, v in changes.items()}})
        board.refresh_from_db()
        return board.figures["rivers"]["rhine"]["channels"]

    assert save() == titles()["revolution"].game.board.figures["rivers"]["rhine"]["channels"]
    assert board.confirmed == []
    stored = save(**{"gelderland.2": ["town:doesburg", ""]})
    assert stored["gelderland"] == [["town:arnhem"], ["town:nijmegen"]], "no such town: refused"
    stored = save(**{"holland.2": ["town:delft"], "cleve.0": ["city:koeln"]})
    assert stored["holland"] == [["town:rotterdam"], ["town:dordrecht"], ["town:delft"]]
    assert stored["cleve"] == [["city:koeln"]]
    assert board.confirmed == ["rivers.rhine.channels.cleve", "rivers.rhine.channels.holland"]
    assert "Rotterdam / Dordrecht / Delft" in text(phone.get(f"/boards/revolution/{board.code}/"))
    stored = save(**{"holland.0": [""], "holland.1": ["", "town:dordrecht"], "cleve.0": [""]})
    assert stored["holland"] == [["town:dordrecht"], ["town:delft"]]
    assert stored["cleve"] == [[]]

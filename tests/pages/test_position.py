"""The position page without JavaScript."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.journal.states import state_at
from companion.models import Entry
from tests.pages.conftest import HTMX, Phone

AT = "position/?place=cell:0,0"


def put(phone: Phone, piece: str, at: str = AT, **fields: str) -> Any:
    place = at.partition("place=")[2]
    return phone.post(at, do="put", what=piece, place=place, **fields)


def text(phone: Phone, part: str = "position/") -> str:
    page = re.sub(r"<[^>]+>", " ", phone.get(part).content.decode())
    return " ".join(page.split())


def test_draft_is_submitted_as_one_entry(playing: Phone) -> None:
    playing.post("position/", do="empty")
    put(playing, "red plain-castle")
    for knight in ("blue", "red", "blue"):
        put(playing, f"{knight} knight")
    put(playing, "blue plain-village", "position/?place=cell:1,0")
    playing.post("position/", do="round", round="4")
    playing.post("position/", do="turn", faction="blue")
    playing.post("position/", do="earlier", faction="blue")
    assert playing.table().latest == 2, "nothing is submitted yet"
    assert "This can be." in text(playing)
    assert "Blue controls it; from the top 1 Blue, 1 Red, 1 Blue" in text(playing, AT)

    answer = playing.post("position/", do="send", key="once")

    assert answer["Location"] == f"/t/{playing.code}/"
    table = playing.table()
    assert (table.round, table.waiting_for, table.order, table.latest) == (4, ["blue"], ["blue", "red"], 3)
    pile = state_at(table, 3).ledger.pile("cell:0,0")
    assert pile == (("red", "plain-castle"), ("blue", "knight"), ("red", "knight"), ("blue", "knight"))
    entry = Entry.objects.get(table=table, number=3)
    assert entry.faction == "red"
    assert "plain-village" in str(entry.action)
    assert "Round 4" in text(playing, "")


def test_position_clears_earlier_hand_moves(playing: Phone) -> None:
    assert "Hands" in text(playing, "")
    playing.post("position/", do="empty")
    put(playing, "red plain-castle")
    playing.post("position/", do="send")
    assert "The game goes on from what lies on the table" in text(playing, "")
    assert "Hands" not in text(playing, "")


def test_draft_starts_from_the_state_and_is_kept_per_phone(playing: Phone, bela: Phone) -> None:
    assert "This can be." in text(playing)
    assert "plain: no knights" in text(playing, AT)
    put(playing, "red knight")
    assert "Red controls it with 1 knight" in text(playing, AT)
    assert "plain: no knights" in text(bela, AT), "each phone has its own"
    playing.post("position/", do="again")
    assert "plain: no knights" in text(playing, AT)


def test_invalid_draft_is_reported_before_submitting(playing: Phone) -> None:
    for _ in range(5):
        put(playing, "red knight")
    assert "Not yet: K11: 5 knights cannot stand on a plain." in text(playing)
    assert playing.post("position/", do="send").status_code == 400
    for _ in range(5):
        playing.post(AT, do="take", what="red knight", place="cell:0,0")
    for x in range(2, 9):
        put(playing, "red lake", f"position/?place=cell:{x},0")
    assert "Not yet: Red: more tiles “lake” on the table than there are." in text(playing)
    playing.post("position/", do="empty")
    for x in range(25):
        put(playing, "red plain", f"position/?place=cell:{x % 5},{x // 5}")
    assert "Red: there are only 24 unseen tiles in the box, but 25 are named." in text(playing)
    assert playing.table().latest == 2


def test_place_can_be_cleared(playing: Phone) -> None:
    playing.post(AT, do="clear", place="cell:0,0")
    assert "no tile: no knights" in text(playing, AT)
    assert "red has" not in text(playing)


@pytest.mark.parametrize(
    "fields",
    [
        {"do": ""},
        {"do": "fly"},
        {"do": "put", "what": "red dragon", "place": "cell:0,0"},
        {"do": "put", "what": "green knight", "place": "cell:0,0"},
        {"do": "put", "what": "red knight", "place": "x" * 61},
        {"do": "take"},
        {"do": "round", "round": "0"},
        {"do": "round", "round": "x"},
        {"do": "round", "round": "1" * 40},
        {"do": "turn", "faction": "green"},
        {"do": "earlier", "faction": ""},
    ],
)
def test_invalid_taps_are_rejected(playing: Phone, fields: dict[str, str]) -> None:
    before = text(playing)
    assert playing.post("position/", **fields).status_code == 400
    assert text(playing) == before


def test_unknown_place_is_reported_before_submitting(playing: Phone) -> None:
    put(playing, "red knight", "position/?place=moon")
    assert "Not yet: There is no place “moon” on this table." in text(playing)


def test_htmx_gets_only_the_main_element(playing: Phone) -> None:
    answer = playing.post(AT, htmx=True, do="put", what="red knight", place="cell:0,0")
    assert answer.content.decode().lstrip().startswith("<main")
    sent = playing.post("position/", htmx=True, do="send")
    assert sent["HX-Redirect"] == f"/t/{playing.code}/"
    assert playing.get("position/", **HTMX).status_code == 200


def test_owner_of_the_last_tile_stays_selected(playing: Phone) -> None:
    at = "position/?place=cell:2,0"
    answer = playing.post(at, do="put", owner="blue", piece="plain-town", place="cell:2,0")
    assert answer["Location"].endswith("?place=cell%3A2%2C0&owner=blue")
    page = playing.get("position/?place=cell:3,0&owner=blue").content.decode()
    assert re.search(r'value="blue" checked', page)


def test_host_can_start_the_game_from_the_position_page(ada: Phone, bela: Phone) -> None:
    assert "First everybody takes a seat." in text(bela)
    assert "Hold to start the game" not in text(bela)
    assert bela.post("position/", do="start").status_code == 403
    assert bela.post("position/", do="empty").status_code == 400
    assert "Hold to start the game" in text(ada)
    ada.post("position/", do="start")
    assert ada.table().status == "playing"
    assert "This can be." in text(ada)


def test_spectators_and_unknown_tables_are_rejected(playing: Phone, charlie: Phone) -> None:
    assert charlie.get("position/").status_code == 401
    assert charlie.post("position/", do="empty").status_code == 401
    charlie.code = "CCCCCC"
    assert charlie.get("position/").status_code == 404


def test_ended_game_has_no_draft(playing: Phone) -> None:
    playing.post("host/", do="finish")
    assert "This game was ended." in text(playing)


def test_unreadable_draft_is_discarded(playing: Phone) -> None:
    session = playing.client.session
    session[f"position-{playing.code}"] = {"type": "position", "moon": 3}
    session.save()
    assert "This can be." in text(playing)


def test_menu_and_corrections_link_to_the_page(playing: Phone) -> None:
    link = f'href="/t/{playing.code}/position/"'
    assert link in playing.get("?tab=menu").content.decode()
    assert link in playing.get("?tab=correct").content.decode()


def test_position_can_be_submitted_by_any_seat_through_the_api(playing: Phone) -> None:
    holdings = [{"owner": "red", "piece": "plain", "place": "cell:0,0", "count": 1}]
    action = {"type": "position", "round": 2, "phase": "turn", "order": ["red", "blue"], "holdings": holdings}
    token = playing.client.cookies["seats"].value.split(".")[0]
    url = f"/api/tables/{playing.code}/"
    headers = {"Authorization": f"Seat {token}"}

    def post(part: str, sent: dict[str, Any]) -> Any:
        body = {"action": sent, "faction": "red"}
        return playing.client.post(url + part, body, content_type="application/json", headers=headers)

    assert post("preview/", action).json()["standings"]
    wrong = post("actions/", {**action, "order": ["red"]})
    assert (wrong.status_code, wrong.json()["code"]) == (400, "bad-input")
    assert post("actions/", action).status_code == 201
    state = playing.client.get(f"{url}state/").json()
    assert state["round"] == 2
    assert {"owner": "blue", "piece": "knight", "place": "supply", "count": 30} in state["holdings"]
    assert playing.client.get(f"{url}state/?at=0").json()["round"] == 0

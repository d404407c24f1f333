"""The table page of a phone and its actions."""

from __future__ import annotations

import gzip

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from companion.models import Entry, Seat, Status, Table
from tests.pages.conftest import HTMX, Phone
from tests.tables.sitting import rows

PLACE = {"faction": "red", "type": "place", "tile": "plain-town", "at": "2,0"}
TABS = ("now", "board", "score", "journal", "help", "menu", "correct", "nonsense")


# Seats


def test_seat_can_be_taken(ada: Phone) -> None:
    assert Seat.objects.get().name == "Ada"
    assert "Another seat on this phone" in ada.get().content.decode()


def test_taken_faction_is_rejected_with_a_message(ada: Phone, charlie: Phone) -> None:
    answer = charlie.sit(ada.code, "Charlie", "red")
    assert answer.status_code == 409
    assert "Red: already taken by Ada." in answer.content.decode()
    assert Seat.objects.count() == 1


@pytest.mark.parametrize("name", ["", "   ", "x" * 21, "\u202e\u0000"])
def test_invalid_name_is_rejected(ada: Phone, charlie: Phone, name: str) -> None:
    assert charlie.sit(ada.code, name, "blue").status_code == 400


def test_moving_a_seat_takes_it_from_the_old_phone(playing: Phone, bela: Phone, charlie: Phone) -> None:
    page = bela.post("seat/", seat="2", do="move").content.decode()
    assert "works once" in page
    from companion.access.table_access import TableAccess  # noqa: PLC0415
    from companion.tables.seats import ticket_for  # noqa: PLC0415 - the URL is only in the QR code

    seat = Seat.objects.get(name="Béla")
    ticket = ticket_for(access=TableAccess((seat,)), seat=seat)
    assert "Take over this seat?" in charlie.get(f"claim/?ticket={ticket}").content.decode()
    charlie.post("claim/", ticket=ticket)
    assert "You are watching." in bela.get().content.decode()
    assert "You are watching." not in charlie.get().content.decode()
    assert charlie.post("claim/", ticket=ticket).status_code == 409


# Pages


@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize("fixture", ["ada", "bela", "charlie"])
def test_every_tab_opens_for_all_viewers(
    playing: Phone, request: pytest.FixtureRequest, fixture: str, tab: str
) -> None:
    phone = request.getfixturevalue(fixture)
    whole = phone.get(f"?tab={tab}")
    part = phone.get(f"?tab={tab}", **HTMX)
    assert (whole.status_code, part.status_code) == (200, 200)
    assert "<html" in whole.content.decode()
    assert "<html" not in part.content.decode()
    assert part.content.decode().lstrip().startswith("<main")


@pytest.mark.parametrize("tab", ["now", "menu", "help", "board"])
def test_every_tab_opens_before_the_game(ada: Phone, charlie: Phone, tab: str) -> None:
    assert ada.get(f"?tab={tab}").status_code == 200
    assert charlie.get(f"?tab={tab}").status_code == 200


def test_unknown_table_returns_404_with_a_message(db: None, client: Client) -> None:
    answer = client.get("/t/CCCCCC/")
    assert answer.status_code == 404
    assert "There is no table with this code." in answer.content.decode()


def test_unchanged_page_returns_304(playing: Phone) -> None:
    playing.get()  # the first page sets the CSRF cookie, which is part of the ETag
    tag = playing.get()["ETag"]
    assert playing.get(**{"If-None-Match": tag}).status_code == 304
    playing.post("tick/", number="2", line="0:1")
    assert playing.get(**{"If-None-Match": tag}).status_code == 200


def test_spectator_has_no_buttons(playing: Phone, charlie: Phone) -> None:
    page = charlie.get().content.decode()
    assert "You are watching." in page
    assert 'name="type"' not in page
    assert "/undo/" not in page


def test_htmx_responses_are_under_10_kb_compressed(playing: Phone) -> None:
    playing.post("act/", **PLACE)
    for tab in ("now", "board", "score", "journal"):
        assert len(gzip.compress(playing.get(f"?tab={tab}", **HTMX).content)) < 10_000


@pytest.mark.django_db(transaction=True)  # caches are not filled inside a transaction
@pytest.mark.parametrize("tab", ["now", "board", "score", "journal"])
def test_queries_do_not_grow_with_the_journal(playing: Phone, tab: str) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            playing.get(f"?tab={tab}")
        return len(captured)

    playing.post("act/", **PLACE)
    playing.get(f"?tab={tab}")
    few = queries()
    for count in range(1, 9):
        playing.post(
            "correct/", owner="red", piece="knight", place="cell:0,0", count=str(count), reason="test"
        )
    playing.get(f"?tab={tab}")
    assert queries() == few


# Actions


def test_action_makes_an_entry_and_redirects_back(playing: Phone) -> None:
    answer = playing.post("act/", **PLACE)
    assert answer.status_code == 302
    assert Entry.objects.filter(action__type="place").count() == 1
    assert "Red places a plain town at M11." in playing.get("?tab=journal").content.decode()


def test_htmx_gets_only_the_changed_part(playing: Phone) -> None:
    answer = playing.post("act/", htmx=True, **PLACE)
    assert answer.status_code == 200
    assert answer.content.decode().lstrip().startswith("<main")
    assert f'hx-get="/t/{playing.code}/"' in answer.content.decode()


def test_form_sent_twice_makes_one_entry(playing: Phone) -> None:
    key = playing.field("key")
    playing.post("act/", key=key, **PLACE)
    assert playing.post("act/", key=key, **PLACE).status_code == 302
    assert Entry.objects.filter(action__type="place").count() == 1


def test_rejected_entry_names_the_entry_made_meanwhile(playing: Phone) -> None:
    """The message also appears for an entry made for the same seat on another phone."""
    seen = playing.field("seen")
    playing.post("act/", seen=seen, **PLACE)
    answer = playing.post("act/", seen=seen, **PLACE)
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "There is already a tile here. Meanwhile Ada entered: Red places a plain town at M11." in page
    assert "Meanwhile" not in playing.post("act/", seen=playing.field("seen"), **PLACE).content.decode()


REFUSED = {
    "out of turn": ("bela", {**PLACE, "faction": "blue"}, 400, "It is Red’s turn."),
    "another seat": ("bela", PLACE, 403, "This seat is not yours."),
    "spectator": ("charlie", PLACE, 401, "Take a seat first."),
    "occupied": ("ada", {**PLACE, "at": "0,0"}, 400, "There is already a tile here."),
    "corner": (
        "ada",
        {**PLACE, "at": "2,2"},
        400,
        "The tile must share a whole edge with a tile on the table.",
    ),
    "nonsense cell": ("ada", {**PLACE, "at": "here"}, 400, ""),
    "no tile": ("ada", {**PLACE, "tile": ""}, 400, ""),
    "no type": ("ada", {"faction": "red"}, 400, ""),
    "no faction": ("bela", {"type": "end"}, 403, ""),
    "ending at once": ("ada", {"faction": "red", "type": "end"}, 400, "You must place at least one tile."),
    "long key": ("ada", {**PLACE, "key": "k" * 65}, 400, ""),
}


@pytest.mark.parametrize("case", REFUSED)
@pytest.mark.parametrize("htmx", [True, False])
def test_rejected_action_shows_a_message_and_changes_nothing(
    playing: Phone, request: pytest.FixtureRequest, case: str, *, htmx: bool
) -> None:
    fixture, fields, status, sentence = REFUSED[case]
    phone = request.getfixturevalue(fixture)
    before = rows()
    answer = phone.post("act/", htmx=htmx, **fields)
    assert answer.status_code == status
    assert 'role="alert"' in answer.content.decode()
    assert sentence in answer.content.decode()
    assert rows() == before


@pytest.mark.parametrize("tab", ["now", "board", "score", "journal", "help", "menu", "correct"])
def test_undo_is_offered_on_every_tab(playing: Phone, tab: str) -> None:
    assert f'action="/t/{playing.code}/undo/?tab={tab}"' in playing.get(f"?tab={tab}").content.decode()


def test_undo_and_redo_are_bound_to_an_entry_number(playing: Phone, bela: Phone) -> None:
    playing.post("act/", **PLACE)
    number = playing.table().head
    assert bela.post("undo/", number=str(number - 1)).status_code == 409
    bela.post("undo/", number=str(number))
    assert playing.table().head == number - 1
    playing.post("redo/", number=str(number))
    assert playing.table().head == number


def test_going_back_to_an_entry(playing: Phone) -> None:
    playing.post("act/", **PLACE)
    playing.post("back/", number="1")
    assert playing.table().head == 1
    assert playing.post("back/", number="x").status_code == 400
    assert playing.post("back/", number="99").status_code == 409


def test_ticks_are_shared_and_idempotent(playing: Phone, bela: Phone) -> None:
    for _ in range(2):
        bela.post("tick/", number="2", line="0:1")
    assert 'aria-pressed="true"' in playing.get().content.decode()
    playing.post("tick/", number="2", line="all:1")
    assert "2 of 2 done" in bela.get().content.decode()
    assert bela.post("tick/", number="2", line="7:1").status_code == 404
    assert bela.post("tick/", number="2", line="zero").status_code == 400


def test_count_can_be_corrected_with_a_reason(playing: Phone) -> None:
    assert "Correct a count" in playing.get("?tab=correct&place=cell:0,0").content.decode()
    playing.post("correct/", owner="blue", piece="knight", place="cell:0,0", count="2", reason="fell off")
    assert "fell off" in playing.get("?tab=journal").content.decode()
    wrong = playing.post("correct/", owner="blue", piece="knight", place="cell:0,0", count="1.5", reason="x")
    assert "Please enter a whole number, 0 or more." in wrong.content.decode()


# The host


@pytest.mark.parametrize(
    "do", ["start", "shuffle", "lock", "finish", "abandon", "reopen", "rematch", "delete", "scribe"]
)
def test_host_actions_are_reserved_to_the_host(ada: Phone, bela: Phone, charlie: Phone, do: str) -> None:
    before = rows()
    assert bela.post("host/", do=do).status_code == 403
    assert charlie.post("host/", do=do).status_code == 401
    assert rows() == before


def test_scribe_enters_for_all_seats(playing: Phone) -> None:
    playing.post("act/", **PLACE)
    playing.post("act/", faction="red", type="end")
    assert 'name="type"' not in playing.get().content.decode()
    playing.post("host/", do="scribe")
    page = playing.get().content.decode()
    assert 'name="faction" value="blue"' in page
    playing.post("host/", do="no-scribe")
    assert 'name="type"' not in playing.get().content.decode()


def test_host_can_finish_reopen_abandon_rematch_and_delete(playing: Phone, bela: Phone) -> None:
    playing.post("host/", do="finish")
    assert playing.table().status == Status.FINISHED
    playing.post("host/", do="reopen")
    assert playing.table().status == Status.PLAYING
    playing.post("host/", do="abandon")
    again = playing.post("host/", do="rematch")["Location"]
    assert "Another seat on this phone" in bela.client.get(again).content.decode()
    assert playing.post("host/", do="delete")["Location"] == "/"
    assert not Table.objects.filter(code=playing.code).exists()


def test_host_sets_options_before_the_game(ada: Phone, bela: Phone) -> None:
    ada.post("host/", do="option", name="must_move", value="true")
    ada.post("host/", do="option", name="first_player", value="blue")
    assert ada.post("host/", do="option", name="must_move", value="maybe").status_code == 400
    ada.post("host/", do="start")
    assert ada.table().order == ["blue", "red"]
    assert ada.table().setup["options"]["must_move"] is True


def test_actions_reject_get_requests(playing: Phone) -> None:
    for part in ("act/", "undo/", "redo/", "back/", "tick/", "sit/", "seat/", "host/", "correct/"):
        assert playing.get(part).status_code == 405


def test_forms_need_a_csrf_token(playing: Phone) -> None:
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post(f"/t/{playing.code}/undo/", {}).status_code == 403

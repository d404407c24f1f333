"""Entries, undo and redo, ticks and corrections."""

from __future__ import annotations

import pytest

from companion.models import Entry
from tests.pages.conftest import PLACE, Phone
from tests.tables.sitting import rows


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

"""Pages for mending entries, without JavaScript."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from companion.access.table_access import TableAccess
from companion.journal import submit
from companion.journal.marks import marks_of
from companion.journal.states import game_of, state_at
from companion.models import Table
from companion.tables import hosting
from tests.pages.conftest import PLACE, Phone
from tests.tables.sitting import offered, rows

WHY = {"reason": "misplayed"}


@pytest.fixture
def placed(playing: Phone) -> Phone:
    """Ada (red) has placed a tile and ended her turn."""
    playing.post("act/", **PLACE)
    playing.post("act/", faction="red", type="end")
    assert playing.table().head == 4
    return playing


def hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of a preview form."""
    form = page[page.index('id="mend"') :]
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form)
    return {name: html.unescape(value) for name, value in fields}


def shown(answer: Any) -> str:
    assert answer.status_code == 200, answer.content
    text = html.unescape(re.sub(r"<[^>]+>|\s+", " ", answer.content.decode()))
    return " ".join(text.split())


def finished(phone: Phone) -> Table:
    """Play the game to its end as the host."""
    table = phone.table()
    host = TableAccess(is_host=True)
    while game_of(table).prompts(state_at(table, table.head)):
        faction, action = offered(table)
        submit.submit(table=table, access=host, faction=faction, action=action)
    return table


def test_journal_links_to_mending(placed: Phone, charlie: Phone) -> None:
    page = placed.get("?tab=journal").content.decode()
    for part in ("mend/3/", "mend/3/leave-out/"):
        assert f'href="/t/{placed.code}/{part}"' in page
    assert "/mend/" not in charlie.get("?tab=journal").content.decode()


def test_entry_can_be_changed(placed: Phone) -> None:
    page = placed.get("mend/3/")
    assert "Red places a plain town at M11." in shown(page)
    filled = re.findall(r'data-filled="([^"]*)"', page.content.decode())
    assert json.loads(html.unescape(filled[0])) == {"tile": "plain-town", "at": "2,0"}
    before = rows()
    preview = placed.post("mend/3/", **{**PLACE, "tile": "plain"}, **WHY)
    text = shown(preview)
    assert "It becomes Red places a plain at M11." in text
    assert "1 later entry still holds." in text
    assert rows() == before, "nothing is stored before the preview is confirmed"

    answer = placed.post("mend/3/agree/", **hidden(preview.content.decode()))
    assert answer["Location"] == f"/t/{placed.code}/?tab=journal#entry-5"
    journal = shown(placed.get("?tab=journal"))
    assert "Red places a plain at M11. changed afterwards" in journal
    assert "Changed from entry 3: We misplayed." in journal
    assert "Entry 3 was changed afterwards. We misplayed." in journal
    assert "Red places a plain town at M11." not in journal
    assert "changed afterwards" in shown(placed.get("replay/?at=5"))
    assert "Red places a plain town at M11." in shown(placed.get("replay/?at=3&undone=1"))


def test_entry_can_be_left_out(placed: Phone) -> None:
    preview = placed.post("mend/3/leave-out/", words="It  was a dream", **WHY)
    text = shown(preview)
    assert "It becomes left out Why It was a dream" in text
    assert "One later entry no longer holds and is left out: 4 Red" in text
    assert "You must place at least one tile. § 5.2" in text
    placed.post("mend/3/agree/", **hidden(preview.content.decode()))
    assert placed.table().head == 2
    journal = shown(placed.get("?tab=journal"))
    assert "Entry 3 was left out afterwards. It was a dream" in journal
    assert "After that change these entries no longer held: 4." in journal


def test_correction_can_be_changed(placed: Phone) -> None:
    placed.post("correct/", owner="red", piece="knight", place="cell:0,0", count="2", reason="miscounted")
    assert 'name="result" value="2"' in placed.get("mend/5/").content.decode()
    preview = placed.post("mend/5/", result="1", reason="miscounted")
    assert "It was miscounted." in shown(preview)
    placed.post("mend/5/agree/", **hidden(preview.content.decode()))
    entry = placed.table().entries.get(number=6)
    assert (entry.action["count"], marks_of(entry)) == (1, ["correction", "mended"])


def test_option_can_be_changed(placed: Phone) -> None:
    option = {"type": "option", "name": "must_move", "value": True, "reason": ""}
    submit.submit(table=placed.table(), access=TableAccess(is_host=True), faction="red", action=option)
    assert "true" in placed.get("mend/5/").content.decode()
    preview = placed.post("mend/5/", result="false", **WHY)
    placed.post("mend/5/agree/", **hidden(preview.content.decode()))
    assert placed.table().entries.get(number=6).action["value"] is False
    assert placed.post("mend/6/", result="[]", **WHY).status_code == 400


def test_result_can_be_overruled_and_restored(playing: Phone) -> None:
    table = finished(playing)
    journal = playing.get("?tab=journal").content.decode()
    address = f"mend/{table.head}/rule/?key=score%3Afinal"
    assert f"/t/{playing.code}/{address}" in journal
    form = playing.get(address).content.decode()
    fields = re.findall(r'name="(result\.\w+)"', form)
    assert sorted(fields) == ["result.blue", "result.red"]
    preview = playing.post(address, do="ruling", **{"result.blue": "70", "result.red": "3"}, **WHY)
    assert "Ruled by the table: We misplayed." in shown(preview)
    playing.post(f"mend/{table.head}/agree/", **hidden(preview.content.decode()))
    table.refresh_from_db()
    assert table.winners == ["blue"]
    assert "Ruled by the table: We misplayed." in shown(playing.get("?tab=journal"))
    assert "Ruled by the table: We misplayed." in shown(playing.get("replay/"))

    address = f"mend/{table.head}/rule/?key=score%3Afinal"
    assert "Let the rules decide again" in shown(playing.get(address))
    preview = playing.post(address, do="rules", **WHY)
    playing.post(f"mend/{table.head}/agree/", **hidden(preview.content.decode()))
    table.refresh_from_db()
    assert marks_of(table.entries.get(number=table.head)) == ["mended"]


@pytest.mark.parametrize("field", ["", "x", "-1", "1e9", "9" * 40, "0.5"])
def test_invalid_ruling_is_rejected_with_a_message(playing: Phone, field: str) -> None:
    table = finished(playing)
    address = f"mend/{table.head}/rule/?key=score%3Afinal"
    answer = playing.post(address, **{"result.blue": field, "result.red": "3"}, **WHY)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()


def test_invalid_change_is_rejected_and_input_is_kept(placed: Phone) -> None:
    before = rows()
    answer = placed.post("mend/3/", **{**PLACE, "at": "9,9"}, words="my words", **WHY)
    page = answer.content.decode()
    assert (answer.status_code, 'role="alert"' in page) == (400, True)
    assert "9,9" in html.unescape(page)
    assert 'value="my words"' in page
    assert placed.post("mend/3/", **{**PLACE, "tile": "plain"}).status_code == 400, "no reason"
    assert placed.post("mend/3/", **PLACE, **WHY).status_code == 409, "nothing would change"
    assert placed.post("mend/3/leave-out/", words="x" * 201).status_code == 400
    assert rows() == before


def test_outdated_preview_is_shown_again(placed: Phone, bela: Phone) -> None:
    fields = hidden(placed.post("mend/3/", **{**PLACE, "tile": "plain"}, **WHY).content.decode())
    submit.undo(table=bela.table(), access=TableAccess(is_host=True))
    answer = placed.post("mend/3/agree/", **fields)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "The table has changed since." in page
    assert "Nothing was entered after it." in page
    assert placed.post("mend/3/agree/", **hidden(page)).status_code == 302
    assert placed.table().head == 5


@pytest.mark.parametrize(
    ("field", "value", "status"),
    [
        ("action", "{", 400),
        ("action", "[" * 9000, 400),
        ("action", "x" * 60_000, 400),
        ("action", '{"type": "place"}', 400),
        ("reason", "", 400),
        ("version", "x", 409),
        ("version", "9" * 5000, 409),
        ("key", "k" * 65, 400),
    ],
)
def test_tampered_preview_form_is_rejected(placed: Phone, field: str, value: str, status: int) -> None:
    fields = hidden(placed.post("mend/3/", **{**PLACE, "tile": "plain"}, **WHY).content.decode())
    assert placed.post("mend/3/agree/", **{**fields, field: value}).status_code == status
    assert placed.table().head == 4


@pytest.mark.parametrize("part", ["mend/3/", "mend/3/leave-out/", "mend/3/rule/?key=x"])
def test_spectators_and_unknown_entries_are_rejected(placed: Phone, charlie: Phone, part: str) -> None:
    assert charlie.get(part).status_code == 401
    assert charlie.post(part, **WHY).status_code == 401
    assert placed.get(part.replace("3", "99")).status_code == 404
    assert placed.get(part.replace("3", "9" * 30)).status_code == 404
    hosting.finish(table=placed.table(), access=TableAccess(is_host=True))
    assert placed.get(part).status_code == 400
    assert charlie.post("mend/3/agree/", action="null", version="1", **WHY).status_code == 401


def test_step_without_result_cannot_be_overruled(placed: Phone) -> None:
    assert placed.get("mend/3/rule/?key=score:final").status_code == 404
    assert placed.get("mend/3/rule/").status_code == 404


def test_undone_entry_cannot_be_mended(placed: Phone) -> None:
    placed.post("undo/")
    assert placed.get("mend/4/").status_code == 409

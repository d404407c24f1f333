"""The table page: its tabs, their size and their queries."""

from __future__ import annotations

import gzip

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.pages.conftest import HTMX, PLACE, Phone

TABS = ("now", "board", "score", "journal", "help", "menu", "correct")


@pytest.mark.parametrize("tab", [*TABS, "nonsense"])
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


@pytest.mark.parametrize("tab", TABS)
def test_undo_is_offered_on_every_tab(playing: Phone, tab: str) -> None:
    assert f'action="/t/{playing.code}/undo/?tab={tab}"' in playing.get(f"?tab={tab}").content.decode()


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

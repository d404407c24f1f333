"""Actions of the host."""

from __future__ import annotations

import pytest

from companion.models import Status, Table
from tests.pages.conftest import PLACE, Phone
from tests.tables.sitting import rows


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

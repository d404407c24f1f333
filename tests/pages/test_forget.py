"""Removal of a person's name from a table and from the phone."""

from __future__ import annotations

from tests.pages.conftest import Phone


def test_player_removes_own_name_from_table_and_phone(playing: Phone, bela: Phone) -> None:
    playing.post("seat/", seat="2", do="host")
    assert "Béla is the host now." in playing.get("?tab=journal").content.decode()
    bela.post("seat/", seat="2", do="forget")
    for part in ("", "?tab=menu", "?tab=journal", "?tab=score", "display/", "replay/", "report/"):
        page = playing.get(part).content.decode()
        assert "Béla" not in page, part
    assert "Somebody is the host now." in playing.get("?tab=journal").content.decode()
    assert "Béla" not in playing.client.get(f"/api/tables/{playing.code}/export/").content.decode()
    assert not bela.client.cookies["name"].value
    assert "Ada, Blue" in bela.client.get("/").content.decode()


def test_host_can_remove_any_name(playing: Phone, bela: Phone) -> None:
    playing.post("seat/?tab=menu", seat="2", do="forget")
    assert "Béla" not in playing.get("?tab=menu").content.decode()
    assert playing.client.cookies["name"].value == "Ada", "the name stored on the host's phone stays"


def test_other_players_and_spectators_cannot_remove_a_name(
    playing: Phone, bela: Phone, charlie: Phone
) -> None:
    assert bela.post("seat/", seat="1", do="forget").status_code == 403
    assert charlie.post("seat/", seat="1", do="forget").status_code == 401
    assert "Ada" in playing.get("?tab=menu").content.decode()


def test_phone_deletes_its_stored_name(ada: Phone) -> None:
    assert "This phone remembers that you are Ada." in ada.client.get("/").content.decode()
    assert ada.client.post("/forget/")["Location"] == "/"
    assert "This phone remembers" not in ada.client.get("/").content.decode()
    assert ada.client.get("/forget/").status_code == 405

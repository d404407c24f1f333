"""A person can have their name removed: from a table, and from their phone."""

from __future__ import annotations

from tests.pages.conftest import Phone


def test_my_name_is_forgotten_at_the_table_and_on_my_phone(playing: Phone, bela: Phone) -> None:
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


def test_the_host_has_a_name_forgotten_for_anyone(playing: Phone, bela: Phone) -> None:
    playing.post("seat/?tab=menu", seat="2", do="forget")
    assert "Béla" not in playing.get("?tab=menu").content.decode()
    assert playing.client.cookies["name"].value == "Ada", "the host's own phone knows its owner still"


def test_nobody_else(playing: Phone, bela: Phone, charlie: Phone) -> None:
    assert bela.post("seat/", seat="1", do="forget").status_code == 403
    assert charlie.post("seat/", seat="1", do="forget").status_code == 401
    assert "Ada" in playing.get("?tab=menu").content.decode()


def test_the_phone_forgets_its_owner(ada: Phone) -> None:
    assert "This phone remembers that you are Ada." in ada.client.get("/").content.decode()
    assert ada.client.post("/forget/")["Location"] == "/"
    assert "This phone remembers" not in ada.client.get("/").content.decode()
    assert ada.client.get("/forget/").status_code == 405

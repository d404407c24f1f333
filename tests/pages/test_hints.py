"""Introductory hints of the screens."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.test import Client

from companion.web.hints import HINTS, all_hints
from companion.web.phone import HINTS_COOKIE
from tests.pages.conftest import HTMX, Phone

LONGEST = 130  # three lines on a phone


def has(page: bytes, name: str) -> bool:
    return f'id="hint-{name}"' in page.decode()


def shows(phone: Phone, name: str, part: str = "") -> bool:
    return has(phone.get(part).content, name)


def test_hints_are_one_or_two_sentences() -> None:
    for text in all_hints().values():
        assert len(text) <= LONGEST, text
        assert 1 <= len(re.findall(r"\.(?: |$)", text)) <= 2, text


def test_every_hint_has_a_screen() -> None:
    templates = "".join(file.read_text() for file in (settings.BASE_DIR / "templates").rglob("*.html"))
    named = set(re.findall(r'{% hint "([a-z-]+)"', templates)) - {"board-"} | {"score", "journal"}
    assert named == set(HINTS)


def test_dismissed_hint_stays_hidden_on_this_phone_only(playing: Phone, bela: Phone) -> None:
    assert shows(playing, "now")
    here = f"/t/{playing.code}/"
    answer = playing.client.post("/hints/", {"hint": "now", "next": here})
    assert answer["Location"] == here
    assert not shows(playing, "now")
    assert shows(playing, "score", "?tab=score")
    assert shows(bela, "now")


def test_second_hint_is_shown_after_the_first_is_dismissed(playing: Phone) -> None:
    assert not shows(playing, "hands")
    playing.client.post("/hints/", {"hint": "now"})
    assert shows(playing, "hands")


def test_spectators_see_another_hint(playing: Phone, charlie: Phone) -> None:
    assert shows(charlie, "now-watching")
    assert not shows(charlie, "now")
    charlie.client.post("/hints/", {"hint": "now-watching"})
    assert not shows(charlie, "hands"), "spectators cannot tick lines"


@pytest.mark.parametrize(
    ("part", "name"),
    [
        ("?tab=board", "board-raubritter"),
        ("?tab=score", "score"),
        ("?tab=journal", "journal"),
        ("mend/1/", "mend"),
        ("position/", "position"),
        ("replay/", "replay"),
        ("report/", "report"),
    ],
)
def test_every_screen_of_a_table_has_a_hint(playing: Phone, part: str, name: str) -> None:
    assert shows(playing, name, part)
    playing.client.post("/hints/", {"hint": name})
    assert not shows(playing, name, part)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("/calculators/", "calculators"),
        ("/calculators/revolution/conflict/", "calculator"),
        ("/boards/raubritter/", "boards"),
    ],
)
def test_pages_without_a_table_have_a_hint(db: None, client: Client, address: str, name: str) -> None:
    assert has(client.get(address).content, name)


def test_circle_page_has_a_hint(db: None, client: Client) -> None:
    address = client.post("/stats/", {"name": "Us"})["Location"]
    assert has(client.get(address).content, "circle")


def test_display_shows_its_hint_only_before_the_game(ada: Phone, bela: Phone) -> None:
    assert shows(ada, "display", "display/")
    ada.post("host/", do="start")
    assert not shows(ada, "display", "display/")


def test_dismissing_a_hint_changes_the_etag(playing: Phone) -> None:
    playing.get()  # the first page sets the CSRF cookie, which is part of the ETag
    tag = playing.get()["ETag"]
    assert playing.get(**{"If-None-Match": tag}).status_code == 304
    playing.client.post("/hints/", {"hint": "now"})
    assert playing.get(**{"If-None-Match": tag}).status_code == 200


def test_htmx_gets_no_content_when_dismissing_a_hint(playing: Phone) -> None:
    answer = playing.client.post("/hints/", {"hint": "now"}, headers=HTMX)
    assert answer.status_code == 204
    assert not shows(playing, "now")


def test_all_hints_can_be_restored_or_dismissed(playing: Phone) -> None:
    playing.client.post("/hints/", {"hint": "now"})
    playing.client.post("/hints/", {"hint": "again", "next": "/"})
    assert shows(playing, "now")
    playing.client.post("/hints/", {"hint": "none"})
    assert not shows(playing, "now")
    assert not shows(playing, "hands")
    menu = playing.get("?tab=menu").content.decode()
    assert "Show the hints again" in menu


@pytest.mark.parametrize("name", ["", "nothing", "x" * 5000, "now.score", "\x00", "É"])
def test_unknown_hint_names_are_not_stored(db: None, client: Client, name: str) -> None:
    client.post("/hints/", {"hint": name, "next": "//elsewhere.example/"})
    assert client.cookies[HINTS_COOKIE].value == ""


def test_dismissing_a_hint_never_redirects_to_another_site(db: None, client: Client) -> None:
    answer = client.post("/hints/", {"hint": "now", "next": "https://elsewhere.example/"})
    assert answer["Location"] == "/"

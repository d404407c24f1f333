"""The help page, and pages that have nothing to show yet: each says what to do next."""

from __future__ import annotations

import re
import struct

import pytest
from django.conf import settings
from django.test import Client

from companion.access import rate_limits
from companion.web.phone import HINTS_COOKIE
from tests.pages.conftest import Phone

PICTURES = settings.BASE_DIR / "static" / "help"
LARGEST = 60_000


EACH = pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])


def pictures(client: Client, language: str) -> list[tuple[str, str, int, int]]:
    page = client.get("/help/", headers={"accept-language": language}).content.decode()
    found = re.findall(
        rf'<img src="/static/help/{language}/([a-z]+)[^"]*" alt="([^"]*)" width="(\d+)" height="(\d+)"', page
    )
    return [(name, alt, int(width), int(height)) for name, alt, width, height in found]


def size_of(webp: bytes) -> tuple[int, int]:
    """Width and height of a picture with lossy coding (RFC 9649, 2.5)."""
    at = webp.index(b"VP8 ") + 14
    width, height = struct.unpack("<HH", webp[at : at + 4])
    return width & 0x3FFF, height & 0x3FFF


@EACH
def test_every_step_has_a_picture_that_is_told_to_who_does_not_see_it(client: Client, language: str) -> None:
    found = pictures(client, language)
    assert {name for name, *_ in found} == {file.stem for file in (PICTURES / language).iterdir()}
    for _name, alt, *_ in found:
        assert len(alt) > 20
    assert client.get("/help/").content.count(b"<h2>") >= 8


@EACH
def test_pictures_are_small_and_as_large_as_the_page_says(client: Client, language: str) -> None:
    for name, _alt, width, height in pictures(client, language):
        webp = (PICTURES / language / f"{name}.webp").read_bytes()
        assert len(webp) < LARGEST, name
        assert size_of(webp) == (width, height), name


def test_help_is_found_from_the_start_and_from_a_table(playing: Phone) -> None:
    assert b'href="/help/"' in playing.client.get("/").content
    assert b'href="/help/"' in playing.get("?tab=help").content


# Nothing to show yet


def told(phone: Phone, part: str = "") -> str:
    return str(phone.get(part).content.decode())


@pytest.mark.parametrize("part", ["replay/", "position/", "compare/", "mend/1/"])
def test_a_page_that_cannot_be_shown_leads_back_to_the_table(ada: Phone, charlie: Phone, part: str) -> None:
    assert f'href="/t/{ada.code}/"' in told(charlie, part)


def test_a_wrong_code_is_explained(db: None, client: Client) -> None:
    page = client.get("/t/XXXXXX/replay/").content.decode()
    assert "A code has six characters" in page
    assert "Back to the table" not in page


def test_who_has_guessed_too_often_learns_nothing(ada: Phone, monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = Phone()
    monkeypatch.setattr(
        "companion.access.table_access.WRONG_CODE", rate_limits.Limit("few", most=1, seconds=60)
    )
    stranger.client.get("/t/XXXXXX/")
    right, wrong = (stranger.client.get(f"/t/{code}/").content for code in (ada.code, "XXXXXX"))
    assert b"too often" in right
    assert ada.code.encode() not in right
    assert b"six characters" not in wrong


def test_a_host_alone_is_told_how_the_others_come(db: None) -> None:
    host = Phone()
    host.open()
    assert "Let the others scan the code above" in told(host)


def test_a_full_table_offers_no_seat(ada: Phone, charlie: Phone) -> None:
    assert "Take this seat" in told(charlie)
    for name, faction in (("Béla", "blue"), ("Dario", "green"), ("Éva", "yellow")):
        Phone().sit(ada.code, name, faction)
    page = told(charlie)
    assert "All seats are taken." in page
    assert "Take this seat" not in page
    assert "The host starts the game." in page


def test_a_game_given_up_before_it_began(ada: Phone, bela: Phone) -> None:
    ada.post("host/", do="abandon")
    assert "You can reopen it in the menu" in told(ada)
    assert "The host can reopen it." in told(bela)


def test_an_empty_journal_says_what_will_stand_there(ada: Phone, bela: Phone) -> None:
    ada.client.cookies[HINTS_COOKIE] = "none"
    ada.post("host/", do="start")
    assert "What is entered under Now is listed here." in told(ada, "?tab=journal")


def test_after_the_game_those_seated_wait_for_the_next(playing: Phone, bela: Phone, charlie: Phone) -> None:
    playing.post("host/", do="finish")
    assert "The host can open the next game" in told(bela)
    assert "Play again with the same people" in told(playing)
    assert "You are watching." not in told(charlie)

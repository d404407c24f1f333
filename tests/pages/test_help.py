"""The help page, and guidance on pages that have nothing to show."""

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
    matches = re.findall(
        rf'<img src="/static/help/{language}/([a-z]+)[^"]*" alt="([^"]*)" width="(\d+)" height="(\d+)"', page
    )
    return [(name, alt, int(width), int(height)) for name, alt, width, height in matches]


def size_of(webp: bytes) -> tuple[int, int]:
    """Return width and height of a lossy WebP file (RFC 9649, 2.5)."""
    at = webp.index(b"VP8 ") + 14
    width, height = struct.unpack("<HH", webp[at : at + 4])
    return width & 0x3FFF, height & 0x3FFF


@EACH
def test_every_step_has_a_picture_with_alternative_text(client: Client, language: str) -> None:
    shown = pictures(client, language)
    assert {name for name, *_ in shown} == {file.stem for file in (PICTURES / language).iterdir()}
    for _name, alt, *_ in shown:
        assert len(alt) > 20
    assert client.get("/help/").content.count(b"<h2>") >= 8


@EACH
def test_pictures_are_small_and_have_the_declared_size(client: Client, language: str) -> None:
    for name, _alt, width, height in pictures(client, language):
        webp = (PICTURES / language / f"{name}.webp").read_bytes()
        assert len(webp) < LARGEST, name
        assert size_of(webp) == (width, height), name


def test_home_and_tables_link_to_the_help(playing: Phone) -> None:
    assert b'href="/help/"' in playing.client.get("/").content
    assert b'href="/help/"' in playing.get("?tab=help").content


# Nothing to show


def html(phone: Phone, part: str = "") -> str:
    return str(phone.get(part).content.decode())


@pytest.mark.parametrize("part", ["replay/", "position/", "compare/", "mend/1/"])
def test_rejected_page_links_back_to_the_table(ada: Phone, charlie: Phone, part: str) -> None:
    assert f'href="/t/{ada.code}/"' in html(charlie, part)


def test_wrong_code_is_explained(db: None, client: Client) -> None:
    page = client.get("/t/XXXXXX/replay/").content.decode()
    assert "A code has six characters" in page
    assert "Back to the table" not in page


def test_rate_limited_client_cannot_tell_right_codes_from_wrong(
    ada: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    stranger = Phone()
    monkeypatch.setattr(
        "companion.access.table_access.WRONG_CODE", rate_limits.Limit("few", most=1, seconds=60)
    )
    stranger.client.get("/t/XXXXXX/")
    right, wrong = (stranger.client.get(f"/t/{code}/").content for code in (ada.code, "XXXXXX"))
    assert b"too often" in right
    assert ada.code.encode() not in right
    assert b"six characters" not in wrong


def test_lobby_explains_how_others_join(db: None) -> None:
    host = Phone()
    host.open()
    assert "Let the others scan the code above" in html(host)


def test_full_table_offers_no_seat(ada: Phone, charlie: Phone) -> None:
    assert "Take this seat" in html(charlie)
    for name, faction in (("Béla", "blue"), ("Dario", "green"), ("Éva", "yellow")):
        Phone().sit(ada.code, name, faction)
    page = html(charlie)
    assert "All seats are taken." in page
    assert "Take this seat" not in page
    assert "The host starts the game." in page


def test_abandoned_table_says_who_can_reopen_it(ada: Phone, bela: Phone) -> None:
    ada.post("host/", do="abandon")
    assert "You can reopen it in the menu" in html(ada)
    assert "The host can reopen it." in html(bela)


def test_empty_journal_explains_itself(ada: Phone, bela: Phone) -> None:
    ada.client.cookies[HINTS_COOKIE] = "none"
    ada.post("host/", do="start")
    assert "What is entered under Now is listed here." in html(ada, "?tab=journal")


def test_finished_game_offers_a_rematch_to_the_host(playing: Phone, bela: Phone, charlie: Phone) -> None:
    playing.post("host/", do="finish")
    assert "The host can open the next game" in html(bela)
    assert "Play again with the same people" in html(playing)
    assert "You are watching." not in html(charlie)

"""Every text on every page is translated: if translations are bracketed, no text is outside brackets."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from html.parser import HTMLParser
from http import HTTPStatus
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import trans_real

from companion.access.table_access import identify
from companion.journal.submit import back_to
from companion.registry import titles
from companion.tables.circles import open_circle, put_into_circle
from companion.tables.documents import read_document
from companion.web.phone import SCRIBE_COOKIE, SEATS_COOKIE
from tests.conformance.walks import PLAYED, walk
from tests.languages.catalogues import CLOSED, OPENED, catalogue, write_bracketed
from tests.statistics.evenings import Evening, document_of

pytestmark = pytest.mark.django_db

NAMES = ("Ada", "Béla", "Carla", "Dario", "Éva")
TEXT_ATTRIBUTES = (
    "aria-label",
    "title",
    "alt",
    "placeholder",
    "aria-description",
    "data-as-of",
    "data-confirm",
)
UNSEEN = ("script", "style", "code", "template")
# Words that are the same in every language: names of games and people, formats, languages.
SAME = {*NAMES, "Seneschal", "Revolution", "The", "Dutch", "Revolt", "Wallenstein", "Signoria", "Raubritter"}
SAME |= {"English", "Magyar", "Italiano", "REST", "API", "CSV", "JSON", "BG", "Stats", "PNG", "SVG", "HTML"}
TILES = re.compile("[A-F]{4}")  # tile letters on a player board of Signoria
TABS = ("", "?tab=board", "?tab=score", "?tab=journal", "?tab=help", "?tab=menu", "?tab=correct")


class VisibleText(HTMLParser):
    """Collects the text of a page, and the attributes that screen readers read out."""

    def __init__(self) -> None:
        super().__init__()
        self.text: list[str] = []
        self.attributes: list[str] = []
        self._unseen: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = dict(attributes)
        if values.get("translate") == "no" or tag in UNSEEN or tag in self._unseen[-1:]:
            self._unseen.append(tag)
        if not self._unseen:
            self.attributes += [values[name] or "" for name in TEXT_ATTRIBUTES if values.get(name)]
        self.text.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if self._unseen and self._unseen[-1] == tag:
            self._unseen.pop()

    def handle_data(self, data: str) -> None:
        if not self._unseen:
            self.text.append(data)


def untranslated(page: str) -> set[str]:
    """Return the words of a page outside all brackets."""
    visible = VisibleText()
    visible.feed(page)
    visible.close()
    return set().union(*(words_outside(text) for text in ["".join(visible.text), *visible.attributes]))


def words_outside(text: str) -> set[str]:
    innermost = re.compile(rf"{OPENED}[^{OPENED}{CLOSED}]*{CLOSED}")
    while innermost.search(text):
        text = innermost.sub(" ", text)
    words = set(re.findall(r"[^\W\d_]{2,}", text)) - SAME
    return {word for word in words if not TILES.fullmatch(word)}


@pytest.fixture
def bracketed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    """Client whose language encloses every translated text in brackets."""
    write_bracketed(tmp_path, "hu", catalogue("hu"))
    monkeypatch.setattr(settings, "LOCALE_PATHS", [tmp_path])
    monkeypatch.setattr(trans_real, "_translations", {})
    return Client(headers={"accept-language": "hu"})


def untranslated_on(client: Client, code: str, page: str) -> set[str]:
    answer = client.get(f"/t/{code}/{page}")
    assert answer.status_code == HTTPStatus.OK, page
    return untranslated(answer.content.decode().replace(code, ""))


def test_untranslated_finds_text_outside_brackets() -> None:
    assert untranslated("<p>⟦Hello <b>⟦you⟧</b>⟧ there</p><b translate=no>ABC</b>") == {"there"}
    assert untranslated('<p aria-label="Close">⟦Hello⟧</p>') == {"Close"}


PAGES = [
    "/", "/calculators/", "/stats/", "/trust/", "/offline/", "/rules/", "/help/", "/t/NOSUCH/",
    *(f"/{page}/{slug}/" for page in ("boards", "stats", "rules") for slug in titles()),
    *(f"/calculators/{slug}/{c.name}/" for slug, title in titles().items() for c in title.calculators.calculators),
]  # fmt: skip


@pytest.mark.parametrize("address", PAGES)
def test_pages_without_a_table_are_translated(bracketed: Client, address: str) -> None:
    answer = bracketed.get(address)
    assert untranslated(answer.content.decode()) == set()


@pytest.mark.parametrize("slug", sorted(PLAYED))
def test_pages_of_a_table_are_translated(bracketed: Client, slug: str) -> None:
    """At several moments of a game: prompts, boards and every step of the journal."""
    game = PLAYED[slug]
    players = min(3, game.max_players)
    evening = Evening(slug, players, 0, datetime(2026, 11, 14, 19, tzinfo=UTC), NAMES)
    played = walk(slug, players, 0)
    opened = read_document(document_of(played, evening))
    table, last = opened.table, len(played.played)
    put_into_circle(
        table=table, access=identify(table, [opened.host_token]), circle=open_circle(name="Ada").circle
    )
    bracketed.cookies[SEATS_COOKIE] = opened.host_token
    bracketed.cookies[SCRIBE_COOKIE] = table.code
    words: set[str] = set()
    for page in ("report/", "replay/", "display/", "report/standalone.html"):
        words |= untranslated_on(bracketed, table.code, page)
    moments = sorted({0, *(last * part // 8 for part in range(8))}, reverse=True)
    for number in moments:
        if number != table.head:
            back_to(table=table, access=identify(table, [opened.host_token]), number=number)
        for page in (*TABS, "replay/", "display/", "position/", "figures/", "seats/"):
            words |= untranslated_on(bracketed, table.code, page)
    assert words - {"november"} == set()

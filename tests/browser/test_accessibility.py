"""Every page can be used by everybody: WCAG 2.2 AA, for fingers, in large text, without motion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver
from playwright.async_api import Page, expect

from companion.operations import certificates
from companion.urls import urlpatterns
from companion.wording import name
from games.registry import GAMES
from tests.browser import accessibility
from tests.browser.conftest import NewPhone
from tests.browser.tours import EXAMPLE, PARTS, Stop, Tour
from tests.servers import Server, running_server
from tools.evening import ask

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

LOOKS = ("dark", "light")
WIDTHS = (360, 390, 768)
# Addresses that no tour stops at, and why.
EXEMPT = {
    **dict.fromkeys(
        [
            "open",
            "look",
            "forget",
            "act",
            "preview",
            "correct",
            "undo",
            "redo",
            "back",
            "agree",
            "tick",
            "sit",
            "seat",
            "host",
            "set_language",
            "break",
            "hints",
        ],
        "takes what a form sends, and leads to a page of the tour",
    ),
    **dict.fromkeys(
        [
            "report-picture",
            "standings-file",
            "journal-file",
            "result-file",
            "game-file",
            "board-export",
            "circle-results",
            "circle-games",
            "manifest",
            "worker",
            "trust-authority",
            "healthz",
            "readyz",
        ],
        "a file, or an answer for programs",
    ),
    "report-file": "the sections of the report once more, as a file that needs no server",
}


@pytest.fixture(scope="module")
def short_tour(server: Server) -> Tour:
    return Tour(server, whole=False)


@pytest.fixture(scope="module")
def tour(server: Server) -> Tour:
    return Tour(server)


def named(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str]:
    """The names of all addresses but those of the API, with Swagger's page in it, and of Django's own pages."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.name or str(pattern.pattern)
        elif str(pattern.pattern) not in ("api/", "admin/"):
            yield from named(pattern.url_patterns)


async def faults_of(page: Page, stop: Stop, *, rules: Sequence[str] = ()) -> list[str]:
    small = [] if stop.name == "display" else await accessibility.too_small(page)  # nobody taps a TV
    found = await accessibility.violations(page, rules=rules)
    return [*found, *small, *await accessibility.too_wide(page)]


async def test_the_tour_stops_at_every_page(short_tour: Tour) -> None:
    seen = {stop.name for part in PARTS for stop in short_tour.stops(part)}
    assert set(named(urlpatterns)) - seen == set(EXEMPT)


async def test_pages_of_one_game_are_accessible(phone: NewPhone, short_tour: Tour) -> None:
    """In the dark, on a usual phone. All other pages take their time: see the next test."""
    one = await phone()
    faults = {}
    async for stop in short_tour.take(one, EXAMPLE):
        if found := await faults_of(one.page, stop):
            faults[stop.address] = found
    assert not faults, accessibility.told(faults)


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
async def test_every_page_in_both_looks_on_every_screen(phone: NewPhone, tour: Tour, part: str) -> None:
    """Each page is loaded and checked once. In another look only colours are checked again, in another width sizes."""
    dark, light = LOOKS
    narrow, *wider = WIDTHS
    one = await phone(width=narrow)
    faults = {}
    async for stop in tour.take(one, part):
        faults[stop.address] = await faults_of(one.page, stop)
        await accessibility.wear(one.page, light, narrow)
        faults[f"{stop.address} {light}"] = await accessibility.violations(
            one.page, rules=accessibility.OF_LOOKS
        )
        for width in wider:
            await accessibility.wear(one.page, dark, width)
            faults[f"{stop.address} {width}"] = await faults_of(one.page, stop, rules=accessibility.OF_WIDTHS)
        await accessibility.wear(one.page, dark, narrow)
    assert not any(faults.values()), accessibility.told(faults)


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", ["hu", "it"])
async def test_every_page_in_text_of_twice_the_size(
    phone: NewPhone, tour: Tour, part: str, language: str
) -> None:
    """On a small phone no page is too wide, no word is cut off or covered, and nothing moves.

    English is left to the tests above: its words are the shortest.
    """
    one = await phone(width=WIDTHS[0])
    await one.context.add_cookies([{"name": "django_language", "value": language, "url": one.site}])
    await one.page.emulate_media(reduced_motion="reduce")
    faults = {}
    async for stop in tour.take(one, part):
        faults[f"{stop.address} as usual"] = [
            *await accessibility.moves(one.page),
            *await accessibility.too_wide(one.page),
        ]
        if stop.name == "display":
            continue  # a TV has no settings for its text, which is a fortieth of its height
        await one.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        faults[stop.address] = [
            *await accessibility.unreadable(one.page),
            *await accessibility.too_wide(one.page),
        ]
    assert not any(faults.values()), accessibility.told(faults)


async def test_a_page_that_is_too_wide_is_found(phone: NewPhone, short_tour: Tour) -> None:
    """Also on a phone, which shows as much as there is by making it smaller."""
    one = await phone(width=360)
    await one.open("/help/")
    assert not await accessibility.too_wide(one.page)
    await one.page.evaluate("() => { document.querySelector('main').style.width = '500px'; }")
    assert await accessibility.too_wide(one.page)


async def test_the_printed_report_is_accessible(phone: NewPhone, short_tour: Tour) -> None:
    one = await phone(width=768)
    [report] = [stop for stop in short_tour.stops(EXAMPLE) if stop.name == "report"]
    await one.open(report.address)
    await one.page.emulate_media(media="print")
    assert not await accessibility.violations(one.page)


async def test_the_page_that_explains_how_to_trust_a_laptop(
    phone: NewPhone, static_files: Path, tmp_path: Path
) -> None:
    """It is there only where HTTPS is; a proxy before the server stands for that."""
    certificates.authority_of(tmp_path / "https")
    env = {
        "HTTPS": "on",
        "TRUSTED_PROXIES": "127.0.0.1",
        "STATIC_MANIFEST": "on",
        "STATIC_ROOT": str(static_files),
    }
    with running_server(tmp_path, **env) as server:
        one = await phone(at=server.url)
        await one.context.set_extra_http_headers({"X-Forwarded-Proto": "https"})
        await one.open("/trust/")
        await one.sees("2. On Android")
        for look in LOOKS:
            for width in WIDTHS:
                await accessibility.wear(one.page, look, width)
                assert not await faults_of(one.page, Stop("trust", "/trust/")), (look, width)


# Boards, read out place by place

# The kind of place, what lies there, and the line that tells of it.
TOLD = {
    "revolution": ("countryside:", "counter", "#at-{slug} li:first-child"),
    "wallenstein": ("province:", "army", "#at-{slug} li:first-child"),
    "signoria": ("track:", "man", ".places li"),
    "raubritter": ("cell:", "knight", ".places li"),
}


@pytest.mark.parametrize("slug", sorted(TOLD))
async def test_a_board_is_read_out_place_by_place(phone: NewPhone, short_tour: Tour, slug: str) -> None:
    """As a screen reader hears it: what lies somewhere is told with the place, whose it is and how many."""
    one = await phone()
    [stop] = [stop for stop in short_tour.stops(slug) if stop.address.endswith("?tab=board")]
    await one.hold_seats(*stop.seats)
    await one.open(stop.address)
    await one.page.evaluate(accessibility.UNFOLD)
    kind, piece, line = TOLD[slug]
    game = GAMES[slug]
    holdings = ask(f"{one.site}/api/tables/{one.code}/state/")["holdings"]
    lying = [each for each in holdings if each["place"].startswith(kind) and each["piece"] == piece]
    assert lying
    for each in lying:
        said = name(game, "place", each["place"])
        lines = one.page.locator(line.format(slug=each["place"].removeprefix(kind)))
        found = lines if "#" in line else lines.filter(has_text=re.compile(f"^{said} ", re.IGNORECASE))
        heard = await found.aria_snapshot()
        assert name(game, "faction", each["owner"]) in heard, each
        assert str(each["count"]) in heard, each


@pytest.mark.parametrize("slug", ["revolution", "wallenstein"])
async def test_every_province_of_a_map_has_a_name(phone: NewPhone, short_tour: Tour, slug: str) -> None:
    """On the map as a link, and below as a heading."""
    one = await phone()
    [stop] = [stop for stop in short_tour.stops(slug) if stop.address.endswith("?tab=board")]
    await one.hold_seats(*stop.seats)
    await one.open(stop.address)
    names = await one.page.locator("article.province h3").all_text_contents()
    assert len(names) >= 20
    group = one.page.get_by_role("group", name="The list below says what lies where")
    for province in names:
        await expect(group.get_by_role("link", name=province, exact=True)).to_have_count(1)

"""Accessibility of every page: WCAG 2.2 AA, tap targets, large text, reduced motion."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver
from playwright.async_api import Page, expect

from companion.operations import certificates
from companion.registry import titles
from companion.urls import urlpatterns
from companion.wording import name
from tests.browser import accessibility
from tests.browser.conftest import NewPhone
from tests.browser.tours import EXAMPLE, PARTS, Stop, Tour
from tests.servers import Server, running_server
from tools.evening import ask

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

LOOKS = ("dark", "light")
WIDTHS = (360, 390, 768)
# URL names that no tour visits, with the reason.
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
        "accepts a form, and redirects to a page of the tour",
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
        "a file, or a response for programs",
    ),
    "report-file": "the sections of the report as a standalone file",
}


@pytest.fixture(scope="module")
def short_tour(server: Server) -> Tour:
    return Tour(server, whole=False)


@pytest.fixture(scope="module")
def tour(server: Server) -> Tour:
    return Tour(server)


def url_names(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str]:
    """Yield the names of all URLs except those of the API (with its Swagger page) and of Django's admin."""
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield pattern.name or str(pattern.pattern)
        elif str(pattern.pattern) not in ("api/", "admin/"):
            yield from url_names(pattern.url_patterns)


async def faults_of(page: Page, stop: Stop, *, rules: Sequence[str] = ()) -> list[str]:
    small = [] if stop.name == "display" else await accessibility.too_small(page)  # nobody taps a TV
    violations = await accessibility.violations(page, rules=rules)
    return [*violations, *small, *await accessibility.too_wide(page)]


async def test_tour_visits_every_page(short_tour: Tour) -> None:
    seen = {stop.name for part in PARTS for stop in short_tour.stops(part)}
    assert set(url_names(urlpatterns)) - seen == set(EXEMPT)


async def test_pages_of_one_game_are_accessible(new_phone: NewPhone, short_tour: Tour) -> None:
    """Checks the dark look at the default width; the next test covers the rest, which takes long."""
    phone = await new_phone()
    faults = {}
    async for stop in short_tour.take(phone, EXAMPLE):
        if page_faults := await faults_of(phone.page, stop):
            faults[stop.address] = page_faults
    assert not faults, accessibility.summary(faults)


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
async def test_every_page_is_accessible_in_both_looks_at_every_width(
    new_phone: NewPhone, tour: Tour, part: str
) -> None:
    """Loads each page once: another look repeats only the colour rules, another width only the size rules."""
    dark, light = LOOKS
    narrow, *wider = WIDTHS
    phone = await new_phone(width=narrow)
    faults = {}
    async for stop in tour.take(phone, part):
        faults[stop.address] = await faults_of(phone.page, stop)
        await accessibility.set_look(phone.page, light, narrow)
        faults[f"{stop.address} {light}"] = await accessibility.violations(
            phone.page, rules=accessibility.LOOK_RULES
        )
        for width in wider:
            await accessibility.set_look(phone.page, dark, width)
            faults[f"{stop.address} {width}"] = await faults_of(
                phone.page, stop, rules=accessibility.WIDTH_RULES
            )
        await accessibility.set_look(phone.page, dark, narrow)
    assert not any(faults.values()), accessibility.summary(faults)


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("language", ["hu", "it"])
async def test_every_page_is_readable_at_double_text_size(
    new_phone: NewPhone, tour: Tour, part: str, language: str
) -> None:
    """On a small phone no page is too wide, no text is clipped or covered, and nothing is animated.

    English is left to the tests above, because its words are the shortest.
    """
    phone = await new_phone(width=WIDTHS[0])
    await phone.context.add_cookies([{"name": "django_language", "value": language, "url": phone.site}])
    await phone.page.emulate_media(reduced_motion="reduce")
    faults = {}
    async for stop in tour.take(phone, part):
        faults[f"{stop.address} at normal size"] = [
            *await accessibility.animated(phone.page),
            *await accessibility.too_wide(phone.page),
        ]
        if stop.name == "display":
            continue  # a TV has no text size setting: its text is 1/40 of its height
        await phone.page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
        faults[stop.address] = [
            *await accessibility.unreadable(phone.page),
            *await accessibility.too_wide(phone.page),
        ]
    assert not any(faults.values()), accessibility.summary(faults)


async def test_page_wider_than_the_screen_is_detected(new_phone: NewPhone, short_tour: Tour) -> None:
    """Phones zoom out to fit such a page, so `innerWidth` alone would not reveal it."""
    phone = await new_phone(width=360)
    await phone.open("/help/")
    assert not await accessibility.too_wide(phone.page)
    await phone.page.evaluate("() => { document.querySelector('main').style.width = '500px'; }")
    assert await accessibility.too_wide(phone.page)


async def test_printed_report_is_accessible(new_phone: NewPhone, short_tour: Tour) -> None:
    phone = await new_phone(width=768)
    [report] = [stop for stop in short_tour.stops(EXAMPLE) if stop.name == "report"]
    await phone.open(report.address)
    await phone.page.emulate_media(media="print")
    assert not await accessibility.violations(phone.page)


async def test_certificate_trust_page_is_accessible(
    new_phone: NewPhone, static_files: Path, tmp_path: Path
) -> None:
    """The page exists only with HTTPS, which a header of a trusted proxy stands for."""
    certificates.authority_of(tmp_path / "https")
    env = {
        "HTTPS": "on",
        "TRUSTED_PROXIES": "127.0.0.1",
        "STATIC_MANIFEST": "on",
        "STATIC_ROOT": str(static_files),
    }
    with running_server(tmp_path, **env) as server:
        phone = await new_phone(at=server.url)
        await phone.context.set_extra_http_headers({"X-Forwarded-Proto": "https"})
        await phone.open("/trust/")
        await phone.sees("2. On Android")
        for look in LOOKS:
            for width in WIDTHS:
                await accessibility.set_look(phone.page, look, width)
                assert not await faults_of(phone.page, Stop("trust", "/trust/")), (look, width)


# Boards in a screen reader

# Prefix of the places, piece, and selector of the list item that describes a place.
PLACE_LINES = {
    "revolution": ("countryside:", "counter", "#at-{slug} li:first-child"),
    "wallenstein": ("province:", "army", "#at-{slug} li:first-child"),
    "signoria": ("track:", "man", ".places li"),
    "raubritter": ("cell:", "knight", ".places li"),
}


@pytest.mark.parametrize("slug", sorted(PLACE_LINES))
async def test_screen_reader_reads_a_board_place_by_place(
    new_phone: NewPhone, short_tour: Tour, slug: str
) -> None:
    """The description of each place in the accessibility tree names the owner and the number of pieces."""
    phone = await new_phone()
    [stop] = [stop for stop in short_tour.stops(slug) if stop.address.endswith("?tab=board")]
    await phone.hold_seats(*stop.seats)
    await phone.open(stop.address)
    await phone.page.evaluate(accessibility.OPEN_DETAILS)
    kind, piece, line = PLACE_LINES[slug]
    game = titles()[slug].game
    holdings = ask(f"{phone.site}/api/tables/{phone.code}/state/")["holdings"]
    shown = [
        holding for holding in holdings if holding["place"].startswith(kind) and holding["piece"] == piece
    ]
    assert shown
    for holding in shown:
        place = name(game, "place", holding["place"])
        lines = phone.page.locator(line.format(slug=holding["place"].removeprefix(kind)))
        described = lines if "#" in line else lines.filter(has_text=re.compile(f"^{place} ", re.IGNORECASE))
        snapshot = await described.aria_snapshot()
        assert name(game, "faction", holding["owner"]) in snapshot, holding
        assert str(holding["count"]) in snapshot, holding


@pytest.mark.parametrize("slug", ["revolution", "wallenstein"])
async def test_every_province_has_a_link_on_the_map_and_a_heading(
    new_phone: NewPhone, short_tour: Tour, slug: str
) -> None:
    phone = await new_phone()
    [stop] = [stop for stop in short_tour.stops(slug) if stop.address.endswith("?tab=board")]
    await phone.hold_seats(*stop.seats)
    await phone.open(stop.address)
    names = await phone.page.locator("article.province h3").all_text_contents()
    assert len(names) >= 20
    group = phone.page.get_by_role("group", name="The list below says what lies where")
    for province in names:
        await expect(group.get_by_role("link", name=province, exact=True)).to_have_count(1)

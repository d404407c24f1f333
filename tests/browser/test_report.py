"""The report: charts, tables, print layout, and files to save."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect

from companion.registry import titles
from tests.browser.conftest import NewPhone
from tests.browser.phones import Phone
from tests.servers import Server
from tests.statistics.journals import document
from tools.evening import Evening, ask

pytestmark = [pytest.mark.asyncio(loop_scope="session")]

FOUR = ("blue", "yellow", "green", "red")


@pytest.fixture(scope="module")
def evening(server: Server) -> Evening:
    game = Evening.open(server.url, FOUR)
    game.play(60)
    correction = {"type": "correct", "owner": "blue", "piece": "knight", "place": "cell:0,0", "count": 2}
    action = {**correction, "reason": "It fell down."}
    game.post("actions", {"faction": "blue", "action": action, "key": "report"})
    return game


def lines(phone: Phone) -> Locator:
    return phone.page.locator(".chart").first.locator("path.js-line")


async def open_report(new_phone: NewPhone, evening: Evening, look: str, width: int = 390) -> Phone:
    anna = await new_phone("Anna", width=width)
    await anna.context.add_cookies([{"name": "look", "value": look, "url": anna.site}])
    await anna.open(f"/t/{evening.code}/report/")
    await expect(lines(anna)).to_have_count(len(FOUR))
    return anna


@pytest.mark.parametrize(
    ("look", "width"),
    [
        ("dark", 390),
        pytest.param("light", 390, marks=pytest.mark.long),
        pytest.param("dark", 1440, marks=pytest.mark.long),
    ],
)
async def test_charts_are_rendered(new_phone: NewPhone, evening: Evening, look: str, width: int) -> None:
    """Any violation of the Content-Security-Policy is a fault of the phone."""
    anna = await open_report(new_phone, evening, look, width)
    strokes = await lines(anna).evaluate_all("lines => lines.map(line => getComputedStyle(line).stroke)")
    dashes = await lines(anna).evaluate_all(
        "lines => lines.map(line => getComputedStyle(line).strokeDasharray)"
    )
    assert len(set(strokes)) == len(set(dashes)) == len(FOUR)
    bars = anna.page.locator("#parts .chart g.point path")
    await anna.page.locator("#parts .chart").scroll_into_view_if_needed()
    await expect(bars.nth(len(FOUR) - 1)).to_be_attached()
    box = await anna.page.locator(".chart").first.bounding_box()
    svg = await anna.page.locator(".chart .main-svg").first.bounding_box()
    assert box
    assert svg
    assert abs(box["width"] - svg["width"]) < 2
    assert abs(box["height"] - svg["height"]) < 2
    assert await anna.page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.long
async def test_table_of_a_chart_has_its_numbers(new_phone: NewPhone, evening: Evening) -> None:
    anna = await open_report(new_phone, evening, "dark")
    table = anna.page.locator("#course-entries-panel table")
    await expect(table).to_be_hidden()
    await anna.page.get_by_text("The same as a table").first.tap()
    await expect(table).to_be_visible()
    last = await table.locator("tbody tr").last.locator("td").all_text_contents()
    ends = await anna.page.locator(".chart").first.evaluate("box => box.data.map(line => line.y.at(-1))")
    assert [float(text) for text in last[1:]] == ends


async def test_dragging_on_a_chart_scrolls_the_page(new_phone: NewPhone, evening: Evening) -> None:
    anna = await open_report(new_phone, evening, "dark")
    chart = anna.page.locator(".chart").first
    await chart.scroll_into_view_if_needed()
    box = await chart.bounding_box()
    assert box
    before = await anna.page.evaluate("window.scrollY")
    session = await anna.context.new_cdp_session(anna.page)
    place = {"x": round(box["x"] + box["width"] / 2), "y": round(box["y"] + box["height"] / 2)}
    await session.send("Input.synthesizeScrollGesture", {**place, "yDistance": -200, "speed": 800})
    assert await anna.page.evaluate("window.scrollY") > before + 100


@pytest.mark.long
async def test_marked_moment_links_to_the_replay(new_phone: NewPhone, evening: Evening) -> None:
    anna = await open_report(new_phone, evening, "dark")
    await anna.sees("It fell down.")
    await anna.page.locator(".marked a", has_text="61").last.tap()
    await anna.page.wait_for_url("**/replay/?at=*")
    await anna.sees("corrected from")


@pytest.mark.long
async def test_print_layout_is_light_with_open_tables(new_phone: NewPhone, evening: Evening) -> None:
    """Controls are hidden in print; the screen layout is restored afterwards."""
    anna = await open_report(new_phone, evening, "dark")
    ink = "box => getComputedStyle(box.querySelector('.xtick text')).fill"
    chart = anna.page.locator(".chart").first
    on_screen = await chart.evaluate(ink)
    await anna.page.emulate_media(media="print")
    await expect(anna.page.locator("#course-entries-panel table")).to_be_visible()
    await expect(anna.page.locator(".report nav")).to_be_hidden()
    await expect(anna.page.locator("summary").first).to_be_hidden()
    await anna.page.wait_for_function(
        f"before => ({ink})(document.querySelector('.chart')) !== before", arg=on_screen
    )
    ground = await anna.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    await anna.page.emulate_media(media="screen")
    await expect(anna.page.locator("#course-entries-panel table")).to_be_hidden()
    await anna.page.wait_for_function(
        f"before => ({ink})(document.querySelector('.chart')) === before", arg=on_screen
    )


async def test_report_without_scripts_shows_the_tables(new_phone: NewPhone, evening: Evening) -> None:
    anna = await new_phone("Anna", scripts=False)
    await anna.open(f"/t/{evening.code}/report/")
    await anna.page.get_by_text("The same as a table").first.tap()
    await expect(anna.page.locator("#course-entries-panel table")).to_be_visible()
    await expect(anna.page.get_by_role("button", name="Print")).to_be_hidden()


# Every chart of every game

MOST = {"revolution": 5, "wallenstein": 4, "signoria": 4, "raubritter": 4}
DRAWN = ".barlayer path, .scatterlayer path, .heatmaplayer image"
NARROWEST = 360
# Overlapping labels, labels clipped at the edge of a chart, and legends that scroll.
ILLEGIBLE = """panel => {
  const faults = [];
  const labels = (selector) => [...panel.querySelectorAll(selector)]
    .map((label) => [label.textContent, label.getBoundingClientRect()])
    .filter(([text, box]) => text && box.width);
  const overlap = (a, b) => a.left + 1 < b.right && b.left + 1 < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom;
  const groups = [".xtick text, .xtitle", ".ytick text, .ytitle", ".legendtext", ".bartext"].map(labels);
  for (const group of groups) {
    group.forEach(([text, box], at) => {
      for (const [other, otherBox] of group.slice(at + 1)) if (overlap(box, otherBox)) faults.push(`${text} / ${other}`);
    });
  }
  const edge = panel.querySelector(".chart").getBoundingClientRect();
  for (const [text, box] of groups.flat()) {
    if (box.left < edge.left - 1 || box.right > edge.right + 1) faults.push(`${text} |`);
  }
  const bar = panel.querySelector(".legend .scrollbar");
  if (bar && bar.getBoundingClientRect().height) faults.push("a legend that scrolls");
  return faults;
}"""


@pytest.fixture(scope="module")
def code_of(server: Server) -> Callable[[str], str]:
    """Import a finished game of each title once for all tests; return its table code."""
    codes: dict[str, str] = {}

    def import_once(slug: str) -> str:
        if slug not in codes:
            codes[slug] = ask(f"{server.url}/api/tables/import/", document(slug, MOST[slug]))["code"]
            # Warm the server's cache: the first request of a report takes longest.
            with urllib.request.urlopen(f"{server.url}/t/{codes[slug]}/report/", timeout=60) as page:  # noqa: S310 - http to the test server
                page.read()
        return codes[slug]

    return import_once


async def open_finished_report(new_phone: NewPhone, code: str, **settings: int) -> Phone:
    anna = await new_phone("Anna", **settings)
    await anna.open(f"/t/{code}/report/")
    await expect(anna.page.locator("#course .main-svg").first).to_be_visible()
    return anna


@pytest.mark.parametrize(
    "slug",
    ["raubritter", *(pytest.param(s, marks=pytest.mark.long) for s in sorted({*titles()} - {"raubritter"}))],
)
async def test_every_chart_is_rendered_and_has_a_table(
    new_phone: NewPhone, code_of: Callable[[str], str], slug: str
) -> None:
    """Checks each choice of every section on a narrow phone."""
    anna = await open_finished_report(new_phone, code_of(slug), width=NARROWEST)
    sections = anna.page.locator("section.section:has(.panel)")
    seen = 0
    for at in range(await sections.count()):
        section = sections.nth(at)
        assert await section.locator("> p").first.text_content()
        buttons = section.locator("[data-shows]")
        for choice in range(max(await buttons.count(), 1)):
            if await buttons.count():
                await buttons.nth(choice).tap()
            await expect_chart_and_table(section.locator(".panel:visible"))
            seen += 1
    assert seen == await anna.page.locator(".panel").count()
    assert await anna.page.evaluate("document.documentElement.scrollWidth") <= NARROWEST


async def expect_chart_and_table(panel: Locator) -> None:
    await expect(panel).to_have_count(1)
    await panel.scroll_into_view_if_needed()
    await expect(panel.locator(".main-svg").first).to_be_visible()
    await expect(panel.locator(DRAWN)).not_to_have_count(0)
    size = await panel.locator(".main-svg").first.bounding_box()
    box = await panel.locator(".chart").bounding_box()
    assert size
    assert box
    assert abs(size["width"] - box["width"]) < 2, "as wide as its container"
    assert size["height"] >= 150
    assert await panel.evaluate(ILLEGIBLE) == []
    await panel.locator("summary").tap()
    await expect(panel.locator("table")).to_be_visible()
    assert await panel.locator("tbody tr").count()
    await panel.locator("summary").tap()


@pytest.mark.long
async def test_course_switches_between_rounds_and_entries(
    new_phone: NewPhone, code_of: Callable[[str], str]
) -> None:
    """No request is made."""
    anna = await open_finished_report(new_phone, code_of("raubritter"))
    before = len(anna.requests)
    await expect(anna.page.locator("#course-entries-panel")).to_be_visible()
    await anna.page.get_by_role("button", name="Rounds").first.tap()
    await expect(anna.page.locator("#course-entries-panel")).to_be_hidden()
    rounds = anna.page.locator("#course-rounds-panel")
    await expect(rounds.locator(".main-svg").first).to_be_visible()
    await rounds.locator("summary").tap()
    rows = rounds.locator("tbody tr")
    points = await rounds.locator(".chart").evaluate("box => box.data[0].x.length")
    assert await rows.count() == points
    await anna.page.get_by_role("button", name="Every entry").tap()
    await expect(anna.page.locator("#course-entries-panel .main-svg").first).to_be_visible()
    assert len(anna.requests) == before


@pytest.mark.long
async def test_turning_point_links_to_the_replay(new_phone: NewPhone, code_of: Callable[[str], str]) -> None:
    anna = await open_finished_report(new_phone, code_of("raubritter"))
    link = anna.page.locator("#turning a").first
    number = await link.inner_text()
    await link.tap()
    await anna.page.wait_for_url(f"**/replay/?at={number}")


@pytest.mark.long
async def test_summary_is_saved_as_png(new_phone: NewPhone, code_of: Callable[[str], str]) -> None:
    anna = await open_finished_report(new_phone, code_of("signoria"))
    async with anna.page.expect_download() as download:
        await anna.page.get_by_role("link", name="Save as picture").tap()
    saved = await download.value
    assert saved.suggested_filename == "signoria-2026-03-01.png"
    data = await asyncio.to_thread(Path(await saved.path()).read_bytes)
    assert data.startswith(b"\x89PNG")
    assert int.from_bytes(data[16:20], "big") == 1080


@pytest.mark.long
async def test_summary_is_saved_as_svg_if_png_fails(
    new_phone: NewPhone, code_of: Callable[[str], str]
) -> None:
    anna = await open_finished_report(new_phone, code_of("signoria"))
    await anna.page.evaluate("() => { HTMLCanvasElement.prototype.toBlob = (done) => done(null); }")
    async with anna.page.expect_download() as download:
        await anna.page.get_by_role("link", name="Save as picture").tap()
    saved = await download.value
    assert saved.suggested_filename.endswith(".svg")


@pytest.mark.long
async def test_saved_report_works_without_a_server(
    new_phone: NewPhone, code_of: Callable[[str], str], tmp_path: Path
) -> None:
    """Opened from disk, it renders every chart and token without any request."""
    anna = await open_finished_report(new_phone, code_of("wallenstein"))
    async with anna.page.expect_download() as download:
        await anna.page.get_by_role("link", name="Save as a file").tap()
    saved = tmp_path / "report.html"
    await (await download.value).save_as(saved)
    reader = await new_phone("Reader", at="file://")
    await reader.page.goto(saved.as_uri())
    await expect(reader.page.locator("#course .main-svg").first).to_be_visible()
    for at in range(await reader.page.locator(".panel:visible").count()):
        panel = reader.page.locator(".panel:visible").nth(at)
        await panel.scroll_into_view_if_needed()
        await expect(panel.locator(DRAWN)).not_to_have_count(0)
    token = await reader.page.locator("#result .tk use, .section .tk use").first.evaluate(
        "use => use.getBBox().width"
    )
    assert token > 0
    requested = [request.url for request in reader.requests if not request.url.startswith(("data:", "blob:"))]
    assert requested == [saved.as_uri()]
    await reader.page.get_by_role("button", name="Grain").tap()
    await expect(reader.page.locator("#money-grain-panel .main-svg").first).to_be_visible()

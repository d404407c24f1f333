"""``make shots``: every screen, on a phone and on a large one, as pictures in ``shots/``.

A server of its own is started on this machine, games are played through the API from fixed
seeds, and each screen is opened as the person who would see it.

The pictures of the help page are among them, in each language. They lie in ``static/help/`` and belong to the site;
``make shots ARGS=help-`` renews those alone.
"""

from __future__ import annotations

import base64
import os
import re
import shutil
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http import HTTPStatus
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.servers import ROOT, environment, manage, running_server
from tools.evening import Evening, ask

FOLDER = ROOT / "shots"
HELP = ROOT / "static" / "help"
HELP_WIDTH, HELP_QUALITY = 585, 0.72
SIZES = {"phone": (390, 844), "large": (1920, 1080)}
PAIR = ("blue", "yellow")
FOUR = ("blue", "yellow", "green", "red")
LANGUAGES = ("en", "hu", "it")

Prepare = Callable[[Page], None]


@dataclass(frozen=True, slots=True)
class Shot:
    """One screen: its address, whose phone it is on, and what is tapped before the picture is taken."""

    name: str
    address: str
    tokens: tuple[str, ...] = ()
    prepare: Prepare | None = None
    look: str = "dark"
    whole: bool = True  # also the part below the fold
    sizes: tuple[str, ...] = tuple(SIZES)
    hints: bool = False  # as on a phone that sees everything for the first time
    part: tuple[int, int] | None = None  # for the help page: from where to where down the screen
    language: str = "en"


def chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


@contextmanager
def phone(browser: Browser, site: str, size: str, shot: Shot) -> Iterator[BrowserContext]:
    width, height = SIZES[size]
    small = size == "phone"
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=2 if small else 1,
        is_mobile=small,
        has_touch=small,
        locale=shot.language,
        reduced_motion="reduce",
        service_workers="block",
    )
    hints = "" if shot.hints else "none"
    cookies = {"look": shot.look, "seats": ".".join(shot.tokens), "hints": hints}
    context.add_cookies(
        [{"name": name, "value": value, "url": site} for name, value in cookies.items() if value]
    )
    try:
        yield context
    finally:
        context.close()


def take(browser: Browser, site: str, shot: Shot) -> None:
    for size in shot.sizes:
        with phone(browser, site, size, shot) as context:
            page = context.new_page()
            answer = page.goto(shot.address, wait_until="load")
            if answer is None or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
                raise RuntimeError(f"{shot.name} cannot be shown")
            page.wait_for_timeout(150)  # the stream opens, the dot turns green
            if shot.prepare:
                shot.prepare(page)
                page.wait_for_timeout(150)
            if shot.part:
                take_part(page, HELP / shot.language / f"{shot.name.removeprefix('help-')}.webp", *shot.part)
                continue
            picture = FOLDER / f"{shot.name}.{size}.png"
            page.screenshot(path=picture)
            if shot.whole and size == "phone":
                take_whole(page, FOLDER / f"{shot.name}.whole.png")
            print(picture.relative_to(ROOT), flush=True)


def take_part(page: Page, picture: Path, top: int, bottom: int) -> None:
    """A part of the screen, small enough to be sent along with a page."""
    width: int = page.evaluate("() => innerWidth")
    taken = page.screenshot(clip={"x": 0, "y": top, "width": width, "height": bottom - top})
    blank = page.context.new_page()
    coded: str = blank.evaluate(TO_WEBP, [base64.b64encode(taken).decode(), HELP_WIDTH, HELP_QUALITY])
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_bytes(base64.b64decode(coded.partition(",")[2]))
    print(picture.relative_to(ROOT), f"{picture.stat().st_size / 1000:.0f} kB", flush=True)


TO_WEBP = """async ([png, width, quality]) => {
  const picture = new Image();
  picture.src = `data:image/png;base64,${png}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = Math.round((width * picture.height) / picture.width);
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL("image/webp", quality);
}"""


def take_whole(page: Page, picture: Path) -> None:
    """What lies below the fold too: on a phone as long as the page, so that the bar stays at its end."""
    width, height = SIZES["phone"]
    whole: int = page.evaluate("() => document.documentElement.scrollHeight")
    if whole > height:
        page.set_viewport_size({"width": width, "height": whole})
        page.screenshot(path=picture)


# --- What is tapped before a picture ---


def choose(*selectors: str) -> Prepare:
    """Tap the first element of each of these."""

    def prepare(page: Page) -> None:
        for selector in selectors:
            page.locator(selector).first.click(force=True)

    return prepare


def join_with_wrong_code(page: Page) -> None:
    page.fill("input[name=code]", "WRONG7")
    page.click("form[action$='/join/'] button")


def open_details(page: Page) -> None:
    """The first three, each of which is no longer among the closed ones once it is open."""
    for _ in range(3):
        closed = page.locator("details:not([open]) > summary")
        if closed.count():
            closed.first.click()


def choose_a_tile(page: Page) -> None:
    choose("input[name=tile]", "input[name=at]")(page)


def choose_a_march(page: Page) -> None:
    choose("input[name=way]:not([value=stay])", "input[name=many][value='3']")(page)


def be_refused(page: Page) -> None:
    """A form that was right when it was drawn is sent after somebody else was faster."""
    choose_a_tile(page)
    page.evaluate("() => { document.querySelector('input[name=at]:checked').value = '90,90'; }")
    page.click("#bar button.main")
    page.wait_for_selector("#error")


# --- The screens ---


def screens(site: str) -> Iterator[Shot]:
    yield Shot("home-empty", f"{site}/")
    yield Shot("home-wrong-code", f"{site}/", prepare=join_with_wrong_code)
    yield from first_evening(site)
    yield from lobby(site)
    yield from beginning(site)
    yield from middle(site)
    yield from end(site)
    yield from afterwards(site)
    yield from revolution(site)
    yield from wallenstein(site)
    yield from signoria(site)
    yield from pads(site)
    yield from calculators(site)
    yield Shot("nothing-here", f"{site}/no/such/page/")
    yield Shot("api-docs", f"{site}/api/docs/", whole=False)


def first_evening(site: str) -> Iterator[Shot]:
    """What the help page shows, step by step, and screens that are seen for the first time."""
    yield Shot("first-evening", f"{site}/help/")
    lobby = Evening.open(site, PAIR[:1], start=False)
    host = (lobby.tokens["host"], lobby.tokens["blue"])

    def help_shots(
        name: str, address: str, tokens: tuple[str, ...], part: tuple[int, int], **more: Any
    ) -> Iterator[Shot]:
        for language in LANGUAGES:
            shot = Shot(f"help-{name}", address, tokens, sizes=("phone",), part=part, **more)
            yield replace(shot, language=language)

    yield from help_shots("open", f"{site}/", (), (0, 420), prepare=show("#open"))
    yield from help_shots("scan", lobby.page, host, (0, 420), prepare=without_address)
    yield from help_shots("sit", lobby.page, (), (0, 560), prepare=choose("input[value=yellow]"))
    game = Evening.open(site, PAIR, seed=3)
    game.play(26)
    mine = game.play_until("place")
    seats = (game.tokens["host"], game.tokens[mine])
    other = (game.tokens["yellow" if mine == "blue" else "blue"],)
    yield Shot("hint-now", game.page, seats, hints=True)
    yield Shot("hint-watching", game.page, hints=True)
    for tab in ("board", "score", "journal"):
        yield Shot(f"hint-{tab}", f"{game.page}?tab={tab}", seats, hints=True)
    yield from help_shots("enter", game.page, seats, (0, 844), prepare=choose_a_tile)
    yield from help_shots("hands", game.page, other, (60, 480), prepare=choose(".tick"))
    yield from help_shots(
        "mend", f"{game.page}?tab=journal", seats, (60, 600), prepare=choose(".entry summary")
    )
    yield from help_shots("differs", f"{game.page}compare/", seats, (0, 844))
    yield from help_shots("back", f"{game.page}seats/", seats[:1], (0, 640), prepare=without_address)
    yield from help_shots("display", f"{game.page}display/", (), (0, 600), prepare=as_on_a_tv)
    game.play_to_the_end()
    yield from help_shots("after", game.page, (game.tokens["host"],), (0, 480))


def as_on_a_tv(page: Page) -> None:
    page.set_viewport_size({"width": 1067, "height": 600})


def without_address(page: Page) -> None:
    """That of the server that is only there for the pictures."""
    page.evaluate("() => { for (const one of document.querySelectorAll('.address')) one.hidden = true; }")


def show(selector: str) -> Prepare:
    """Scroll to an element, with some room above it."""

    def prepare(page: Page) -> None:
        page.locator(selector).evaluate("one => scrollTo(0, one.getBoundingClientRect().top + scrollY - 16)")

    return prepare


def lobby(site: str) -> Iterator[Shot]:
    empty = Evening.open(site, start=False)
    host = empty.tokens["host"]
    yield Shot("lobby-host-empty", empty.page, (host,))
    for faction, name in zip(PAIR, ("Anna", "Bert"), strict=True):
        seat = ask(f"{site}/api/tables/{empty.code}/seats/", {"name": name, "faction": faction})
        empty.tokens[faction] = seat["token"]
    seated = (host, empty.tokens["blue"])
    yield Shot("lobby-host", empty.page, seated)
    yield Shot("lobby-host-options", empty.page, seated, prepare=choose("#options summary"))
    yield Shot("lobby-guest", empty.page)
    yield Shot("lobby-guest-seated", empty.page, (empty.tokens["yellow"],))
    yield Shot("lobby-light", empty.page, look="light")
    yield Shot("display-lobby", f"{empty.page}display/", whole=False, sizes=("large",))


def beginning(site: str) -> Iterator[Shot]:
    two = Evening.open(site, PAIR, seed=11)
    blue, yellow = (two.tokens[faction] for faction in PAIR)
    yield Shot("now-setting-up", two.page, (blue,))
    mine = two.play_until("place")
    yield Shot("now-placing-early", two.page, (two.tokens[mine],))
    yield Shot("now-placing-chosen", two.page, (two.tokens[mine],), prepare=choose_a_tile)
    yield Shot("now-refused", two.page, (two.tokens[mine],), prepare=be_refused)
    yield Shot("now-waiting-early", two.page, (yellow if mine == "blue" else blue,))
    yield Shot("now-host-without-seat", two.page, (two.tokens["host"],))


def middle(site: str) -> Iterator[Shot]:
    four = Evening.open(site, FOUR, seed=3)
    four.play(70)
    mine = four.play_until("march", goes_two_ways)
    other = next(faction for faction in FOUR if faction != mine)
    me, them = (four.tokens[mine],), (four.tokens[other],)
    yield Shot("march", four.page, me)
    yield Shot("march-chosen", four.page, me, prepare=choose_a_march)
    yield Shot("now-waiting", four.page, them)
    yield Shot("now-spectator", four.page)
    yield Shot("display", f"{four.page}display/", whole=False)
    yield Shot("display-light", f"{four.page}display/", look="light", whole=False, sizes=("large",))
    yield Shot("replay", f"{four.page}replay/?at=40")
    host = (four.tokens["host"], four.tokens["blue"])
    for tab in ("board", "score", "journal", "help", "menu", "correct"):
        yield Shot(tab, f"{four.page}?tab={tab}", host)
    yield Shot("journal-open", f"{four.page}?tab=journal", host, prepare=open_details)
    yield Shot("menu-open", f"{four.page}?tab=menu", host, prepare=open_details)
    yield Shot("menu-spectator", f"{four.page}?tab=menu")
    place = next(
        h["place"]
        for h in four.get("state/")["holdings"]
        if h["piece"] == "knight" and h["place"] != "supply"
    )
    yield Shot("correct-place", f"{four.page}?tab=correct&place={place}", host)
    yield Shot("move-seat", f"{four.page}?tab=menu", host, prepare=move_a_seat)
    for tab in ("now", "board", "score", "journal"):
        yield Shot(f"{tab}-light", f"{four.page}?tab={tab}", me, look="light")
    late = four.play_until("place")
    yield Shot("now-placing-late", four.page, (four.tokens[late],), prepare=choose_a_tile)
    yield Shot("now-scribe", four.page, host, prepare=write_for_all)
    yield Shot("home-tables", f"{site}/", host)


def afterwards(site: str) -> Iterator[Shot]:
    """Mending, taking a game up, the report, the printed figures."""
    four = Evening.open(site, FOUR, seed=5)
    four.play(60)
    host = (four.tokens["host"], four.tokens["blue"])
    yield Shot("mend", f"{four.page}mend/30/", host)
    yield Shot("mend-leave-out", f"{four.page}mend/30/leave-out/", host)
    yield Shot("position", f"{four.page}position/", host)
    yield Shot("figures", f"{four.page}figures/", host)
    yield Shot("report-so-far", f"{four.page}report/")
    four.play_to_the_end()
    yield Shot("report", f"{four.page}report/")
    yield Shot("report-light", f"{four.page}report/", look="light")
    for game in ("raubritter", "revolution", "wallenstein"):
        yield Shot(f"boards-{game}", f"{site}/boards/{game}/")


FIVE = ("catholics", "habsburgs", "nobility", "burghers", "reformers")
ASKED = (
    *("start-armies", "support", "place", "settled", "draft", "tax", "maintain", "recruit", "hire"),
    *("march", "convert", "overflow", "influence"),
)


def revolution(site: str) -> Iterator[Shot]:
    """What each phase asks, the map, the TV."""
    five = Evening.open(site, FIVE, game="revolution")
    for action in ASKED:
        faction = five.play_until(action)
        yield Shot(f"revolution-{action}", five.page, (five.tokens[faction],))
    mine = (five.tokens["habsburgs"],)
    for tab in ("board", "score", "journal"):
        yield Shot(f"revolution-{tab}", f"{five.page}?tab={tab}", mine)
    yield Shot("revolution-sheet", f"{five.page}?tab=board", mine, prepare=choose("[data-land=flanders]"))
    yield Shot("revolution-board-light", f"{five.page}?tab=board", mine, look="light")
    yield Shot("revolution-display", f"{five.page}display/", whole=False, sizes=("large",))
    yield Shot("revolution-replay", f"{five.page}replay/")
    yield Shot("revolution-report", f"{five.page}report/")


GENERALS = ("red", "blue", "yellow", "purple")
BEFORE_ACTIONS = ("fill", "take", "events", "row", "plan")
OF_A_SEASON = ("order", "event", "turn", "move", "defend", "throw", "recruit", "hunger")


def wallenstein(site: str) -> Iterator[Shot]:
    """What each phase asks, the map, the TV; the draft of a game for two; the report with its luck."""
    two = Evening.open(site, GENERALS[:2], game="wallenstein")
    for action in ("open", "draft"):
        faction = two.play_until(action)
        yield Shot(f"wallenstein-{action}", two.page, (two.tokens[faction],))
    boards = Evening.open(site, GENERALS[:3], game="wallenstein", options={"planning": "boards"})
    yield Shot("wallenstein-reveal", boards.page, (boards.tokens[boards.play_until("reveal")],))
    four = Evening.open(site, GENERALS, game="wallenstein")
    for action in BEFORE_ACTIONS:
        faction = four.play_until(action)
        yield Shot(f"wallenstein-{action}", four.page, (four.tokens[faction],))
    plan_to_move(four)
    for action in OF_A_SEASON:
        faction = four.play_until(action)
        yield Shot(f"wallenstein-{action}", four.page, (four.tokens[faction],))
    mine = (four.tokens["red"],)
    for tab in ("board", "score", "journal"):
        yield Shot(f"wallenstein-{tab}", f"{four.page}?tab={tab}", mine)
    yield Shot("wallenstein-sheet", f"{four.page}?tab=board", mine, prepare=choose("[data-land=boehmen]"))
    yield Shot("wallenstein-board-light", f"{four.page}?tab=board", mine, look="light")
    yield Shot("wallenstein-display", f"{four.page}display/", whole=False, sizes=("large",))
    yield Shot("wallenstein-position", f"{four.page}position/", (four.tokens["host"],))
    yield Shot("wallenstein-replay", f"{four.page}replay/")
    yield Shot("wallenstein-report", f"{four.page}report/")


def plan_to_move(evening: Evening) -> None:
    """Everybody plans from the last action on, so that there are battles."""
    for prompt in evening.get("prompts/"):
        bounds = prompt["choices"]["cards"]
        cards = dict(zip(bounds["actions"][::-1], bounds["provinces"], strict=False))
        evening.enter(prompt["faction"], {"type": "plan", "cards": cards})


THREE = ("yellow", "red", "blue")


def signoria(site: str) -> Iterator[Shot]:
    """What each phase asks, the boards, taking a game up, the printed figures, the TV."""
    yield Shot("signoria-figures", f"{site}/boards/signoria/")
    begun = Evening.open(site, THREE, game="signoria")
    for part in ("course", "players", "tracks", "cities", "dice"):
        address = f"{begun.page}position/?part={part}"
        yield Shot(f"signoria-position-{part}", address, (begun.tokens["host"],))
    three = Evening.open(site, THREE, game="signoria")
    mine = (three.tokens["red"],)
    yield from first_asked(three, 130)
    for tab in ("board", "score", "journal"):
        yield Shot(f"signoria-{tab}", f"{three.page}?tab={tab}", mine)
    yield Shot("signoria-board-light", f"{three.page}?tab=board", mine, look="light")
    yield Shot("signoria-display", f"{three.page}display/", whole=False, sizes=("large",))
    yield Shot("signoria-replay", f"{three.page}replay/")
    three.play_to_the_end()
    yield Shot("signoria-end", three.page, mine)
    yield Shot("signoria-report", f"{three.page}report/")


def first_asked(evening: Evening, entries: int) -> Iterator[Shot]:
    """What is asked during so many entries, each when it is asked for the first time."""
    seen: set[str] = set()
    for _ in range(entries):
        for prompt in evening.get("prompts/"):
            if prompt["action"] not in seen:
                seen.add(prompt["action"])
                whose = (evening.tokens[prompt["faction"]],)
                yield Shot(f"{evening.get()['game']}-{prompt['action']}", evening.page, whose)
        evening.step(seldom="pass")


def pads(site: str) -> Iterator[Shot]:
    seated = {
        "revolution": FIVE,
        "wallenstein": ("red", "blue", "yellow"),
        "signoria": ("yellow", "red", "blue"),
        "raubritter": PAIR,
    }
    for game, factions in seated.items():
        pad = Evening.open(site, factions, game=game, options={"mode": "pad"})
        yield Shot(f"pad-{game}", pad.page, (pad.tokens["host"], pad.tokens[factions[0]]))
        pad.play(1)
        yield Shot(f"pad-{game}-display", f"{pad.page}display/", whole=False, sizes=("large",))


def goes_two_ways(prompt: Mapping[str, Any]) -> bool:
    """A march that shows what there is to choose."""
    (bounds,) = prompt["choices"].values()
    return len({direction for knights, direction, _left in bounds["options"] if knights >= 3}) > 2  # noqa: PLR2004


def move_a_seat(page: Page) -> None:
    choose("details > summary", "button[value=move]")(page)


def write_for_all(page: Page) -> None:
    page.goto(f"{page.url}?tab=menu")
    page.click("button[value=scribe]")


def end(site: str) -> Iterator[Shot]:
    for name, factions, seed in (("two", PAIR, 5), ("four", FOUR, 9)):
        game = Evening.open(site, factions, seed=seed)
        game.play_to_the_end()
        mine = (game.tokens["host"], game.tokens["blue"])
        yield Shot(f"finished-{name}", game.page, mine)
        yield Shot(f"finished-{name}-board", f"{game.page}?tab=board", mine)
        yield Shot(f"finished-{name}-score", f"{game.page}?tab=score", mine)
        yield Shot(f"finished-{name}-menu", f"{game.page}?tab=menu", mine)
        yield Shot(f"finished-{name}-spectator", game.page)
        yield Shot(f"finished-{name}-display", f"{game.page}display/", whole=False, sizes=("large",))


def calculators(site: str) -> Iterator[Shot]:
    yield Shot("calculators", f"{site}/calculators/")
    with urllib.request.urlopen(f"{site}/calculators/") as page:  # noqa: S310 - http, to ourselves
        found = re.findall(r'href="(/calculators/([a-z-]+)/([a-z-]+)/)"', page.read().decode())
    for address, game, name in sorted(set(found)):
        yield Shot(f"calculator-{game}-{name}", f"{site}{address}", sizes=("phone",))


def main() -> None:
    program = chromium()
    if program is None:
        sys.exit("Chromium is missing; install it, or set CHROMIUM to its path.")
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="seneschal-shots-") as folder:
        data = Path(folder) / "data"
        settings = {"STATIC_MANIFEST": "on", "STATIC_ROOT": str(Path(folder) / "static")}
        manage(environment(data, **settings), "collectstatic", "--no-input", "--verbosity=0")
        with running_server(data, **settings) as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            for shot in first_evening(server.url) if wanted == ["help-"] else screens(server.url):
                if not wanted or any(shot.name.startswith(part) for part in wanted):
                    take(browser, server.url, shot)
            browser.close()


if __name__ == "__main__":
    main()

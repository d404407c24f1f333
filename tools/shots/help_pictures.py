"""Pictures of the help page in each language, stored in `static/help/`."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.servers import ROOT
from tools.shots.browser import opened
from tools.shots.shot import PHONE, Look, Prepare, Shot, tap
from tools.shots.stage import Stage
from tools.shots.taps import PAIR, choose_a_tile

HELP = ROOT / "static" / "help"
WIDTH, QUALITY = 585, 0.72
LANGUAGES = ("en", "hu", "it")
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


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a screen, from `top` to `bottom` in CSS pixels."""

    shot: Shot
    top: int
    bottom: int


def renew_help_pictures(browser: Browser, stage: Stage) -> None:
    for part in parts(stage):
        for language in LANGUAGES:
            shot = replace(part.shot, look=Look(language=language))
            with opened(browser, stage, shot, PHONE) as page:
                save(page, HELP / language / f"{shot.name}.webp", part.top, part.bottom)


def save(page: Page, picture: Path, top: int, bottom: int) -> None:
    """Save a part of the screen as a small WebP file."""
    width: int = page.evaluate("() => innerWidth")
    taken = page.screenshot(clip={"x": 0, "y": top, "width": width, "height": bottom - top})
    blank = page.context.new_page()
    encoded: str = blank.evaluate(TO_WEBP, [base64.b64encode(taken).decode(), WIDTH, QUALITY])
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_bytes(base64.b64decode(encoded.partition(",")[2]))
    print(picture.relative_to(ROOT), f"{picture.stat().st_size / 1000:.0f} kB", flush=True)


def parts(stage: Stage) -> Iterator[Part]:
    """Yield the steps of a first evening."""
    lobby = stage.open(PAIR[:1], start=False)
    yield Part(Shot("open", f"{stage.site}/", prepare=scroll_to("#open")), 0, 420)
    seated = (lobby.host, lobby.tokens["blue"])
    yield Part(Shot("scan", lobby.page, seated, without_address), 0, 420)
    yield Part(Shot("sit", lobby.page, prepare=tap("input[value=yellow]")), 0, 560)
    game = stage.open(PAIR, seed=3)
    game.play(26)
    faction = game.play_until("place")
    seats = (game.host, game.tokens[faction])
    other = (game.tokens["yellow" if faction == "blue" else "blue"],)
    yield Part(Shot("enter", game.page, seats, choose_a_tile), 0, 844)
    yield Part(Shot("hands", game.page, other, tap(".tick")), 60, 480)
    yield Part(Shot("mend", f"{game.page}?tab=journal", seats, tap(".entry summary")), 60, 600)
    yield Part(Shot("differs", f"{game.page}compare/", seats), 0, 844)
    yield Part(Shot("back", f"{game.page}seats/", seats[:1], without_address), 0, 640)
    yield Part(Shot("display", f"{game.page}display/", prepare=as_on_a_tv), 0, 600)
    game.play_to_the_end()
    yield Part(Shot("after", game.page, (game.host,)), 0, 480)


def as_on_a_tv(page: Page) -> None:
    page.set_viewport_size({"width": 1067, "height": 600})


def without_address(page: Page) -> None:
    """Hide the address of the temporary server."""
    page.evaluate(
        "() => { for (const element of document.querySelectorAll('.address')) element.hidden = true; }"
    )


def scroll_to(selector: str) -> Prepare:
    """Return a preparation that scrolls to 16 px above an element."""

    def prepare(page: Page) -> None:
        page.locator(selector).evaluate(
            "element => scrollTo(0, element.getBoundingClientRect().top + scrollY - 16)"
        )

    return prepare

"""What is looked at on a page so that everybody can use it. Each check answers with what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from playwright.async_api import Page

from tests.browser.phones import HEIGHT
from tests.servers import ROOT

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Good manners that no law demands: one heading for the page, none left out on the way down, landmarks.
MANNERS = ["page-has-heading-one", "heading-order", "empty-heading", "landmark-one-main", "landmark-unique"]
# Rules whose result may change with the look, or with the width, of a page that was checked before.
OF_LOOKS = ["color-contrast", "link-in-text-block"]
OF_WIDTHS = ["target-size", "scrollable-region-focusable"]
FINGER = 44

UNFOLD = "() => { for (const one of document.querySelectorAll('details')) one.open = true; }"
# What the bar covers at this moment can be scrolled out from below it; what is drawn only when it is scrolled to has
# no places for its words before.
SHOW_ALL = """() => {
  for (const bar of document.querySelectorAll(".bar, .foot, .padbar, .sticky")) bar.style.setProperty("position", "static");
  for (const one of document.querySelectorAll("body *"))
    if (getComputedStyle(one).contentVisibility === "auto") one.style.setProperty("content-visibility", "visible");
}"""
RUN = """async ([only, manners]) => {
  const quick = { resultTypes: ["violations"], selectors: false, preload: false, iframes: false };
  const rules = Object.fromEntries(manners.map((name) => [name, { enabled: true }]));
  const { violations } = await axe.run(document, { ...quick, runOnly: only, rules });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any, all }) =>
    `${id}: ${html.slice(0, 160)} ${[...any, ...all][0]?.message ?? ""}`));
}"""

# What can be tapped, by its label where it has one. Links in running text are exempt (WCAG 2.5.8), and so is
# what lies on a map, as the list below it is a larger way to the same.
TOO_SMALL = """finger => {
  const taps = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [tabindex='0']";
  const isInText = (one) => one.matches("a") && getComputedStyle(one).display === "inline"
    && [...one.parentElement.childNodes].some((other) => other !== one && other.textContent.trim().length > 1);
  return [...document.querySelectorAll(taps)]
    .filter((one) => one.checkVisibility() && !one.closest("svg, .hidden-text, .chart") && !isInText(one))
    .map((one) => (one.matches("input[type=radio], input[type=checkbox]") ? one.closest("label") ?? one : one))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width && box.height && Math.min(box.width, box.height) < finger - 0.5)
    .map(([one, box]) => `${Math.round(box.width)}x${Math.round(box.height)}: ${one.outerHTML.slice(0, 140)}`);
}"""

# What reaches over the right edge, innermost first. A phone widens ``innerWidth`` to whatever it has to show.
TOO_WIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth <= clientWidth + 1 ? [] :
    [`${scrollWidth} wide`, ...[...document.querySelectorAll("body *")]
      .filter((one) => one.getBoundingClientRect().right > clientWidth + 1)
      .reverse().slice(0, 3).map((one) => one.outerHTML.slice(0, 140))];
}"""

# Words that are cut off by what holds them, and words on top of other words. What scrolls may hide some, and
# drawings have sizes of their own.
UNREADABLE = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const wrong = [];
  const lines = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const inside = node.parentElement;
    if (!node.data.trim() || !inside.checkVisibility({ visibilityProperty: true })) continue;
    if (inside.closest("svg, .hidden-text, .chart, option, script, .unsent")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    let scrolls = false;
    for (let one = inside; one && one !== document.body; one = one.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(one);
      if (/auto|scroll/.test(overflowX + overflowY)) scrolls = true;
      if (scrolls || position === "absolute" && one.clientWidth < 2) break;
      if (overflowX === "visible") continue;
      const hole = one.getBoundingClientRect();
      if (boxes.some((box) => box.right > hole.right + 1 || box.left < hole.left - 1 || box.bottom > hole.bottom + 2))
        wrong.push(`cut: ${node.data.trim().slice(0, 40)} in ${one.outerHTML.slice(0, 100)}`);
    }
    if (!scrolls) for (const box of boxes) lines.push([box, node]);
  }
  lines.sort(([one], [other]) => one.top - other.top);
  for (const [i, [box, node]] of lines.entries()) {
    for (let j = i + 1; j < lines.length && lines[j][0].top < box.bottom - 6; j += 1) {
      const [other, words] = lines[j];
      if (words === node) continue;
      const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      if (wide > 3) wrong.push(`overlap: ${node.data.trim().slice(0, 40)} | ${words.data.trim().slice(0, 40)}`);
    }
  }
  return wrong;
}"""

# Whatever would still move for somebody who asked for no motion.
MOVES = """() => [...document.querySelectorAll("*")].flatMap((one) => ["", "::before", "::after"].flatMap((part) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(one, part || null);
  const lasts = (text) => text.split(",").some((time) => parseFloat(time) > 0.01);
  return animationName !== "none" && lasts(animationDuration) || lasts(transitionDuration)
    ? [`${one.outerHTML.slice(0, 100)} ${part}`] : [];
}))"""


@cache
def _axe() -> str:
    return (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


async def violations(page: Page, *, rules: Sequence[str] = ()) -> list[str]:
    """Return what axe finds against WCAG 2.2 AA, or against these rules alone."""
    await page.evaluate(SHOW_ALL)
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(_axe())
    if rules:
        return await _asked(page, RUN, [{"type": "rule", "values": rules}, []])
    return await _asked(page, RUN, [{"type": "tag", "values": TAGS}, MANNERS])


async def too_small(page: Page) -> list[str]:
    return await _asked(page, TOO_SMALL, FINGER)


async def too_wide(page: Page) -> list[str]:
    return await _asked(page, TOO_WIDE)


async def unreadable(page: Page) -> list[str]:
    await page.evaluate(SHOW_ALL)
    return await _asked(page, UNREADABLE)


async def moves(page: Page) -> list[str]:
    return await _asked(page, MOVES)


async def _asked(page: Page, script: str, argument: object = None) -> list[str]:
    found: list[str] = await page.evaluate(script, argument)
    return found


async def wear(page: Page, look: str, width: int) -> None:
    """Another look and another width, without loading the page again."""
    await page.set_viewport_size({"width": width, "height": HEIGHT})
    await page.evaluate("look => { document.documentElement.dataset.look = look; }", look)


def told(faults: Mapping[str, Sequence[str]]) -> str:
    """A few of each."""
    return "\n".join(f"{where}\n    {fault}" for where, found in faults.items() for fault in found[:5])

"""Accessibility checks of a page. Each returns a list of faults, empty if there are none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from playwright.async_api import Page

from tests.browser.phones import HEIGHT
from tests.servers import ROOT

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
# Best practices beyond WCAG: one main heading, no skipped heading level, landmarks.
BEST_PRACTICES = [
    "page-has-heading-one",
    "heading-order",
    "empty-heading",
    "landmark-one-main",
    "landmark-unique",
]
# Rules to repeat when only the look (dark or light), or only the width, of a checked page changes.
LOOK_RULES = ["color-contrast", "link-in-text-block"]
WIDTH_RULES = ["target-size", "scrollable-region-focusable"]
MIN_TARGET = 44  # CSS pixels

OPEN_DETAILS = "() => { for (const details of document.querySelectorAll('details')) details.open = true; }"
# Fixed bars cover content that can be scrolled into view, and `content-visibility: auto` leaves off-screen
# text without layout; undo both so that every text can be checked.
SHOW_ALL = """() => {
  for (const bar of document.querySelectorAll(".bar, .foot, .padbar, .sticky")) bar.style.setProperty("position", "static");
  for (const element of document.querySelectorAll("body *"))
    if (getComputedStyle(element).contentVisibility === "auto") element.style.setProperty("content-visibility", "visible");
}"""
RUN_AXE = """async ([only, bestPractices]) => {
  const quick = { resultTypes: ["violations"], selectors: false, preload: false, iframes: false };
  const rules = Object.fromEntries(bestPractices.map((name) => [name, { enabled: true }]));
  const { violations } = await axe.run(document, { ...quick, runOnly: only, rules });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html, any, all }) =>
    `${id}: ${html.slice(0, 160)} ${[...any, ...all][0]?.message ?? ""}`));
}"""

# Tap targets below the minimum size, measured by their label if they have one. Links in running text are
# exempt (WCAG 2.5.8), as are targets on a map, because the list below it has larger targets for the same.
TOO_SMALL = """minimum => {
  const taps = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [tabindex='0']";
  const isInText = (target) => target.matches("a") && getComputedStyle(target).display === "inline"
    && [...target.parentElement.childNodes].some((other) => other !== target && other.textContent.trim().length > 1);
  return [...document.querySelectorAll(taps)]
    .filter((target) => target.checkVisibility() && !target.closest("svg, .hidden-text, .chart") && !isInText(target))
    .map((target) => (target.matches("[type=radio], [type=checkbox]") ? target.closest("label") ?? target : target))
    .map((target) => [target, target.getBoundingClientRect()])
    .filter(([, box]) => box.width && box.height && Math.min(box.width, box.height) < minimum - 0.5)
    .map(([target, box]) => `${Math.round(box.width)}x${Math.round(box.height)}: ${target.outerHTML.slice(0, 140)}`);
}"""

# Elements that extend beyond the right edge, innermost first. Compared with clientWidth, because phones widen
# `innerWidth` to fit the content.
TOO_WIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  return scrollWidth <= clientWidth + 1 ? [] :
    [`${scrollWidth} wide`, ...[...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
      .reverse().slice(0, 3).map((element) => element.outerHTML.slice(0, 140))];
}"""

# Text clipped by an ancestor, and text that overlaps other text. Scroll containers may clip text, and
# drawings are skipped.
UNREADABLE = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const wrong = [];
  const lines = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest("svg, .hidden-text, .chart, option, script, .unsent")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()];
    let scrolls = false;
    for (let ancestor = parent; ancestor && ancestor !== document.body; ancestor = ancestor.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(ancestor);
      if (/auto|scroll/.test(overflowX + overflowY)) scrolls = true;
      if (scrolls || position === "absolute" && ancestor.clientWidth < 2) break;
      if (overflowX === "visible") continue;
      const clip = ancestor.getBoundingClientRect();
      if (boxes.some((box) => box.right > clip.right + 1 || box.left < clip.left - 1 || box.bottom > clip.bottom + 2))
        wrong.push(`cut: ${node.data.trim().slice(0, 40)} in ${ancestor.outerHTML.slice(0, 100)}`);
    }
    if (!scrolls) for (const box of boxes) lines.push([box, node]);
  }
  lines.sort(([first], [second]) => first.top - second.top);
  for (const [i, [box, node]] of lines.entries()) {
    for (let j = i + 1; j < lines.length && lines[j][0].top < box.bottom - 6; j += 1) {
      const [other, otherNode] = lines[j];
      if (otherNode === node) continue;
      const width = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      if (width > 3) wrong.push(`overlap: ${node.data.trim().slice(0, 40)} | ${otherNode.data.trim().slice(0, 40)}`);
    }
  }
  return wrong;
}"""

# Elements with an animation or transition longer than 10 ms, for pages with `prefers-reduced-motion: reduce`.
ANIMATED = """() => [...document.querySelectorAll("*")].flatMap((element) => ["", "::before", "::after"].flatMap((part) => {
  const { animationName, animationDuration, transitionDuration } = getComputedStyle(element, part || null);
  const lasts = (text) => text.split(",").some((time) => parseFloat(time) > 0.01);
  return animationName !== "none" && lasts(animationDuration) || lasts(transitionDuration)
    ? [`${element.outerHTML.slice(0, 100)} ${part}`] : [];
}))"""


@cache
def _axe() -> str:
    return (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")


async def violations(page: Page, *, rules: Sequence[str] = ()) -> list[str]:
    """Return violations of WCAG 2.2 AA and the best practices, or of the given rules only."""
    await page.evaluate(SHOW_ALL)
    if not await page.evaluate("() => 'axe' in window"):
        await page.evaluate(_axe())
    if rules:
        return await _evaluate(page, RUN_AXE, [{"type": "rule", "values": rules}, []])
    return await _evaluate(page, RUN_AXE, [{"type": "tag", "values": TAGS}, BEST_PRACTICES])


async def too_small(page: Page) -> list[str]:
    return await _evaluate(page, TOO_SMALL, MIN_TARGET)


async def too_wide(page: Page) -> list[str]:
    return await _evaluate(page, TOO_WIDE)


async def unreadable(page: Page) -> list[str]:
    await page.evaluate(SHOW_ALL)
    return await _evaluate(page, UNREADABLE)


async def animated(page: Page) -> list[str]:
    return await _evaluate(page, ANIMATED)


async def _evaluate(page: Page, script: str, argument: object = None) -> list[str]:
    faults: list[str] = await page.evaluate(script, argument)
    return faults


async def set_look(page: Page, look: str, width: int) -> None:
    """Change look and width without reloading the page."""
    await page.set_viewport_size({"width": width, "height": HEIGHT})
    await page.evaluate("look => { document.documentElement.dataset.look = look; }", look)


def summary(faults: Mapping[str, Sequence[str]]) -> str:
    """Format the first five faults of each page."""
    return "\n".join(f"{page}\n    {fault}" for page, listed in faults.items() for fault in listed[:5])

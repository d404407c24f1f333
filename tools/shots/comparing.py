"""Comparison of two folders of pictures. Chromium decodes the pictures and draws the differences."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from tools.shots.browser import running_browser

# Threshold per colour channel (0 to 255); smaller differences are due to anti-aliasing.
THRESHOLD = 24
# Draw both pictures side by side, and to their right the second one faded, with differing pixels in red.
DIFFERENCE = """async ([before, after, threshold]) => {
  const decoded = async (png) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${png}`;
    await picture.decode();
    return picture;
  };
  const pictures = await Promise.all([decoded(before), decoded(after)]);
  const width = Math.max(...pictures.map((picture) => picture.width));
  const height = Math.max(...pictures.map((picture) => picture.height));
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [3 * width, height];
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  pictures.forEach((picture, index) => pen.drawImage(picture, index * width, 0));
  const [first, second] = [0, width].map((left) => pen.getImageData(left, 0, width, height).data);
  const drawn = pen.createImageData(width, height);
  let [pixels, left, top, right, bottom] = [0, width, height, -1, -1];
  for (let at = 0; at < first.length; at += 4) {
    let most = 0;
    for (let channel = at; channel < at + 4; channel += 1) {
      most = Math.max(most, Math.abs(first[channel] - second[channel]));
    }
    const differs = most > threshold;
    for (let channel = 0; channel < 3; channel += 1) {
      drawn.data[at + channel] = differs ? [230, 0, 40][channel] : second[at + channel] / 3;
    }
    drawn.data[at + 3] = 255;
    if (!differs) continue;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    pixels += 1;
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
  }
  pen.putImageData(drawn, 2 * width, 0);
  return { pixels, box: [left, top, right, bottom], drawn: pixels ? canvas.toDataURL("image/png") : "" };
}"""


@dataclass(frozen=True, slots=True)
class Difference:
    """A picture that is not the same in both folders."""

    name: str
    message: str


def compare(before: Path, after: Path, into: Path) -> list[Difference]:
    """Compare the pictures of two folders by name; draw the differences into a third folder."""
    names = {folder: {path.name for path in folder.glob("*.png")} for folder in (before, after)}
    differences = [Difference(name, f"only in {before}") for name in names[before] - names[after]]
    differences += [Difference(name, f"only in {after}") for name in names[after] - names[before]]
    changed = [
        name
        for name in sorted(names[before] & names[after])
        if (before / name).read_bytes() != (after / name).read_bytes()
    ]
    if changed:
        differences += _compare_pixels(changed, before, after, into)
    return sorted(differences, key=lambda difference: difference.name)


def _compare_pixels(names: list[str], before: Path, after: Path, into: Path) -> Iterator[Difference]:
    """Compare the pictures whose files differ, pixel by pixel."""
    into.mkdir(parents=True, exist_ok=True)
    with running_browser() as browser:
        for name in names:
            page = browser.new_page()
            message = _difference(page, before / name, after / name, into / name)
            page.close()
            if message:
                yield Difference(name, message)


def _difference(page: Page, before: Path, after: Path, into: Path) -> str:
    """Draw and describe the difference of two pictures; return "" if it is due to anti-aliasing only."""
    pictures = [base64.b64encode(path.read_bytes()).decode() for path in (before, after)]
    result = page.evaluate(DIFFERENCE, [*pictures, THRESHOLD])
    if not result["pixels"]:
        return ""
    into.write_bytes(base64.b64decode(result["drawn"].partition(",")[2]))
    left, top, right, bottom = result["box"]
    return f"{result['pixels']} pixels differ, from {left},{top} to {right},{bottom}"

// Entering a position: a panned board keeps its scroll position across swaps, and a typed count is sent once,
// by leaving its field or by Enter.

import { beforeSwap, onRender } from "./page.js";

let scrolled = null; // [left, top] before the swap
const pan = () => document.querySelector("[data-pan]");

function restoreScroll() {
  const box = pan();
  if (!box) return;
  const chosen = box.querySelector("[aria-current]");
  if (scrolled) box.scrollTo(...scrolled);
  if (chosen) scrollToCentre(chosen, box);
}

// Centre the selected element unless it is in view.
function scrollToCentre(chosen, box) {
  const [at, around] = [chosen.getBoundingClientRect(), box.getBoundingClientRect()];
  const [x, y] = [(at.left + at.right) / 2 - around.left, (at.top + at.bottom) / 2 - around.top];
  const [width, height] = [box.clientWidth, box.clientHeight];
  if (x < 0 || x > width) box.scrollLeft += x - width / 2;
  if (y < height / 6 || y > (height * 5) / 6) box.scrollTop += y - height / 2;
}

// Leaving the field sends the count, so Enter must not submit the form as well.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.closest("form.typed")) return;
  event.preventDefault();
  event.target.blur();
});

beforeSwap(() => {
  const box = pan();
  scrolled = box && [box.scrollLeft, box.scrollTop];
});
onRender(restoreScroll);

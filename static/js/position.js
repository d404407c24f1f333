// A board wider than the phone stays where it was panned to, whatever is tapped; a count that is typed is sent once,
// by leaving its field or by Enter.
"use strict";

(() => {
  let panned = null;
  const pan = () => document.querySelector("[data-pan]");

  function show() {
    const box = pan();
    if (!box) return;
    const chosen = box.querySelector("[aria-current]");
    if (panned) box.scrollTo(...panned);
    if (chosen) bring(chosen, box);
  }

  // What is chosen comes to the middle, unless it is in sight.
  function bring(chosen, box) {
    const [at, around] = [chosen.getBoundingClientRect(), box.getBoundingClientRect()];
    const [x, y] = [(at.left + at.right) / 2 - around.left, (at.top + at.bottom) / 2 - around.top];
    const [width, height] = [box.clientWidth, box.clientHeight];
    if (x < 0 || x > width) box.scrollLeft += x - width / 2;
    if (y < height / 6 || y > (height * 5) / 6) box.scrollTop += y - height / 2;
  }

  // Enter leaves the field, which sends what was typed; it must not send the form as well.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !event.target.closest("form.typed")) return;
    event.preventDefault();
    event.target.blur();
  });

  document.addEventListener("htmx:before:swap", () => {
    const box = pan();
    panned = box && [box.scrollLeft, box.scrollTop];
  });
  document.addEventListener("htmx:after:swap", show);
  show();
})();

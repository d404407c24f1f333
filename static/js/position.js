// A board wider than the phone stays where it was panned to, whatever is tapped.
"use strict";

(() => {
  let panned = null;
  const pan = () => document.querySelector("[data-pan]");

  function show() {
    const box = pan();
    if (!box) return;
    const chosen = box.querySelector("[aria-current]");
    if (panned) box.scrollTo(...panned);
    else if (chosen) chosen.scrollIntoView({ block: "center", inline: "center" });
  }

  document.addEventListener("htmx:before:swap", () => {
    const box = pan();
    panned = box && [box.scrollLeft, box.scrollTop];
  });
  document.addEventListener("htmx:after:swap", show);
  show();
})();

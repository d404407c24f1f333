// Highlights the places that changed: the page lists them in data-changed, the board has the same HTML for
// everybody.

import { onRender } from "./page.js";

function highlight() {
  const page = document.querySelector("[data-changed]");
  const changed = new Set(page?.dataset.changed.split(" ").filter(Boolean));
  for (const element of document.querySelectorAll("[data-place]")) {
    element.classList.toggle("changed", element.dataset.place.split(" ").some((place) => changed.has(place)));
  }
}

onRender(highlight);

// Entry forms: a group of checkboxes enforces its number, and a tap on a name takes the maximum. The forms work
// without this script.

import "./drafts.js"; // restores the input first
import { onRender } from "./page.js";

// Groups of which a given number must be checked; a group in details.part has its own button

function limitChecked(group) {
  const boxes = [...group.querySelectorAll("input")];
  const required = Number(group.dataset.some);
  const chosen = boxes.filter((box) => box.checked).length;
  for (const box of boxes) box.disabled = !box.checked && chosen >= required;
  boxes[0].setCustomValidity(chosen === required || group.closest("details.part") ? "" : "…");
}

function sync() {
  for (const group of document.querySelectorAll(".ask [data-some]")) limitChecked(group);
}

for (const change of ["input", "change"]) {
  document.addEventListener(change, ({ target }) => target.closest?.(".ask") && sync(), true);
}
onRender(sync);

// A tap on the name sets the maximum; another tap resets it to 0

document.addEventListener("click", ({ target }) => {
  const input = target.closest?.("[data-all]")?.closest(".count-line")?.querySelector("input");
  if (!input) return;
  input.value = input.value === input.max ? 0 : input.max;
  input.dispatchEvent(new Event("input", { bubbles: true }));
});

// Dense fields of a calculator: tap a cell, then change it with the two large buttons below.

import { afterSwap, beforeSwap, onRender } from "./page.js";

const CELLS = ".calculator .cell";
let selected = ""; // name of the selected field

const isVisible = (input) => input.checkVisibility?.() ?? true;

function selectedCell() {
  const cells = [...document.querySelectorAll(CELLS)].filter(isVisible);
  return cells.find((input) => input.name === selected) ?? cells[0];
}

function show() {
  const bar = document.getElementById("padbar");
  if (!bar) return;
  const input = selectedCell();
  for (const cell of document.querySelectorAll(CELLS)) {
    cell.inputMode = "none"; // the buttons replace the keyboard
    cell.classList.toggle("chosen", cell === input);
  }
  bar.hidden = !input;
  document.getElementById("padlabel").textContent = input?.ariaLabel ?? "";
}

document.addEventListener("focusin", (event) => {
  if (!event.target.matches?.(CELLS)) return;
  selected = event.target.name;
  show();
});

document.addEventListener("click", (event) => {
  const step = event.target.closest?.("[data-pad]");
  const input = step && selectedCell();
  if (!input) return;
  selected = input.name;
  const value = Number(input.value) + Number(step.dataset.pad) * Number(input.step);
  const clamped = Math.min(Number(input.max), Math.max(Number(input.min), value));
  input.value = Math.round(clamped * 100) / 100; // avoid 0.30000000000000004
  input.dispatchEvent(new Event("input", { bubbles: true }));
  show();
});

// Drop a response to an older state of the form: it would undo later taps, and their response is on its
// way.

const BUTTONS = ["add", "drop", "up"];
const serialise = (pairs) => [...pairs].filter(([name]) => !BUTTONS.includes(name)).map(String).join("\n");

beforeSwap(({ source: form, body }) => {
  const isCalculation = form instanceof HTMLFormElement && form.closest(".calculator");
  return !isCalculation || serialise(new URLSearchParams(body)) === serialise(new FormData(form));
});

// Keep the input in the address, so that it survives a reload and can be shared as a link.

function updateAddress() {
  const form = document.querySelector(".calculator > form"); // not the forms of score pads
  if (!form) return;
  const query = new URLSearchParams(new FormData(form));
  query.delete("csrfmiddlewaretoken");
  if (`?${query}` === location.search) return;
  try {
    history.replaceState(history.state, "", `?${query}`);
  } catch {
    // Safari limits calls to 100 in 30 s; the next call includes this change
  }
}

document.addEventListener("input", updateAddress);
afterSwap(updateAddress);
document.addEventListener("toggle", show, true);
onRender(show);

// Controls of the pages: buttons enabled by a valid form, buttons to hold, steppers, error messages, focus,
// and a short lock when other players change the meaning of a button.

import { afterSwap, beforeSwap, onErrorResponse, onFailure } from "./page.js";

const HOLD = 600; // ms
const LOCK = 300; // ms

// Buttons that need a valid form

function sync() {
  for (const button of document.querySelectorAll("button[data-needs-choice]")) {
    button.disabled = !button.form?.checkValidity();
  }
}

document.addEventListener("change", sync);
document.addEventListener("input", sync);

// Buttons to hold, for actions that affect the whole table

const holdable = (event) => event.target.closest?.("button[data-hold]");
let timer = 0;
let holding = false; // the pointer began on such a button: its click is ignored

function release() {
  clearTimeout(timer);
  for (const held of document.querySelectorAll("button.held")) held.classList.remove("held");
}

document.addEventListener("pointerdown", (event) => {
  const button = holdable(event);
  holding = Boolean(button);
  if (!button || button.disabled) return;
  button.classList.add("held");
  const label = button.textContent;
  timer = setTimeout(() => {
    release();
    // Unless the button was changed or removed meanwhile.
    if (button.isConnected && button.textContent === label) button.form.requestSubmit(button);
  }, HOLD);
});
for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => {
    release();
    setTimeout(() => {
      holding = false; // after the click event, if there is one
    }, 50);
  });
}
// The page may have changed under the finger: ignore a click on another element.
for (const after of ["contextmenu", "click"]) {
  document.addEventListener(
    after,
    (event) => {
      if (!holding) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
}
document.addEventListener("click", (event) => {
  // A key press is a click without a pointer: ask for confirmation.
  if (holdable(event) && (event.detail > 0 || !window.confirm(document.body.dataset.holdQuestion)))
    event.preventDefault();
});

// Steppers

document.addEventListener("click", (event) => {
  const step = event.target.closest?.("[data-step]");
  const input = step?.closest("[data-stepper]")?.querySelector("input");
  if (!input) return;
  const value = Number(input.value) + Number(step.dataset.step);
  const clamped = Math.min(Number(input.max), Math.max(Number(input.min), value));
  input.value = Math.round(clamped * 100) / 100; // avoid 0.30000000000000004
  input.dispatchEvent(new Event("input", { bubbles: true }));
});

// Errors of requests

function showError(text) {
  document.getElementById("error")?.remove();
  const line = document.createElement("p");
  line.id = "error";
  line.className = "error";
  line.setAttribute("role", "alert");
  line.textContent = text;
  document.getElementById("body")?.prepend(line);
  line.scrollIntoView({ block: "nearest" });
}

onFailure(({ source, error }) => {
  if (!source.isConnected) return;
  const isQueued = source.dataset?.draft !== undefined; // outbox.js sends it later
  if (source instanceof HTMLFormElement && !isQueued) showError(document.body.dataset.notSent);
  // A link that could not be loaded; requests aborted by another tap are no errors.
  const isAborted = error?.name === "AbortError";
  if (source instanceof HTMLAnchorElement && !isAborted) showError(document.body.dataset.noAnswer);
});
onErrorResponse(({ status }) => {
  if (status >= 500) showError(document.body.dataset.wentWrong);
});

// Lock buttons briefly when other players change their meaning

let before = "";
const meaning = () => [...document.querySelectorAll("#bar button")].map((b) => b.textContent + b.value).join("|");

beforeSwap(({ source }) => {
  before = meaning();
  focused = document.activeElement;
  entered = source.matches("form.entryform");
});
afterSwap(({ isRefresh }) => {
  sync();
  if (!isRefresh) document.getElementById("error")?.scrollIntoView({ block: "center" });
  else if (before && meaning() !== before) lock();
  keepFocus();
});

// If the focused element is gone, or was the button of a sent entry, focus the error or the prompt;
// otherwise keyboard navigation would start at the top again.

let focused = null;
let entered = false; // the swap under way is the response to an entry

const isLost = (element) =>
  !element.isConnected || element.disabled || element.checkVisibility?.() === false;

function keepFocus() {
  if (!focused || focused === document.body || !(entered || isLost(focused))) return;
  const next = document.getElementById("error") ?? document.querySelector(".head .what, .calculator h1");
  (next ?? document.getElementById("body"))?.focus({ preventScroll: true });
}

function lock() {
  const buttons = [...document.querySelectorAll("#bar button")];
  for (const button of buttons) button.classList.add("settling");
  setTimeout(() => {
    for (const button of buttons) button.classList.remove("settling");
  }, LOCK);
}

sync();

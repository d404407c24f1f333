// Dense fields of a calculator: tap a cell, then count it up and down with the two large buttons below.
"use strict";

(() => {
  const CELLS = ".calculator .cell";
  let chosen = ""; // the name of the field

  const isSeen = (input) => input.checkVisibility?.() ?? true;

  function field() {
    const cells = [...document.querySelectorAll(CELLS)].filter(isSeen);
    return cells.find((input) => input.name === chosen) ?? cells[0];
  }

  function show() {
    const bar = document.getElementById("padbar");
    if (!bar) return;
    const input = field();
    for (const cell of document.querySelectorAll(CELLS)) {
      cell.inputMode = "none"; // the buttons are the keyboard
      cell.classList.toggle("chosen", cell === input);
    }
    bar.hidden = !input;
    document.getElementById("padlabel").textContent = input?.ariaLabel ?? "";
  }

  document.addEventListener("focusin", (event) => {
    if (!event.target.matches?.(CELLS)) return;
    chosen = event.target.name;
    show();
  });

  document.addEventListener("click", (event) => {
    const step = event.target.closest?.("[data-pad]");
    const input = step && field();
    if (!input) return;
    chosen = input.name;
    const value = Number(input.value) + Number(step.dataset.pad) * Number(input.step);
    const kept = Math.min(Number(input.max), Math.max(Number(input.min), value));
    input.value = Math.round(kept * 100) / 100; // 0.1 + 0.2 is 0.3
    input.dispatchEvent(new Event("input", { bubbles: true }));
    show();
  });

  // An answer to what the form no longer says would take back the taps since; the next one is on its way.

  const BUTTONS = ["add", "drop", "up"];
  const written = (pairs) => [...pairs].filter(([name]) => !BUTTONS.includes(name)).map(String).join("\n");

  document.addEventListener("htmx:before:swap", (event) => {
    const { sourceElement: form, request } = event.detail.ctx;
    if (!(form instanceof HTMLFormElement) || !form.closest(".calculator")) return;
    if (written(new URLSearchParams(request.body)) !== written(new FormData(form))) event.preventDefault();
  });

  // What is filled in stands in the address: a reload brings it back, and a link takes it to somebody else.

  function keepAddress() {
    const form = document.querySelector(".calculator > form"); // score pads have such fields, too
    if (!form) return;
    const filledIn = new URLSearchParams(new FormData(form));
    filledIn.delete("csrfmiddlewaretoken");
    if (`?${filledIn}` === location.search) return;
    try {
      history.replaceState(history.state, "", `?${filledIn}`);
    } catch {
      // Safari allows so many in half a minute; the next one brings this too
    }
  }

  document.addEventListener("input", keepAddress);
  document.addEventListener("htmx:after:swap", keepAddress);
  document.addEventListener("toggle", show, true);
  document.addEventListener("htmx:after:swap", show);
  show();
})();

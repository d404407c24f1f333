// What every table's page does with taps: buttons that wait for a choice, buttons that are held,
// steppers, and a short lock when a button's meaning changed from afar.
"use strict";

(() => {
  const HOLD = 600;
  const LOCK = 300;
  let ownRequest = false; // whether the swap under way was asked for on this phone

  // Buttons that wait for a choice

  function sync() {
    for (const button of document.querySelectorAll("button[data-needs-choice]")) {
      button.disabled = !button.form?.checkValidity();
    }
  }

  document.addEventListener("change", sync);
  document.addEventListener("input", sync);

  // Held buttons: table-wide steps are held, not tapped

  const holdable = (event) => event.target.closest?.("button[data-hold]");
  let timer = 0;
  let finger = false; // one that held a button and has not left the screen: it means nothing else

  function release() {
    clearTimeout(timer);
    for (const held of document.querySelectorAll("button.held")) held.classList.remove("held");
  }

  document.addEventListener("pointerdown", (event) => {
    const button = holdable(event);
    finger = Boolean(button);
    if (!button || button.disabled) return;
    button.classList.add("held");
    const words = button.textContent;
    timer = setTimeout(() => {
      release();
      // Unless it became another button meanwhile, or went.
      if (button.isConnected && button.textContent === words) button.form.requestSubmit(button);
    }, HOLD);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    document.addEventListener(end, () => {
      release();
      setTimeout(() => {
        finger = false; // the click, if there is one, has come by now
      }, 50);
    });
  }
  // The page may have changed below the finger: what it lies on now was not meant.
  for (const after of ["contextmenu", "click"]) {
    document.addEventListener(
      after,
      (event) => {
        if (!finger) return;
        event.preventDefault();
        event.stopPropagation();
      },
      true,
    );
  }
  document.addEventListener("click", (event) => {
    // A key press is a click without a pointer: ask instead.
    if (holdable(event) && (event.detail > 0 || !window.confirm(document.body.dataset.holdQuestion)))
      event.preventDefault();
  });

  // Steppers

  document.addEventListener("click", (event) => {
    const step = event.target.closest?.("[data-step]");
    const input = step?.closest("[data-stepper]")?.querySelector("input");
    if (!input) return;
    const value = Number(input.value) + Number(step.dataset.step);
    const kept = Math.min(Number(input.max), Math.max(Number(input.min), value));
    input.value = Math.round(kept * 100) / 100; // 0.1 + 0.2 is 0.3
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });

  // What went wrong on the way

  function complain(text) {
    document.getElementById("error")?.remove();
    const line = document.createElement("p");
    line.id = "error";
    line.className = "error";
    line.setAttribute("role", "alert");
    line.textContent = text;
    document.getElementById("body")?.prepend(line);
    line.scrollIntoView({ block: "nearest" });
  }

  document.addEventListener("htmx:error", (event) => {
    const isKept = event.target.dataset?.draft !== undefined; // keep.js sends it later
    if (event.target instanceof HTMLFormElement && !isKept) complain(document.body.dataset.notSent);
    // A link leads nowhere then; but one that was given up for another tap has nothing to say.
    const isGivenUp = event.detail.error?.name === "AbortError";
    if (event.target instanceof HTMLAnchorElement && !isGivenUp) complain(document.body.dataset.noAnswer);
  });
  document.addEventListener("htmx:response:error", (event) => {
    if (event.detail.ctx.response.status >= 500) complain(document.body.dataset.wentWrong);
  });

  // A button whose meaning changed from afar is locked for a moment

  let before = "";
  const meaning = () => [...document.querySelectorAll("#bar button")].map((b) => b.textContent + b.value).join("|");

  document.addEventListener("htmx:before:request", (event) => {
    ownRequest = event.target.id !== "table";
  });
  document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
    before = meaning();
    focused = document.activeElement;
    entered = ctx.sourceElement.matches("form.entryform");
  });
  document.addEventListener("htmx:after:swap", () => {
    sync();
    if (ownRequest) document.getElementById("error")?.scrollIntoView({ block: "center" });
    else if (before && meaning() !== before) lock();
    keepFocus();
    ownRequest = false;
  });

  // What had the focus may be gone, or may be a button that now means something else: what is asked now gets it,
  // else a keyboard would begin at the top again.

  let focused = null;
  let entered = false; // the swap under way answers an entry

  const isLost = (one) => !one.isConnected || one.disabled || one.checkVisibility?.() === false;

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
})();

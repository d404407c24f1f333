// What was typed into a form is there again after a reload, be it that somebody pulled the page down, be it that a
// tired phone dropped it. Entries outlast more than that: keep.js has those, and fills them in the same way.
"use strict";

// As it was when ``typed``, the fields and values, was noted; other scripts hear of it as of a finger.
function fillIn(form, typed) {
  const left = new Map();
  for (const [name, value] of typed) left.set(name, [...(left.get(name) ?? []), value]);
  for (const input of form.elements) {
    if (!left.has(input.name)) {
      if (input.type === "checkbox" && input.checked && input.name) fillOne(input, "checked", false);
    } else if (input.type === "radio" || input.type === "checkbox") {
      const chosen = !input.disabled && left.get(input.name).includes(input.value);
      if (input.checked !== chosen) fillOne(input, "checked", chosen);
    } else if (input.name !== "csrfmiddlewaretoken" && input.tagName !== "BUTTON") {
      const value = left.get(input.name).shift();
      if (value !== undefined && input.value !== value) fillOne(input, "value", value);
    }
  }
}

function fillOne(input, what, value) {
  input[what] = value;
  const folded = what === "checked" && value && input.closest("details");
  if (folded) folded.open = true;
  for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
}

(() => {
  const here = `typed ${location.pathname}`;
  const nameOf = (form) => `${here}${location.search} ${form.dataset.typed}`;
  // What was uncovered on a shared phone is kept nowhere.
  const isTyped = (form) => form?.dataset?.typed !== undefined && !new URLSearchParams(location.search).has("open");

  // The phone may refuse to keep anything; then a reload loses it, as without this.
  function attempt(act) {
    try {
      return act();
    } catch {
      return null;
    }
  }

  function note(form) {
    const own = (name) => name !== "csrfmiddlewaretoken" && name !== "key";
    const typed = [...new FormData(form)].filter(([name]) => own(name));
    attempt(() => sessionStorage.setItem(nameOf(form), JSON.stringify(typed)));
  }

  function restore() {
    for (const form of document.querySelectorAll("form[data-typed]")) {
      const typed = attempt(() => JSON.parse(sessionStorage.getItem(nameOf(form))));
      if (typed && isTyped(form)) fillIn(form, typed);
    }
  }

  // Who comes to a page anew begins anew.
  function forget() {
    for (const name of attempt(() => Object.keys(sessionStorage)) ?? []) {
      if (name.startsWith(here)) sessionStorage.removeItem(name);
    }
  }

  const changed = new Set(); // forms that are not noted yet

  function noteAll() {
    for (const form of changed) note(form);
    changed.clear();
  }

  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, ({ target: { form } }) => {
      if (!isTyped(form)) return;
      changed.add(form);
      setTimeout(noteAll); // scripts of a game may still set fields in answer to this
    });
  }
  window.addEventListener("pagehide", noteAll);
  document.addEventListener("submit", ({ target }) => {
    if (!isTyped(target)) return;
    changed.delete(target);
    attempt(() => sessionStorage.removeItem(nameOf(target)));
  });
  document.addEventListener("DOMContentLoaded", () => {
    if (performance.getEntriesByType("navigation")[0]?.type === "navigate") forget();
    else restore();
  });
})();

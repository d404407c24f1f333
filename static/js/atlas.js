// Games with a map: the sheet of a province, and what was typed when the page changes below the fingers.
// All of it can be entered and read without this.
"use strict";

(() => {
  const typed = new Map(); // entry -> field -> value: what a refresh of the page must not undo

  // What was typed

  // An entry is its form; one that outlasts the entries of others says under which name.
  const nameOf = (entry) => entry.dataset.memory ?? entry.closest("form")?.id ?? "";

  function remember(entry, input) {
    const name = nameOf(entry);
    if (!typed.has(name)) typed.set(name, new Map());
    typed.get(name).set(input.name, input.type === "checkbox" ? input.checked : input.value);
  }

  function restore(entry) {
    const form = entry.closest("form");
    for (const [field, value] of typed.get(nameOf(entry)) ?? []) {
      for (const input of form.elements) {
        if (input.name !== field) continue;
        if (input.type === "radio") input.checked = input.value === value;
        else if (input.type === "checkbox") input.checked = value;
        else input.value = value;
      }
    }
  }

  function restoreNow() {
    const entry = document.querySelector(".atlas.ask");
    if (entry) restore(entry);
  }

  for (const change of ["input", "change"]) {
    document.addEventListener(
      change,
      ({ target }) => {
        const entry = target.closest?.(".atlas.ask");
        if (entry && target.name) remember(entry, target);
      },
      true,
    );
  }

  // The sheet of a province

  function open(slug) {
    const article = document.getElementById(`at-${slug}`);
    if (!article) return false;
    document.querySelector(".atlas-sheet")?.remove();
    const sheet = document.createElement("dialog");
    sheet.className = "atlas-sheet atlas";
    const copy = article.cloneNode(true);
    copy.removeAttribute("id");
    const close = document.createElement("button");
    close.className = "close";
    close.textContent = document.querySelector("[data-close]")?.dataset.close ?? "×";
    close.addEventListener("click", () => sheet.close());
    sheet.append(copy, close);
    sheet.addEventListener("click", ({ target }) => target === sheet && sheet.close());
    sheet.addEventListener("close", () => sheet.remove());
    document.body.append(sheet);
    sheet.showModal();
    return true;
  }

  document.addEventListener("click", (event) => {
    const land = event.target.closest?.("[data-land]");
    if (land && open(land.dataset.land)) event.preventDefault();
  });

  document.addEventListener("htmx:after:swap", restoreNow, true);
  restoreNow();
})();

// What is asked on a page: what was typed stays when the page changes below the fingers, so many of a few can
// be ticked, and a tap on a name takes as many as there are. All of it can be entered without this.
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
    for (const [field, value] of typed.get(nameOf(entry)) ?? []) {
      for (const input of entry.closest("form").elements) {
        if (input.name !== field) continue;
        if (input.type === "radio") input.checked = input.value === value;
        else if (input.type === "checkbox") input.checked = value;
        else input.value = value;
      }
    }
  }

  // So many of a few; what can be opened below it has a button of its own

  function some(group) {
    const boxes = [...group.querySelectorAll("input")];
    const wanted = Number(group.dataset.some);
    const chosen = boxes.filter((box) => box.checked).length;
    for (const box of boxes) box.disabled = !box.checked && chosen >= wanted;
    boxes[0].setCustomValidity(chosen === wanted || group.closest("details.part") ? "" : "…");
  }

  function sync() {
    for (const group of document.querySelectorAll(".ask [data-some]")) some(group);
  }

  // A tap on the name takes as many as there are left; another takes them back

  document.addEventListener("click", ({ target }) => {
    const input = target.closest?.("[data-all]")?.closest(".count-line")?.querySelector("input");
    if (!input) return;
    input.value = input.value === input.max ? 0 : input.max;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });

  for (const change of ["input", "change"]) {
    document.addEventListener(
      change,
      ({ target }) => {
        const entry = target.closest?.(".ask");
        if (!entry || !target.name) return;
        remember(entry, target);
        sync();
      },
      true,
    );
  }

  function begin() {
    const entry = document.querySelector(".ask");
    if (entry?.closest("form")) restore(entry);
    sync();
  }

  document.addEventListener("htmx:after:swap", begin, true);
  begin();
})();

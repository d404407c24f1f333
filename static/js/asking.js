// Entry forms: input survives refreshes of the page, a group of checkboxes enforces its number, and a tap on
// a name takes the maximum. The forms work without this script.

import { onRender } from "./page.js";

const typed = new Map(); // entry -> field -> value: input that a refresh of the page must not undo

// Input

// The key of an entry is the id of its form, or data-memory if the form outlasts the entries of other
// players.
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

// A tap on the name sets the maximum; another tap resets it to 0

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

onRender(begin);

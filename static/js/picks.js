// Spaces that each take a card: tapped cards fill them in order, and the button counts the empty ones.
// Without this script the cards are chosen from lists.

import "./drafts.js"; // restores the input first
import { onRender } from "./page.js";

const selected = new Map(); // key of a group of spaces -> id of the select of the tapped space
const selectsOf = (picks) => [...picks.querySelectorAll("select")];
const changed = (select) => select.dispatchEvent(new Event("change", { bubbles: true }));
const has = (picks, flag) => flag in picks.dataset;

const keyOf = (picks) => `${picks.form.id} ${selectsOf(picks)[0].id}`;

// The space for the next card: the tapped one, or else the first empty one.
function current(picks) {
  const selects = selectsOf(picks);
  const tapped = selected.get(keyOf(picks));
  return selects.find((select) => select.id === tapped) ?? selects.find((select) => !select.value);
}

const selectSpace = (picks, select) => selected.set(keyOf(picks), select?.id);

// The next empty space after this one, if any.
function nextEmpty(picks, select) {
  const selects = selectsOf(picks);
  return selects.slice(selects.indexOf(select) + 1).find((other) => !other.value);
}

function put(picks, card) {
  const holder = card && !has(picks, "again") && selectsOf(picks).find((select) => select.value === card);
  const select = current(picks);
  if (holder) {
    holder.value = "";
    changed(holder);
    if (!select || holder === select) return selectSpace(picks, holder);
  }
  if (!select) return;
  select.value = card;
  selectSpace(picks, nextEmpty(picks, select));
  changed(select);
  if (has(picks, "whole")) placeLast(picks);
}

// Where every card has a space, put the last card into the last space.
function placeLast(picks) {
  const empty = selectsOf(picks).filter((select) => !select.value);
  const cards = [...empty[0]?.options ?? []].map((option) => option.value).filter(Boolean);
  const left = cards.filter((card) => !selectsOf(picks).some((select) => select.value === card));
  if (empty.length !== 1 || left.length !== 1) return;
  empty[0].value = left[0];
  changed(empty[0]);
}

// A card chosen from a list leaves its previous space.
function clearOthers(picks, select) {
  for (const other of selectsOf(picks)) {
    if (other === select || !select.value || other.value !== select.value) continue;
    other.value = "";
    changed(other);
  }
}

function render(picks) {
  const selects = selectsOf(picks);
  const space = current(picks);
  for (const slot of picks.querySelectorAll("[data-slot]")) slot.toggleAttribute("data-now", slot.contains(space));
  for (const button of picks.querySelectorAll("button[data-card]")) {
    if (!button.dataset.card) button.disabled = !space;
    else if (!has(picks, "again")) renderCard(button, picks, selects);
  }
  selects[0].setCustomValidity(missing(picks) > 0 && !selects[0].required && !partOf(picks) ? "…" : "");
}

// Mark a card that is in a space, with its ordinal if the order matters.
function renderCard(button, picks, selects) {
  const place = selects.findIndex((select) => select.value === button.dataset.card) + 1;
  button.ariaPressed = place > 0;
  if (place && has(picks, "ordered")) button.dataset.ordinal = place;
  else delete button.dataset.ordinal;
}

const emptyIn = (picks) => selectsOf(picks).filter((select) => !select.value).length;
const missing = (picks) =>
  Math.max(0, Number(picks.dataset.low) - (selectsOf(picks).length - emptyIn(picks)));

// Groups in details.part have their own button; the others share the buttons of the form.
const partOf = (picks) => picks.closest("details.part");

function labelFor(groups) {
  const left = groups.reduce((sum, picks) => sum + missing(picks), 0);
  const { todo, done } = groups[0].dataset;
  if (left) return todo.replace("{count}", left);
  const empty = groups.reduce((sum, picks) => sum + emptyIn(picks), 0);
  return done && empty ? done.replace("{count}", empty) : undefined;
}

function updateButtons(form, all) {
  for (const part of new Set(all.map(partOf))) {
    const groups = all.filter((picks) => partOf(picks) === part);
    const submits = [...form.elements].filter((element) => "needsChoice" in element.dataset);
    for (const button of part ? part.querySelectorAll("button.main") : submits) {
      button.dataset.plain ??= button.textContent;
      const label = labelFor(groups) ?? button.dataset.plain;
      if (button.textContent !== label) button.textContent = label;
      button.disabled = part ? groups.some(missing) : !form.checkValidity();
    }
  }
}

function sync() {
  const all = [...document.querySelectorAll(".ask [data-picks]:has(.deck)")];
  for (const picks of all) render(picks);
  for (const form of new Set(all.map((picks) => picks.form))) {
    updateButtons(form, all.filter((picks) => picks.form === form));
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest?.(".ask button[data-card]");
  const slot = target.closest?.(".ask [data-slot] label")?.closest("[data-slot]");
  const picks = (button ?? slot)?.closest("[data-picks]");
  if (button) put(picks, button.dataset.card);
  else if (slot) selectSpace(picks, slot.querySelector("select"));
  if (picks) sync();
});
document.addEventListener(
  "change",
  ({ target }) => {
    const picks = target.closest?.(".ask [data-picks]");
    if (!picks) return;
    if (!has(picks, "again")) clearOthers(picks, target);
    sync();
  },
  true,
);
onRender(sync);

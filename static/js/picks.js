// Spaces that each take a card: the cards are tapped into them one after another, and the button counts what is
// left. All of it can be chosen from the lists without this. asking.js comes before it.
"use strict";

(() => {
  const marked = new Map(); // spaces of an entry -> the one that was tapped last
  const selectsOf = (picks) => [...picks.querySelectorAll("select")];
  const changed = (select) => select.dispatchEvent(new Event("change", { bubbles: true }));
  const has = (picks, what) => what in picks.dataset;

  const nameOf = (picks) => `${picks.form.id} ${selectsOf(picks)[0].id}`;

  // The space into which the next card goes: the one that was tapped, else the first empty one.
  function current(picks) {
    const selects = selectsOf(picks);
    const tapped = marked.get(nameOf(picks));
    return selects.find((select) => select.id === tapped) ?? selects.find((select) => !select.value);
  }

  const mark = (picks, select) => marked.set(nameOf(picks), select?.id);

  // The space after this one that is empty, if there is one.
  function following(picks, select) {
    const selects = selectsOf(picks);
    return selects.slice(selects.indexOf(select) + 1).find((one) => !one.value);
  }

  function put(picks, card) {
    const lying = card && !has(picks, "again") && selectsOf(picks).find((select) => select.value === card);
    const select = current(picks);
    if (lying) {
      lying.value = "";
      changed(lying);
      if (!select || lying === select) return mark(picks, lying);
    }
    if (!select) return;
    select.value = card;
    mark(picks, following(picks, select));
    changed(select);
    if (has(picks, "whole")) last(picks);
  }

  // Where every card lies somewhere, the last one has only one space left.
  function last(picks) {
    const empty = selectsOf(picks).filter((select) => !select.value);
    const cards = [...empty[0]?.options ?? []].map((option) => option.value).filter(Boolean);
    const left = cards.filter((card) => !selectsOf(picks).some((select) => select.value === card));
    if (empty.length !== 1 || left.length !== 1) return;
    empty[0].value = left[0];
    changed(empty[0]);
  }

  // A card that is chosen from a list leaves the space in which it was.
  function once(picks, select) {
    for (const other of selectsOf(picks)) {
      if (other === select || !select.value || other.value !== select.value) continue;
      other.value = "";
      changed(other);
    }
  }

  function draw(picks) {
    const selects = selectsOf(picks);
    const now = current(picks);
    for (const slot of picks.querySelectorAll("[data-slot]")) slot.toggleAttribute("data-now", slot.contains(now));
    for (const button of picks.querySelectorAll("button[data-card]")) {
      if (!button.dataset.card) button.disabled = !now;
      else if (!has(picks, "again")) show(button, picks, selects);
    }
    selects[0].setCustomValidity(missing(picks) > 0 && !selects[0].required && !folded(picks) ? "…" : "");
  }

  // A card that lies somewhere, with its place where that counts.
  function show(button, picks, selects) {
    const place = selects.findIndex((select) => select.value === button.dataset.card) + 1;
    button.ariaPressed = place > 0;
    if (place && has(picks, "ordered")) button.dataset.ordinal = place;
    else delete button.dataset.ordinal;
  }

  const emptyIn = (picks) => selectsOf(picks).filter((select) => !select.value).length;
  const missing = (picks) =>
    Math.max(0, Number(picks.dataset.low) - (selectsOf(picks).length - emptyIn(picks)));

  // What is folded away has a button of its own; the others wait for everything that is asked first.
  const folded = (picks) => picks.closest("details.part");

  function wordsFor(here) {
    const left = here.reduce((sum, picks) => sum + missing(picks), 0);
    const { todo, done } = here[0].dataset;
    if (left) return todo.replace("{count}", left);
    const empty = here.reduce((sum, picks) => sum + emptyIn(picks), 0);
    return done && empty ? done.replace("{count}", empty) : undefined;
  }

  function tell(form, all) {
    for (const part of new Set(all.map(folded))) {
      const here = all.filter((picks) => folded(picks) === part);
      const waiting = [...form.elements].filter((one) => "needsChoice" in one.dataset);
      for (const button of part ? part.querySelectorAll("button.main") : waiting) {
        button.dataset.plain ??= button.textContent;
        const words = wordsFor(here) ?? button.dataset.plain;
        if (button.textContent !== words) button.textContent = words;
        button.disabled = part ? here.some(missing) : !form.checkValidity();
      }
    }
  }

  function sync() {
    const all = [...document.querySelectorAll(".ask [data-picks]:has(.deck)")];
    for (const picks of all) draw(picks);
    for (const form of new Set(all.map((picks) => picks.form))) tell(form, all.filter((picks) => picks.form === form));
  }

  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.(".ask button[data-card]");
    const slot = target.closest?.(".ask [data-slot] label")?.closest("[data-slot]");
    const picks = (button ?? slot)?.closest("[data-picks]");
    if (button) put(picks, button.dataset.card);
    else if (slot) mark(picks, slot.querySelector("select"));
    if (picks) sync();
  });
  document.addEventListener(
    "change",
    ({ target }) => {
      const picks = target.closest?.(".ask [data-picks]");
      if (!picks) return;
      if (!has(picks, "again")) once(picks, target);
      sync();
    },
    true,
  );
  document.addEventListener("htmx:after:swap", sync, true);
  sync();
})();

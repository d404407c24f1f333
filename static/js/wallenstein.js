// Wallenstein: cards are tapped into their spaces one after another, each lies in one of them.
// All of it can be chosen from the lists without this. atlas.js comes before it.
"use strict";

(() => {
  const marked = new Map(); // entry -> the space that was tapped last
  const selectsOf = (picks) => [...picks.querySelectorAll("select")];
  const changed = (select) => select.dispatchEvent(new Event("change", { bubbles: true }));

  // The space into which the next card goes: the one that was tapped, else the first empty one.
  function current(picks) {
    const selects = selectsOf(picks);
    return selects.find((select) => select.id === marked.get(picks.form.id)) ?? selects.find((select) => !select.value);
  }

  function mark(picks, select) {
    marked.set(picks.form.id, select?.id);
  }

  // The space after this one that is empty, if there is one.
  function following(picks, select) {
    const selects = selectsOf(picks);
    return selects.slice(selects.indexOf(select) + 1).find((one) => !one.value);
  }

  function put(picks, card) {
    const lying = card && selectsOf(picks).find((select) => select.value === card);
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
  }

  // A card that is chosen from a list leaves the space in which it was.
  function once(select) {
    const picks = select.closest("[data-picks]");
    for (const other of selectsOf(picks)) {
      if (other === select || !select.value || other.value !== select.value) continue;
      other.value = "";
      changed(other);
    }
  }

  function draw(picks) {
    const selects = selectsOf(picks);
    const laid = selects.filter((select) => select.value);
    const now = current(picks);
    for (const slot of picks.querySelectorAll("[data-slot]")) slot.toggleAttribute("data-now", slot.contains(now));
    for (const button of picks.querySelectorAll("button[data-card]")) {
      if (button.dataset.card) button.ariaPressed = laid.some((select) => select.value === button.dataset.card);
      else button.disabled = !now;
    }
    const missing = Number(picks.dataset.low) - laid.length;
    selects[0].setCustomValidity(missing > 0 && !selects[0].required && picks.querySelector(".deck") ? "…" : "");
    tell(picks, missing);
  }

  function tell(picks, missing) {
    for (const button of [...picks.form.elements].filter((one) => "needsChoice" in one.dataset)) {
      button.dataset.plain ??= button.textContent;
      button.textContent = missing > 0 ? picks.dataset.todo.replace("{count}", missing) : button.dataset.plain;
      button.disabled = !picks.form.checkValidity();
    }
  }

  function sync() {
    for (const picks of document.querySelectorAll(".wa.ask [data-picks]:has(.deck)")) draw(picks);
  }

  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.(".wa.ask button[data-card]");
    const slot = target.closest?.(".wa.ask [data-slot] label")?.closest("[data-slot]");
    const picks = (button ?? slot)?.closest("[data-picks]");
    if (button) put(picks, button.dataset.card);
    else if (slot) mark(picks, slot.querySelector("select"));
    if (picks) sync();
  });
  document.addEventListener(
    "change",
    ({ target }) => {
      if (!target.closest?.(".wa.ask [data-picks]")) return;
      once(target);
      sync();
    },
    true,
  );
  document.addEventListener("htmx:after:swap", sync, true);
  sync();
})();

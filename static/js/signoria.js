// Signoria: what a tapped die can do, dice entered face by face, places that each take something else, points
// that are shared out, and lots drawn on this phone. All of it can be entered without this.
"use strict";

(() => {
  const entryNow = () => document.querySelector(".sg.ask");
  const numbers = (part) => [...part.querySelectorAll('input[type="number"]')];
  const selects = (part) => [...part.querySelectorAll("select")];
  const sumOf = (inputs) => inputs.reduce((sum, input) => sum + Number(input.value), 0);
  const isMain = (part) => !part.closest("details.part"); // others have a button of their own

  // What was typed: a refresh of the page must not undo it

  const typed = new Map(); // form -> field -> value

  function remember(form) {
    const fields = [...form.elements].filter((input) => input.name && input.type !== "hidden" && input.tagName !== "BUTTON");
    typed.set(form.id, fields.map((input) => [input.name, input.value, input.checked]));
  }

  function restore(form) {
    for (const [name, value, checked] of typed.get(form?.id) ?? []) {
      for (const input of form.elements) {
        if (input.name !== name) continue;
        if (input.type === "radio") input.checked = input.value === value ? checked : input.checked;
        else if (input.type === "checkbox") input.checked = checked;
        else input.value = value;
      }
    }
  }

  // Chance: it enters with the action

  function below(count) {
    const most = Math.floor(0x100000000 / count) * count;
    const word = new Uint32Array(1);
    do crypto.getRandomValues(word);
    while (word[0] >= most);
    return word[0] % count;
  }

  function shuffled(values) {
    const left = [...values];
    return values.map(() => left.splice(below(left.length), 1)[0]);
  }

  const pairs = (text) => text.split(",").map((pair) => pair.split(":")).map(([key, count]) => [key, Number(count)]);

  const lots = {
    faces(part) {
      for (const row of part.querySelectorAll("[data-faces]")) {
        const inputs = numbers(row);
        for (const input of inputs) input.value = 0;
        for (let die = 0; die < Number(row.dataset.faces); die += 1) {
          const input = inputs[below(inputs.length)];
          input.value = Number(input.value) + 1;
        }
      }
    },
    distinct(part) {
      for (const group of part.querySelectorAll("[data-distinct]")) {
        const all = selects(group);
        const values = shuffled([...all[0].options].map((option) => option.value).filter(Boolean));
        all.forEach((select, i) => (select.value = values[i]));
      }
    },
    some(part) {
      const boxes = [...part.querySelectorAll("[data-some] input")];
      const chosen = shuffled(boxes).slice(0, Number(part.querySelector("[data-some]").dataset.some));
      for (const box of boxes) box.checked = chosen.includes(box);
    },
    tiles(part) {
      const group = part.querySelector("[data-tiles]");
      const left = new Map(pairs(group.dataset.left));
      const bag = pairs(group.dataset.weights).flatMap(([tile, count]) => Array(count).fill(tile));
      selects(group).forEach((select, i) => {
        const drawn = bag.filter((tile) => left.get(tile[0]) > 0);
        select.value = i < Number(group.dataset.tiles) ? drawn[below(drawn.length)] : "";
        if (!select.value) return;
        left.set(select.value[0], left.get(select.value[0]) - 1);
        bag.splice(bag.indexOf(select.value), 1);
      });
    },
  };

  document.addEventListener("click", ({ target }) => {
    const lot = target.closest?.("[data-lot]");
    if (!lot) return;
    const part = lot.closest(".part");
    lots[lot.dataset.lot](part);
    part.querySelector("input, select").dispatchEvent(new Event("input", { bubbles: true }));
  });

  // A face is tapped once for each die that shows it; when all are entered, a tap takes them back

  document.addEventListener("click", ({ target }) => {
    const input = target.closest?.("[data-face]")?.parentElement.querySelector("input");
    if (!input) return;
    const row = input.closest("[data-faces]");
    const isFull = sumOf(numbers(row)) >= Number(row.dataset.faces);
    input.value = isFull ? 0 : Number(input.value) + 1;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  });

  function faces(row) {
    const inputs = numbers(row);
    const total = sumOf(inputs);
    const count = Number(row.dataset.faces);
    for (const input of inputs) input.classList.toggle("some", Number(input.value) > 0);
    row.querySelector("[data-entered]").textContent = `${total} / ${count}`;
    inputs[0].setCustomValidity(total === count || !isMain(row) ? "" : "…");
  }

  // What belongs to the die, man or city that is tapped

  function groups(entry) {
    const picks = [...entry.querySelectorAll('input[name="pick"]')];
    const pick = picks.find((one) => one.checked)?.value;
    if (!picks.length) return;
    const way = entry.querySelector('input[name="way"]:checked')?.value;
    for (const group of entry.querySelectorAll("[data-for]")) {
      group.hidden = !group.dataset.for.split(" ").includes(pick);
      for (const input of group.querySelectorAll("input")) input.checked = false;
    }
    // What was chosen for another die stays chosen, if this one brings it too
    const same = [...entry.querySelectorAll("[data-for]:not([hidden]) input")].find((input) => input.value === way);
    if (same) same.checked = true;
  }

  document.addEventListener("change", ({ target }) => {
    if (target.name !== "pick" || !target.closest(".sg.ask")) return;
    document.querySelector(".sg.ask [data-for]:not([hidden])")?.scrollIntoView({ block: "nearest" });
  });

  // Something lies in one place only: what another place had, it gives

  function unique(select) {
    const group = select.closest("[data-distinct]");
    if (!group) return;
    const values = [...select.options].map((option) => option.value).filter(Boolean);
    const other = selects(group).find((one) => one !== select && one.value && one.value === select.value);
    if (!other) return;
    const taken = selects(group).map((one) => one.value);
    other.value = values.length === selects(group).length ? (values.find((value) => !taken.includes(value)) ?? "") : "";
  }

  function some(group) {
    const boxes = [...group.querySelectorAll("input")];
    const chosen = boxes.filter((box) => box.checked).length;
    for (const box of boxes) box.disabled = !box.checked && chosen >= Number(group.dataset.some);
    boxes[0].setCustomValidity(chosen === Number(group.dataset.some) || !isMain(group) ? "" : "…");
  }

  function climbs(part) {
    const inputs = numbers(part);
    const points = Number(part.dataset.climbs);
    const left = points - sumOf(inputs);
    for (const input of inputs) input.max = Math.min(Number(input.dataset.most), Number(input.value) + Math.max(0, left));
    const told = part.querySelector("[data-used]");
    told.textContent = told.dataset.used.replace("{used}", points - left).replace("{points}", points);
    inputs[0]?.setCustomValidity(left < points && left >= 0 ? "" : "…");
  }

  function sync() {
    const entry = entryNow();
    if (!entry) return;
    groups(entry);
    for (const row of entry.querySelectorAll("[data-faces]")) faces(row);
    for (const group of entry.querySelectorAll("[data-some]")) some(group);
    for (const part of entry.querySelectorAll("[data-climbs]")) climbs(part);
    const form = entry.closest("form");
    for (const button of form?.elements ?? []) {
      if ("needsChoice" in button.dataset) button.disabled = !form.checkValidity();
    }
  }

  for (const change of ["input", "change"]) {
    document.addEventListener(
      change,
      ({ target }) => {
        const form = target.closest?.(".sg.ask")?.closest("form");
        if (!form) return;
        if (target.tagName === "SELECT" && change === "change") unique(target);
        sync();
        remember(form);
      },
      true,
    );
  }

  document.addEventListener(
    "htmx:after:swap",
    () => {
      restore(entryNow()?.closest("form"));
      sync();
    },
    true,
  );
  sync();
})();

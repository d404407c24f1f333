// Signoria: the actions of a tapped die, dice entered by face, distribution of progress points, and random
// draws. The forms work without this script.

import "./drafts.js"; // restores the input first
import { onRender } from "./page.js";

const currentEntry = () => document.querySelector(".sg.ask");
const numbers = (part) => [...part.querySelectorAll('input[type="number"]')];
const selects = (part) => [...part.querySelectorAll("select")];
const sumOf = (inputs) => inputs.reduce((sum, input) => sum + Number(input.value), 0);
const isMain = (part) => !part.closest("details.part"); // other parts have their own button
const changed = (inputs) => inputs.forEach((input) => input.dispatchEvent(new Event("change", { bubbles: true })));

// Random draws, which are entered as part of the action

// Return a uniform random integer from 0 to count - 1; words above the largest multiple of count are
// rejected.
function randomBelow(count) {
  const limit = Math.floor(0x100000000 / count) * count;
  const word = new Uint32Array(1);
  do crypto.getRandomValues(word);
  while (word[0] >= limit);
  return word[0] % count;
}

function shuffled(values) {
  const left = [...values];
  return values.map(() => left.splice(randomBelow(left.length), 1)[0]);
}

const pairs = (text) => text.split(",").map((pair) => pair.split(":")).map(([key, count]) => [key, Number(count)]);

const draws = {
  faces(part) {
    for (const row of part.querySelectorAll("[data-faces]")) {
      const inputs = numbers(row);
      for (const input of inputs) input.value = 0;
      for (let die = 0; die < Number(row.dataset.faces); die += 1) {
        const input = inputs[randomBelow(inputs.length)];
        input.value = Number(input.value) + 1;
      }
    }
  },
  distinct(part) {
    for (const group of part.querySelectorAll("[data-picks]")) {
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
    const group = part.querySelector("[data-weights]");
    const left = new Map(pairs(group.dataset.left));
    const bag = pairs(group.dataset.weights).flatMap(([tile, count]) => Array(count).fill(tile));
    selects(group).forEach((select, i) => {
      const available = bag.filter((tile) => left.get(tile[0]) > 0);
      select.value = i < Number(group.dataset.low) ? available[randomBelow(available.length)] : "";
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
  draws[lot.dataset.lot](part);
  changed([...part.querySelectorAll("input, select")]);
});

// Tap a face once for each die that shows it; when all dice are entered, a tap resets the face to 0

document.addEventListener("click", ({ target }) => {
  const input = target.closest?.("[data-face]")?.parentElement.querySelector("input");
  if (!input) return;
  const row = input.closest("[data-faces]");
  const isFull = sumOf(numbers(row)) >= Number(row.dataset.faces);
  input.value = isFull ? 0 : Number(input.value) + 1;
  changed([input]);
});

function showEntered(row) {
  const inputs = numbers(row);
  const total = sumOf(inputs);
  const count = Number(row.dataset.faces);
  for (const input of inputs) input.classList.toggle("some", Number(input.value) > 0);
  row.querySelector("[data-entered]").textContent = `${total} / ${count}`;
  inputs[0].setCustomValidity(total === count || !isMain(row) ? "" : "…");
}

// Show the group of the tapped die, man or city; a single option is selected automatically

function showGroup(entry) {
  const picks = [...entry.querySelectorAll('input[name="pick"]')];
  if (picks.length === 1) picks[0].checked = true;
  const way = entry.querySelector('input[name="way"]:checked')?.value;
  const pick = picks.find((radio) => radio.checked)?.value;
  for (const group of entry.querySelectorAll("[data-for]")) {
    group.hidden = !group.dataset.for.split(" ").includes(pick);
    for (const input of group.querySelectorAll("input")) input.checked = false;
  }
  const shown = [...entry.querySelectorAll('fieldset:not([hidden]) input[name="way"]')];
  // Keep the choice made for another die if this one offers it, too
  const chosen = shown.length === 1 ? shown[0] : shown.find((input) => input.value === way);
  if (chosen) chosen.checked = true;
}

document.addEventListener("change", ({ target }) => {
  if (target.name !== "pick" || !target.closest(".sg.ask")) return;
  document.querySelector(".sg.ask [data-for]:not([hidden])")?.scrollIntoView({ block: "nearest" });
});

function limitPoints(part) {
  const inputs = numbers(part);
  const points = Number(part.dataset.climbs);
  const left = points - sumOf(inputs);
  for (const input of inputs) input.max = Math.min(Number(input.dataset.most), Number(input.value) + Math.max(0, left));
  const output = part.querySelector("[data-used]");
  output.textContent = output.dataset.used.replace("{used}", points - left).replace("{points}", points);
  inputs[0]?.setCustomValidity(left < points && left >= 0 ? "" : "…");
}

function sync() {
  const entry = currentEntry();
  if (!entry) return;
  showGroup(entry);
  for (const row of entry.querySelectorAll("[data-faces]")) showEntered(row);
  for (const part of entry.querySelectorAll("[data-climbs]")) limitPoints(part);
  const form = entry.closest("form");
  for (const button of form?.elements ?? []) {
    if ("needsChoice" in button.dataset) button.disabled = !form.checkValidity();
  }
}

for (const change of ["input", "change"]) {
  document.addEventListener(change, ({ target }) => target.closest?.(".sg.ask") && sync(), true);
}
onRender(sync);

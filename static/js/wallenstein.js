// Wallenstein: the button shows how many cubes fell out of the tower, and must be held for unusual choices.
// The forms work without this script.

import "./drafts.js"; // restores the input first
import { onRender } from "./page.js";

const mainOf = (form) => [...form.elements].find((element) => element.matches("#bar button.main"));

function setLabel(button, text) {
  button.dataset.plain ??= button.textContent;
  const label = text ?? button.dataset.plain;
  if (button.textContent !== label) button.textContent = label;
}

// Show the number of fallen cubes; none at all is unusual, so the button must be held.
function showCount(fallen) {
  const inputs = [...fallen.querySelectorAll("input")];
  const button = mainOf(inputs[0].form);
  if (!button) return;
  const sum = inputs.reduce((total, input) => total + Number(input.value), 0);
  setLabel(button, sum ? fallen.dataset.fallen.replace("{count}", sum) : fallen.dataset.nothing);
  button.toggleAttribute("data-hold", !sum);
}

function updateHold(ask) {
  const button = mainOf(ask.querySelector("input").form);
  const { held } = ask.querySelector("input[data-held]:checked")?.dataset ?? {};
  if (!button) return;
  setLabel(button, held);
  button.toggleAttribute("data-hold", Boolean(held));
}

function sync() {
  for (const fallen of document.querySelectorAll(".wa.ask [data-fallen]")) showCount(fallen);
  for (const ask of document.querySelectorAll(".wa.ask:has([data-held])")) updateHold(ask);
}

document.addEventListener("input", ({ target }) => target.closest?.(".wa.ask") && sync());
onRender(sync);

// Wallenstein: what fell out of the tower is counted on the button, and what is rarely meant is held. All of it can
// be entered without this.
"use strict";

(() => {
  const mainOf = (form) => [...form.elements].find((one) => one.matches("#bar button.main"));

  function say(button, words) {
    button.dataset.plain ??= button.textContent;
    const said = words ?? button.dataset.plain;
    if (button.textContent !== said) button.textContent = said;
  }

  // What fell is counted on the button; that nothing did is rare, so it is held.
  function count(fallen) {
    const inputs = [...fallen.querySelectorAll("input")];
    const button = mainOf(inputs[0].form);
    if (!button) return;
    const sum = inputs.reduce((all, input) => all + Number(input.value), 0);
    say(button, sum ? fallen.dataset.fallen.replace("{count}", sum) : fallen.dataset.nothing);
    button.toggleAttribute("data-hold", !sum);
  }

  function hold(ask) {
    const button = mainOf(ask.querySelector("input").form);
    const { held } = ask.querySelector("input[data-held]:checked")?.dataset ?? {};
    if (!button) return;
    say(button, held);
    button.toggleAttribute("data-hold", Boolean(held));
  }

  function sync() {
    for (const fallen of document.querySelectorAll(".wa.ask [data-fallen]")) count(fallen);
    for (const ask of document.querySelectorAll(".wa.ask:has([data-held])")) hold(ask);
  }

  document.addEventListener("input", ({ target }) => target.closest?.(".wa.ask") && sync());
  document.addEventListener("htmx:after:swap", sync, true);
  sync();
})();

// Charts: the page brings each as data; its colours are names of the style sheet's properties.
"use strict";

(() => {
  const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false, showTips: false };
  const figures = [...document.querySelectorAll("[data-figure]")];

  // "--ink" becomes what that property is now, on screen or on paper.
  function coloured(value, style) {
    if (typeof value === "string") return value.startsWith("--") ? style.getPropertyValue(value).trim() : value;
    if (Array.isArray(value)) return value.map((one) => coloured(one, style));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, coloured(one, style)]));
  }

  function draw() {
    const style = getComputedStyle(document.documentElement);
    for (const box of figures) {
      const figure = coloured(JSON.parse(document.getElementById(box.dataset.figure).textContent), style);
      Plotly.react(box, figure.data, figure.layout, CONFIG);
    }
  }

  if (!window.Plotly) {
    for (const box of figures) box.textContent = box.dataset.failed;
    return;
  }
  draw();

  // On paper: light, as wide as the sheet, and every table unfolded.
  let folded = [];

  window.matchMedia("print").addEventListener("change", ({ matches }) => {
    if (matches) {
      folded = [...document.querySelectorAll("details.numbers:not([open])")];
    }
    for (const one of folded) one.open = matches;
    draw();
  });

  const print = document.querySelector("[data-print]");
  print.hidden = false;
  print.addEventListener("click", () => window.print());
})();

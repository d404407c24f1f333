// Comparison: marks the counts that differ, and labels the main button accordingly.

import { onRender } from "./page.js";

function mark() {
  const button = document.getElementById("same");
  if (!button) return;
  let differing = 0;
  for (const line of document.querySelectorAll(".compare .count")) {
    const differs = line.querySelector("input[type=number]").value !== line.dataset.told;
    line.classList.toggle("differs", differs);
    differing += differs;
  }
  button.textContent = differing ? button.dataset.differs : button.dataset.agrees;
}

document.addEventListener("input", mark);
onRender(mark);

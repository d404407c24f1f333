// Copies the private link of a circle to the clipboard, if the browser allows it.
"use strict";

(() => {
  const copy = document.querySelector("[data-copy]");
  if (!copy || !navigator.clipboard) return;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(copy.dataset.copy);
      copy.textContent = copy.dataset.copied;
    } catch {
      copy.hidden = true; // the link above can be selected by hand
    }
  });
})();

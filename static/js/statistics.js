// The private link of a circle, taken along with one tap where the phone lets a page write there.
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
      copy.hidden = true; // it stands above, to be selected by hand
    }
  });
})();

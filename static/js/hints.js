// A hint that was read goes at once, without loading the page again: somebody may be in the middle of something.
"use strict";

document.addEventListener("submit", (event) => {
  const form = event.target;
  const hint = form.closest(".hint");
  if (!hint) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  // What comes next gets the focus, else a keyboard would begin at the top again.
  const next = hint.nextElementSibling ?? hint.parentElement;
  hint.remove();
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  // If it does not arrive, the hint comes again with the next page.
  fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => {});
});

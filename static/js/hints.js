// Dismisses a hint without reloading the page, so that unsent input stays.

document.addEventListener("submit", (event) => {
  const form = event.target;
  const hint = form.closest(".hint");
  if (!hint) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  // Focus the next element; otherwise keyboard navigation would start at the top again.
  const next = hint.nextElementSibling ?? hint.parentElement;
  hint.remove();
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  // If the request fails, the next page shows the hint again.
  fetch(form.action, { method: "POST", body, headers: { "HX-Request": "true" } }).catch(() => {});
});

// Fills the form for changing an entry with its current values, or with refused input.

for (const form of document.querySelectorAll("form[data-filled]")) {
  for (const [name, value] of Object.entries(JSON.parse(form.dataset.filled))) {
    for (const input of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (input.type === "radio" || input.type === "checkbox") {
        if (input.value !== value || input.disabled) continue;
        input.checked = true;
        const folded = input.closest("details");
        if (folded) folded.open = true;
      } else input.value = value;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    }
  }
}

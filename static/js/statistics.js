// Copies the private link of a circle to the clipboard, if the browser allows it.

const button = document.querySelector("[data-copy]");

async function copy() {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.copied;
  } catch {
    button.hidden = true; // the link above can be selected by hand
  }
}

if (button && navigator.clipboard) {
  button.hidden = false;
  button.addEventListener("click", copy);
}

// Restores the input of forms after a reload, for example when the browser discarded the tab. Entry forms are
// kept longer, by keep.js, which restores them with the same function.

// Restore a form from `typed`, a list of names and values, and fire input events for other scripts.
export function fillIn(form, typed) {
  const left = new Map();
  for (const [name, value] of typed) left.set(name, [...(left.get(name) ?? []), value]);
  for (const input of form.elements) {
    if (!left.has(input.name)) {
      if (input.type === "checkbox" && input.checked && input.name) setAndNotify(input, "checked", false);
    } else if (input.type === "radio" || input.type === "checkbox") {
      const chosen = !input.disabled && left.get(input.name).includes(input.value);
      if (input.checked !== chosen) setAndNotify(input, "checked", chosen);
    } else if (input.name !== "csrfmiddlewaretoken" && input.tagName !== "BUTTON") {
      const value = left.get(input.name).shift();
      if (value !== undefined && input.value !== value) setAndNotify(input, "value", value);
    }
  }
}

function setAndNotify(input, property, value) {
  input[property] = value;
  const details = property === "checked" && value && input.closest("details");
  if (details) details.open = true;
  for (const kind of ["input", "change"]) input.dispatchEvent(new Event(kind, { bubbles: true }));
}

const prefix = `typed ${location.pathname}`;
const keyOf = (form) => `${prefix}${location.search} ${form.dataset.typed}`;
// Secrets uncovered on a shared phone (?open) are not stored.
const isStored = (form) => form?.dataset?.typed !== undefined && !new URLSearchParams(location.search).has("open");

// Browsers may refuse storage; then a reload loses the input.
function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

function save(form) {
  const isInput = (name) => name !== "csrfmiddlewaretoken" && name !== "key";
  const typed = [...new FormData(form)].filter(([name]) => isInput(name));
  attempt(() => sessionStorage.setItem(keyOf(form), JSON.stringify(typed)));
}

function restore() {
  for (const form of document.querySelectorAll("form[data-typed]")) {
    const typed = attempt(() => JSON.parse(sessionStorage.getItem(keyOf(form))));
    if (typed && isStored(form)) fillIn(form, typed);
  }
}

// A new visit starts with empty forms.
function forget() {
  for (const name of attempt(() => Object.keys(sessionStorage)) ?? []) {
    if (name.startsWith(prefix)) sessionStorage.removeItem(name);
  }
}

const changed = new Set(); // forms that are not saved yet

function saveAll() {
  for (const form of changed) save(form);
  changed.clear();
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target: { form } }) => {
    if (!isStored(form)) return;
    changed.add(form);
    setTimeout(saveAll); // scripts of a game may set other fields on this event
  });
}
window.addEventListener("pagehide", saveAll);
document.addEventListener("submit", ({ target }) => {
  if (!isStored(target)) return;
  changed.delete(target);
  attempt(() => sessionStorage.removeItem(keyOf(target)));
});
document.addEventListener("DOMContentLoaded", () => {
  if (performance.getEntriesByType("navigation")[0]?.type === "navigate") forget();
  else restore();
});

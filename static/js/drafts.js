// Drafts: input that is not submitted yet. It is kept in three places:
//
// - Memory: the changed fields of the current entry. Each swap of the page restores them.
// - Local storage: entry forms (data-draft). A draft belongs to one prompt of one faction; it is restored when
//   the form appears and deleted when the entry is accepted, or after a day.
// - Session storage: other forms (data-typed). A reload restores them, for example when the browser discarded
//   the tab; a submission or a new visit deletes them.

import { onReady, onRender, onResponse, onSleep } from "./page.js";
import { local, session } from "./storage.js";

const LIFETIME = 24 * 60 * 60 * 1000; // ms; of drafts in local storage
const INPUT_EVENTS = ["input", "change"];

// Memory

const ENTRY = ".ask, [data-memory]";
const memory = new Map(); // key of an entry -> field -> value

// The id of the form, or data-memory if the entry outlasts the form, which changes with the entries of others.
const keyOf = (entry) => entry.dataset.memory ?? entry.closest("form")?.id ?? "";

function fieldsAround(input) {
  const key = keyOf(input.closest(ENTRY));
  if (!memory.has(key)) memory.set(key, new Map());
  return memory.get(key);
}

export function remember(input) {
  fieldsAround(input).set(input.name, input.type === "checkbox" ? input.checked : input.value);
}

export function forget(input) {
  fieldsAround(input).delete(input.name);
}

export const isRemembered = (input) => fieldsAround(input).has(input.name);

function recall(entry) {
  const inputs = [...(entry.closest("form")?.elements ?? [])];
  for (const [field, value] of memory.get(keyOf(entry)) ?? []) {
    setField(inputs.filter(({ name }) => name === field), value);
  }
}

// A choice that is no longer offered falls back to the default of the page.
function setField(inputs, value) {
  const isOffered = inputs.some((input) => input.value === value);
  for (const input of inputs) {
    if (input.type === "radio") input.checked = isOffered ? input.value === value : input.defaultChecked;
    else if (input.type === "checkbox") input.checked = value;
    else input.value = value;
  }
}

// Forms in storage

// Fill in a form from pairs of names and values, and fire events for other scripts.
export function fillIn(form, pairs) {
  const left = new Map();
  for (const [name, value] of pairs) left.set(name, [...(left.get(name) ?? []), value]);
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
  for (const kind of INPUT_EVENTS) input.dispatchEvent(new Event(kind, { bubbles: true }));
}

const valuesOf = (form, ...omitted) => [...new FormData(form)].filter(([name]) => !omitted.includes(name));

function save(form) {
  if (isEntry(form)) {
    const typed = valuesOf(form, "csrfmiddlewaretoken", "open");
    local.write(draftName(form), { at: Date.now(), typed });
  } else session.write(typedName(form), valuesOf(form, "csrfmiddlewaretoken", "key"));
}

const changed = new Set(); // forms that are not saved yet

function saveChanged() {
  for (const form of changed) save(form);
  changed.clear();
}

// Deferred, because scripts of a game may set other fields on the same event.
function saveSoon(form) {
  changed.add(form);
  setTimeout(saveChanged);
}

onSleep(saveChanged);

// Entry forms

export const isEntry = (form) => form?.dataset?.draft !== undefined;
export const draftName = (form) => `draft ${document.body.dataset.code} ${form.dataset.draft}`;
export const deleteDraft = (name) => local.remove(name);

function deleteOldDrafts() {
  for (const name of local.keys().filter((key) => key.startsWith("draft "))) {
    if (Date.now() - (local.read(name)?.at ?? 0) > LIFETIME) deleteDraft(name);
  }
}

const restored = new Set(); // ids of forms whose draft was restored

function restoreDraft() {
  const form = document.querySelector("form[data-draft]");
  if (!form || restored.has(form.id)) return;
  restored.add(form.id);
  const draft = local.read(draftName(form));
  if (draft?.typed) fillIn(form, draft.typed);
}

// The browser itself may have restored choices before this script ran.
function rememberChoices() {
  for (const input of document.querySelector(ENTRY)?.querySelectorAll("input:checked") ?? []) {
    if (!input.defaultChecked) remember(input);
  }
}

for (const kind of INPUT_EVENTS) {
  document.addEventListener(
    kind,
    ({ target }) => {
      if (target.name && target.closest?.(ENTRY)) remember(target);
      if (isEntry(target.form)) saveSoon(target.form);
    },
    true, // before the scripts of a game, which may change or forget the field
  );
}

onResponse(({ source, isOk }) => {
  if (isOk && isEntry(source)) deleteDraft(draftName(source));
});

deleteOldDrafts();
rememberChoices();
onRender(() => {
  const entry = document.querySelector(ENTRY);
  if (entry) recall(entry);
  restoreDraft();
});

// Other forms

const visit = `typed ${location.pathname}`;
const typedName = (form) => `${visit}${location.search} ${form.dataset.typed}`;
// Secrets uncovered on a shared phone (?open) are not stored.
const isTyped = (form) => form?.dataset?.typed !== undefined && !new URLSearchParams(location.search).has("open");

function restoreTyped() {
  for (const form of document.querySelectorAll("form[data-typed]")) {
    const pairs = session.read(typedName(form));
    if (pairs && isTyped(form)) fillIn(form, pairs);
  }
}

function deleteTyped() {
  for (const name of session.keys().filter((key) => key.startsWith(visit))) session.remove(name);
}

// Not earlier: input that mend.js fills in is no draft.
onReady(() => {
  if (performance.getEntriesByType("navigation")[0]?.type === "navigate") deleteTyped();
  else restoreTyped();
  for (const kind of INPUT_EVENTS) {
    document.addEventListener(kind, ({ target }) => isTyped(target.form) && saveSoon(target.form));
  }
  document.addEventListener("submit", ({ target }) => {
    if (!isTyped(target)) return;
    changed.delete(target);
    session.remove(typedName(target));
  });
});

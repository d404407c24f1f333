// Drafts: what is saved, restored and deleted, and when.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FakeStorage, createForm, dispatch, loadPage, respond, show, timers } from "./world.mjs";

const HOUR = 60 * 60 * 1000;
const DRAFT = "draft ABC234 blue-place-3";
const table = { id: "table" };

const radio = (name, value, checked = false) => ({ name, type: "radio", value, checked });
const checkbox = (name, checked = false) => ({ name, type: "checkbox", value: "on", checked });

// The form for placing a tile, at a given number of entries.
function placeForm({ at = 7, cells = ["0,0", "1,0", "2,0"], ...rest } = {}) {
  return createForm({
    id: `entry-${at}-blue`,
    dataset: { draft: "blue-place-3" },
    inputs: [
      { name: "csrfmiddlewaretoken", type: "hidden", value: `token-${at}` },
      { name: "key", type: "hidden", value: `key-${at}` },
      { name: "open", type: "hidden", value: "blue" },
      ...cells.map((cell) => radio("at", cell)),
      { name: "knights", type: "number", value: "0" },
    ],
    ...rest,
  });
}

const nameForm = () => createForm({ dataset: { typed: "sit" }, inputs: [{ name: "name" }, { name: "key", value: "k1" }] });

const valuesOf = (storage, key) => Object.fromEntries(JSON.parse(storage[key]).typed);
const chosen = (form, name) => form.elements.find((input) => input.name === name && input.checked)?.value;
const ready = () => document.dispatchEvent(new Event("DOMContentLoaded"));
const submit = (form) => dispatch(new Event("submit"), form);

// Fill in an entry form, and return the storage that has its draft.
async function drafted() {
  const local = new FakeStorage();
  const form = placeForm();
  await loadPage("drafts.js", { local, forms: [form] });
  form.field("at", "1,0").enter("checked", true);
  form.field("knights").enter("value", "2");
  await timers();
  return { local, form };
}

// Entry forms, in local storage

test("input of an entry form is saved, without the token and the covered seat", async () => {
  const { local } = await drafted();

  assert.deepEqual(valuesOf(local, DRAFT), { key: "key-7", at: "1,0", knights: "2" });
});

test("fields that scripts set on the same event are saved, too", async () => {
  const local = new FakeStorage();
  const form = placeForm();
  await loadPage("drafts.js", { local, forms: [form] });
  document.addEventListener("change", () => (form.field("knights").value = "5"));

  form.field("at", "1,0").enter("checked", true);
  await timers();
  assert.equal(valuesOf(local, DRAFT).knights, "5");
});

test("a draft is restored on another visit, with events for other scripts", async () => {
  const { local } = await drafted();
  const form = placeForm();
  const heard = new Set();
  form.field("knights").dispatchEvent = ({ type }) => heard.add(type);

  await loadPage("drafts.js", { local, forms: [form] });
  assert.equal(chosen(form, "at"), "1,0");
  assert.equal(form.field("knights").value, "2");
  assert.equal(form.field("key").value, "key-7"); // sent twice, it still counts once
  assert.equal(form.field("csrfmiddlewaretoken").value, "token-7");
  assert.deepEqual([...heard], ["input", "change"]);
});

test("a draft is restored in the form that follows the entry of another player", async () => {
  const { local } = await drafted();
  await loadPage("drafts.js", { local, forms: [] });
  const next = placeForm({ at: 8 });

  respond(table, { swap: () => show(next) });
  assert.equal(chosen(next, "at"), "1,0");
  assert.equal(next.field("knights").value, "2");
});

test("a draft is restored once in each form", async () => {
  const { local } = await drafted();
  const form = placeForm();
  await loadPage("drafts.js", { local, forms: [form] });

  form.field("knights").value = "4"; // by a script, which fires no event
  respond(table);
  assert.equal(form.field("knights").value, "4");
});

test("a draft of another prompt is not restored", async () => {
  const { local } = await drafted();
  const form = placeForm({ dataset: { draft: "blue-place-8" } });

  await loadPage("drafts.js", { local, forms: [form] });
  assert.equal(chosen(form, "at"), undefined);
});

test("an accepted entry deletes its draft", async () => {
  const { local, form } = await drafted();

  respond(form);
  assert.equal(local.getItem(DRAFT), null);
});

test("a refused entry keeps its draft", async () => {
  const { local, form } = await drafted();

  respond(form, { status: 400 });
  assert.notEqual(local.getItem(DRAFT), null);
});

test("a refresh keeps the draft", async () => {
  const { local } = await drafted();

  respond(table);
  assert.notEqual(local.getItem(DRAFT), null);
});

test("drafts are deleted after a day, other values are not", async () => {
  const local = new FakeStorage();
  const saved = (hours) => JSON.stringify({ at: Date.now() - hours * HOUR, typed: [] });
  local.setItem("draft ABC234 old", saved(25));
  local.setItem("draft ABC234 broken", "{");
  local.setItem("draft ABC234 new", saved(23));
  local.setItem("unsent ABC234", saved(25));

  await loadPage("drafts.js", { local });
  assert.deepEqual(Object.keys(local), ["draft ABC234 new", "unsent ABC234"]);
});

test("the outbox deletes a draft by its name", async () => {
  const { local, form } = await drafted();
  const { deleteDraft, draftName, isEntry } = await loadPage("drafts.js", { local });

  assert.equal(draftName(form), DRAFT);
  deleteDraft(DRAFT);
  assert.deepEqual(Object.keys(local), []);
  assert.deepEqual([form, nameForm(), table, null].map(isEntry), [true, false, false, false]);
});

test("without storage the page works, and only a reload loses the input", async () => {
  const form = placeForm({ entry: {} });
  const other = nameForm();
  await loadPage("drafts.js", { local: "refused", session: "refused", navigation: "reload", forms: [form, other] });
  ready();

  form.field("at", "1,0").enter("checked", true);
  other.field("name").enter("value", "Anna");
  await timers();
  submit(other);
  const next = placeForm({ entry: {} });
  respond(table, { swap: () => show(next) });
  assert.equal(chosen(next, "at"), "1,0");
});

test("a full storage does no harm", async () => {
  const local = new FakeStorage();
  const form = placeForm();
  await loadPage("drafts.js", { local, forms: [form] });
  Object.defineProperty(local, "setItem", { value: () => assert.fail("QuotaExceededError") });

  form.field("knights").enter("value", "2");
  await timers();
  assert.equal(form.field("knights").value, "2");
});

// The current entry, in memory

test("changed fields survive a swap", async () => {
  const inputs = [radio("tile", "plain"), radio("tile", "forest"), checkbox("a"), checkbox("b", true), { name: "count", value: "0" }];
  const entryForm = () => createForm({ id: "entry-7-blue", entry: {}, inputs });
  const [before, after] = [entryForm(), entryForm()];
  await loadPage("drafts.js", { forms: [before] });

  before.field("tile", "forest").enter("checked", true);
  before.field("a").enter("checked", true);
  before.field("b").enter("checked", false);
  before.field("count").enter("value", "3");
  respond(table, { swap: () => show(after) });
  assert.equal(chosen(after, "tile"), "forest");
  assert.deepEqual([after.field("a").checked, after.field("b").checked], [true, false]);
  assert.equal(after.field("count").value, "3");
});

test("unchanged fields follow the page", async () => {
  const before = placeForm({ dataset: {}, entry: {} });
  const after = placeForm({ dataset: {}, entry: {} });
  await loadPage("drafts.js", { forms: [before] });

  before.field("at", "1,0").enter("checked", true);
  after.field("knights").value = "6";
  respond(table, { swap: () => show(after) });
  assert.equal(after.field("knights").value, "6");
});

test("memory belongs to the form, or to data-memory if it is set", async () => {
  const at = (number, memory) => placeForm({ at: number, dataset: {}, entry: memory ? { memory } : {} });
  for (const [memory, expected] of [[undefined, undefined], ["plan-2-blue", "1,0"]]) {
    const [before, after] = [at(7, memory), at(8, memory)];
    await loadPage("drafts.js", { forms: [before] });

    before.field("at", "1,0").enter("checked", true);
    respond(table, { swap: () => show(after) });
    assert.equal(chosen(after, "at"), expected);
  }
});

test("input comes back when an entry is undone", async () => {
  const before = placeForm({ entry: {} });
  await loadPage("drafts.js", { forms: [before] });
  before.field("at", "1,0").enter("checked", true);
  await timers();
  respond(before, { swap: () => show() });

  const again = placeForm({ entry: {} });
  respond(table, { swap: () => show(again) });
  assert.equal(chosen(again, "at"), "1,0");
});

test("a choice that is no longer offered falls back to the default", async () => {
  const inputs = [radio("at1", "0,0"), radio("at1", "2,0", true)];
  const before = createForm({ entry: { memory: "lay" }, inputs: [...inputs, radio("at1", "1,0")] });
  const after = createForm({ entry: { memory: "lay" }, inputs });
  await loadPage("drafts.js", { forms: [before] });

  before.field("at1", "1,0").enter("checked", true);
  respond(table, { swap: () => show(after) });
  assert.equal(chosen(after, "at1"), "2,0");
});

test("scripts of a game can remember and forget a field", async () => {
  const form = placeForm({ dataset: {}, entry: {} });
  const { forget, isRemembered, remember } = await loadPage("drafts.js", { forms: [form] });
  const cell = form.field("at", "1,0");

  assert.equal(isRemembered(cell), false);
  cell.checked = true;
  remember(cell);
  assert.equal(isRemembered(cell), true);
  cell.checked = false;
  respond(table);
  assert.equal(cell.checked, true);
  cell.checked = false;
  forget(cell);
  respond(table);
  assert.equal(cell.checked, false);
});

test("choices that the browser restored are remembered", async () => {
  const before = placeForm({ dataset: {}, entry: {} });
  before.field("at", "2,0").checked = true;
  const after = placeForm({ dataset: {}, entry: {} });

  await loadPage("drafts.js", { forms: [before] });
  respond(table, { swap: () => show(after) });
  assert.equal(chosen(after, "at"), "2,0");
});

// Other forms, in session storage

async function typed({ address, leave = timers } = {}) {
  const session = new FakeStorage();
  const form = nameForm();
  await loadPage("drafts.js", { session, address, forms: [form] });
  ready();
  form.field("name").enter("value", "Zsófi");
  await leave();
  return { session, form };
}

async function nameAfter(session, navigation, address) {
  const form = nameForm();
  await loadPage("drafts.js", { session, navigation, address, forms: [form] });
  ready();
  return form.field("name").value;
}

for (const navigation of ["reload", "back_forward"]) {
  test(`other forms survive a ${navigation}`, async () => {
    const { session } = await typed();

    assert.equal(await nameAfter(session, navigation), "Zsófi");
    assert.deepEqual(JSON.parse(session["typed /t/ABC234/ sit"]), [["name", "Zsófi"]]);
  });
}

test("a new visit starts with empty forms", async () => {
  const { session } = await typed();
  session.setItem("typed /boards/ sit", "[]");

  assert.equal(await nameAfter(session, "navigate"), "");
  assert.deepEqual(Object.keys(session), ["typed /boards/ sit"]);
});

test("input belongs to its address", async () => {
  const { session } = await typed({ address: "/t/ABC234/?tab=menu" });

  assert.equal(await nameAfter(session, "reload", "/t/ABC234/?tab=board"), "");
  assert.equal(await nameAfter(session, "reload", "/t/ABC234/?tab=menu"), "Zsófi");
});

test("a page that is left at once saves its input before", async () => {
  const { session } = await typed({ leave: () => window.dispatchEvent(new Event("pagehide")) });

  assert.deepEqual(Object.keys(session), ["typed /t/ABC234/ sit"]); // no timer has run since
});

test("a submission deletes the input, also before it is saved", async () => {
  for (const leave of [timers, () => {}]) {
    const { session, form } = await typed({ leave });

    submit(form);
    await timers();
    assert.deepEqual(Object.keys(session), []);
  }
});

test("uncovered secrets are not stored", async () => {
  const { session } = await typed({ address: "/t/ABC234/?open=blue" });

  assert.deepEqual(Object.keys(session), []);
});

test("input that scripts fill in before the page is ready is no draft", async () => {
  const session = new FakeStorage();
  session.setItem("typed /t/ABC234/ sit", '[["name", "Zsófi"]]');
  const form = nameForm();
  await loadPage("drafts.js", { session, navigation: "reload", forms: [form] });

  form.field("name").enter("value", "as entered"); // mend.js
  await timers();
  ready();
  assert.equal(form.field("name").value, "Zsófi");
});

// Filling in

test("fields of the same name are filled in order", async () => {
  const { fillIn } = await loadPage("drafts.js");
  const form = createForm({ inputs: [{ name: "card" }, { name: "card" }, { name: "card", value: "own" }] });

  fillIn(form, [["card", "a"], ["card", "b"]]);
  assert.deepEqual(form.elements.map(({ value }) => value), ["a", "b", "own"]);
});

test("a checkbox that was not checked is unchecked", async () => {
  const { fillIn } = await loadPage("drafts.js");
  const form = createForm({ inputs: [checkbox("a", true), checkbox("b")] });

  fillIn(form, [["b", "on"]]);
  assert.deepEqual(form.elements.map(({ checked }) => checked), [false, true]);
});

test("a disabled choice is not chosen", async () => {
  const { fillIn } = await loadPage("drafts.js");
  const form = createForm({ inputs: [{ ...radio("tile", "plain"), disabled: true }] });

  fillIn(form, [["tile", "plain"]]);
  assert.equal(form.elements[0].checked, false);
});

test("a restored choice is not hidden in closed details", async () => {
  const { fillIn } = await loadPage("drafts.js");
  const details = { open: false };
  const form = createForm({ inputs: [{ ...radio("tile", "plain"), ancestors: { details } }] });

  fillIn(form, [["tile", "plain"]]);
  assert.equal(details.open, true);
});

test("buttons and the token keep their values", async () => {
  const { fillIn } = await loadPage("drafts.js");
  const form = createForm({
    inputs: [{ name: "csrfmiddlewaretoken", value: "new" }, { name: "type", tagName: "BUTTON", value: "place" }],
  });

  fillIn(form, [["csrfmiddlewaretoken", "old"], ["type", "march"]]);
  assert.deepEqual(form.elements.map(({ value }) => value), ["new", "place"]);
});

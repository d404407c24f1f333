// A page without a browser: fakes of the parts of the DOM that page.js and drafts.js use.

import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const SCRIPTS = fileURLToPath(new URL("../../static/js", import.meta.url));

export class FakeStorage {
  getItem(key) {
    return Object.hasOwn(this, key) ? this[key] : null;
  }

  setItem(key, value) {
    this[key] = String(value);
  }

  removeItem(key) {
    delete this[key];
  }
}

class FakeDocument extends EventTarget {
  body = { dataset: { code: "ABC234" } };
  hidden = false;
  found = {}; // selector -> elements

  querySelectorAll(selector) {
    return this.found[selector] ?? [];
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
}

// A control of a form. Its events reach the document.
class FakeInput {
  type = "text";
  tagName = "INPUT";
  value = "";
  checked = false;
  disabled = false;
  ancestors = {}; // selector -> element

  constructor(properties) {
    Object.assign(this, properties);
    this.defaultChecked = this.checked;
  }

  get group() {
    return this.form.elements.filter((other) => other.name === this.name);
  }

  closest(selector) {
    return this.ancestors[selector] ?? null;
  }

  dispatchEvent(event) {
    dispatch(event, this);
  }

  // Change a property and fire its events, as a user does.
  enter(property, value) {
    if (this.type === "radio") for (const other of this.group) other.checked = false;
    this[property] = value;
    for (const kind of ["input", "change"]) this.dispatchEvent(new Event(kind));
  }
}

export function dispatch(event, target = document) {
  Object.defineProperty(event, "target", { value: target });
  return document.dispatchEvent(event);
}

const ENTRY = ".ask, [data-memory]";

// A form, which is the whole entry as well if `entry` has its data attributes.
export function createForm({ id = "", dataset = {}, entry = null, inputs = [] }) {
  const form = { id, dataset, isConnected: true };
  form.elements = inputs.map((properties) => new FakeInput({ form, ...properties }));
  form.field = (name, value) => findField(form, name, value);
  if (entry) {
    const checked = () => form.elements.filter((input) => input.checked);
    form.entry = { dataset: entry, closest: () => form, querySelectorAll: checked };
    for (const input of form.elements) input.ancestors[ENTRY] = form.entry;
  }
  return form;
}

function findField(form, name, value) {
  return form.elements.find((input) => input.name === name && (value === undefined || input.value === value));
}

// Put forms on the page, in the place of those that were there.
export function show(...forms) {
  document.found = {
    "form[data-draft]": forms.filter(({ dataset }) => "draft" in dataset),
    "form[data-typed]": forms.filter(({ dataset }) => "typed" in dataset),
    [ENTRY]: forms.map(({ entry }) => entry).filter(Boolean),
  };
}

class FakeFormData {
  constructor(form) {
    this.form = form;
  }

  *[Symbol.iterator]() {
    for (const { name, type, value, checked, disabled } of this.form.elements) {
      if (!disabled && (checked || !["radio", "checkbox"].includes(type))) yield [name, value];
    }
  }
}

// Load a script as on a new page, with its own copies of the modules that it imports. The globals are those of
// the page that was loaded last.
export async function loadPage(script, { forms = [], local, session, navigation, address = "/t/ABC234/" } = {}) {
  Object.assign(globalThis, { document: new FakeDocument(), window: new EventTarget(), FormData: FakeFormData });
  const { pathname, search } = new URL(address, "http://phone.test");
  globalThis.location = { pathname, search };
  globalThis.performance.getEntriesByType = () => [{ type: navigation ?? "navigate" }];
  setStorage("localStorage", local ?? new FakeStorage());
  setStorage("sessionStorage", session ?? new FakeStorage());
  show(...forms);
  const folder = await mkdtemp(join(tmpdir(), "page-"));
  try {
    await cp(SCRIPTS, folder, { recursive: true });
    await writeFile(join(folder, "package.json"), '{"type": "module"}');
    const copied = (name) => import(pathToFileURL(join(folder, name)).href);
    return { page: await copied("page.js"), ...(await copied(script)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

// Set a storage; "refused" throws on access, as browsers do that block cookies.
function setStorage(name, storage) {
  const get = () => {
    if (storage === "refused") throw new Error("The operation is insecure.");
    return storage;
  };
  Object.defineProperty(globalThis, name, { configurable: true, get });
}

// Run the events of htmx for a response that is swapped in; return whether it was.
export function respond(source, { status = 200, swap = () => {} } = {}) {
  const ctx = { sourceElement: source, request: { method: "POST", body: null }, target: { id: "table" } };
  const fire = (name) => dispatch(new CustomEvent(name, { cancelable: true, detail: { ctx } }), source);
  if (!fire("htmx:before:request")) return false;
  ctx.response = { status };
  if (!fire("htmx:after:request") || !fire("htmx:before:swap")) return false;
  swap();
  fire("htmx:after:swap");
  fire("htmx:finally:request");
  return true;
}

export const timers = () => new Promise((resolve) => setTimeout(resolve, 10));

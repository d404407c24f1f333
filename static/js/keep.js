// Drafts and a queue of unsent entries, in local storage: they survive a reload, a closed browser and a lost
// network.
//
// A draft belongs to one prompt of one faction and is deleted when that is answered. An entry that could not
// be sent is shown as waiting and retried when the network is back, with its idempotency key: it counts once,
// even if the first attempt had arrived.

import { fillIn } from "./typed.js";

const DRAFT_LIFETIME = 24 * 60 * 60 * 1000; // ms
const TIMEOUT = 8_000; // ms
const RETRY_DELAY = 3_000; // ms
const body = document.body;
const strip = document.getElementById("unsent");
const draftName = (form) => `draft ${body.dataset.code} ${form.dataset.draft}`;
const queueName = `unsent ${body.dataset.code}`;
const isEntry = (form) => form instanceof HTMLFormElement && form.dataset.draft !== undefined;

// Local storage, which a browser may refuse

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    if (value) localStorage.setItem(name, JSON.stringify(value));
    else localStorage.removeItem(name);
  } catch {
    // then a reload loses it
  }
}

function deleteOldDrafts() {
  try {
    for (const name of Object.keys(localStorage)) {
      const isOld = name.startsWith("draft ") && Date.now() - (read(name)?.at ?? 0) > DRAFT_LIFETIME;
      if (isOld) localStorage.removeItem(name);
    }
  } catch {
    // no storage, no drafts
  }
}

// Drafts

const restored = new Set(); // ids of forms whose draft was restored

function saveDraft(form) {
  const typed = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "open");
  write(draftName(form), { at: Date.now(), typed });
}

function restoreDraft() {
  const form = document.querySelector("form[data-draft]");
  if (!form || restored.has(form.id)) return;
  restored.add(form.id);
  const typed = read(draftName(form))?.typed;
  if (typed) fillIn(form, typed);
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target }) => {
    // Deferred, because scripts of a game may set other fields on this event.
    if (isEntry(target.form)) setTimeout(() => target.form && saveDraft(target.form));
  });
}

// Queue of unsent entries

let pressed = null; // the button that submitted the form
let refused = ""; // messages of the server about refused entries
let sending = false;
let retryTimer = 0; // pending after a failed attempt
const queued = () => read(queueName) ?? [];

const queuedFor = (form) => queued().find((entry) => entry.draft === draftName(form));

function enqueue(form) {
  const data = new FormData(form, pressed?.form === form ? pressed : null);
  data.set("key", queuedFor(form)?.key ?? data.get("key")); // a changed form is still the same entry
  const entry = {
    key: data.get("key"),
    url: form.action,
    body: new URLSearchParams(data).toString(),
    words: pressed?.textContent.trim() ?? "",
    draft: draftName(form),
  };
  write(queueName, [...queued().filter((other) => other.key !== entry.key), entry]);
  show();
}

function dequeue(key) {
  const left = queued().filter((entry) => entry.key !== key);
  write(queueName, left.length ? left : null);
  show();
}

function lineWithButton(text, label, onClick) {
  const row = document.createElement("p");
  const button = document.createElement("button");
  row.append(text, " ", button);
  button.type = "button";
  button.textContent = label;
  button.addEventListener("click", onClick);
  return row;
}

function show() {
  strip.replaceChildren();
  for (const entry of queued()) {
    const withdraw = () => dequeue(entry.key);
    strip.append(lineWithButton(`${strip.dataset.waits} ${entry.words}`, strip.dataset.withdraw, withdraw));
  }
  if (refused) {
    const dismiss = () => {
      refused = "";
      show();
    };
    strip.append(lineWithButton(`${strip.dataset.refused} ${refused}`, strip.dataset.understood, dismiss));
  }
  strip.hidden = !strip.childElementCount;
}

async function send() {
  if (sending) return;
  sending = true;
  clearTimeout(retryTimer);
  retryTimer = 0;
  try {
    for (const entry of queued()) {
      if (await sendOne(entry)) continue;
      retryTimer = setTimeout(sendIfConnected, RETRY_DELAY); // a stream that stays connected fires no event
      break;
    }
  } finally {
    sending = false;
  }
}

function sendIfConnected() {
  retryTimer = 0;
  if (body.dataset.live === "on") send();
}

// Use the CSRF token of the current page: the cookie may have changed since the entry was queued.
function bodyOf(entry) {
  const fields = new URLSearchParams(entry.body);
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
  if (token) fields.set("csrfmiddlewaretoken", token);
  return fields.toString();
}

// Return the error message of a page, or else its title.
async function messageOf(response) {
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return (page.getElementById("error") ?? page.querySelector("h1"))?.textContent.trim() || body.dataset.wentWrong;
}

// Return whether the server has handled the entry; otherwise it stays in the queue.
async function sendOne(entry) {
  const headers = { "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true" };
  let response;
  try {
    response = await fetch(entry.url, {
      method: "POST",
      headers,
      body: bodyOf(entry),
      signal: AbortSignal.timeout(TIMEOUT),
    });
  } catch {
    return false;
  }
  if (response.status >= 500 || response.status === 429) return false;
  const isStale = response.headers.has("HX-Refresh"); // retry with the token of a fresh page
  if (response.ok) write(entry.draft, null);
  else if (!isStale) refused = `${refused} ${await messageOf(response)}`.trim();
  if (!isStale) dequeue(entry.key);
  htmx.trigger("#table", "table-changed");
  return !isStale;
}

document.addEventListener("submit", (event) => {
  pressed = event.submitter;
});
document.addEventListener("htmx:before:request", (event) => {
  if (!isEntry(event.target) || !queuedFor(event.target)) return;
  event.preventDefault();
  enqueue(event.target);
  send();
});
document.addEventListener("htmx:error", ({ target }) => {
  if (isEntry(target)) enqueue(target);
});
document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  const form = ctx.sourceElement; // may be removed from the page by now
  // A successful refresh shows that the server is reachable, with or without a stream.
  if (form.id === "table" && ctx.response?.status < 400 && !retryTimer) send();
  if (!isEntry(form) || !(ctx.response?.status < 400)) return;
  write(draftName(form), null);
  dequeue(new FormData(form).get("key"));
});
document.addEventListener("htmx:after:swap", restoreDraft);
new MutationObserver(sendIfConnected).observe(body, { attributes: true, attributeFilter: ["data-live"] });

deleteOldDrafts();
show();
restoreDraft();

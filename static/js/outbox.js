// Queue of entries that could not be sent, in local storage: it survives a reload, a closed browser and a lost
// network.
//
// An entry is shown as waiting and retried when the network is back, with its idempotency key: it counts once,
// even if the first attempt had arrived.

import { deleteDraft, draftName, isEntry } from "./drafts.js";
import { onState } from "./live.js";
import { fetchTable, onFailure, onRender, onRequest, onResponse } from "./page.js";
import { local } from "./storage.js";

const TIMEOUT = 8_000; // ms
const RETRY_DELAY = 3_000; // ms
const body = document.body;
const queueName = `unsent ${body.dataset.code}`;
const queued = () => local.read(queueName) ?? [];
const queuedFor = (form) => queued().find((entry) => entry.draft === draftName(form));
let pressed = null; // the button that submitted the form
let refused = ""; // messages of the server about refused entries
let sending = false;
let retryTimer = 0; // pending after a failed attempt

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
  local.write(queueName, [...queued().filter((other) => other.key !== entry.key), entry]);
  show();
}

function dequeue(key) {
  const left = queued().filter((entry) => entry.key !== key);
  if (left.length) local.write(queueName, left);
  else local.remove(queueName);
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
  const strip = document.getElementById("unsent");
  if (!strip) return;
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
  if (response.ok) deleteDraft(entry.draft);
  else if (!isStale) refused = `${refused} ${await messageOf(response)}`.trim();
  if (!isStale) dequeue(entry.key);
  fetchTable();
  return !isStale;
}

document.addEventListener("submit", (event) => {
  pressed = event.submitter;
});
onRequest(({ source }) => {
  if (!source.isConnected || !isEntry(source) || !queuedFor(source)) return true;
  enqueue(source);
  send();
  return false;
});
onFailure(({ source }) => {
  if (source.isConnected && isEntry(source)) enqueue(source);
});
onResponse(({ source, isRefresh, isOk }) => {
  // A successful refresh shows that the server is reachable, with or without a stream.
  if (isRefresh && isOk && !retryTimer) send();
  if (isOk && isEntry(source)) dequeue(new FormData(source).get("key"));
});
onState(sendIfConnected);
// The page that htmx shows when the user goes back has an empty list.
onRender(() => {
  if (!document.getElementById("unsent")?.childElementCount) show();
});

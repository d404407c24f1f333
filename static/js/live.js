// Keeps a page up to date with its table.
//
// Events only name the version of the table; the page then fetches its own part, so that lost, repeated or
// late events do no harm. A dead connection raises no error on a visible page, so a silent stream is replaced
// after a timeout. While there is no stream, the page polls.

const SILENCE = 40_000; // ms; more than two heartbeats of 15 s
const OPENING = 6_000; // ms; a new stream sends its first event at once
const POLL = 5_000; // ms
const body = document.body;
let state = "connecting"; // or "on", "off"
let source = null;
let watchdog = 0;
let latest = 0; // version named by the last event
let taps = 0; // requests made by the user so far
let navigations = 0; // those of them that load another page of the table
let busy = 0; // user requests under way; their response has the latest version anyway
let fetching = 0; // refreshes under way

const table = () => document.getElementById("table");
const isBehind = () => latest > Number(table()?.dataset.version ?? latest);

function setState(next) {
  state = body.dataset.live = next;
  const label = document.getElementById("live");
  if (label) label.textContent = body.dataset[next];
}

// The stream

function restartWatchdog(timeout) {
  clearTimeout(watchdog);
  watchdog = setTimeout(onTimeout, timeout);
}

function onBeat() {
  restartWatchdog(SILENCE);
  if (state !== "on") setState("on");
}

function onChanged(event) {
  onBeat();
  latest = JSON.parse(event.data).version;
  if (isBehind()) refresh();
}

function onError() {
  setState(navigator.onLine === false ? "off" : "connecting");
  restartWatchdog(SILENCE); // the browser reconnects by itself, with Last-Event-ID
  // But not if the stream was refused.
  if (source?.readyState === EventSource.CLOSED) setTimeout(reopen, 3_000 + 2_000 * Math.random());
}

function onTimeout() {
  setState("off");
  open();
  refresh({ force: true });
}

function open() {
  close();
  source = new EventSource(body.dataset.events);
  source.addEventListener("changed", onChanged);
  source.addEventListener("beat", onBeat);
  source.addEventListener("error", onError);
  restartWatchdog(OPENING);
}

function close() {
  source?.close();
  source = null;
  clearTimeout(watchdog);
}

function reopen() {
  if (!document.hidden && table()) open(); // without #table, the table was deleted
}

function onWake() {
  if (document.hidden) {
    close();
    return;
  }
  setState("connecting");
  open();
  refresh({ force: true });
}

document.addEventListener("visibilitychange", onWake);
window.addEventListener("online", onWake);
window.addEventListener("offline", () => setState("off"));
window.addEventListener("pageshow", (event) => event.persisted && onWake());
window.addEventListener("pagehide", close);

// The page

// One refresh at a time; `force` ignores requests under way, which a lost connection may never answer.
function refresh({ force = false } = {}) {
  if (!busy && (force || !fetching) && table()) htmx.trigger("#table", "table-changed");
}

setInterval(() => {
  if ((state !== "on" || isBehind()) && !document.hidden) refresh();
}, POLL);

// A failed refresh is retried by the next poll, not at once.
const isOk = (ctx) => ctx.response?.status < 400;
const isPage = (ctx) => ctx.target?.id === "table";
const isNavigation = (ctx) => isPage(ctx) && ctx.request.method === "GET";

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  // Stored now, because the element may be removed before the response arrives.
  ctx.isRefresh = ctx.sourceElement.id === "table";
  if (ctx.isRefresh) fetching += 1;
  else {
    taps += 1;
    busy += 1;
    if (isNavigation(ctx)) navigations += 1;
  }
  ctx.taps = taps;
  ctx.navigations = navigations;
});
document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  // Drop a refresh requested before a tap, and the response to a form of a page left since: both would show
  // an older page. An error response is kept, because it carries the message.
  const isLate = ctx.isRefresh ? ctx.taps !== taps : isPage(ctx) && isOk(ctx) && ctx.navigations !== navigations;
  if (isLate) event.preventDefault();
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (ctx.isRefresh) fetching -= 1;
  else busy -= 1;
  if (isOk(ctx) && isBehind()) refresh();
});
document.addEventListener("htmx:after:swap", () => setState(state));

open();

// Keeps a page up to date with its table.
//
// Events only name the version of the table; the page then fetches its own part, so that lost, repeated or
// late events do no harm. A dead connection raises no error on a visible page, so a silent stream is replaced
// after a timeout. While there is no stream, the page polls.

import {
  afterSwap,
  createEvent,
  fetchTable,
  onOffline,
  onRequest,
  onRequestEnd,
  onResponse,
  onSleep,
  onWake,
} from "./page.js";

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

// onState: each report of the state of the connection, also if it is the same as before
const [onState, emitState] = createEvent();
export { onState };

function setState(next) {
  state = body.dataset.live = next;
  const label = document.getElementById("live");
  if (label) label.textContent = body.dataset[next];
  emitState(next);
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

onWake(() => {
  setState("connecting");
  open();
  refresh({ force: true });
});
onSleep(close);
onOffline(() => setState("off"));

// The page

// One refresh at a time; `force` ignores requests under way, which a lost connection may never answer.
function refresh({ force = false } = {}) {
  if (!busy && (force || !fetching) && table()) fetchTable();
}

setInterval(() => {
  if ((state !== "on" || isBehind()) && !document.hidden) refresh();
}, POLL);

const isPage = (request) => request.target?.id === "table";
const isNavigation = (request) => isPage(request) && request.method === "GET";
const sent = new WeakMap(); // request -> numbers of taps and navigations when it was sent

onRequest((request) => {
  if (request.isRefresh) fetching += 1;
  else {
    taps += 1;
    busy += 1;
    if (isNavigation(request)) navigations += 1;
  }
  sent.set(request, { taps, navigations });
});

// Drop a refresh requested before a tap, and the response to a form of a page left since: both would show an
// older page. An error response is kept, because it carries the message.
onResponse((request) => {
  const then = sent.get(request);
  if (request.isRefresh) return then.taps === taps;
  return !isPage(request) || !request.isOk || then.navigations === navigations;
});
onRequestEnd((request) => {
  if (request.isRefresh) fetching -= 1;
  else busy -= 1;
  if (request.isOk && isBehind()) refresh(); // a failed refresh is retried by the next poll, not at once
});
afterSwap(() => setState(state));

open();

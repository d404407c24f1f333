// Keeps a page in step with its table.
//
// The server only says which version the table has; the page then fetches its own part. So a message
// may be lost, doubled or late without harm. A dead connection on a visible page never reports itself,
// therefore silence counts as an error too. While the stream is not heard, the same part is polled.
"use strict";

(() => {
  const SILENCE = 40_000; // more than two beats of 15 s
  const OPENING = 6_000; // a new stream speaks at once
  const POLL = 5_000;
  const body = document.body;
  let state = "connecting"; // or "on", "off"
  let source = null;
  let watchdog = 0;
  let newest = 0; // version the server has told of
  let taps = 0; // requests of this phone's owner so far
  let turns = 0; // those of them that lead to another page of the table
  let busy = 0; // those under way; their answer brings the newest version anyway
  let fetching = 0; // refreshes under way

  const table = () => document.getElementById("table");
  const isBehind = () => newest > Number(table()?.dataset.version ?? newest);

  function show(now) {
    state = body.dataset.live = now;
    const words = document.getElementById("live");
    if (words) words.textContent = body.dataset[now];
  }

  // The stream

  function watch(patience) {
    clearTimeout(watchdog);
    watchdog = setTimeout(lost, patience);
  }

  function heard() {
    watch(SILENCE);
    if (state !== "on") show("on");
  }

  function changed(event) {
    heard();
    newest = JSON.parse(event.data).version;
    if (isBehind()) refresh();
  }

  function failed() {
    show(navigator.onLine === false ? "off" : "connecting");
    watch(SILENCE); // the browser tries again itself, and then hears only what is new
    // But not a stream that was refused.
    if (source?.readyState === EventSource.CLOSED) setTimeout(reopen, 3_000 + 2_000 * Math.random());
  }

  function lost() {
    show("off");
    open();
    refresh("anew");
  }

  function open() {
    close();
    source = new EventSource(body.dataset.events);
    source.addEventListener("changed", changed);
    source.addEventListener("beat", heard);
    source.addEventListener("error", failed);
    watch(OPENING);
  }

  function close() {
    source?.close();
    source = null;
    clearTimeout(watchdog);
  }

  function reopen() {
    if (!document.hidden && table()) open(); // no table: it was deleted
  }

  function woken() {
    if (document.hidden) {
      close();
      return;
    }
    show("connecting");
    open();
    refresh("anew");
  }

  document.addEventListener("visibilitychange", woken);
  window.addEventListener("online", woken);
  window.addEventListener("offline", () => show("off"));
  window.addEventListener("pageshow", (event) => event.persisted && woken());
  window.addEventListener("pagehide", close);

  // The page

  // One at a time; but what was asked for before the connection was lost may never be answered.
  function refresh(anew) {
    if (!busy && (anew || !fetching) && table()) htmx.trigger("#table", "table-changed");
  }

  setInterval(() => {
    if ((state !== "on" || isBehind()) && !document.hidden) refresh();
  }, POLL);

  // What failed is tried again by the next poll, not at once and for ever.
  const isFine = (ctx) => ctx.response?.status < 400;
  const isPage = (ctx) => ctx.target?.id === "table";
  const isTurn = (ctx) => isPage(ctx) && ctx.request.method === "GET";

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    // Noted here, as the element may be gone when the answer is there.
    ctx.isRefresh = ctx.sourceElement.id === "table";
    if (ctx.isRefresh) fetching += 1;
    else {
      taps += 1;
      busy += 1;
      if (isTurn(ctx)) turns += 1;
    }
    ctx.taps = taps;
    ctx.turns = turns;
  });
  document.addEventListener("htmx:after:request", (event) => {
    const { ctx } = event.detail;
    // What was asked for before a tap would lead back to before it; so would what was sent from a page that was
    // left since, unless it was refused: then what is wrong is said there.
    const isLate = ctx.isRefresh ? ctx.taps !== taps : isPage(ctx) && isFine(ctx) && ctx.turns !== turns;
    if (isLate) event.preventDefault();
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (ctx.isRefresh) fetching -= 1;
    else busy -= 1;
    if (isFine(ctx) && isBehind()) refresh();
  });
  document.addEventListener("htmx:after:swap", () => show(state));

  open();
})();

// The life cycle of a page.

import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { dispatch, loadPage, respond } from "./world.mjs";

const table = { id: "table" };
const form = { id: "entry-3-blue" };

function fire(name, detail, source = form) {
  const event = new CustomEvent(name, { cancelable: true, detail });
  dispatch(event, source);
  return event;
}

test("render subscribers are called at once and after each swap", async () => {
  const { page } = await loadPage("page.js");
  const render = mock.fn();

  page.onRender(render);
  assert.equal(render.mock.callCount(), 1);
  respond(table);
  respond(table);
  assert.equal(render.mock.callCount(), 3);
});

test("swap subscribers are called around a swap only", async () => {
  const { page } = await loadPage("page.js");
  const calls = [];
  page.afterSwap(() => calls.push("after"));
  page.beforeSwap(() => void calls.push("before"));

  assert.deepEqual(calls, []);
  respond(table, { swap: () => calls.push("swap") });
  assert.deepEqual(calls, ["before", "swap", "after"]);
});

test("subscribers are called in order, also after one that fails", async () => {
  const { page } = await loadPage("page.js");
  const logged = mock.method(console, "error", () => {});
  const calls = [];
  page.onRender(() => calls.push(1));
  page.onRender(() => {
    throw new Error("broken");
  });
  page.onRender(() => calls.push(2));

  assert.deepEqual(calls, [1, 2]);
  respond(table);
  assert.deepEqual(calls, [1, 2, 1, 2]);
  assert.deepEqual(logged.mock.calls.map(({ arguments: [error] }) => error.message), ["broken", "broken"]);
  logged.mock.restore();
});

for (const [subscribe, event] of [
  ["onRequest", "htmx:before:request"],
  ["onResponse", "htmx:after:request"],
  ["beforeSwap", "htmx:before:swap"],
]) {
  test(`${subscribe} cancels if a subscriber returns false, and still calls the others`, async () => {
    const { page } = await loadPage("page.js");
    let answer;
    const last = mock.fn();
    page[subscribe](() => answer);
    page[subscribe](last);

    assert.equal(fire(event, { ctx: { sourceElement: form } }).defaultPrevented, false);
    answer = false;
    assert.equal(fire(event, { ctx: { sourceElement: form } }).defaultPrevented, true);
    assert.equal(last.mock.callCount(), 2);
  });
}

test("all events of a request have the same object, which keeps its source", async () => {
  const { page } = await loadPage("page.js");
  const seen = [];
  for (const name of ["onRequest", "onResponse", "afterSwap", "onRequestEnd"]) page[name]((request) => void seen.push(request));
  const ctx = { sourceElement: form, target: table, request: { method: "POST", body: "at=1" } };

  fire("htmx:before:request", { ctx });
  assert.equal(seen[0].isOk, false);
  ctx.response = { status: 200 };
  fire("htmx:after:request", { ctx });
  ctx.sourceElement = table; // htmx replaces a source that was removed from the page
  fire("htmx:after:swap", { ctx }, table);
  fire("htmx:finally:request", { ctx }, table);

  assert.equal(seen.length, 4);
  assert.equal(new Set(seen).size, 1);
  const [{ source, target, method, body, status, isOk, isRefresh }] = seen;
  assert.deepEqual(
    { source, target, method, body, status, isOk, isRefresh },
    { source: form, target: table, method: "POST", body: "at=1", status: 200, isOk: true, isRefresh: false },
  );
});

test("a request of the table itself is a refresh", async () => {
  const { page } = await loadPage("page.js");
  const refreshes = [];
  page.onRequest(({ isRefresh }) => void refreshes.push(isRefresh));

  respond(table);
  respond(form);
  assert.deepEqual(refreshes, [true, false]);
});

test("a failed request carries its error, or at least its element", async () => {
  const { page } = await loadPage("page.js");
  const failures = [];
  page.onFailure(({ source, error }) => void failures.push([source, error.name]));

  fire("htmx:error", { ctx: { sourceElement: form }, error: new DOMException("", "AbortError") });
  fire("htmx:error", { error: new TypeError() }, table);
  assert.deepEqual(failures, [[form, "AbortError"], [table, "TypeError"]]);
});

test("an error response is reported with its status", async () => {
  const { page } = await loadPage("page.js");
  const statuses = [];
  page.onErrorResponse(({ status, isOk }) => void statuses.push([status, isOk]));

  fire("htmx:response:error", { ctx: { sourceElement: form, response: { status: 503 } } });
  assert.deepEqual(statuses, [[503, false]]);
});

test("the page wakes when it is visible or online again or comes from the cache", async () => {
  const { page } = await loadPage("page.js");
  const wake = mock.fn();
  page.onWake(wake);
  const pageshow = (persisted) => window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted }));

  pageshow(false); // the first load
  assert.equal(wake.mock.callCount(), 0);
  document.dispatchEvent(new Event("visibilitychange"));
  window.dispatchEvent(new Event("online"));
  pageshow(true);
  assert.equal(wake.mock.callCount(), 3);
  document.hidden = true;
  window.dispatchEvent(new Event("online"));
  assert.equal(wake.mock.callCount(), 3);
});

test("the page sleeps when it is hidden or left", async () => {
  const { page } = await loadPage("page.js");
  const sleep = mock.fn();
  page.onSleep(sleep);

  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(sleep.mock.callCount(), 0);
  document.hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  window.dispatchEvent(new Event("pagehide"));
  assert.equal(sleep.mock.callCount(), 2);
});

test("the loss of the network is reported", async () => {
  const { page } = await loadPage("page.js");
  const offline = mock.fn();
  page.onOffline(offline);

  window.dispatchEvent(new Event("offline"));
  assert.equal(offline.mock.callCount(), 1);
});

test("the page is ready after htmx has processed it", async () => {
  const { page } = await loadPage("page.js");
  const calls = [];
  document.addEventListener("DOMContentLoaded", () => calls.push("htmx")); // loaded after page.js
  page.onReady(() => calls.push("ready"));

  assert.deepEqual(calls, []);
  document.dispatchEvent(new Event("DOMContentLoaded"));
  assert.deepEqual(calls, ["htmx", "ready"]);
});

test("parts of the page are fetched by htmx", async () => {
  const { page } = await loadPage("page.js");
  globalThis.htmx = { trigger: mock.fn(), ajax: mock.fn() };

  page.fetchTable();
  page.fetchInto("#moment", "?at=3");
  assert.deepEqual(htmx.trigger.mock.calls[0].arguments, ["#table", "table-changed"]);
  const into = { source: "#moment", target: "#moment", swap: "outerMorph" };
  assert.deepEqual(htmx.ajax.mock.calls[0].arguments, ["GET", "?at=3", into]);
});

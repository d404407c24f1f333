// The life cycle of a page. Only this module listens to htmx and to the state of the document; the others
// subscribe. Subscribers are called in the order of their subscription, and an exception in one does not stop
// the others.
//
// onRender         at once, and after each swap
// onReady          when all scripts of the page have run
// onRequest        before a request of htmx; a subscriber that returns false cancels it
// onResponse       after its response; false drops the response
// onErrorResponse  after a response with a status of 400 or more that was not dropped
// onFailure        after a request that failed otherwise: no connection, a timeout, or another request
// onRequestEnd     after each request
// beforeSwap       before a response is swapped in; false drops it
// afterSwap        after it was swapped in
// onWake           when the page is visible or online again
// onSleep          when the page is hidden or left
// onOffline        when the phone has lost its network

function call(callback, argument) {
  try {
    return callback(argument);
  } catch (error) {
    console.error(error);
    return undefined;
  }
}

// Return a function to subscribe with, and one that calls the subscribers and returns whether none of them
// returned false.
export function createEvent() {
  const callbacks = [];
  const subscribe = (callback) => void callbacks.push(callback);
  const emit = (argument) => callbacks.map((callback) => call(callback, argument)).every((result) => result !== false);
  return [subscribe, emit];
}

const [onRequest, emitRequest] = createEvent();
const [onResponse, emitResponse] = createEvent();
const [onErrorResponse, emitErrorResponse] = createEvent();
const [onFailure, emitFailure] = createEvent();
const [onRequestEnd, emitRequestEnd] = createEvent();
const [beforeSwap, emitBeforeSwap] = createEvent();
const [afterSwap, emitAfterSwap] = createEvent();
const [onWake, emitWake] = createEvent();
const [onSleep, emitSleep] = createEvent();
const [onOffline, emitOffline] = createEvent();

export {
  afterSwap,
  beforeSwap,
  onErrorResponse,
  onFailure,
  onOffline,
  onRequest,
  onRequestEnd,
  onResponse,
  onSleep,
  onWake,
};

export function onRender(callback) {
  call(callback);
  afterSwap(() => callback());
}

// The listener is added here and not above, so that it runs after that of htmx: pages load htmx first.
export function onReady(callback) {
  document.addEventListener("DOMContentLoaded", () => call(callback), { once: true });
}

// Requests

// A request of htmx; all its events have the same object.
class PageRequest {
  #context;
  error = null; // why it failed

  constructor(context) {
    this.#context = context;
    this.source = context.sourceElement; // may be removed from the page before the response arrives
    this.isRefresh = this.source.id === "table";
  }

  get target() {
    return this.#context.target;
  }

  get method() {
    return this.#context.request.method;
  }

  get body() {
    return this.#context.request.body;
  }

  get status() {
    return this.#context.response?.status;
  }

  get isOk() {
    return this.status < 400;
  }
}

const requests = new WeakMap(); // context of htmx -> PageRequest

function requestOf({ target, detail }) {
  const context = detail.ctx ?? { sourceElement: target }; // a failure to build a request has no context
  if (!requests.has(context)) requests.set(context, new PageRequest(context));
  const request = requests.get(context);
  request.error = detail.error ?? null;
  return request;
}

const REQUEST_EVENTS = {
  "htmx:before:request": emitRequest,
  "htmx:after:request": emitResponse,
  "htmx:response:error": emitErrorResponse,
  "htmx:error": emitFailure,
  "htmx:finally:request": emitRequestEnd,
  "htmx:before:swap": emitBeforeSwap,
  "htmx:after:swap": emitAfterSwap,
};

for (const [name, emit] of Object.entries(REQUEST_EVENTS)) {
  document.addEventListener(name, (event) => {
    if (!emit(requestOf(event))) event.preventDefault();
  });
}

// Fetch and swap in the part of the page that shows the table.
export function fetchTable() {
  htmx.trigger("#table", "table-changed");
}

// Fetch an address, and morph an element into the response.
export function fetchInto(selector, address) {
  htmx.ajax("GET", address, { source: selector, target: selector, swap: "outerMorph" });
}

// The document

function onVisibility() {
  if (document.hidden) emitSleep();
  else emitWake();
}

document.addEventListener("visibilitychange", onVisibility);
window.addEventListener("online", onVisibility);
window.addEventListener("offline", () => emitOffline());
window.addEventListener("pageshow", ({ persisted }) => persisted && onVisibility()); // from the back/forward cache
window.addEventListener("pagehide", () => emitSleep());

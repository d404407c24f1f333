// Keeps what was typed and not sent yet: through a reload, a closed browser, a network that is gone.
//
// A draft belongs to one question to one faction and is dropped when that is answered. An entry that could not
// be sent waits in sight and is sent when the network is back, with the key it had: whether or not it had
// arrived, it counts once.
"use strict";

(() => {
  const OLD = 24 * 60 * 60 * 1000;
  const PATIENCE = 8_000;
  const AGAIN = 3_000;
  const body = document.body;
  const strip = document.getElementById("unsent");
  const draftName = (form) => `draft ${body.dataset.code} ${form.dataset.draft}`;
  const waitingName = `unsent ${body.dataset.code}`;
  const isEntry = (form) => form instanceof HTMLFormElement && form.dataset.draft !== undefined;

  // What the phone keeps; it may refuse to keep anything

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
      // then a reload loses it, as without this
    }
  }

  function forgetOld() {
    try {
      for (const name of Object.keys(localStorage)) {
        if (name.startsWith("draft ") && Date.now() - (read(name)?.at ?? 0) > OLD) localStorage.removeItem(name);
      }
    } catch {
      // nothing is kept here
    }
  }

  // Drafts

  const restored = new Set(); // forms that have theirs

  function note(form) {
    const typed = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken" && name !== "open");
    write(draftName(form), { at: Date.now(), typed });
  }

  function restore() {
    const form = document.querySelector("form[data-draft]");
    if (!form || restored.has(form.id)) return;
    restored.add(form.id);
    const typed = read(draftName(form))?.typed;
    if (typed) fillIn(form, typed);
  }

  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, ({ target }) => {
      // Scripts of a game may still set fields in answer to this.
      if (isEntry(target.form)) setTimeout(() => target.form && note(target.form));
    });
  }

  // Entries that could not be sent

  let pressed = null; // the button that sent the form
  let refused = ""; // what the table said to those that had waited
  let sending = false;
  let again = 0; // the timer while it is not tried, after a try in vain
  const waiting = () => read(waitingName) ?? [];

  const waitsFor = (form) => waiting().find((one) => one.draft === draftName(form));

  function wait(form) {
    const data = new FormData(form, pressed?.form === form ? pressed : null);
    data.set("key", waitsFor(form)?.key ?? data.get("key")); // changed while it waited, it is the same entry
    const entry = {
      key: data.get("key"),
      url: form.action,
      body: new URLSearchParams(data).toString(),
      words: pressed?.textContent.trim() ?? "",
      draft: draftName(form),
    };
    write(waitingName, [...waiting().filter((one) => one.key !== entry.key), entry]);
    show();
  }

  function drop(key) {
    const left = waiting().filter((one) => one.key !== key);
    write(waitingName, left.length ? left : null);
    show();
  }

  function line(text, words, act) {
    const row = document.createElement("p");
    const button = document.createElement("button");
    row.append(text, " ", button);
    button.type = "button";
    button.textContent = words;
    button.addEventListener("click", act);
    return row;
  }

  function show() {
    const entries = waiting();
    strip.replaceChildren();
    for (const entry of entries) {
      strip.append(line(`${strip.dataset.waits} ${entry.words}`, strip.dataset.withdraw, () => drop(entry.key)));
    }
    if (refused) {
      const understood = () => {
        refused = "";
        show();
      };
      strip.append(line(`${strip.dataset.refused} ${refused}`, strip.dataset.understood, understood));
    }
    strip.hidden = !strip.childElementCount;
  }

  async function send() {
    if (sending) return;
    sending = true;
    clearTimeout(again);
    again = 0;
    try {
      for (const entry of waiting()) {
        if (await sendOne(entry)) continue;
        again = setTimeout(sendIfConnected, AGAIN); // a connection that stays brings no news of itself
        break;
      }
    } finally {
      sending = false;
    }
  }

  function sendIfConnected() {
    again = 0;
    if (body.dataset.live === "on") send();
  }

  // The cookie that a form's token belongs to may be another one since: the page's token is the newest.
  function bodyOf(entry) {
    const fields = new URLSearchParams(entry.body);
    const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
    if (token) fields.set("csrfmiddlewaretoken", token);
    return fields.toString();
  }

  // What a page says that refuses something.
  async function sentenceOf(answer) {
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return (page.getElementById("error") ?? page.querySelector("h1"))?.textContent.trim() || body.dataset.wentWrong;
  }

  // Whether the table has answered; else it waits on.
  async function sendOne(entry) {
    const headers = { "Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true" };
    let answer;
    try {
      answer = await fetch(entry.url, {
        method: "POST",
        headers,
        body: bodyOf(entry),
        signal: AbortSignal.timeout(PATIENCE),
      });
    } catch {
      return false;
    }
    if (answer.status >= 500 || answer.status === 429) return false;
    const isStale = answer.headers.has("HX-Refresh"); // the page comes anew, with another token
    if (answer.ok) write(entry.draft, null);
    else if (!isStale) refused = `${refused} ${await sentenceOf(answer)}`.trim();
    if (!isStale) drop(entry.key);
    htmx.trigger("#table", "table-changed");
    return !isStale;
  }

  document.addEventListener("submit", (event) => {
    pressed = event.submitter;
  });
  document.addEventListener("htmx:before:request", (event) => {
    if (!isEntry(event.target) || !waitsFor(event.target)) return;
    event.preventDefault();
    wait(event.target);
    send();
  });
  document.addEventListener("htmx:error", ({ target }) => {
    if (isEntry(target)) wait(target);
  });
  document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
    const form = ctx.sourceElement; // which may have left the page by now
    if (form.id === "table" && ctx.response?.status < 400 && !again) send(); // the laptop answers, with or without a stream
    if (!isEntry(form) || !(ctx.response?.status < 400)) return;
    write(draftName(form), null);
    drop(new FormData(form).get("key"));
  });
  document.addEventListener("htmx:after:swap", restore);
  new MutationObserver(sendIfConnected).observe(body, { attributes: true, attributeFilter: ["data-live"] });

  forgetOld();
  show();
  restore();
})();

// Times as this phone's clock has them, and clocks that go on between two pages: quietly, in minutes.
//
// A page says how many seconds a clock showed, and what time it was at the server then. The phone knows how far
// the server's clock is ahead of its own and counts on from there, so neither a wrong clock nor a page that comes
// late, or out of the browser's cache, makes a difference.
"use strict";

(() => {
  const KEPT = "clock";
  const SET = 120_000; // more than a page can be late: somebody has set a clock
  const { seenAt } = document.body.dataset; // by the phone's clock, on a page that it kept
  let ahead = read(); // the server's clock, in milliseconds

  function read() {
    try {
      return Number(sessionStorage.getItem(KEPT) ?? Number.NaN);
    } catch {
      return Number.NaN; // nothing is kept here
    }
  }

  const timers = () => document.getElementById("timers");

  // The server does not know where the phone is
  function localTimes() {
    for (const time of document.querySelectorAll("time[datetime]")) {
      const local = new Date(time.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
      time.textContent = time.textContent.replace(/\d\d:\d\d/, local);
    }
  }

  function words(seconds, { minutes, hours }) {
    const all = Math.floor(seconds / 60);
    const text = all < 60 ? minutes : hours;
    return text.replace("{hours}", Math.floor(all / 60)).replace("{minutes}", all % 60);
  }

  function tick() {
    const line = timers();
    if (!line) return;
    const since = Date.now() + ahead - Date.parse(line.dataset.now);
    const passed = line.dataset.still === undefined ? Math.max(0, since) / 1000 : 0;
    for (const one of line.querySelectorAll("[data-timer]")) {
      const most = Number(one.dataset.most ?? Infinity);
      const text = words(Math.min(Number(one.dataset.timer) + passed, most), line.dataset);
      if (one.textContent !== text) one.textContent = text;
    }
  }

  // Pages are late, never early: the one that was least so tells best.
  function compare(when) {
    const line = timers();
    if (!line) return;
    const told = Date.parse(line.dataset.now) - when;
    ahead = Math.abs(told - ahead) < SET ? Math.max(told, ahead) : told;
  }

  function keep() {
    try {
      sessionStorage.setItem(KEPT, ahead);
    } catch {
      // then the next page begins anew
    }
  }

  function arrive(when) {
    compare(when);
    localTimes();
    tick();
  }

  document.addEventListener("htmx:after:swap", () => arrive(Date.now()));
  document.addEventListener("visibilitychange", tick);
  window.addEventListener("pagehide", keep);
  setInterval(tick, 1_000);
  arrive(seenAt ? Date.parse(seenAt) : Date.now());
})();

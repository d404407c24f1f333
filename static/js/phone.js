// What a phone can do besides showing a page: stay awake during a game, keep pages for when the laptop is out
// of reach, and say so. The first two are granted only over HTTPS that the phone trusts; nothing needs them.
"use strict";

(() => {
  // Awake while a game runs, taken again after coming back, let go at the end

  let lock = null;
  let asking = false;

  async function stayAwake() {
    const wanted = !document.hidden && Boolean(document.querySelector("[data-awake]"));
    if (!wanted) {
      lock?.release();
      lock = null;
    } else if (!lock && !asking && navigator.wakeLock) {
      asking = true;
      try {
        const taken = await navigator.wakeLock.request("screen");
        taken.addEventListener("release", () => {
          if (lock === taken) lock = null;
        });
        lock = taken;
      } catch {
        // A tired battery may refuse; the next return asks again.
      }
      asking = false;
      if (!document.querySelector("[data-awake]")) stayAwake(); // it ended while we asked
    }
  }

  document.addEventListener("visibilitychange", stayAwake);
  document.addEventListener("htmx:after:swap", stayAwake);
  stayAwake();

  // A page that the phone kept says from when it is

  const { seenAt, asOf } = document.body.dataset;
  if (seenAt) {
    const time = new Date(seenAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    const line = document.createElement("p");
    line.className = "as-of";
    line.setAttribute("role", "status");
    line.textContent = asOf.replace("{time}", time);
    document.body.prepend(line);
    document.addEventListener("htmx:after:swap", () => line.remove(), { once: true }); // the laptop has answered
  }

  if ("serviceWorker" in navigator) navigator.serviceWorker.register(document.body.dataset.worker).catch(() => {});
})();

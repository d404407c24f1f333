// Wake lock during a game, service worker for offline pages, and a notice on pages shown from its cache.
// Browsers grant the first two only over trusted HTTPS; everything else works without them.

import { afterSwap, onRender, onSleep, onWake } from "./page.js";

// Wake lock: held while a game runs and the page is visible

let lock = null;
let requesting = false;

async function updateWakeLock() {
  const wanted = !document.hidden && Boolean(document.querySelector("[data-awake]"));
  if (!wanted) {
    lock?.release();
    lock = null;
  } else if (!lock && !requesting && navigator.wakeLock) {
    requesting = true;
    try {
      const acquired = await navigator.wakeLock.request("screen");
      acquired.addEventListener("release", () => {
        if (lock === acquired) lock = null;
      });
      lock = acquired;
    } catch {
      // Refused, for example at low battery; retried when the page is shown again.
    }
    requesting = false;
    if (!document.querySelector("[data-awake]")) updateWakeLock(); // the game ended meanwhile
  }
}

onWake(updateWakeLock);
onSleep(updateWakeLock);
onRender(updateWakeLock);

// Notice with the time of a cached page

const { seenAt, asOf } = document.body.dataset;
if (seenAt) {
  const time = new Date(seenAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const line = document.createElement("p");
  line.className = "as-of";
  line.setAttribute("role", "status");
  line.textContent = asOf.replace("{time}", time);
  document.body.prepend(line);
  afterSwap(() => line.remove()); // the server has responded
}

if ("serviceWorker" in navigator) navigator.serviceWorker.register(document.body.dataset.worker).catch(() => {});

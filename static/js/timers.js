// Local times, and clocks in minutes that run between page loads.
//
// A page has the seconds of each clock and the server's time when it was rendered. The phone estimates the
// offset of the server's clock from its own and counts on from there, so that a wrong clock, a late page or a
// cached page do not matter.

import { afterSwap, onSleep, onWake } from "./page.js";
import { session } from "./storage.js";

const STORAGE_KEY = "clock";
const CLOCK_SET = 120_000; // ms; a larger change of the offset means that a clock was set
const { seenAt } = document.body.dataset; // the phone's time, on a page from the offline cache
let offset = session.read(STORAGE_KEY) ?? Number.NaN; // of the server's clock from the phone's, in ms; NaN if unknown

const timers = () => document.getElementById("timers");

// The server does not know the time zone of the phone.
function showLocalTimes() {
  for (const time of document.querySelectorAll("time[datetime]")) {
    const local = new Date(time.dateTime).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
    time.textContent = time.textContent.replace(/\d\d:\d\d/, local);
  }
}

function format(seconds, { minutes, hours }) {
  const all = Math.floor(seconds / 60);
  const text = all < 60 ? minutes : hours;
  return text.replace("{hours}", Math.floor(all / 60)).replace("{minutes}", all % 60);
}

function tick() {
  const line = timers();
  if (!line) return;
  const since = Date.now() + offset - Date.parse(line.dataset.now);
  const passed = line.dataset.still === undefined ? Math.max(0, since) / 1000 : 0;
  for (const timer of line.querySelectorAll("[data-timer]")) {
    const most = Number(timer.dataset.most ?? Infinity);
    const text = format(Math.min(Number(timer.dataset.timer) + passed, most), line.dataset);
    if (timer.textContent !== text) timer.textContent = text;
  }
}

// Pages arrive late, never early, so the largest offset is the most precise.
function updateOffset(receivedAt) {
  const line = timers();
  if (!line) return;
  const measured = Date.parse(line.dataset.now) - receivedAt;
  offset = Math.abs(measured - offset) < CLOCK_SET ? Math.max(measured, offset) : measured;
}

function onPage(receivedAt) {
  updateOffset(receivedAt);
  showLocalTimes();
  tick();
}

afterSwap(() => onPage(Date.now()));
onWake(tick);
onSleep(() => session.write(STORAGE_KEY, offset)); // otherwise the next page measures it again
setInterval(tick, 1_000);
onPage(seenAt ? Date.parse(seenAt) : Date.now());

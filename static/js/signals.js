// A soft tone and a short vibration when it becomes this phone's turn. Both are off by default.
//
// Browsers allow sound only after a tap on the page: the tap on the switch, or any tap after a reload.

import { afterSwap, onRender } from "./page.js";

const body = document.body;
const isOn = (signal) => body.dataset[signal] === "on";
let audio = null;

// Synthesised tone, without a file

function unlock() {
  if (!isOn("sound") || !window.AudioContext) return;
  audio ??= new AudioContext();
  if (audio.state !== "running") audio.resume();
}

function sound() {
  if (!audio) return;
  const [tone, volume, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.frequency.value = 523; // Hz: C5
  volume.gain.setValueAtTime(0, now);
  volume.gain.linearRampToValueAtTime(0.12, now + 0.04);
  volume.gain.linearRampToValueAtTime(0, now + 0.5);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.5);
}

function vibrate() {
  // Before the first tap, browsers refuse and log a warning.
  if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(120);
}

const SIGNALS = { sound, vibration: vibrate };

document.addEventListener("click", unlock, true);

// Changes of turn

const turn = () => document.getElementById("table")?.dataset.turn; // id of the entry that began it
let before = turn();
const announced = new Set([before]); // undo and redo of an entry begin no new turn

function announceTurn() {
  const now = turn();
  if (now !== undefined && before === undefined && !announced.has(now)) {
    if (isOn("sound") && !document.hidden) sound();
    if (isOn("vibration")) vibrate();
  }
  announced.add(now);
  before = now;
}

afterSwap(announceTurn);

// The switches

const form = () => document.querySelector("form[data-signal]");

function show() {
  for (const button of form()?.querySelectorAll("button") ?? []) {
    button.setAttribute("aria-pressed", String(button.value === (body.dataset[button.name] ?? "off")));
    if (button.name === "vibration") button.closest("fieldset").hidden = !navigator.vibrate;
  }
}

async function save(data, target) {
  const response = await fetch(target.action, { method: "POST", body: data, headers: { "HX-Request": "true" } });
  if (!response.ok) throw new Error(response.statusText);
}

document.addEventListener("submit", async (event) => {
  const { target, submitter } = event;
  if (target !== form() || !submitter) return;
  event.preventDefault();
  const previous = body.dataset[submitter.name];
  body.dataset[submitter.name] = submitter.value;
  show();
  unlock();
  if (submitter.value === "on") SIGNALS[submitter.name](); // a sample
  try {
    await save(new FormData(target, submitter), target);
  } catch {
    body.dataset[submitter.name] = previous; // it could not be saved
    show();
  }
});
onRender(show);

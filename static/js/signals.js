// A soft tone and a short shake when it becomes this phone's turn. Both are off until somebody switches them on.
//
// Phones let a page sound only after a tap on it: the switch is one, and after a reload any other.
"use strict";

(() => {
  const body = document.body;
  const isOn = (signal) => body.dataset[signal] === "on";
  let audio = null;

  // The tone is made here: no file

  function unlock() {
    if (!isOn("sound") || !window.AudioContext) return;
    audio ??= new AudioContext();
    if (audio.state !== "running") audio.resume();
  }

  function sound() {
    if (!audio) return;
    const [tone, volume, now] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
    tone.frequency.value = 523; // a c, as of a small bell
    volume.gain.setValueAtTime(0, now);
    volume.gain.linearRampToValueAtTime(0.12, now + 0.04);
    volume.gain.linearRampToValueAtTime(0, now + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start(now);
    tone.stop(now + 0.5);
  }

  function shake() {
    // Before the first tap, browsers refuse and complain.
    if (navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(120);
  }

  const SIGNALS = { sound, vibration: shake };

  document.addEventListener("click", unlock, true);

  // Whose turn it is

  const turn = () => document.getElementById("table")?.dataset.turn; // the entry that made it so
  let before = turn();
  const told = new Set([before]); // an entry that is undone and redone makes no new turn

  function look() {
    const now = turn();
    if (now !== undefined && before === undefined && !told.has(now)) {
      if (isOn("sound") && !document.hidden) sound();
      if (isOn("vibration")) shake();
    }
    told.add(now);
    before = now;
  }

  document.addEventListener("htmx:after:swap", look);

  // The switches

  const form = () => document.querySelector("form[data-signal]");

  function show() {
    for (const button of form()?.querySelectorAll("button") ?? []) {
      button.setAttribute("aria-pressed", String(button.value === (body.dataset[button.name] ?? "off")));
      if (button.name === "vibration") button.closest("fieldset").hidden = !navigator.vibrate;
    }
  }

  async function keep(data, sent) {
    const answer = await fetch(sent.action, { method: "POST", body: data, headers: { "HX-Request": "true" } });
    if (!answer.ok) throw new Error(answer.statusText);
  }

  document.addEventListener("submit", async (event) => {
    const { target, submitter } = event;
    if (target !== form() || !submitter) return;
    event.preventDefault();
    const was = body.dataset[submitter.name];
    body.dataset[submitter.name] = submitter.value;
    show();
    unlock();
    if (submitter.value === "on") SIGNALS[submitter.name](); // how it will be
    try {
      await keep(new FormData(target, submitter), target);
    } catch {
      body.dataset[submitter.name] = was; // it could not be kept
      show();
    }
  });
  document.addEventListener("htmx:after:swap", show);
  show();
})();

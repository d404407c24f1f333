// Replay: navigates with the scrubber, the arrow keys and links. Each moment has its own address.

import { fetchInto } from "./page.js";

const moment = () => document.getElementById("moment");
const scrubber = () => document.getElementById("scrubber");
const numbers = () => moment().dataset.moments.split(",");
let current = Number(scrubber().value); // index of the last requested moment, maybe not shown yet

function go(index) {
  const number = numbers()[index];
  if (number === undefined) return;
  const { url, undone } = moment().dataset;
  current = scrubber().value = index;
  const address = `${url}?at=${number}${undone ? "&undone=1" : ""}`;
  history.replaceState(null, "", address);
  fetchInto("#moment", address);
}

document.addEventListener("input", (event) => {
  if (event.target.id === "scrubber") go(Number(event.target.value));
});
document.addEventListener("click", (event) => {
  const link = event.target.closest?.('a[rel="prev"], a[rel="next"]');
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  go(current + (link.rel === "next" ? 1 : -1));
});
document.addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
  if (step === undefined || event.altKey || event.ctrlKey) return;
  event.preventDefault();
  go(Math.min(numbers().length - 1, Math.max(0, current + step)));
});

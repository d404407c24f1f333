// Revolution: sums and costs during input, limits shared by several steppers, and the layout of counters in a
// province. The forms work without this script.

import "./drafts.js"; // restores the input first
import { onRender } from "./page.js";

const currentEntry = () => document.querySelector(".rv.ask");
const numbers = (part) => [...part.querySelectorAll('input[type="number"]')];
const sumOf = (inputs) => inputs.reduce((sum, input) => sum + Number(input.value), 0);

// Steppers that share a limit

function applyLimits(counts) {
  const all = numbers(counts);
  const total = sumOf(all);
  const low = Number(counts.dataset.low);
  const high = Number(counts.dataset.high);
  for (const group of counts.querySelectorAll("fieldset")) {
    const inputs = numbers(group);
    const most = "most" in group.dataset ? Number(group.dataset.most) : Infinity;
    const remaining = Math.min(most - sumOf(inputs), high - total);
    for (const input of inputs) {
      input.max = Math.min(Number(input.dataset.max), Number(input.value) + Math.max(0, remaining));
    }
  }
  all[0]?.setCustomValidity(total < low || total > high ? "…" : "");
  showSum(counts, all, total);
}

function costOf(counts, all, total) {
  const prices = counts.dataset.prices?.split(",").map(Number);
  if (prices) return prices[Math.min(total, prices.length - 1)];
  return all.reduce((sum, input) => sum + Number(input.value) * Number(input.dataset.each ?? 0), 0);
}

function showSum(counts, all, total) {
  const output = counts.querySelector("[data-sum]");
  const { low, high, coins, todo, cost } = counts.dataset;
  const parts = [];
  if (low === high) parts.push(`${total} / ${high}`);
  if (coins !== undefined) {
    const price = costOf(counts, all, total);
    parts.push(cost.replace("{cost}", price).replace("{coins}", coins));
    output.classList.toggle("warn", price > Number(coins));
  }
  output.textContent = parts.join(" · ");
  for (const button of submitButtons(counts)) {
    button.dataset.plain ??= button.textContent;
    button.textContent = total < Number(low) ? todo.replace("{count}", Number(low) - total) : button.dataset.plain;
  }
}

const submitButtons = (part) =>
  [...(part.closest("form")?.elements ?? [])].filter((element) => "needsChoice" in element.dataset);

// Layout of counters: the totals of a province must stay

function validateLayout(details) {
  const totals = details.dataset.totals.split(",").map(Number);
  const rows = [...details.querySelectorAll("tbody tr")].map((row) => numbers(row));
  const totalsMatch = totals.every((total, i) => sumOf(rows.map((row) => row[i])) === total);
  const townsFit = rows.every((row) => Number(row[0]?.max) !== 1 || sumOf(row) <= 1);
  const message = details.querySelector("[data-left]");
  message.textContent = totalsMatch && townsFit ? "" : message.dataset.said;
  const button = details.querySelector("[data-whole]");
  if (button) button.disabled = !totalsMatch || !townsFit;
}

// A counter added to a town or city comes from the countryside, and a removed one goes back there.
function balance(input) {
  const details = input.closest("[data-lay]");
  const row = input.closest("tr");
  const rows = [...details.querySelectorAll("tbody tr")];
  if (!details || row === rows[0]) return;
  const column = numbers(row).indexOf(input);
  const totals = details.dataset.totals.split(",").map(Number);
  const country = numbers(rows[0])[column];
  const others = rows.slice(1).map((other) => numbers(other)[column]);
  country.value = totals[column] - sumOf(others);
  if (Number(country.value) < 0) {
    input.value = Number(input.value) + Number(country.value);
    country.value = 0;
  }
  for (const changed of [country, input]) changed.dispatchEvent(new Event("change", { bubbles: true }));
}

function sync() {
  const entry = currentEntry();
  if (!entry) return;
  for (const counts of entry.querySelectorAll("[data-counts]")) applyLimits(counts);
  for (const details of entry.querySelectorAll("[data-lay]")) validateLayout(details);
  for (const button of submitButtons(entry)) button.disabled = !button.form.checkValidity();
}

for (const change of ["input", "change"]) {
  document.addEventListener(
    change,
    ({ target }) => {
      const entry = target.closest?.(".rv.ask");
      if (!entry || !target.name) return;
      if (change === "input" && target.closest("[data-lay]")) balance(target);
      sync();
    },
    true,
  );
}

onRender(sync);

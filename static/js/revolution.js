// Revolution: sums and costs while somebody counts, limits that several steppers share, how counters lie.
// All of it can be entered without this. asking.js comes before it.
"use strict";

(() => {
  const entryNow = () => document.querySelector(".rv.ask");
  const numbers = (part) => [...part.querySelectorAll('input[type="number"]')];
  const sumOf = (inputs) => inputs.reduce((sum, input) => sum + Number(input.value), 0);

  // Steppers that share a limit

  function share(counts) {
    const all = numbers(counts);
    const total = sumOf(all);
    const low = Number(counts.dataset.low);
    const high = Number(counts.dataset.high);
    for (const group of counts.querySelectorAll("fieldset")) {
      const inputs = numbers(group);
      const most = "most" in group.dataset ? Number(group.dataset.most) : Infinity;
      const left = Math.min(most - sumOf(inputs), high - total);
      for (const input of inputs) {
        input.max = Math.min(Number(input.dataset.max), Number(input.value) + Math.max(0, left));
      }
    }
    all[0]?.setCustomValidity(total < low || total > high ? "…" : "");
    tell(counts, all, total);
  }

  function costOf(counts, all, total) {
    const prices = counts.dataset.prices?.split(",").map(Number);
    if (prices) return prices[Math.min(total, prices.length - 1)];
    return all.reduce((sum, input) => sum + Number(input.value) * Number(input.dataset.each ?? 0), 0);
  }

  function tell(counts, all, total) {
    const told = counts.querySelector("[data-sum]");
    const { low, high, coins, todo, cost } = counts.dataset;
    const words = [];
    if (low === high) words.push(`${total} / ${high}`);
    if (coins !== undefined) {
      const price = costOf(counts, all, total);
      words.push(cost.replace("{cost}", price).replace("{coins}", coins));
      told.classList.toggle("warn", price > Number(coins));
    }
    told.textContent = words.join(" · ");
    for (const button of waiting(counts)) {
      button.dataset.plain ??= button.textContent;
      button.textContent = total < Number(low) ? todo.replace("{count}", Number(low) - total) : button.dataset.plain;
    }
  }

  const waiting = (part) =>
    [...(part.closest("form")?.elements ?? [])].filter((one) => "needsChoice" in one.dataset);

  // How counters lie: the totals of a province stay

  function lay(details) {
    const totals = details.dataset.totals.split(",").map(Number);
    const rows = [...details.querySelectorAll("tbody tr")].map((row) => numbers(row));
    const kept = totals.every((total, i) => sumOf(rows.map((row) => row[i])) === total);
    const towns = rows.every((row) => Number(row[0]?.max) !== 1 || sumOf(row) <= 1);
    const told = details.querySelector("[data-left]");
    told.textContent = kept && towns ? "" : told.dataset.said;
    const button = details.querySelector("[data-whole]");
    if (button) button.disabled = !kept || !towns;
  }

  // One counter moves: what leaves a place without a town's place comes from, or goes to, the countryside
  function balance(input) {
    const details = input.closest("[data-lay]");
    const row = input.closest("tr");
    const rows = [...details.querySelectorAll("tbody tr")];
    if (!details || row === rows[0]) return;
    const column = numbers(row).indexOf(input);
    const totals = details.dataset.totals.split(",").map(Number);
    const country = numbers(rows[0])[column];
    const others = rows.slice(1).map((one) => numbers(one)[column]);
    country.value = totals[column] - sumOf(others);
    if (Number(country.value) < 0) {
      input.value = Number(input.value) + Number(country.value);
      country.value = 0;
    }
    for (const moved of [country, input]) moved.dispatchEvent(new Event("change", { bubbles: true }));
  }

  function sync() {
    const entry = entryNow();
    if (!entry) return;
    for (const counts of entry.querySelectorAll("[data-counts]")) share(counts);
    for (const details of entry.querySelectorAll("[data-lay]")) lay(details);
    for (const button of waiting(entry)) button.disabled = !button.form.checkValidity();
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

  document.addEventListener("htmx:after:swap", sync, true);
  sync();
})();

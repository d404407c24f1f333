// Any moment of a game: drag the scrubber, or use the arrow keys. Each moment has its own address.
"use strict";

(() => {
  const moment = () => document.getElementById("moment");
  const numbers = () => moment().dataset.moments.split(",");

  function go(index) {
    const wanted = numbers()[index];
    if (wanted === undefined) return;
    const { url, undone } = moment().dataset;
    document.getElementById("scrubber").value = index; // the next key may come before the answer
    const address = `${url}?at=${wanted}${undone ? "&undone=1" : ""}`;
    history.replaceState(null, "", address);
    htmx.ajax("GET", address, { source: "#moment", target: "#moment", swap: "outerMorph" });
  }

  const at = () => Number(document.getElementById("scrubber").value);

  document.addEventListener("input", (event) => {
    if (event.target.id === "scrubber") go(at());
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.('a[rel="prev"], a[rel="next"]');
    if (!link || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    go(at() + (link.rel === "next" ? 1 : -1));
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined || event.altKey || event.ctrlKey) return;
    event.preventDefault();
    go(Math.min(numbers().length - 1, Math.max(0, at() + step)));
  });
})();

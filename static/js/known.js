// What this page has, or had a moment ago, is not sent to it again.
//
// Elements that are often as they were carry a mark that their content gives them. With each request for the page the
// server is told the marks that are here; where one would come again, it sends an empty element with the same id.
// Some hold others, which are only told apart where the one around them is another.
"use strict";

(() => {
  const MOST = 400; // elements
  const elements = new Map(); // by id, those that were seen last at the end
  let whole = false; // the next request is for all of the page
  let refusal = null; // what an answer said that could not be shown

  function remember() {
    for (const one of document.querySelectorAll("#table [data-known]")) {
      elements.delete(one.id);
      elements.set(one.id, one);
    }
    for (const id of elements.keys()) if (elements.size > MOST) elements.delete(id);
  }

  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    if (ctx.target?.id !== "table") return;
    if (!whole) ctx.request.headers["Known"] = [...elements.values()].map((one) => one.dataset.known).join(" ");
    whole = false;
  });

  // An element that is in the page stays where it is, or moves, as it is; one that was comes back. False if it has
  // become another one since it was told, or if the mark is another element's.
  function complete(fragment) {
    const empties = [...fragment.querySelectorAll("[data-same]")];
    if (empties.some(({ id, dataset }) => elements.get(id)?.dataset.known !== dataset.same)) return false;
    for (const empty of empties) if (!elements.get(empty.id).isConnected) empty.replaceWith(elements.get(empty.id));
    return true;
  }

  document.addEventListener("htmx:before:swap", (event) => {
    if (event.detail.tasks.every(({ fragment }) => complete(fragment))) return;
    event.preventDefault();
    whole = true;
    for (const { fragment } of event.detail.tasks) refusal = fragment.querySelector("#error") ?? refusal;
  });
  document.addEventListener("htmx:finally:request", () => {
    if (whole) htmx.trigger("#table", "table-changed");
  });
  document.addEventListener("htmx:after:swap", () => {
    remember();
    if (refusal && !document.getElementById("error")) document.getElementById("body")?.prepend(refusal);
    refusal = null;
  });
  htmx.registerExtension("known", {
    htmx_before_morph_node: (_old, { newNode }) => newNode.dataset?.same === undefined,
  });

  // htmx would look through the whole page for elements of its own, each attribute of each; what stayed is known to it.
  const UNKNOWN = ["hx-get", "hx-post"].map((name) => `[${name}]:not([data-htmx-powered])`).join();
  document.addEventListener("htmx:before:process", (event) => {
    const page = event.target;
    if (page.id !== "table" || page.matches(UNKNOWN)) return;
    event.preventDefault();
    for (const one of page.querySelectorAll(UNKNOWN)) htmx.process(one);
  });

  remember();
})();

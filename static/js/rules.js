// A rule that is tapped opens as a sheet over the page; without this, or without network, it is a page of its own.
"use strict";

(() => {
  let sheet = null;

  function opened() {
    sheet ??= document.body.appendChild(document.createElement("dialog"));
    sheet.className = "sheet";
    sheet.setAttribute("aria-labelledby", "rule-title");
    return sheet;
  }

  async function open(link) {
    try {
      const answer = await fetch(link.href, { headers: { "HX-Request": "true" } });
      if (!answer.ok || answer.redirected) throw new Error(answer.status);
      opened().innerHTML = await answer.text();
      sheet.showModal();
      sheet.scrollTop = 0;
    } catch {
      location.assign(link.href);
    }
  }

  document.addEventListener("click", (event) => {
    if (event.target === sheet) return sheet.close(); // beside the sheet
    const link = event.target.closest?.("a.rule");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link);
  });
})();

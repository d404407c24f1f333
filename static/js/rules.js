// Opens a tapped rule as a dialog over the page; without scripts or network the link leads to its own page.

let sheet = null;

function getSheet() {
  sheet ??= document.body.appendChild(document.createElement("dialog"));
  sheet.className = "sheet";
  sheet.setAttribute("aria-labelledby", "rule-title");
  return sheet;
}

async function open(link) {
  try {
    const response = await fetch(link.href, { headers: { "HX-Request": "true" } });
    if (!response.ok || response.redirected) throw new Error(response.status);
    getSheet().innerHTML = await response.text();
    sheet.showModal();
    sheet.scrollTop = 0;
  } catch {
    location.assign(link.href);
  }
}

document.addEventListener("click", (event) => {
  if (event.target === sheet) return sheet.close(); // a tap on the backdrop
  const link = event.target.closest?.("a.rule");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  open(link);
});

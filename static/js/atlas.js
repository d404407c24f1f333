// Games with a map: a tap on a province opens its sheet. The page shows the same content without this script.

function open(slug) {
  const article = document.getElementById(`at-${slug}`);
  if (!article) return false;
  document.querySelector(".atlas-sheet")?.remove();
  const sheet = document.createElement("dialog");
  sheet.className = "atlas-sheet atlas";
  const copy = article.cloneNode(true);
  copy.removeAttribute("id");
  const close = document.createElement("button");
  close.className = "close";
  close.textContent = document.querySelector("[data-close]")?.dataset.close ?? "×";
  close.addEventListener("click", () => sheet.close());
  sheet.append(copy, close);
  sheet.addEventListener("click", ({ target }) => target === sheet && sheet.close());
  sheet.addEventListener("close", () => sheet.remove());
  document.body.append(sheet);
  sheet.showModal();
  return true;
}

document.addEventListener("click", (event) => {
  const land = event.target.closest?.("[data-land]");
  if (land && open(land.dataset.land)) event.preventDefault();
});

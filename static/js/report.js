// Charts: each is JSON in the page, with names of CSS custom properties as colours.

const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false, showTips: false };
const figures = [...document.querySelectorAll("[data-figure]")];

// Replace names such as "--ink" by the current value of the property, which differs on screen and on paper.
function resolveColours(value, style) {
  if (typeof value === "string") return value.startsWith("--") ? style.getPropertyValue(value).trim() : value;
  if (Array.isArray(value)) return value.map((item) => resolveColours(item, style));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolveColours(item, style)]));
}

function figureOf(box) {
  return JSON.parse(document.getElementById(box.dataset.figure).textContent);
}

// Hidden charts have no width yet; they are rendered when they are selected.
function render(boxes) {
  const style = getComputedStyle(document.documentElement);
  for (const box of boxes.filter((chart) => !chart.closest("[hidden]"))) {
    const figure = resolveColours(figureOf(box), style);
    Plotly.react(box, figure.data, figure.layout, CONFIG);
  }
}

// Charts are slow on a phone: reserve their height, and render each when it is about to scroll into view.
function renderWhenNear() {
  const near = new IntersectionObserver(
    (entries) => {
      const boxes = entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target);
      for (const box of boxes) near.unobserve(box);
      render(boxes);
    },
    { rootMargin: "400px 0px" },
  );
  for (const box of figures) {
    const { height } = figureOf(box).layout;
    if (height) box.style.height = `${height}px`;
    near.observe(box);
  }
}

// Sections with several charts show the first one until another is selected.
function show(section, slug) {
  for (const button of section.querySelectorAll("[data-shows]")) {
    const chosen = button.dataset.shows === slug;
    button.setAttribute("aria-pressed", String(chosen));
    document.getElementById(`${button.dataset.shows}-panel`).hidden = !chosen;
  }
}

for (const section of document.querySelectorAll("[data-choice]")) {
  const buttons = [...section.querySelectorAll("[data-shows]")];
  buttons[0].parentElement.hidden = false;
  show(section, buttons[0].dataset.shows);
  for (const button of buttons) {
    button.addEventListener("click", () => {
      show(section, button.dataset.shows);
      if (window.Plotly) render(figures.filter((box) => section.contains(box)));
    });
  }
}

if (window.Plotly) renderWhenNear();
else for (const box of figures) box.textContent = box.dataset.failed;

// In print: light colours, the width of the sheet, and all tables open.
let closed = [];

window.matchMedia("print").addEventListener("change", ({ matches }) => {
  if (matches) {
    closed = [...document.querySelectorAll("details.numbers:not([open], .long)")];
  }
  for (const details of closed) details.open = matches;
  if (window.Plotly) render(figures);
});

// Convert the SVG of the summary to PNG; if that fails, the SVG itself is saved.
async function toPng(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(String(response.status));
  const source = URL.createObjectURL(await response.blob());
  try {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    canvas.getContext("2d").drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(source);
  }
}

function save(address, name) {
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
}

const picture = document.querySelector("[data-picture]");
picture?.addEventListener("click", async (event) => {
  event.preventDefault();
  try {
    const url = URL.createObjectURL(await toPng(picture.href));
    save(url, picture.dataset.picture);
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch {
    save(picture.href, picture.download);
  }
});

const print = document.querySelector("[data-print]");
print.hidden = false;
print.addEventListener("click", () => window.print());

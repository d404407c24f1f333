// Charts: the page brings each as data; its colours are names of the style sheet's properties.
"use strict";

(() => {
  const CONFIG = { displayModeBar: false, responsive: true, scrollZoom: false, doubleClick: false, showTips: false };
  const figures = [...document.querySelectorAll("[data-figure]")];

  // "--ink" becomes what that property is now, on screen or on paper.
  function coloured(value, style) {
    if (typeof value === "string") return value.startsWith("--") ? style.getPropertyValue(value).trim() : value;
    if (Array.isArray(value)) return value.map((one) => coloured(one, style));
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, coloured(one, style)]));
  }

  function figureOf(box) {
    return JSON.parse(document.getElementById(box.dataset.figure).textContent);
  }

  // What is not shown has no width yet: it is drawn once it is chosen.
  function draw(boxes) {
    const style = getComputedStyle(document.documentElement);
    for (const box of boxes.filter((one) => !one.closest("[hidden]"))) {
      const figure = coloured(figureOf(box), style);
      Plotly.react(box, figure.data, figure.layout, CONFIG);
    }
  }

  // A phone takes its time over a chart: each is drawn when it is nearly in sight, in the room it needs.
  function drawInSight() {
    const near = new IntersectionObserver(
      (seen) => {
        const boxes = seen.filter((one) => one.isIntersecting).map((one) => one.target);
        for (const box of boxes) near.unobserve(box);
        draw(boxes);
      },
      { rootMargin: "400px 0px" },
    );
    for (const box of figures) {
      const { height } = figureOf(box).layout;
      if (height) box.style.height = `${height}px`;
      near.observe(box);
    }
  }

  // One chart of several: the first, until another is chosen.
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
        if (window.Plotly) draw(figures.filter((box) => section.contains(box)));
      });
    }
  }

  if (window.Plotly) drawInSight();
  else for (const box of figures) box.textContent = box.dataset.failed;

  // On paper: light, as wide as the sheet, and every table unfolded.
  let folded = [];

  window.matchMedia("print").addEventListener("change", ({ matches }) => {
    if (matches) {
      folded = [...document.querySelectorAll("details.numbers:not([open], .long)")];
    }
    for (const one of folded) one.open = matches;
    if (window.Plotly) draw(figures);
  });

  // The summary as a PNG, made here of the SVG; whatever goes wrong, the SVG itself is saved.
  async function png(address) {
    const drawn = await fetch(address);
    if (!drawn.ok) throw new Error(String(drawn.status));
    const source = URL.createObjectURL(await drawn.blob());
    try {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = document.createElement("canvas");
      canvas.width = image.naturalWidth;
      canvas.height = image.naturalHeight;
      canvas.getContext("2d").drawImage(image, 0, 0);
      return await new Promise((done, failed) => {
        canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png");
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
      const made = URL.createObjectURL(await png(picture.href));
      save(made, picture.dataset.picture);
      setTimeout(() => URL.revokeObjectURL(made), 60_000);
    } catch {
      save(picture.href, picture.download);
    }
  });

  const print = document.querySelector("[data-print]");
  print.hidden = false;
  print.addEventListener("click", () => window.print());
})();

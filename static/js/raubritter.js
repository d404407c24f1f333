// Raubritter: quicker entry forms, and details of a tapped tile on the board. Every choice is a radio button,
// so the forms work without this script.

import { forget, isRemembered, remember } from "./drafts.js";
import { onRender } from "./page.js";

let panned = ""; // id of the entry whose land was scrolled into view
let lastCell = ""; // the next tile is often placed close to this one
let inspected = ""; // name of the place whose tile was tapped on the board

document.documentElement.classList.add("rk-js");

const currentEntry = () => document.querySelector(".rk[data-entry]");
const radios = (entry, field) => [...entry.querySelectorAll(`input[name="${field}"]`)];
const choice = (entry, field) => radios(entry, field).find((radio) => radio.checked);
const labelOf = (radio) => radio.nextElementSibling.querySelector("b").textContent;

// Choices

function choose(radio) {
  radio.checked = true;
  remember(radio);
}

function unchoose(radio) {
  radio.checked = false;
  forget(radio);
}

// Label of the main button

function setLabel(entry, text) {
  const elements = [...(entry.closest("form")?.elements ?? [])];
  const button = elements.find(({ name, value }) => name === "type" && value === entry.dataset.entry);
  if (!button) return;
  button.dataset.plain ??= button.textContent;
  button.textContent = text || button.dataset.plain;
}

// Placing a tile: preview on its cell

function showLaid(entry) {
  for (const old of entry.querySelectorAll(".laid")) old.remove();
  const pairs = [...entry.querySelectorAll("[data-shows]")].map((cells) => {
    const field = cells.querySelector("input")?.name;
    return { tile: choice(entry, cells.dataset.shows), cell: field && choice(entry, field), cells };
  });
  for (const { tile, cell } of pairs) {
    if (!tile || !cell) continue;
    for (const { cells } of pairs) {
      const target = [...cells.querySelectorAll("input")].find((radio) => radio.value === cell.value);
      const picture = tile.nextElementSibling.querySelector("svg").cloneNode(true);
      picture.classList.add("laid");
      target?.nextElementSibling.append(picture);
    }
  }
  return pairs;
}

function place(entry) {
  const [{ tile, cell }] = showLaid(entry);
  const template = entry.dataset.say;
  const at = cell?.nextElementSibling.textContent.trim();
  setLabel(entry, tile && cell && template.replace("{tile}", labelOf(tile)).replace("{cell}", at));
}

// The two starting tiles: on different cells, and not the same tile twice if there is only one

const other = (field) => field.slice(0, -1) + (field.endsWith("1") ? "2" : "1");

function lay(entry) {
  separate(entry);
  for (const field of ["tile1", "tile2"]) {
    const taken = choice(entry, other(field))?.value;
    for (const radio of radios(entry, field)) radio.disabled = "single" in radio.dataset && radio.value === taken;
  }
  for (const field of ["at1", "at2"]) entry.dataset[field] = choice(entry, field)?.value ?? "";
  showLaid(entry);
}

// If both tiles are on one cell, the tile that was not moved takes the previous cell of the other.
function separate(entry) {
  const cells = ["at1", "at2"].map((field) => choice(entry, field));
  if (!cells[0] || cells[0].value !== cells[1]?.value) return;
  const moved = (cell) => cell.value !== entry.dataset[cell.name] && isRemembered(cell);
  const stays = cells.find(moved) ?? cells[0];
  const free = radios(entry, other(stays.name)).filter((radio) => radio.value !== stays.value);
  const before = free.find((radio) => radio.value === entry.dataset[stays.name]);
  if (free.length) choose(before ?? free[0]);
}

// The march: show the ways to leave knights that match the direction and the number

function fits(split, way, many) {
  const [knights, direction] = split.value.split("/");
  if (knights === "0" || many === "0") return knights === many;
  return (!way || way === (direction || "stay")) && (!many || many === knights);
}

function march(entry) {
  const splits = radios(entry, "march");
  const way = choice(entry, "way");
  for (const number of radios(entry, "many")) {
    number.disabled = !splits.some((split) => fits(split, way?.value, number.value));
    if (number.disabled && number.checked) unchoose(number);
  }
  const many = choice(entry, "many");
  for (const split of splits) {
    const shown = (way || many) && fits(split, way?.value, many?.value);
    split.closest("label").hidden = !shown;
    if (!shown && split.checked) unchoose(split);
  }
  const shown = splits.filter((split) => !split.closest("label").hidden);
  if (shown.length === 1 && many) choose(shown[0]);
  for (const line of entry.querySelectorAll("section")) line.hidden = !line.querySelector("label:not([hidden])");
  entry.querySelector("[data-hint]").hidden = shown.length > 0;
  setLabel(entry, marchLabel(entry, choice(entry, "march")));
}

function marchLabel(entry, split) {
  if (!split) return "";
  const [knights, direction] = split.value.split("/");
  if (knights === "0") return split.nextElementSibling.textContent;
  const number = radios(entry, "many").find((radio) => radio.value === knights);
  const way = radios(entry, "way").find((radio) => radio.value === direction);
  return way ? number.dataset.go.replace("{way}", way.dataset.word) : number.dataset.stay;
}

const updaters = { place, lay, march };

// Scroll a land wider than the phone to the last placed tile, or to the middle of the free cells.
function pan(entry) {
  if (panned === entry.id) return;
  panned = entry.id;
  for (const box of entry.querySelectorAll("[data-pan]")) {
    const cells = [...box.querySelectorAll("input")];
    const near = cells.filter((radio) => isNear(radio.value, lastCell));
    const lefts = (near.length ? near : cells).map((radio) => radio.getBoundingClientRect().left);
    const middle = lefts.reduce((sum, left) => sum + left, 0) / lefts.length;
    box.scrollLeft += middle - box.getBoundingClientRect().left - box.clientWidth / 2;
  }
}

function isNear(cell, other) {
  const [[x, y], [a, b]] = [cell, other].map((text) => text.split(",").map(Number));
  return Math.abs(x - a) + Math.abs(y - b) <= 2;
}

// The board: details of the tapped tile

function showInspected() {
  const board = document.querySelector("figure.rk");
  if (!board) return;
  board.querySelector(".looked")?.remove();
  const details = board.querySelector(".look");
  const lines = [...board.querySelectorAll(".places li")];
  const index = lines.findIndex((line) => line.firstElementChild.textContent === inspected);
  if (index < 0) {
    details.replaceChildren(details.dataset.hint);
    return;
  }
  const land = board.querySelector(".land");
  const tile = land.querySelectorAll(".t")[index];
  details.replaceChildren(pictureOf(tile), lines[index].textContent);
  land.append(frameOf(tile));
}

const createSvg = (name) => document.createElementNS("http://www.w3.org/2000/svg", name);

function pictureOf(tile) {
  const picture = createSvg("svg");
  const copy = tile.cloneNode(true);
  copy.removeAttribute("transform");
  picture.setAttribute("viewBox", "0 0 48 48");
  picture.append(copy);
  return picture;
}

function frameOf(tile) {
  const frame = createSvg("rect");
  const attributes = { class: "looked", width: 48, height: 48, rx: 4, transform: tile.getAttribute("transform") };
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
  return frame;
}

// Listeners in the capture phase: they run before table.js, which checks whether the form is complete

function sync() {
  showInspected();
  const entry = currentEntry();
  if (!entry) return;
  updaters[entry.dataset.entry]?.(entry);
  pan(entry);
}

document.addEventListener(
  "change",
  ({ target }) => {
    const entry = target.closest?.(".rk[data-entry]");
    if (!entry || target.type !== "radio") return;
    if (target.name === "at") lastCell = target.value;
    updaters[entry.dataset.entry](entry);
  },
  true,
);

document.addEventListener("click", ({ target }) => {
  const tile = target.closest?.("figure.rk .t");
  if (!tile) return;
  const board = tile.closest("figure");
  const index = [...board.querySelectorAll(".land .t")].indexOf(tile);
  const place = board.querySelectorAll(".places li b")[index]?.textContent ?? "";
  inspected = inspected === place ? "" : place;
  showInspected();
});

onRender(sync);

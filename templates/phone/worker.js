// Keeps the files of the site and the pages that were seen, for when the laptop is out of reach.
//
// Files have the hash of their content in their name and need not be asked for twice. Pages always come from the laptop while
// it answers; a kept one carries the time at which it was seen. Streams, entries and parts of pages pass by.
"use strict";

const FILES = "files {{ version }}";
const PAGES = "pages {{ version }}";
const OFFLINE = "{{ offline }}";
const STATIC = "{{ static }}";
const HASHED = {{ hashed }}; // whether names of files tell their content; not where somebody develops
const MOST_PAGES = 40;
const PATIENCE = 8_000;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(PAGES)
      .then((cache) => cache.add(OFFLINE))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const drop = async () => {
    for (const name of await caches.keys()) if (name !== FILES && name !== PAGES) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(drop());
});

async function fileOf(request) {
  const cache = await caches.open(FILES);
  const kept = await cache.match(request);
  if (kept && HASHED) return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(request, fresh.clone());
    return fresh;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

// A page as it was sent, with the time at which it was seen.
async function marked(response) {
  const html = await response.text();
  const seen = html.replace("<body", `<body data-seen-at="${new Date().toISOString()}"`);
  const headers = new Headers(response.headers);
  for (const name of ["Content-Encoding", "Content-Length", "Vary", "ETag"]) headers.delete(name);
  return new Response(seen, { status: 200, headers });
}

async function keep(request, response) {
  const isPage = response.headers.get("Content-Type")?.startsWith("text/html");
  if (!response.ok || !isPage || response.headers.get("Cache-Control")?.includes("no-store")) return;
  const cache = await caches.open(PAGES);
  await cache.delete(request.url);
  await cache.put(request.url, await marked(response));
  const old = (await cache.keys()).filter((one) => new URL(one.url).pathname !== OFFLINE);
  for (const one of old.slice(0, Math.max(0, old.length - MOST_PAGES))) await cache.delete(one);
}

// The page for when nobody answers was fetched when the worker came; the phone may speak another language since.
async function translate(language) {
  const cache = await caches.open(PAGES);
  const kept = await cache.match(OFFLINE);
  if (language && kept?.headers.get("Content-Language") !== language) await cache.add(OFFLINE);
}

async function pageOf(event) {
  const { request } = event;
  try {
    const fresh = await fetch(request, { signal: AbortSignal.timeout(PATIENCE) });
    event.waitUntil(keep(request, fresh.clone()));
    event.waitUntil(translate(fresh.headers.get("Content-Language")));
    return fresh;
  } catch {
    const cache = await caches.open(PAGES);
    return (await cache.match(request.url)) ?? cache.match(OFFLINE);
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith(STATIC)) event.respondWith(fileOf(request));
  else if (request.mode === "navigate" && !url.pathname.startsWith("/api/")) event.respondWith(pageOf(event));
});

"""Cache of rendered HTML fragments, bounded in bytes.

Fragments hold nothing of a single phone: no form token, idempotency key or draft. What belongs to a seat may be
cached under a key that names the seat.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import NoReturn

from django.conf import settings
from django.utils.safestring import SafeString

from companion.cache import LruCache, register

KEY_BYTES = 3_000  # typical size of a key and of the values in it
HTML_SHARE = (
    0.75  # of the memory for caches; the rest is for states and page data, which are bounded by number
)

_html: LruCache[SafeString] = register(
    LruCache(
        "fragments",
        int(settings.CACHE_MEGABYTES * 1024 * 1024 * HTML_SHARE),
        size_of=lambda html: sys.getsizeof(html) + KEY_BYTES,
    )
)
_verifying: ContextVar[bool] = ContextVar("verifying", default=False)


class StaleFragmentError(Exception):
    """A cached fragment differs from what would be rendered now: its key lacks something it depends on."""


class _NoToken:
    """Stands for the form token while a fragment is rendered, and refuses to be used."""

    def __str__(self) -> NoReturn:
        raise StaleFragmentError("A cached fragment must not contain a form token.")

    __bool__ = __str__


NO_TOKEN = _NoToken()


def get_or_render(key: Hashable, render: Callable[[], SafeString]) -> SafeString:
    """Return the cached HTML for a key, or render it. With ``CACHE_VERIFY`` every hit is rendered again and compared."""
    if _verifying.get():
        return render()
    if settings.CACHE_VERIFY:
        _verify(key, render)
    return _html.get_or_compute(key, render)


def _verify(key: Hashable, render: Callable[[], SafeString]) -> None:
    cached = _html.get(key)
    if cached is None:
        return
    token = _verifying.set(True)
    try:
        fresh = render()
    finally:
        _verifying.reset(token)
    if fresh != cached:
        raise StaleFragmentError(f"{key}\ncached: {cached}\nnow: {fresh}")

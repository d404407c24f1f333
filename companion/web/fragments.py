"""Cache of rendered HTML fragments, bounded in bytes.

Fragments contain nothing specific to one phone: no CSRF token, idempotency key or draft. Content specific
to a seat may be cached under a key that names the seat.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import NoReturn

from django.conf import settings
from django.utils.safestring import SafeString

from companion.cache import LruCache, register

KEY_BYTES = 3_000  # typical size of a key with its values
LARGEST_SMALL = 8 * 1024  # bytes
# Shares of the cache memory. The rest is for states and page data, which are bounded by number.
SHARE_OF_SMALL = 0.5
SHARE_OF_LARGE = 0.25


def _size_of(html: SafeString) -> int:
    return sys.getsizeof(html) + KEY_BYTES


def _bytes(share: float) -> int:
    return int(settings.CACHE_MEGABYTES * 1024 * 1024 * share)


_large: LruCache[SafeString] = register(LruCache("large fragments", _bytes(SHARE_OF_LARGE), _size_of))


class FragmentCache(LruCache[SafeString]):
    """LRU cache of small fragments; large ones go to a second cache.

    Large fragments (boards, forms) belong to one version of a table. In the same cache they would evict the small
    ones (provinces), which stay valid for many versions, before the next entry at their table.
    """

    def get(self, key: Hashable) -> SafeString | None:
        small = super().get(key)
        return _large.get(key) if small is None else small

    def put(self, key: Hashable, value: SafeString) -> None:
        if _size_of(value) > LARGEST_SMALL:
            _large.put(key, value)
        else:
            super().put(key, value)


_html = register(FragmentCache("fragments", _bytes(SHARE_OF_SMALL), _size_of))
_verifying: ContextVar[bool] = ContextVar("verifying", default=False)


class StaleFragmentError(Exception):
    """A cached fragment differs from a fresh rendering: its key lacks something it depends on."""


class _NoToken:
    """Placeholder for the CSRF token while a fragment is rendered; raises when used."""

    def __str__(self) -> NoReturn:
        raise StaleFragmentError("A cached fragment must not contain a form token.")

    __bool__ = __str__


NO_TOKEN = _NoToken()


def get_or_render(key: Hashable, render: Callable[[], SafeString]) -> SafeString:
    """Return the cached HTML for a key, or render it.

    With `CACHE_VERIFY` every hit is rendered again and compared.
    """
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

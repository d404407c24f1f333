"""Per-process LRU caches for immutable values.

Keys are made of immutable facts (entry id, version, language, viewer), so nothing is ever invalidated.
All caches are in one registry, so that tests and operators can clear and count them.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar

from django.db import connection

T = TypeVar("T")

_registry: dict[str, LruCache[Any]] = {}


class LruCache(Generic[T]):
    """LRU cache. The sizes of all values add up to at most `limit`; by default each counts 1."""

    def __init__(self, name: str, limit: int, size_of: Callable[[T], int] = lambda _value: 1) -> None:
        self.name = name
        self.limit = limit
        self._size_of = size_of
        self._values: OrderedDict[Hashable, T] = OrderedDict()
        self._size = 0
        self._computing: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable) -> T | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Hashable, value: T) -> None:
        """Add a value and evict the least recently used ones. A value larger than the limit is not cached."""
        with self._lock:
            if self._size_of(value) > self.limit:
                return
            if key in self._values:
                self._size -= self._size_of(self._values.pop(key))
            self._values[key] = value
            self._size += self._size_of(value)
            while self._size > self.limit:
                _key, oldest = self._values.popitem(last=False)
                self._size -= self._size_of(oldest)

    def get_or_compute(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return the cached value, computed at the first call.

        Single flight: concurrent callers for a key wait for the first to compute it.
        Inside a transaction nothing is cached, because the data may be rolled back.
        """
        if connection.in_atomic_block:
            return compute()
        value = self.get(key)
        return self._compute(key, compute) if value is None else value

    def _compute(self, key: Hashable, compute: Callable[[], T]) -> T:
        with self._lock:
            computing = self._computing.setdefault(key, Lock())
        try:
            with computing:
                value = self.get(key)
                if value is None:
                    value = compute()
                    self.put(key, value)
                return value
        finally:
            with self._lock:
                self._computing.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._values.clear()
            self._size = 0

    def __len__(self) -> int:
        return len(self._values)

    @property
    def size(self) -> int:
        return self._size


def register(cache: LruCache[T]) -> LruCache[T]:
    """Add a cache of the application to the registry. Its name must be unique."""
    if cache.name in _registry:
        raise ValueError(f"There are two caches named {cache.name}.")
    _registry[cache.name] = cache
    return cache


def clear_all() -> None:
    for cache in _registry.values():
        cache.clear()


def counts() -> dict[str, tuple[int, int]]:
    """Return how many values each cache holds, and their size."""
    return {name: (len(cache), cache.size) for name, cache in sorted(_registry.items())}

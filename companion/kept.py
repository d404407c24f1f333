"""What a process keeps so as not to work it out again: whatever was used last.

Only what can never become wrong is kept here, so that nobody has to say when it is out of date.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from django.db import connection

T = TypeVar("T")


class Kept(Generic[T]):
    """At most so many things, each by its key."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._things: OrderedDict[Hashable, T] = OrderedDict()
        self._making: dict[Hashable, Lock] = {}
        self._lock = Lock()

    def get(self, key: Hashable) -> T | None:
        with self._lock:
            thing = self._things.get(key)
            if thing is not None:
                self._things.move_to_end(key)
            return thing

    def put(self, key: Hashable, thing: T) -> None:
        with self._lock:
            self._things[key] = thing
            while len(self._things) > self.most:
                self._things.popitem(last=False)

    def get_or_make(self, key: Hashable, make: Callable[[], T]) -> T:
        """Of those who ask at the same time one makes it, and the others wait for that.

        Within a transaction it is made for this once: what is read there may never be committed.
        """
        if connection.in_atomic_block:
            return make()
        thing = self.get(key)
        return self._make(key, make) if thing is None else thing

    def _make(self, key: Hashable, make: Callable[[], T]) -> T:
        with self._lock:
            making = self._making.setdefault(key, Lock())
        try:
            with making:
                thing = self.get(key)
                if thing is None:
                    thing = make()
                    self.put(key, thing)
                return thing
        finally:
            with self._lock:
                self._making.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._things.clear()

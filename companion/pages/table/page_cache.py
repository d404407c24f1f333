"""Cache of page data, shared by all phones.

The key of a value names everything it depends on, like that of a cached fragment: `Snapshot.state_key`,
`Snapshot.version_key` or `Viewer.key`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from django.utils.translation import get_language

from companion.cache import LruCache, register

T = TypeVar("T")

CACHED_VALUES = 480

_data: LruCache[Any] = register(LruCache("page data", CACHED_VALUES))  # boards, forms, standings


def cached(name: str, key: Hashable, compute: Callable[[], T]) -> T:
    """Compute a value once per key and language, for all phones; callers must not modify it."""
    value: T = _data.get_or_compute((name, key, get_language()), compute)
    return value

"""The LRU cache, its single flight, its limit and its registry."""

import threading
import time

import pytest
from django.db import transaction

from companion import cache
from companion.cache import LruCache


def test_concurrent_callers_wait_for_the_first_to_compute() -> None:
    values: LruCache[int] = LruCache("test", 5)
    computed = []

    def compute() -> int:
        time.sleep(0.1)
        computed.append(1)
        return 7

    results: list[int] = []
    threads = [
        threading.Thread(target=lambda: results.append(values.get_or_compute("a", compute))) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [7] * 8
    assert computed == [1]


def test_failed_computation_is_not_cached() -> None:
    values: LruCache[int] = LruCache("test", 5)

    def fail() -> int:
        raise ValueError

    with pytest.raises(ValueError):
        values.get_or_compute("a", fail)
    assert values.get_or_compute("a", lambda: 3) == 3


@pytest.mark.django_db(transaction=True)
def test_nothing_is_cached_inside_a_transaction() -> None:
    values: LruCache[int] = LruCache("test", 5)
    with transaction.atomic():
        assert values.get_or_compute("a", lambda: 1) == 1
    assert values.get("a") is None


def test_least_recently_used_value_is_evicted_first() -> None:
    values: LruCache[int] = LruCache("test", 2)
    for key, value in (("a", 1), ("b", 2)):
        values.put(key, value)
    values.get("a")
    values.put("c", 3)
    assert (values.get("a"), values.get("b"), values.get("c")) == (1, None, 3)


def test_sizes_add_up_to_at_most_the_limit() -> None:
    pages: LruCache[str] = LruCache("test", 10, size_of=len)
    pages.put("a", "12345")
    pages.put("b", "12345")
    pages.put("b", "123")  # replaces the first value and frees its size
    assert pages.size == 8
    pages.put("c", "123456")
    assert (pages.get("a"), pages.get("b"), pages.size) == (None, "123", 9)
    pages.put("d", "x" * 11)  # larger than the whole cache
    assert (pages.get("d"), len(pages), pages.size) == (None, 2, 9)


def test_registry_clears_and_counts_every_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_registry", {})
    pages = cache.register(LruCache("pages", 100, size_of=len))
    pages.put("a", "12345")
    assert cache.counts() == {"pages": (1, 5)}
    with pytest.raises(ValueError, match="pages"):
        cache.register(LruCache("pages", 100))
    cache.clear_all()
    assert cache.counts() == {"pages": (0, 0)}

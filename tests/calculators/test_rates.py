"""Rate limit of the calculators: per client address, in the memory of each process."""

from __future__ import annotations

import contextlib
import time

import pytest
from django.test import Client

from companion.access import rate_limits
from companion.access.rate_limits import MemoryLimit
from companion.cache import LruCache
from companion.errors import Refusal


def test_calculators_have_a_rate_limit_per_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "CALCULATE", MemoryLimit(LruCache("test", 10), most=2, seconds=3600))
    path, page = "/api/calculators/revolution/taxes/", "/calculators/revolution/taxes/"
    client, elsewhere = Client(), Client(REMOTE_ADDR="10.0.0.7")

    assert client.post(path, {}, content_type="application/json").status_code == 200
    assert client.get(page).status_code == 200
    for answer in (client.post(path, b"x" * 100, content_type="application/json"), client.post(page)):
        assert answer.status_code == 429
    assert client.post(path, {}, content_type="application/json").json()["code"] == "too-many"
    assert client.get("/calculators/").status_code == 200
    assert elsewhere.get(page).status_code == 200


def test_fast_tapping_stays_below_the_limit() -> None:
    """Five taps per second indefinitely, and bursts of a whole table."""
    assert rate_limits.CALCULATE.most >= 600
    assert rate_limits.CALCULATE.seconds <= 0.2


def test_memory_limit_refills_over_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, limit = 1000.0, MemoryLimit(LruCache("test", 10), most=3, seconds=10)
    monkeypatch.setattr(time, "monotonic", lambda: now)

    assert successes(limit, 5) == 3
    now += 9
    assert successes(limit, 1) == 0
    now += 1
    assert successes(limit, 2) == 1
    now += 3600
    assert successes(limit, 5) == 3


def test_memory_limit_evicts_the_least_recently_seen_address() -> None:
    limit = MemoryLimit(LruCache("test", 2), most=1, seconds=3600)

    assert [successes(limit, 1, address) for address in ("a", "b", "a", "c", "c", "b")] == [1, 1, 0, 1, 0, 1]


def successes(limit: MemoryLimit, tries: int, address: str = "1.2.3.4") -> int:
    """Return how many of the tries succeed."""
    taken = 0
    for _ in range(tries):
        with contextlib.suppress(Refusal):
            limit.take(address)
            taken += 1
    return taken

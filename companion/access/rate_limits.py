"""Rate limits per client address (token bucket)."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import datetime
from threading import Lock

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from companion.cache import LruCache, register
from companion.errors import Refusal
from companion.models import Bucket

# Tolerance for floats: 600 times 1/600 is not exactly 1.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Limit:
    """Token bucket per client address in the database: ``most`` at once, then one every ``seconds``."""

    name: str
    most: int
    seconds: float

    def take(self, address: str, cost: int = 1) -> None:
        """Take ``cost`` from the bucket. Raises ``Refusal`` if less than that is left."""
        now = timezone.now()
        with transaction.atomic():
            bucket, _created = Bucket.objects.select_for_update().get_or_create(
                name=self._bucket_name(address), defaults={"level": 1.0, "filled_at": now}
            )
            self._adjust_to_clock(bucket, now)
            level = self._level(bucket, now) - cost / self.most
            if level >= -ROUNDING:
                # Never move `filled_at` back: clocks of several servers differ, and time would count twice.
                Bucket.objects.filter(pk=bucket.pk).update(level=level, filled_at=max(now, bucket.filled_at))
        _refuse_if_negative(level)

    def refuse_if_exhausted(self, address: str) -> None:
        """Raise ``Refusal`` if the bucket is empty; takes nothing from it."""
        bucket = Bucket.objects.filter(name=self._bucket_name(address)).first()
        if bucket:
            now = timezone.now()
            self._adjust_to_clock(bucket, now)
            _refuse_if_negative(self._level(bucket, now) - 1 / self.most)

    def _bucket_name(self, address: str) -> str:
        return f"{self.name}:{address}"[:80]

    def _adjust_to_clock(self, bucket: Bucket, now: datetime) -> None:
        """Restart refilling if the clock was set back; the bucket would stay empty until it catches up."""
        if (bucket.filled_at - now).total_seconds() > self.seconds * self.most:
            bucket.filled_at = now
            Bucket.objects.filter(pk=bucket.pk).update(filled_at=now)

    def _level(self, bucket: Bucket, now: datetime) -> float:
        """Return the fill level by now, from 0 to 1."""
        elapsed = max(0.0, (now - bucket.filled_at).total_seconds())
        return min(1.0, bucket.level + elapsed / (self.seconds * self.most))


class MemoryLimit:
    """Token bucket per client address in the memory of a process, for work cheaper than a database write.

    ``full_at`` holds the time at which the bucket of an address will be full again.
    """

    def __init__(self, full_at: LruCache[float], *, most: int, seconds: float) -> None:
        self.most = most
        self.seconds = seconds
        self._full_at = full_at
        self._lock = Lock()

    def take(self, address: str) -> None:
        """Take one request from the bucket. Raises ``Refusal`` if it is empty."""
        now = time.monotonic()
        with self._lock:
            full_at = max(now, self._full_at.get(address) or now) + self.seconds
            if full_at - now > self.most * self.seconds + ROUNDING:
                raise too_often()
            self._full_at.put(address, full_at)


def _refuse_if_negative(level: float) -> None:
    if level < -ROUNDING:
        raise too_often()


def too_often() -> Refusal:
    return Refusal("too-many", _("That was too often. Please wait a moment."))


# Everybody at a fair may share one address: the limits leave room for 100 phones that connect repeatedly.
OPEN_TABLE = Limit("open", most=600, seconds=1.0)
# Imported games cost according to their length, since the rules replay each entry.
IMPORT = Limit("import", most=400, seconds=5.0)
# Taking a seat, or moving one to another phone.
JOIN = Limit("join", most=600, seconds=1.0)
# A code has 27 bits: at one wrong code per second, finding a table takes months.
WRONG_CODE = Limit("code", most=600, seconds=1.0)
# A token has 192 bits and cannot be guessed at any rate; this limit only saves the server work.
WRONG_TOKEN = Limit("token", most=600, seconds=1.0)
# Passwords of administrators: chosen by people, so easier to guess than tokens.
WRONG_PASSWORD = Limit("password", most=20, seconds=60.0)
# The page requests a new result on every tap.
CALCULATE = MemoryLimit(register(LruCache("calculator limits", 10_000)), most=600, seconds=0.2)

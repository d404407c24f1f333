"""Rate limits per client address: a bucket empties with each go and fills with time."""

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

# Six hundred times a six-hundredth is not quite one.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Limit:
    """``most`` goes at once, then one every ``seconds``."""

    name: str
    most: int
    seconds: float

    def take(self, address: str, goes: int = 1) -> None:
        """One go, or several. Raises ``Refusal`` when there are not as many left."""
        now = timezone.now()
        with transaction.atomic():
            bucket, _made = Bucket.objects.select_for_update().get_or_create(
                name=self._bucket(address), defaults={"level": 1.0, "filled_at": now}
            )
            self._follow(bucket, now)
            level = self._level(bucket, now) - goes / self.most
            if level >= -ROUNDING:
                # Machines' clocks differ a little; who asks them in turn gains nothing by it.
                Bucket.objects.filter(pk=bucket.pk).update(level=level, filled_at=max(now, bucket.filled_at))
        _refuse_below_nothing(level)

    def refuse_if_used_up(self, address: str) -> None:
        """Whether there would be a go, without taking it. Raises ``Refusal`` when there is none left."""
        bucket = Bucket.objects.filter(name=self._bucket(address)).first()
        if bucket:
            now = timezone.now()
            self._follow(bucket, now)
            _refuse_below_nothing(self._level(bucket, now) - 1 / self.most)

    def _bucket(self, address: str) -> str:
        return f"{self.name}:{address}"[:80]

    def _follow(self, bucket: Bucket, now: datetime) -> None:
        """A clock that was set back: or an empty bucket would stay empty until it is as late again."""
        if (bucket.filled_at - now).total_seconds() > self.seconds * self.most:
            bucket.filled_at = now
            Bucket.objects.filter(pk=bucket.pk).update(filled_at=now)

    def _level(self, bucket: Bucket, now: datetime) -> float:
        """How full it is by now."""
        passed = max(0.0, (now - bucket.filled_at).total_seconds())
        return min(1.0, bucket.level + passed / (self.seconds * self.most))


class MemoryLimit:
    """Token bucket per client address in the memory of each process, for work cheaper than a write to the database.

    ``full_at`` holds the time at which the bucket of an address will be full again.
    """

    def __init__(self, full_at: LruCache[float], *, most: int, seconds: float) -> None:
        self.most = most
        self.seconds = seconds
        self._full_at = full_at
        self._lock = Lock()

    def take(self, address: str) -> None:
        """Take one go. Raises ``Refusal`` when there is none left."""
        now = time.monotonic()
        with self._lock:
            full_at = max(now, self._full_at.get(address) or now) + self.seconds
            if full_at - now > self.most * self.seconds + ROUNDING:
                raise too_often()
            self._full_at.put(address, full_at)


def _refuse_below_nothing(level: float) -> None:
    if level < -ROUNDING:
        raise too_often()


def too_often() -> Refusal:
    return Refusal("too-many", _("That was too often. Please wait a moment."))


# A fair sits behind one address: a hundred phones that all come at once, and come again, stay well below these.
OPEN_TABLE = Limit("open", most=600, seconds=1.0)
# Whole games, by how long they are: each entry goes through the rules again.
IMPORT = Limit("import", most=400, seconds=5.0)
# Taking a seat, or moving one to another phone.
JOIN = Limit("join", most=600, seconds=1.0)
# A code is worth 27 bits; at one wrong code a second a table is found in months, not hours.
WRONG_CODE = Limit("code", most=600, seconds=1.0)
# A token is worth 192 bits and cannot be guessed at any rate; this keeps trying from being work for the server.
WRONG_TOKEN = Limit("token", most=600, seconds=1.0)
# Of whoever runs the site; people choose worse ones than chance does.
WRONG_PASSWORD = Limit("password", most=20, seconds=60.0)
# A page asks anew with each tap.
CALCULATE = MemoryLimit(register(LruCache("calculator limits", 10_000)), most=600, seconds=0.2)

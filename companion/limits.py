"""What an address may not do too often. A bucket empties with each go and fills with time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

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

    def take(self, address: str) -> None:
        """One go. Raises ``Refusal`` when there is none left."""
        now = timezone.now()
        with transaction.atomic():
            bucket, _made = Bucket.objects.select_for_update().get_or_create(
                name=self._bucket(address), defaults={"level": 1.0, "filled_at": now}
            )
            level = self._level(bucket, now) - 1 / self.most
            _refuse_below_nothing(level)
            Bucket.objects.filter(pk=bucket.pk).update(level=level, filled_at=now)

    def refuse_if_used_up(self, address: str) -> None:
        """Whether there would be a go, without taking it. Raises ``Refusal`` when there is none left."""
        bucket = Bucket.objects.filter(name=self._bucket(address)).first()
        if bucket:
            _refuse_below_nothing(self._level(bucket, timezone.now()) - 1 / self.most)

    def _bucket(self, address: str) -> str:
        return f"{self.name}:{address}"[:80]

    def _level(self, bucket: Bucket, now: datetime) -> float:
        """How full it is by now."""
        passed = max(0.0, (now - bucket.filled_at).total_seconds())
        return min(1.0, bucket.level + passed / (self.seconds * self.most))


def _refuse_below_nothing(level: float) -> None:
    if level < -ROUNDING:
        raise Refusal("too-many", _("That was too often. Please wait a moment."))


OPEN_TABLE = Limit("open", most=600, seconds=1.0)
# A code is worth 27 bits; at one wrong code a second a table is found in months, not hours.
WRONG_CODE = Limit("code", most=600, seconds=1.0)

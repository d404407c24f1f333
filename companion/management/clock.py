"""A clock that tells the time of games which were played some other day."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from unittest import mock

from django.utils import timezone


class Clock:
    """Stands still until it is told that time has passed."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def passes(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Everything that asks Django for the time is told this clock's, defaults of models included."""
        clock = self

        class Told(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override] # no subclass is made
                return clock.moment.astimezone(tz)

        with mock.patch.object(timezone, "datetime", Told):
            yield

"""Settable clock, for games dated on another day."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from unittest import mock

from django.utils import timezone


class Clock:
    """Clock that stands still until it is advanced."""

    def __init__(self, moment: datetime) -> None:
        self.moment = moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)

    @contextmanager
    def patched(self) -> Iterator[None]:
        """Make `django.utils.timezone.now` return the time of this clock, also in model defaults."""
        clock = self

        class PatchedDatetime(datetime):
            @classmethod
            def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
                return clock.moment.astimezone(tz)

        with mock.patch.object(timezone, "datetime", PatchedDatetime):
            yield

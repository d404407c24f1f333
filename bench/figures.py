"""A benchmark figure, and helpers to measure one."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the output.

    The baseline has the same unit, and `against` names it. `limit` is the largest value allowed.
    """

    name: str
    value: float
    unit: str
    baseline: float
    against: str
    limit: float | None = None

    @property
    def ratio(self) -> float | None:
        """Return the value divided by the baseline; None if the baseline is zero."""
        return self.value / self.baseline if self.baseline else None

    @property
    def holds(self) -> bool:
        return self.limit is None or self.value <= self.limit

    def data(self) -> dict[str, Any]:
        line = {
            "name": self.name,
            "value": round(self.value, 3),
            "unit": self.unit,
            "baseline": round(self.baseline, 3),
            "ratio": None if self.ratio is None else round(self.ratio, 3),
            "against": self.against,
        }
        return line if self.limit is None else line | {"limit": round(self.limit, 3), "holds": self.holds}

    def __str__(self) -> str:
        return json.dumps(self.data(), ensure_ascii=False)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def typical(samples: Iterable[float], scale: float = 1) -> float:
    """Return the median, scaled: `scale=1e3` converts seconds to milliseconds."""
    return median(samples) * scale


def repeated(work: Callable[[], object], repeats: int) -> float:
    """Return the median duration of a function in seconds."""
    return typical(seconds(work) for _ in range(repeats))

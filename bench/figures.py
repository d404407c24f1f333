"""A figure as it is printed, and how it is taken."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the output. The baseline has the same unit; ``against`` says what it is."""

    name: str
    value: float
    unit: str
    baseline: float
    against: str

    def __str__(self) -> str:
        line = {
            "name": self.name,
            "value": round(self.value, 3),
            "unit": self.unit,
            "baseline": round(self.baseline, 3),
            "ratio": round(self.value / self.baseline, 3),
            "against": self.against,
        }
        return json.dumps(line, ensure_ascii=False)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def typical(samples: Iterable[float], scale: float = 1) -> float:
    """The median, in thousandths (``scale=1e3``) or millionths."""
    return median(samples) * scale


def repeated(work: Callable[[], object], repeats: int) -> float:
    """How long some work typically takes, in seconds."""
    return typical(seconds(work) for _ in range(repeats))

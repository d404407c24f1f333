"""A figure as it is printed and recorded, and how it is taken."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import median
from typing import Any

# The ratio that a figure may have at most, by its name or by how its name begins. Others are for people to read.
MOST = {
    "http.submit": 3,
    "http.submit.entry-": 1.25,  # flat: what is left is noise
    "browser.tap-to-other-screen.": 2,  # without a browser there is no screen: `http.tap-…` is the server's part of it
    "load.median": 3,
    "load.p99": 3,
    "load.lost": 1,  # of none
    "load.phones-cpu": 1,
    "bytes.": 1,
    "statistics.": 2,
    "statistics.end-of-a-game": 1.25,  # the same: what is left is noise
}
LEAST = {
    "load.entries": 0.95,  # or it was not the same load
    "idle.phones": 1,
}


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the output. The baseline has the same unit; ``against`` says what it is."""

    name: str
    value: float
    unit: str
    baseline: float
    against: str

    @property
    def ratio(self) -> float | None:
        """None against nothing, as where no event may be lost."""
        return self.value / self.baseline if self.baseline else None

    def data(self) -> dict[str, Any]:
        """As it is printed; what was promised of it last, if anything was."""
        line = {
            "name": self.name,
            "value": round(self.value, 3),
            "unit": self.unit,
            "baseline": round(self.baseline, 3),
            "ratio": None if self.ratio is None else round(self.ratio, 3),
            "against": self.against,
        }
        most, least = _limit(MOST, self.name), _limit(LEAST, self.name)
        if most is not None:
            line |= {"most": most, "holds": self.value <= most * self.baseline}
        if least is not None:
            line |= {"least": least, "holds": self.value >= least * self.baseline}
        return line

    def __str__(self) -> str:
        return json.dumps(self.data(), ensure_ascii=False)


def _limit(limits: Mapping[str, float], name: str) -> float | None:
    if name in limits:
        return limits[name]
    families = [limit for family, limit in limits.items() if family[-1] in ".-" and name.startswith(family)]
    return families[0] if families else None


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

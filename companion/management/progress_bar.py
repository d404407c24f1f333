"""Progress bar for commands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TextIO, TypeVar

T = TypeVar("T")

WIDTH = 30


def with_progress(items: Iterable[T], total: int, stream: TextIO) -> Iterator[T]:
    """Yield the items and show a growing bar; without a terminal, print a line at every tenth."""
    began = monotonic()
    _print(stream, 0, total, 0.0)
    for count, item in enumerate(items, start=1):
        _print(stream, count, total, monotonic() - began)
        yield item


def _print(stream: TextIO, count: int, total: int, seconds: float) -> None:
    if stream.isatty():
        ending = "\n" if count == total else ""
        stream.write(f"\r{bar(count, total, seconds)}{ending}")
    elif count and count * 10 // total > (count - 1) * 10 // total:
        stream.write(f"{bar(count, total, seconds)}\n")
    stream.flush()


def bar(count: int, total: int, seconds: float) -> str:
    """Return a line like `[#####.....] 5/10, about 12 s left`."""
    done = WIDTH * count // total
    text = f"[{'#' * done}{'.' * (WIDTH - done)}] {count}/{total}"
    if not count:
        return text
    if count == total:
        return f"{text}, {seconds:.0f} s        "
    return f"{text}, about {seconds / count * (total - count):.0f} s left   "

"""How far a command is, for the person who waits for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import monotonic
from typing import TextIO, TypeVar

T = TypeVar("T")

WIDTH = 30


def shown(things: Iterable[T], total: int, stream: TextIO) -> Iterator[T]:
    """The things as they come, with a bar that grows. Where nobody looks, at every tenth a line."""
    began = monotonic()
    _draw(stream, 0, total, 0.0)
    for count, thing in enumerate(things, start=1):
        _draw(stream, count, total, monotonic() - began)
        yield thing


def _draw(stream: TextIO, count: int, total: int, seconds: float) -> None:
    if stream.isatty():
        ending = "\n" if count == total else ""
        stream.write(f"\r{bar(count, total, seconds)}{ending}")
    elif count and count * 10 // total > (count - 1) * 10 // total:
        stream.write(f"{bar(count, total, seconds)}\n")
    stream.flush()


def bar(count: int, total: int, seconds: float) -> str:
    """``[#####.....] 5/10, about 12 s left``"""
    done = WIDTH * count // total
    drawn = f"[{'#' * done}{'.' * (WIDTH - done)}] {count}/{total}"
    if not count:
        return drawn
    if count == total:
        return f"{drawn}, {seconds:.0f} s        "
    return f"{drawn}, about {seconds / count * (total - count):.0f} s left   "

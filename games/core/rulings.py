"""Rulings: the table decides otherwise than the rules would.

Each automatic resolution has a key. Who writes one asks ``judge`` for the verdict: what the rules
found, or what the table ruled for that key with the entry under way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from games.core.actions import Ruling
from games.core.codec import from_json

# Those a page offers: said in the reader's language; others are people's own words.
REASONS = ("house-rule", "app-wrong", "misplayed")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verdict(Generic[T]):
    """An automatic result under its key, and the ruling it comes from, if it was not the rules."""

    key: str
    result: T
    ruling: Ruling | None = None


def judge(
    state: Any, key: str, found: T, form: Any, check: Callable[[T], None] = lambda _result: None
) -> Verdict[T]:
    """What counts under a key: the result the rules ``found``, unless the table ruled differently.

    ``form`` is the type of the result, as it is read from JSON; ``check`` raises ``Refused`` for a
    ruling that no hand could carry out (pieces that are not there).
    """
    ruling = state.rulings.get(key)
    if ruling is None:
        return Verdict(key, found)
    result: T = from_json(form, ruling.result, key)
    check(result)
    return Verdict(key, result, ruling)

"""Rulings: results decided by the table in place of the rules.

Each automatic resolution has a key and calls ``judge`` for the verdict: the result of the rules, or the
ruling that the current entry carries for that key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from games.core.actions import Ruling
from games.core.codec import from_json

# Offered by the page and translated; any other reason is free text.
REASONS = ("house-rule", "app-wrong", "misplayed")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verdict(Generic[T]):
    """A result under its key, with the ruling it comes from, if any."""

    key: str
    result: T
    ruling: Ruling | None = None


def judge(
    state: Any, key: str, computed: T, form: Any, check: Callable[[T], None] = lambda _result: None
) -> Verdict[T]:
    """Return the verdict under a key: the table's ruling if there is one, else ``computed``.

    ``form`` is the type of the result, for parsing a ruling; ``check`` raises ``Refused`` for a ruling that
    is impossible on the table (missing pieces).
    """
    ruling = state.rulings.get(key)
    if ruling is None:
        return Verdict(key, computed)
    result: T = from_json(form, ruling.result, key)
    check(result)
    return Verdict(key, result, ruling)

"""Helpers for calculator tests in the notation of the digest: ``C 3, X 2`` is 3 Catholics and 2 neutrals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from games.core.calculators import Answer
from games.core.errors import Refused
from games.core.steps import Step
from games.revolution import CALCULATORS
from tests.core.rendering import sentence

LETTERS = {
    "C": "catholics",
    "H": "habsburgs",
    "N": "nobility",
    "B": "burghers",
    "R": "reformers",
    "X": "neutral",
}
FIVE = tuple(LETTERS[letter] for letter in "CHNBR")
TWO_PLAYERS = [["catholics", "habsburgs"], ["burghers", "reformers"]]
GAME = cast("Any", CALCULATORS)  # `sentence` and `faults` only need its texts


def counters(short: str) -> dict[str, int]:
    """Parse ``"C 3, X 2"`` into counts by faction."""
    pairs = [part.split() for part in short.split(",") if part.strip()]
    return {LETTERS[letter]: int(count) for letter, count in pairs}


def factions(letters: str) -> list[str]:
    return [LETTERS[letter] for letter in letters]


def nonzero(counts: Mapping[str, int]) -> dict[str, int]:
    """Return the counts without zeros."""
    return {key: count for key, count in counts.items() if count}


def calculate(name: str, **body: Any) -> Answer:
    return CALCULATORS.by_name[name].calculate(body)


def ask(name: str, **body: Any) -> Any:
    """Return the data of a calculator's answer."""
    return calculate(name, **body).data


def refused(name: str, body: Any) -> tuple[str | None, str]:
    """Return section and sentence with which a body is refused."""
    try:
        answer = CALCULATORS.by_name[name].calculate(body)
    except Refused as refusal:
        return refusal.rule, sentence(GAME, refusal.message)
    msg = f"{name} answers {body} with {answer.data}"
    raise AssertionError(msg)


def flat(steps: Sequence[Step]) -> Iterator[Step]:
    """Yield steps and their substeps, depth first."""
    for step in steps:
        yield step
        yield from flat(step.steps)


def texts(answer: Answer) -> list[str]:
    return [sentence(GAME, step.message) for step in flat(answer.steps)]

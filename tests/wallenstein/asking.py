"""Calculators as a caller meets them: a body in, data and sentences out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from games.core.errors import BadInput
from games.core.ledger import Move
from games.core.messages import Message
from games.core.steps import Step, read_step, step_json
from games.wallenstein import CALCULATORS
from tests.core.rendering import sentence

# The renderer asks a game for its texts and places only, which calculators have too.
WORDS: Any = CALCULATORS


def ask(name: str, **body: Any) -> dict[str, Any]:
    """The answer's data, as it comes out of JSON."""
    answer = CALCULATORS.by_name[name].calculate(json.loads(json.dumps(body)))
    data: dict[str, Any] = json.loads(json.dumps(answer.data))
    return data


def steps_of(name: str, **body: Any) -> tuple[Step, ...]:
    """The answer's steps, as they come out of JSON."""
    steps = CALCULATORS.by_name[name].calculate(body).steps
    return tuple(read_step(json.loads(json.dumps(step_json(step)))) for step in steps)


def texts(steps: Sequence[Step]) -> list[str]:
    """What the steps say, the finer ones after the one they belong to."""
    return [sentence(WORDS, step.message) for step in flat(steps)]


def acts(steps: Sequence[Step]) -> list[str]:
    return [sentence(WORDS, act.message) for step in flat(steps) for act in step.acts]


def moves(steps: Sequence[Step]) -> list[Move]:
    return [move for step in steps for move in step.all_moves()]


def messages(steps: Sequence[Step]) -> Iterator[Message]:
    for step in flat(steps):
        yield step.message
        yield from (act.message for act in step.acts)


def flat(steps: Sequence[Step]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from flat(step.steps)


def refused(name: str, body: Any) -> str:
    """The sentence with which a body is refused."""
    with pytest.raises(BadInput) as caught:
        CALCULATORS.by_name[name].calculate(body)
    return sentence(WORDS, caught.value.message)

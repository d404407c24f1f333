"""Helpers that call the calculators as an API client does: JSON body in, data and sentences out."""

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

# The renderer only uses `texts` and `place_message` of a game, which calculators have too.
WORDS: Any = CALCULATORS


def ask(name: str, **body: Any) -> dict[str, Any]:
    """Return the data of the answer after a JSON round trip."""
    answer = CALCULATORS.by_name[name].calculate(json.loads(json.dumps(body)))
    data: dict[str, Any] = json.loads(json.dumps(answer.data))
    return data


def steps_of(name: str, **body: Any) -> tuple[Step, ...]:
    """Return the steps of the answer after a JSON round trip."""
    steps = CALCULATORS.by_name[name].calculate(body).steps
    return tuple(read_step(json.loads(json.dumps(step_json(step)))) for step in steps)


def texts(steps: Sequence[Step]) -> list[str]:
    """Return the sentences of the steps, nested steps after their parent."""
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


def rejection(name: str, body: Any) -> str:
    """Return the sentence with which a body is rejected."""
    with pytest.raises(BadInput) as error:
        CALCULATORS.by_name[name].calculate(body)
    return sentence(WORDS, error.value.message)

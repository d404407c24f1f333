"""Test client for calculators: JSON in, JSON and sentences out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, cast

import pytest

from games.core.calculators import Answer, Calculators
from games.core.errors import BadInput, Illegal, Refused
from games.core.game import AnyGame
from games.core.steps import Step, read_step, step_json
from tests.core.rendering import faults, is_known_rule, sentence


class Desk:
    """The calculators of one game; checks every answer before returning it."""

    def __init__(self, calculators: Calculators) -> None:
        self.calculators = calculators
        self._texts = cast(AnyGame, calculators)  # has every attribute that rendering needs

    def ask(self, name: str, **body: Any) -> dict[str, Any]:
        """Return the data of the answer."""
        answer = self._calculate(name, body)
        data = json.loads(json.dumps(answer.data))
        assert data == answer.data
        return cast(dict[str, Any], data)

    def quick(self, name: str, **body: Any) -> dict[str, Any]:
        """Return the data of the answer without checking its steps, for thousands of calls."""
        return cast(dict[str, Any], self.calculators.by_name[name].calculate(body).data)

    def agrees(
        self, name: str, bodies: Iterable[dict[str, Any]], rules: Callable[..., dict[str, Any]]
    ) -> None:
        """Assert that other rules give the same answers; check the steps of every 25th."""
        for i, body in enumerate(bodies):
            answer = self.quick(name, **body) if i % 25 else self.ask(name, **body)
            assert answer == rules(**body), body

    def texts(self, name: str, **body: Any) -> list[str]:
        """Return the sentences of the steps, substeps after their step."""
        return [sentence(self._texts, step.message) for step in _all(self._calculate(name, body).steps)]

    def refused(self, name: str, **body: Any) -> tuple[str, str | None, str]:
        """Return how a body is rejected: kind of error, section, sentence."""
        with pytest.raises(Refused) as caught:
            self.calculators.by_name[name].calculate(json.loads(json.dumps(body)))
        refusal = caught.value
        assert isinstance(refusal, BadInput | Illegal)
        assert not list(faults(self._texts, refusal.message))
        assert refusal.rule is None or is_known_rule(self._texts, refusal.rule)
        kind = "illegal" if isinstance(refusal, Illegal) else "bad-input"
        return kind, refusal.rule, sentence(self._texts, refusal.message)

    def _calculate(self, name: str, body: dict[str, Any]) -> Answer:
        answer = self.calculators.by_name[name].calculate(json.loads(json.dumps(body)))
        assert answer.steps
        for step in _all(answer.steps):
            assert is_known_rule(self._texts, step.rule), step
            for message in (step.message, *(act.message for act in step.acts)):
                assert not list(faults(self._texts, message)), message
            for move in step.moves:
                for place in (move.source, move.target):
                    assert not list(faults(self._texts, self.calculators.place_message(place)))
            assert read_step(json.loads(json.dumps(step_json(step)))) == step
        return answer


def _all(steps: tuple[Step, ...]) -> Iterator[Step]:
    for step in steps:
        yield step
        yield from _all(step.steps)


def input_names(inputs: Any) -> Iterator[tuple[str, str]]:
    """Yield the name of each input of a form, with the kind its labels are taken from."""
    for part in inputs:
        yield part.name, getattr(part, "kind", "")
        yield from input_names(getattr(part, "inputs", ()))

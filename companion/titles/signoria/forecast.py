"""Forecast: the effect of a form before it is submitted."""

from __future__ import annotations

from collections.abc import Iterable

from companion import wording
from companion.titles.base import Form
from companion.titles.signoria.forms import FORMS
from games.core.errors import Refused
from games.core.steps import Step
from games.signoria.game import SIGNORIA
from games.signoria.state import State


def forecast(state: State, faction: str, form: Form) -> list[str]:
    """Return the steps of the action in a form as sentences; empty if it is incomplete or refused."""
    try:
        action = SIGNORIA.read_action(FORMS.parse(form), faction)
        outcome = SIGNORIA.apply(state, action)
    except Refused:
        return []
    return [wording.render(SIGNORIA, step.message) for step in _flatten(outcome.steps)]


def _flatten(steps: Iterable[Step]) -> Iterable[Step]:
    for step in steps:
        yield step
        yield from _flatten(step.steps)

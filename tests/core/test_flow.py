from __future__ import annotations

from dataclasses import replace

import pytest

from games.core.errors import Illegal, Runaway
from games.core.flow import MOST_TRANSITIONS, Frame, Machine, call, done, goto
from games.core.ledger import Move
from games.core.messages import say
from games.core.rulings import Verdict
from games.core.steps import Account, Act, Outcome, Step
from tests.core.rendering import sentence
from tests.core.toy import TOY, Finished, State, Take, Taking, toy


class Circling(Taking):
    """A phase that always resolves by itself, or until a given round."""

    name = "circling"

    def __init__(self, rounds: int | None = None) -> None:
        self.rounds = rounds

    def resolve(self, state: State) -> Outcome[State] | None:
        if state.round == self.rounds:
            return None
        return Outcome(replace(state, round=state.round + 1), (Step("1", say("over")),))


def circling() -> State:
    return replace(toy(), frames=(Frame("circling", {"faction": "red"}),))


def test_endless_phases_raise_runaway() -> None:
    with pytest.raises(Runaway):
        Machine([Circling()]).settle(Outcome(circling(), ()))


def test_phases_resolve_until_a_player_has_to_decide() -> None:
    outcome = Machine([Circling(rounds=MOST_TRANSITIONS)]).settle(Outcome(circling(), ()))
    assert outcome.state.round == MOST_TRANSITIONS
    assert len(outcome.steps) == MOST_TRANSITIONS - 1


def test_entry_triggers_automatic_phases() -> None:
    state = toy()
    for faction, stones in (("red", 3), ("blue", 3), ("red", 1)):
        outcome = TOY.apply(state, Take(faction=faction, stones=stones))
        state = outcome.state
    assert [step.rule for step in outcome.steps] == ["1", "2"]
    assert TOY.phase(state) == "finished"
    assert TOY.prompts(state) == []
    assert TOY.waiting_for(state) == ()


def test_acting_out_of_turn_names_the_active_faction() -> None:
    refusal = TOY.why_not(toy(), Take(faction="blue", stones=1))
    assert isinstance(refusal, Illegal)
    assert refusal.rule == "1"
    assert sentence(TOY, refusal.message) == "It is Red’s turn."


def test_unknown_action_is_rejected_by_the_phase() -> None:
    state = replace(toy(), frames=(Frame("finished"),))
    refusal = TOY.why_not(state, Take(faction="red", stones=1))
    assert refusal is not None
    assert sentence(TOY, refusal.message) == "“take” cannot be entered now."


def test_frames_are_a_stack() -> None:
    state = toy()
    above = replace(state, frames=call(state, Frame("finished")))
    assert [frame.phase for frame in above.frames] == ["taking", "finished"]
    assert done(above) == state.frames
    assert goto(above, Frame("taking"))[-1] == Frame("taking")
    assert Machine([Taking(), Finished()]).phase_of(above).name == "finished"


def test_with_data_leaves_the_frame_unchanged() -> None:
    frame = Frame("taking", {"faction": "red", "n": 1})
    assert frame.with_data(n=2) == Frame("taking", {"faction": "red", "n": 2})
    assert frame.data["n"] == 1


def test_account_applies_the_moves_of_its_steps() -> None:
    account = Account(toy())
    inner = Step("1", say("over"), (Move("neutral", "stone", "heap", "taken", 2),))
    account.step("1", say("take"), moves=[Move("neutral", "stone", "heap", "taken")], steps=[inner])
    account.step("1", say("take"), acts=[Act("red", say("take"))], options=["short"], verdict=Verdict("k", 3))
    outcome = account.outcome()
    assert outcome.state.ledger.count("neutral", "stone", "taken") == 3
    assert [move.count for move in outcome.steps[0].all_moves()] == [1, 2]
    assert (outcome.steps[1].key, outcome.steps[1].result, outcome.steps[1].ruling) == ("k", 3, None)
    assert outcome.steps[1].options == ("short",)

"""Phase machine. The progress of a game is data in its state: a stack of frames.

A phase defines who may enter what (``prompts``), the effect of an entry (``act``) and its automatic
part (``resolve``, ``None`` while a player has to decide). The machine resolves phases until a player
has to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Illegal, Runaway
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Prompt
from games.core.steps import Account, Outcome

S = TypeVar("S", bound=Any)

# More transitions than any game has between two decisions; reaching it means an endless loop in the rules.
MOST_TRANSITIONS = 1_000

NOT_NOW = "core.not-now"

FINISHED = "finished"  # the phase of a game that is over
GAME_OVER = Message("game-over")


@dataclass(frozen=True, slots=True)
class Frame:
    """A phase in progress, with its local data."""

    phase: str
    data: Mapping[str, Json] = field(default_factory=dict)

    def with_data(self, **changes: Json) -> Frame:
        return replace(self, data={**self.data, **changes})


class Phase(Protocol[S]):
    """One phase of a game; stateless."""

    @property
    def name(self) -> str: ...
    @property
    def rule(self) -> str: ...
    def prompts(self, state: S) -> Sequence[Prompt]: ...
    def act(self, state: S, action: Action) -> Outcome[S]: ...
    def resolve(self, state: S) -> Outcome[S] | None: ...


@dataclass(frozen=True, slots=True)
class Automatic(Generic[S]):
    """A phase without decisions. ``run`` records its effect and the phase that follows."""

    name: str
    rule: str
    run: Callable[[Account[S]], None]

    def prompts(self, state: S) -> Sequence[Prompt]:
        return []

    def act(self, state: S, action: Action) -> Outcome[S]:
        raise not_now(action, rule=self.rule)

    def resolve(self, state: S) -> Outcome[S]:
        account = Account(state)
        self.run(account)
        return account.outcome()


@dataclass(frozen=True, slots=True)
class Finished:
    """The last phase: the game is over and only corrections are accepted."""

    rule: str
    message: Message = GAME_OVER
    name = FINISHED

    def prompts(self, state: Any) -> Sequence[Prompt]:
        return []

    def act(self, state: Any, action: Action) -> Outcome[Any]:
        raise Illegal(self.message, rule=self.rule)

    def resolve(self, state: Any) -> Outcome[Any] | None:
        return None


def is_over(state: Any) -> bool:
    return bool(state.frames[-1].phase == FINISHED)


class Machine(Generic[S]):
    """Run the phases of a game over its states."""

    def __init__(self, phases: Sequence[Phase[S]]) -> None:
        self._phases = {phase.name: phase for phase in phases}

    def phase_of(self, state: S) -> Phase[S]:
        return self._phases[state.frames[-1].phase]

    def prompts(self, state: S) -> list[Prompt]:
        return list(self.phase_of(state).prompts(state))

    def act(self, state: S, action: Action, stops: Callable[[S], bool] | None = None) -> Outcome[S]:
        """Apply an entry and resolve all automatic phases after it. Raise ``Refused`` if it is not allowed."""
        try:
            outcome = self.phase_of(state).act(state, action)
        except Illegal as refused:
            raise self._with_waiting_factions(state, action, refused) from None
        return self.settle(outcome, stops)

    def _with_waiting_factions(self, state: S, action: Action, refused: Illegal) -> Illegal:
        """Return the exception, with the phase and the waiting factions if the action was not offered."""
        if refused.message.code != NOT_NOW:
            return refused
        prompted = {prompt.faction for prompt in self.prompts(state)}
        waiting = tuple(faction_name(faction) for faction in state.order if faction in prompted)
        phase = Name("phase", state.frames[-1].phase)
        message = say("core.not-finished", action=action.type, phase=phase, factions=waiting)
        return Illegal(message, rule=refused.rule or self.phase_of(state).rule) if waiting else refused

    def settle(self, outcome: Outcome[S], stops: Callable[[S], bool] | None = None) -> Outcome[S]:
        """Resolve phases until a player has to decide, or until the next state would satisfy ``stops``."""
        account = Account(outcome.state)
        account.follow(outcome)
        for _ in range(MOST_TRANSITIONS):
            if stops and self._leads_to(account.state, stops):
                return account.outcome()
            following = self.phase_of(account.state).resolve(account.state)
            if following is None:
                return account.outcome()
            account.follow(following)
        raise Runaway(account.state.frames)

    def _leads_to(self, state: S, stops: Callable[[S], bool]) -> bool:
        """Return True if the next state satisfies ``stops``.

        Rulings are ignored, because rejecting one would disclose the hidden result.
        """
        following = self.phase_of(state).resolve(replace(state, rulings={}))
        return following is not None and stops(following.state)


def goto(state: S, frame: Frame) -> tuple[Frame, ...]:
    """Return the frames with the top one replaced."""
    return (*state.frames[:-1], frame)


def call(state: S, frame: Frame) -> tuple[Frame, ...]:
    """Return the frames with another phase on top, after which the current one continues."""
    return (*state.frames, frame)


def done(state: S) -> tuple[Frame, ...]:
    """Return the frames without the top one."""
    return tuple(state.frames[:-1])


def check_turn(action: Action, faction: str, *, rule: str, code: str = "core.turn-of") -> None:
    """Raise ``Illegal`` with the message ``code`` unless ``faction``, whose turn it is, enters the action."""
    if action.faction != faction:
        raise Illegal(say(code, faction=faction_name(faction)), rule=rule)


def not_now(action: Action, *, rule: str) -> Illegal:
    """Return the exception for an action that the current phase does not offer."""
    return Illegal(say(NOT_NOW, action=action.type), rule=rule)

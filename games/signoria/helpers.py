"""Activation of the helpers below a die, from top to bottom (digest 5.10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Illegal
from games.core.flow import Frame, call, done, goto
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Choice, Prompt
from games.core.steps import Account, Outcome
from games.signoria.actions import CityAction, Helper
from games.signoria.alliances import draw_frame
from games.signoria.asking import asked, skip, whose
from games.signoria.board import HelperSpace
from games.signoria.effects import is_possible
from games.signoria.florins import florins_frame, points_frame
from games.signoria.marriages import can_marry, marriage_frame
from games.signoria.members import descendants_frame, gain_frame
from games.signoria.missions import can_send, mission_frame
from games.signoria.options import NEW_HELPER_AT_ONCE
from games.signoria.pieces import MAN
from games.signoria.progress import progress_frame
from games.signoria.state import State, frame_data, has_helper, in_cities, option, printed
from games.signoria.tasks import errand_frame, errands

RULE = "5.10"
POINTS = 3

Effect = Callable[[State, str, HelperSpace, int], Frame]

# 2.1: the effect of each kind of helper, given the state, faction, helper space and die.
KINDS: Mapping[str, Effect] = {
    "mission-blind": lambda _state, faction, _space, _die: mission_frame(faction, blind=True),
    "marriage-blind": lambda _state, faction, _space, _die: marriage_frame(faction, blind=True),
    "either-blind": lambda _state, faction, _space, _die: city_action_frame(faction),
    "roll-one": lambda _state, faction, _space, _die: descendants_frame(faction, 1),
    "vp-per-man": lambda state, faction, _space, _die: points_frame(faction, in_cities(state, faction, MAN)),
    "blind-tile": lambda _state, faction, _space, _die: draw_frame(faction),
    "progress-3": lambda _state, faction, space, _die: progress_frame(faction, POINTS, space.tracks),
    "progress-die": lambda _state, faction, space, die: progress_frame(faction, die, space.tracks),
    "gain-any": lambda _state, faction, _space, _die: gain_frame(faction, 1),
    "vp-3": lambda _state, faction, _space, _die: points_frame(faction, POINTS),
    "florins-3": lambda _state, faction, _space, _die: florins_frame(faction, rule=RULE),
    "any-task": lambda _state, faction, _space, _die: errand_frame(faction),
}


def helpers_frame(faction: str, colour: str, die: int) -> Frame:
    data = {"faction": faction, "colour": colour, "die": die, "row": 0, "hired": None}
    return Frame("helpers", data)


def next_helper(state: State) -> HelperSpace | None:
    """Return the next helper below the die that has not had its prompt, or None.

    A helper hired this turn is left out unless the table option includes it (R-04).
    """
    data = frame_data(state)
    excluded = None if option(state, NEW_HELPER_AT_ONCE.name) else data["hired"]
    return next(
        (
            space
            for space in printed(state).column(data["colour"])
            if space.row > data["row"]
            and has_helper(state, data["faction"], space)
            and [space.column, space.row] != excluded
        ),
        None,
    )


def effect_of(state: State, space: HelperSpace) -> Frame:
    data = frame_data(state)
    return KINDS[space.kind](state, data["faction"], space, data["die"])


def can_work(state: State, space: HelperSpace) -> bool:
    effect = effect_of(state, space)
    if effect.phase == "errand":
        return bool(errands(state, effect.data["faction"]))
    return is_possible(state, effect)


def _helper_params(space: HelperSpace) -> dict[str, Name | Message | int]:
    return {"helper": Name("helper", space.kind), "column": Name("die", space.column), "row": space.row}


@dataclass(frozen=True, slots=True)
class Helpers:
    """Phase: each helper in turn is used or skipped. The frame holds the row of the last one handled."""

    name = "helpers"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        space = next_helper(state)
        if space is None:
            return []
        faction = whose(state)
        return [
            Prompt(
                faction=faction,
                title=say("prompt-helper", **_helper_params(space)),
                rule=RULE,
                example=Helper(faction=faction, use=True),
                fields=(Choice("use", (True, False)),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        helper = asked(state, action, Helper, RULE)
        space = next_helper(state)
        if space is None or helper.column not in (None, space.column) or helper.row not in (None, space.row):
            raise Illegal(say("other-helper", colour=Name("die", frame_data(state)["colour"])), rule=RULE)
        code = "helper-works" if helper.use else "helper-rests"
        account = Account(state)
        account.set(frames=goto(state, state.frames[-1].with_data(row=space.row)))
        options = [NEW_HELPER_AT_ONCE.name] if frame_data(state)["hired"] else []
        message = say(code, faction=faction_name(helper.faction), **_helper_params(space))
        account.step(RULE, message, options=options)
        if helper.use:
            account.set(frames=call(account.state, effect_of(state, space)))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        """Skip helpers without a possible effect, and end the phase after the last one."""
        space = next_helper(state)
        if space is not None and can_work(state, space):
            return None
        account = Account(state)
        if space is None:
            account.set(frames=done(state))
            return account.outcome()
        message = say("helper-impossible", faction=faction_name(whose(state)), **_helper_params(space))
        account.step(RULE, message)
        account.set(frames=goto(state, state.frames[-1].with_data(row=space.row)))
        return account.outcome()


# A helper for either action of a city


def city_action_frame(faction: str) -> Frame:
    return Frame("city-action", {"faction": faction})


CITY_ACTIONS: Mapping[str, Callable[[State, Mapping[str, Json]], bool]] = {
    "mission": can_send,
    "marriage": can_marry,
}


@dataclass(frozen=True, slots=True)
class CityActions:
    """Phase: choose a mission or a marriage, each with a tile drawn face down."""

    name = "city-action"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = whose(state)
        ways = _city_actions(state)
        return [
            Prompt(
                faction=faction,
                title=say("prompt-city-action"),
                rule=RULE,
                example=CityAction(faction=faction, action=ways[0]),  # type: ignore[arg-type] # str of a Literal
                fields=(Choice("action", ways),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        chosen = asked(state, action, CityAction, RULE)
        if chosen.action not in _city_actions(state):
            raise Illegal(say("city-action-impossible", action=Name("signoria", chosen.action)), rule=RULE)
        frame = mission_frame if chosen.action == "mission" else marriage_frame
        account = Account(state)
        name = Name("signoria", chosen.action)
        account.step(RULE, say("city-action", faction=faction_name(chosen.faction), action=name))
        account.set(frames=goto(state, frame(chosen.faction, blind=True)))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None if _city_actions(state) else skip(state, RULE)


def _city_actions(state: State) -> tuple[str, ...]:
    return tuple(action for action, can in CITY_ACTIONS.items() if can(state, frame_data(state)))

"""A turn: take a die and act, or pass (digest 5.1). The bonus die of a reward works alike (5.12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from games.core.actions import Action
from games.core.checks import check_one_of
from games.core.codec import Count, Json, from_json
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, call, goto, not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Joint, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Act, Outcome
from games.signoria.actions import Pass, Take
from games.signoria.asking import asked, refuse_turn, skip, whose
from games.signoria.dice import FACES, MOST_DICE, price, refuse_face
from games.signoria.effects import is_possible
from games.signoria.florins import florins_frame
from games.signoria.helpers import helpers_frame
from games.signoria.hiring import hire_frame, why_not_hire
from games.signoria.marriages import marriage_frame
from games.signoria.members import descendants_frame
from games.signoria.missions import mission_frame
from games.signoria.options import BONUS_DICE_RETURN, LIGHT_ENTRY
from games.signoria.pieces import (
    ASIDE,
    COLOURS,
    DICE,
    NEUTRAL,
    ROWS,
    SUPPLY,
    action_place,
    dice_place,
    die_piece,
    unrolled,
)
from games.signoria.progress import TRACKS_POINTS, progress_frame
from games.signoria.state import (
    State,
    after,
    dice_left,
    dice_lines,
    dice_on,
    florins,
    frame_data,
    option,
    pay,
    printed,
    unrolled_dice,
)
from games.signoria.tasks import TASKS, Spending, perform, refuse_task, spendings, why_not_spend

RULE = "5.1"

# 5.4 to 5.9: the effect of each Signoria action.
SIGNORIA: Mapping[str, Callable[[str], Frame]] = {
    "tracks": lambda faction: progress_frame(faction, TRACKS_POINTS),
    "mission": mission_frame,
    "marriage": marriage_frame,
    "descendants": descendants_frame,
    "florins": florins_frame,
}

ActionChoice = tuple[str, str | None, int, int]  # action, task, men, women
Way = tuple[str, int, str, str | None, int, int]  # the fields of a `Take`


def turn_frame(faction: str) -> Frame:
    return Frame("turn", {"faction": faction, "acted": False})


def first_turn(state: State) -> Frame:
    """Return the turn of the first player in order who has not passed, or the rewards phase (5.1)."""
    waiting = [faction for faction in state.order if faction not in state.passed]
    return turn_frame(waiting[0]) if waiting else Frame("rewards", {"stage": "scoring"})


# Dice that can be taken


def faces_of(state: State, colour: str) -> list[int]:
    """Return the faces of a colour that can be taken; all six with light entry (5.1, R-00)."""
    if option(state, LIGHT_ENTRY.name):
        return list(FACES) if unrolled_dice(state, colour) else []
    return sorted(set(dice_left(state, colour)))


def ways_to_take(state: State, faction: str, *, free: bool = False) -> list[Way]:
    """Return every affordable die with every action that is possible after paying for it (5.1)."""
    taken = {die.colour for die in dice_on(state, faction)}
    if len(taken) >= MOST_DICE:
        return []
    paid = Paid(state, faction)
    return [
        (colour, face, *action)
        for colour in COLOURS
        if colour not in taken
        for face in faces_of(state, colour)
        for action in paid.actions(colour, 0 if free else price(printed(state).action(colour).number, face))
    ]


@dataclass(frozen=True, slots=True)
class Paid:
    """The actions that are possible once a die is paid for, cached by price and colour or task."""

    state: State
    faction: str
    states: dict[int, State] = field(default_factory=dict)
    cache: dict[tuple[int, str], list[ActionChoice]] = field(default_factory=dict)

    def actions(self, colour: str, cost: int) -> list[ActionChoice]:
        """Return the possible actions with a die of this colour at this price."""
        if cost > florins(self.state, self.faction):
            return []
        if cost not in self.states:
            self.states[cost] = after(self.state, *pay(self.faction, cost))
        if (cost, colour) not in self.cache:
            self.cache[cost, colour] = [*self._own(colour, cost), *self._tasks(colour, cost)]
        return self.cache[cost, colour]

    def _own(self, colour: str, cost: int) -> list[ActionChoice]:
        state = self.states[cost]
        signoria = is_possible(state, signoria_of(state, self.faction, colour))
        hire = why_not_hire(state, self.faction, colour) is None
        possible = [name for name, can in (("signoria", signoria), ("hire", hire)) if can]
        return [(name, None, 0, 0) for name in possible]

    def _tasks(self, colour: str, cost: int) -> list[ActionChoice]:
        ways = []
        for task in tasks_of(self.state, colour):
            key = (cost, f"task {task}")
            if key not in self.cache:
                possible = spendings(self.states[cost], self.faction, task)
                self.cache[key] = [("task", task, way.men, way.women) for way in possible]
            ways += self.cache[key]
        return ways


def tasks_of(state: State, colour: str) -> list[str]:
    """Return the two tasks of a colour; all tasks with light entry (5.3, R-00)."""
    if option(state, LIGHT_ENTRY.name):
        return list(TASKS)
    spaces = [f"{colour}:{row}" for row in ROWS]
    return [state.tasks[space] for space in spaces if space in state.tasks]


def signoria_of(state: State, faction: str, colour: str) -> Frame:
    return SIGNORIA[printed(state).action(colour).signoria](faction)


# A turn


@dataclass(frozen=True, slots=True)
class Turn:
    """Phase: take a die with its action, or pass. The frame holds the player and whether they have acted."""

    name = "turn"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = whose(state)
        passing = Prompt(faction=faction, title=say("prompt-pass"), rule=RULE, example=Pass(faction=faction))
        ways = ways_to_take(state, faction)
        return [take_prompt(faction, ways, "prompt-take"), passing] if ways else [passing]

    def act(self, state: State, action: Action) -> Outcome[State]:
        refuse_turn(state, action)
        if isinstance(action, Pass):
            return _pass(state, action)
        if not isinstance(action, Take):
            raise not_now(action, rule=RULE)
        account = Account(state)
        account.set(frames=goto(state, state.frames[-1].with_data(acted=True)))
        take(account, action, free=False)
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        """After the action and its helpers go on to the next player; a fourth die counts as a pass (5.1)."""
        if not frame_data(state)["acted"]:
            return None
        account = Account(state)
        faction = whose(state)
        if len(dice_on(state, faction)) >= MOST_DICE:
            message = say("fourth-die", faction=faction_name(faction), count=MOST_DICE)
            account.step(RULE, message, acts=[Act(faction, say("slide-disc"))])
            account.set(passed=(*state.passed, faction))
        _next_turn(account, faction)
        return account.outcome()


def take_prompt(faction: str, ways: Sequence[Way], title: str) -> Prompt:
    names = ("colour", "die", "action", "task", "men", "women")
    # Prefer a Signoria action in the example, so that games played by examples cover most rules.
    best = max(ways, key=lambda way: (way[2] == "signoria", way[2] == "hire", way[1]))
    return Prompt(
        faction=faction,
        title=say(title),
        rule=RULE,
        example=from_json(Take, {"faction": faction, **dict(zip(names, best, strict=True))}),
        fields=(Joint(names, tuple(ways)),),
    )


def _pass(state: State, action: Pass) -> Outcome[State]:
    account = Account(state)
    acts = [Act(action.faction, say("slide-disc"))]
    account.step(RULE, say("passes", faction=faction_name(action.faction)), acts=acts)
    account.set(passed=(*state.passed, action.faction))
    _next_turn(account, action.faction)
    return account.outcome()


def _next_turn(account: Account[State], faction: str) -> None:
    """Begin the turn of the next player who has not passed, or the rewards phase (5.1)."""
    state = account.state
    at = state.order.index(faction) + 1
    waiting = [f for f in (*state.order[at:], *state.order[:at]) if f not in state.passed]
    if not waiting:
        account.step("4", say("all-passed"))
        account.set(frames=goto(state, Frame("rewards", {"stage": "scoring"})))
        return
    account.step("4", say("turn-begins", faction=faction_name(waiting[0])))
    account.set(frames=goto(state, turn_frame(waiting[0])))


# Taking a die


def take(account: Account[State], action: Take, *, free: bool) -> None:
    """Place and pay for a die, and start its action, followed by the helpers of its column (5.1)."""
    state, faction = account.state, action.faction
    _refuse_die(state, action)
    cost = 0 if free else price(printed(state).action(action.colour).number, action.die)
    have = florins(state, faction)
    _refuse_price(cost, have)
    _refuse_action(after(state, *pay(faction, cost)), action, cost)
    verdict = judge(state, f"price:{faction}", cost, Count, lambda ruled: _refuse_price(ruled, have))
    message = _take_message(action, verdict.result)
    moves = [_die_move(state, action), *pay(faction, verdict.result)]
    options = [LIGHT_ENTRY.name] if option(state, LIGHT_ENTRY.name) else []
    account.step(RULE, message, moves=moves, options=options, verdict=verdict)
    account.set(frames=call(account.state, helpers_frame(faction, action.colour, action.die)))
    _begin(account, action)


def _take_message(action: Take, cost: int) -> Message:
    name, colour = faction_name(action.faction), Name("die", action.colour)
    if not cost:
        return say("takes-free", faction=name, colour=colour, die=action.die)
    return say("takes", faction=name, colour=colour, die=action.die, count=cost)


def _refuse_price(cost: int, have: int) -> None:
    if cost > have:
        raise Illegal(say("die-price", count=cost, have=have), rule=RULE)


def _refuse_die(state: State, action: Take) -> None:
    colour = Name("die", action.colour)
    check_one_of(action.colour, COLOURS, "colour", rule=RULE)
    refuse_face(action.die)
    taken = {die.colour for die in dice_on(state, action.faction)}
    if len(taken) >= MOST_DICE:
        raise Illegal(say("four-dice", count=MOST_DICE), rule=RULE)
    if action.colour in taken:
        raise Illegal(say("colour-taken", colour=colour), rule=RULE)
    left = faces_of(state, action.colour)
    if not left:
        raise Illegal(say("no-dice-left", colour=colour), rule=RULE)
    if action.die not in left:
        every = tuple(sorted(dice_left(state, action.colour)))
        title = Name("dice", action.colour)
        raise Illegal(say("no-such-die", colour=colour, die=action.die, dice=title, left=every), rule=RULE)


def _refuse_action(state: State, action: Take, paid: int) -> None:
    """Raise unless the action is possible with what is left after paying for the die (5.1)."""
    if action.action == "task":
        refuse_task(action.task)
    elif action.task is not None or action.men or action.women:
        raise BadInput(say("only-for-tasks"), rule=RULE)
    if action.action == "hire":
        message = why_not_hire(state, action.faction, action.colour)
        if message and message.code == "hire-price" and paid:
            message = replace(message, code="hire-after-die", params={**message.params, "paid": paid})
    elif action.action == "task":
        message = _why_not_task(state, action)
    else:
        message = _why_not_signoria(state, action)
    if message:
        raise Illegal(message, rule=RULE)


def _why_not_task(state: State, action: Take) -> Message | None:
    if action.task not in tasks_of(state, action.colour):
        return say("other-colour", colour=Name("die", action.colour))
    return why_not_spend(state, _spending(action))


def _why_not_signoria(state: State, action: Take) -> Message | None:
    if is_possible(state, signoria_of(state, action.faction, action.colour)):
        return None
    kind = printed(state).action(action.colour).signoria
    return say("signoria-impossible", action=Name("signoria", kind), have=florins(state, action.faction))


def _spending(action: Take) -> Spending:
    return Spending(action.faction, action.task or "", action.men, action.women)


def _die_move(state: State, action: Take) -> Move:
    piece = die_piece(action.colour, action.die)
    target = action_place(action.faction, action.colour)
    if option(state, LIGHT_ENTRY.name):
        return Move(NEUTRAL, unrolled(action.colour), SUPPLY, target, becomes=piece)
    return Move(NEUTRAL, piece, dice_place(action.colour), target)


def _begin(account: Account[State], action: Take) -> None:
    faction = action.faction
    if action.action == "task":
        perform(account, _spending(action))
    elif action.action == "hire":
        account.set(frames=call(account.state, hire_frame(faction, action.colour)))
    else:
        effect = signoria_of(account.state, faction, action.colour)
        account.set(frames=call(account.state, effect))


# The bonus die


def bonus_die_frame(faction: str) -> Frame:
    return Frame("bonus-die", {"faction": faction, "cleared": False})


def cleared(state: State, faction: str) -> list[Move]:
    """Return the moves that take a player's dice off their board before the bonus die (5.12, R-13)."""
    back = option(state, BONUS_DICE_RETURN.name)
    light = option(state, LIGHT_ENTRY.name)
    moves = []
    for line in dice_lines(state, faction):
        colour = DICE[line.piece].colour
        if back and light:
            moves.append(Move(NEUTRAL, line.piece, line.place, SUPPLY, line.count, becomes=unrolled(colour)))
        else:
            target = dice_place(colour) if back else ASIDE
            moves.append(Move(NEUTRAL, line.piece, line.place, target, line.count))
    return moves


def can_take_bonus_die(state: State, data: Mapping[str, Json]) -> bool:
    faction = data["faction"]
    return bool(ways_to_take(after(state, *cleared(state, faction)), faction, free=True))


@dataclass(frozen=True, slots=True)
class BonusDie:
    """Phase: a fifth die, free of charge, with its action and the helpers of its column (5.12)."""

    name = "bonus-die"
    rule = "5.12"

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = whose(state)
        ways = ways_to_take(state, faction, free=True)
        return [take_prompt(faction, ways, "prompt-bonus-die")]

    def act(self, state: State, action: Action) -> Outcome[State]:
        chosen = asked(state, action, Take, self.rule)
        account = Account(state)
        account.set(frames=state.frames[:-1])
        take(account, chosen, free=True)
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        if not frame_data(state)["cleared"]:
            return _clear(state)
        return None if ways_to_take(state, whose(state), free=True) else skip(state, self.rule)


def _clear(state: State) -> Outcome[State]:
    account = Account(state)
    faction = whose(state)
    message = say("dice-aside", faction=faction_name(faction))
    account.step("5.12", message, moves=cleared(state, faction), options=[BONUS_DICE_RETURN.name])
    account.set(frames=goto(state, state.frames[-1].with_data(cleared=True)))
    return account.outcome()

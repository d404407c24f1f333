"""Phase 3: initiative, new play order, thresholds, rewards and clean-up (digest 5.12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.checks import check_order
from games.core.codec import Count
from games.core.errors import Illegal
from games.core.flow import Automatic, Frame, call, check_turn, done, goto, not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, faction_names, say
from games.core.prompts import Choice, Joint, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Act, Outcome, Step
from games.signoria.actions import Buy, Reward
from games.signoria.alliances import draw_frame
from games.signoria.dice import is_rewarded, limit, limit_message
from games.signoria.effects import is_possible
from games.signoria.ending import finish
from games.signoria.florins import FLORINS, florins_frame, gain_florins
from games.signoria.hiring import hire_frame
from games.signoria.initiative import new_stack, space_of
from games.signoria.marriages import marriage_frame
from games.signoria.members import take_frame
from games.signoria.missions import mission_frame
from games.signoria.options import BUY_ONCE_A_GAME, THRESHOLD_ABOVE_22
from games.signoria.pieces import (
    BONUS_ROUNDS,
    BRIDE,
    CAREERS,
    DISC,
    INITIATIVE,
    MAN,
    MEMBERS,
    NEUTRAL,
    ROUNDS,
    SUPPLY,
    THRESHOLD,
    WOMAN,
    initiative_place,
    portraits_place,
)
from games.signoria.preparation import begin_round
from games.signoria.progress import progress_frame
from games.signoria.state import (
    State,
    brides,
    dice_on,
    discs,
    florins,
    frame_data,
    helpers_on,
    in_cities,
    in_city,
    initiative_order,
    on_threshold,
    option,
    pay,
    point_disc,
    printed,
    score,
)
from games.signoria.turn import bonus_die_frame, can_take_bonus_die

RULE = "5.12"
LATER_FLORINS = 2  # in rounds 2 to 5
PRICE, BOUGHT = 5, 5

# 2.1: the effect of each bonus tile.
BONUS_TILES: Mapping[str, Callable[[str], Frame]] = {
    "mission": mission_frame,
    "marriage": marriage_frame,
    "men-2": lambda faction: take_frame(faction, MAN, 2),
    "women-2": lambda faction: take_frame(faction, WOMAN, 2),
    "career-5": lambda faction: progress_frame(faction, 5, CAREERS),
    "initiative-3": lambda faction: progress_frame(faction, 3, (INITIATIVE,)),
    "blind": draw_frame,
    "helper": lambda faction: hire_frame(faction, None),
    "die": bonus_die_frame,
}


def _cities_with(member: str) -> Callable[[State, str], int]:
    return lambda state, faction: sum(
        1 for city in printed(state).figures["cities"] if in_city(state, faction, city, member)
    )


def _figures(member: str) -> Callable[[State, str], int]:
    return lambda state, faction: in_cities(state, faction, member)


# 2.1: the points per item of each VP tile, and the function that counts the items.
POINT_TILES: Mapping[str, tuple[int, Callable[[State, str], int]]] = {
    "helpers": (2, helpers_on),
    "city-women": (4, _cities_with(WOMAN)),
    "city-men": (4, _cities_with(MAN)),
    "per-woman": (2, _figures(WOMAN)),
    "per-man": (2, _figures(MAN)),
}


def tile_of(state: State) -> str:
    """Return the reward tile of this round."""
    return state.rewards[state.round - 1]


def has_bonus(state: State) -> bool:
    return state.round <= BONUS_ROUNDS


@dataclass(frozen=True, slots=True)
class Rewards:
    """Phase: initiative, new play order, then a reward for every player within their limit."""

    name = "rewards"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        queue = frame_data(state).get("queue", [])
        if not queue:
            return []
        return [_reward_prompt(state, queue[0]) if has_bonus(state) else _buy_prompt(queue[0])]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Reward | Buy):
            raise not_now(action, rule=RULE)
        _refuse_claim(state, action)
        account = Account(state)
        if isinstance(action, Reward):
            _give(account, action)
        else:
            _buy(account, action)
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        if frame_data(state)["stage"] == "scoring":
            return _begin(state)
        queue = frame_data(state)["queue"]
        if not queue:
            return _clean_up(state)
        if has_bonus(state):
            return None
        if not frame_data(state)["scored"]:
            return _score_tile(state, queue[0])
        if can_buy(state, queue[0]):
            return None
        account = Account(state)
        _next_in_queue(account)
        return account.outcome()


def _next_in_queue(account: Account[State]) -> None:
    top = account.state.frames[-1]
    frame = top.with_data(queue=top.data["queue"][1:], scored=False)
    account.set(frames=goto(account.state, frame))


# Steps 3.1 to 3.3: initiative, order, thresholds


def _begin(state: State) -> Outcome[State]:
    account = Account(state)
    _score_initiative(account)
    _new_order(account)
    eligible = [faction for faction in account.state.order if _is_eligible(account, faction)]
    data = {"stage": "giving", "queue": eligible, "eligible": eligible, "scored": False}
    account.set(frames=goto(account.state, Frame("rewards", data)))
    return account.outcome()


def _score_initiative(account: Account[State]) -> None:
    """Score the number beside each disc (3.1)."""
    track = discs(account.state)
    for faction in account.state.order:
        space = space_of(track, faction)
        count = 0 if space is None else printed(account.state).initiative_points(space)
        verdict = judge(account.state, f"initiative:{faction}", count, Count)
        message = say(
            "initiative-scores", faction=faction_name(faction), space=space or 0, count=verdict.result
        )
        moves = score(faction, "initiative", verdict.result)
        steps = point_disc(account.state, faction, verdict.result)
        account.step(RULE, message, moves=moves, steps=steps, verdict=verdict)


def _new_order(account: Account[State]) -> None:
    """Set the play order to the ranking of the discs, and restack them on the bottom space (3.2)."""
    state = account.state
    verdict = judge(
        state,
        "order",
        initiative_order(state),
        tuple[str, ...],
        lambda order: check_order(order, state.order, rule=RULE),
    )
    stack = new_stack(verdict.result)
    order = faction_names(verdict.result)
    account.step(
        RULE,
        say("stack-anew", stack=faction_names(stack), order=order),
        moves=restacked(state, stack),
        acts=[Act(None, say("order-track", order=order))],
        verdict=verdict,
    )
    account.set(order=tuple(verdict.result))


def restacked(state: State, stack: Sequence[str]) -> list[Move]:
    """Return the moves that leave exactly this stack, given from the bottom up, on the bottom space."""
    track = discs(state)
    spaces = {disc: space for space, pile in track.items() for disc in pile}
    bottom_stack = track.get(0, ())
    kept = 0  # discs at the bottom that are already in order
    while kept < min(len(bottom_stack), len(stack)) and bottom_stack[kept] == stack[kept]:
        kept += 1
    bottom = initiative_place(0)
    return [Move(d, DISC, initiative_place(spaces[d]), bottom) for d in stack[kept:] if d in spaces]


def _is_eligible(account: Account[State], faction: str) -> bool:
    """Record and return whether a player is within their limit; done for all before any reward (3.3)."""
    state = account.state
    faces = [die.face for die in dice_on(state, faction)]
    members, total = on_threshold(state, faction), sum(faces)
    verdict = judge(state, f"reward:{faction}", is_rewarded(total, members), bool)
    steps = []
    if members:
        steps.append(Step(RULE, limit_message(members), options=(THRESHOLD_ABOVE_22.name,)))
    code = "gets-reward" if verdict.result else "gets-no-reward"
    message = say(code, faction=faction_name(faction), total=total, limit=limit(members))
    account.step(RULE, message, steps=steps, verdict=verdict)
    return verdict.result


# Step 3.4, rounds 1 to 5


def reward_ways(state: State, faction: str) -> list[tuple[str, str]]:
    """Return the legal choices: the tile, bonuses after or before it, or florins (5.12, R-06, R-14)."""
    effect = BONUS_TILES[tile_of(state)](faction)
    ways = [("tile", "after")] if _possible(state, effect) else []
    if _possible(_after_bonuses(state, faction), effect):
        ways.append(("tile", "before"))
    return [*ways, ("florins", "after")]


def _possible(state: State, effect: Frame) -> bool:
    if effect.phase == "bonus-die":
        return can_take_bonus_die(state, effect.data)
    return is_possible(state, effect)


def _after_bonuses(state: State, faction: str) -> State:
    account = Account(state)
    _bonuses(account, faction)
    return account.state


def _reward_prompt(state: State, faction: str) -> Prompt:
    ways = reward_ways(state, faction)
    take, bonuses = ways[0]
    return Prompt(
        faction=faction,
        title=say("prompt-reward", tile=Name("reward", tile_of(state))),
        rule=RULE,
        example=Reward(faction=faction, take=take, bonuses=bonuses),  # type: ignore[arg-type] # str of a Literal
        fields=(Joint(("take", "bonuses"), tuple(ways)),),
    )


def _refuse_claim(state: State, action: Action) -> None:
    """Raise `Illegal` unless the player is next to be rewarded and the round offers this (5.12)."""
    data = frame_data(state)
    if action.faction not in data["eligible"]:
        members = on_threshold(state, action.faction)
        total = sum(die.face for die in dice_on(state, action.faction))
        raise Illegal(say("not-rewarded", total=total, limit=limit(members)), rule=RULE)
    if isinstance(action, Reward) and not has_bonus(state):
        raise Illegal(say("points-only", round=BONUS_ROUNDS + 1), rule=RULE)
    if isinstance(action, Buy) and has_bonus(state):
        raise Illegal(say("no-buying-yet", round=BONUS_ROUNDS + 1), rule=RULE)
    if action.faction not in data["queue"]:
        if isinstance(action, Buy) and action.faction in state.bought:
            raise Illegal(_bought_already(state), rule=RULE)
        raise Illegal(say("reward-had"), rule=RULE)
    check_turn(action, data["queue"][0], rule=RULE)


def _give(account: Account[State], action: Reward) -> None:
    """Start the tile's effect or the florins, and in both cases the bonuses above the tile (5.12)."""
    state, faction = account.state, action.faction
    if action.take == "tile" and ("tile", action.bonuses) not in reward_ways(state, faction):
        raise Illegal(say("reward-impossible", tile=Name("reward", tile_of(state))), rule=RULE)
    tile = action.take == "tile"
    code = "takes-tile" if tile else "takes-florins"
    account.step(RULE, say(code, faction=faction_name(faction), tile=Name("reward", tile_of(state))))
    _next_in_queue(account)
    effect = BONUS_TILES[tile_of(state)](faction) if tile else florins_frame(faction, FLORINS, RULE)
    above = Frame("bonuses", {"faction": faction})
    first, last = (above, effect) if action.bonuses == "before" else (effect, above)
    account.set(frames=call(account.state, last))
    account.set(frames=call(account.state, first))


def _bonus_phase(account: Account[State]) -> None:
    """Give the bonuses to the faction of the frame, and leave the phase."""
    _bonuses(account, str(frame_data(account.state)["faction"]))
    account.set(frames=done(account.state))


BONUSES: Automatic[State] = Automatic("bonuses", RULE, _bonus_phase)


def _bonuses(account: Account[State], faction: str) -> None:
    """Give the bonuses above the bonus tile: a wedding, and florins in rounds 2 to 5."""
    _wedding(account, faction)
    if account.state.round > 1:
        gain_florins(account, "bonuses", faction, LATER_FLORINS, RULE)


def _wedding(account: Account[State], faction: str) -> None:
    """Put a bride on the topmost unmarried descendant and score the portrait's points (5.12, R-33)."""
    state = account.state
    name = faction_name(faction)
    married = brides(state, faction)
    if married >= printed(state).descendants or not state.ledger.count(NEUTRAL, BRIDE, SUPPLY):
        account.step(RULE, say("all-married", faction=name))
        return
    verdict = judge(state, f"wedding:{faction}", printed(state).portrait_points(married + 1), Count)
    bride = Move(NEUTRAL, BRIDE, SUPPLY, portraits_place(faction))
    message = say("wedding", faction=name, descendant=Name("ordinal", str(married + 1)), count=verdict.result)
    moves = [bride, *score(faction, "wedding", verdict.result)]
    steps = point_disc(state, faction, verdict.result)
    account.step(RULE, message, moves=moves, steps=steps, verdict=verdict)


# Step 3.4, rounds 6 and 7


def _score_tile(state: State, faction: str) -> Outcome[State]:
    account = Account(state)
    each, counted = POINT_TILES[tile_of(state)]
    count = counted(state, faction)
    verdict = judge(state, f"tile:{faction}", each * count, Count)
    account.step(
        RULE,
        say(
            "tile-scores",
            faction=faction_name(faction),
            tile=Name("reward", tile_of(state)),
            each=each,
            times=count,
            count=verdict.result,
        ),
        moves=score(faction, "reward-tile", verdict.result),
        steps=point_disc(state, faction, verdict.result),
        verdict=verdict,
    )
    account.set(frames=goto(state, state.frames[-1].with_data(scored=True)))
    return account.outcome()


def can_buy(state: State, faction: str) -> bool:
    return faction not in state.bought and florins(state, faction) >= PRICE


def _buy_prompt(faction: str) -> Prompt:
    return Prompt(
        faction=faction,
        title=say("prompt-buy", florins=PRICE, points=BOUGHT),
        rule=RULE,
        example=Buy(faction=faction, buy=True),
        fields=(Choice("buy", (True, False)),),
    )


def _buy(account: Account[State], action: Buy) -> None:
    """Buy five points for five florins, once per round in rounds 6 and 7, or decline (5.12, R-27)."""
    state, faction = account.state, action.faction
    if action.buy and faction in state.bought:
        raise Illegal(_bought_already(state), rule=RULE)
    if action.buy and florins(state, faction) < PRICE:
        raise Illegal(say("need-florins", count=PRICE), rule=RULE)
    name = faction_name(faction)
    if action.buy:
        moves = [*pay(faction, PRICE), *score(faction, "buy", BOUGHT)]
        message = say("buys", faction=name, florins=PRICE, points=BOUGHT)
        steps = point_disc(state, faction, BOUGHT)
        account.step(RULE, message, moves=moves, steps=steps, options=[BUY_ONCE_A_GAME.name])
        account.set(bought=(*state.bought, faction))
    else:
        account.step(RULE, say("buys-nothing", faction=name))
    _next_in_queue(account)


def _bought_already(state: State) -> Message:
    return say("bought-this-game" if option(state, BUY_ONCE_A_GAME.name) else "bought-already", points=BOUGHT)


# Step 3.5: clean-up


def _clean_up(state: State) -> Outcome[State]:
    """Discard the reward tile, clear the threshold spaces and begin the next round or the end (3.5)."""
    account = Account(state)
    moves = [
        Move(faction, member, THRESHOLD, SUPPLY, count)
        for faction in state.order
        for member in MEMBERS
        if (count := state.ledger.count(faction, member, THRESHOLD))
    ]
    message = say("clean-up", tile=Name("reward", tile_of(state)))
    account.step(RULE, message, moves=moves, acts=[Act(None, say("discard-reward"))])
    keep = option(state, BUY_ONCE_A_GAME.name)
    account.set(passed=(), bought=state.bought if keep else (), tasks={})
    if state.round >= ROUNDS:
        account.follow(finish(account.state))
        return account.outcome()
    begin_round(account, state.round + 1)
    return account.outcome()

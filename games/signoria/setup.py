"""Set-up: starting pieces, play order, cities, reward tiles and player boards (digest 3)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from games.core.actions import Action, Position
from games.core.checks import check_order
from games.core.codec import Json, from_json
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, goto, not_now
from games.core.game import Setup
from games.core.ledger import Ledger, Move
from games.core.messages import Name, faction_name, faction_names, say
from games.core.positions import RULE as POSITION
from games.core.positions import check_phase
from games.core.prompts import Choice, Plan, Prompt
from games.core.steps import Account, Act, Outcome
from games.signoria.actions import Boards, Order, RewardTiles, Unused
from games.signoria.initiative import new_stack
from games.signoria.options import LIGHT_ENTRY
from games.signoria.pieces import (
    BONUS_ROUNDS,
    BRIDE,
    BRIDES,
    CITIES,
    CITIES_UNUSED,
    COLOURS,
    DISC,
    FLORIN,
    HELPER,
    HELPERS,
    HOUSES,
    MAN,
    MEN,
    NEUTRAL,
    RESERVE,
    ROUNDS,
    SUPPLY,
    TILE,
    TILES_PER_HOUSE,
    TILES_REMOVED,
    WOMAN,
    WOMEN,
    initiative_place,
    unrolled,
)
from games.signoria.preparation import begin_round, preparation_frame, refuse_layout
from games.signoria.rewards import BONUS_TILES, POINT_TILES
from games.signoria.state import PLACES, State, discs, frame_data, option, printed, receive
from games.signoria.turn import turn_frame

RULE = "3.2"
MEN_AT_START, WOMEN_AT_START, FLORINS_AT_START = 4, 3, 5
MORE_FLORINS = (1, 2, 2, 3)  # in play order
POINT_ROUNDS = ROUNDS - BONUS_ROUNDS


def start(setup: Setup) -> Outcome[State]:
    """Deal every player's pieces and open the set-up phase (3)."""
    at = setup.factions.index(setup.first)
    state = State(
        setup=setup,
        ledger=Ledger.of(PLACES, _pieces(setup)),
        frames=(Frame("setup", {"entered": []}),),
        round=0,
        order=setup.factions[at:] + setup.factions[:at],
        cities=CITIES,
        boards=dict(zip(setup.factions, sorted(setup.figures["plans"]), strict=False)),
    )
    account = Account(state)
    account.step(RULE, say("set-up-take"), acts=[Act(f, say("take-pieces")) for f in setup.factions])
    account.step("3.1", say("set-up-dice", count=setup.players), acts=[Act(None, say("take-dice"))])
    removed = TILES_REMOVED[setup.players]
    account.step("3.1", say("set-up-tiles", count=removed), acts=[Act(None, say("shuffle-tiles"))])
    return account.outcome()


def _pieces(setup: Setup) -> list[tuple[str, str, str, int]]:
    """Return the starting holdings, before anything is drawn (3.1, 3.2)."""
    tiles = len(HOUSES) * (TILES_PER_HOUSE - TILES_REMOVED[setup.players])
    lines = [
        (NEUTRAL, TILE, SUPPLY, tiles),
        (NEUTRAL, HELPER, SUPPLY, HELPERS),
        (NEUTRAL, BRIDE, SUPPLY, BRIDES),
    ]
    lines += [(NEUTRAL, unrolled(colour), SUPPLY, setup.players) for colour in COLOURS]
    for faction in setup.factions:
        lines += [
            (faction, MAN, RESERVE, MEN_AT_START),
            (faction, MAN, SUPPLY, MEN - MEN_AT_START),
            (faction, WOMAN, RESERVE, WOMEN_AT_START),
            (faction, WOMAN, SUPPLY, WOMEN - WOMEN_AT_START),
            (faction, FLORIN, RESERVE, FLORINS_AT_START),
            (faction, DISC, SUPPLY, 1),
        ]
    return lines


@dataclass(frozen=True, slots=True)
class SetUp:
    """Phase: play order, unused cities, reward tiles and player boards.

    Any player may enter each part, once and in any order.
    """

    name = "setup"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        return [PROMPTS[part](state, faction) for faction in state.order for part in open_parts(state)]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if action.type not in PROMPTS:
            raise not_now(action, rule=RULE)
        if action.type not in open_parts(state):
            raise Illegal(say("entered-already"), rule=RULE)
        account = Account(state)
        match action:
            case Order():
                _enter_order(account, action)
            case Unused():
                _enter_unused(account, action)
            case RewardTiles():
                _enter_rewards(account, action)
            case Boards():
                _enter_boards(account, action)
        top = account.state.frames[-1]
        entered = [*top.data["entered"], action.type]
        account.set(frames=goto(account.state, top.with_data(entered=entered)))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        """Begin the first round once every part is entered."""
        if open_parts(state):
            return None
        account = Account(state)
        begin_round(account, 1)
        return account.outcome()


def open_parts(state: State) -> list[str]:
    """Return the parts that are still to be entered."""
    entered = frame_data(state)["entered"]
    parts = [part for part in PROMPTS if part != "unused" or CITIES_UNUSED[state.setup.players]]
    return [part for part in parts if part not in entered]


# Play order


def _order_prompt(state: State, faction: str) -> Prompt:
    return Prompt(
        faction=faction,
        title=say("prompt-order"),
        rule=RULE,
        example=Order(faction=faction, order=state.order),
        fields=(Choice("order", tuple(itertools.permutations(state.order))),),
    )


def _enter_order(account: Account[State], action: Order) -> None:
    """Set the play order, extra florins by turn order, and one stack of discs, first player on top (3.2)."""
    state = account.state
    check_order(action.order, state.order, rule=RULE)
    names = faction_names(action.order)
    account.set(order=action.order)
    stack = new_stack(action.order)
    account.step(
        RULE,
        say("order-drawn", order=names, stack=faction_names(stack)),
        moves=[
            Move(faction, DISC, SUPPLY, initiative_place(0)) for faction in stack if _has_disc(state, faction)
        ],
    )
    for faction, more in zip(action.order, MORE_FLORINS, strict=False):
        place = Name("ordinal", str(action.order.index(faction) + 1))
        message = say("more-florins", faction=faction_name(faction), place=place, count=more)
        account.step(RULE, message, moves=receive(faction, more))


def _has_disc(state: State, faction: str) -> bool:
    return state.ledger.count(faction, DISC, SUPPLY) > 0


# Cities


def _unused_prompt(state: State, faction: str) -> Prompt:
    ways = tuple(itertools.combinations(CITIES, CITIES_UNUSED[state.setup.players]))
    return Prompt(
        faction=faction,
        title=say("prompt-unused", count=CITIES_UNUSED[state.setup.players]),
        rule="3.1",
        example=Unused(faction=faction, cities=ways[-1]),
        fields=(Choice("cities", ways),),
    )


def _enter_unused(account: Account[State], action: Unused) -> None:
    count = CITIES_UNUSED[account.state.setup.players]
    if not set(action.cities) <= set(CITIES) or not len(action.cities) == len(set(action.cities)) == count:
        raise Illegal(say("unused-count", players=account.state.setup.players, count=count), rule="3.1")
    names = tuple(Name("city", city) for city in CITIES if city in action.cities)
    account.step("3.1", say("unused", cities=names))
    account.set(cities=tuple(city for city in CITIES if city not in action.cities))


# Reward tiles


@dataclass(frozen=True, slots=True)
class DrawRewards:
    """Draw five bonus tiles and two VP tiles at random."""

    bonus: tuple[str, ...]
    points: tuple[str, ...]

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        return _drawn(self.bonus, BONUS_ROUNDS, below), _drawn(self.points, POINT_ROUNDS, below)


def _drawn(tiles: Sequence[str], count: int, below: Callable[[int], int]) -> list[str]:
    left = list(tiles)
    return [left.pop(below(len(left))) for _ in range(count)]


def _rewards_prompt(_state: State, faction: str) -> Prompt:
    draw = DrawRewards(tuple(BONUS_TILES), tuple(POINT_TILES))
    bounds = {
        "kind": "reward-tiles",
        "bonus": {"options": list(draw.bonus), "count": BONUS_ROUNDS},
        "points": {"options": list(draw.points), "count": POINT_ROUNDS},
    }
    return Prompt(
        faction=faction,
        title=say("prompt-reward-tiles"),
        rule=RULE,
        example=RewardTiles(
            faction=faction, bonus=draw.bonus[-BONUS_ROUNDS:], points=draw.points[:POINT_ROUNDS]
        ),
        fields=(Plan(("bonus", "points"), draw, bounds),),
    )


def _enter_rewards(account: Account[State], action: RewardTiles) -> None:
    rewards = (*action.bonus, *action.points)
    refuse_rewards(rewards, len(action.bonus))
    names = tuple(Name("reward", tile) for tile in rewards)
    account.step(RULE, say("rewards-drawn", tiles=names))
    account.set(rewards=rewards)


def refuse_rewards(rewards: Sequence[str], bonus: int = BONUS_ROUNDS) -> None:
    """Raise `Illegal` unless there are five different bonus tiles, then two different VP tiles (3.2)."""
    right = bonus == BONUS_ROUNDS and len(rewards) == len(set(rewards)) == ROUNDS
    if (
        not right
        or not set(rewards[:bonus]) <= set(BONUS_TILES)
        or not set(rewards[bonus:]) <= set(POINT_TILES)
    ):
        raise Illegal(say("rewards-wrong", bonus=BONUS_ROUNDS, points=POINT_ROUNDS), rule=RULE)


# Player boards


def _boards_prompt(state: State, faction: str) -> Prompt:
    boards = printed(state).boards
    ways = tuple(
        dict(zip(state.setup.factions, chosen, strict=True))
        for chosen in itertools.permutations(boards, len(state.setup.factions))
    )
    return Prompt(
        faction=faction,
        title=say("prompt-boards"),
        rule=RULE,
        example=Boards(faction=faction, boards=ways[0]),
        fields=(Choice("boards", ways),),
    )


def _enter_boards(account: Account[State], action: Boards) -> None:
    refuse_boards(account.state, action.boards)
    taken = tuple(
        say("has-board", faction=faction_name(f), board=int(board))
        for f, board in sorted(action.boards.items())
    )
    account.step(RULE, say("boards-taken", boards=taken))
    account.set(boards={faction: action.boards[faction] for faction in account.state.setup.factions})


def refuse_boards(state: State, boards: Mapping[str, str]) -> None:
    """Raise `Illegal` unless every player has a different player board (2.1)."""
    known = printed(state).boards
    given = list(boards.values())
    if (
        set(boards) != set(state.setup.factions)
        or len(set(given)) != len(given)
        or not set(given) <= set(known)
    ):
        raise Illegal(say("boards-wrong", known=known), rule=RULE)


PROMPTS: Mapping[str, Callable[[State, str], Prompt]] = {
    "order": _order_prompt,
    "unused": _unused_prompt,
    "reward-tiles": _rewards_prompt,
    "boards": _boards_prompt,
}


# Resuming from a position


@dataclass(frozen=True, slots=True)
class Known:
    """The facts of a position, in addition to its pieces."""

    rewards: tuple[str, ...]
    cities: tuple[str, ...] = CITIES
    boards: Mapping[str, str] | None = None
    tasks: Mapping[str, str] | None = None
    passed: tuple[str, ...] = ()
    bought: tuple[str, ...] = ()


def resume(state: State, position: Position) -> State:
    """Resume a game from a position, at the start of a round (`preparation`) or in a player's turn."""
    check_phase(position, ("preparation", "turn"))
    if position.round not in range(1, ROUNDS + 1):
        raise Illegal(say("position-round", most=ROUNDS), rule=POSITION)
    facts = from_json(Known, dict(position.facts))
    _refuse_known(state, facts, in_turn=position.phase == "turn")
    resumed = replace(
        state,
        ledger=_with_discs(state),
        rewards=facts.rewards,
        cities=tuple(city for city in CITIES if city in facts.cities),
        boards=facts.boards or state.boards,
        tasks=facts.tasks or {},
        passed=facts.passed if position.phase == "turn" else (),
        bought=facts.bought,
    )
    turn = position.turn or next((f for f in state.order if f not in facts.passed), state.order[0])
    if turn in resumed.passed:
        raise Illegal(say("position-passed", faction=faction_name(turn)), rule=POSITION)
    frame = turn_frame(turn) if position.phase == "turn" else preparation_frame()
    return replace(resumed, frames=(frame,))


def _with_discs(state: State) -> Ledger:
    """Return the ledger; if it has no disc on the track, stack them by play order on the bottom space."""
    if discs(state):
        return state.ledger
    stack = [faction for faction in new_stack(state.order) if _has_disc(state, faction)]
    return state.ledger.move(*(Move(faction, DISC, SUPPLY, initiative_place(0)) for faction in stack))


def _refuse_known(state: State, facts: Known, *, in_turn: bool) -> None:
    players = state.setup.players
    refuse_rewards(facts.rewards)
    unused = CITIES_UNUSED[players]
    if len(set(facts.cities) & set(CITIES)) != len(facts.cities) or len(facts.cities) != len(CITIES) - unused:
        raise Illegal(say("unused-count", players=players, count=unused), rule=POSITION)
    if facts.boards is not None:
        refuse_boards(state, facts.boards)
    if in_turn and not option(state, LIGHT_ENTRY.name):
        refuse_layout(facts.tasks or {})
    if not set(facts.passed) < set(state.order) or not set(facts.bought) <= set(state.order):
        raise BadInput(say("core.factions", known=state.order), rule=POSITION)

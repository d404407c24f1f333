"""Heuristic for Wallenstein: build for majorities, feed the provinces, attack weaker neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from games.core.codec import Json
from games.core.flow import FINISHED
from games.core.prompts import Joint, Prompt
from games.wallenstein.battles import clash_of
from games.wallenstein.board import in_play, price_of, province_of
from games.wallenstein.cards import (
    BUILD,
    COLLECT_GOLD,
    COLLECT_GRAIN,
    MOVEMENT,
    RECRUIT,
    RECRUIT_1,
)
from games.wallenstein.ending import standings
from games.wallenstein.movement import card_of
from games.wallenstein.pieces import PEASANTS
from games.wallenstein.planning import fewest, spaces_of
from games.wallenstein.scoring import MAJORITY
from games.wallenstein.state import (
    SEASONS,
    State,
    armies_in,
    buildings_in,
    gold_of,
    grain_of,
    in_cup,
    in_tower,
    neighbours_of,
    owner_of,
    provinces_of,
    supply_of,
    tiles_in,
    unrest_in,
)
from players.chance import Chance, drawn, happened, picked, shuffled
from players.heuristic import Sense
from players.randomly import Generator

# Probability that a cube falls out of the tower: just thrown in, or stuck in it before.
FRESH, STUCK = (2, 3), (1, 3)
PLAIN_LOSSES = (1, 2, 3, 4, 5, 6)  # grain loss in winter, by the last event card
LIKELY_LOSS = 4

GOLD_WORTH, ENOUGH_GOLD = 0.3, 12
GRAIN_WORTH = 0.7  # per grain of expected shortage
ARMY_WORTH = 0.15
UNREST_WORTH = -0.3
LONE_ARMY = -0.4  # per province held by a single army, which invites attacks


# Chance: the cube tower and card draws


def _fill(state: State, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """Throw all starting cubes into the empty tower (3.4)."""
    fallen = {colour: happened(count, FRESH, generator) for colour, count in in_tower(state).items()}
    return {"type": prompt.action, "fallen": {colour: count for colour, count in fallen.items() if count}}


def _throw(state: State, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """Throw cubes: two in three of the fresh ones fall out, one in three of those stuck (5.7)."""
    thrown: Mapping[str, int] = state.frames[-1].data["thrown"]
    fallen = {}
    for colour, count in in_tower(state).items():
        fresh = min(count, thrown.get(colour, 0))
        fallen[colour] = happened(fresh, FRESH, generator) + happened(count - fresh, STUCK, generator)
    return {"type": prompt.action, "fallen": {colour: count for colour, count in fallen.items() if count}}


def _events(_state: State, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """Draw four event cards, with random grain losses, as the board file does not have them (2.4)."""
    data = prompt.sample(generator.randrange)
    cards = [{**card, "loss": picked(PLAIN_LOSSES, generator)} for card in data["cards"]]
    return {**data, "cards": cards}


def _open_cards_only(_state: State, prompt: Prompt, _dealt: None, generator: Generator) -> Prompt:
    """Offer the open province cards only, each with a random replacement, as the deck is face down (3.5)."""
    takes = next(f for f in prompt.fields if f.names == ("province", "turned"))
    ways: dict[Json, list[Json]] = {}
    for index in range(takes.size()):
        province, turned = takes.element(index)
        ways.setdefault(province, []).append(turned)
    # Deck cards occur in the domain without a replacement, and so does the last open card.
    opened = [card for card, turned in ways.items() if turned != [None]] or list(ways)
    options = tuple((card, picked(ways[card], generator)) for card in opened)
    return replace(
        prompt,
        fields=(Joint(takes.names, options), *(f for f in prompt.fields if f is not takes)),
    )


def _random_replacement(_state: State, prompt: Prompt, _dealt: None, generator: Generator) -> Prompt:
    """Offer one random set of replacement cards: the player decides only whether to replace."""
    (cards,) = prompt.fields
    element = cards.element(generator.randrange(cards.size()))
    return replace(prompt, fields=(Joint(cards.names, (element,)),))


CHANCE = Chance(
    falls={
        "fill": _fill,
        "open": drawn,
        "events": _events,
        "row": drawn,
        "order": drawn,
        "event": drawn,
        "turn": drawn,
        "throw": _throw,
        "hunger": drawn,
    },
    narrowed={"draft": _open_cards_only, "replace": _random_replacement},
)


# Evaluation of a state


def _worth(state: State) -> dict[str, float]:
    worths = {s.faction: float(s.points) + _means(state, s.faction) for s in standings(state)}
    for province in in_play(state.setup):
        owner = owner_of(state, province)
        if owner is not None:
            worths[owner] += _held(state, owner, province)
    return worths


def _means(state: State, faction: str) -> float:
    """Value gold and the expected grain shortage in winter; zero once the game is over."""
    if state.frames[0].phase == FINISHED:
        return 0.0
    hungry = max(0, len(provinces_of(state, faction)) + LIKELY_LOSS - grain_of(state, faction))
    gold = min(gold_of(state, faction), ENOUGH_GOLD) + 0.3 * max(0, gold_of(state, faction) - ENOUGH_GOLD)
    return GOLD_WORTH * gold - GRAIN_WORTH * hungry * _winter_weight(state)


def _winter_weight(state: State) -> float:
    return ((max(state.round, 1) - 1) % len(SEASONS) + 1) / len(SEASONS)


def _held(state: State, faction: str, province: str) -> float:
    """Value the garrison of a province, with diminishing returns, less its unrest."""
    armies = armies_in(state, province, faction)
    guard = ARMY_WORTH * min(armies, 4) + ARMY_WORTH / 3 * max(0, armies - 4)
    return guard + (LONE_ARMY if armies <= 1 else 0.0) + UNREST_WORTH * unrest_in(state, province)


# Battles


def _odds(state: State, attacker: str, armies: int, province: str) -> float:
    """Estimate the probability that an attack succeeds, from the expected cubes of each side."""
    owner = owner_of(state, province)
    inside, cup = in_tower(state), in_cup(state)

    def expected(colour: str, thrown: int) -> float:
        return (2 * (thrown + cup[colour]) + inside[colour]) / 3

    defence = expected(PEASANTS, 1) if owner is None else expected(owner, armies_in(state, province, owner))
    if owner is not None and not unrest_in(state, province):
        defence += expected(PEASANTS, 0)  # without unrest the peasants help the owner
    margin = expected(attacker, armies) - defence
    return min(0.95, max(0.03, 0.5 + margin / 5))


def _prize(state: State, province: str) -> float:
    """Value a province with its buildings, more if an opponent loses it."""
    tiles = sum(1 + MAJORITY[building] / 2 for building in buildings_in(state, province))
    return (1 + tiles) * (1.0 if owner_of(state, province) is None else 1.4)


def _attack(state: State, faction: str, source: str, target: str, armies: int) -> float:
    """Return the expected value of an attack: the prize, less lost armies and the weakened source."""
    left = armies_in(state, source, faction) - armies
    chance = _odds(state, faction, armies, target)
    return chance * _prize(state, target) - (1 - chance) * ARMY_WORTH * armies - (0.5 if left <= 1 else 0.1)


def _march(state: State, prompt: Prompt, _generator: Generator) -> Iterator[dict[str, Json]]:
    """Propose the best attack, or the least harmful move (5.6)."""
    card = card_of(state)
    ways = [
        (str(target), int(armies)) for target in _options(prompt, "target") for armies in _numbers(prompt)
    ]

    def gain(way: tuple[str, int]) -> float:
        target, armies = way
        if owner_of(state, target) != card.faction:
            return _attack(state, card.faction, card.province, target, armies)
        there, here = armies_in(state, target, card.faction), armies_in(state, card.province, card.faction)
        return -0.1 - 0.05 * abs((here - armies) - (there + armies))

    target, armies = max(ways, key=lambda way: (gain(way), way))
    yield {"type": prompt.action, "target": target, "armies": armies}


def _options(prompt: Prompt, name: str) -> list[Json]:
    field = next(f for f in prompt.fields if f.names == (name,))
    return [field.element(index)[0] for index in range(field.size())]


def _numbers(prompt: Prompt) -> list[Json]:
    return _options(prompt, "armies")


def _defend(state: State, prompt: Prompt, _generator: Generator) -> Iterator[dict[str, Json]]:
    """Defend with twice the attackers plus one, so as not to lose more cubes in the tower (5.7)."""
    clash = clash_of(state)
    numbers = _numbers(prompt)
    against = clash.armies if clash.kind == "player" else clash.rebels
    wanted = 2 * against + 1
    yield {"type": prompt.action, "armies": min(max(numbers), max(min(numbers), wanted))}


# Planning


def _plan(state: State, prompt: Prompt, generator: Generator) -> Iterator[dict[str, Json]]:
    """Assign actions to provinces greedily, the most valuable pairs first (5.1)."""
    faction = prompt.faction
    spaces, hand = spaces_of(state, faction), list(state.hands[faction])
    wishes = sorted(
        (
            (-_wish(state, faction, action, province), rank, action, province)
            for action in spaces
            for rank, province in enumerate(shuffled(hand, generator))
        ),
    )
    cards: dict[str, Json] = {}
    purse = gold_of(state, faction)
    for wish, _rank, action, province in wishes:
        price = _price(state, action)
        if wish < 0 and price <= purse and action not in cards and province not in cards.values():
            cards[action] = province
            purse -= price
    for _value, _rank, action, province in wishes:  # only five blank cards per player
        if len(cards) < fewest(state, faction) and action not in cards and province not in cards.values():
            cards[action] = province
    yield {"type": prompt.action, "cards": {action: cards[action] for action in spaces if action in cards}}


def _price(state: State, action: str) -> int:
    return price_of(state.setup, action) if action in (*BUILD, *RECRUIT, RECRUIT_1) else 0


def _wish(state: State, faction: str, action: str, province: str) -> float:
    """Return the value of an action in a province, in points."""
    row = province_of(state.setup, province)
    armies, unrest = armies_in(state, province, faction), unrest_in(state, province)
    if action in BUILD:
        return _building(state, faction, BUILD[action], province) - GOLD_WORTH * price_of(state.setup, action)
    risk = (1 + tiles_in(state, province)) * max(0.0, 0.25 * unrest * (1.5 - 0.25 * armies)) + 0.1 * unrest
    if action == COLLECT_GOLD:
        short = gold_of(state, faction) < ENOUGH_GOLD
        return row.gold * (0.4 if short else 0.15) - risk
    if action == COLLECT_GRAIN:
        hungry = len(state.hands[faction]) + LIKELY_LOSS - grain_of(state, faction)
        return 0.5 * min(row.grain, max(0, hungry)) - risk
    if action in MOVEMENT:
        return max(
            (_best_attack(state, faction, province, target) for target in row.neighbours), default=-1.0
        )
    count = RECRUIT[action].armies if action in RECRUIT else 1
    if supply_of(state, faction) < count:
        return -1.0
    return ARMY_WORTH * count + _threat(state, faction, province) - 0.2 * price_of(state.setup, action)


def _building(state: State, faction: str, building: str, province: str) -> float:
    """Value a building: one point per winter left, and the region's majority if it gains that."""
    row = province_of(state.setup, province)
    standing = buildings_in(state, province)
    if building in standing or len(standing) >= row.cities:
        return -1.0
    counts = dict.fromkeys(state.order, 0)
    for other in in_play(state.setup):
        owner = owner_of(state, other)
        if owner is not None and province_of(state.setup, other).region == row.region:
            counts[owner] += building in buildings_in(state, other)
    mine = counts.pop(faction)
    most = max(counts.values(), default=0)
    gain = MAJORITY[building] if mine == most else 1.0 if mine + 1 == most else 0.0
    guarded = 0.8 if armies_in(state, province, faction) > 1 else 0.5
    return guarded * (1.0 + gain + (0.8 if state.round <= len(SEASONS) else 0.0))


def _best_attack(state: State, faction: str, province: str, target: str) -> float:
    armies = armies_in(state, province, faction) - 1
    if armies < 1 or owner_of(state, target) == faction:
        return -0.5
    return _attack(state, faction, province, target, armies)


def _threat(state: State, faction: str, province: str) -> float:
    """Value the need for armies by how much stronger the strongest hostile neighbour is."""
    armies = armies_in(state, province, faction)
    others = [
        armies_in(state, n, owner)
        for n in neighbours_of(state, province)
        if (owner := owner_of(state, n)) not in (None, faction)
    ]
    return 0.15 * min(4, max(0, max(others, default=0) - armies))


SENSE = Sense(
    worth=_worth,
    ideas={"plan": _plan, "move": _march, "defend": _defend},
    tries={"take": 1, "recruit": 10, "reveal": 10},
)

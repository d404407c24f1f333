"""Wallenstein with plain sense: build where a majority beckons, feed the provinces, attack the weaker."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from games.core.codec import Json
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

# How many cubes fall out of the tower: of those just thrown in, and of those stuck in it before.
FRESH, STUCK = (2, 3), (1, 3)
PLAIN_LOSSES = (1, 2, 3, 4, 5, 6)  # of grain in winter, by the last event card
LIKELY_LOSS = 4

GOLD_WORTH, ENOUGH_GOLD = 0.3, 12
GRAIN_WORTH = 0.7  # of each grain that a province would be hungry without
ARMY_WORTH = 0.15
UNREST_WORTH = -0.3
LONE_ARMY = -0.4  # a province that a single army holds invites neighbours


# Chance: the tower, and every card that is drawn


def _fill(state: State, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """3.4: all cubes are freshly thrown in."""
    fallen = {colour: happened(count, FRESH, generator) for colour, count in in_tower(state).items()}
    return {"type": prompt.action, "fallen": {colour: count for colour, count in fallen.items() if count}}


def _throw(state: State, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """5.7: of fresh cubes two in three fall out, of those that were stuck one in three."""
    thrown: Mapping[str, int] = state.frames[-1].data["thrown"]
    fallen = {}
    for colour, count in in_tower(state).items():
        fresh = min(count, thrown.get(colour, 0))
        fallen[colour] = happened(fresh, FRESH, generator) + happened(count - fresh, STUCK, generator)
    return {"type": prompt.action, "fallen": {colour: count for colour, count in fallen.items() if count}}


def _events(_state: State, prompt: Prompt, generator: Generator) -> dict[str, Json]:
    """2.4: four cards of the deck. Their numbers are printed on them alone; these are plain ones."""
    data = prompt.sample(generator.randrange)
    cards = [{**card, "loss": picked(PLAIN_LOSSES, generator)} for card in data["cards"]]
    return {**data, "cards": cards}


def _open_cards(_state: State, prompt: Prompt, _dealt: None, generator: Generator) -> Prompt:
    """3.5: which card takes the place of an open one is drawn; the deck itself stays unseen."""
    takes = next(f for f in prompt.fields if f.names == ("province", "turned"))
    ways: dict[Json, list[Json]] = {}
    for index in range(takes.size()):
        province, turned = takes.element(index)
        ways.setdefault(province, []).append(turned)
    # A card of the deck is in the domain once, without one that takes its place; so is the last open one.
    opened = [card for card, turned in ways.items() if turned != [None]] or list(ways)
    options = tuple((card, picked(ways[card], generator)) for card in opened)
    return replace(
        prompt,
        fields=(Joint(takes.names, options), *(f for f in prompt.fields if f is not takes)),
    )


def _drawn_choice(_state: State, prompt: Prompt, _dealt: None, generator: Generator) -> Prompt:
    """Whether cards are replaced is decided; by which ones is not."""
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
    narrowed={"draft": _open_cards, "replace": _drawn_choice},
)


# What a state is worth


def _worth(state: State) -> dict[str, float]:
    worths = {s.faction: float(s.points) + _means(state, s.faction) for s in standings(state)}
    for province in in_play(state.setup):
        owner = owner_of(state, province)
        if owner is not None:
            worths[owner] += _held(state, owner, province)
    return worths


def _means(state: State, faction: str) -> float:
    """Gold to act with, and grain for the winter; what no season is left for is worth nothing."""
    if state.frames[0].phase == "finished":
        return 0.0
    hungry = max(0, len(provinces_of(state, faction)) + LIKELY_LOSS - grain_of(state, faction))
    gold = min(gold_of(state, faction), ENOUGH_GOLD) + 0.3 * max(0, gold_of(state, faction) - ENOUGH_GOLD)
    return GOLD_WORTH * gold - GRAIN_WORTH * hungry * _winter_is_near(state)


def _winter_is_near(state: State) -> float:
    return ((max(state.round, 1) - 1) % len(SEASONS) + 1) / len(SEASONS)


def _held(state: State, faction: str, province: str) -> float:
    """Armies guard what is theirs: the more they are, the less another one adds."""
    armies = armies_in(state, province, faction)
    guard = ARMY_WORTH * min(armies, 4) + ARMY_WORTH / 3 * max(0, armies - 4)
    return guard + (LONE_ARMY if armies <= 1 else 0.0) + UNREST_WORTH * unrest_in(state, province)


# Battles


def _odds(state: State, attacker: str, armies: int, province: str) -> float:
    """How likely an attack succeeds: what plainly falls out for each side, and a margin."""
    owner = owner_of(state, province)
    inside, cup = in_tower(state), in_cup(state)

    def falls(colour: str, thrown: int) -> float:
        return (2 * (thrown + cup[colour]) + inside[colour]) / 3

    defence = falls(PEASANTS, 1) if owner is None else falls(owner, armies_in(state, province, owner))
    if owner is not None and not unrest_in(state, province):
        defence += falls(PEASANTS, 0)  # content peasants help their lord
    margin = falls(attacker, armies) - defence
    return min(0.95, max(0.03, 0.5 + margin / 5))


def _prize(state: State, province: str) -> float:
    """A province with all that stands on it, and what its owner loses."""
    tiles = sum(1 + MAJORITY[building] / 2 for building in buildings_in(state, province))
    return (1 + tiles) * (1.0 if owner_of(state, province) is None else 1.4)


def _attack(state: State, faction: str, source: str, target: str, armies: int) -> float:
    """What an attack brings: the prize if it succeeds, less the armies and the gap it leaves."""
    left = armies_in(state, source, faction) - armies
    chance = _odds(state, faction, armies, target)
    return chance * _prize(state, target) - (1 - chance) * ARMY_WORTH * armies - (0.5 if left <= 1 else 0.1)


def _march(state: State, prompt: Prompt, _generator: Generator) -> Iterator[dict[str, Json]]:
    """5.6: the best attack, or the move that does least harm."""
    card = card_of(state)
    ways = [
        (str(target), int(armies)) for target in _options(prompt, "target") for armies in _numbers(prompt)
    ]

    def brings(way: tuple[str, int]) -> float:
        target, armies = way
        if owner_of(state, target) != card.faction:
            return _attack(state, card.faction, card.province, target, armies)
        there, here = armies_in(state, target, card.faction), armies_in(state, card.province, card.faction)
        return -0.1 - 0.05 * abs((here - armies) - (there + armies))

    target, armies = max(ways, key=lambda way: (brings(way), way))
    yield {"type": prompt.action, "target": target, "armies": armies}


def _options(prompt: Prompt, name: str) -> list[Json]:
    found = next(f for f in prompt.fields if f.names == (name,))
    return [found.element(index)[0] for index in range(found.size())]


def _numbers(prompt: Prompt) -> list[Json]:
    return _options(prompt, "armies")


def _defend(state: State, prompt: Prompt, _generator: Generator) -> Iterator[dict[str, Json]]:
    """5.7: enough to stand, without feeding the tower more than that."""
    clash = clash_of(state)
    numbers = _numbers(prompt)
    against = clash.armies if clash.kind == "player" else clash.rebels
    wanted = 2 * against + 1
    yield {"type": prompt.action, "armies": min(max(numbers), max(min(numbers), wanted))}


# Planning


def _plan(state: State, prompt: Prompt, generator: Generator) -> Iterator[dict[str, Json]]:
    """5.1: one action after the other to the province where it brings most, dearest wishes first."""
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
    for _value, _rank, action, province in wishes:  # there are only five blank cards
        if len(cards) < fewest(state, faction) and action not in cards and province not in cards.values():
            cards[action] = province
    yield {"type": prompt.action, "cards": {action: cards[action] for action in spaces if action in cards}}


def _price(state: State, action: str) -> int:
    return price_of(state.setup, action) if action in (*BUILD, *RECRUIT, RECRUIT_1) else 0


def _wish(state: State, faction: str, action: str, province: str) -> float:
    """What an action in a province is worth, in points."""
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
    """A point in both winters, and the majority of its region if it brings that about."""
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
    """How much stronger a neighbour is."""
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

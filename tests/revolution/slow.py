"""A second, brute-force implementation of the calculators: counters are tokens moved one by one.

Written from the rulebook and the digest alone; nothing here is imported from the game.
"""

from __future__ import annotations

from collections import Counter, deque
from decimal import ROUND_FLOOR, Decimal
from itertools import accumulate, count
from typing import Any

ALIGNMENT = ["catholics", "habsburgs", "nobility", "burghers", "reformers"]
NEUTRAL = "neutral"

Map = dict[str, int]


def tokens_of(counts: Map) -> list[str]:
    """Return one token per counter."""
    return sorted(Counter(counts).elements())


def counts_of(tokens: list[str], keys: Any) -> Map:
    counts = Counter(tokens)
    return {key: counts[key] for key in sorted(set(keys) | set(counts))}


# 5.3, 6.11


def conflict(limit: int, counters: Map) -> tuple[Map, Map]:
    """Order all possible losses: a faction with c counters loses its n-th one at moment (n, c)."""
    moments = sorted({(n, c) for c in counters.values() for n in range(1, c + 1)})
    left = dict(counters)
    for _, c in moments:
        if sum(left.values()) <= limit or sum(v > 0 for v in left.values()) <= 1:
            break
        for faction in counters:
            left[faction] -= counters[faction] == c
    return left, {f: counters[f] - left[f] for f in counters}


# 6.5


def battle(armies: Map, *, two_players: bool) -> tuple[Map, bool]:
    """Line up the armies by alignment and remove one from each end until the battle is over."""
    row = deque(f for f in ALIGNMENT for _ in range(armies.get(f, 0)))
    sides = {"catholics": 1, "habsburgs": 1, "burghers": 2, "reformers": 2}
    while True:
        colours = set(row)
        friends = two_players and "nobility" not in colours and len({sides[c] for c in colours}) <= 1
        if len(colours) <= 1 or len(row) == 2 or friends:
            return {f: row.count(f) for f in armies}, len(colours) == 2 and len(row) == 2
        row.popleft()
        row.pop()


# 6.16


def influence(space: int, order: list[str], spent: Map) -> int:
    """Move a spare marker coin by coin; then move the real marker after it, up to three columns."""
    spare = space
    turns = [f for f in order if f != "nobility"] + [f for f in order if f == "nobility"]
    for faction in turns:
        for _ in range(spent.get(faction, 0)):
            if faction in ("catholics", "habsburgs") and spare > 1:
                spare -= 1
            elif faction in ("burghers", "reformers") and spare < 7:
                spare += 1
            elif faction == "nobility" and spare != 4:
                spare += 1 if spare < 4 else -1
    for _ in range(3):
        if space != spare:
            space += 1 if spare > space else -1
    return space


def allegiance(
    space: int, counters: Map, supply: Map, players: int, substitute: str = "B_then_N3p"
) -> tuple[list[str], list[str]]:
    """Return the tokens in the city and in the supplies after the effect of a column."""
    city, home = tokens_of(counters), tokens_of(supply)
    reformed = substitutes(players, substitute)
    if space <= 2:
        move_first_available(city, home, ["reformers", "burghers"])
    if space == 1:
        move_first_available(home, city, ["catholics", "habsburgs", NEUTRAL])
    if space >= 6:
        move_first_available(home, city, reformed)
    if space == 7:
        leaving = [token for token in city if token != "reformers"]
        city = [token for token in city if token == "reformers"]
        home += leaving
        for _ in leaving:
            move_first_available(home, city, reformed)
    return city, home


def substitutes(players: int, substitute: str) -> list[str]:
    """Return the factions that may place a counter in place of a Reformer, in order."""
    if substitute == "N":
        return ["reformers", "nobility", NEUTRAL] if players in (3, 5) else ["reformers", NEUTRAL]
    return (
        ["reformers", "burghers", "nobility", NEUTRAL] if players == 3 else ["reformers", "burghers", NEUTRAL]
    )


def move_first_available(source: list[str], target: list[str], wanted: list[str]) -> None:
    """Move the first available token of ``wanted`` from source to target."""
    for token in wanted:
        if token in source:
            source.remove(token)
            target.append(token)
            return


# 6.17


def holder(counters: Map) -> str | None:
    """Pair each own counter with a foreign one; a faction with a counter left over holds the card."""
    for faction in ALIGNMENT:
        own = [token for token in tokens_of(counters) if token == faction]
        foreign = [token for token in tokens_of(counters) if token != faction]
        while own and foreign:
            own.pop()
            foreign.pop()
        if own:
            return faction
    return None


# 6.10


def new_units(cities: list[int], towns: int, countryside: int, support: int, supply: int) -> tuple[int, Map]:
    """Count the allowance one counter at a time."""
    parts = {"cities": 0, "towns": 0, "countryside": 0, "support": 0}
    for links in cities:
        parts["cities"] += 1
        for _ in range(links):
            parts["cities"] += 1
    for number in range(1, countryside + 1):
        if number % 5 == 0:
            parts["countryside"] += 1
    parts["towns"], parts["support"] = towns, support
    got = 0
    for number in count(1):
        if got == supply or (number > 7 and number > sum(parts.values())):
            break
        got += 1
    return got, parts


# 6.4: cost of each additional army

FURTHER = {
    "catholics": [3, 4, 4],
    "habsburgs": [3, 3, 4],
    "nobility": [2, 3, 3],
    "burghers": [2, 2, 3],
    "reformers": [2, 2, 2],
}


def recruit_cost(faction: str, armies: int) -> int:
    return [0, *accumulate(FURTHER[faction])][armies]


# 6.1


def taxes(provinces: list[float], cities: int, rate: int, supply: int, *, partial: bool) -> int | None:
    """Take coins one by one: provinces, one per city, then the rate's extra; None if the rate is refused."""
    due = int(sum((Decimal(str(p)) for p in provinces), Decimal(0)).to_integral_value(ROUND_FLOOR))
    treasury = 0
    for _ in range(due + cities):
        if supply:
            treasury, supply = treasury + 1, supply - 1
        elif cities and rate > 1 and not partial:
            return None
    further = cities * (rate - 1) if cities else 0
    if further > supply and not partial:
        return None
    return treasury + min(further, supply)


# 6.15


def siege(
    besieger: str, counters: Map, supply: Map, *, two_players: bool, neutrals_too: bool = True
) -> tuple[list[str], list[str]]:
    """Replace tokens one by one: two by the besieger's, all others by neutral ones."""
    city, home = tokens_of(counters), tokens_of(supply)
    friends = {besieger}
    if two_players:
        pairs = [{"catholics", "habsburgs"}, {"burghers", "reformers"}]
        friends |= next((pair for pair in pairs if besieger in pair), set())
    rivals = [token for token in city if token != NEUTRAL and token not in friends]
    greys = [token for token in city if token == NEUTRAL]
    converting = [] if besieger == "water-beggars" else (rivals + (greys if neutrals_too else []))[:2]
    becoming_neutral = rivals[len([token for token in converting if token != NEUTRAL]) :]
    if besieger == "water-beggars":
        becoming_neutral = [token for token in city if token != NEUTRAL]
    for token in converting + becoming_neutral:
        city.remove(token)
        home.append(token)
    for wanted in [besieger] * len(converting) + [NEUTRAL] * len(becoming_neutral):
        if wanted in home:
            home.remove(wanted)
            city.append(wanted)
    return city, home


# 5.4, 6.12


def neutrals(
    round_: int, supply: int, choice: list[str], provinces: dict[str, tuple[int, int]]
) -> Map | None:
    """Deal neutrals round by round; None if a choice is needed and names too few provinces."""
    full = {p: limit - (1 if round_ == 0 else 0) for p, (limit, _) in provinces.items()}
    now = {p: total for p, (_, total) in provinces.items()}
    while True:
        below_target = [p for p in provinces if now[p] < full[p]]
        if len(below_target) > supply:
            break
        if not below_target:
            supply = 0
            break
        for p in below_target:
            now[p] += 1
            supply -= 1
    chosen_provinces: set[str] = set()
    for p in choice:
        if supply and p in below_target and p not in chosen_provinces:
            now[p] += 1
            supply -= 1
            chosen_provinces.add(p)
    return None if supply else {p: now[p] - total for p, (_, total) in provinces.items()}


# 5.8, 6.20


def turn_order(points: dict[str, float], order: list[str], choices: list[int]) -> tuple[list[str], list[str]]:
    """Return the order in which factions lay their cards, and the turn order that results.

    Cards are laid by points, ties by the old `order`. Each `choice` is the index at which a card is inserted
    among those laid before it.
    """
    waiting, laid = list(order), []
    while waiting:
        best = max(points.get(f, 0) for f in waiting)
        first = next(f for f in waiting if points.get(f, 0) == best)
        waiting.remove(first)
        laid.append(first)
    row: list[str] = []
    for card, place in zip(laid, [0, *choices], strict=True):
        right = row[place:]
        del row[place:]
        row += [card, *right]
    return laid, row


# 4.3, 5.8, 6.20


def score(
    faction: str, players: int, held: tuple[int, list[float], list[float], int], *, final: bool
) -> dict[str, Decimal]:
    """Return points in decimals, card by card; the Nobility scores started groups of counters."""
    cities, provinces, small, n = held
    points = {part: Decimal(0) for part in ("cities", "provinces", "minor_provinces", "objective")}
    for _ in range(cities):
        points["cities"] += 1
    for card in provinces:
        points["provinces"] += Decimal(str(card))
    for card in small if final else []:
        points["minor_provinces"] += Decimal(str(card))
    size = {3: 5, 5: 3}[players] if faction == "nobility" else 1
    points["objective"] = Decimal(len(range(0, n, size)))
    return points

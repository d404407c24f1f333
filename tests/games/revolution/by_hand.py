"""Second implementation of Revolution's computations: conflict, battle, siege, influence, new units, points.

Plain dictionaries and the algorithms of the digest (part 5), without imports from the game;
``test_by_hand.py`` checks them against the worked examples of the digest. Each result comes with an
explanation, which the recorded games carry beside their expectations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

C, H, N, B, R = FACTIONS = ("catholics", "habsburgs", "nobility", "burghers", "reformers")
X = "neutral"
LETTER = {C: "C", H: "H", N: "N", B: "B", R: "R", X: "X"}
FIRST_UNITS = {C: 7, H: 6, N: 5, B: 4, R: 3}  # A3
PRICES = {  # A16: cost of none, one, two or three armies
    C: (0, 3, 7, 11),
    H: (0, 3, 6, 10),
    N: (0, 2, 5, 8),
    B: (0, 2, 4, 7),
    R: (0, 2, 4, 6),
}

Counts = dict[str, int]


def short(counts: Mapping[str, int]) -> str:
    """Format counts as ``C 2, X 1``."""
    return ", ".join(f"{LETTER[f]} {counts[f]}" for f in LETTER if counts.get(f)) or "nothing"


def without_zeros(counts: Mapping[str, int]) -> Counts:
    return {f: counts[f] for f in LETTER if counts.get(f)}


# A4: conflict


def conflict(here: Mapping[str, int], limit: int) -> tuple[Counts, str]:
    """Return the counters left in a province, and the order of losses."""
    left = without_zeros(here)
    notes = []
    while sum(left.values()) > limit and len(left) > 1:
        for size in sorted(set(left.values())):
            if sum(left.values()) <= limit or len(left) <= 1:
                break
            losers = [f for f in left if left[f] == size]
            for f in losers:
                left[f] -= 1
            # Factions that lost have ``size - 1`` now, so this pass does not reach them again.
            left = {f: n for f, n in left.items() if n}
            notes.append(f"{'+'.join(LETTER[f] for f in losers)} {sum(left.values())}")
    return left, f"{short(here)}, limit {limit}: {', '.join(notes)}"


# A17: battle


def battle(armies: Mapping[str, int], allies: Sequence[set[str]]) -> tuple[Counts, str]:
    """Return the armies left in a strip."""
    left = {f: armies[f] for f in FACTIONS if armies.get(f)}
    notes = []
    while len(left) > 1 and sum(left.values()) > 2 and set(left) not in allies:
        lowest, *_, highest = left  # in alignment order
        notes.append(f"{LETTER[lowest]}-{LETTER[highest]}")
        left[lowest] -= 1
        left[highest] -= 1
        left = {f: n for f, n in left.items() if n}
    return left, f"{short(armies)}: {', '.join(notes)}"


# A23: siege


def siege(
    city: Mapping[str, int], besieger: str, allies: set[str], supplies: Mapping[str, int]
) -> tuple[Counts, str]:
    """Return a city after an army's siege: two counters change sides, other rivals become neutral."""
    rivals = {f: n for f, n in city.items() if n and f not in (besieger, X) and f not in allies}
    there, neutrals = sum(rivals.values()), city.get(X, 0)
    changing = min(2, there + neutrals)
    turned = min(changing, there)
    rest = there - turned
    kept = {f: n for f, n in city.items() if f in allies}
    own = min(changing, supplies[besieger])
    after = {
        **kept,
        besieger: city.get(besieger, 0) + own,
        X: neutrals - (changing - turned) + min(rest, supplies[X]),
    }
    notes = [f"{short(city)}: {changing} change sides"]
    if own < changing:
        notes.append(f"{LETTER[besieger]} has only {own} left for them")
    if rest:
        notes.append(f"{rest} more become neutral")
    if rest > supplies[X]:
        notes.append(f"X has only {supplies[X]} left for them")
    return without_zeros(after), ", ".join(notes)


def beggar_siege(city: Mapping[str, int], supplies: Mapping[str, int]) -> tuple[Counts, str]:
    """Return a city after the Water Beggars' siege: all counters become neutral, as far as supply allows."""
    there = sum(n for f, n in city.items() if f != X)
    after = {X: city.get(X, 0) + min(there, supplies[X])}
    notes = f"{short(city)}: {there} become neutral"
    if there > supplies[X]:
        notes += f", X has only {supplies[X]} left for them"
    return without_zeros(after), notes


# A24: influence


def influence(start: int, order: Sequence[str], coins: Mapping[str, int]) -> tuple[int, str]:
    """Return the column of a marker after all coins are spent."""
    at, notes = start, [f"{start}"]
    for f in order:
        if f == N or not coins.get(f):
            continue
        step = -1 if f in (C, H) else 1
        for _ in range(coins[f]):
            if 1 <= at + step <= 7:
                at += step
        notes.append(f"{LETTER[f]} {coins[f]} to {at}")
    if coins.get(N):
        for _ in range(coins[N]):
            at += (at < 4) - (at > 4)
        notes.append(f"N {coins[N]} to {at}")
    end = max(start - 3, min(start + 3, at))
    if end != at:
        notes.append(f"no more than three columns: {end}")
    return end, ", ".join(notes)


class City:
    """A city and all supplies while the effect of a column is applied."""

    def __init__(self, inside: Mapping[str, int], supplies: Mapping[str, int]) -> None:
        self.inside, self.supplies = Counter(inside), Counter(supplies)
        self.notes: list[str] = []

    def remove(self, f: str, count: int = 1) -> None:
        self.inside[f] -= count
        self.supplies[f] += count
        self.notes.append(f"-{count} {LETTER[f]}")

    def add(self, *wanted: str) -> None:
        """Add a counter of the first faction with supply, else a neutral one if available."""
        for f in (*wanted, X):
            if self.supplies[f]:
                self.supplies[f] -= 1
                self.inside[f] += 1
                self.notes.append(f"+1 {LETTER[f]}")
                return


def allegiance(
    column: int, inside: Mapping[str, int], supplies: Mapping[str, int], players: int
) -> tuple[Counts, str]:
    """Return a city after the effect of its column; supplies may run out meanwhile."""
    city = City(inside, supplies)
    reformed = (R, B, N) if players == 3 else (R, B)
    expelled = next((f for f in (R, B) if inside.get(f)), None)
    if column in (1, 2) and expelled:
        city.remove(expelled)
    if column == 1:
        city.add(C, H)
    if column in (6, 7):
        city.add(*reformed)
    if column == 7:
        replaced = {f: n for f, n in city.inside.items() if n and f != R}
        for f, n in replaced.items():
            city.remove(f, n)
        for _ in range(sum(replaced.values())):
            city.add(*reformed)
    notes = ", ".join(city.notes) or "nobody to remove"
    return without_zeros(city.inside), f"{short(inside)}, column {column}: {notes}"


# A22: new units


def allowance(
    cities: Mapping[str, Sequence[str]], towns: int, countryside: int, support: int, supply: int
) -> tuple[int, str]:
    """Return the number of new units; ``cities`` maps each city card held to the links held as well."""
    from_cities = sum(1 + len(links) for links in cities.values())
    entitled = from_cities + towns + countryside // 5 + support
    notes = (
        f"cities {from_cities} + towns {towns} + countryside {countryside}/5 + support {support} = {entitled}"
    )
    count = max(7, entitled)
    if count > entitled:
        notes += ", at least 7"
    if count > supply:
        notes += f", supply {supply}"
    return min(count, supply), notes


# A5, A6: neutrals


def handed_out(needs: Mapping[str, int], supply: int, picked: Sequence[str]) -> Counts:
    """Return the neutrals for each province, distributed one per province and pass."""
    put = dict.fromkeys(needs, 0)
    while supply:
        wanting = [p for p in needs if put[p] < needs[p]]
        if not wanting:
            break
        if supply < len(wanting):
            assert len(set(picked)) == len(picked) == supply, (picked, supply)
            assert set(picked) <= set(wanting), (picked, wanting)
            wanting = list(picked)
        for p in wanting:
            put[p] += 1
        supply -= len(wanting)
    return {p: n for p, n in put.items() if n}


# A9 to A12: control, bishoprics, universities


def majority(counts: Mapping[str, int]) -> str | None:
    """Return the faction with more than half of the counters; never the neutrals."""
    total = sum(counts.values())
    return next((f for f in FACTIONS if 2 * counts.get(f, 0) > total), None)


FIRST_BISHOP = {C: "strongly-catholic", B: "reformed", R: "strongly-reformed"}
SC, CA, RE, SR = COLUMNS = ("strongly-catholic", "catholic", "reformed", "strongly-reformed")
BISHOP: Mapping[str | None, Mapping[str, str]] = {  # A11: controller -> from -> to
    C: {SC: SC, CA: SC, RE: CA, SR: RE},
    H: {SC: CA, CA: CA, RE: CA, SR: RE},
    None: {SC: CA, CA: CA, RE: CA, SR: RE},
    N: {SC: SC, CA: CA, RE: RE, SR: SR},
    B: {SC: CA, CA: RE, RE: RE, SR: RE},
    R: {SC: CA, CA: RE, RE: SR, SR: SR},
}
FROM_THE_START = ("city:koeln", "town:leuven")  # universities that are never absent


def first_university(place: str, controller: str | None) -> str:
    if place in FROM_THE_START:
        return "reformed" if controller in (B, R) else "catholic"
    return "reformed" if controller == R else "absent"


def later_university(place: str, before: str, controller: str | None) -> str:
    if controller == R:
        return "reformed"
    if place in FROM_THE_START:
        return before if controller in (N, B) else "catholic"
    return "absent" if controller in (C, H) else before


# Part 6: points


SPECIAL = {C: "bishoprics", H: "garrisons", B: "commercial towns", R: "universities"}


def points(
    f: str,
    *,
    cities: Sequence[str],
    provinces: Mapping[str, Fraction],
    special: int,
    small: Mapping[str, Fraction] | None,
    share: int | None,
) -> tuple[dict[str, Fraction], str]:
    """Return points by source. ``small`` is None before the last round; the Nobility divides by ``share``."""
    objective = f"{SPECIAL.get(f)} {special}"
    if f == N and share:
        counters, special = special, special // share + (special % share > 0)
        objective = f"{counters} counters / {share} = {special}"
    parts = {
        "cities": Fraction(len(cities)),
        "provinces": sum(provinces.values(), Fraction(0)),
        "minor_provinces": sum((small or {}).values(), Fraction(0)),
        "objective": Fraction(special),
    }
    shown = [f"cities {len(cities)} ({', '.join(cities)})", f"provinces {_added(provinces)}"]
    if small is not None:
        shown.append(f"small provinces {_added(small)}")
    total = sum(parts.values(), Fraction(0))
    return parts, f"{' + '.join([*shown, objective])}; together {decimal(total)}".replace(" ()", "")


def _added(cards: Mapping[str, Fraction]) -> str:
    shown = ", ".join(f"{card} {decimal(n)}" for card, n in cards.items())
    return f"{decimal(sum(cards.values(), Fraction(0)))} ({shown})"


def decimal(number: Fraction) -> str:
    return f"{float(number):g}"

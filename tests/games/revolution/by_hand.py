"""The sums of Revolution as people do them with a pencil: conflict, battle, siege, influence, new units, points.

Plain dictionaries and the algorithms of the digest (part 5); nothing here is imported from the game, and
``test_by_hand.py`` checks the sums against the digest's own worked examples. Each sum
comes with a line that shows how it was worked out; the recorded games carry these lines beside what they expect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

C, H, N, B, R = FACTIONS = ("catholics", "habsburgs", "nobility", "burghers", "reformers")
X = "neutral"
LETTER = {C: "C", H: "H", N: "N", B: "B", R: "R", X: "X"}
FIRST_UNITS = {C: 7, H: 6, N: 5, B: 4, R: 3}  # A3
PRICES = {  # A16: for none, one, two or three armies
    C: (0, 3, 7, 11),
    H: (0, 3, 6, 10),
    N: (0, 2, 5, 8),
    B: (0, 2, 4, 7),
    R: (0, 2, 4, 6),
}

Counts = dict[str, int]


def short(counts: Mapping[str, int]) -> str:
    """``C 2, X 1``"""
    return ", ".join(f"{LETTER[f]} {counts[f]}" for f in LETTER if counts.get(f)) or "nothing"


def without_zeros(counts: Mapping[str, int]) -> Counts:
    return {f: counts[f] for f in LETTER if counts.get(f)}


# A4: conflict


def conflict(here: Mapping[str, int], limit: int) -> tuple[Counts, str]:
    """What is left in a province, and who lost when."""
    left = without_zeros(here)
    told = []
    while sum(left.values()) > limit and len(left) > 1:
        for size in sorted(set(left.values())):
            if sum(left.values()) <= limit or len(left) <= 1:
                break
            losers = [f for f in left if left[f] == size]
            for f in losers:
                left[f] -= 1
            # Whoever has lost in this pass has ``size - 1`` now, and is met again in the next pass only.
            left = {f: n for f, n in left.items() if n}
            told.append(f"{'+'.join(LETTER[f] for f in losers)} {sum(left.values())}")
    return left, f"{short(here)}, limit {limit}: {', '.join(told)}"


# A17: battle


def battle(armies: Mapping[str, int], allies: Sequence[set[str]]) -> tuple[Counts, str]:
    """The armies that are left in a strip."""
    left = {f: armies[f] for f in FACTIONS if armies.get(f)}
    told = []
    while len(left) > 1 and sum(left.values()) > 2 and set(left) not in allies:
        lowest, *_, highest = left  # in the order of the alignment
        told.append(f"{LETTER[lowest]}-{LETTER[highest]}")
        left[lowest] -= 1
        left[highest] -= 1
        left = {f: n for f, n in left.items() if n}
    return left, f"{short(armies)}: {', '.join(told)}"


# A23: siege


def siege(
    city: Mapping[str, int], besieger: str, allies: set[str], supplies: Mapping[str, int]
) -> tuple[Counts, str]:
    """A city after an army's siege: two counters change sides, other rivals become neutral."""
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
    told = [f"{short(city)}: {changing} change sides"]
    if own < changing:
        told.append(f"{LETTER[besieger]} has only {own} left for them")
    if rest:
        told.append(f"{rest} more become neutral")
    if rest > supplies[X]:
        told.append(f"X has only {supplies[X]} left for them")
    return without_zeros(after), ", ".join(told)


def beggar_siege(city: Mapping[str, int], supplies: Mapping[str, int]) -> tuple[Counts, str]:
    """A city after the Water Beggars: everything is neutral, as far as there are neutrals."""
    there = sum(n for f, n in city.items() if f != X)
    after = {X: city.get(X, 0) + min(there, supplies[X])}
    told = f"{short(city)}: {there} become neutral"
    if there > supplies[X]:
        told += f", X has only {supplies[X]} left for them"
    return without_zeros(after), told


# A24: influence


def influence(start: int, order: Sequence[str], coins: Mapping[str, int]) -> tuple[int, str]:
    """The column of a marker when all coins are spent."""
    at, told = start, [f"{start}"]
    for f in order:
        if f == N or not coins.get(f):
            continue
        step = -1 if f in (C, H) else 1
        for _ in range(coins[f]):
            if 1 <= at + step <= 7:
                at += step
        told.append(f"{LETTER[f]} {coins[f]} to {at}")
    if coins.get(N):
        for _ in range(coins[N]):
            at += (at < 4) - (at > 4)
        told.append(f"N {coins[N]} to {at}")
    end = max(start - 3, min(start + 3, at))
    if end != at:
        told.append(f"no more than three columns: {end}")
    return end, ", ".join(told)


class City:
    """A city and everybody's supply while the effect of a column is carried out."""

    def __init__(self, inside: Mapping[str, int], supplies: Mapping[str, int]) -> None:
        self.inside, self.supplies = Counter(inside), Counter(supplies)
        self.told: list[str] = []

    def remove(self, f: str, count: int = 1) -> None:
        self.inside[f] -= count
        self.supplies[f] += count
        self.told.append(f"-{count} {LETTER[f]}")

    def add(self, *wanted: str) -> None:
        """One of the first that has any left; else a neutral, if there is one."""
        for f in (*wanted, X):
            if self.supplies[f]:
                self.supplies[f] -= 1
                self.inside[f] += 1
                self.told.append(f"+1 {LETTER[f]}")
                return


def allegiance(
    column: int, inside: Mapping[str, int], supplies: Mapping[str, int], players: int
) -> tuple[Counts, str]:
    """A city after the effect of its column; supplies may run out on the way."""
    city = City(inside, supplies)
    reformed = (R, B, N) if players == 3 else (R, B)
    hated = next((f for f in (R, B) if inside.get(f)), None)
    if column in (1, 2) and hated:
        city.remove(hated)
    if column == 1:
        city.add(C, H)
    if column in (6, 7):
        city.add(*reformed)
    if column == 7:
        going = {f: n for f, n in city.inside.items() if n and f != R}
        for f, n in going.items():
            city.remove(f, n)
        for _ in range(sum(going.values())):
            city.add(*reformed)
    told = ", ".join(city.told) or "nobody to remove"
    return without_zeros(city.inside), f"{short(inside)}, column {column}: {told}"


# A22: new units


def allowance(
    cities: Mapping[str, Sequence[str]], towns: int, countryside: int, support: int, supply: int
) -> tuple[int, str]:
    """How many new units; ``cities`` are the cards held, each with the places on it that are held too."""
    from_cities = sum(1 + len(links) for links in cities.values())
    found = from_cities + towns + countryside // 5 + support
    told = f"cities {from_cities} + towns {towns} + countryside {countryside}/5 + support {support} = {found}"
    count = max(7, found)
    if count > found:
        told += ", at least 7"
    if count > supply:
        told += f", supply {supply}"
    return min(count, supply), told


# A5, A6: neutrals


def handed_out(needs: Mapping[str, int], supply: int, picked: Sequence[str]) -> Counts:
    """How many neutrals each province gets, one layer after the other."""
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
    """Who has more than all others together; never the neutrals."""
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


def first_university(place: str, holder: str | None) -> str:
    if place in FROM_THE_START:
        return "reformed" if holder in (B, R) else "catholic"
    return "reformed" if holder == R else "absent"


def later_university(place: str, before: str, holder: str | None) -> str:
    if holder == R:
        return "reformed"
    if place in FROM_THE_START:
        return before if holder in (N, B) else "catholic"
    return "absent" if holder in (C, H) else before


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
    """The parts of a score. ``small`` is None before the last round; the Nobility divides by its ``share``."""
    aim = f"{SPECIAL.get(f)} {special}"
    if f == N and share:
        counters, special = special, special // share + (special % share > 0)
        aim = f"{counters} counters / {share} = {special}"
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
    return parts, f"{' + '.join([*shown, aim])}; together {decimal(total)}".replace(" ()", "")


def _added(cards: Mapping[str, Fraction]) -> str:
    shown = ", ".join(f"{card} {decimal(n)}" for card, n in cards.items())
    return f"{decimal(sum(cards.values(), Fraction(0)))} ({shown})"


def decimal(number: Fraction) -> str:
    return f"{float(number):g}"

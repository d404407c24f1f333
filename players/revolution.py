"""Heuristic for Revolution: control cities and provinces, and pursue the faction's special goal.

The game has no random outcomes. Layouts that need the consent of others are excluded: a player lays
out a province only where no other faction moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from games.core.codec import Json
from games.core.flow import is_over
from games.core.prompts import Plan, Prompt
from games.revolution import bishoprics, influence, universities
from games.revolution.board import Province
from games.revolution.factions import (
    BURGHERS,
    CATHOLICS,
    HABSBURGS,
    NEUTRAL,
    NOBILITY,
    REFORMERS,
    allies_of,
)
from games.revolution.movement import Lay, layout_of, put
from games.revolution.persuasion import beside, column
from games.revolution.pieces import ARMY, COUNTER, SUPPLY
from games.revolution.scoring import NOBILITY_SHARE
from games.revolution.state import LAST_ROUND, TREASURY, State, alliances, atlas, open_places
from players.chance import Chance
from players.heuristic import Sense, compared
from players.randomly import Generator

# Value of a share of the counters in a city or province, besides the points of its card.
CITY_SHARE, PROVINCE_SHARE = 0.5, 0.3
TAX_WORTH = 0.2
TOWN_WORTH = 0.25
COIN_WORTH, ENOUGH_COINS = 0.2, 8
SUPPLY_WORTH, ENOUGH_SUPPLY = 0.06, 14
ARMY_WORTH = 0.45
SUPPORT_WORTH = 0.2
COLUMN_WORTH = 0.08  # per column of the allegiance chart towards the faction's own end
QUARREL = 0.6  # minimum gain for insisting on movement in turn

CATHOLIC = (bishoprics.STRONGLY_CATHOLIC, bishoprics.CATHOLIC)

Counts = Mapping[str, int]


# Narrowed prompts


def _sole_mover(_state: State, prompt: Prompt, _dealt: None, _generator: Generator) -> Prompt | None:
    """Restrict the prompt to provinces where only this faction moves; others would have to agree (6.14)."""
    (field,) = prompt.fields
    provinces: Mapping[str, Json] = field.bounds()["provinces"]
    mine = {slug: row for slug, row in provinces.items() if row["movers"] == [prompt.faction]}
    if not mine:
        return None
    return replace(prompt, fields=(Plan(field.names, _RandomLayout(mine), {"provinces": mine}),))


class _RandomLayout:
    """Draws a random layout of one of the given provinces."""

    def __init__(self, provinces: Mapping[str, Json]) -> None:
        self.provinces = provinces

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        slug = sorted(self.provinces)[below(len(self.provinces))]
        row = self.provinces[slug]
        lay: Lay = {}
        for lines in row["layout"].values():
            for owner, count in lines.items():
                for _ in range(count):
                    free = [p for p in row["places"] if not (p.startswith("town:") and p in lay)]
                    put(lay, free[below(len(free))], owner, 1)
        return slug, lay


CHANCE = Chance(narrowed={"layout": _sole_mover})


# Evaluation of a state


@dataclass(frozen=True, slots=True)
class Table:
    """Counters and armies by place, indexed in one pass over the ledger."""

    counters: Mapping[str, Counts]  # place -> owner -> counters
    armies: Mapping[str, Counts]

    @classmethod
    def of(cls, state: State) -> Table:
        index: dict[str, dict[str, dict[str, int]]] = {COUNTER: {}, ARMY: {}}
        for owner, piece, place, count in state.ledger.holdings():
            if piece in index:
                index[piece].setdefault(place, {})[owner] = count
        return cls(index[COUNTER], index[ARMY])

    def at(self, place: str) -> Counts:
        return self.counters.get(place, {})


def _worth(state: State) -> dict[str, float]:
    land, table = atlas(state), Table.of(state)
    columns = {city: _column(state, table, city) for city in land.cities}
    worths = {faction: _means(state, table, columns, faction) for faction in state.order}
    for province in land.provinces.values():
        lay = {place: table.at(place) for place in (province.countryside, *province.towns)}
        lay |= {city: _city_after_round(table, columns, city) for city in province.cities}
        for faction, worth in _in_province(state, province, lay).items():
            worths[faction] += worth
    if CATHOLICS in worths:
        worths[CATHOLICS] += 0.6 * sum(column in CATHOLIC for column in state.bishoprics.values())
    allies = alliances(state)
    return {f: w + sum(worths[ally] for ally in allies_of(f, allies)) for f, w in worths.items()}


def _means(state: State, table: Table, columns: Mapping[str, int], faction: str) -> float:
    """Value coins, counters, armies and support, while there is a round left to use them."""
    on_board = [place for place, lines in table.armies.items() if faction in lines and place != SUPPLY]
    active = [place for place in on_board if not place.startswith("released:")]
    garrisons = {_region(state, place) for place in active}
    worth = float(len(garrisons)) if faction == HABSBURGS else 0.0
    if is_over(state):
        return worth
    rounds_left = LAST_ROUND - state.round + 1
    boxes = sum(place.startswith("support:") and faction in lines for place, lines in table.counters.items())
    distance = sum(abs(influence.AIMS[faction] - column) for column in columns.values())
    return (
        worth
        + COIN_WORTH * min(table.at(TREASURY).get(faction, 0), ENOUGH_COINS)
        + SUPPLY_WORTH * min(table.at(SUPPLY).get(faction, 0), ENOUGH_SUPPLY)
        + ARMY_WORTH * (len(garrisons) + 0.5 * sum(table.armies[place][faction] for place in active))
        + SUPPORT_WORTH * boxes * min(rounds_left, 3) / 3
        - COLUMN_WORTH * distance
    )


def _region(state: State, place: str) -> str:
    """Return the region of an army in a command strip or besieging a city."""
    kind, _, slug = place.partition(":")
    return atlas(state).region_of(f"city:{slug}").slug if kind == "siege" else slug


def _column(state: State, table: Table, city: str) -> int:
    """Return the column of a city's allegiance marker after its influence is resolved (6.16)."""
    start, coins = column(state, city), table.at(beside(city))
    return influence.resolve(start, state.order, coins).end if coins else start


def _city_after_round(table: Table, columns: Mapping[str, int], city: str) -> Counts:
    """Return the counters in a city at the end of the round, after siege and allegiance effects."""
    slug = city.partition(":")[2]
    besiegers = table.armies.get(f"siege:{slug}", {})
    return _after_allegiance(_after_siege(table.at(city), next(iter(besiegers), None)), columns[slug])


def _after_siege(lines: Counts, besieger: str | None) -> Counts:
    """Return the counters after a siege: two become the besieger's, the rest neutral (6.15)."""
    if besieger is None:
        return lines
    others = sum(count for owner, count in lines.items() if owner != besieger)
    own = lines.get(besieger, 0) + min(2, others)
    return {owner: n for owner, n in ((besieger, own), (NEUTRAL, max(0, others - 2))) if n}


def _after_allegiance(lines: Counts, space: int) -> Counts:
    """Return the counters after the effects of the citizens' allegiance (6.16)."""
    after = dict(lines)
    if space <= influence.CATHOLIC_END + 1:
        loser = next((f for f in (REFORMERS, BURGHERS) if after.get(f)), None)
        if loser:
            after[loser] -= 1
    if space == influence.CATHOLIC_END:
        after[CATHOLICS] = after.get(CATHOLICS, 0) + 1
    if space >= influence.REFORMED_END - 1:
        after[REFORMERS] = after.get(REFORMERS, 0) + 1
    if space == influence.REFORMED_END:
        after = {REFORMERS: sum(after.values())}
    return after


# A province


def _in_province(state: State, province: Province, lay: Mapping[str, Counts]) -> dict[str, float]:
    """Return the worth of a province's layout to each faction: cards, towns and special goals."""
    worths = dict.fromkeys(state.order, 0.0)
    outside: dict[str, int] = {}
    for place in (province.countryside, *province.towns):
        for owner, count in lay.get(place, {}).items():
            outside[owner] = outside.get(owner, 0) + count
    final = float(province.minor) if province.limit == 1 and state.round == LAST_ROUND else 0.0
    card = float(province.points) + final + TAX_WORTH * float(province.tax)
    if province.slug in atlas(state).bishoprics:
        _bishopric(worths, outside)
    _share(worths, outside, card, PROVINCE_SHARE)
    for city in province.cities:
        _share(worths, lay.get(city, {}), 1.0, CITY_SHARE)
    for place in (*province.cities, *province.towns):
        _special_goals(state, worths, place, _majority(lay.get(place, {})))
    if NOBILITY in worths:
        worths[NOBILITY] += outside.get(NOBILITY, 0) / NOBILITY_SHARE[state.setup.players]
    return worths


def _majority(lines: Counts) -> str | None:
    total = sum(lines.values())
    return next((owner for owner, count in lines.items() if owner != NEUTRAL and 2 * count > total), None)


def _share(worths: dict[str, float], lines: Counts, card: float, share: float) -> None:
    """Add the card for a majority, and a part of it in proportion to the counters."""
    total = sum(lines.values())
    for owner, count in lines.items():
        if owner in worths:
            worths[owner] += share * (card + 0.3) * count / max(total, 1)
            worths[owner] += card if 2 * count > total else 0.0


def _bishopric(worths: dict[str, float], outside: Counts) -> None:
    """Add the Catholics' gain or loss, as the bishopric marker follows the province's control (6.18)."""
    holder = _majority(outside)
    if CATHOLICS in worths and holder in (BURGHERS, REFORMERS):
        worths[CATHOLICS] -= 0.6
    if CATHOLICS in worths and holder == CATHOLICS:
        worths[CATHOLICS] += 0.4


def _special_goals(state: State, worths: dict[str, float], place: str, holder: str | None) -> None:
    """Add the worth of controlled towns, commercial towns and universities (4.3)."""
    if holder in worths and place.startswith("town:"):
        worths[holder] += TOWN_WORTH
    if holder == BURGHERS and BURGHERS in worths and place in atlas(state).commercial:
        worths[BURGHERS] += 1.0
    if REFORMERS in worths and place in atlas(state).universities:
        reformed = state.universities.get(place) == universities.REFORMED
        kept = reformed and holder not in (CATHOLICS, HABSBURGS)
        worths[REFORMERS] += 1.0 if holder == REFORMERS or kept else 0.0


# Movement inside provinces


def _lay_out(state: State, prompt: Prompt, _generator: Generator) -> Iterator[dict[str, Json]]:
    """Yield the first layout that improves a province where the faction moves alone (6.14)."""
    for slug, (gain, lay) in _best_layouts(state, prompt).items():
        if gain > 0:
            yield {"type": prompt.action, "province": slug, "layout": lay}
            return


def _dispute(state: State, prompt: Prompt, _generator: Generator) -> Iterator[dict[str, Json]]:
    """Insist on movement in turn in the province with the largest gain, if it exceeds ``QUARREL`` (6.14)."""
    layouts = _best_layouts_in(state, prompt.faction, [str(s) for s in _provinces_of(prompt)])
    best = max(layouts, key=lambda slug: layouts[slug][0], default=None)
    if best is not None and layouts[best][0] > QUARREL:
        yield {"type": prompt.action, "province": best}


def _step(state: State, prompt: Prompt, _generator: Generator) -> Iterator[dict[str, Json]]:
    slug, (_gain, lay) = max(_best_layouts(state, prompt).items(), key=lambda item: item[1][0])
    yield {"type": prompt.action, "province": slug, "layout": lay}


def _settled(_state: State, _prompt: Prompt, _generator: Generator) -> Iterator[dict[str, Json]]:
    """Propose nothing: the party enters it once no player wants to move."""
    yield from ()


def _provinces_of(prompt: Prompt) -> list[Json]:
    (field,) = prompt.fields
    return [field.element(index)[0] for index in range(field.size())]


def _best_layouts(state: State, prompt: Prompt) -> dict[str, tuple[float, Lay]]:
    rows: Mapping[str, Json] = prompt.fields[0].bounds()["provinces"]
    return _best_layouts_in(state, prompt.faction, list(rows))


def _best_layouts_in(state: State, faction: str, slugs: Sequence[str]) -> dict[str, tuple[float, Lay]]:
    """Return for each province the gain of a faction's best layout over the present one, and that layout."""
    best_layouts = {}
    disputes: Mapping[str, Sequence[str]] = state.frames[-1].data.get("disputes", {})
    for slug in slugs:
        province = atlas(state).provinces[slug]
        now = layout_of(state, province)
        places = open_places(state, province)
        orders = _orders(state, places, faction)
        lays = [_arranged(now, places, faction, disputes.get(slug, ()), order) for order in orders]
        before = _value(state, province, now, faction)
        gain, best = max(
            ((_value(state, province, lay, faction) - before, lay) for lay in lays), key=lambda way: way[0]
        )
        best_layouts[slug] = (gain, best) if gain > 0 else (0.0, now)
    return best_layouts


def _value(state: State, province: Province, lay: Lay, faction: str) -> float:
    changed: dict[str, Counts] = {
        place: _after_allegiance(lines, column(state, place.partition(":")[2]))
        if place.startswith("city:")
        else lines
        for place, lines in lay.items()
    }
    return compared(_in_province(state, province, changed), faction)


def _orders(state: State, places: Sequence[str], faction: str) -> list[list[tuple[str, int]]]:
    """Return some strategies: places to occupy in order, each with the number of counters wanted."""
    wanted = atlas(state).commercial if faction == BURGHERS else atlas(state).universities
    best_first = sorted(places, key=lambda place: (place not in wanted, place))
    towns = [(place, 1) for place in best_first if place.startswith("town:")]
    cities = [place for place in best_first if place.startswith("city:")]
    return [
        towns,
        [*towns, *((city, 2) for city in cities)],
        [*((city, 2) for city in cities), *towns],
        [*((city, 3) for city in cities[:1]), *towns],
        [(city, 1) for city in cities],
    ]


def _arranged(
    now: Lay, places: Sequence[str], faction: str, moved: Sequence[str], order: Sequence[tuple[str, int]]
) -> Lay:
    """Return the layout with own counters at these places, displacing factions that have not moved (6.14).

    Counters that are displaced or left over go to the countryside.
    """
    countryside = places[0]
    taken: dict[str, int] = {}
    own = sum(lines.get(faction, 0) for lines in now.values())
    for place, wanted in order:
        there = sum(count for owner, count in now.get(place, {}).items() if owner in moved)
        need = 1 if place.startswith("town:") else max(wanted, there + 1)
        if own >= need and not (place.startswith("town:") and there):
            taken[place] = need
            own -= need
    lay: Lay = {}
    for place, lines in now.items():
        for owner, count in lines.items():
            if owner != faction:
                pushed = place in taken and owner not in moved
                put(lay, countryside if pushed else place, owner, count)
    for place, count in (*taken.items(), (countryside, own)):
        put(lay, place, faction, count)
    return {place: lay[place] for place in places if place in lay}


SENSE = Sense(
    worth=_worth,
    ideas={"layout": _lay_out, "dispute": _dispute, "step": _step, "settled": _settled},
    tries={"place": 10, "influence": 8, "support": 6, "overflow": 4, "shortage": 1, "draft": 6},
)

"""Second implementation of Revolution: an account book that replays a game from its entries alone.

It runs the phases of the digest (part 4) on a plain dictionary of pieces with the computations of
``by_hand``; of the game it uses only the printed figures of the board. It determines by itself who has to
enter something, consumes that entry, and checks that pieces, money and moves are possible.

Where the digest leaves a choice open the book follows the game, and so proves nothing about it: who chooses
the losses in a conflict, the default order of losses in towns (board order), which of several armies leaves
a strip (one that was not driven back), that staying Water Beggars go home when an army stands alone before
them, that an empty city can be besieged, and the order in which released armies pillage.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from tests.games.revolution import by_hand
from tests.games.revolution.by_hand import FACTIONS, B, C, Counts, H, N, R, X

BOARD = Path(__file__).parents[3] / "games" / "revolution" / "board.toml"
START = {  # part 3
    C: "town:arras city:koeln town:leuven town:mons city:liege town:tournai town:trier city:utrecht",
    H: "city:antwerpen city:antwerpen city:luxembourg city:luxembourg town:duinkerken town:nijmegen "
    "town:valenciennes",
    N: "city:aachen city:amsterdam town:breda city:brussels town:cleve town:delft",
    B: "town:arnhem town:dordrecht city:haarlem town:middelburg town:rotterdam",
    R: "town:alkmaar city:brugge city:gent city:leiden",
}
START_BOXES = {  # part 3; half-coloured cells before others
    N: ("french-support", "french-support", "support-from-the-emperor", "support-from-the-emperor"),
    B: ("london-merchants", "london-merchants", "london-merchants", "huguenots"),
    R: ("calvinists",) * 4,
}
TAKEN = {2: (40, 6), 3: (56, 8), 4: (40, 6), 5: (32, 6)}  # players -> counters and armies (digest 1.4)
SHARE = {3: 5, 5: 3}  # players -> counters of the Nobility per point
HOSTILE = (C, H, N)  # to the Water Beggars
LAST = 5

Entry = Mapping[str, Any]
Piece = tuple[str, str, str]  # owner, piece, place


@dataclass(frozen=True)
class Line:
    """A computation: its name, result and explanation."""

    name: str
    result: Any
    sum: str


@dataclass
class Page:
    """The book's state when the next entry is read."""

    pieces: Counter[Piece]
    round: int
    phase: str
    order: list[str]
    facts: dict[str, Any]
    lines: list[Line]  # computed since the previous page
    changes: list[tuple[str, str, str, int]]  # owner, place (supply or treasury), section, difference


@dataclass
class Book:
    """Account book of one game."""

    factions: Sequence[str]
    players: int
    neutral_pool: int
    entries: Sequence[Entry]
    board: dict[str, Any] = field(default_factory=lambda: tomllib.loads(BOARD.read_text("utf-8")))
    pieces: Counter[Piece] = field(default_factory=Counter)
    pages: list[Page] = field(default_factory=list)
    round: int = 0
    phase: str = "setup"
    read: int = 0  # number of entries read

    def __post_init__(self) -> None:
        self.order = [f for f in FACTIONS if f in self.factions]
        self.provinces: dict[str, Any] = self.board["provinces"]
        self.regions: dict[str, Any] = self.board["regions"]
        self.city_names = list(self.board["cities"])
        self.city_cards: dict[str, str] = {}
        self.province_cards: dict[str, str] = {}
        self.bishoprics: dict[str, str] = {}
        self.universities: dict[str, str] = {}
        self.columns: dict[str, int] = {}
        self.parts: dict[str, dict[str, Fraction]] = {}
        self.hirer: str | None = None
        self.driven: Counter[tuple[str, str]] = Counter()  # region and faction
        self.stopped: Counter[str] = Counter()  # region
        self._lines: list[Line] = []
        self._changes: list[tuple[str, str, str, int]] = []

    # Reading

    def next_is(self, kind: str, faction: str | None = None) -> bool:
        if self.read == len(self.entries):
            return False
        entry = self.entries[self.read]
        return entry["type"] == kind and faction in (None, entry["faction"])

    def take(self, kind: str, faction: str | None = None) -> Entry:
        """Finish the page and return the next entry, which must be of this kind."""
        self.turn_page()
        assert self.next_is(kind, faction), (self.round, self.phase, kind, faction, self.entries[self.read])
        self.read += 1
        return self.entries[self.read - 1]

    def turn_page(self) -> None:
        facts = {
            "cities": dict(self.city_cards),
            "provinces": dict(self.province_cards),
            "bishoprics": dict(self.bishoprics),
            "universities": dict(self.universities),
            "allegiance": dict(self.columns),
        }
        self.pages.append(
            Page(
                Counter({k: n for k, n in self.pieces.items() if n}),
                self.round,
                self.phase,
                list(self.order),
                {**facts, "parts": dict(self.parts)},
                self._lines,
                self._changes,
            )
        )
        self._lines, self._changes = [], []

    def note(self, name: str, result: Any, explanation: str) -> None:
        self._lines.append(Line(name, result, explanation))

    # Pieces

    def count(self, owner: str, place: str, piece: str = "counter") -> int:
        return self.pieces[owner, piece, place]

    def supply(self, owner: str) -> int:
        return self.count(owner, "supply")

    def move(
        self, owner: str, source: str, target: str, count: int, rule: str, piece: str = "counter"
    ) -> None:
        """Move pieces; ``rule`` is the section that causes it."""
        assert 0 <= count <= self.pieces[owner, piece, source], (rule, owner, piece, source, count)
        self.pieces[owner, piece, source] -= count
        self.pieces[owner, piece, target] += count
        for place, by in ((source, -count), (target, count)):
            if piece == "counter" and by and place in ("supply", "treasury"):
                self._changes.append((owner, place, rule, by))

    def everybody(self) -> list[str]:
        return [*(f for f in FACTIONS if f in self.order), X]

    def at(self, places: Iterable[str]) -> Counts:
        all_places = list(places)
        return {f: sum(self.count(f, place) for place in all_places) for f in self.everybody()}

    def set_counters(self, place: str, result: Mapping[str, int], rule: str) -> None:
        """Exchange counters with supply until the place has the given counts."""
        before = self.at([place])
        for f, n in before.items():
            self.move(f, place, "supply", max(0, n - result.get(f, 0)), rule)
        for f, n in before.items():
            self.move(f, "supply", place, max(0, result.get(f, 0) - n), rule)

    # The map

    def towns(self, province: str) -> list[str]:
        return [f"town:{town}" for town in self.provinces[province]["towns"]]

    def cities(self, province: str) -> list[str]:
        return [f"city:{city}" for city in self.provinces[province]["cities"]]

    def outside(self, province: str) -> list[str]:
        return [f"countryside:{province}", *self.towns(province)]

    def besieged(self, city: str) -> bool:
        siege = city.replace("city:", "siege:")
        return any(n for (_, _, place), n in self.pieces.items() if place == siege)

    def unbesieged(self, province: str) -> list[str]:
        return [*self.outside(province), *(c for c in self.cities(province) if not self.besieged(c))]

    def inside(self, region: str) -> list[str]:
        return [p for p, row in self.provinces.items() if row["region"] == region]

    def home(self, settlement: str) -> str:
        return next(p for p in self.provinces if settlement in (*self.towns(p), *self.cities(p)))

    def controller(self, settlement: str) -> str | None:
        """Return the faction with the city's card, or with a counter in the town."""
        kind, slug = settlement.split(":")
        if kind == "city":
            return self.city_cards.get(slug)
        return next((f for f in self.order if self.count(f, settlement)), None)

    def allies(self, faction: str) -> set[str]:
        return next((pair - {faction} for pair in self.pairs() if faction in pair), set())

    def pairs(self) -> list[set[str]]:
        return [{C, H}, {B, R}] if self.players == 2 else []

    def armies(self, region: str) -> Counts:
        """Return the active armies by faction: in the strip or besieging."""
        sieges = [c.replace("city:", "siege:") for p in self.inside(region) for c in self.cities(p)]
        places = [f"strip:{region}", *sieges]
        return {f: n for f in self.order if (n := sum(self.count(f, place, "army") for place in places))}

    # The game

    def replay(self) -> None:
        """Replay the game from set-up to end."""
        self.set_up()
        for self.round in range(LAST + 1):
            for phase in self.round_phases():
                self.phase = phase.__name__
                phase()
        self.phase = "finished"
        self.turn_page()
        assert self.read == len(self.entries)

    def round_phases(self) -> Iterator[Any]:
        if self.round:
            yield from (self.taxes, self.support, self.maintenance, self.recruiting, self.battles)
            yield from (self.sieges, self.beggars, self.army_movement, self.military_influence)
        else:
            yield self.support
        yield from (self.new_units, self.conflict, self.neutrals, self.overflow, self.movement)
        if self.round:
            yield from (self.completing, self.influence)
        yield from (self.allocation, self.status)
        if self.round < LAST:
            yield self.draft

    def set_up(self) -> None:
        counters, armies = TAKEN[self.players]
        for f in self.order:
            self.pieces[f, "counter", "supply"] = counters
            self.pieces[f, "army", "supply"] = armies
            for place in START[f].split():
                self.move(f, "supply", place, 1, "3.6")
            for box in START_BOXES.get(f, ()):
                cells = self.board["support"][box]["cells"]
                numbers = sorted(range(1, len(cells) + 1), key=lambda n: cells[n - 1] != "both")
                free = [f"support:{box}:{n}" for n in numbers if not self.count(f, f"support:{box}:{n}")]
                self.move(f, "supply", free[0], 1, "3.6")
        if C in self.order:
            self.move(C, "supply", "treasury", 4, "3.6")
        self.pieces[X, "counter", "supply"] = self.neutral_pool
        self.pieces[X, "beggar", "beggars"] = 3
        for p in self.provinces:
            for place in (*self.towns(p), *self.cities(p)):
                if not any(self.at([place]).values()):
                    self.move(X, "supply", place, 2 if place.startswith("city:") else 1, "3.6")
        if H in self.order:
            chosen = self.take("start-armies", H)["regions"]
            assert sum(chosen.values()) == 2
            for region, n in chosen.items():
                assert n <= self.regions[region]["orange"]
                self.move(H, "supply", f"strip:{region}", n, "3.6", "army")

    # A14

    def taxes(self) -> None:
        choosing: list[str] = []
        while (ahead := self.read + len(choosing)) < len(self.entries) and self.entries[ahead][
            "type"
        ] == "tax":
            choosing.append(self.entries[ahead]["faction"])
        for f in self.order:
            if f not in choosing:
                whole, cities = self.taxable(f)
                assert not cities or self.supply(f) < int(whole) + 2 * cities, (f, "had a choice")
                self.tax(f, 1)
        for f in choosing:
            self.tax(f, self.take("tax", f)["rate"])

    def taxable(self, f: str) -> tuple[Fraction, int]:
        """Return the sum of a faction's provincial taxes and the number of its cities."""
        cards = [Fraction(str(self.provinces[p]["tax"])) for p, g in self.province_cards.items() if g == f]
        return sum(cards, Fraction(0)), sum(g == f for g in self.city_cards.values())

    def tax(self, f: str, rate: int) -> None:
        from_provinces, cities = self.taxable(f)
        due = int(from_provinces) + rate * cities
        assert rate == 1 or (rate in (2, 3) and due <= self.supply(f))
        got = min(due, self.supply(f))
        explanation = f"provinces {by_hand.decimal(from_provinces)} + {rate} x {cities} cities"
        self.note(f"tax:{f}", got, explanation + (f", supply {got}" if got < due else ""))
        self.move(f, "supply", "treasury", got, "6.1")

    # A1, A2

    def support(self) -> None:
        for f in list(self.order):
            occupied = [place for (owner, _, place), n in self.pieces.items() if owner == f and n]
            if any(place.startswith("support:") for place in occupied):
                self.move_support(f, self.take("support", f)["moves"])

    def move_support(self, f: str, moves: Mapping[str, str]) -> None:
        rule = "6.2.1" if self.round else "5.1"
        fleet = []
        for key, target in moves.items():
            box, number = key.split(":")
            printed = self.board["support"][box]
            kind = printed["cells"][int(number) - 1]
            assert kind in ("both", "treasury" if target == "treasury" else "map")
            assert target == "treasury" or target in printed["provinces"]
            if box == "spanish-treasury":
                fleet.append(f"support:{key}")
            else:
                place = target if target == "treasury" else f"countryside:{target}"
                self.move(f, f"support:{key}", place, 1, rule)
        if fleet:
            self.sail(f, sorted(fleet))

    def sail(self, f: str, fleet: Sequence[str]) -> None:
        caught = 0
        if self.next_is("intercept"):
            entry = self.take("intercept")
            caught, catcher = entry["count"], entry["faction"]
            cells = [
                f"support:huguenots:{n}" for n in (1, 2) if self.count(catcher, f"support:huguenots:{n}")
            ]
            assert caught <= min(len(fleet), len(cells), self.supply(catcher))
            self.move(catcher, "supply", "treasury", caught, "6.2.2")
            for cell in cells[:caught]:
                self.move(catcher, cell, cell.replace("support:", "used:"), 1, "6.2.2")
        for cell in fleet[:caught]:
            self.move(f, cell, "supply", 1, "6.2.2")
        for cell in fleet[caught:]:
            self.move(f, cell, "treasury", 1, "6.2.1")

    # A15

    def maintenance(self) -> None:
        for f in list(self.order):
            armies = {r: n for r in self.regions if (n := self.count(f, f"strip:{r}", "army"))}
            maintained: Mapping[str, int] = {}
            disbanded: Mapping[str, int] = {}
            if armies and self.count(f, "treasury"):
                entry = self.take("maintain", f)
                maintained, disbanded = entry.get("maintain", {}), entry.get("disband", {})
            cost = (2 if f == C else 1) * sum(maintained.values()) + sum(disbanded.values())
            self.move(f, "treasury", "supply", cost, "6.3")
            for r, n in disbanded.items():
                self.move(f, f"strip:{r}", "supply", n, "6.3", "army")
            released = {r: n - maintained.get(r, 0) - disbanded.get(r, 0) for r, n in armies.items()}
            for r, n in released.items():
                self.move(f, f"strip:{r}", f"released:{r}", n, "6.3", "army")
            for r in [r for r, n in released.items() for _ in range(n)]:
                self.pillage(f, r)

    def pillage(self, f: str, region: str) -> None:
        places = [place for p in self.inside(region) for place in self.outside(p)]
        targets: list[tuple[str, str | None]] = [
            (place, g) for place in places for g in self.order if self.count(g, place)
        ]
        if self.supply(X):
            targets += [(place, None) for place in places if place.startswith("town:")]
        elif not targets:
            targets = [(place, X) for place in places if self.count(X, place)]
        if not targets:
            return
        place, owner = targets[0]
        if len(targets) > 1:
            entry = self.take("pillage", f)
            place, owner = entry["place"], entry.get("owner")
        assert (place, owner) in targets, (place, owner)
        if owner is None:
            self.move(X, "supply", f"countryside:{self.home(place)}", 1, "6.3")
        else:
            replaced = min(1, self.supply(X))
            self.move(owner, place, "supply", 1, "6.3")
            self.move(X, "supply", place, replaced, "6.3")

    # A16

    def free_boxes(self, region: str) -> int:
        released = sum(self.count(f, f"released:{region}", "army") for f in self.order)
        return int(self.regions[region]["boxes"]) - sum(self.armies(region).values()) - released

    def recruiting(self) -> None:
        for f in list(self.order):
            open_ = [r for r in self.regions if self.is_in(f, r) and self.free_boxes(r) > 0]
            able = self.count(f, "treasury") >= by_hand.PRICES[f][1] and self.count(f, "supply", "army")
            if not open_ or not able:
                continue
            wanted = self.take("recruit", f)["regions"]
            self.move(f, "treasury", "supply", by_hand.PRICES[f][sum(wanted.values())], "6.4")
            for r, n in wanted.items():
                assert not n or r in open_
                assert n <= self.free_boxes(r)
                self.move(f, "supply", f"strip:{r}", n, "6.4", "army")

    def is_in(self, f: str, region: str) -> bool:
        """Return True if the faction has a counter or an active army in the region."""
        places = [place for p in self.inside(region) for place in (*self.outside(p), *self.cities(p))]
        return bool(self.at(places)[f]) or f in self.armies(region)

    # A17

    def battles(self) -> None:
        for r in self.regions:
            before = {f: n for f in self.order if (n := self.count(f, f"strip:{r}", "army"))}
            after, explanation = by_hand.battle(before, self.pairs())
            if after == before:
                continue
            self.note(f"battle:{r}", after, explanation)
            for f, n in before.items():
                self.move(f, f"strip:{r}", "supply", n - after.get(f, 0), "6.5", "army")

    # A18

    def sieges(self) -> None:
        standoffs = [r for r in self.regions if len(self.armies(r)) == sum(self.armies(r).values()) == 2]
        for f in list(self.order):
            open_ = {
                city: region
                for city in self.city_names
                if (region := self.region_of(f"city:{city}")) not in standoffs
                and self.count(f, f"strip:{region}", "army")
                and self.city_cards.get(city) not in {f, *self.allies(f)}
                and set(by_hand.without_zeros(self.at([f"city:{city}"]))) != {f}
            }
            if not open_:
                continue
            for city, n in self.take("besiege", f)["cities"].items():
                self.move(f, f"strip:{open_[city]}", f"siege:{city}", n, "6.6", "army")

    def region_of(self, settlement: str) -> str:
        return str(self.provinces[self.home(settlement)]["region"])

    # A19

    def beggars(self) -> None:
        for f in [f for f in self.order if f in (B, R)]:
            if self.hirer or self.count(f, "treasury") < 2:
                continue
            wanted = {r: n for r, n in self.take("hire", f)["regions"].items() if n}
            self.move(f, "treasury", "supply", 2 * sum(wanted.values()), "6.7")
            for r, n in wanted.items():
                assert set(self.inside(r)) & set(self.board["beggars"])
                self.move(X, "beggars", f"region:{r}", n, "6.7", "beggar")
            if wanted:
                self.hirer = f
                while self.next_is("beggars", f):
                    self.use_beggars(self.take("beggars", f))

    def use_beggars(self, entry: Entry) -> None:
        region, n, target = entry["region"], entry["count"], str(entry.get("target"))
        armies = sum(self.armies(region).values())
        home = n
        match entry["do"]:
            case "destroy":
                victim = next(f for f in HOSTILE if f in self.armies(region))
                assert n > armies
                self.move(victim, target, "supply", 1, "6.7.1", "army")
                left = self.count(victim, f"strip:{region}", "army")
                self.driven[region, victim] = min(self.driven[region, victim], left)
            case "relieve":
                assert n >= armies
                siege = target.replace("city:", "siege:")
                for f in self.order:
                    back = self.count(f, siege, "army")
                    self.move(f, siege, f"strip:{region}", back, "6.7.2", "army")
                    self.driven[region, f] += back
            case "pillage":
                assert not armies
                assert n == 1
                assert self.home(target) in self.board["beggars"]
                self.move(X, "supply", f"countryside:{self.home(target)}", 1, "6.7.3")
            case "besiege":
                assert not armies
                assert n == 2
                assert self.home(target) in self.board["beggars"]
                siege = target.replace("city:", "siege:")
                self.move(X, f"region:{region}", siege, 2, "6.7.3", "beggar")
                home = 0
            case "stay":
                home = 0
        self.move(X, f"region:{region}", "beggars", home, "6.7", "beggar")

    # A20, A21

    def army_movement(self) -> None:
        for f in list(self.order):
            ready = {r: self.count(f, f"strip:{r}", "army") for r in self.regions}
            ways = [
                t for r, n in ready.items() if n for t in self.regions[r]["arrows"] if self.free_boxes(t) > 0
            ]
            if not ways:
                continue
            fresh = {r: n - self.driven[r, f] for r, n in ready.items()}
            for source, target in self.take("march", f)["moves"]:
                assert ready[source]
                assert target in self.regions[source]["arrows"]
                assert self.free_boxes(target)
                ready[source] -= 1
                blocks = self.count(X, f"region:{source}", "beggar") - self.stopped[source]
                if f in HOSTILE and blocks > 0:
                    self.stopped[source] += 1
                    continue
                fresh[source] -= 1
                if fresh[source] < 0:  # armies that were not driven back leave first
                    self.driven[source, f] -= 1
                    self.driven[target, f] += 1
                self.move(f, f"strip:{source}", f"strip:{target}", 1, "6.8", "army")

    def military_influence(self) -> None:
        for f in list(self.order):
            able: Counter[str] = Counter()
            blocks: Counter[str] = Counter()
            for r in self.regions:
                if [g for g in self.order if self.count(g, f"strip:{r}", "army")] == [f]:
                    trying = self.count(f, f"strip:{r}", "army") - self.driven[r, f]
                    blocks[r] = min(trying, self.count(X, f"region:{r}", "beggar")) if f in HOSTILE else 0
                    able[r] = trying - blocks[r]
            others = {r: sum(self.others(f, p) for p in self.inside(r)) for r in able}
            targets: Sequence[Mapping[str, str]] = ()
            if self.supply(f) and any(able[r] and others[r] for r in able):
                targets = self.take("convert", f)["targets"]
            for r, n in blocks.items():
                self.move(X, f"region:{r}", "beggars", n, "6.9", "beggar")
            for target in targets:
                self.convert(f, able, **target)

    def others(self, f: str, p: str) -> int:
        """Return the number of other owners' counters in countryside and towns."""
        here = self.at(self.outside(p))
        return sum(here.values()) - here[f]

    def convert(self, f: str, able: Counter[str], region: str, place: str, owner: str) -> None:
        able[region] -= 1
        assert able[region] >= 0
        assert owner != f
        assert place in [here for p in self.inside(region) for here in self.outside(p)]
        self.move(owner, place, "supply", 1, "6.9")
        self.move(f, "supply", place, 1, "6.9")

    # A3, A22

    def new_units(self) -> None:
        for f in list(self.order):
            count, explanation = self.allowance(f)
            rule = "6.10" if self.round else "5.2"
            room = self.room_for_units(f, count)
            if self.next_is("place", f):
                places = {place: n for place, n in self.take("place", f)["places"].items() if n}
                assert sum(places.values()) == min(count, sum(room.values()))
            else:  # nothing to decide
                assert sum(room.values()) <= count or len(room) == 1
                places = {place: min(n, count) for place, n in room.items()}
            self.note(f"units:{f}", count, explanation)
            for place, n in places.items():
                assert n <= room[place], (f, place, n)
                self.move(f, "supply", place, n, rule)
            self.move(f, "supply", "treasury", count - sum(places.values()), rule)

    def allowance(self, f: str) -> tuple[int, str]:
        if not self.round:
            count = min(by_hand.FIRST_UNITS[f], self.supply(f))
            return count, f"{count} in round 0"
        cities = {
            city: [link for link in self.board["cities"][city]["links"] if self.controller(link) == f]
            for city, held_by in self.city_cards.items()
            if held_by == f
        }
        towns = sum(self.count(f, town) for p in self.provinces for town in self.towns(p))
        countryside = sum(self.count(f, f"countryside:{p}") for p in self.provinces)
        support = sum(
            n for (owner, _, place), n in self.pieces.items() if owner == f and place.startswith("support:")
        )
        return by_hand.allowance(cities, towns, countryside, support, self.supply(f))

    def room_for_units(self, f: str, count: int) -> Counts:
        room = {}
        for p in self.provinces:
            here = self.at(self.outside(p))[f]
            if not self.round:
                most = 2 * here
            elif self.province_cards.get(p) == f and (here or self.at(self.cities(p))[f]):
                most = count
            else:
                most = here
            room[f"countryside:{p}"] = min(most, count)
        for cell in self.open_cells(f):
            room[cell] = min(1, count)
        return {place: n for place, n in room.items() if n}

    def open_cells(self, f: str) -> list[str]:
        open_cells = []
        for box, printed in self.board["support"].items():
            cells = [f"support:{box}:{n}" for n in range(1, len(printed["cells"]) + 1)]
            users = {g for c in cells for g in self.order for kind in (c, used(c)) if self.count(g, kind)}
            if f in printed["factions"] and not (box == "huguenots" and users - {f}):
                open_cells += [c for c in cells if not any(self.at([c, used(c)]).values())]
        return open_cells

    # A4 to A7

    def conflict(self) -> None:
        chosen: dict[str, Mapping[str, int]] = {}
        while self.next_is("losses"):
            entry = self.take("losses")
            chosen[entry["faction"]] = entry["places"]
        for p, row in self.provinces.items():
            here = by_hand.without_zeros(self.at(self.unbesieged(p)))
            left, explanation = by_hand.conflict(here, row["limit"])
            if left != here:
                self.note(f"conflict:{p}", left, explanation)
                for f, n in here.items():
                    self.lose(f, p, n - left.get(f, 0), chosen.get(f, {}))

    def lose(self, f: str, p: str, count: int, chosen: Mapping[str, int]) -> None:
        """Remove the chosen counters; without a choice, from countryside, then towns, then cities."""
        rule, places = self.rule("5.3", "6.11"), self.unbesieged(p)
        picked = {place: chosen[place] for place in places if place in chosen}
        assert sum(picked.values()) in (0, count)
        for place, n in picked.items():
            self.move(f, place, "supply", n, rule)
        self.remove_in_order(f, places, count - sum(picked.values()), rule)

    def remove_in_order(
        self, f: str, places: Sequence[str], count: int, rule: str, to: str = "supply"
    ) -> None:
        """Move counters from the places in order: countryside, then towns, then cities."""
        for place in places:
            n = min(count, self.count(f, place))
            self.move(f, place, to, n, rule)
            count -= n
        assert not count

    def rule(self, first: str, later: str) -> str:
        return later if self.round else first

    def neutrals(self) -> None:
        needs = {
            p: max(0, row["limit"] - (not self.round) - sum(self.at(self.unbesieged(p)).values()))
            for p, row in self.provinces.items()
        }
        supply = self.supply(X)
        picked = self.take("shortage", self.order[0])["provinces"] if self.next_is("shortage") else ()
        put = by_hand.handed_out(needs, supply, picked)
        if put:
            self.note("neutrals", put, f"{sum(needs.values())} needed, supply {supply}")
        for p, n in put.items():
            self.move(X, "supply", f"countryside:{p}", n, self.rule("5.4", "6.12"))

    def overflow(self) -> None:
        rule = self.rule("5.5", "6.13")
        for f in list(self.order):
            if any(self.outlets(f, p) for p in self.provinces if self.surplus(f, p)):
                for move in self.take("overflow", f)["moves"]:
                    self.stream(f, move["source"], move["target"], move["count"], rule)
            for p in self.provinces:
                self.remove_in_order(f, self.unbesieged(p), self.surplus(f, p), rule)
        for p, row in self.provinces.items():
            here = by_hand.without_zeros(self.at(self.unbesieged(p)))
            if set(here) == {X}:
                self.remove_in_order(X, self.unbesieged(p), max(0, here[X] - row["limit"]), rule)

    def surplus(self, f: str, p: str) -> int:
        return max(0, self.at(self.unbesieged(p))[f] - int(self.provinces[p]["limit"]))

    def stream(self, f: str, source: str, target: str, count: int, rule: str) -> None:
        assert count <= self.surplus(f, source)
        assert count <= self.outlets(f, source)[target]
        self.remove_in_order(f, self.unbesieged(source), count, rule, f"countryside:{target}")

    def outlets(self, f: str, source: str) -> Counts:
        """Return the reachable provinces with their room; neutrals take no room."""
        rooms = {}
        for p in {*self.provinces[source]["neighbours"], *self.by_river(source, f)}:
            here = self.at(self.unbesieged(p))
            rooms[p] = self.provinces[p]["limit"] - sum(here.values()) + here[X]
        return {p: room for p, room in rooms.items() if room > 0}

    def by_river(self, source: str, f: str) -> set[str]:
        """Return the provinces reachable by river in both directions, until settlements block the way."""
        reachable: set[str] = set()
        for river in self.board["rivers"].values():
            if source not in river["course"]:
                continue
            at = river["course"].index(source)
            for way in (river["course"][at + 1 :], river["course"][:at][::-1]):
                for p in way:
                    reachable.add(p)
                    channels = river["channels"].get(p, [[]])
                    if not any(all(self.controller(s) in (None, f) for s in channel) for channel in channels):
                        break
        return reachable

    # A8

    def movement(self) -> None:
        closed: set[str] = set()
        moved: dict[str, list[str]] = {}
        while any(self.next_is(kind) for kind in ("layout", "dispute", "step")):
            entry = self.take(self.entries[self.read]["type"])
            p = entry["province"]
            assert p not in closed
            if entry["type"] == "dispute":
                moved[p] = []
                continue
            if entry["type"] == "step":
                assert entry["faction"] == self.movers(p)[len(moved[p])]
                self.check_step(entry, moved[p])
            self.lay_out(p, entry["layout"])
            if entry["type"] == "step":
                moved[p].append(entry["faction"])
                if len(moved[p]) < len(self.movers(p)):
                    continue
            closed.add(p)
            self.fill_empty(p)
        if self.next_is("settled"):
            self.take("settled", self.order[0])
        for p in self.provinces:
            if p not in closed:
                self.fill_empty(p)

    def movers(self, p: str) -> list[str]:
        here = self.at(self.unbesieged(p))
        return sorted((f for f in self.order if here[f]), key=lambda f: (-here[f], self.order.index(f)))

    def check_step(self, entry: Entry, moved: Sequence[str]) -> None:
        """Check that factions which have moved stay, and others are displaced only to the countryside."""
        for f in self.order:
            for place in self.unbesieged(entry["province"]):
                more = entry["layout"].get(place, {}).get(f, 0) - self.count(f, place)
                assert f not in moved or not more
                assert f == entry["faction"] or more <= 0 or place.startswith("countryside:")

    def lay_out(self, p: str, layout: Mapping[str, Mapping[str, int]]) -> None:
        places = self.unbesieged(p)
        before = self.at(places)
        assert set(layout) <= set(places)
        assert all(sum(here.values()) <= 1 for place, here in layout.items() if place.startswith("town:"))
        for f, n in before.items():
            assert sum(here.get(f, 0) for here in layout.values()) == n
            for place in places:
                self.pieces[f, "counter", place] = layout.get(place, {}).get(f, 0)

    def fill_empty(self, p: str) -> None:
        countryside = f"countryside:{p}"
        for place in (*sorted(self.cities(p)), *sorted(self.towns(p))):
            if not self.besieged(place) and not any(self.at([place]).values()):
                n = min(2 if place.startswith("city:") else 1, self.count(X, countryside))
                self.move(X, countryside, place, n, "6.14")

    # A23

    def completing(self) -> None:
        for f in list(self.order):
            cities = [c for c in self.city_names if self.besiegers(c, f)]
            if self.next_is("complete", f):
                chosen = self.take("complete", f)["order"]
                assert sorted(chosen) == sorted(cities)
                cities = chosen
            for city in cities:
                for besieger in self.besiegers(city, f):
                    self.complete(city, besieger)
        for r in self.regions:
            self.move(X, f"region:{r}", "beggars", self.count(X, f"region:{r}", "beggar"), "6.15", "beggar")
        self.stopped.clear()

    def besiegers(self, city: str, f: str) -> list[str]:
        armies = [f] if self.count(f, f"siege:{city}", "army") else []
        return [*armies, X] if self.hirer == f and self.count(X, f"siege:{city}", "beggar") else armies

    def complete(self, city: str, besieger: str) -> None:
        place, siege = f"city:{city}", f"siege:{city}"
        supplies = {f: self.supply(f) for f in self.everybody()}
        here = by_hand.without_zeros(self.at([place]))
        if besieger == X:
            after, explanation = by_hand.beggar_siege(here, supplies)
            self.move(X, siege, "beggars", 2, "6.15", "beggar")
        else:
            after, explanation = by_hand.siege(here, besieger, self.allies(besieger), supplies)
            strip = f"strip:{self.region_of(place)}"
            self.move(besieger, siege, strip, self.count(besieger, siege, "army"), "6.15", "army")
        self.note(f"siege:{city}", after, explanation)
        self.set_counters(place, after, "6.15")

    # A24

    def influence(self) -> None:
        laid: dict[str, Counts] = {city: {} for city in self.city_names}
        for f in list(self.order):
            if self.count(f, "treasury"):
                for city, n in self.take("influence", f)["coins"].items():
                    self.move(f, "treasury", f"influence:{city}", n, "6.16")
                    laid[city][f] = n
        for city, coins in laid.items():
            if not any(coins.values()):
                continue
            column, explanation = by_hand.influence(self.columns[city], self.order, coins)
            self.note(f"influence:{city}", column, explanation)
            self.columns[city] = column
            for f, n in coins.items():
                self.move(f, f"influence:{city}", "supply", n, "6.16")
        for city in self.city_names:
            if self.columns[city] not in (3, 4, 5):
                here = by_hand.without_zeros(self.at([f"city:{city}"]))
                supplies = {f: self.supply(f) for f in self.everybody()}
                after, explanation = by_hand.allegiance(self.columns[city], here, supplies, self.players)
                self.note(f"allegiance:{city}", after, explanation)
                self.set_counters(f"city:{city}", after, "6.16")

    # A9 to A12

    def allocation(self) -> None:
        if not self.round:
            self.columns = {city: row["allegiance"] for city, row in self.board["cities"].items()}
        self.city_cards = {
            city: f for city in self.city_names if (f := by_hand.majority(self.at([f"city:{city}"])))
        }
        self.province_cards = {
            p: f for p in self.provinces if (f := by_hand.majority(self.at(self.outside(p))))
        }
        for p in self.board["bishoprics"]:
            f = self.province_cards.get(p)
            self.bishoprics[p] = (
                by_hand.BISHOP[f][self.bishoprics[p]]
                if self.round
                else by_hand.FIRST_BISHOP.get(f or "", by_hand.CA)
            )
        for place in self.board["universities"]:
            f = self.controller(place)
            self.universities[place] = (
                by_hand.later_university(place, self.universities[place], f)
                if self.round
                else by_hand.first_university(place, f)
            )

    # A13, part 6

    def status(self) -> None:
        for r in self.regions:
            for f in self.order:
                n = self.count(f, f"released:{r}", "army")
                self.move(f, f"released:{r}", "supply", n, "6.20", "army")
        for f in self.order:
            for cell in ("support:huguenots:1", "support:huguenots:2"):
                self.move(f, used(cell), cell, self.count(f, used(cell)), "6.20")
        self.hirer = None
        self.driven.clear()
        for f in self.order:
            self.parts[f], explanation = self.points(f)
            self.note(f"points:{f}", self.parts[f], explanation)

    def points(self, f: str) -> tuple[dict[str, Fraction], str]:
        cards = {p: self.provinces[p] for p, g in self.province_cards.items() if g == f}
        small = {p: Fraction(str(card["minor"])) for p, card in cards.items() if card["limit"] == 1}
        return by_hand.points(
            f,
            cities=[city for city, g in self.city_cards.items() if g == f],
            provinces={p: Fraction(str(card["points"])) for p, card in cards.items() if card["points"]},
            special=self.special(f),
            small=small if self.round == LAST else None,
            share=SHARE.get(self.players),
        )

    def special(self, f: str) -> int:
        if f == C:
            return sum(column in (by_hand.SC, by_hand.CA) for column in self.bishoprics.values())
        if f == H:
            return sum(H in self.armies(r) for r in self.regions)
        if f == N:
            return sum(self.at(self.outside(p))[N] for p in self.provinces)
        if f == B:
            return sum(self.controller(place) == B for place in self.board["commercial"])
        return sum(university == "reformed" for university in self.universities.values())

    def draft(self) -> None:
        total = {f: sum(self.parts[f].values(), Fraction(0)) for f in self.order}
        laying = sorted(self.order, key=lambda f: (-total[f], self.order.index(f)))
        row = laying[:1]
        for f in laying[1:]:
            row.insert(self.take("draft", f)["position"], f)
        self.order = row


def used(cell: str) -> str:
    """Return the place of a Huguenot counter that has intercepted."""
    return cell.replace("support:", "used:")


def book_of(record: Mapping[str, Any], entries: Sequence[Entry]) -> Book:
    """Return the book of a recorded game, replayed from its entries alone."""
    options = record.get("options", {})
    assert set(options) <= {"neutral_pool"}
    book = Book(
        record["factions"],
        record.get("players", len(record["factions"])),
        options.get("neutral_pool", 47),
        entries,
    )
    book.replay()
    return book

"""Second implementation of a complete game, written from the digest's pseudo-code alone.

`Referee(...).play()` is a generator: it yields the entry it waits for and is sent that entry. Steps without a
decision happen automatically. It keeps plain dictionaries, parses the board file itself and shares no code
with the rules.
"""

from __future__ import annotations

import itertools
import tomllib
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

Entry = dict[str, Any]
Waits = Generator[tuple[str, str | None], Entry, None]
BOARD = tomllib.loads((Path(__file__).parents[2] / "games" / "wallenstein" / "board.toml").read_text("utf-8"))
TEN = [
    "build-palace",
    "build-church",
    "build-trading-house",
    "collect-gold",
    "collect-grain",
    "recruit-5",
    "recruit-3",
    "recruit-1",
    "movement-a",
    "movement-b",
]
WEIGHT = {"palace": 3, "church": 2, "trading-house": 1}


class Referee:
    """State and rules of one game."""

    def __init__(self, factions: tuple[str, ...], first: str, options: dict[str, Any]) -> None:
        self.seats, self.first, self.options = factions, first, options
        at = factions.index(first)
        self.order = list(factions[at:] + factions[:at])
        n = len(factions)
        self.map = {
            name: p
            for name, p in BOARD["provinces"].items()
            if not (n == 2 and p["region"] in ("brandenburg", "kurpfalz"))
            and not (n == 3 and p["light_border"])
        }
        self.owner: dict[str, str | None] = dict.fromkeys(self.map)
        self.armies = Counter[str]()
        self.markers = Counter[str]()
        self.built: dict[str, set[str]] = {name: set() for name in self.map}
        self.supply = Counter({**dict.fromkeys(factions, 61), "peasants": 20})
        self.tower, self.cup = Counter[str](), Counter[str]()
        gold = options["gold_with_five"] if n == 5 else {2: 18, 3: 18, 4: 15}[n]
        self.gold = Counter(dict.fromkeys(factions, gold))
        self.grain = Counter(dict.fromkeys(factions, 0))
        self.points = Counter(dict.fromkeys(factions, 0))
        self.tiles = Counter({"palace": 28, "church": 26, "trading-house": 26})
        self.event = ""

    def own(self, faction: str) -> list[str]:
        return sorted(name for name, owner in self.owner.items() if owner == faction)

    # The game

    def play(self) -> Waits:
        yield from self.set_up()
        for _year in (1, 2):
            entry = yield "events", self.order[0]
            row = list(entry["cards"])
            self.grain = Counter(dict.fromkeys(self.seats, 0))
            for _season in ("spring", "summer", "autumn"):
                yield from self.season(row)
            yield from self.winter(row[0]["loss"])

    def set_up(self) -> Waits:
        colours = [*self.seats, "peasants"]
        for colour in colours:
            self.tower[colour] = 10 if colour == "peasants" else 7
            self.supply[colour] -= self.tower[colour]
        entry = yield "fill", self.order[0]
        for colour, count in entry["fallen"].items():
            self.tower[colour] -= count
            self.supply[colour] += count
        tables = BOARD["tables"].get(str(len(self.seats)))
        if tables and self.options["distribution"] == "tables":
            yield from self.letters(dict(tables))
        else:
            yield from self.draft()

    def letters(self, tables: dict[str, dict[str, int]]) -> Waits:
        waiting = list(self.seats)
        while tables:
            if len(tables) == 1:
                faction, letter = waiting[0], next(iter(tables))
            else:
                entry = yield "take", None
                faction, letter = entry["faction"], entry["letter"]
            waiting.remove(faction)
            for name, count in tables.pop(letter).items():
                self.settle(faction, name, count)

    def draft(self) -> Waits:
        yield "open", self.order[0]
        sizes = [5, 4, 4, 3, 3, 2, 2, 2, 2][: {2: 9, 3: 9, 4: 8, 5: 7}[len(self.seats)]]
        for _round in sizes:
            for faction in self.order:
                entry = yield "draft", faction
                if entry["type"] == "replace":
                    entry = yield "draft", faction
                self.settle(faction, entry["province"], entry["armies"])

    def settle(self, faction: str, name: str, count: int) -> None:
        self.owner[name] = faction
        self.armies[name] += count
        self.supply[faction] -= count

    # A season

    def season(self, row: list[Any]) -> Waits:
        entry = yield "row", self.order[0]
        actions = list(entry["cards"])
        self.lost: set[str] = set()
        yield from self.planning()
        entry = yield "order", self.order[0]
        self.order = list(entry["order"])
        entry = yield "event", self.order[0]
        self.event = row.pop(entry["card"])["event"]
        for number in range(10):
            for faction in self.order:
                card = yield from self.card_of(faction, actions[number])
                if card is not None and card not in self.lost:
                    yield from self.execute(faction, actions[number], card)
            if number < 5:
                hidden = [a for a in TEN if a not in actions]
                actions.append(hidden[0] if len(hidden) == 1 else (yield "turn", self.order[0])["card"])
        self.event = ""

    def planning(self) -> Waits:
        self.hands = {f: self.own(f) for f in self.seats}
        self.empty: dict[str, list[str]] = {f: [] for f in self.seats}
        self.plans: dict[str, dict[str, str]] = {}
        self.used: dict[str, list[str | None]] = {f: [] for f in self.seats}
        on_boards = self.options["planning"] == "boards"
        while True:
            short = [f for f in self.order if 0 < len(self.hands[f]) < 5 and not self.empty[f]]
            if not short and (on_boards or all(f in self.plans or not self.hands[f] for f in self.seats)):
                return
            entry = yield "planning", None
            if entry["type"] == "announce":
                assert entry["faction"] == short[0]
                self.empty[entry["faction"]] = entry["actions"]
            else:
                self.plans[entry["faction"]] = entry["cards"]

    def card_of(self, faction: str, action: str) -> Generator[tuple[str, str | None], Entry, str | None]:
        """Return the card on an action, from the plan or as revealed from a planning board."""
        if self.options["planning"] == "phones":
            return self.plans.get(faction, {}).get(action)
        if action in self.empty[faction]:
            return None
        used = self.used[faction]
        may: list[str | None] = [card for card in self.hands[faction] if card not in used]
        may += [None] if used.count(None) < 5 or not may else []
        card = may[0] if len(may) == 1 else (yield "reveal", faction)["province"]
        used.append(card)
        return card

    def in_force(self, event: str, name: str) -> bool:
        return self.event in (event, f"{event}:{self.map[name]['region']}")

    def execute(self, p: str, action: str, name: str) -> Waits:
        if action.startswith("build"):
            self.build(p, action.removeprefix("build-"), name)
        elif action.startswith("collect"):
            yield from self.tax(p, action, name)
        elif action in ("recruit-5", "recruit-3"):
            short = self.in_force("troop-shortage", name)
            cost, n = {"recruit-5": (3, 3 if short else 5), "recruit-3": (2, 2 if short else 3)}[action]
            if self.gold[p] >= cost and self.supply[p] >= n:
                self.gold[p] -= cost
                self.supply[p] -= n
                self.armies[name] += n
        elif action == "recruit-1":
            yield from self.levy(p, name)
        else:
            yield from self.march(p, name)

    def build(self, p: str, tile: str, name: str) -> None:
        free = self.event == "trade-bonus" and tile == "trading-house"
        price = 0 if free else WEIGHT[tile]
        if tile in self.built[name] or len(self.built[name]) >= self.map[name]["cities"]:
            return
        if self.tiles[tile] < 1 or self.gold[p] < price:
            return
        self.gold[p] += 1 if free else -price
        self.built[name].add(tile)
        self.tiles[tile] -= 1

    def tax(self, p: str, action: str, name: str) -> Waits:
        if action == "collect-gold":
            self.gold[p] += self.map[name]["gold"]
        else:
            delta = 2 * self.in_force("good-harvest", name) - 2 * self.in_force("bad-harvest", name)
            self.grain[p] += max(0, self.map[name]["grain"] + delta)
        if self.markers[name] >= 1:
            yield from self.revolt(p, name, self.markers[name])
        if self.owner[name] == p:
            self.markers[name] += 1

    def levy(self, p: str, name: str) -> Waits:
        can = self.gold[p] >= 1 and self.supply[p] >= 1
        near = [t for t in self.map[name]["neighbours"] if self.owner.get(t) == p]
        ways: list[tuple[bool, str | None, int]] = [(True, None, 0)] if can else []
        for place in {can, False}:
            ways += [(place, t, n) for t in near for n in range(1, self.armies[name] + place)]
        if not ways:
            return
        place, target, count = ways[0]
        if len(ways) > 1:
            entry = yield "recruit", p
            place, target, count = entry["place"], entry["target"], entry["armies"]
            assert (place, target, count) in ways
        if place:
            self.gold[p] -= 1
            self.supply[p] -= 1
            self.armies[name] += 1
        if target:
            self.armies[name] -= count
            self.armies[target] += count

    # Movement and battles

    def march(self, p: str, name: str) -> Waits:
        targets = [
            t
            for t in self.map[name]["neighbours"]
            if t in self.map
            and (self.owner[t] == p or not (self.event == "church-peace" and "church" in self.built[t]))
        ]
        if self.armies[name] <= 1 or not targets:
            return
        target, n = targets[0], 1
        if len(targets) > 1 or self.armies[name] > 2:
            entry = yield "move", p
            target, n = entry["target"], entry["armies"]
            assert target in targets
            assert 1 <= n <= self.armies[name] - 1
        self.armies[name] -= n
        if self.owner[target] == p:
            self.armies[target] += n
        elif self.owner[target] is None:
            yield from self.against_peasants(p, target, n)
        else:
            self.armies[name] += n  # they leave the province when the cubes are thrown
            yield from self.against_player(p, name, target, n)

    def commit(self, p: str, name: str) -> Generator[tuple[str, str | None], Entry, int]:
        least = min(self.options["least_defenders"], self.armies[name])
        if least == self.armies[name]:
            return least
        entry = yield "defend", p
        count: int = entry["armies"]
        return count

    def throw(self, p: str, cubes: Counter[str]) -> Generator[tuple[str, str | None], Entry, Counter[str]]:
        """Throw the cubes in with the content of the cup; fallen cubes end up in the cup."""
        self.tower += cubes + self.cup
        self.cup = Counter()
        if self.tower.total():
            entry = yield "throw", p
            self.cup = Counter(entry["fallen"])
            self.tower.subtract(self.cup)
            assert min(self.tower.values(), default=0) >= 0
        return self.cup

    def against_player(self, a: str, origin: str, name: str, n: int) -> Waits:
        d = self.owner[name]
        assert d is not None
        guard = self.event == "palace-guards" and "palace" in self.built[name]
        k = yield from self.commit(d, name)
        self.armies[origin] -= n
        self.armies[name] -= k
        u = self.armies[name]
        green = min(int(guard), self.supply["peasants"])
        self.supply["peasants"] -= green
        out = yield from self.throw(a, Counter({a: n, d: k, "peasants": green}))
        if self.markers[name] <= 1:
            g = out["peasants"]
        else:
            g = min(1, out["peasants"]) if guard and self.options["guards_fight"] else 0
        attack, defence = out[a], out[d] + g
        self.supply["peasants"] += g
        self.cup["peasants"] -= g
        nothing = attack == defence == 0 and self.options["nothing_fell"] == "attack-fails"
        alone = attack < defence and u == 0 and out[d] == 0
        if attack > defence:
            self.owner[name] = a
            self.armies[name] = attack - defence
            self.supply[a] += defence
            self.supply[d] += out[d] + u
            self.lost.add(name)
        elif attack == defence and not nothing:
            self.supply[a] += attack
            self.supply[d] += out[d] + u
            self.destroy(name)
        elif alone and self.options["saved_by_peasants"] == "destroy":
            self.supply[a] += attack
            self.destroy(name)
        else:
            loss = max(0, attack - g)
            self.armies[name] = u + out[d] - loss
            self.supply[a] += attack
            self.supply[d] += loss
            if alone and self.options["saved_by_peasants"] == "place-one" and self.supply[d]:
                self.supply[d] -= 1
                self.armies[name] = 1
        self.cup[a] = self.cup[d] = 0

    def against_peasants(self, a: str, name: str, n: int) -> Waits:
        weary = self.event == "battle-weary-peasants"
        if weary and self.options["weary_conquest"]:
            self.owner[name], self.armies[name], self.markers[name] = a, n, 1
            return
        green = min(
            {"angry-peasants": 2, "battle-weary-peasants": 0}.get(self.event, 1), self.supply["peasants"]
        )
        self.supply["peasants"] -= green
        out = yield from self.throw(a, Counter({a: n, "peasants": green}))
        attack, defence = out[a], out["peasants"]
        self.supply["peasants"] += defence
        if attack > defence:
            self.owner[name], self.armies[name], self.markers[name] = a, attack - defence, 1
            self.supply[a] += defence
        else:
            self.supply[a] += attack
        self.cup[a] = self.cup["peasants"] = 0

    def revolt(self, p: str, name: str, rebels: int) -> Waits:
        k = yield from self.commit(p, name)
        self.armies[name] -= k
        u = self.armies[name]
        green = min(rebels, self.supply["peasants"])
        self.supply["peasants"] -= green
        out = yield from self.throw(p, Counter({p: k, "peasants": green}))
        defence, attack = out[p], out["peasants"]
        self.supply["peasants"] += attack
        nothing = attack == defence == 0 and self.options["nothing_fell"] == "attack-fails"
        if defence > attack or nothing:
            self.armies[name] = u + defence - attack
            self.supply[p] += attack
        else:
            self.supply[p] += defence + u
            self.destroy(name)
        self.cup[p] = self.cup["peasants"] = 0

    def destroy(self, name: str) -> None:
        self.tiles.update(self.built[name])
        self.built[name] = set()
        self.markers[name] = self.armies[name] = 0
        self.owner[name] = None
        self.lost.add(name)

    # Winter

    def winter(self, loss: int) -> Waits:
        self.lost = set()
        below = {f: max(0, loss - self.grain[f]) for f in self.seats}
        for f in self.seats:
            self.grain[f] = max(0, self.grain[f] - loss)
        for f in self.order:
            shortage = len(self.own(f)) - self.grain[f]
            shortage += below[f] if self.options["grain_below_zero"] else 0
            n, extra = self.hunger(shortage)
            n = min(n, len(self.own(f)))
            drawn = self.own(f)[:n]
            if n and len(self.own(f)) > 1:
                drawn = (yield "hunger", f)["provinces"]
                assert len(set(drawn)) == n
            for name in drawn:
                yield from self.revolt(f, name, self.markers[name] + extra)
        self.score()
        self.markers.clear()

    @staticmethod
    def hunger(shortage: int) -> tuple[int, int]:
        table = {1: (1, 1), 2: (1, 2), 3: (2, 2), 4: (2, 2), 5: (2, 3), 6: (2, 3)}
        return table.get(shortage, (3, 3) if shortage > 6 else (0, 0))

    def score(self) -> None:
        for f in self.seats:
            self.points[f] += len(self.own(f)) + sum(len(self.built[name]) for name in self.own(f))
        regions = sorted({p["region"] for p in self.map.values()})
        for region, tile in itertools.product(regions, WEIGHT):
            counts = Counter(
                self.owner[name]
                for name, p in self.map.items()
                if p["region"] == region and tile in self.built[name]
            )
            leaders = [f for f in self.seats if counts[f] and counts[f] == max(counts.values())]
            for f in leaders:
                self.points[f] += WEIGHT[tile] - (len(leaders) > 1)

    # Comparison

    def everything(self) -> dict[str, Any]:
        return {
            "owner": {name: owner for name, owner in self.owner.items() if owner},
            "armies": +self.armies,
            "unrest": +self.markers,
            "buildings": {name: tiles for name, tiles in self.built.items() if tiles},
            "supply": +self.supply,
            "tower": +self.tower,
            "cup": +self.cup,
            "gold": +self.gold,
            "grain": +self.grain,
            "points": +self.points,
            "tiles": +self.tiles,
        }

"""A second, brute-force implementation of Water Beggars, army movement and military influence.

Every piece is an object. Written from the rulebook and the digest alone; nothing is imported from the game.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from itertools import product
from typing import Any

CATHOLIC_END = ["catholics", "habsburgs", "nobility"]  # most Catholic first
BEGGAR_PROVINCES = {"gelderland", "holland", "overijssel", "utrecht", "zeeland", "generality"}


@dataclass
class Army:
    owner: str
    region: str
    on: str | None = None  # city under siege
    face_down: bool = False
    tried: bool = False  # has moved or was stopped
    driven: bool = False


@dataclass
class Beggar:
    region: str
    on: str | None = None
    stopped_one: bool = False
    gone: bool = False


@dataclass
class Table:
    """Figures of the board, and all armies and beggars."""

    regions: dict[str, Any]
    provinces: dict[str, Any]
    armies: list[Army]
    beggars: list[Beggar]
    neutrals_left: int
    options: dict[str, Any]

    def copy(self) -> Table:
        armies = [dataclasses.replace(army) for army in self.armies]
        beggars = [dataclasses.replace(beggar) for beggar in self.beggars]
        return dataclasses.replace(self, armies=armies, beggars=beggars)

    def active_armies(self, region: str) -> list[Army]:
        return [army for army in self.armies if army.region == region and not army.face_down]

    def settlements(self, kind: str, region: str) -> list[tuple[str, str]]:
        """Return the towns or cities of a region, each with its province."""
        return [
            (name, slug)
            for slug, row in self.provinces.items()
            if row["region"] == region
            for name in row[kind]
        ]


# 6.7


def beggar_uses(table: Table) -> set[tuple[str, str, int, str | None]]:
    """Return every legal use of beggars by trying all candidates (6.7)."""
    places: list[str | None] = [None]
    for region in table.regions:
        places.append(f"strip:{region}")
        places += [f"town:{name}" for name, _ in table.settlements("towns", region)]
        cities = [name for name, _ in table.settlements("cities", region)]
        places += [f"{kind}:{name}" for name in cities for kind in ("city", "siege")]
    active = [
        entry
        for entry in product(table.regions, ["destroy", "relieve", "pillage", "besiege"], range(1, 5), places)
        if may_use(table, *entry)
    ]
    staying = {(region, "stay", len(_free(table, region)), None) for region, *_ in active}
    return {*active, *staying}


def _free(table: Table, region: str) -> list[Beggar]:
    return [b for b in table.beggars if b.region == region and b.on is None]


def may_use(table: Table, region: str, what: str, count: int, target: str | None) -> bool:
    if count > len(_free(table, region)):
        return False
    checks = {
        "destroy": _may_destroy,
        "relieve": _may_relieve,
        "pillage": _may_pillage,
        "besiege": _may_besiege,
    }
    return checks[what](table, region, count, target)


def _all_or_declared(table: Table, region: str, count: int) -> bool:
    all_required = table.options["beggar_commitment"] == "all_in_region"
    return not all_required or count == len(_free(table, region))


def _may_destroy(table: Table, region: str, count: int, target: str | None) -> bool:
    armies = table.active_armies(region)
    if not count > len(armies) or not _all_or_declared(table, region, count):
        return False
    for faction in CATHOLIC_END:
        theirs = [army for army in armies if army.owner == faction]
        if theirs:
            return target in {f"siege:{army.on}" if army.on else f"strip:{region}" for army in theirs}
    return False


def _may_relieve(table: Table, region: str, count: int, target: str | None) -> bool:
    armies = table.active_armies(region)
    cities = {f"city:{army.on}" for army in armies if army.on}
    if not cities or count < len(armies) or not _all_or_declared(table, region, count):
        return False
    if table.options["beggar_relief_scope"] == "all_in_region":
        return target is None
    return target in cities


def _attackable(table: Table, kind: str, region: str) -> list[str]:
    whole = table.options["beggar_target_scope"] == "whole_region"
    return [name for name, home in table.settlements(kind, region) if whole or home in BEGGAR_PROVINCES]


def _may_pillage(table: Table, region: str, count: int, target: str | None) -> bool:
    towns = [f"town:{name}" for name in _attackable(table, "towns", region)]
    return not table.active_armies(region) and count == 1 and table.neutrals_left > 0 and target in towns


def _may_besiege(table: Table, region: str, count: int, target: str | None) -> bool:
    taken = {f"city:{b.on}" for b in table.beggars if b.on}
    cities = {f"city:{name}" for name in _attackable(table, "cities", region)} - taken
    return not table.active_armies(region) and count == 2 and target in cities


# 6.8


def march(table: Table, faction: str, moves: list[tuple[str, str]]) -> Table | None:
    """Return the table after a faction's moves; None if a move is illegal (6.8)."""
    table = table.copy()
    for source, target in moves:
        if source not in table.regions or target not in table.regions[source]["arrows"]:
            return None
        mine = [a for a in table.active_armies(source) if a.owner == faction and a.on is None and not a.tried]
        boxes = table.regions[target]["boxes"]
        if not mine or sum(army.region == target for army in table.armies) >= boxes:
            return None
        guards = [b for b in _free(table, source) if not b.stopped_one] if faction in CATHOLIC_END else []
        # The owner picks the army that suits best: one that was driven back if it will be stopped.
        mine.sort(key=lambda army: army.driven, reverse=bool(guards))
        mine[0].tried = True
        if guards:
            guards[0].stopped_one = True
        else:
            mine[0].region = target
    return table


# 6.9


def influence(table: Table, faction: str) -> dict[str, int]:
    """Return the number of counters a faction's armies can replace in each region (6.9)."""
    replaceable = {}
    for region in table.regions:
        strip = [army for army in table.active_armies(region) if army.on is None]
        if any(army.owner != faction for army in strip):
            continue
        able = [army for army in strip if not army.driven]
        guards = _free(table, region) if faction in CATHOLIC_END else []
        if not table.options["beggar_double_block"]:
            guards = [b for b in guards if not b.stopped_one]
        through = able[len(guards) :]
        if through:
            replaceable[region] = len(through)
    return replaceable

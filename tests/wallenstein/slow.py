"""Second, deliberately slow implementation of the rules for comparison.

Written from the digest alone: cube by cube, space by space, province by province.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

COLOURS = ("red", "blue", "yellow", "purple", "black")


# Battles


def battle(
    kind: str,
    *,
    attacker: int = 0,
    defender: int = 0,
    peasants: int = 0,
    unrest: int = 0,
    uncommitted: int = 0,
    guarded: bool = False,
    saved_by_peasants: str = "keep",
    nothing_fell: str = "destroy",
) -> dict[str, Any]:
    """Resolve a battle by removing cubes of both sides in pairs until one side has none."""
    blue, red, green = ["attacker"] * attacker, ["defender"] * defender, ["peasants"] * peasants
    stay: list[str] = []
    if kind == "revolt":
        attack, defence = green, red
    elif kind == "neutral":
        attack, defence = blue, green
    elif unrest >= 2:
        guard = green[:1] if guarded else []
        attack, defence, stay = blue, red + guard, green[len(guard) :]
    else:
        attack, defence = blue, red + green  # `pop` takes from the end, so the peasants are lost first
    home: list[str] = []
    nothing = not attack and not defence
    winning = "none"
    if len(attack) > len(defence):
        winning = "attack"
    if len(defence) > len(attack):
        winning = "defence"
    while attack and defence:
        home += [attack.pop(), defence.pop()]
    left = attack + defence
    home += [cube for cube in left if cube == "peasants"]
    left = [cube for cube in left if cube != "peasants"]
    province, winner = _verdict(kind, winning)
    if nothing and nothing_fell == "attack-fails" and kind != "neutral":
        province = "held"
    if kind == "player" and winning == "defence" and not defender + uncommitted:
        province = "destroyed" if saved_by_peasants == "destroy" else "held"
    if province in ("conquered", "destroyed"):
        home += ["defender"] * uncommitted
    return {
        "winner": winner,
        "survivors": len(left),
        "back_to_supply": {who: home.count(who) for who in ("attacker", "defender", "peasants")},
        "stay_in_cup": {"peasants": len(stay)},
        "province": province,
    }


def _verdict(kind: str, winning: str) -> tuple[str, str]:
    if kind == "revolt":
        if winning == "defence":
            return "held", "defender"
        return "destroyed", "peasants" if winning == "attack" else "none"
    if winning == "attack":
        return "conquered", "attacker"
    if kind == "neutral":
        return "neutral", "peasants" if winning == "defence" else "none"
    if winning == "defence":
        return "held", "defender"
    return "destroyed", "none"


# Hunger

BOARD = """
    1    1 1
    2    1 2
    3-4  2 2
    5-6  2 3
    7+   3 3
"""


def hunger(grain: int, loss: int, provinces: int) -> dict[str, int]:
    """Move the grain marker back one space at a time, then feed one province at a time."""
    for _ in range(loss):
        if grain > 0:
            grain -= 1
    fed = 0
    hungry = 0
    for _ in range(provinces):
        if fed < grain:
            fed += 1
        else:
            hungry += 1
    for line in BOARD.split("\n"):
        if line and line.split() and _covers(line.split()[0], hungry):
            _, revolts, extra = line.split()
            return {"grain": grain, "shortage": hungry, "revolts": int(revolts), "extra_rebels": int(extra)}
    return {"grain": grain, "shortage": hungry, "revolts": 0, "extra_rebels": 0}


def _covers(span: str, number: int) -> bool:
    if span.endswith("+"):
        return number >= int(span[:-1])
    ends = [int(end) for end in span.split("-")]
    return ends[0] <= number <= ends[-1]


# Points

Province = tuple[str, str, frozenset[str]]  # region, owner, buildings


def majorities(provinces: Sequence[Province], region: str) -> dict[str, int]:
    """Return the points of a region: unsurpassed players lead, a shared lead costs one point."""
    points = dict.fromkeys(COLOURS, 0)
    for building, worth in (("palace", 3), ("church", 2), ("trading_house", 1)):
        owners = [owner for where, owner, built in provinces if where == region and building in built]
        leaders = [
            c for c in COLOURS if c in owners and all(owners.count(c) >= owners.count(o) for o in owners)
        ]
        for colour in leaders:
            points[colour] += worth if len(leaders) == 1 else worth - 1
    return points


def score(provinces: Sequence[Province]) -> dict[str, dict[str, int]]:
    """Count province by province, then region by region."""
    parts = {colour: {"provinces": 0, "buildings": 0, "majorities": 0} for colour in COLOURS}
    for _, owner, built in provinces:
        parts[owner]["provinces"] += 1
        for _ in built:
            parts[owner]["buildings"] += 1
    for region in {where for where, _, _ in provinces}:
        for colour, points in majorities(provinces, region).items():
            parts[colour]["majorities"] += points
    return parts


def winners(*criteria: Mapping[str, int]) -> list[str]:
    """Return the players that nobody beats."""
    players = [colour for colour in COLOURS if any(colour in counts for counts in criteria)]

    def beats(first: str, second: str) -> bool:
        for counts in criteria:
            if counts.get(first, 0) != counts.get(second, 0):
                return counts.get(first, 0) > counts.get(second, 0)
        return False

    return [player for player in players if not any(beats(other, player) for other in players)]


# The tower

Cubes = Mapping[str, int]


def cubes_of(fresh: Sequence[Cubes], stuck: Cubes, retention: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return every single cube with its probability to stay inside."""
    return [
        *((colour, retention["fresh"]) for cubes in fresh for colour, n in cubes.items() for _ in range(n)),
        *((colour, retention["stuck"]) for colour, n in stuck.items() for _ in range(n)),
    ]


def fates(cubes: Sequence[tuple[str, float]]) -> Iterator[tuple[float, list[str]]]:
    """Yield every combination of fallen cubes with its probability and the colours that fall."""
    for fallen in itertools.product((False, True), repeat=len(cubes)):
        chance = 1.0
        for (_, stays), falls in zip(cubes, fallen, strict=True):
            chance *= 1 - stays if falls else stays
        yield chance, [colour for (colour, _), falls in zip(cubes, fallen, strict=True) if falls]


def battle_after_fall(
    kind: str, out: Sequence[str], attacker: str, defender: str, unrest: int, **more: Any
) -> dict[str, Any]:
    """Return the battle that follows when these cubes have fallen."""
    return battle(
        kind,
        attacker=0 if kind == "revolt" else out.count(attacker),
        defender=0 if kind == "neutral" else out.count(defender),
        peasants=out.count("peasants"),
        unrest=unrest,
        **more,
    )


def side_of(kind: str, winner: str) -> str:
    """Return the winning side for the odds: peasants attack in a revolt and defend an empty province."""
    if winner == "peasants":
        return "attacker" if kind == "revolt" else "defender"
    return winner


def odds(
    kind: str, cubes: Sequence[tuple[str, float]], attacker: str, defender: str, unrest: int, **more: Any
) -> dict[str, Any]:
    """Return the odds by resolving the battle for every combination of fallen cubes."""
    win = {"attacker": 0.0, "defender": 0.0, "none": 0.0}
    left = {"attacker": 0.0, "defender": 0.0}
    squares = {"attacker": 0.0, "defender": 0.0}
    province: dict[str, float] = {}
    for chance, out in fates(cubes):
        result = battle_after_fall(kind, out, attacker, defender, unrest, **more)
        win[side_of(kind, result["winner"])] += chance
        province[result["province"]] = province.get(result["province"], 0.0) + chance
        if result["survivors"]:
            left[result["winner"]] += chance * result["survivors"]
            squares[result["winner"]] += chance * result["survivors"] ** 2
    return {
        "win": win,
        "expected_survivors": left,
        "strays": {side: (squares[side] - mean**2) ** 0.5 for side, mean in left.items()},
        "province": province,
    }

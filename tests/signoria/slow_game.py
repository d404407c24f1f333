"""Second, deliberately slow implementation of the rules, from the digest alone, on plain data.

A table is its lines (owner, piece, place, count), the printed figures and a few facts. Nothing of
the engine is used.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

CAREERS = ("political", "church", "military")
ALL_TRACKS = (*CAREERS, "initiative")


@dataclass
class Table:
    """The visible state of a table."""

    lines: dict[tuple[str, str, str], int]
    stacks: dict[int, list[str]]
    figures: dict[str, Any]
    options: dict[str, Any]
    cities: list[str]
    tasks: dict[str, str]
    order: list[str]
    log: list[str] = field(default_factory=list)

    def count(self, owner: str, piece: str, place: str) -> int:
        return self.lines.get((owner, piece, place), 0)

    def put(self, owner: str, piece: str, place: str, change: int) -> None:
        self.lines[owner, piece, place] = self.count(owner, piece, place) + change

    def copy(self) -> Table:
        stacks = {space: list(stack) for space, stack in self.stacks.items()}
        return Table(
            dict(self.lines), stacks, self.figures, self.options, self.cities, self.tasks, self.order
        )


def table_of(state: Any) -> Table:
    lines, stacks = {}, {}
    for place, rows in state.ledger.to_json().items():
        if place.startswith("initiative:"):
            stacks[int(place.split(":")[1])] = [owner for owner, _, _ in rows]
        for owner, piece, number in rows:
            lines[owner, piece, place] = lines.get((owner, piece, place), 0) + number
    setup = state.setup
    return Table(
        lines,
        stacks,
        dict(setup.figures),
        dict(setup.options),
        list(state.cities),
        dict(state.tasks),
        list(state.order),
    )


# Cities


def free_number(table: Table, city: str, member: str) -> int | None:
    """Return the lowest number among the empty spaces below a city, or None if it is full."""
    for number in (1, 2, 3, 4):
        spaces = table.figures["cities"][city][str(number)]
        standing = 0
        for (_, piece, place), count in table.lines.items():
            both = table.figures["city_spaces"]["shared"]
            if place == f"city:{city}:{number}" and (piece == member or (both and piece in ("man", "woman"))):
                standing += count
        if standing < spaces:
            return number
    return None


def missions(table: Table, who: str) -> set[tuple[str, int, str]]:
    found = set()
    for career, city in itertools.product(CAREERS, table.cities):
        for at in range(1, table.figures["tracks"][career]["spaces"] + 1):
            number = free_number(table, city, "man")
            rank = table.figures["tracks"][career]["ranks"][str(at)]
            if table.count(who, "man", f"track:{career}:{at}") and number is not None and rank >= number:
                found.add((career, at, city))
    return found


def marriages(table: Table, who: str) -> set[tuple[str, int]]:
    found = set()
    for city, dowry in itertools.product(table.cities, (1, 2, 3, 4)):
        number = free_number(table, city, "woman")
        enough = table.count(who, "florin", "reserve") >= dowry
        if table.count(who, "woman", "reserve") and number is not None and number <= dowry and enough:
            found.add((city, dowry))
    return found


# Progress, one point at a time

Man = tuple[str, int, int]  # career, first space, current space


@dataclass(frozen=True)
class Way:
    """Points used so far: men, steps of the disc, florins gained, and what is left in the reserve."""

    men: tuple[Man, ...]
    initiative: int
    florins: int
    disc: int
    reserve: int


def one_more(table: Table, who: str, way: Way, tracks: list[str]) -> Iterator[Way]:
    """Yield every way to use one more point."""
    top = table.figures["initiative"]["top"]
    if "initiative" in tracks and way.disc < top:
        yield Way(way.men, way.initiative + 1, way.florins, way.disc + 1, way.reserve)
    for career in CAREERS:
        if career not in tracks:
            continue
        if way.reserve:
            yield arrived(way, [*way.men, (career, 0, 1)], 1, top, way.reserve - 1)
        for i, (own, start, now) in enumerate(way.men):
            if own == career and now < table.figures["tracks"][career]["spaces"]:
                men = [*way.men]
                men[i] = (own, start, now + 1)
                yield arrived(way, men, now + 1, top, way.reserve)


def arrived(way: Way, men: list[Man], index: int, top: int, reserve: int) -> Way:
    """Add the bonus of a space a man reached: two florins on the fourth, a disc step on the sixth."""
    florins = way.florins + (2 if index == 4 else 0)
    disc = min(top, way.disc + 1) if index == 6 else way.disc
    return Way(tuple(sorted(men)), way.initiative, florins, disc, reserve)


def progress(table: Table, who: str, points: int, tracks: list[str]) -> set[Way]:
    """Return every way to use between one and `points` points."""
    men = []
    for career in CAREERS:
        for at in range(1, table.figures["tracks"][career]["spaces"] + 1):
            men += [(career, at, at)] * table.count(who, "man", f"track:{career}:{at}")
    space = next((space for space, stack in table.stacks.items() if who in stack), 99)
    ways = {Way(tuple(sorted(men)), 0, 0, space, table.count(who, "man", "reserve"))}
    found: set[Way] = set()
    for _ in range(points):
        ways = {more for way in ways for more in one_more(table, who, way, tracks)}
        found |= ways
    return found


# Actions with a die


def effect_possible(table: Table, who: str, effect: str) -> bool:
    kind, _, tracks = effect.partition(":")
    if kind == "progress":
        return bool(progress(table, who, 1, tracks.split(",")))
    if kind == "mission":
        return bool(missions(table, who))
    if kind == "marriage":
        return bool(marriages(table, who))
    if kind == "members":
        return any(table.count(who, piece, "supply") for piece in ("man", "woman"))
    if kind == "blind":
        return table.count("neutral", "tile", "supply") > 0
    return True


SIGNORIA = {
    "tracks": f"progress:{','.join(ALL_TRACKS)}",
    "mission": "mission",
    "marriage": "marriage",
    "descendants": "members",
    "florins": "florins",
}
TASKS = {
    "political": ((1, 2, 3), "progress:political"),
    "church": ((1, 2, 3), "progress:church"),
    "military": ((1, 2, 3), "progress:military"),
    "initiative": ((1, 2, 3), "progress:initiative"),
    "blind": ((1,), "blind"),
    "threshold": ((1, 2, 3), "threshold"),
    "marriage": ((2,), "marriage"),
    "mission": ((2,), "mission"),
    "florins": ((1, 2, 3), "florins"),
    "members": ((1, 2, 3), "members"),
}


def hire_possible(table: Table, who: str, colour: str) -> bool:
    action = table.figures["actions"][colour]
    if not table.count("neutral", "helper", "supply") and not table.options["helpers_unlimited"]:
        return False
    for column, rows in table.figures["helpers"].items():
        for row, space in rows.items():
            empty = not table.count("neutral", "helper", f"helper:{who}:{column}:{row}")
            price = space["price"] or action["price"]
            affordable = table.count(who, "florin", "reserve") >= price
            if space["kind"] != "none" and space["ring"] == action["ring"] and empty and affordable:
                return True
    return False


def task_possible(table: Table, who: str, task: str, member: str, n: int) -> bool:
    counts, effect = TASKS[task]
    if n not in counts or table.count(who, member, "reserve") < n:
        return False
    if not table.options["light_entry"]:
        row = next(space.split(":")[1] for space, tile in table.tasks.items() if tile == task)
        if row != {"woman": "upper", "man": "lower"}[member]:
            return False
    if task == "threshold":
        there = table.count(who, "man", "threshold") + table.count(who, "woman", "threshold")
        return there + n <= 3 or table.options["threshold_above_22"]
    paid = table.copy()
    paid.put(who, member, "reserve", -n)
    paid.put(who, member, "supply", n)
    return effect_possible(paid, who, effect)


def takes(table: Table, who: str, *, free: bool) -> set[tuple[str, int, str, str | None, int, int]]:
    """Return every die with every action it allows."""
    found: set[tuple[str, int, str, str | None, int, int]] = set()
    for colour, die in itertools.product(table.figures["actions"], range(1, 7)):
        if any(place == f"action:{who}:{colour}" and n for (_, _, place), n in table.lines.items()):
            continue
        if table.options["light_entry"]:
            there = table.count("neutral", f"{colour}-die", "supply")
        else:
            there = table.count("neutral", f"{colour}-{die}", f"dice:{colour}")
        cost = 0 if free else max(0, table.figures["actions"][colour]["number"] - die)
        if not there or cost > table.count(who, "florin", "reserve"):
            continue
        paid = table.copy()
        paid.put(who, "florin", "reserve", -cost)
        found |= {(colour, die, *action) for action in actions(paid, who, colour)}
    return found


def actions(paid: Table, who: str, colour: str) -> Iterator[tuple[str, str | None, int, int]]:
    if hire_possible(paid, who, colour):
        yield "hire", None, 0, 0
    if effect_possible(paid, who, SIGNORIA[paid.figures["actions"][colour]["signoria"]]):
        yield "signoria", None, 0, 0
    near = (
        TASKS
        if paid.options["light_entry"]
        else [paid.tasks[f"{colour}:{row}"] for row in ("upper", "lower")]
    )
    for task, member, n in itertools.product(near, ("man", "woman"), (1, 2, 3)):
        if task_possible(paid, who, task, member, n):
            yield "task", task, n if member == "man" else 0, n if member == "woman" else 0

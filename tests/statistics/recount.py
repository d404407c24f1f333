"""Second implementation of the statistics: folds every journal and counts from plain lists.

Uses no stored results, tallies or ratings.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from typing import Any

from openskill.models import PlackettLuce

from companion.models import Circle, Entry, Table
from companion.registry import rules_of
from companion.results.filters import Filter
from games.core.codec import from_json
from games.core.game import Setup


@dataclass
class Side:
    faction: str
    seat: int
    points: Fraction
    place: int
    won: bool
    half: Fraction | None
    half_parts: dict[str, Fraction] | None
    name: str


@dataclass
class Game:
    table: Table
    mode: str
    players: int
    differing: set[str]
    clean: bool
    minutes: Fraction | None
    sides: list[Side]

    @property
    def ended(self) -> datetime:
        return self.table.ended_at  # type: ignore[return-value]

    @property
    def month(self) -> str:
        return self.ended.astimezone(UTC).strftime("%Y-%m")

    @property
    def people(self) -> dict[str, list[Side]]:
        sides = defaultdict(list)
        for side in self.sides:
            if side.name:
                sides[side.name].append(side)
        return dict(sides)


def same_name(name: str) -> str:
    return " ".join(name.casefold().split())


def fold(table: Table) -> list[Any]:
    """Return the states of a table after each entry that is not undone."""
    game = rules_of(table.game, table.options["mode"])
    states = [game.start(from_json(Setup, table.setup)).state]
    for entry in Entry.objects.filter(table=table, undone=False).order_by("number"):
        states.append(game.apply(states[-1], game.read_action(entry.action, entry.faction)).state)
    return states


def recount_game(table: Table) -> Game:
    rules = rules_of(table.game, table.options["mode"])
    states = fold(table)
    end = states[-1]
    points = {s.faction: s.points for s in rules.standings(end)}
    result = rules.result(end)
    if table.ended_by_host:
        assert result is None
        ranking = [[f for f in points if points[f] == p] for p in sorted(set(points.values()), reverse=True)]
    else:
        assert result is not None
        ranking = [list(shared) for shared in result.ranking]
    middle = end.round // 2
    at_half = [state for state in states if state.round == middle] if middle else []
    # An entered position may go back to an earlier round; the last state of the middle round counts.
    halves = {s.faction: s for s in rules.standings(at_half[-1])} if at_half else {}
    setup = end.setup
    seats = {seat.faction: seat.name for seat in table.seats.all()}
    names = {f: same_name(n) for f, n in seats.items()}
    shared_name = {n for n in names.values() if list(names.values()).count(n) > 1}
    two_each = setup.players < len(setup.factions)
    sides = []
    for seat, faction in enumerate(states[0].order, start=1):
        ahead = sum(
            len(shared) for shared in ranking[: next(i for i, r in enumerate(ranking) if faction in r)]
        )
        known = names[faction] if two_each or names[faction] not in shared_name else ""
        sides.append(
            Side(
                faction=faction,
                seat=seat,
                points=points[faction],
                place=ahead + 1,
                won=faction in ranking[0],
                half=halves[faction].points if halves else None,
                half_parts=dict(halves[faction].parts) if halves else None,
                name=known if table.circle_id else "",
            )
        )
    entries = list(Entry.objects.filter(table=table, undone=False).order_by("number"))
    corrections = [
        e
        for e in entries
        if e.action["type"] in ("correct", "option", "figure", "position")
        or e.reason
        or e.action.get("rulings")
    ]
    notices = [n.code for n in table.notices.all()]
    return Game(
        table=table,
        mode=table.options["mode"],
        players=setup.players,
        differing={
            f"{o.name}={_value(setup.options[o.name])}"
            for o in rules.options
            if setup.options[o.name] != o.default
        },
        clean=not table.ended_by_host
        and not corrections
        and "left-out" not in notices
        and "no-longer-held" not in notices,
        minutes=_minutes(table, entries),
        sides=sides,
    )


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "other"
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _minutes(table: Table, entries: list[Entry]) -> Fraction | None:
    if table.options["mode"] != "full":
        return None
    assert table.started_at
    times = [table.started_at, *(e.created_at for e in entries)]
    seconds = Fraction(0)
    for before, after in pairwise(times):
        gap = after - before
        if timedelta(0) < gap <= timedelta(minutes=20):
            seconds += Fraction(gap // timedelta(microseconds=1), 10**6)
    return Fraction(math.floor(seconds), 60)


def all_games(circle: Circle | None) -> list[Game]:
    """Return every finished game once; of tables with the same start time only the oldest counts."""
    tables = Table.objects.filter(status="finished").order_by("pk")
    if circle:
        tables = tables.filter(circle=circle)
    seen, games = set(), []
    for table in tables:
        same = (table.game, table.options["mode"], table.started_at)
        if same not in seen:
            seen.add(same)
            games.append(recount_game(table))
    return games


def matching(games: Iterable[Game], filter_: Filter) -> list[Game]:
    return [
        g
        for g in games
        if g.table.game == filter_.game
        and filter_.mode in (None, g.mode)
        and filter_.players in (None, g.players)
        and (not filter_.clean or g.clean)
        and (
            filter_.option == ""
            or (filter_.option in g.differing if filter_.option != "=" else not g.differing)
        )
        and (filter_.since is None or g.month >= filter_.since)
        and (filter_.until is None or g.month <= filter_.until)
    ]


def shares(games: list[Game], of: Callable[[Side], str]) -> dict[str, tuple[int, int]]:
    counts: dict[str, tuple[int, int]] = {}
    for side in (side for g in games for side in g.sides):
        played, won = counts.get(of(side), (0, 0))
        counts[of(side)] = (played + 1, won + (1 if side.won else 0))
    return counts


def quantile(values: list[int], share: Fraction) -> int:
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)) - 1, 0)]


def points_of(games: list[Game], faction: str) -> list[Fraction]:
    return [side.points for g in games for side in g.sides if side.faction == faction]


# Members


@dataclass
class Person:
    games: int
    wins: int
    rating: tuple[float, float]
    course: list[tuple[str, float, float]]
    factions: dict[str, list[Any]]
    against: dict[str, list[int]]


def people_of(games: list[Game]) -> dict[str, Person]:
    """Rate all games with OpenSkill in the order in which they ended."""
    model = PlackettLuce()
    people: dict[str, Person] = {}
    for game in sorted(games, key=lambda g: (g.ended, g.table.pk)):
        for name in game.people:
            people.setdefault(name, Person(0, 0, (model.mu, model.sigma), [], {}, {}))
        nameless = [side for side in game.sides if not side.name]
        two_each = game.players < len(game.sides)
        strangers = {(s.place if two_each else s.faction): s.place for s in nameless}
        everybody = [(name, min(s.place for s in own)) for name, own in game.people.items()]
        everybody += [("", place) for place in strangers.values()]
        teams = [
            [model.rating(*people[name].rating) if name else model.rating()] for name, _place in everybody
        ]
        if len(teams) > 1:
            teams = model.rate(teams, ranks=[place for _name, place in everybody])
        for (name, place), team in zip(everybody, teams, strict=True):
            if not name:
                continue
            person, own = people[name], game.people[name]
            person.games += 1
            person.wins += any(side.won for side in own)
            person.rating = (team[0].mu, team[0].sigma)
            person.course.append((game.table.code, team[0].mu, team[0].sigma))
            for side in own:
                record = person.factions.setdefault(side.faction, [0, 0, Fraction(0)])
                record[0] += 1
                record[1] += side.won
                record[2] += side.points
            for other, other_place in everybody:
                if other and other != name:
                    met = person.against.setdefault(other, [0, 0, 0])
                    met[0 if place < other_place else 1 if place > other_place else 2] += 1
    return people

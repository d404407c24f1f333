"""Every number of a report, counted again from the journal: plainly, slowly, and in another way.

Nothing of ``companion.statistics`` is used to find what is expected; games are folded with the rules
alone, and numbers are read off ledgers and the steps as they are stored.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import timedelta
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

from companion.charts.course import Course, read_course
from companion.charts.sections import Chart, Section
from companion.journal.submit import undo
from companion.models import Entry, Table
from companion.report.contents import sections_of
from companion.report.points import round_title
from companion.wording import name, number
from games.core.messages import Name
from games.registry import GAMES
from tests.statistics.journals import played
from tests.tables.sitting import Sitting

GAME_BY_GAME = pytest.mark.parametrize(
    ("slug", "players", "entries"),
    [
        *[("revolution", 5, 150), ("wallenstein", 3, 120), ("signoria", 3, None), ("raubritter", 4, None)],
        *(
            pytest.param(slug, players, None, marks=pytest.mark.long)
            for slug, players in (("revolution", 3), ("wallenstein", 5), ("signoria", 4), ("raubritter", 3))
        ),
    ],
)


class Told(NamedTuple):
    """A game, its report, and every state after an entry that counts, 0 the start."""

    table: Table
    course: Course
    sections: dict[str, Section]
    states: dict[int, Any]
    points: dict[int, dict[str, Fraction]]  # after each of them
    holders: dict[int, dict[tuple[Name, Name], str | None]]

    def chart(self, slug: str) -> Chart:
        return next(c for section in self.sections.values() for c in section.charts if c.slug == slug)


_games: dict[tuple[str, int, int | None], Told] = {}


def told_of(sitting: Sitting) -> Told:
    table = sitting.fresh()
    course = read_course(table)
    states = dict(folded(table))
    standings = GAMES[table.game].standings
    return Told(
        table,
        course,
        {s.slug: s for s in sections_of(course)},
        states,
        {at: {s.faction: s.points for s in standings(state)} for at, state in states.items()},
        {at: holders_in(table.game, state) for at, state in states.items()},
    )


def holders_in(slug: str, state: Any) -> dict[tuple[Name, Name], str | None]:
    annals = GAMES[slug].annals
    assert annals
    groups = annals.control(state).items()
    return {(group, place): who for group, places in groups for place, who in places.items()}


def folded(table: Table) -> Iterator[tuple[int, Any]]:
    game = GAMES[table.game]
    state = game.start(read_course(table).states[0].setup).state
    yield 0, state
    for entry in Entry.objects.filter(table=table, undone=False).order_by("number"):
        state = game.apply(state, game.read_action(entry.action, entry.faction)).state
        yield entry.number, state


@pytest.fixture
def told(slug: str, players: int, entries: int | None, db: None) -> Told:
    """Played once for all tests: a report is plain data, and outlives its rows."""
    key = (slug, players, entries)
    if key not in _games:
        sitting = played(slug, players, seed=3, entries=entries)
        undo(table=sitting.table, access=sitting.host)
        _games[key] = told_of(sitting)
    return _games[key]


def last_of_rounds(states: dict[int, Any]) -> dict[int, int]:
    """Round -> the last entry in it."""
    return {state.round: at for at, state in states.items()}


# Points


@GAME_BY_GAME
def test_standings(told: Told) -> None:
    series = [one.faction for one in told.course.series]
    entries, rounds = told.chart("course-entries"), told.chart("course-rounds")
    for trace, faction in zip(entries.figure["data"], series, strict=True):
        assert trace["y"] == [float(told.points[at][faction]) for at in told.states]
    ends = last_of_rounds(told.states)
    for trace, faction in zip(rounds.figure["data"], series, strict=True):
        assert trace["x"] == list(ends)
        assert trace["y"] == [float(told.points[at][faction]) for at in ends.values()]
    assert [[cell.text for cell in row[1:]] for row in rounds.grid.rows] == [
        [number(told.points[at][faction]) for faction in series] for at in ends.values()
    ]
    shown = {row[0].at: [cell.text for cell in row[2:]] for row in entries.grid.rows}
    now = shown[0]
    for at in told.states:
        now = shown.get(at, now)
        assert now == [number(told.points[at][faction]) for faction in series]


@GAME_BY_GAME
def test_parts(told: Told) -> None:
    standings = {s.faction: s for s in GAMES[told.table.game].standings(told.states[told.table.head])}
    chart = told.chart("parts")
    order = [row[0].faction for row in chart.grid.rows]
    assert sorted(standings[f].points for f in order) == sorted(s.points for s in standings.values())
    drawn = [sum(trace["x"][at] for trace in chart.figure["data"]) for at in range(len(order))]
    assert drawn == pytest.approx([float(standings[f].points) for f in order])
    assert [row[-1].text for row in chart.grid.rows] == [number(standings[f].points) for f in order]
    cells = Counter(cell.text for row in chart.grid.rows for cell in row[1:-1] if cell.text != "0")
    assert cells == Counter(number(p) for s in standings.values() for p in s.parts.values() if p)


@GAME_BY_GAME
def test_what_the_play_order_brought(told: Told) -> None:
    chart = told.chart("order")
    ends = last_of_rounds(told.states)
    over = [r for r in ends if r and (told.table.status != "playing" or r != max(ends))]
    gains: dict[int, list[Fraction]] = defaultdict(list)
    for row in chart.grid.rows:
        round_ = int(row[0].text)
        orders = Counter(state.order for state in told.states.values() if state.round == round_)
        order = max(orders, key=lambda o: orders[o])
        before = max((at for at, s in told.states.items() if s.round < round_), default=0)
        for one, cell in zip(told.course.series, row[1:], strict=True):
            gain = told.points[ends[round_]][one.faction] - told.points[before][one.faction]
            place = order.index(one.faction) + 1
            gains[place].append(gain)
            assert cell.text == f"{place}.: {'+' if gain > 0 else ''}{number(gain)}"
    assert [int(row[0].text) for row in chart.grid.rows] == over
    means = chart.figure["data"][0]
    assert means["x"] == sorted(gains)
    assert means["y"] == pytest.approx([float(sum(gains[p]) / len(gains[p])) for p in sorted(gains)])


@GAME_BY_GAME
def test_turning_points_are_true(told: Told) -> None:
    """Each names an entry that changed points; none is larger than those that were left out."""
    turns = told.sections["turning"].turns
    numbers = [turn.at for turn in turns]
    assert numbers == sorted(set(numbers))
    assert 1 <= len(turns) <= 5
    path = list(told.states)
    for turn in turns:
        before = path[path.index(turn.at) - 1]
        now, then = told.points[turn.at], told.points[before]
        assert now != then
        assert number(now[turn.faction]) in turn.sentence
        if "lead" in turn.sentence:
            assert now[turn.faction] > max(p for f, p in now.items() if f != turn.faction)
            assert then[turn.faction] <= max(p for f, p in then.items() if f != turn.faction)
        else:
            change = abs(now[turn.faction] - then[turn.faction])
            assert f"{number(change)} points" in turn.sentence


# Places


@GAME_BY_GAME
def test_who_held_what(told: Told) -> None:
    chart = told.chart("control")
    ends = list(last_of_rounds(told.states).values())
    series = [one.faction for one in told.course.series]
    rows = [row for row in chart.grid.rows if len(row) > 1]
    for column, at in enumerate(ends):
        expected = Counter(who for who in told.holders[at].values())
        cells = [row[column + 1] for row in rows]
        assert Counter(cell.faction for cell in cells if cell.faction) == Counter(
            filter(None, expected.elements())
        )
        assert sum(cell.text == "–" for cell in cells) == expected[None]
        drawn = Counter(series[z[column]] for z in chart.figure["data"][0]["z"] if z[column] is not None)
        assert drawn == Counter(filter(None, expected.elements()))
    for trace, faction in zip(chart.figure["data"][2 : 2 + len(series)], series, strict=True):
        assert len(trace["x"]) == sum(who == faction for at in ends for who in told.holders[at].values())


@GAME_BY_GAME
def test_who_took_from_whom(told: Told) -> None:
    chart = told.chart("taken")
    expected: Counter[tuple[str | None, str | None]] = Counter()
    for at, then in zip(list(told.states)[1:], told.states, strict=False):
        before, after = told.holders[then], told.holders[at]
        expected.update((before.get(place), who) for place, who in after.items() if who != before.get(place))
    columns = [*(one.faction for one in told.course.series), None]
    found = {
        (row[0].faction or None, column): int(cell.text)
        for row in chart.grid.rows
        for column, cell in zip(columns, row[1:], strict=True)
    }
    assert {pair: count for pair, count in found.items() if count} == dict(expected)
    drawn = sum(abs(x) for trace in chart.figure["data"] for x in trace["x"])
    assert drawn == sum(expected.values())


# Pieces and money


def moves_below(step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from step.get("moves", ())
    for finer in step.get("steps", ()):
        yield from moves_below(finer)


@GAME_BY_GAME
def test_pieces_gained_less_those_lost_are_what_came_onto_the_board(told: Told) -> None:
    annals = GAMES[told.table.game].annals
    assert annals
    if not annals.board:
        assert "pieces" not in told.sections
        return
    first, last = told.states[0].ledger, told.states[told.table.head].ledger
    for piece, kinds in annals.board.items():
        for one in told.course.series:
            more = less = 0
            for row in told.chart(f"pieces-{piece}").grid.rows:
                cell = row[1 + told.course.series.index(one)].text
                more += sum(int(part) for part in cell.split() if part.startswith("+"))
                less += sum(int(part[1:]) for part in cell.split() if part.startswith("−"))
            lying = [
                sum(
                    h.count
                    for h in ledger.holdings()
                    if (h.owner, h.piece) == (one.faction, piece) and h.place.partition(":")[0] in kinds
                )
                for ledger in (first, last)
            ]
            setup = sum(
                move.count
                for step in GAMES[told.table.game].start(told.states[0].setup).steps
                for move in step.all_moves()
                if (move.owner, move.piece) == (one.faction, piece) and move.target.partition(":")[0] in kinds
            )
            assert more - less == lying[1] - lying[0] + setup
            bars = [
                t for t in told.chart(f"pieces-{piece}").figure["data"] if t["legendgroup"] == one.faction
            ]
            assert sum(sum(trace["x"]) for trace in bars) == more - less


@GAME_BY_GAME
def test_every_cause_is_known(told: Told) -> None:
    causes = [
        row[0].text
        for s in told.sections.values()
        if s.slug == "pieces"
        for c in s.charts
        for row in c.grid.rows
    ]
    assert "Other" not in causes
    assert all(cause[0].isupper() for cause in causes), "a cause without a name shows its slug"


@pytest.mark.parametrize(("slug", "players", "entries"), [("revolution", 5, 150)])
def test_conflicts_of_revolution_are_the_stored_ones(told: Told) -> None:
    lost: Counter[str] = Counter()
    for entry in told.course.journal:
        for step in entry.steps if entry.number in told.states else ():
            if step["message"]["code"] == "conflict-in":
                for move in moves_below(step):
                    lost[move["owner"]] += move["count"]
    row = next(row for row in told.chart("pieces-counter").grid.rows if row[0].text == "Conflict")
    shown = {o.faction: c.text for o, c in zip(told.course.series, row[1:], strict=True)}
    assert {f: text for f, text in shown.items() if text} == {
        f: f"−{n}" for f, n in lost.items() if f != "neutral" and n
    }


BOARDS = {
    "counter": {"countryside", "town", "city"},
    "army": {"province"},
    "man": {"reserve", "threshold", "track", "city"},
}


@pytest.mark.parametrize(
    ("slug", "players", "entries", "piece", "cause", "rules"),
    [
        ("revolution", 5, 150, "counter", "New units", {"5.2", "6.10"}),
        ("wallenstein", 3, 120, "army", "Recruiting", {"5.5"}),
        ("signoria", 3, None, "man", "Descendants", {"5.8"}),
    ],
)
def test_pieces_that_a_rule_brought_are_the_stored_ones(
    told: Told, piece: str, cause: str, rules: set[str]
) -> None:
    came: Counter[str] = Counter()
    for entry in told.course.journal:
        for step in entry.steps if entry.number in told.states else ():
            for move in moves_of(step, rules):
                if move["piece"] == piece:
                    ends = [move[end].partition(":")[0] in BOARDS[piece] for end in ("source", "target")]
                    came[move["owner"]] += move["count"] * (ends[1] - ends[0])
    row = next(row for row in told.chart(f"pieces-{piece}").grid.rows if row[0].text == cause)
    shown = {o.faction: c.text for o, c in zip(told.course.series, row[1:], strict=True)}
    assert any(came.values())
    assert shown == {f: f"+{came[f]}" if came[f] else "" for f in shown}


def moves_of(step: dict[str, Any], rules: set[str]) -> Iterator[dict[str, Any]]:
    """The moves of the steps that stand under one of some rules."""
    if step["rule"] in rules:
        yield from moves_below(step)
    else:
        for finer in step.get("steps", ()):
            yield from moves_of(finer, rules)


@GAME_BY_GAME
def test_money(told: Told) -> None:
    """From what everybody has at the start, along the moves as they are stored; at each moment that is drawn."""
    annals = GAMES[told.table.game].annals
    assert annals
    counted = [entry for entry in told.course.journal if entry.number in told.states]
    for coin in annals.money:
        chart = told.chart(f"money-{coin.piece}")
        for at, one in enumerate(told.course.series):
            have = told.states[0].ledger.count(one.faction, coin.piece, coin.place)
            had = {0: have}
            for entry in counted:
                for move in (move for step in entry.steps for move in moves_below(step)):
                    if (move["owner"], move["piece"]) == (one.faction, coin.piece):
                        have += move["count"] * (
                            (move["target"] == coin.place) - (move["source"] == coin.place)
                        )
                had[entry.number] = have
            line = chart.figure["data"][at]
            assert line["y"] == [had[number] for number, _round in line["customdata"]]
            assert line["customdata"][-1][0] == max(had)
            assert chart.grid.rows[-1][-len(told.course.series) + at].text == str(have)


# Times


@GAME_BY_GAME
def test_thinking_time(told: Told) -> None:
    """Without undo in between: the gaps between entries, the long one left out."""
    spent: Counter[str] = Counter()
    last = told.table.started_at
    assert last
    for entry in told.course.journal:
        gap = entry.created_at - last
        last = entry.created_at
        if gap <= timedelta(minutes=20):
            spent[entry.faction] += round(gap.total_seconds())
    chart = told.chart("times-players")
    for at, row in enumerate(chart.grid.rows):
        bars = next(t for t in chart.figure["data"] if t["legendgroup"] == row[0].faction)
        assert bars["x"][at] * 60 == pytest.approx(spent[row[0].faction])
    assert spent_by(told, "times-rounds") == spent_where(
        told, lambda state: round_title(told.course, state.round)
    )
    game = GAMES[told.table.game]
    named = spent_where(told, lambda state: name(game, "phase", game.phase(state)))
    assert spent_by(told, "times-phases") == named


def spent_where(told: Told, where: Callable[[Any], str]) -> Counter[tuple[str, str]]:
    """Seconds of each player, by what the game was at when they began to think."""
    found: Counter[tuple[str, str]] = Counter()
    path = sorted(told.states)
    last = told.table.started_at
    assert last
    for entry in told.course.journal:
        before = max(at for at in path if at < entry.number)
        gap, last = entry.created_at - last, entry.created_at
        if gap <= timedelta(minutes=20):
            found[where(told.states[before]), entry.faction] += round(gap.total_seconds())
    return found


def spent_by(told: Told, slug: str) -> Counter[tuple[str, str]]:
    """The same as the chart draws it."""
    chart = told.chart(slug)
    rows = [row[0].text for row in chart.grid.rows]
    drawn: Counter[tuple[str, str]] = Counter()
    for trace in chart.figure["data"]:
        for row, minutes in zip(rows, trace["x"], strict=True):
            if minutes:
                drawn[row, trace["legendgroup"]] += round(60 * minutes)
    return drawn

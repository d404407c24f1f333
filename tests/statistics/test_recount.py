"""Every number of a report equals an independent, slow recount from the journal.

The expected numbers use nothing of ``companion.report``: games are folded with the rules alone, and numbers
are read from ledgers and stored steps.
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
from companion.registry import titles
from companion.report.contents import sections_of
from companion.report.points import round_title
from companion.wording import name, number
from games.core.messages import Name
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


class RecountedReport(NamedTuple):
    """A game, its report, and its states by number of the entry (0 is the start), without undone entries."""

    table: Table
    course: Course
    sections: dict[str, Section]
    states: dict[int, Any]
    points: dict[int, dict[str, Fraction]]  # by number of the entry
    holders: dict[int, dict[tuple[Name, Name], str | None]]

    def chart(self, slug: str) -> Chart:
        return next(c for section in self.sections.values() for c in section.charts if c.slug == slug)


_games: dict[tuple[str, int, int | None], RecountedReport] = {}


def recount_report(sitting: Sitting) -> RecountedReport:
    table = sitting.fresh()
    course = read_course(table)
    states = dict(fold(table))
    standings = titles()[table.game].game.standings
    return RecountedReport(
        table,
        course,
        {s.slug: s for s in sections_of(course)},
        states,
        {at: {s.faction: s.points for s in standings(state)} for at, state in states.items()},
        {at: holders_in(table.game, state) for at, state in states.items()},
    )


def holders_in(slug: str, state: Any) -> dict[tuple[Name, Name], str | None]:
    annals = titles()[slug].game.annals
    assert annals
    groups = annals.control(state).items()
    return {(group, place): holder for group, places in groups for place, holder in places.items()}


def fold(table: Table) -> Iterator[tuple[int, Any]]:
    game = titles()[table.game].game
    state = game.start(read_course(table).states[0].setup).state
    yield 0, state
    for entry in Entry.objects.filter(table=table, undone=False).order_by("number"):
        state = game.apply(state, game.read_action(entry.action, entry.faction)).state
        yield entry.number, state


@pytest.fixture
def report(slug: str, players: int, entries: int | None, db: None) -> RecountedReport:
    """Play each game only once for all tests; a report is plain data and outlives its rows."""
    key = (slug, players, entries)
    if key not in _games:
        sitting = played(slug, players, seed=3, entries=entries)
        undo(table=sitting.table, access=sitting.host)
        _games[key] = recount_report(sitting)
    return _games[key]


def last_of_rounds(states: dict[int, Any]) -> dict[int, int]:
    """Return the last entry of each round."""
    return {state.round: at for at, state in states.items()}


# Points


@GAME_BY_GAME
def test_standings_equal_a_recount(report: RecountedReport) -> None:
    series = [player.faction for player in report.course.series]
    entries, rounds = report.chart("course-entries"), report.chart("course-rounds")
    for trace, faction in zip(entries.plot["data"], series, strict=True):
        assert trace["y"] == [float(report.points[at][faction]) for at in report.states]
    ends = last_of_rounds(report.states)
    for trace, faction in zip(rounds.plot["data"], series, strict=True):
        assert trace["x"] == list(ends)
        assert trace["y"] == [float(report.points[at][faction]) for at in ends.values()]
    assert [[cell.text for cell in row[1:]] for row in rounds.grid.rows] == [
        [number(report.points[at][faction]) for faction in series] for at in ends.values()
    ]
    shown = {row[0].at: [cell.text for cell in row[2:]] for row in entries.grid.rows}
    now = shown[0]
    for at in report.states:
        now = shown.get(at, now)
        assert now == [number(report.points[at][faction]) for faction in series]


@GAME_BY_GAME
def test_parts_equal_a_recount(report: RecountedReport) -> None:
    standings = {
        s.faction: s for s in titles()[report.table.game].game.standings(report.states[report.table.head])
    }
    chart = report.chart("parts")
    order = [row[0].faction for row in chart.grid.rows]
    assert sorted(standings[f].points for f in order) == sorted(s.points for s in standings.values())
    drawn = [sum(trace["x"][at] for trace in chart.plot["data"]) for at in range(len(order))]
    assert drawn == pytest.approx([float(standings[f].points) for f in order])
    assert [row[-1].text for row in chart.grid.rows] == [number(standings[f].points) for f in order]
    cells = Counter(cell.text for row in chart.grid.rows for cell in row[1:-1] if cell.text != "0")
    assert cells == Counter(number(p) for s in standings.values() for p in s.parts.values() if p)


@GAME_BY_GAME
def test_gains_by_play_order_equal_a_recount(report: RecountedReport) -> None:
    chart = report.chart("order")
    ends = last_of_rounds(report.states)
    over = [r for r in ends if r and (report.table.status != "playing" or r != max(ends))]
    gains: dict[int, list[Fraction]] = defaultdict(list)
    for row in chart.grid.rows:
        round_ = int(row[0].text)
        orders = Counter(state.order for state in report.states.values() if state.round == round_)
        order = max(orders, key=lambda o: orders[o])
        before = max((at for at, s in report.states.items() if s.round < round_), default=0)
        for player, cell in zip(report.course.series, row[1:], strict=True):
            gain = report.points[ends[round_]][player.faction] - report.points[before][player.faction]
            place = order.index(player.faction) + 1
            gains[place].append(gain)
            assert cell.text == f"{place}.: {'+' if gain > 0 else ''}{number(gain)}"
    assert [int(row[0].text) for row in chart.grid.rows] == over
    means = chart.plot["data"][0]
    assert means["x"] == sorted(gains)
    assert means["y"] == pytest.approx([float(sum(gains[p]) / len(gains[p])) for p in sorted(gains)])


@GAME_BY_GAME
def test_turning_points_have_correct_numbers(report: RecountedReport) -> None:
    """Each turning point names an entry that changed points, with the right numbers."""
    turns = report.sections["turning"].turns
    numbers = [turn.at for turn in turns]
    assert numbers == sorted(set(numbers))
    assert 1 <= len(turns) <= 5
    path = list(report.states)
    for turn in turns:
        before = path[path.index(turn.at) - 1]
        now, then = report.points[turn.at], report.points[before]
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
def test_holders_of_places_equal_a_recount(report: RecountedReport) -> None:
    chart = report.chart("control")
    ends = list(last_of_rounds(report.states).values())
    series = [player.faction for player in report.course.series]
    rows = [row for row in chart.grid.rows if len(row) > 1]
    for column, at in enumerate(ends):
        expected = Counter(holder for holder in report.holders[at].values())
        cells = [row[column + 1] for row in rows]
        assert Counter(cell.faction for cell in cells if cell.faction) == Counter(
            filter(None, expected.elements())
        )
        assert sum(cell.text == "–" for cell in cells) == expected[None]
        drawn = Counter(series[z[column]] for z in chart.plot["data"][0]["z"] if z[column] is not None)
        assert drawn == Counter(filter(None, expected.elements()))
    for trace, faction in zip(chart.plot["data"][2 : 2 + len(series)], series, strict=True):
        assert len(trace["x"]) == sum(
            holder == faction for at in ends for holder in report.holders[at].values()
        )


@GAME_BY_GAME
def test_taken_places_equal_a_recount(report: RecountedReport) -> None:
    chart = report.chart("taken")
    expected: Counter[tuple[str | None, str | None]] = Counter()
    for at, then in zip(list(report.states)[1:], report.states, strict=False):
        before, after = report.holders[then], report.holders[at]
        expected.update(
            (before.get(place), holder) for place, holder in after.items() if holder != before.get(place)
        )
    columns = [*(player.faction for player in report.course.series), None]
    shown = {
        (row[0].faction or None, column): int(cell.text)
        for row in chart.grid.rows
        for column, cell in zip(columns, row[1:], strict=True)
    }
    assert {pair: count for pair, count in shown.items() if count} == dict(expected)
    drawn = sum(abs(x) for trace in chart.plot["data"] for x in trace["x"])
    assert drawn == sum(expected.values())


# Pieces and money


def moves_below(step: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from step.get("moves", ())
    for substep in step.get("steps", ()):
        yield from moves_below(substep)


@GAME_BY_GAME
def test_pieces_gained_minus_lost_equal_the_change_on_the_board(report: RecountedReport) -> None:
    annals = titles()[report.table.game].game.annals
    assert annals
    if not annals.board:
        assert "pieces" not in report.sections
        return
    first, last = report.states[0].ledger, report.states[report.table.head].ledger
    for piece, kinds in annals.board.items():
        for player in report.course.series:
            more = less = 0
            for row in report.chart(f"pieces-{piece}").grid.rows:
                cell = row[1 + report.course.series.index(player)].text
                more += sum(int(part) for part in cell.split() if part.startswith("+"))
                less += sum(int(part[1:]) for part in cell.split() if part.startswith("−"))
            counts = [
                sum(
                    h.count
                    for h in ledger.holdings()
                    if (h.owner, h.piece) == (player.faction, piece) and h.place.partition(":")[0] in kinds
                )
                for ledger in (first, last)
            ]
            setup = sum(
                move.count
                for step in titles()[report.table.game].game.start(report.states[0].setup).steps
                for move in step.all_moves()
                if (move.owner, move.piece) == (player.faction, piece)
                and move.target.partition(":")[0] in kinds
            )
            assert more - less == counts[1] - counts[0] + setup
            bars = [
                t for t in report.chart(f"pieces-{piece}").plot["data"] if t["legendgroup"] == player.faction
            ]
            assert sum(sum(trace["x"]) for trace in bars) == more - less


@GAME_BY_GAME
def test_every_cause_has_a_name(report: RecountedReport) -> None:
    causes = [
        row[0].text
        for s in report.sections.values()
        if s.slug == "pieces"
        for c in s.charts
        for row in c.grid.rows
    ]
    assert "Other" not in causes
    assert all(cause[0].isupper() for cause in causes), "a cause without a name would show its slug"


@pytest.mark.parametrize(("slug", "players", "entries"), [("revolution", 5, 150)])
def test_losses_in_conflicts_of_revolution_equal_the_stored_moves(report: RecountedReport) -> None:
    lost: Counter[str] = Counter()
    for entry in report.course.journal:
        for step in entry.steps if entry.number in report.states else ():
            if step["message"]["code"] == "conflict-in":
                for move in moves_below(step):
                    lost[move["owner"]] += move["count"]
    row = next(row for row in report.chart("pieces-counter").grid.rows if row[0].text == "Conflict")
    shown = {o.faction: c.text for o, c in zip(report.course.series, row[1:], strict=True)}
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
def test_pieces_gained_by_a_rule_equal_the_stored_moves(
    report: RecountedReport, piece: str, cause: str, rules: set[str]
) -> None:
    came: Counter[str] = Counter()
    for entry in report.course.journal:
        for step in entry.steps if entry.number in report.states else ():
            for move in moves_of(step, rules):
                if move["piece"] == piece:
                    ends = [move[end].partition(":")[0] in BOARDS[piece] for end in ("source", "target")]
                    came[move["owner"]] += move["count"] * (ends[1] - ends[0])
    row = next(row for row in report.chart(f"pieces-{piece}").grid.rows if row[0].text == cause)
    shown = {o.faction: c.text for o, c in zip(report.course.series, row[1:], strict=True)}
    assert any(came.values())
    assert shown == {f: f"+{came[f]}" if came[f] else "" for f in shown}


def moves_of(step: dict[str, Any], rules: set[str]) -> Iterator[dict[str, Any]]:
    """Yield the moves of all steps of the given rules."""
    if step["rule"] in rules:
        yield from moves_below(step)
    else:
        for substep in step.get("steps", ()):
            yield from moves_of(substep, rules)


@GAME_BY_GAME
def test_money_equals_a_recount(report: RecountedReport) -> None:
    """Money at each plotted moment equals the initial money plus all stored moves."""
    annals = titles()[report.table.game].game.annals
    assert annals
    counted = [entry for entry in report.course.journal if entry.number in report.states]
    for coin in annals.money:
        chart = report.chart(f"money-{coin.piece}")
        for at, player in enumerate(report.course.series):
            have = report.states[0].ledger.count(player.faction, coin.piece, coin.place)
            had = {0: have}
            for entry in counted:
                for move in (move for step in entry.steps for move in moves_below(step)):
                    if (move["owner"], move["piece"]) == (player.faction, coin.piece):
                        have += move["count"] * (
                            (move["target"] == coin.place) - (move["source"] == coin.place)
                        )
                had[entry.number] = have
            line = chart.plot["data"][at]
            assert line["y"] == [had[number] for number, _round in line["customdata"]]
            assert line["customdata"][-1][0] == max(had)
            assert chart.grid.rows[-1][-len(report.course.series) + at].text == str(have)


# Times


@GAME_BY_GAME
def test_thinking_times_equal_a_recount(report: RecountedReport) -> None:
    """Thinking times equal the gaps between entries without the long pause."""
    spent: Counter[str] = Counter()
    last = report.table.started_at
    assert last
    for entry in report.course.journal:
        gap = entry.created_at - last
        last = entry.created_at
        if gap <= timedelta(minutes=20):
            spent[entry.faction] += round(gap.total_seconds())
    chart = report.chart("times-players")
    for at, row in enumerate(chart.grid.rows):
        bars = next(t for t in chart.plot["data"] if t["legendgroup"] == row[0].faction)
        assert bars["x"][at] * 60 == pytest.approx(spent[row[0].faction])
    assert shown_times(report, "times-rounds") == expected_times(
        report, lambda state: round_title(report.course, state.round)
    )
    game = titles()[report.table.game].game
    named = expected_times(report, lambda state: name(game, "phase", game.phase(state)))
    assert shown_times(report, "times-phases") == named


def expected_times(report: RecountedReport, label_of: Callable[[Any], str]) -> Counter[tuple[str, str]]:
    """Return the seconds of each player by a label of the state before the entry."""
    spent: Counter[tuple[str, str]] = Counter()
    path = sorted(report.states)
    last = report.table.started_at
    assert last
    for entry in report.course.journal:
        before = max(at for at in path if at < entry.number)
        gap, last = entry.created_at - last, entry.created_at
        if gap <= timedelta(minutes=20):
            spent[label_of(report.states[before]), entry.faction] += round(gap.total_seconds())
    return spent


def shown_times(report: RecountedReport, slug: str) -> Counter[tuple[str, str]]:
    """Return the seconds of each player as the chart shows them."""
    chart = report.chart(slug)
    rows = [row[0].text for row in chart.grid.rows]
    drawn: Counter[tuple[str, str]] = Counter()
    for trace in chart.plot["data"]:
        for row, minutes in zip(rows, trace["x"], strict=True):
            if minutes:
                drawn[row, trace["legendgroup"]] += round(60 * minutes)
    return drawn

"""Statistics across games equal a recount from the journals, whatever happened to the games."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction
from urllib.parse import parse_qsl

import pytest

from companion.errors import Refusal
from companion.journal.mending import mend
from companion.journal.result_sync import rebuild_results
from companion.journal.submit import back_to, redo, submit, undo
from companion.models import Circle, Encounter, Member, Result, Score, Skill, Status, Table, Tally
from companion.registry import titles
from companion.results.filters import Filter, options_of, read_filter
from companion.statistics import queries
from companion.tables import hosting
from companion.tables.circles import forget_member, open_circle, put_into_circle
from companion.tables.documents import read_document, write_document
from companion.tables.seats import change_seat, forget_name
from tests.statistics.evenings import HOST, Evening, import_evening, random_evening
from tests.statistics.recount import (
    Game,
    all_games,
    matching,
    people_of,
    points_of,
    quantile,
    same_name,
    shares,
)
from tests.tables.sitting import correction, offered

pytestmark = pytest.mark.django_db

QUICK = ("raubritter-pad", "revolution-pad", "signoria-pad", "wallenstein-pad")
FULL = ("raubritter", "signoria", "wallenstein", "revolution")


# Comparisons


def assert_recounted(circle: Circle | None, generator: random.Random, filters: int = 8) -> None:
    games = all_games(circle)
    for slug in titles():
        assert_choices(games, slug, circle)
        for filter_ in [Filter(slug), *(random_filter(slug, generator) for _ in range(filters))]:
            assert read_filter(slug, dict(parse_qsl(filter_.query))) == filter_
            assert_game(matching(games, filter_), filter_, circle)
            if circle:
                assert_list(matching(games, filter_), filter_, circle)
        if circle:
            assert_members([g for g in games if g.table.game == slug], slug, circle)
            assert_records([g for g in games if g.table.game == slug], slug, circle)
    assert queries.games_in(circle) == {
        slug: n for slug in titles() if (n := sum(g.table.game == slug for g in games))
    }


def random_filter(slug: str, generator: random.Random) -> Filter:
    months = sorted(generator.sample([f"{y}-{m:02}" for y in range(2024, 2028) for m in range(1, 13)], 2))
    return Filter(
        slug,
        mode=generator.choice([None, None, "full", "pad"]),
        since=generator.choice([None, months[0]]),
        until=generator.choice([None, months[1]]),
        players=generator.choice(
            [None, None, titles()[slug].game.min_players, titles()[slug].game.min_players + 1]
        ),
        option=generator.choice(["", "", "=", generator.choice(sorted(options_of(slug)))]),
        clean=generator.random() < 0.3,
    )


def assert_game(games: list[Game], filter_: Filter, circle: Circle | None) -> None:
    statistics = queries.game_statistics(filter_, circle)
    assert statistics.games == len(games)
    by_faction = shares(games, lambda side: side.faction)
    assert [(s.of, s.games, s.wins) for s in statistics.factions] == [
        (f, *by_faction.get(f, (0, 0))) for f in titles()[filter_.game].game.factions
    ]
    assert {a.players: a.games for a in statistics.players} == {
        n: sum(g.players == n for g in games) for n in {g.players for g in games}
    }
    for among in statistics.players:
        those = [g for g in games if g.players == among.players]
        assert {s.of: (s.games, s.wins) for s in among.factions} == shares(those, lambda side: side.faction)
        assert {s.of: (s.games, s.wins) for s in among.seats} == shares(those, lambda side: str(side.seat))
        assert [s.of for s in among.seats] == [str(n) for n in range(1, len(among.seats) + 1)]
    assert {d.faction for d in statistics.points} == set(by_faction)
    for spread in statistics.points:
        points = points_of(games, spread.faction)
        whole = [min(400, p.numerator // p.denominator) for p in points]
        assert spread.mean == sum(points, Fraction(0)) / len(points)
        assert (spread.least, spread.most) == (min(whole), max(whole))
        quarters = [Fraction(n, 4) for n in (1, 2, 3)]
        assert [spread.lower, spread.median, spread.upper] == [quantile(whole, q) for q in quarters]
        assert dict(spread.bins) == {p: whole.count(p) for p in whole}
    assert_lengths(games, statistics.lengths)
    assert_half_time(games, statistics.half_time)


def assert_lengths(games: list[Game], lengths: queries.Lengths | None) -> None:
    minutes = [g.minutes for g in games if g.minutes is not None]
    if not minutes:
        assert lengths is None
        return
    assert lengths is not None
    assert lengths.games == len(minutes)
    mean = sum(minutes, Fraction(0)) / len(minutes) * 60
    assert abs(lengths.mean.total_seconds() - mean) < Fraction(1, 1000)
    tens = [int(m // 10 * 10) for m in minutes]
    assert dict(lengths.bins) == {t: tens.count(t) for t in tens}
    assert lengths.median == timedelta(minutes=quantile(tens, Fraction(1, 2)))


def assert_half_time(games: list[Game], half_time: queries.HalfTime | None) -> None:
    with_half_time = [g for g in games if g.sides[0].half is not None]
    if not with_half_time:
        assert half_time is None
        return
    assert half_time is not None
    assert half_time.games == len(with_half_time)
    for had, won in ((half_time.winners, True), (half_time.others, False)):
        sides = [s for g in with_half_time for s in g.sides if s.won is won]
        if not sides:
            assert had is None
            continue
        assert had is not None
        assert had.scores == len(sides)
        assert had.points == sum((s.half or Fraction(0) for s in sides), Fraction(0)) / len(sides)
        for part, mean in had.parts.items():
            parts = [s.half_parts[part] for s in sides if part in (s.half_parts or {})]
            assert mean == sum(parts, Fraction(0)) / len(parts)
        assert set(had.parts) == {part for s in sides for part in s.half_parts or {}}
    led = [g for g in with_half_time if len({s.half for s in g.sides}) > 1]
    held = [g for g in led if any(s.won for s in g.sides if s.half == max(x.half or 0 for x in g.sides))]
    assert (half_time.leaders.games, half_time.leaders.wins) == (len(led), len(held))


def assert_choices(games: list[Game], slug: str, circle: Circle | None) -> None:
    of_game = [g for g in games if g.table.game == slug]
    choices = queries.choices_of(slug, circle)
    assert choices.games == len(of_game)
    assert choices.modes == {m: n for m in ("full", "pad") if (n := sum(g.mode == m for g in of_game))}
    assert choices.players == {p: sum(g.players == p for g in of_game) for p in {g.players for g in of_game}}
    options = {o for g in of_game for o in (g.differing or {"="})}
    assert choices.options == {o: sum(o in (g.differing or {"="}) for g in of_game) for o in options}
    assert choices.clean == sum(g.clean for g in of_game)
    months = [g.month for g in of_game]
    assert (choices.first, choices.last) == (min(months, default=None), max(months, default=None))


def assert_members(games: list[Game], slug: str, circle: Circle) -> None:
    expected = people_of(games)
    lines = queries.members_of(circle, slug)
    assert {same_name(line.name) for line in lines} == set(expected)
    assert [line.rating.ordinal for line in lines] == sorted((x.rating.ordinal for x in lines), reverse=True)
    for line in lines:
        person, statistics = expected[same_name(line.name)], queries.member_statistics(circle, line.pk, slug)
        assert statistics.line == line
        assert (line.record.games, line.record.wins) == (person.games, person.wins)
        assert (line.rating.mu, line.rating.sigma) == pytest.approx(person.rating)
        course = [
            (p.code, pytest.approx(p.rating.mu), pytest.approx(p.rating.sigma)) for p in statistics.course
        ]
        assert course == person.course
        with_factions = {
            f.share.of: [f.share.games, f.share.wins, f.points * f.share.games] for f in statistics.factions
        }
        assert with_factions == person.factions
        assert {same_name(a.name): [a.wins, a.losses, a.ties] for a in statistics.against} == person.against
        assert line.favourite
        assert person.factions[line.favourite][0] == max(f[0] for f in person.factions.values())
        assert queries.games_of_member(circle, line.pk)[slug] == person.games


def assert_records(games: list[Game], slug: str, circle: Circle) -> None:
    records = queries.records_of(circle, slug)
    completed = [g for g in games if not g.table.ended_by_host]
    points = sorted((s.points for g in completed for s in g.sides), reverse=True)[:3]
    assert [Fraction(best.score.points) for best in records.points] == points
    lengths = sorted(int(g.minutes * 60) for g in completed if g.minutes is not None)
    second = timedelta(seconds=1)
    assert [line.length // second for line in records.shortest if line.length] == lengths[:3]
    assert [line.length // second for line in records.longest if line.length] == lengths[::-1][:3]
    margins = sorted(m for g in completed if (m := margin(g)) is not None)
    narrowest = [Fraction(line.margin) for line in records.narrowest if line.margin is not None]
    assert narrowest == margins[:3]
    clearest = [Fraction(line.margin) for line in records.clearest if line.margin is not None]
    assert clearest == margins[::-1][:3]
    people = people_of(games).values()
    assert [x.record.games for x in records.games] == sorted((p.games for p in people), reverse=True)[:3]
    assert [x.record.wins for x in records.wins] == sorted((p.wins for p in people), reverse=True)[:3]


def margin(game: Game) -> Fraction | None:
    """Return the margin of victory; with two factions per player, between the sums."""
    won = [s.points for s in game.sides if s.won]
    lost = [s for s in game.sides if not s.won]
    if not lost:
        return None
    if game.players < len(game.sides):
        return sum(won, Fraction(0)) - sum((s.points for s in lost), Fraction(0))
    second = min(s.place for s in lost)
    return max(won) - max(s.points for s in lost if s.place == second)


def assert_list(games: list[Game], filter_: Filter, circle: Circle) -> None:
    listed, after = [], ""
    while True:
        page = queries.games_of(circle, filter_, after)
        listed += page.games
        after = page.following
        if not after:
            break
    games = sorted(games, key=lambda g: (g.ended, g.table.pk), reverse=True)
    assert [line.code for line in listed] == [g.table.code for g in games]
    for line, game in zip(listed, games, strict=True):
        assert (line.players, line.clean, line.early) == (game.players, game.clean, game.table.ended_by_host)
        assert {s.faction: (Fraction(s.points), s.place, s.won, same_name(s.name)) for s in line.scores} == {
            s.faction: (s.points, s.place, s.won, s.name) for s in game.sides
        }


# Changes to games


def undo_and_redo(table: Table, generator: random.Random) -> None:
    undo(table=table, access=HOST)
    if generator.random() < 0.5:
        redo(table=table, access=HOST)


def end_early(table: Table, generator: random.Random) -> None:
    before = table.entries.filter(undone=False, number__lte=table.head * 2 // 3).order_by("-number").first()
    back_to(table=table, access=HOST, number=before.number if before else 0)
    hosting.finish(table=table, access=HOST)
    if generator.random() < 0.3:
        hosting.reopen(table=table, access=HOST)


def give_up(table: Table, generator: random.Random) -> None:
    undo(table=table, access=HOST)
    hosting.abandon(table=table, access=HOST)


def leave_out(table: Table, generator: random.Random) -> None:
    numbers = list(table.entries.filter(undone=False).values_list("number", flat=True))
    number, why = generator.choice(numbers), "Never happened."
    mend(
        table=table, access=HOST, number=number, action=None, faction=None, reason=why, version=table.version
    )
    finish_again(table, generator)


def finish_again(table: Table, generator: random.Random) -> None:
    """Play up to 25 entries until the game ends."""
    for _ in range(25):
        table.refresh_from_db()
        if table.status != Status.PLAYING:
            return
        faction, action = offered(table, generator)
        submit(table=table, access=HOST, faction=faction, action=action)


def rename(table: Table, generator: random.Random) -> None:
    seat = generator.choice(list(table.seats.all()))
    name = generator.choice(["ada", " BÉLA", "Hanna", "Ada"])
    change_seat(table=table, access=HOST, seat=seat, name=name, faction=seat.faction)


def forget(table: Table, generator: random.Random) -> None:
    forget_name(table=table, access=HOST, seat=generator.choice(list(table.seats.all())))


def import_again(table: Table, generator: random.Random) -> None:
    copy = read_document(write_document(table)).table
    if table.circle and generator.random() < 0.7:
        put_into_circle(table=copy, access=HOST, circle=table.circle)


def delete(table: Table, generator: random.Random) -> None:
    hosting.delete(table=table, access=HOST)


def move(table: Table, generator: random.Random) -> None:
    circles = [None, *Circle.objects.order_by("pk")]
    put_into_circle(table=table, access=HOST, circle=generator.choice(circles))


def forget_somebody(table: Table, generator: random.Random) -> None:
    members = list(Member.objects.order_by("pk"))
    if members:
        member = generator.choice(members)
        forget_member(circle=member.circle, member=member.pk)
        assert not Member.objects.filter(pk=member.pk).exists()


Change = Callable[[Table, random.Random], None]
CHANGES: tuple[Change, ...] = (
    undo_and_redo,
    end_early,
    give_up,
    leave_out,
    rename,
    forget,
    import_again,
    delete,
    move,
    forget_somebody,
)


def change_a_game(change: Change, generator: random.Random) -> str:
    """Apply a change to a random game; return its name, or an empty string if it was refused."""
    tables = list(Table.objects.filter(status=Status.FINISHED, ended_by_host=False).order_by("pk"))
    try:
        change(generator.choice(tables), generator)
    except Refusal as refusal:
        if refusal.code not in ("nothing", "illegal"):
            raise
        return ""
    return change.__name__


# The tests


def change_and_recount(seed: int, imports: int) -> set[str]:
    """Import games, change them at random and compare; return the names of the changes."""
    generator = random.Random(seed)
    circles = [open_circle(name=f"Circle {n}").circle for n in range(2)]
    changes, remaining = set(), list[Change]()
    for number in range(imports):
        slug = generator.choice(QUICK)
        import_evening(random_evening(slug, generator), generator.choice([None, *circles, circles[0]]))
        if not remaining:
            remaining = generator.sample(CHANGES, len(CHANGES))
        if number > 1:
            changes.add(change_a_game(remaining.pop(), generator))
    for scope in (None, *circles):
        assert_recounted(scope, generator)
    stored = rows()
    assert rebuild_results() == []
    assert rows() == stored
    return changes


def test_statistics_equal_a_recount_after_random_changes() -> None:
    changes = change_and_recount(1, 12)
    assert len(changes - {""}) >= 8
    assert "import_again" in changes


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 20))
def test_statistics_equal_a_recount_after_many_random_changes(seed: int) -> None:
    change_and_recount(seed, 25)


def test_statistics_of_full_games_equal_a_recount() -> None:
    generator = random.Random(4)
    circle = open_circle(name="Thursdays").circle
    for slug in (*FULL, "raubritter"):
        import_evening(random_evening(slug, generator, most=2), circle)
    first, second = Table.objects.filter(game="raubritter").order_by("pk")
    redo_after_undo(first)
    faction = second.setup["factions"][0] if second.setup else ""
    submit(table=second, access=HOST, faction=faction, action=correction(1, faction))
    assert Result.objects.count() == 5
    assert queries.game_statistics(Filter("raubritter", clean=True), circle).games == 1
    assert_recounted(circle, generator, filters=3)
    assert_recounted(None, generator, filters=3)


def redo_after_undo(table: Table) -> None:
    undo(table=table, access=HOST)
    assert not Result.objects.filter(table=table).exists()
    redo(table=table, access=HOST)


def rows() -> dict[str, list[object]]:
    """Return all stored statistics without primary keys, which a rebuild changes."""
    people = {m.pk: (m.circle_id, m.normal) for m in Member.objects.all()}
    columns = ("table", "circle", "on_server", "in_circle", "options", "seconds", "margin", "is_clean")
    return {
        "tallies": list(Tally.objects.order_by("key").values_list("key", "circle", "counts")),
        "results": list(Result.objects.order_by("table").values_list(*columns, "started_at", "ended_at")),
        "scores": [
            (s.table_id, s.faction, s.circle_id, people.get(s.member_id or 0), s.mu, s.sigma, s.half_parts)
            for s in Score.objects.order_by("table", "faction")
        ],
        "skills": sorted(
            (*people[s.member_id], s.game, s.mu, s.sigma, s.games, s.wins, sorted(s.factions.items()))
            for s in Skill.objects.all()
        ),
        "encounters": sorted(
            (people[e.member_id], people[e.other_id], e.game, e.wins, e.losses, e.ties)
            for e in Encounter.objects.all()
        ),
    }


def test_deleting_a_game_restores_the_statistics() -> None:
    circle = open_circle(name="Thursdays").circle
    generator = random.Random(5)
    for _ in range(3):
        import_evening(random_evening("raubritter-pad", generator), circle)
    before = rows()
    evening = random_evening("raubritter-pad", generator)
    table = import_evening(Evening(evening.slug, 2, 1, evening.begins, ("Zoé", "Yves")), circle)
    assert rows() != before
    hosting.delete(table=table, access=HOST)
    assert rows() == before
    assert not Member.objects.filter(name__in=("Zoé", "Yves")).exists()

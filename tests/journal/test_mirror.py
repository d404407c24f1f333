"""The mirror: rows that agree with the state, checks and rebuilding."""

from decimal import Decimal
from fractions import Fraction

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from companion.journal import mirror
from companion.journal.integrity import Unfoldable, examine, rebuild_mirror
from companion.journal.states import game_of, state_at
from companion.journal.submit import back_to, undo
from companion.models import Entry, Holding, Standing, Table
from companion.tables.hosting import finish
from games.core.ledger import Ledger
from tests.tables.sitting import Sitting, assert_sound, play

pytestmark = pytest.mark.django_db


def test_mirror_shows_holdings_and_standings() -> None:
    sitting = play(2, 20)
    state = state_at(sitting.table, 20)

    lines = set(Holding.objects.values_list("owner", "piece", "place", "count"))
    assert lines == set(map(tuple, state.ledger.holdings()))
    points = {row.faction: row.points for row in Standing.objects.filter(round=state.round)}
    assert points == {
        standing.faction: standing.points for standing in game_of(sitting.table).standings(state)
    }
    assert {row.round for row in Standing.objects.all()} == set(range(state.round + 1))


@pytest.mark.parametrize(
    ("points", "stored", "number"),
    [
        (Fraction(7), Decimal(7), 7),
        (Fraction(-3), Decimal(-3), -3),
        (Fraction(13, 2), Decimal("6.5"), 6.5),
        (Fraction(1, 8), Decimal("0.125"), 0.125),
    ],
)
def test_points_are_converted_exactly(points: Fraction, stored: Decimal, number: float) -> None:
    assert mirror.decimal(points) == stored
    assert mirror.plain(points) == number
    assert type(mirror.plain(points)) is type(number)


def test_thousands_of_holdings_are_added_and_removed_in_few_queries() -> None:
    """A correction or an undo may change more rows than fit into one query."""
    sitting = play(2)
    state = state_at(sitting.table, 0)
    full = Ledger.of(state.ledger.places, [("blue", "knight", f"cell:{n},0", 1) for n in range(2500)])

    mirror._holdings(sitting.table, state.ledger, full)
    assert Holding.objects.count() == 2500
    with CaptureQueriesContext(connection) as queries:
        mirror._holdings(sitting.table, full, state.ledger)

    assert len(queries) <= 20
    assert Holding.objects.count() == 4
    assert_sound(sitting.table)


# Corrupted mirrors


def findings_of(sitting: Sitting) -> list[str]:
    return examine(table=sitting.fresh()).mirror


def test_every_part_of_the_mirror_is_checked_and_rebuilt() -> None:
    sitting = play(2, 20)
    table = sitting.table
    undo(table=table, access=sitting.host)
    corruptions = {
        "round": lambda: Table.objects.update(round=9),
        "phase": lambda: Table.objects.update(phase="dance"),
        "order": lambda: Table.objects.update(order=["yellow", "blue"]),
        "waiting_for": lambda: Table.objects.update(waiting_for=[]),
        "winners": lambda: Table.objects.update(winners=["blue"]),
        "status": lambda: Table.objects.update(status="finished"),
        "holdings": lambda: Holding.objects.filter(pk=Holding.objects.first().pk).update(count=99),
        "standings": lambda: Standing.objects.filter(round=1, faction="blue").update(points=99),
        "undone": lambda: Entry.objects.filter(number=3).update(undone=True),
    }
    assert set(mirror.derived_columns(game_of(table), state_at(table, 0))) <= set(corruptions)

    for name, corrupt in corruptions.items():
        corrupt()
        assert findings_of(sitting) == [name]
        version = sitting.fresh().version
        assert rebuild_mirror(table=sitting.table)
        assert findings_of(sitting) == []
        assert sitting.fresh().version == version + 1


def test_missing_and_extra_rows_are_found_and_rebuilt() -> None:
    sitting = play(2, 20)
    Holding.objects.first().delete()
    Standing.objects.first().delete()
    Holding.objects.create(table=sitting.table, owner="blue", piece="knight", place="cell:9,9", count=1)
    Standing.objects.create(table=sitting.table, round=50, faction="blue", points=1, parts={})
    Entry.objects.filter(number=20).update(undone=True)

    assert findings_of(sitting) == ["holdings", "standings", "undone"]
    rebuild_mirror(table=sitting.table)

    assert findings_of(sitting) == []


def test_correct_mirror_is_not_rebuilt() -> None:
    sitting = play(2, 5)
    before = sitting.fresh().version

    assert not rebuild_mirror(table=sitting.table)

    assert sitting.fresh().version == before


def test_rebuild_keeps_columns_set_by_the_host() -> None:
    sitting = play(2, 20)
    finish(table=sitting.table, access=sitting.host)
    winners = sitting.fresh().winners
    Holding.objects.all().delete()

    rebuild_mirror(table=sitting.table)

    table = sitting.fresh()
    assert (table.status, table.winners, table.waiting_for) == ("finished", winners, [])
    assert_sound(table)


def test_undone_branches_do_not_affect_the_mirror() -> None:
    sitting = play(2, 20)
    back_to(table=sitting.table, access=sitting.host, number=10)
    Holding.objects.all().delete()
    Standing.objects.all().delete()

    rebuild_mirror(table=sitting.table)

    assert_sound(sitting.table)
    assert Standing.objects.order_by("-round").first().round == state_at(sitting.table, 10).round


# Journals that do not match the rules


def test_differing_steps_are_reported() -> None:
    sitting = play(2, 5)
    Entry.objects.filter(number=3).update(steps=[])

    assert examine(table=sitting.table).journal == ["entry 3 (rules 1) leads to other steps"]


def test_refused_entry_is_reported() -> None:
    sitting = play(2, 5)
    Entry.objects.filter(number=2).update(action={"type": "end"}, rules=0)

    findings = examine(table=sitting.table)
    assert findings.journal == [
        "entry 2 (rules 0, now 1) is refused: “end” cannot be entered now. Not finished: Set-up; waiting for Yellow."
    ]
    assert findings.mirror == []
    with pytest.raises(Unfoldable, match="entry 2"):
        rebuild_mirror(table=sitting.table)


def test_undone_entries_are_checked_too() -> None:
    """Redo can restore them, so they must fold, too."""
    sitting = play(2, 5)
    undo(table=sitting.table, access=sitting.host)
    Entry.objects.filter(number=5).update(action={"type": "fly"})

    assert "entry 5 (rules 1) is refused" in str(examine(table=sitting.table))

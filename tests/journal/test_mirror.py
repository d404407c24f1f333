"""The mirror: rows that say what the state says."""

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


def test_holdings_and_standings() -> None:
    sitting = play(2, 20)
    state = state_at(sitting.table, 20)

    lines = set(Holding.objects.values_list("owner", "piece", "place", "count"))
    assert lines == set(map(tuple, state.ledger.holdings()))
    now = {row.faction: row.points for row in Standing.objects.filter(round=state.round)}
    assert now == {standing.faction: standing.points for standing in game_of(sitting.table).standings(state)}
    assert {row.round for row in Standing.objects.all()} == set(range(state.round + 1))


@pytest.mark.parametrize(
    ("points", "kept", "shown"),
    [
        (Fraction(7), Decimal(7), 7),
        (Fraction(-3), Decimal(-3), -3),
        (Fraction(13, 2), Decimal("6.5"), 6.5),
        (Fraction(1, 8), Decimal("0.125"), 0.125),
    ],
)
def test_points_are_exact(points: Fraction, kept: Decimal, shown: float) -> None:
    assert mirror.decimal(points) == kept
    assert mirror.plain(points) == shown
    assert type(mirror.plain(points)) is type(shown)


def test_thousands_of_lines_appear_and_vanish() -> None:
    """A correction, or going back to the start, may move more than a database takes at once."""
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


# Breaking it


def broken(sitting: Sitting) -> list[str]:
    return examine(table=sitting.fresh()).mirror


def test_every_part_of_the_mirror_is_compared_and_mended() -> None:
    sitting = play(2, 20)
    table = sitting.table
    undo(table=table, access=sitting.host)
    breaks = {
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
    assert set(mirror.derived_columns(game_of(table), state_at(table, 0))) <= set(breaks)

    for name, break_it in breaks.items():
        break_it()
        assert broken(sitting) == [name]
        version = sitting.fresh().version
        assert rebuild_mirror(table=sitting.table)
        assert broken(sitting) == []
        assert sitting.fresh().version == version + 1


def test_lines_too_many_and_too_few() -> None:
    sitting = play(2, 20)
    Holding.objects.first().delete()
    Standing.objects.first().delete()
    Holding.objects.create(table=sitting.table, owner="blue", piece="knight", place="cell:9,9", count=1)
    Standing.objects.create(table=sitting.table, round=50, faction="blue", points=1, parts={})
    Entry.objects.filter(number=20).update(undone=True)

    assert broken(sitting) == ["holdings", "standings", "undone"]
    rebuild_mirror(table=sitting.table)

    assert broken(sitting) == []


def test_a_sound_mirror_is_left_alone() -> None:
    sitting = play(2, 5)
    before = sitting.fresh().version

    assert not rebuild_mirror(table=sitting.table)

    assert sitting.fresh().version == before


def test_what_the_host_decided_is_left_alone() -> None:
    sitting = play(2, 20)
    finish(table=sitting.table, access=sitting.host)
    winners = sitting.fresh().winners
    Holding.objects.all().delete()

    rebuild_mirror(table=sitting.table)

    table = sitting.fresh()
    assert (table.status, table.winners, table.waiting_for) == ("finished", winners, [])
    assert_sound(table)


def test_branches_do_not_disturb_the_mirror() -> None:
    sitting = play(2, 20)
    back_to(table=sitting.table, access=sitting.host, number=10)
    Holding.objects.all().delete()
    Standing.objects.all().delete()

    rebuild_mirror(table=sitting.table)

    assert_sound(sitting.table)
    assert Standing.objects.order_by("-round").first().round == state_at(sitting.table, 10).round


# A journal that the rules have left behind


def test_an_entry_that_leads_to_other_steps() -> None:
    sitting = play(2, 5)
    Entry.objects.filter(number=3).update(steps=[])

    assert examine(table=sitting.table).journal == ["entry 3 (rules 1) leads to other steps"]


def test_an_entry_that_is_refused_now() -> None:
    sitting = play(2, 5)
    Entry.objects.filter(number=2).update(action={"type": "end"}, rules=0)

    findings = examine(table=sitting.table)
    assert findings.journal == [
        "entry 2 (rules 0, now 1) is refused: “end” cannot be entered now. Not finished: Set-up; waiting for Yellow."
    ]
    assert findings.mirror == []
    with pytest.raises(Unfoldable, match="entry 2"):
        rebuild_mirror(table=sitting.table)


def test_an_undone_entry_is_looked_at_too() -> None:
    """Redo brings it back, so it must fold as well."""
    sitting = play(2, 5)
    undo(table=sitting.table, access=sitting.host)
    Entry.objects.filter(number=5).update(action={"type": "fly"})

    assert "entry 5 (rules 1) is refused" in str(examine(table=sitting.table))

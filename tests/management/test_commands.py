"""Management commands that check journals and rebuild the mirror."""

import os
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from companion.models import Entry, Holding, Table
from tests.tables.crowd import database_url
from tests.tables.sitting import assert_sound, play, rows, sit

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[2]


def run(name: str, *codes: str) -> str:
    output = StringIO()
    call_command(name, *codes, stdout=output, stderr=output)
    return output.getvalue()


def test_check_of_sound_journals_prints_nothing() -> None:
    play(2, 5)
    play(3, 2)
    sit(2)
    before = rows()

    assert run("check_journals") == ""
    assert rows() == before


def test_check_names_each_table_that_differs() -> None:
    sound, broken, older = play(2, 5), play(2, 5), play(2, 5)
    Holding.objects.filter(table=broken.table).delete()
    Table.objects.filter(pk=broken.table.pk).update(round=7)
    Entry.objects.filter(table=older.table, number=1).update(steps=[])
    output = StringIO()

    with pytest.raises(CommandError, match=r"2 of 3 tables differ\.") as caught:
        call_command("check_journals", stdout=output)

    assert caught.value.returncode == 1
    assert output.getvalue().splitlines() == [
        f"{broken.table.code}: mirror: round, holdings",
        f"{older.table.code}: entry 1 (rules 1) leads to other steps",
    ]
    assert run("check_journals", sound.table.code.lower()) == ""
    with pytest.raises(CommandError):
        run("check_journals", broken.table.code)


def test_rebuild_mirror() -> None:
    sound, broken, other = play(2, 5), play(2, 5), play(2, 5)
    Holding.objects.exclude(table=sound.table).delete()

    assert run("rebuild_mirror", broken.table.code) == "Tables: 1, rebuilt: 1.\n"
    assert_sound(broken.table)
    assert run("rebuild_mirror") == "Tables: 3, rebuilt: 1.\n"
    assert_sound(other.table)
    assert run("rebuild_mirror") == "Tables: 3, rebuilt: 0.\n"


def test_unfoldable_journal_does_not_stop_the_rebuild_of_others() -> None:
    first, second = play(2, 3), play(2, 3)
    Holding.objects.all().delete()
    Entry.objects.filter(table=first.table, number=1).update(action={"type": "end"})
    output = StringIO()

    with pytest.raises(CommandError, match="1 does not fold"):
        call_command("rebuild_mirror", stdout=output, stderr=output)

    assert f"{first.table.code}: entry 1 (rules 1) is refused" in output.getvalue()
    assert "Tables: 2, rebuilt: 1." in output.getvalue()
    assert_sound(second.table)


@pytest.mark.parametrize("name", ["check_journals", "rebuild_mirror"])
def test_unknown_code_is_rejected(name: str) -> None:
    with pytest.raises(CommandError, match="There is no table with this code"):
        run(name, "CCCCCC")


@pytest.mark.parametrize("name", ["check_journals", "rebuild_mirror"])
def test_tables_not_started_are_skipped(name: str) -> None:
    sit(2)

    assert run(name) in ("", "Tables: 0, rebuilt: 0.\n")


@pytest.mark.django_db(transaction=True)
def test_check_exits_with_1_if_a_table_differs() -> None:
    sitting = play(2, 3)
    Holding.objects.all().delete()

    process = subprocess.run(
        [sys.executable, "manage.py", "check_journals"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url()},
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert process.returncode == 1
    assert process.stdout == f"{sitting.table.code}: mirror: holdings\n"
    assert "1 of 1 tables differ." in process.stderr

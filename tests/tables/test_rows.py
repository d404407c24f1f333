"""Rows that are read without Django's making up of questions are those that Django would read."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Model

from companion.models import Entry, Seat, Table, Tick
from companion.rows import rows
from companion.tables.play import tick
from tests.tables.sitting import Sitting, play

pytestmark = pytest.mark.django_db


def columns_of(row: Model) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.fixture
def sitting() -> Sitting:
    found = play(2, 6)
    tick(table=found.table, holder=found.host, number=1, line=0, done=True)
    return found


@pytest.mark.parametrize("model", [Table, Seat, Entry, Tick])
def test_every_column_is_what_django_reads(sitting: Sitting, model: type[Model]) -> None:
    """Times, JSON, nothing, whether or not: whatever the database makes of them."""
    django = list(model._default_manager.order_by("pk"))
    found = rows(model, "id > %s ORDER BY id", 0)
    assert found == django
    assert list(map(columns_of, found)) == list(map(columns_of, django))


def test_columns_that_were_not_asked_for_are_read_later(
    sitting: Sitting, django_assert_num_queries: Any
) -> None:
    newest = sitting.table.entries.latest("number")
    with django_assert_num_queries(1):
        (found,) = rows(Entry, "id = %s", newest.pk, columns="id, action")
        assert found.action == newest.action
    with django_assert_num_queries(1):
        assert found.faction == newest.faction


def test_a_row_that_was_read_can_be_saved(sitting: Sitting) -> None:
    (found,) = rows(Seat, "table_id = %s ORDER BY number LIMIT 1", sitting.table.pk)
    found.name = "Zsófi"
    found.save()
    assert Seat.objects.get(pk=found.pk).name == "Zsófi"


def test_where_there_are_none(sitting: Sitting) -> None:
    assert rows(Entry, "table_id = %s", sitting.table.pk + 1) == []

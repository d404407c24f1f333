"""JSON fields return exactly what was stored, on every database."""

from __future__ import annotations

import pytest

from companion.models import Board, Entry, Table
from companion.registry import titles
from tests.tables.sitting import play

pytestmark = [pytest.mark.database, pytest.mark.django_db]

UNSORTED = {"zz": 1, "a": {"ccc": 1, "b": 2}, "mm": [{"y": 1, "x": 2}]}


def test_key_order_is_preserved() -> None:
    code = Board.objects.create(code="BCDFGH", game="raubritter", name="Ours", figures=UNSORTED).code
    assert repr(Board.objects.get(code=code).figures) == repr(UNSORTED)
    Board.objects.filter(code=code).update(figures={"b": 1, "a": 2})
    assert list(Board.objects.get(code=code).figures) == ["b", "a"]
    board = Board.objects.get(code=code)
    board.figures = UNSORTED
    Board.objects.bulk_update([board], ["figures"])
    assert repr(Board.objects.get(code=code).figures) == repr(UNSORTED)


@pytest.mark.parametrize("slug", sorted(titles()))
def test_key_order_of_printed_figures_is_preserved(slug: str) -> None:
    figures = titles()[slug].game.board.figures
    Board.objects.create(code="BCDFGH", game=slug, name="Ours", figures=figures)
    assert repr(Board.objects.get().figures) == repr(figures)


def test_rows_can_be_filtered_by_json_keys() -> None:
    table = play(2, 4).table
    types = [entry.action["type"] for entry in table.entries.all()]
    for kind in set(types):
        assert Entry.objects.filter(table=table, action__type=kind).count() == types.count(kind)
        assert Entry.objects.filter(table=table, action__type__in=[kind]).count() == types.count(kind)
    assert Table.objects.filter(options__mode="full").get() == table
    assert not Table.objects.filter(setup__isnull=True).exists()


def test_nested_keys_can_be_selected_and_compared() -> None:
    Board.objects.create(code="BCDFGH", game="raubritter", name="Ours", figures=UNSORTED)
    boards = Board.objects.all()
    assert boards.values_list("figures__zz", "figures__a", "figures__mm__0__y").get() == (
        1,
        {"ccc": 1, "b": 2},
        1,
    )
    assert boards.filter(figures__a__b=2, figures__mm__0={"y": 1, "x": 2}, figures__zz__lt=2).exists()
    assert boards.filter(figures__none__isnull=True, figures__a__ccc__isnull=False).exists()
    assert not boards.filter(figures__zz__isnull=True).exists()

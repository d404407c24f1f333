"""Board copies: creation, comparison, export, import, use at a table."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from companion.errors import Refusal
from companion.models import Board
from companion.tables.board_copies import (
    Comparison,
    choose_board,
    compare,
    delete,
    figure_errors,
    find_board,
    make_copy,
    options_of,
    read_board,
    record_figures,
    rename,
    unconfirmed,
    write_board,
)
from companion.tables.documents import read_document, write_document
from companion.tables.opening import open_table, rematch, set_option, start
from games.raubritter import RAUBRITTER
from tests.tables.sitting import sit

pytestmark = pytest.mark.django_db

LAKE, ROWS, PLAIN, A = ("tile_set", "lake"), ("start", "rows"), ("tile_set", "plain"), ("letters", "A")


@pytest.fixture
def board() -> Board:
    return make_copy(game=RAUBRITTER, name=" Our  box ")


def correct(board: Board, path: tuple[str, ...], seen: Any, typed: Any, *, right: bool = False) -> None:
    compare(game=RAUBRITTER, board=board, figures={path: Comparison(seen, typed, right=right)})


def test_new_copy_has_shipped_figures_and_no_confirmations(board: Board) -> None:
    assert (board.name, board.figures, board.confirmed) == ("Our box", RAUBRITTER.board.figures, [])
    assert len(board.code) == 8
    assert find_board("there", "raubritter", board.code.lower()) == board
    assert unconfirmed(RAUBRITTER, board) == unconfirmed(RAUBRITTER, None)
    assert {path[0] for path in unconfirmed(RAUBRITTER, board)} == {"letters", "start"}


@pytest.mark.parametrize("code", ["", "AAAAAAAA", "é", "A" * 200, "A\0B"])
def test_unknown_code_is_rejected(code: str) -> None:
    with pytest.raises(Refusal) as caught:
        find_board("there", "raubritter", code)
    assert caught.value.code == "unknown"


def test_copy_is_not_found_under_another_game(board: Board) -> None:
    with pytest.raises(Refusal):
        find_board("there", "revolution", board.code)


def test_rename_copy(board: Board) -> None:
    rename(board=board, name=" The attic’s ")
    assert (board.name, board.version) == ("The attic’s", 2)
    for name in ("", " ", "x" * 21):
        with pytest.raises(Refusal):
            rename(board=board, name=name)
    assert Board.objects.get().name == "The attic’s"
    Board.objects.all().delete()
    with pytest.raises(Refusal):
        rename(board=board, name="Nobody’s")


def test_deleting_a_copy_keeps_the_figures_of_started_games(board: Board) -> None:
    correct(board, ROWS, 2, 1)
    begun, open_still = sit(), sit()
    for sitting in (begun, open_still):
        choose_board(table=sitting.table, access=sitting.host, board=board)
    start(table=begun.table, access=begun.host)
    versions = [sitting.fresh().version for sitting in (begun, open_still)]
    delete(board=board)
    assert not Board.objects.exists()
    assert begun.fresh().setup["figures"]["start"] == {"rows": 1}
    assert [sitting.fresh().version for sitting in (begun, open_still)] == [versions[0], versions[1] + 1]
    start(table=open_still.fresh(), access=open_still.host)
    assert open_still.fresh().setup["figures"]["start"] == {"rows": 2}
    with pytest.raises(Refusal):
        correct(board, ROWS, 1, 2)


def test_correction_confirms_only_the_corrected_figure(board: Board) -> None:
    correct(board, ROWS, 2, 1)
    assert (board.figures["start"], board.confirmed, board.version) == ({"rows": 1}, ["start.rows"], 2)
    assert unconfirmed(RAUBRITTER, board) == [("letters", letter) for letter in "ABCDE"]


def test_confirmation_can_be_withdrawn(board: Board) -> None:
    correct(board, ROWS, 2, 2, right=True)
    assert (board.figures, board.confirmed) == (RAUBRITTER.board.figures, ["start.rows"])
    compare(game=RAUBRITTER, board=board, figures={}, unsure=[ROWS])
    assert board.confirmed == []


def test_unchanged_unconfirmed_figure_changes_nothing(board: Board) -> None:
    correct(board, ROWS, 2, 2)
    assert (board.confirmed, board.version) == ([], 1)


def test_inconsistent_copy_can_be_saved_and_reports_its_errors(board: Board) -> None:
    correct(board, LAKE, 1, 2)
    assert figure_errors(RAUBRITTER, board.figures) == [
        "A set has 24 tiles; this one adds up to 25.",
        "Lake: the set has 2, but 1 bear a letter.",
    ]


@pytest.mark.parametrize(
    ("path", "value"), [(LAKE, -1), (LAKE, "many"), (LAKE, 0.5), (A, ["moon"]), (A, "plain"), (LAKE, 10**9)]
)
def test_invalid_value_of_a_figure_is_rejected(board: Board, path: tuple[str, ...], value: Any) -> None:
    with pytest.raises(Refusal) as caught:
        correct(board, path, None, value)
    assert caught.value.code == "bad-input"
    board.refresh_from_db()
    assert board.figures == RAUBRITTER.board.figures


def test_list_figure_can_grow_and_shrink(board: Board) -> None:
    correct(board, A, board.figures["letters"]["A"], ["plain"] * 6)
    assert board.figures["letters"]["A"] == ["plain"] * 6
    correct(board, A, ["plain"] * 6, [])
    assert board.figures["letters"]["A"] == []


def test_corrections_of_different_figures_by_two_phones_are_kept(board: Board) -> None:
    other = Board.objects.get(pk=board.pk)
    correct(board, LAKE, 1, 2)
    correct(other, PLAIN, 3, 2)
    assert (other.figures["tile_set"]["lake"], other.figures["tile_set"]["plain"]) == (2, 2)
    assert other.confirmed == ["tile_set.lake", "tile_set.plain"]


def test_conflicting_correction_of_the_same_figure_is_rejected(board: Board) -> None:
    other = Board.objects.get(pk=board.pk)
    correct(board, LAKE, 1, 2)
    with pytest.raises(Refusal) as caught:
        correct(other, LAKE, 1, 3)
    assert caught.value.status == 409
    with pytest.raises(Refusal):
        correct(other, LAKE, 1, 1, right=True)
    correct(other, LAKE, 1, 2)  # both say the same
    assert other.figures["tile_set"]["lake"] == 2
    assert other.version == 2


# Export and import


def test_import_of_an_export_is_equal(board: Board) -> None:
    correct(board, ROWS, 2, 1)
    imported = read_board(write_board(board))
    assert write_board(imported) == write_board(board)
    assert imported.code != board.code


@pytest.mark.parametrize(
    "change",
    [
        {"format": "seneschal-table-1"},
        {"game": "chess"},
        {"game": ["raubritter"]},
        {"name": ""},
        {"name": 7},
        {"figures": {}},
        {"figures": None},
        {"confirmed": ["moon"]},
        {"confirmed": "start.rows"},
        {"confirmed": [["start", "rows"]]},
        {"colour": "blue"},
        {"figures": {**RAUBRITTER.board.figures, "start": {"rows": 3}}},
        {"figures": {**RAUBRITTER.board.figures, "start": {"rows": "two"}}},
    ],
)
def test_invalid_document_is_rejected(board: Board, change: dict[str, Any]) -> None:
    with pytest.raises(Refusal) as caught:
        read_board({**write_board(board), **change})
    assert (caught.value.status, Board.objects.count()) == (400, 1)


def test_data_that_is_no_document_is_rejected(board: Board) -> None:
    for data in (None, [], "board", 7, write_board(board) | {"figures": {"a": "\0"}}):
        with pytest.raises(Refusal):
            read_board(data)


# At a table


def test_game_starts_with_the_figures_of_its_copy(board: Board) -> None:
    correct(board, ROWS, 2, 1)
    sitting = sit()
    choose_board(table=sitting.table, access=sitting.host, board=board)
    assert options_of(RAUBRITTER, sitting.fresh())["start_rows"] == 1
    start(table=sitting.table, access=sitting.host)
    setup = sitting.fresh().setup
    assert (setup["figures"]["start"]["rows"], setup["options"]["start_rows"]) == (1, 1)
    correct(board, ROWS, 1, 2)
    assert sitting.fresh().setup["figures"]["start"]["rows"] == 1  # fixed at the start


def test_option_set_by_the_host_overrides_the_copy(board: Board) -> None:
    correct(board, ROWS, 2, 1)
    sitting = sit()
    choose_board(table=sitting.table, access=sitting.host, board=board)
    set_option(table=sitting.table, access=sitting.host, name="start_rows", value=2)
    start(table=sitting.table, access=sitting.host)
    assert sitting.fresh().setup["options"]["start_rows"] == 2


def test_only_the_host_chooses_a_copy_before_the_start(board: Board) -> None:
    sitting = sit()
    with pytest.raises(Refusal) as caught:
        choose_board(table=sitting.table, access=sitting.access("blue"), board=board)
    assert caught.value.code == "foreign-token"
    start(table=sitting.table, access=sitting.host)
    with pytest.raises(Refusal) as caught:
        choose_board(table=sitting.table, access=sitting.host, board=board)
    assert caught.value.code == "started"


def test_inconsistent_copy_cannot_be_played_with(board: Board) -> None:
    sitting = sit()
    choose_board(table=sitting.table, access=sitting.host, board=board)
    correct(board, LAKE, 1, 2)
    with pytest.raises(Refusal) as caught:
        start(table=sitting.table, access=sitting.host)
    assert caught.value.message == (
        "The copy “Our box” cannot be used yet: A set has 24 tiles; this one adds up to 25."
    )
    with pytest.raises(Refusal):
        choose_board(table=sitting.table, access=sitting.host, board=board)
    with pytest.raises(Refusal):
        open_table(game="raubritter", board=board)
    choose_board(table=sitting.table, access=sitting.host, board=None)
    start(table=sitting.table, access=sitting.host)


def test_copy_that_does_not_fit_can_be_neither_used_nor_corrected(board: Board) -> None:
    Board.objects.filter(pk=board.pk).update(figures={"moon": 1})
    board.refresh_from_db()
    with pytest.raises(Refusal) as caught:
        open_table(game="raubritter", board=board)
    assert "does not fit" in caught.value.message
    with pytest.raises(Refusal):
        correct(board, ROWS, 2, 1)


def test_rematch_and_document_keep_the_figures(board: Board) -> None:
    correct(board, ROWS, 2, 1)
    sitting = sit()
    choose_board(table=sitting.table, access=sitting.host, board=board)
    start(table=sitting.table, access=sitting.host)
    assert rematch(table=sitting.table, access=sitting.host).board == board
    imported = read_document(copy.deepcopy(write_document(sitting.fresh()))).table
    assert imported.setup == sitting.fresh().setup


def test_figure_read_off_during_a_game_is_saved_as_confirmed(board: Board) -> None:
    record_figures(game=RAUBRITTER, board=board, figures={ROWS: 1})
    assert (board.figures["start"]["rows"], board.confirmed) == (1, ["start.rows"])

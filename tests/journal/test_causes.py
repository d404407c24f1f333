"""Why the real table may differ: what the moves of the journal explain, as plain data."""

from __future__ import annotations

from companion.journal.causes import Cause, Deed, Difference, Finding, Kind, Made, findings
from games.core.ledger import Move

PLACES = ("supply", "holland", "utrecht", "gelre", "flanders")
HOME = Move("red", "counter", "gelre", "supply", 2)
MARCH = Move("red", "counter", "holland", "utrecht", 1)


def near(one: str, other: str) -> int:
    return abs(PLACES.index(one) - PLACES.index(other))


def deed(number: int, *moves: Move, ticked: bool = False, whole: bool = False) -> Deed:
    made = tuple(Made(move, not ticked and not move.reported) for move in moves)
    return Deed(number, made, whole)


def differs(
    place: str, told: int, found: int, *, piece: str = "counter", also: tuple[str, ...] = ()
) -> Difference:
    return Difference("red", piece, place, told, found, also)


def found(differences: list[Difference], *deeds: Deed) -> list[Finding]:
    return findings(differences, sorted(deeds, key=lambda one: -one.number), near)


def cause(differences: list[Difference], *deeds: Deed) -> Cause | None:
    (one,) = found(differences, *deeds)
    return one.cause


# One difference


def test_a_line_that_nobody_ticked_and_that_is_just_that_many() -> None:
    assert cause([differs("gelre", 0, 2)], deed(41, HOME)) == Cause(Kind.UNTICKED, 41, HOME)


def test_what_was_not_ticked_is_likelier_than_what_was_ticked_later() -> None:
    later = deed(50, HOME, ticked=True)
    assert cause([differs("gelre", 0, 2)], deed(41, HOME), later) == Cause(Kind.UNTICKED, 41, HOME)


def test_of_two_lines_the_newer_one() -> None:
    assert cause([differs("gelre", 0, 2)], deed(41, HOME), deed(45, HOME)) == Cause(Kind.UNTICKED, 45, HOME)


def test_what_did_not_arrive() -> None:
    come = Move("red", "counter", "supply", "gelre", 3)
    assert cause([differs("gelre", 5, 2)], deed(8, come)) == Cause(Kind.UNTICKED, 8, come)


def test_ticked_but_perhaps_not_done() -> None:
    assert cause([differs("gelre", 0, 2)], deed(41, HOME, ticked=True)) == Cause(Kind.FORGOTTEN, 41, HOME)


def test_perhaps_done_twice() -> None:
    come = Move("red", "counter", "supply", "gelre", 2)
    assert cause([differs("gelre", 2, 4)], deed(8, come, ticked=True)) == Cause(Kind.TWICE, 8, come)


def test_several_moves_of_an_entry_count_together() -> None:
    once = Move("red", "counter", "gelre", "supply", 1)
    again = Move("red", "counter", "gelre", "flanders", 1)
    assert cause([differs("gelre", 0, 2)], deed(9, once, again, ticked=True)) == Cause(
        Kind.FORGOTTEN, 9, once
    )


def test_another_number_is_only_a_hint() -> None:
    assert cause([differs("gelre", 0, 5)], deed(41, HOME), deed(40, HOME)) == Cause(Kind.TOUCHED, 41, HOME)


def test_another_piece_or_owner_at_that_place_is_the_weakest_hint() -> None:
    army = Move("red", "army", "gelre", "supply", 2)
    other = Move("blue", "counter", "gelre", "supply", 2)
    assert cause([differs("gelre", 0, 2)], deed(3, army)) == Cause(Kind.PLACE, 3, army)
    assert cause([differs("gelre", 0, 2)], deed(3, army), deed(4, other)) == Cause(Kind.PLACE, 4, other)


def test_nothing_explains_it() -> None:
    assert cause([differs("flanders", 3, 2)], deed(41, HOME)) is None
    assert cause([differs("flanders", 3, 2)]) is None


def test_a_position_hides_what_came_before_it() -> None:
    whole = deed(60, whole=True)
    assert cause([differs("gelre", 0, 2)], deed(41, HOME), whole) == Cause(Kind.WHOLE, 60)
    assert cause([differs("gelre", 0, 2)], whole, deed(61, HOME)) == Cause(Kind.UNTICKED, 61, HOME)


def test_what_a_piece_becomes_counts_where_it_lands() -> None:
    turned = Move("red", "tile", "supply", "gelre", 1, becomes="castle")
    assert cause([differs("gelre", 1, 0, piece="castle")], deed(7, turned)) == Cause(Kind.UNTICKED, 7, turned)
    assert cause([differs("supply", 4, 5, piece="tile")], deed(7, turned)) == Cause(Kind.UNTICKED, 7, turned)
    assert cause([differs("gelre", 1, 0, piece="tile")], deed(7, turned)) == Cause(Kind.PLACE, 7, turned)


def test_what_is_seen_only_as_a_sum() -> None:
    won = Move("red", "point", "bank", "score:weddings", 3)
    sum_ = differs("score:missions", 10, 7, piece="point", also=("score:weddings",))
    assert cause([sum_], deed(5, won)) == Cause(Kind.UNTICKED, 5, won)


# Two that cancel


def test_a_piece_that_lies_at_the_next_place_is_one_finding() -> None:
    here, there = differs("holland", 3, 2), differs("utrecht", 1, 2)
    (one,) = found([here, there])
    assert (one.is_shift, one.missing, one.extra, one.count, one.cause) == (True, here, there, 1, None)


def test_the_move_between_them_explains_it() -> None:
    still, missing = differs("holland", 0, 1), differs("utrecht", 1, 0)
    assert cause([missing, still], deed(12, MARCH)) == Cause(Kind.UNTICKED, 12, MARCH)
    assert cause([missing, still], deed(12, MARCH, ticked=True)) == Cause(Kind.FORGOTTEN, 12, MARCH)


def test_the_move_of_the_journal_decides_which_two_belong_together() -> None:
    missing = differs("utrecht", 1, 0)
    near_by, far = differs("gelre", 0, 1), differs("holland", 0, 1)
    ends = [(one.missing, one.extra) for one in found([missing, near_by, far], deed(12, MARCH))]
    assert ends == [(missing, far), (None, near_by)]


def test_else_what_is_near_and_just_as_many() -> None:
    missing, extra, same = differs("holland", 5, 3), differs("utrecht", 0, 1), differs("flanders", 0, 2)
    ends = [(one.missing, one.extra, one.count) for one in found([missing, extra, same])]
    assert ends == [(missing, same, 2), (None, extra, 1)]


def test_what_is_left_of_a_pair_is_told_alone() -> None:
    missing, extra = differs("holland", 5, 2), differs("utrecht", 0, 1)
    told = [(one.missing, one.extra, one.count) for one in found([missing, extra])]
    assert told == [(missing, extra, 1), (missing, None, 2)]


def test_other_pieces_and_sums_never_cancel() -> None:
    army = differs("utrecht", 0, 1, piece="army")
    assert not any(one.is_shift for one in found([differs("holland", 1, 0), army]))
    sums = [
        differs("holland", 1, 0, piece="point", also=("gelre",)),
        differs("utrecht", 0, 1, piece="point", also=("flanders",)),
    ]
    assert not any(one.is_shift for one in found(sums))


def test_what_agrees_is_no_finding() -> None:
    assert found([differs("holland", 2, 2)], deed(1, HOME)) == []

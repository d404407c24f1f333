"""Causes of differences: the moves of the journal that explain them, tested on plain data."""

from __future__ import annotations

from companion.journal.causes import (
    Cause,
    Difference,
    EntryMoves,
    Finding,
    Kind,
    TrackedMove,
    findings,
)
from games.core.ledger import Move

PLACES = ("supply", "holland", "utrecht", "gelre", "flanders")
HOME = Move("red", "counter", "gelre", "supply", 2)
MARCH = Move("red", "counter", "holland", "utrecht", 1)


def distance(place: str, other: str) -> int:
    return abs(PLACES.index(place) - PLACES.index(other))


def entry(number: int, *moves: Move, ticked: bool = False, is_position: bool = False) -> EntryMoves:
    tracked = tuple(TrackedMove(move, not ticked and not move.reported) for move in moves)
    return EntryMoves(number, tracked, is_position)


def diff(
    place: str, expected: int, counted: int, *, piece: str = "counter", also: tuple[str, ...] = ()
) -> Difference:
    return Difference("red", piece, place, expected, counted, also)


def findings_of(differences: list[Difference], *entries: EntryMoves) -> list[Finding]:
    return findings(differences, sorted(entries, key=lambda each: -each.number), distance)


def cause(differences: list[Difference], *entries: EntryMoves) -> Cause | None:
    (finding,) = findings_of(differences, *entries)
    return finding.cause


# Single differences


def test_unticked_move_of_exact_count_is_the_cause() -> None:
    assert cause([diff("gelre", 0, 2)], entry(41, HOME)) == Cause(Kind.UNTICKED, 41, HOME)


def test_unticked_move_beats_later_ticked_move() -> None:
    later = entry(50, HOME, ticked=True)
    assert cause([diff("gelre", 0, 2)], entry(41, HOME), later) == Cause(Kind.UNTICKED, 41, HOME)


def test_newer_of_two_unticked_moves_is_the_cause() -> None:
    assert cause([diff("gelre", 0, 2)], entry(41, HOME), entry(45, HOME)) == Cause(Kind.UNTICKED, 45, HOME)


def test_unticked_move_explains_missing_pieces() -> None:
    come = Move("red", "counter", "supply", "gelre", 3)
    assert cause([diff("gelre", 5, 2)], entry(8, come)) == Cause(Kind.UNTICKED, 8, come)


def test_ticked_move_may_have_been_forgotten() -> None:
    assert cause([diff("gelre", 0, 2)], entry(41, HOME, ticked=True)) == Cause(Kind.FORGOTTEN, 41, HOME)


def test_move_may_have_been_made_twice() -> None:
    come = Move("red", "counter", "supply", "gelre", 2)
    assert cause([diff("gelre", 2, 4)], entry(8, come, ticked=True)) == Cause(Kind.TWICE, 8, come)


def test_moves_of_an_entry_are_summed() -> None:
    once = Move("red", "counter", "gelre", "supply", 1)
    again = Move("red", "counter", "gelre", "flanders", 1)
    assert cause([diff("gelre", 0, 2)], entry(9, once, again, ticked=True)) == Cause(Kind.FORGOTTEN, 9, once)


def test_move_of_other_count_is_a_hint() -> None:
    assert cause([diff("gelre", 0, 5)], entry(41, HOME), entry(40, HOME)) == Cause(Kind.TOUCHED, 41, HOME)


def test_other_piece_or_owner_at_the_place_is_the_weakest_hint() -> None:
    army = Move("red", "army", "gelre", "supply", 2)
    other = Move("blue", "counter", "gelre", "supply", 2)
    assert cause([diff("gelre", 0, 2)], entry(3, army)) == Cause(Kind.PLACE, 3, army)
    assert cause([diff("gelre", 0, 2)], entry(3, army), entry(4, other)) == Cause(Kind.PLACE, 4, other)


def test_unrelated_moves_are_no_cause() -> None:
    assert cause([diff("flanders", 3, 2)], entry(41, HOME)) is None
    assert cause([diff("flanders", 3, 2)]) is None


def test_entries_before_a_position_are_ignored() -> None:
    position = entry(60, is_position=True)
    assert cause([diff("gelre", 0, 2)], entry(41, HOME), position) == Cause(Kind.WHOLE, 60)
    assert cause([diff("gelre", 0, 2)], position, entry(61, HOME)) == Cause(Kind.UNTICKED, 61, HOME)


def test_transformed_piece_counts_as_its_new_kind_at_the_target() -> None:
    turned = Move("red", "tile", "supply", "gelre", 1, becomes="castle")
    assert cause([diff("gelre", 1, 0, piece="castle")], entry(7, turned)) == Cause(Kind.UNTICKED, 7, turned)
    assert cause([diff("supply", 4, 5, piece="tile")], entry(7, turned)) == Cause(Kind.UNTICKED, 7, turned)
    assert cause([diff("gelre", 1, 0, piece="tile")], entry(7, turned)) == Cause(Kind.PLACE, 7, turned)


def test_move_to_a_place_of_a_sum_is_the_cause() -> None:
    won = Move("red", "point", "bank", "score:weddings", 3)
    total = diff("score:missions", 10, 7, piece="point", also=("score:weddings",))
    assert cause([total], entry(5, won)) == Cause(Kind.UNTICKED, 5, won)


# Two differences that cancel


def test_missing_and_extra_piece_become_one_shift() -> None:
    here, there = diff("holland", 3, 2), diff("utrecht", 1, 2)
    (finding,) = findings_of([here, there])
    assert finding == Finding("red", "counter", 1, here, there, None)
    assert finding.is_shift


def test_move_between_both_places_explains_a_shift() -> None:
    still, missing = diff("holland", 0, 1), diff("utrecht", 1, 0)
    assert cause([missing, still], entry(12, MARCH)) == Cause(Kind.UNTICKED, 12, MARCH)
    assert cause([missing, still], entry(12, MARCH, ticked=True)) == Cause(Kind.FORGOTTEN, 12, MARCH)


def test_pairing_prefers_differences_connected_by_a_move() -> None:
    missing = diff("utrecht", 1, 0)
    near, far = diff("gelre", 0, 1), diff("holland", 0, 1)
    ends = [
        (finding.missing, finding.extra) for finding in findings_of([missing, near, far], entry(12, MARCH))
    ]
    assert ends == [(missing, far), (None, near)]


def test_pairing_prefers_equal_counts_over_near_places() -> None:
    missing, extra, same = diff("holland", 5, 3), diff("utrecht", 0, 1), diff("flanders", 0, 2)
    ends = [
        (finding.missing, finding.extra, finding.count) for finding in findings_of([missing, extra, same])
    ]
    assert ends == [(missing, same, 2), (None, extra, 1)]


def test_remainder_of_a_pair_is_a_separate_finding() -> None:
    missing, extra = diff("holland", 5, 2), diff("utrecht", 0, 1)
    ends = [(finding.missing, finding.extra, finding.count) for finding in findings_of([missing, extra])]
    assert ends == [(missing, extra, 1), (missing, None, 2)]


def test_different_pieces_and_sums_do_not_cancel() -> None:
    army = diff("utrecht", 0, 1, piece="army")
    assert not any(finding.is_shift for finding in findings_of([diff("holland", 1, 0), army]))
    sums = [
        diff("holland", 1, 0, piece="point", also=("gelre",)),
        diff("utrecht", 0, 1, piece="point", also=("flanders",)),
    ]
    assert not any(finding.is_shift for finding in findings_of(sums))


def test_equal_counts_are_no_finding() -> None:
    assert findings_of([diff("holland", 2, 2)], entry(1, HOME)) == []

from __future__ import annotations

import json

import pytest

from games.core.errors import NotThere
from games.core.ledger import Holding, Ledger, Move, Places, kind_of

PLACES = Places(
    ordered=frozenset({"tray"}),
    unlimited=frozenset({"bank"}),
    unseen=frozenset({"bag"}),
    backs={"ruby": "gem", "glass": "gem"},
)


def ledger(*holdings: tuple[str, str, str, int]) -> Ledger:
    return Ledger.of(PLACES, holdings)


# Plain places


def test_move_transfers_pieces() -> None:
    before = ledger(("red", "coin", "supply", 5))
    after = before.move(Move("red", "coin", "supply", "treasury", 2))
    assert after.count("red", "coin", "supply") == 3
    assert after.count("red", "coin", "treasury") == 2
    assert after.totals()["red", "coin"] == 5


def test_move_leaves_the_original_ledger_unchanged() -> None:
    before = ledger(("red", "coin", "supply", 5), ("red", "ruby", "tray:1", 1))
    text = json.dumps(before.to_json())
    before.move(Move("red", "coin", "supply", "treasury", 5), Move("red", "ruby", "tray:1", "tray:2"))
    assert json.dumps(before.to_json()) == text


def test_moving_missing_pieces_raises_not_there() -> None:
    with pytest.raises(NotThere):
        ledger(("red", "coin", "supply", 1)).move(Move("red", "coin", "supply", "treasury", 2))
    with pytest.raises(NotThere):
        ledger(("red", "coin", "supply", 1)).move(Move("blue", "coin", "supply", "treasury"))
    with pytest.raises(NotThere):
        ledger(("red", "coin", "supply", 1)).move(Move("red", "stone", "supply", "treasury"))


@pytest.mark.parametrize("source", ["supply", "tray:1", "bank"])
@pytest.mark.parametrize("target", ["treasury", "tray:2", "bank"])
def test_negative_move_raises_not_there(source: str, target: str) -> None:
    with pytest.raises(NotThere):
        ledger(("red", "coin", source, 3)).move(Move("red", "coin", source, target, -1))


def test_moves_are_applied_in_order() -> None:
    through = [Move("red", "coin", "supply", "hand"), Move("red", "coin", "hand", "treasury")]
    assert ledger(("red", "coin", "supply", 1)).move(*through) == ledger(("red", "coin", "treasury", 1))
    with pytest.raises(NotThere):
        ledger(("red", "coin", "supply", 1)).move(*reversed(through))


def test_empty_places_are_dropped() -> None:
    there = ledger(("red", "coin", "supply", 1), ("red", "ruby", "tray:1", 1))
    empty = there.move(Move("red", "coin", "supply", "bank"), Move("red", "ruby", "tray:1", "bank"))
    assert empty == ledger()
    assert empty.occupied() == []
    assert empty.to_json() == {}


def test_move_of_zero_pieces_changes_nothing() -> None:
    before = ledger(("red", "coin", "supply", 1), ("red", "ruby", "tray:1", 1))
    assert before.move(Move("red", "coin", "supply", "tray:2", 0)) == before
    assert before.move(Move("red", "ruby", "tray:1", "supply", 0)) == before


# Ordered places


def test_ordered_place_keeps_pieces_from_the_bottom_up() -> None:
    pile = ledger(("red", "knight", "tray:1", 2), ("blue", "knight", "tray:1", 1))
    after = pile.move(Move("red", "knight", "tray:1", "tray:1"))
    assert pile.pile("tray:1") == (("red", "knight"), ("red", "knight"), ("blue", "knight"))
    assert after.pile("tray:1") == (("red", "knight"), ("blue", "knight"), ("red", "knight"))
    assert pile != after
    assert after.count("red", "knight", "tray:1") == 2


def test_move_takes_the_topmost_piece_of_its_kind() -> None:
    pile = ledger(("red", "a", "tray:1", 1), ("blue", "b", "tray:1", 1), ("red", "a", "tray:1", 1))
    after = pile.move(Move("red", "a", "tray:1", "supply"))
    assert after.pile("tray:1") == (("red", "a"), ("blue", "b"))


def test_taking_too_many_from_an_ordered_place_raises_not_there() -> None:
    with pytest.raises(NotThere):
        ledger(("red", "a", "tray:1", 1)).move(Move("red", "a", "tray:1", "supply", 2))


def test_piles_are_filtered_by_kind_and_sorted() -> None:
    piles = ledger(("red", "a", "tray:2", 1), ("red", "b", "tray:1", 1), ("red", "c", "supply", 1))
    assert piles.piles("tray") == [("tray:1", (("red", "b"),)), ("tray:2", (("red", "a"),))]
    assert piles.piles("supply") == []


# Unlimited and unseen places


def test_unlimited_place_is_inexhaustible_and_not_counted() -> None:
    after = ledger().move(Move("red", "coin", "bank", "supply", 1_000))
    assert after.count("red", "coin", "supply") == 1_000
    assert after.count("red", "coin", "bank") == 0
    assert after.move(Move("red", "coin", "supply", "bank", 1_000)) == ledger()
    assert ledger(("red", "coin", "bank", 5)) == ledger()


def test_unseen_place_counts_pieces_by_their_back() -> None:
    assert PLACES.piece_at("ruby", "bag") == "gem"
    assert PLACES.piece_at("ruby", "bag:red") == "gem"
    assert PLACES.piece_at("ruby", "tray:1") == "ruby"
    assert PLACES.piece_at("coin", "bag") == "coin"
    assert not PLACES.is_seen("bag")
    assert PLACES.is_seen("tray:1")


def test_turned_piece_is_counted_as_what_it_becomes() -> None:
    bag = ledger(("red", "gem", "bag", 3))
    after = bag.move(Move("red", "gem", "bag", "tray:1", becomes="ruby"))
    assert after.pile("tray:1") == (("red", "ruby"),)
    assert after.count("red", "gem", "bag") == 2
    assert after.move(Move("red", "ruby", "tray:1", "bag", becomes="gem")) == bag


# Queries


def test_occupied_places_are_filtered_by_kind() -> None:
    assert kind_of("cell:2,-1") == "cell"
    assert kind_of("supply") == "supply"
    both = ledger(("red", "a", "tray:2", 1), ("red", "b", "trays", 1), ("red", "c", "supply", 1))
    assert both.occupied("tray") == ["tray:2"]
    assert both.occupied() == ["supply", "tray:2", "trays"]


def test_holdings_are_sorted_independent_of_input_order() -> None:
    lines = [("red", "b", "x", 1), ("blue", "a", "x", 2), ("red", "a", "x", 3), ("red", "a", "w", 1)]
    assert ledger(*lines).holdings() == ledger(*reversed(lines)).holdings()
    assert ledger(*lines).at("x") == [
        Holding("blue", "a", "x", 2),
        Holding("red", "a", "x", 3),
        Holding("red", "b", "x", 1),
    ]
    assert ledger(*lines) == ledger(*reversed(lines))


def test_holdings_of_an_ordered_place_are_aggregated() -> None:
    pile = ledger(("red", "a", "tray:1", 1), ("blue", "a", "tray:1", 1), ("red", "a", "tray:1", 1))
    assert pile.at("tray:1") == [Holding("blue", "a", "tray:1", 1), Holding("red", "a", "tray:1", 2)]
    assert pile.totals()["red", "a"] == 2


def test_zero_and_negative_counts_are_dropped() -> None:
    assert ledger(("red", "coin", "supply", 0), ("red", "coin", "tray:1", -1)) == ledger()


# Encoding


def test_ledger_round_trips_through_json() -> None:
    lines = [
        ("red", "b", "x", 1),
        ("blue", "a", "tray:1", 1),
        ("red", "a", "tray:1", 2),
        ("blue", "a", "tray:1", 1),
    ]
    before = ledger(*lines)
    after = Ledger.from_json(PLACES, json.loads(json.dumps(before.to_json())))
    assert after == before
    assert after.pile("tray:1") == before.pile("tray:1")
    assert repr(after) == repr(before)


def test_ledger_is_unhashable_and_equals_only_ledgers() -> None:
    assert ledger() != {}
    with pytest.raises(TypeError):
        hash(ledger())


def test_lands_as_is_the_piece_after_turning() -> None:
    assert Move("red", "gem", "bag", "tray:1", becomes="ruby").lands_as == "ruby"
    assert Move("red", "coin", "supply", "bank").lands_as == "coin"

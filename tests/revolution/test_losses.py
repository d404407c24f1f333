"""Which counters go in a conflict: the owner is asked where a town on a river may be left empty (Q-35)."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.actions import Ruling
from games.revolution.actions import Losses
from games.revolution.factions import FACTIONS
from games.revolution.overflow import reach
from games.revolution.state import State
from tests.revolution.campaigns import GAME, apply, asked, at, elements, refused, settled, texts
from tests.revolution.digest_board import digest_figures, on_board

C, H, N, B, R = FACTIONS

# Gelderland holds 10 and its limit is 8: Catholics and Burghers, who are level, lose one each. The Nobility
# keeps Nijmegen; so whether the Habsburgs can go up the Rhine depends on the Burghers in Arnhem.
GUARDED = {
    "countryside:gelderland": "C 3, N 3, B 2",
    "town:arnhem": "B 1",
    "town:nijmegen": "N 1",
    "countryside:holland": "H 9",
}


def fighting(lying: dict[str, str] | None = None, **more: Any) -> State:
    return on_board("conflict", lying or GUARDED, **more)


@pytest.mark.parametrize(
    ("place", "arnhem", "reached"), [("town:arnhem", "", True), ("countryside:gelderland", "B 1", False)]
)
def test_q_35_the_owner_says_whether_a_town_on_a_river_is_left(
    place: str,
    arnhem: str,
    reached: bool,  # noqa: FBT001
) -> None:
    state = settled(fighting()).state
    assert asked(state) == (B, "losses")
    after = apply(state, Losses(faction=B, places={place: 1})).state
    assert at(after, "town:arnhem") == arnhem
    assert at(after, "countryside:gelderland") == f"C 2, N 3, B {1 if arnhem else 2}"
    assert ("koeln" in reach(after, "holland", H)) == reached


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"countryside:holland": "H 8"}, "nobody has a surplus"),
        ({"countryside:holland": "B 9"}, "the surplus is their own"),
        ({"countryside:holland": "X 9"}, "neutrals do not overflow"),
        ({"town:arnhem": "C 1", "countryside:gelderland": "C 2, N 3, B 3"}, "the Catholics are asked"),
        ({"countryside:gelderland": "C 3, N 3, B 3", "town:arnhem": "X 1"}, "they have no town"),
        ({"countryside:gelderland": "C 5, N 4"}, "they lose all"),
        ({"countryside:gelderland": "C 1, N 3, B 2"}, "there is no conflict"),
    ],
)
def test_nobody_is_asked_where_it_makes_no_difference(changes: dict[str, str], why: str) -> None:
    assert asked(settled(fighting({**GUARDED, **changes})).state) != (B, "losses"), why


def test_a_town_where_the_river_ends_is_in_nobodys_way() -> None:
    figures = digest_figures()
    figures["rivers"]["rhine"]["course"] = ["trier", "koeln", "holland", "gelderland"]
    assert asked(settled(fighting(figures=figures)).state) != (B, "losses")


def test_cities_on_a_river_are_held_by_their_cards() -> None:
    lying = {"countryside:koeln": "C 3, N 4, B 2", "city:koeln": "B 1", "countryside:gelderland": "H 9"}
    assert asked(settled(fighting(lying)).state) != (B, "losses")


def test_everything_that_can_be_chosen_is_accepted() -> None:
    """Of 16 all lose twice, and the level ones with the fewest a third time."""
    lying = {**GUARDED, "countryside:gelderland": "C 5, N 5, B 4"}
    state = settled(fighting(lying, order=(B, C, H, N, R))).state
    offered = [element["places"] for element in elements(state)]
    assert offered == [{"countryside:gelderland": 2, "town:arnhem": 1}, {"countryside:gelderland": 3}]
    for places in offered:
        assert GAME.why_not(state, Losses(faction=B, places=places)) is None


def test_who_loses_in_several_provinces_is_asked_once_and_in_play_order() -> None:
    lying = {**GUARDED, "countryside:gelderland": "C 2, N 3, B 2", "town:nijmegen": "C 1"}
    figures = digest_figures(gelderland=7)
    state = settled(fighting(lying, figures=figures, order=(B, H, N, C, R))).state
    assert asked(state) == (B, "losses")
    state = apply(state, Losses(faction=B, places={"countryside:gelderland": 1})).state
    assert asked(state) == (C, "losses")
    after = apply(state, Losses(faction=C, places={"town:nijmegen": 1}))
    assert texts(after)[:2] == [
        "Catholics: chosen which counters go in conflicts.",
        "Conflict in Gelderland.",
    ]
    assert at(after.state, "town:nijmegen") == ""


@pytest.mark.parametrize(
    ("places", "told"),
    [
        ({}, "Gelderland: choose exactly 1 of your counters."),
        ({"countryside:gelderland": 1, "town:arnhem": 1}, "Gelderland: choose exactly 1 of your counters."),
        ({"town:arnhem": 2}, "There are not so many counters of that kind in town:arnhem."),
        ({"town:nijmegen": 1}, "There are not so many counters of that kind in town:nijmegen."),
    ],
)
def test_what_cannot_be_chosen(places: dict[str, int], told: str) -> None:
    assert refused(fighting(), Losses(faction=B, places=places)) == ("6.11", told)


def test_places_elsewhere_and_other_factions_are_refused() -> None:
    rule, told = refused(fighting(), Losses(faction=B, places={"countryside:holland": 1}))
    assert (rule, told.startswith("There is no “countryside:holland” here")) == ("6.11", True)
    waiting = refused(fighting(), Losses(faction=C, places={"countryside:gelderland": 1}))
    assert waiting == ("4.1", "Waiting for the Burghers.")


def test_in_round_0_it_is_another_section() -> None:
    assert refused(fighting(round=0), Losses(faction=B, places={}))[0] == "5.3"


def test_what_was_chosen_goes_first_where_the_table_rules_differently() -> None:
    ruling = {"conflict:gelderland": Ruling(result={C: 3, N: 4, B: 1}, reason="House rule")}
    after = apply(fighting(), Losses(faction=B, places={"town:arnhem": 1}, rulings=ruling)).state
    assert (at(after, "town:arnhem"), at(after, "countryside:gelderland")) == ("", "C 3, N 3, B 1")

"""Choice of losses in a conflict: the owner is prompted if a river town may become empty (Q-35)."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.actions import Ruling
from games.revolution.actions import Losses
from games.revolution.factions import FACTIONS
from games.revolution.overflow import reach
from games.revolution.state import State
from tests.revolution.campaigns import GAME, apply, at, elements, next_prompt, refused, settled, texts
from tests.revolution.digest_board import digest_figures, on_board

C, H, N, B, R = FACTIONS

# Gelderland holds 10 counters with a limit of 8: Catholics and Burghers are tied and lose one each. The
# Nobility keeps Nijmegen, so the Habsburgs can pass up the Rhine only if the Burghers leave Arnhem.
GUARDED = {
    "countryside:gelderland": "C 3, N 3, B 2",
    "town:arnhem": "B 1",
    "town:nijmegen": "N 1",
    "countryside:holland": "H 9",
}


def conflict_state(pieces: dict[str, str] | None = None, **more: Any) -> State:
    return on_board("conflict", pieces or GUARDED, **more)


@pytest.mark.parametrize(
    ("place", "arnhem", "reached"), [("town:arnhem", "", True), ("countryside:gelderland", "B 1", False)]
)
def test_q_35_owner_chooses_whether_to_leave_a_river_town(
    place: str,
    arnhem: str,
    reached: bool,  # noqa: FBT001
) -> None:
    state = settled(conflict_state()).state
    assert next_prompt(state) == (B, "losses")
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
def test_no_prompt_if_the_choice_makes_no_difference(changes: dict[str, str], why: str) -> None:
    assert next_prompt(settled(conflict_state({**GUARDED, **changes})).state) != (B, "losses"), why


def test_no_prompt_for_a_town_at_the_end_of_a_river() -> None:
    figures = digest_figures()
    figures["rivers"]["rhine"]["course"] = ["trier", "koeln", "holland", "gelderland"]
    assert next_prompt(settled(conflict_state(figures=figures)).state) != (B, "losses")


def test_no_prompt_for_cities_because_cards_control_them() -> None:
    pieces = {"countryside:koeln": "C 3, N 4, B 2", "city:koeln": "B 1", "countryside:gelderland": "H 9"}
    assert next_prompt(settled(conflict_state(pieces)).state) != (B, "losses")


def test_all_offered_losses_are_accepted() -> None:
    """With 16 counters all factions lose two, and the smallest ones a third."""
    pieces = {**GUARDED, "countryside:gelderland": "C 5, N 5, B 4"}
    state = settled(conflict_state(pieces, order=(B, C, H, N, R))).state
    offered = [element["places"] for element in elements(state)]
    assert offered == [{"countryside:gelderland": 2, "town:arnhem": 1}, {"countryside:gelderland": 3}]
    for places in offered:
        assert GAME.why_not(state, Losses(faction=B, places=places)) is None


def test_losses_are_prompted_in_play_order() -> None:
    pieces = {**GUARDED, "countryside:gelderland": "C 2, N 3, B 2", "town:nijmegen": "C 1"}
    figures = digest_figures(gelderland=7)
    state = settled(conflict_state(pieces, figures=figures, order=(B, H, N, C, R))).state
    assert next_prompt(state) == (B, "losses")
    state = apply(state, Losses(faction=B, places={"countryside:gelderland": 1})).state
    assert next_prompt(state) == (C, "losses")
    after = apply(state, Losses(faction=C, places={"town:nijmegen": 1}))
    assert texts(after)[:2] == [
        "Catholics: chosen which counters go in conflicts.",
        "Conflict in Gelderland.",
    ]
    assert at(after.state, "town:nijmegen") == ""


@pytest.mark.parametrize(
    ("places", "text"),
    [
        ({}, "Gelderland: choose exactly 1 of your counters."),
        ({"countryside:gelderland": 1, "town:arnhem": 1}, "Gelderland: choose exactly 1 of your counters."),
        ({"town:arnhem": 2}, "There are not so many counters of that kind in town:arnhem."),
        ({"town:nijmegen": 1}, "There are not so many counters of that kind in town:nijmegen."),
    ],
)
def test_invalid_losses_are_refused(places: dict[str, int], text: str) -> None:
    assert refused(conflict_state(), Losses(faction=B, places=places)) == ("6.11", text)


def test_losses_elsewhere_or_out_of_turn_are_refused() -> None:
    rule, text = refused(conflict_state(), Losses(faction=B, places={"countryside:holland": 1}))
    assert (rule, text.startswith("There is no “countryside:holland” here")) == ("6.11", True)
    waiting = refused(conflict_state(), Losses(faction=C, places={"countryside:gelderland": 1}))
    assert waiting == ("4.1", "Waiting for the Burghers.")


def test_refusal_in_round_0_cites_5_3() -> None:
    assert refused(conflict_state(round=0), Losses(faction=B, places={}))[0] == "5.3"


def test_chosen_losses_apply_first_under_a_ruling() -> None:
    ruling = {"conflict:gelderland": Ruling(result={C: 3, N: 4, B: 1}, reason="House rule")}
    after = apply(conflict_state(), Losses(faction=B, places={"town:arnhem": 1}, rulings=ruling)).state
    assert (at(after, "town:arnhem"), at(after, "countryside:gelderland")) == ("", "C 3, N 3, B 1")

"""Score pad of Revolution: points per round, the draft, the winner (digest parts 6, A13, 10)."""

from __future__ import annotations

import pytest

from companion.registry import titles
from games.core.errors import Refused
from tests.core.rendering import sentence
from tests.pads.playing import Playing

C, H, N, B, R = FIVE = ("catholics", "habsburgs", "nobility", "burghers", "reformers")
FOUR = (C, H, B, R)


def play_empty_rounds(pad: Playing, rounds: int) -> None:
    """Enter rounds without results, with each draft card placed last."""
    for _ in range(rounds):
        pad.enter("results")
        while pad.game.phase(pad.state) == "draft":
            pad.enter("draft", position=len(pad.state.frames[-1].data["row"]))


TWO_EACH = (
    "Two people need four seats: one plays Catholics and Habsburgs, the other Burghers and Reformers; "
    "2 are taken."
)
BAD_SEATS = [
    ((C,), None, "Revolution is for 2 to 5 players."),
    (FIVE, 6, "Revolution is for 2 to 5 players."),
    ((H, N, R), None, "The Catholics must be in a three-player game."),
    ((C, H, N, B), None, "The Nobility is not used with 2 or 4 players."),
    ((C, H, N, B), 2, "The Nobility is not used with 2 or 4 players."),
    ((C, B), None, TWO_EACH),
    (FOUR, 3, "3 people need 3 seats; 4 are taken."),
]


@pytest.mark.parametrize(("factions", "players", "message"), BAD_SEATS)
def test_invalid_seating_is_rejected(factions: tuple[str, ...], players: int | None, message: str) -> None:
    with pytest.raises(Refused) as caught:
        titles()["revolution"].pad.game.prepare(factions, players=players)
    assert sentence(titles()["revolution"].pad.game, caught.value.message) == message


@pytest.mark.parametrize(("factions", "players"), [(FOUR, 2), ((C, N, R), 3), (FOUR, 4), (FIVE, 5)])
def test_valid_seating_is_accepted(factions: tuple[str, ...], players: int) -> None:
    assert titles()["revolution"].pad.game.prepare(factions, players=players).players == players


def test_points_of_a_round() -> None:
    """The contract's example: 2 cities, 1.5 of provinces, 7 counters of the Nobility: 2 + 1.5 + 3 = 6.5."""
    pad = Playing("revolution", FIVE)
    pad.enter("results", cities={N: 2}, provinces={N: 1.5}, objective={N: 7, H: 2})
    assert pad.points() == {C: 0, H: 2, N: 6.5, B: 0, R: 0}  # H: R-06, two garrisons
    assert pad.parts(N) == {"cities": 2, "provinces": 1.5, "objective": 3}


def test_nobility_divides_by_five_with_three_players() -> None:
    """D-V1: ten counters of the Nobility are 2 points with three players, 4 with five."""
    for factions, points in (((C, N, R), 2), (FIVE, 4)):
        pad = Playing("revolution", factions)
        pad.enter("results", objective={N: 10})
        assert pad.points()[N] == points


def test_points_of_rounds_do_not_add_up() -> None:
    """R-01: 10 after round 1 and 8 after round 2 are 8, not 18."""
    pad = Playing("revolution", FIVE)
    play_empty_rounds(pad, 1)
    pad.enter("results", cities={C: 10})
    while pad.game.phase(pad.state) == "draft":
        pad.enter("draft", position=0)
    assert pad.points()[C] == 10  # until the next results
    pad.enter("results", cities={C: 8})
    assert pad.points()[C] == 8


def test_draft_with_a_tie() -> None:
    """R-05: B and R tie at 4, the lowest; B drafts fourth, at the right end, R fifth, at the left."""
    pad = Playing("revolution", FIVE)
    pad.enter("results", provinces={C: 10, H: 7.5, N: 6, B: 4, R: 4})
    waiting = []
    for position in (1, 2, 3, 0):
        waiting.append(pad.game.waiting_for(pad.state))
        pad.enter("draft", position=position)
    assert waiting == [(H,), (N,), (B,), (R,)]
    assert pad.state.order == (R, C, H, N, B)
    assert pad.state.round == 1


def test_tied_factions_draft_in_the_current_order() -> None:
    """D-V2: C 9, H 7.5, B 7.5, R 4 with the order R, B, H, C: drafted by C, B, H, R."""
    pad = Playing("revolution", FOUR)
    pad.enter("results")
    for _ in range(3):
        pad.enter("draft", position=0)
    assert pad.state.order == (R, B, H, C)
    pad.enter("results", cities={C: 9}, provinces={H: 7.5, B: 7.5, R: 4})
    assert pad.state.frames[-1].data["cards"] == [C, B, H, R]


def test_small_provinces_count_only_at_the_end() -> None:
    pad = Playing("revolution", FIVE)
    refusal = pad.refused("results", minor_provinces={C: 0.1})
    assert refusal == ("Small provinces count only at the end of the game.", "6.20")
    play_empty_rounds(pad, 5)
    pad.enter("results", cities={C: 3, R: 3}, minor_provinces={C: 0.3, R: 0.2})
    assert pad.points()[C] == 3.3
    assert pad.ranking == [{C}, {R}, {H, N, B}]


def test_tied_factions_share_the_victory() -> None:
    pad = Playing("revolution", FIVE)
    play_empty_rounds(pad, 5)
    assert pad.enter("results", cities={C: 3}, provinces={B: 3})[-1].endswith(
        "share the victory, with 3 points."
    )
    assert pad.ranking[0] == {C, B}


def test_sums_of_both_factions_decide_with_two_people() -> None:
    """C 5 + H 1 = 6 against B 4 + R 3 = 7: the second person wins, with both factions."""
    pad = Playing("revolution", FOUR, players=2)
    play_empty_rounds(pad, 5)
    pad.enter("results", cities={C: 5, H: 1}, provinces={B: 4, R: 3})
    assert pad.ranking == [{B, R}, {C, H}]


def test_next_round_is_prefilled_with_the_last_entry() -> None:
    pad = Playing("revolution", FIVE)
    pad.enter("results", cities={C: 3}, provinces={H: 0.5}, objective={N: 7})
    while pad.game.phase(pad.state) == "draft":
        pad.enter("draft", position=0)
    example = pad.game.prompts(pad.state)[0].example_json()
    assert (example["cities"], example["provinces"], example["objective"]) == ({C: 3}, {H: 0.5}, {N: 7})


BAD = [
    ({"cities": {C: 7, H: 6}}, "Cities: there are only 12; you entered 13. Please recount.", "5.8"),
    ({"provinces": {C: 0.3}}, "Please enter a number of 0 or more, in steps of 1/2.", "5.8"),
    ({"provinces": {C: -1}}, "Please enter a number of 0 or more, in steps of 1/2.", "5.8"),
    ({"objective": {C: 7}}, "Goal, count: at most 6.", "5.8"),
    ({"cities": {"neutral": 1}}, f"There is no “neutral” here; there are {', '.join(FIVE)}.", "5.8"),
]


@pytest.mark.parametrize(("fields", "message", "rule"), BAD)
def test_impossible_results_are_rejected(
    fields: dict[str, dict[str, float]], message: str, rule: str | None
) -> None:
    assert Playing("revolution", FIVE).refused("results", **fields) == (message, rule)


def test_draft_out_of_turn_is_rejected() -> None:
    pad = Playing("revolution", FIVE)
    pad.enter("results", cities={C: 2})
    assert pad.refused("draft", by=R, position=0) == ("It is Habsburgs’s turn.", "6.20")
    assert pad.refused("draft", position=2) == ("Choose a place from 1 to 2.", "6.20")
    message = "“results” cannot be entered now. Not finished: Play order; waiting for Habsburgs."
    assert pad.refused("results") == (message, "6.20")


def test_ruling_replaces_the_points() -> None:
    pad = Playing("revolution", FIVE)
    ruled = {faction: {"cities": 1} for faction in FIVE}
    pad.enter(
        "results",
        cities={C: 2},
        rulings={"score:0": {"result": {**ruled, R: {"cities": "3/2"}}, "reason": "house-rule"}},
    )
    assert pad.points() == {C: 1, H: 1, N: 1, B: 1, R: 1.5}

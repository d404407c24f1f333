"""Armies, sieges and Water Beggars in a game: numbered cases of the digest, and others.

Numbered cases use the digest's board (``on_board``), all others the shipped one (``position``).
"""

from __future__ import annotations

from typing import Any

import pytest

from games.core.actions import Ruling
from games.core.steps import Outcome
from games.revolution.actions import (
    Beggars,
    Besiege,
    Complete,
    Convert,
    Hire,
    Maintain,
    March,
    Pillage,
    Recruit,
    Target,
)
from games.revolution.battles import BATTLES
from games.revolution.completing import COMPLETING
from games.revolution.state import State
from tests.revolution.asking import LETTERS
from tests.revolution.campaigns import (
    GAME,
    apply,
    at,
    elements,
    flat,
    next_prompt,
    position,
    refused,
    settled,
    supply,
    texts,
    treasury,
)
from tests.revolution.digest_board import SETTLEMENTS, on_board

# Maintenance (6.3)


def test_d_m1_catholics_maintain_two_and_disband_one() -> None:
    state = on_board("maintenance", {"strip:holland": "C 2", "strip:utrecht": "C 1", "treasury": "C 9"})
    after = apply(state, Maintain(faction="catholics", maintain={"holland": 2}, disband={"utrecht": 1})).state
    assert treasury(after, "C") == 4
    assert (at(after, "strip:holland"), at(after, "strip:utrecht")) == ("C 2", "")
    assert supply(after, "C", "army") == 4


def test_d_m2_reformers_maintain_three() -> None:
    state = on_board("maintenance", {"strip:holland": "R 3", "treasury": "R 3"})
    after = apply(state, Maintain(faction="reformers", maintain={"holland": 3}))
    assert treasury(after.state, "R") == 0
    assert texts(after)[0] == "Reformers: 3 armies are maintained, 0 disbanded; coins paid: 3."


def test_faction_without_coins_releases_all_armies() -> None:
    state = settled(position("maintenance", {"strip:utrecht": "R 2", "city:utrecht": "C 1"})).state
    assert next_prompt(state) != ("reformers", "maintain")
    assert at(state, "released:utrecht") == "R 2"


def test_faction_without_armies_is_not_prompted_for_maintenance() -> None:
    state = position("maintenance", {"treasury": "C 9, R 9", "strip:holland": "R 1"})
    assert next_prompt(settled(state).state) == ("reformers", "maintain")


def test_catholics_with_one_coin_can_disband_but_not_maintain() -> None:
    state = position("maintenance", {"strip:holland": "C 2", "treasury": "C 1"})
    (prompt,) = [element for element in elements(state) if element["disband"]]
    assert prompt == {"type": "maintain", "maintain": {}, "disband": {"holland": 1}}
    assert len(elements(state)) == 2


UNPAID_ARMY: dict[str, str] = {"strip:flanders": "H 1", "treasury": "H 1"}


def release(pieces: dict[str, str], **more: Any) -> State:
    """Return a state in which the Habsburgs have released their army in Flanders."""
    state = position("maintenance", {**UNPAID_ARMY, **pieces}, **more)
    return apply(state, Maintain(faction="habsburgs")).state


def test_released_army_pillages_a_town() -> None:
    state = release({"town:tournai": "C 1"})
    assert next_prompt(state) == ("habsburgs", "pillage")
    after = apply(state, Pillage(faction="habsburgs", place="town:tournai")).state
    assert at(after, "town:tournai") == "C 1"
    assert at(after, "countryside:flanders") == "X 1"
    assert at(after, "released:flanders") == "H 1"
    assert supply(after, "X") == 46


def test_released_army_may_replace_a_counter_of_its_own_faction() -> None:
    state = release({"town:tournai": "C 1", "countryside:artois": "H 2"})
    after = apply(state, Pillage(faction="habsburgs", place="town:tournai", owner="catholics")).state
    assert at(after, "town:tournai") == "X 1"
    after = apply(state, Pillage(faction="habsburgs", place="countryside:artois", owner="habsburgs")).state
    assert at(after, "countryside:artois") == "H 1, X 1"


def test_pillage_without_neutrals_removes_a_counter() -> None:
    state = release({"town:tournai": "C 1", "countryside:artois": "H 2, X 1", "supply": "X 0"})
    assert {(e["place"], e["owner"]) for e in elements(state)} == {
        ("town:tournai", "catholics"),
        ("countryside:artois", "habsburgs"),
    }
    after = apply(state, Pillage(faction="habsburgs", place="town:tournai", owner="catholics"))
    assert at(after.state, "town:tournai") == ""
    assert supply(after.state, "C") == 32
    assert "no neutral is left to replace it" in texts(after)[0]


def test_pillage_may_remove_a_neutral_if_nothing_else_is_left() -> None:
    state = release({"countryside:artois": "X 2", "town:arras": "X 1", "supply": "X 0"})
    assert {(e["place"], e["owner"]) for e in elements(state)} == {
        ("countryside:artois", "neutral"),
        ("town:arras", "neutral"),
    }


def test_pillage_with_one_target_is_automatic() -> None:
    pieces = {"strip:utrecht": "H 1", "countryside:utrecht": "X 2, C 1", "treasury": "H 1"}
    after = apply(position("maintenance", pieces), Maintain(faction="habsburgs"))
    assert at(after.state, "countryside:utrecht") == "X 3"
    assert next_prompt(after.state) != ("habsburgs", "pillage")


def test_pillage_without_targets_is_reported() -> None:
    pieces = {"strip:utrecht": "H 1", "countryside:utrecht": "X 2", "treasury": "H 1"}
    after = apply(position("maintenance", pieces), Maintain(faction="habsburgs"))
    assert "Habsburgs: the released army finds nothing to pillage in Utrecht region." in texts(after)
    assert at(after.state, "countryside:utrecht") == "X 2"


def test_each_released_army_pillages_once() -> None:
    state = position("maintenance", {"strip:holland": "C 2", "strip:flanders": "C 1", "treasury": "C 1"})
    state = apply(state, Maintain(faction="catholics")).state
    for place in ("town:alkmaar", "town:delft", "town:tournai"):
        assert next_prompt(state) == ("catholics", "pillage")
        state = apply(state, Pillage(faction="catholics", place=place)).state
    assert next_prompt(state) != ("catholics", "pillage")
    assert (at(state, "countryside:holland"), at(state, "countryside:flanders")) == ("X 2", "X 1")


# Recruiting (6.4)


@pytest.mark.parametrize(("letter", "count", "cost"), [("H", 3, 10), ("B", 2, 4), ("C", 2, 7)])
def test_d_m3_recruiting_cost(letter: str, count: int, cost: int) -> None:
    pieces = {"countryside:holland": f"{letter} 1", "treasury": f"{letter} 12"}
    after = apply(
        on_board("recruiting", pieces), Recruit(faction=LETTERS[letter], regions={"holland": count})
    ).state
    assert treasury(after, letter) == 12 - cost
    assert at(after, "strip:holland") == f"{letter} {count}"


def test_recruiting_needs_presence_and_a_free_box() -> None:
    pieces = {
        "city:utrecht": "C 1",  # a counter in a city counts as presence
        "strip:brabant": "C 1",
        "released:liege": "C 1",  # a released army does not
        "siege:gent": "C 1",  # occupies a box of Flanders
        "strip:flanders": "H 2",
        "treasury": "C 20",
    }
    state = position("recruiting", pieces, regions={"flanders": {"boxes": 4}, "brabant": {"boxes": 1}})
    (prompt,) = GAME.prompts(state)
    assert prompt.fields[0].bounds()["most"] == {"utrecht": 3, "flanders": 1}


def test_faction_without_coins_or_armies_skips_recruiting() -> None:
    pieces = {"countryside:holland": "C 1, H 1, B 1", "treasury": "C 2, H 9, B 2", "strip:liege": "H 6"}
    assert next_prompt(settled(position("recruiting", pieces)).state) == ("burghers", "recruit")


# Battles (6.5)


def fight_in_holland(short: str, players: int = 5, **pieces: str) -> Outcome[State]:
    return BATTLES.resolve(on_board("battles", {"strip:holland": short, **pieces}, players=players))


@pytest.mark.parametrize(
    ("number", "before", "after", "players"),
    [
        ("R-08", "N 1, B 1, R 1", "B 1", 5),
        ("R-09", "C 1, H 2, B 2", "H 1", 4),
        ("R-10", "C 2, N 2", "C 1, N 1", 5),
        ("R-16", "C 1, N 1, B 1, R 1", "N 1, B 1", 5),
        ("D-B1", "C 2, H 1", "C 1", 5),
        ("D-B2", "C 1, H 1", "C 1, H 1", 5),
        ("D-B3", "C 1, H 1, N 1, B 1, R 1", "N 1", 5),
        ("D-B4", "C 3, R 1", "C 2", 5),
        ("D-B5", "C 1, H 1, N 1, B 1", "H 1, N 1", 5),
        ("D-B6", "H 3", "H 3", 5),
        ("D-B7", "C 2, H 1", "C 2, H 1", 2),
        ("D-B8", "C 1, H 1", "C 1, H 1", 2),
        ("D-B9", "C 1, H 1, R 1", "H 1", 2),
        ("D-B10", "C 1, H 2, B 1", "H 2", 2),
    ],
)
def test_battles(number: str, before: str, after: str, players: int) -> None:
    outcome = fight_in_holland(before, players)
    assert at(outcome.state, "strip:holland") == after, number


def test_d_b11_released_armies_do_not_fight() -> None:
    outcome = fight_in_holland("C 1, R 1", **{"released:holland": "C 1"})
    assert at(outcome.state, "strip:holland") == "C 1, R 1"
    assert at(outcome.state, "released:holland") == "C 1"


def test_battle_steps_have_keys_and_results() -> None:
    pieces = {"strip:holland": "C 2, N 2", "strip:flanders": "C 1, R 1", "strip:north": "H 3"}
    outcome = BATTLES.resolve(position("battles", pieces))
    assert [(step.key, step.result) for step in outcome.steps] == [
        ("battle:holland", {"catholics": 1, "nobility": 1}),
        ("battle:flanders", {"catholics": 1, "reformers": 1}),
    ]
    assert texts(outcome) == [
        "Battle in Holland region: Catholics, Nobility.",
        "Catholics and Nobility are the most hostile: 1 army of each goes.",
        "Two armies, of Catholics, Nobility: a stand-off, nobody fights.",
        "Catholics, Reformers face each other in Flanders region.",
        "Two armies, of Catholics, Reformers: a stand-off, nobody fights.",
    ]


def test_ruling_overrides_a_battle() -> None:
    pieces = {"strip:holland": "C 1, N 2", "countryside:holland": "R 1", "treasury": "R 2"}
    ruling = {"battle:holland": Ruling(result={"catholics": 1, "nobility": 1}, reason="house-rule")}
    state = position("recruiting", pieces)
    after = apply(state, Recruit(faction="reformers", regions={"holland": 1}, rulings=ruling))
    assert at(after.state, "strip:holland") == "C 1, N 1"
    assert [step.ruling for step in after.steps if step.key == "battle:holland"] == ["house-rule"]
    too_many = {"battle:holland": Ruling(result={"catholics": 2}, reason="x")}
    rule, _ = refused(state, Recruit(faction="reformers", regions={"holland": 1}, rulings=too_many))
    assert rule == "6.5"


# Laying sieges (6.6)


def test_besieging_army_moves_from_strip_to_siege() -> None:
    pieces = {"strip:holland": "H 2", "city:haarlem": "B 1", "city:leiden": "H 1, X 1"}
    state = position("sieges", pieces, cities={"haarlem": "burghers"})
    after = apply(state, Besiege(faction="habsburgs", cities={"haarlem": 1})).state
    assert (at(after, "strip:holland"), at(after, "siege:haarlem")) == ("H 1", "H 1")


def test_besiegeable_cities() -> None:
    """Empty and neutral cities can be besieged; own ones and those with only own counters cannot."""
    pieces = {
        "strip:holland": "H 2",
        "city:haarlem": "H 2, X 1",
        "city:leiden": "H 1",
        "city:amsterdam": "X 2",
    }
    state = position("sieges", pieces, cities={"haarlem": "habsburgs"})
    assert [e["cities"] for e in elements(state)] == [{}, {"amsterdam": 1}, {"amsterdam": 2}]
    empty = position("sieges", {"strip:holland": "H 1"})
    assert {city for e in elements(empty) for city in e["cities"]} == {"amsterdam", "haarlem", "leiden"}


def test_armies_in_a_standoff_cannot_besiege() -> None:
    state = position("sieges", {"strip:holland": "H 1, R 1", "strip:flanders": "C 1"})
    assert next_prompt(settled(state).state) == ("catholics", "besiege")
    after = apply(state, Besiege(faction="catholics")).state
    assert after.frames[-1].phase != "sieges"


def test_three_allied_armies_are_no_standoff() -> None:
    """Allied armies may besiege together (Q-47), but not an ally's city."""
    state = position(
        "sieges",
        {"strip:holland": "C 2, H 1", "city:haarlem": "B 1"},
        players=2,
        cities={"leiden": "habsburgs"},
    )
    assert {"haarlem": 1, "amsterdam": 1} in [e["cities"] for e in elements(state)]
    after = apply(state, Besiege(faction="catholics", cities={"haarlem": 1})).state
    assert next_prompt(after) == ("habsburgs", "besiege")
    assert refused(state, Besiege(faction="catholics", cities={"leiden": 1})) == (
        "6.6",
        "Your ally controls this city.",
    )


# Water Beggars (6.7)


def hired_state(pieces: dict[str, str], **more: Any) -> State:
    """Return a state in which the Burghers have hired Water Beggars."""
    return position("beggars", pieces, hirer="burghers", **more)


def hired_on_board(pieces: dict[str, str]) -> State:
    return on_board("beggars", pieces, hirer="burghers")


def use_beggars(
    state: State, what: str, count: int, target: str | None = None, region: str = "holland"
) -> Outcome[State]:
    return apply(state, Beggars(faction="burghers", region=region, do=what, count=count, target=target))


def test_one_faction_hires_beggars_in_play_order() -> None:
    pieces = {"treasury": "B 5, R 9, C 9"}
    state = settled(position("beggars", pieces, order=[LETTERS[x] for x in "RCHNB"])).state
    assert next_prompt(state) == ("reformers", "hire")
    state = apply(state, Hire(faction="reformers")).state
    assert next_prompt(state) == ("burghers", "hire")
    after = apply(state, Hire(faction="burghers", regions={"holland": 1, "utrecht": 1})).state
    assert treasury(after, "B") == 1
    assert (at(after, "region:holland"), at(after, "region:utrecht"), at(after, "beggars")) == ("W 1",) * 3
    assert after.hirer == "burghers"
    assert next_prompt(after) == ("burghers", "beggars")


def test_d_w1_two_of_three_beggars_destroy_a_catholic_army() -> None:
    state = hired_on_board({"region:holland": "W 3", "strip:holland": "C 1"})
    after = use_beggars(state, "destroy", 2, "strip:holland").state
    assert at(after, "strip:holland") == ""
    assert supply(after, "C", "army") == 6
    assert (at(after, "region:holland"), at(after, "beggars")) == ("W 1", "W 2")
    uses = {(e["do"], e["count"], e["target"]) for e in elements(after)}
    assert uses == {
        *(("pillage", 1, place) for place in SETTLEMENTS["holland"] if place.startswith("town:")),
        ("stay", 1, None),
    }


def test_d_w2_one_beggar_relieves_a_city() -> None:
    state = hired_on_board({"region:holland": "W 1", "siege:haarlem": "H 1", "city:haarlem": "B 2"})
    outcome = use_beggars(state, "relieve", 1, "city:haarlem")
    after = outcome.state
    assert (at(after, "strip:holland"), at(after, "siege:haarlem"), at(after, "beggars")) == (
        "H 1",
        "",
        "W 3",
    )
    assert at(after, "city:haarlem") == "B 2"
    assert after.driven_back == {"holland": {"habsburgs": 1}}
    assert outcome.steps[0].options == ("beggar_relief_scope", "beggar_commitment")


def test_d_w3_two_beggars_against_two_armies() -> None:
    state = hired_on_board({"region:holland": "W 2", "siege:haarlem": "H 1", "strip:holland": "H 1"})
    assert {(e["do"], e["count"], e["target"]) for e in elements(state)} == {
        ("relieve", 2, "city:haarlem"),
        ("stay", 2, None),
    }
    action = Beggars(faction="burghers", region="holland", do="destroy", count=2, target="strip:holland")
    assert refused(state, action) == ("6.7.1", "You need more beggars than armies (3 needed).")


def test_beggars_destroy_the_most_catholic_army() -> None:
    pieces = {
        "region:holland": "W 3",
        "siege:haarlem": "H 1",
        "siege:leiden": "N 1",
        "released:holland": "C 1",
    }
    state = hired_state(pieces)
    assert {(e["do"], e["count"], e["target"]) for e in elements(state)} == {
        ("destroy", 3, "siege:haarlem"),
        *(("relieve", n, f"city:{city}") for n in (2, 3) for city in ("haarlem", "leiden")),
        ("stay", 3, None),
    }
    outcome = use_beggars(state, "destroy", 3, "siege:haarlem")
    assert "that besieged Haarlem" in texts(outcome)[0]
    assert (at(outcome.state, "siege:haarlem"), at(outcome.state, "siege:leiden")) == ("", "N 1")


def test_beggars_do_not_attack_burghers_and_reformers() -> None:
    state = hired_state({"region:holland": "W 3", "strip:holland": "R 1"})
    assert next_prompt(settled(state).state) != ("burghers", "beggars")
    assert "3 Water Beggars stay in Holland region, each in the way of a hostile army." in texts(
        settled(state)
    )


def test_beggar_commitment_option_requires_all_beggars() -> None:
    """Option of Q-16."""
    pieces = {"region:holland": "W 3", "siege:haarlem": "H 1"}
    state = hired_state(pieces, options={"beggar_commitment": "all_in_region"})
    assert {(e["do"], e["count"]) for e in elements(state)} == {("destroy", 3), ("relieve", 3), ("stay", 3)}
    action = Beggars(faction="burghers", region="holland", do="relieve", count=2, target="city:haarlem")
    assert refused(state, action) == ("6.7.2", "All 3 Water Beggars of the region take part.")


def test_beggar_relief_scope_option_lifts_all_sieges() -> None:
    """Option of Q-14."""
    pieces = {"region:holland": "W 3", "siege:haarlem": "H 1", "siege:leiden": "H 2"}
    state = hired_state(pieces, options={"beggar_relief_scope": "all_in_region"})
    after = use_beggars(state, "relieve", 3).state
    assert (at(after, "strip:holland"), after.driven_back) == ("H 3", {"holland": {"habsburgs": 3}})
    default = hired_state(pieces)
    assert (
        refused(default, Beggars(faction="burghers", region="holland", do="relieve", count=3))[0] == "6.7.2"
    )
    after = use_beggars(default, "relieve", 3, "city:leiden").state
    assert (at(after, "strip:holland"), at(after, "siege:haarlem")) == ("H 2", "H 1")


def test_each_beggar_pillages_one_town() -> None:
    state = hired_state({"region:holland": "W 2", "town:delft": "N 1"})
    state = use_beggars(state, "pillage", 1, "town:delft").state
    assert (at(state, "countryside:holland"), at(state, "town:delft")) == ("X 1", "N 1")
    state = use_beggars(state, "pillage", 1, "town:delft").state
    assert (at(state, "countryside:holland"), at(state, "beggars")) == ("X 2", "W 3")


def test_beggars_cannot_pillage_without_neutrals() -> None:
    state = hired_state({"region:holland": "W 1", "supply": "X 0"})
    assert next_prompt(settled(state).state) != ("burghers", "beggars")


def test_two_beggars_besiege_a_city() -> None:
    state = hired_state({"region:holland": "W 3", "city:leiden": "B 2, X 1"})
    after = use_beggars(state, "besiege", 2, "city:leiden").state
    assert (at(after, "siege:leiden"), at(after, "region:holland")) == ("W 2", "W 1")
    assert refused(
        after, Beggars(faction="burghers", region="holland", do="besiege", count=1, target="city:haarlem")
    ) == ("6.7.3", "A siege needs two Water Beggars.")


def test_beggar_target_scope_option_widens_targets() -> None:
    """Only Overijssel of the northern regions is listed (Q-15)."""
    pieces = {"region:north": "W 1"}
    assert next_prompt(settled(hired_state(pieces)).state) != ("burghers", "beggars")
    state = hired_state(pieces, options={"beggar_target_scope": "whole_region"})
    assert ("pillage", "town:groningen") in {(e["do"], e["target"]) for e in elements(state)}


def test_beggars_of_several_regions_act_region_by_region() -> None:
    state = hired_state({"region:holland": "W 1", "region:gelderland": "W 1", "region:utrecht": "W 1"})
    assert {e["region"] for e in elements(state)} == {"holland", "gelderland"}  # Utrecht has no town
    state = use_beggars(state, "stay", 1).state
    assert {e["region"] for e in elements(state)} == {"gelderland"}
    outcome = use_beggars(state, "pillage", 1, "town:arnhem", region="gelderland")
    assert next_prompt(outcome.state) != ("burghers", "beggars")
    assert (at(outcome.state, "region:holland"), at(outcome.state, "region:utrecht")) == ("W 1", "W 1")


# Army movement (6.8)


def march(state: State, faction: str, *moves: tuple[str, str]) -> Outcome[State]:
    return apply(state, March(faction=faction, moves=moves))


def test_armies_move_once_along_arrows_in_given_order() -> None:
    pieces = {"strip:holland": "C 1", "strip:utrecht": "C 1"}
    state = position("army-movement", pieces, regions={"holland": {"boxes": 1}, "utrecht": {"boxes": 1}})
    chain = (("utrecht", "gelderland"), ("holland", "utrecht"))
    after = march(state, "catholics", *chain).state
    assert (at(after, "strip:utrecht"), at(after, "strip:gelderland"), at(after, "strip:holland")) == (
        "C 1",
        "C 1",
        "",
    )
    assert refused(state, March(faction="catholics", moves=chain[::-1])) == (
        "6.8",
        "No free box there (besieging and released armies keep theirs).",
    )


def test_each_beggar_stops_one_hostile_army() -> None:
    """Each beggar stops one army (Q-42), whose move is spent (Q-53); later armies pass."""
    pieces = {"strip:holland": "C 2, H 1", "region:holland": "W 2"}
    state = position("army-movement", pieces)
    move = ("holland", "utrecht")
    outcome = march(state, "catholics", move)
    assert at(outcome.state, "strip:holland") == "C 2, H 1"
    assert outcome.state.stopped == {"holland": 1}
    assert outcome.steps[0].rule == "6.7.4"
    after = march(outcome.state, "habsburgs", move).state
    assert after.stopped == {"holland": 2}
    one_beggar = position("army-movement", {**pieces, "region:holland": "W 1"})
    assert at(march(one_beggar, "catholics", move, move).state, "strip:utrecht") == "C 1"
    after = march(state, "catholics", move, move).state
    assert (after.stopped, at(after, "strip:utrecht")) == ({"holland": 2}, "")
    after = march(after, "habsburgs", move).state
    assert at(after, "strip:utrecht") == "H 1"


def test_beggars_do_not_stop_burghers_and_reformers() -> None:
    state = position("army-movement", {"strip:holland": "R 1", "region:holland": "W 3"})
    assert at(march(state, "reformers", ("holland", "utrecht")).state, "strip:utrecht") == "R 1"


def test_besieging_beggars_stop_no_army() -> None:
    """Ruling Q-56."""
    state = position("army-movement", {"strip:holland": "C 1", "siege:leiden": "W 2"})
    assert at(march(state, "catholics", ("holland", "utrecht")).state, "strip:utrecht") == "C 1"


def test_army_driven_back_may_move_but_has_no_influence() -> None:
    pieces = {"strip:holland": "H 1", "countryside:utrecht": "B 2", "countryside:holland": "B 2"}
    state = position("army-movement", pieces, driven_back={"holland": {"habsburgs": 1}})
    after = march(state, "habsburgs", ("holland", "utrecht"))
    assert after.state.driven_back == {"utrecht": {"habsburgs": 1}}
    assert at(after.state, "countryside:utrecht") == "B 2"
    assert next_prompt(after.state) != ("habsburgs", "convert")


def test_armies_driven_back_leave_a_strip_last() -> None:
    pieces = {"strip:holland": "H 2", "countryside:utrecht": "B 2", "countryside:holland": "B 2"}
    state = position("army-movement", pieces, driven_back={"holland": {"habsburgs": 1}})
    after = march(state, "habsburgs", ("holland", "utrecht")).state
    assert after.driven_back == {"holland": {"habsburgs": 1}}
    assert {t["region"] for e in elements(after) for t in e["targets"]} == {"utrecht"}
    both = march(state, "habsburgs", ("holland", "utrecht"), ("holland", "gelderland")).state
    assert both.driven_back == {"gelderland": {"habsburgs": 1}}


# Military influence (6.9)


def test_armies_alone_in_a_strip_replace_counters() -> None:
    pieces = {"strip:gelderland": "H 2", "town:arnhem": "B 1", "countryside:geldern": "X 1, C 1"}
    state = position("military-influence", pieces)
    targets = (
        Target(region="gelderland", place="town:arnhem", owner="burghers"),
        Target(region="gelderland", place="countryside:geldern", owner="neutral"),
    )
    after = apply(state, Convert(faction="habsburgs", targets=targets)).state
    assert (at(after, "town:arnhem"), at(after, "countryside:geldern")) == ("H 1", "C 1, H 1")
    assert (supply(after, "H"), supply(after, "B"), supply(after, "X")) == (30, 32, 47)


@pytest.mark.parametrize("other", ["C 1", "N 1"])
def test_another_army_in_the_strip_blocks_influence(other: str) -> None:
    players = 2 if other == "C 1" else 5
    pieces = {"strip:holland": f"{other}, H 1", "countryside:holland": "B 2"}
    assert next_prompt(settled(position("military-influence", pieces, players=players)).state) != (
        "habsburgs",
        "convert",
    )


def test_besieging_and_released_armies_do_not_block_influence() -> None:
    pieces = {
        "strip:holland": "H 1",
        "siege:leiden": "C 1",
        "released:holland": "N 1",
        "countryside:holland": "B 2",
    }
    assert next_prompt(settled(position("military-influence", pieces)).state) == ("habsburgs", "convert")


def test_army_driven_back_blocks_influence_of_others() -> None:
    pieces = {"strip:holland": "H 1, C 1", "countryside:holland": "B 2"}
    state = position("military-influence", pieces, driven_back={"holland": {"catholics": 1}})
    assert next_prompt(settled(state).state) not in {("habsburgs", "convert"), ("catholics", "convert")}


def test_each_beggar_blocks_influence_of_one_army() -> None:
    pieces = {"strip:holland": "H 2", "region:holland": "W 1", "countryside:holland": "B 2"}
    state = position("military-influence", pieces)
    assert max(len(e["targets"]) for e in elements(state)) == 1
    targets = (Target(region="holland", place="countryside:holland", owner="burghers"),)
    after = apply(state, Convert(faction="habsburgs", targets=targets)).state
    assert (at(after, "countryside:holland"), at(after, "region:holland")) == ("H 1, B 1", "")
    outcome = settled(position("military-influence", {**pieces, "region:holland": "W 2"}))
    assert at(outcome.state, "countryside:holland") == "B 2"
    assert (
        "2 Water Beggars block the influence of as many armies of Habsburgs in Holland region and go home."
        in (texts(outcome))
    )


def test_beggar_double_block_option() -> None:
    """Option of Q-17."""
    pieces = {"strip:holland": "H 1", "region:holland": "W 1", "countryside:holland": "B 2"}
    state = position("military-influence", pieces, stopped={"holland": 1})
    outcome = settled(state)
    assert next_prompt(outcome.state) != ("habsburgs", "convert")
    assert outcome.steps[0].options == ("beggar_double_block",)
    state = position(
        "military-influence", pieces, stopped={"holland": 1}, options={"beggar_double_block": False}
    )
    assert next_prompt(settled(state).state) == ("habsburgs", "convert")
    targets = (Target(region="holland", place="countryside:holland", owner="burghers"),)
    outcome = apply(state, Convert(faction="habsburgs", targets=targets))
    assert outcome.steps[0].options == ("beggar_double_block",)


def test_influence_needs_counters_in_supply() -> None:
    pieces = {"strip:holland": "H 1", "countryside:holland": "B 2", "supply": "H 0"}
    outcome = settled(position("military-influence", pieces))
    assert texts(outcome)[0] == "Habsburgs: no counter left to place, so no military influence."


# Completing sieges (6.15)


def complete_siege(city: str, short: str, besieger: str = "H 1", **more: Any) -> Outcome[State]:
    pieces = {f"siege:{city}": besieger, f"city:{city}": short, **more.pop("pieces", {})}
    state = on_board("completing", pieces, **more)
    while True:
        outcome = COMPLETING.resolve(state)
        assert outcome is not None
        if outcome.state.frames[-1].phase != "completing":
            return outcome
        if outcome.steps:
            return outcome
        state = outcome.state


@pytest.mark.parametrize(
    ("number", "city", "supplies", "after"),
    [
        ("D-S1", "X 2", "H 5, X 20", "H 2"),
        ("D-S2", "R 1", "H 5, X 20", "H 1"),
        ("D-S3", "B 3", "H 5, X 20", "H 2, X 1"),
        ("D-S4", "B 5", "H 5, X 20", "H 2, X 3"),
        ("D-S5", "H 1, B 2, R 1", "H 5, X 20", "H 3, X 1"),
        ("D-S6", "R 1, X 2", "H 5, X 20", "H 2, X 1"),
        ("D-S7", "B 3", "H 1, X 20", "H 1, X 1"),
        ("D-S8", "B 3", "H 0, X 0", ""),
        ("D-S9", "B 4, X 1", "H 9, X 1", "H 2, X 2"),
    ],
)
def test_sieges(number: str, city: str, supplies: str, after: str) -> None:
    outcome = complete_siege("haarlem", city, pieces={"supply": supplies})
    assert at(outcome.state, "city:haarlem") == after, number
    assert (at(outcome.state, "siege:haarlem"), at(outcome.state, "strip:holland")) == ("", "H 1")
    (step,) = outcome.steps
    assert step.key == "siege:haarlem"


def test_d_s1_and_d_s8_supplies() -> None:
    assert supply(complete_siege("haarlem", "X 2", pieces={"supply": "H 5, X 20"}).state, "X") == 22
    assert supply(complete_siege("haarlem", "B 3", pieces={"supply": "H 0, X 0, B 4"}).state, "B") == 7


def test_d_s10_allied_counters_stay() -> None:
    outcome = complete_siege("haarlem", "H 2, X 2", "C 1", players=2, pieces={"supply": "C 5, X 9"})
    assert at(outcome.state, "city:haarlem") == "C 2, H 2"


def test_d_s11_siege_of_beggars() -> None:
    outcome = complete_siege("haarlem", "C 2, H 1, X 1", "W 2", pieces={"supply": "X 2"}, hirer="burghers")
    assert at(outcome.state, "city:haarlem") == "X 3"
    assert at(outcome.state, "beggars") == "W 3"


def test_siege_converts_neutrals_option() -> None:
    """Option of Q-19."""
    outcome = complete_siege("haarlem", "R 1, X 2", options={"siege_converts_neutrals": False})
    assert at(outcome.state, "city:haarlem") == "H 1, X 2"
    assert "siege_converts_neutrals" in {name for step in flat(outcome.steps) for name in step.options}


def test_several_besieging_armies_have_the_effect_of_one() -> None:
    outcome = complete_siege("haarlem", "B 5", "H 3")
    assert (at(outcome.state, "city:haarlem"), at(outcome.state, "strip:holland")) == ("H 2, X 3", "H 3")


def test_ruling_overrides_a_siege() -> None:
    pieces = {"siege:haarlem": "H 1", "city:haarlem": "B 3", "siege:leiden": "H 1", "city:leiden": "B 3"}
    state = position("completing", {**pieces, "supply": "H 1"})
    state = settled(state).state
    ruling = {"siege:haarlem": Ruling(result={"burghers": 1, "habsburgs": 1}, reason="misplayed")}
    after = apply(state, Complete(faction="habsburgs", order=("haarlem", "leiden"), rulings=ruling)).state
    assert at(after, "city:haarlem") == "H 1, B 1"
    wrong = {"siege:haarlem": Ruling(result={"habsburgs": 5}, reason="x")}
    action = Complete(faction="habsburgs", order=("haarlem", "leiden"), rulings=wrong)
    assert refused(state, action)[0] == "6.15"


def test_siege_order_is_prompted_only_if_it_matters() -> None:
    pieces = {"siege:haarlem": "H 1", "city:haarlem": "B 3", "siege:leiden": "H 1", "city:leiden": "B 3"}
    state = settled(position("completing", {**pieces, "supply": "H 3, X 20"})).state
    assert next_prompt(state) == ("habsburgs", "complete")
    assert [e["order"] for e in elements(state)] == [["haarlem", "leiden"], ["leiden", "haarlem"]]
    after = apply(state, Complete(faction="habsburgs", order=("leiden", "haarlem"))).state
    assert (at(after, "city:leiden"), at(after, "city:haarlem")) == ("H 2, X 1", "H 1, X 1")
    enough = settled(position("completing", {**pieces, "supply": "H 4, X 2"})).state
    assert next_prompt(enough) != ("habsburgs", "complete")
    assert (at(enough, "city:leiden"), at(enough, "city:haarlem")) == ("H 2, X 1", "H 2, X 1")


def test_sieges_complete_in_play_order_of_besieger_or_hirer() -> None:
    """The single neutral left goes to the siege completed first (Q-52)."""
    pieces = {"siege:haarlem": "H 1", "city:haarlem": "B 3", "siege:utrecht": "W 2", "city:utrecht": "C 1"}
    for order, haarlem, utrecht in (("CHNBR", "H 2, X 1", ""), ("BCHNR", "H 2", "X 1")):
        state = position(
            "completing",
            {**pieces, "supply": "X 1"},
            hirer="burghers",
            order=[LETTERS[letter] for letter in order],
        )
        after = settled(state).state
        assert (at(after, "city:haarlem"), at(after, "city:utrecht")) == (haarlem, utrecht)


def test_beggars_return_after_sieges() -> None:
    state = position("completing", {"region:holland": "W 1", "siege:gent": "W 2"}, stopped={"holland": 1})
    after = settled(state).state
    assert at(after, "beggars") == "W 3"
    assert after.stopped == {}

"""Input errors in a game and their messages (digest part 10, rows 20 to 42 and 60)."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.actions import Action
from games.core.errors import Illegal
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
from games.revolution.military import EXERTING
from games.revolution.recruiting import RECRUITING
from games.revolution.state import State
from tests.core.rendering import sentence
from tests.revolution.asking import LETTERS
from tests.revolution.campaigns import GAME, apply, position, refused

TWO_ARMIES = {"strip:holland": "H 2", "treasury": "H 5", "countryside:holland": "H 1, B 2"}


# Maintenance


def test_20_army_without_a_decision_is_refused() -> None:
    state = position("maintenance", TWO_ARMIES)
    text = "Decide for every army: maintain, disband or release."
    action = Maintain(faction="habsburgs", maintain={"holland": 1}, release={})
    assert refused(state, action) == ("6.3", text)
    everywhere = Maintain(faction="habsburgs", maintain={"holland": 2}, release={"utrecht": 1})
    assert refused(state, everywhere) == ("6.3", text)
    apply(state, Maintain(faction="habsburgs", maintain={"holland": 1}, release={"holland": 1}))


def test_20_more_armies_than_present_are_refused() -> None:
    state = position("maintenance", TWO_ARMIES)
    action = Maintain(faction="habsburgs", maintain={"holland": 2}, disband={"holland": 1})
    assert refused(state, action) == ("6.3", "Only 2 of your armies are ready in Holland region.")
    assert refused(state, Maintain(faction="habsburgs", maintain={"atlantis": 1}))[0] == "6.3"


@pytest.mark.parametrize(
    ("phase", "pieces", "action", "rule", "cost", "coins"),
    [
        (
            "maintenance",
            {"strip:holland": "C 3", "treasury": "C 5"},
            Maintain(faction="catholics", maintain={"holland": 3}),
            "6.3",
            6,
            5,
        ),
        (
            "recruiting",
            {"countryside:holland": "C 1", "treasury": "C 5"},
            Recruit(faction="catholics", regions={"holland": 2}),
            "6.4",
            7,
            5,
        ),
        ("beggars", {"treasury": "B 5"}, Hire(faction="burghers", regions={"holland": 3}), "6.7", 6, 5),
    ],
)
def test_21_paying_more_than_the_treasury_is_refused(
    phase: str, pieces: dict[str, str], action: Action, rule: str, cost: int, coins: int
) -> None:
    assert refused(position(phase, pieces), action) == (rule, f"That costs {cost} coins; you have {coins}.")


def released_state(**more: str) -> State:
    pieces = {"strip:holland": "H 1", "treasury": "H 5", "town:delft": "B 1", "city:leiden": "R 1", **more}
    return apply(position("maintenance", pieces), Maintain(faction="habsburgs")).state


@pytest.mark.parametrize(
    "place", ["city:leiden", "town:arnhem", "countryside:utrecht", "nowhere", "treasury"]
)
@pytest.mark.parametrize("owner", [None, "reformers"])
def test_22_pillage_of_a_city_or_elsewhere_is_refused(place: str, owner: str | None) -> None:
    text = "A released army can pillage only towns and counters outside cities in its own region."
    assert refused(released_state(), Pillage(faction="habsburgs", place=place, owner=owner)) == ("6.3", text)


def test_23_town_pillage_without_neutrals_is_refused() -> None:
    state = released_state(supply="X 0", **{"countryside:holland": "B 1"})
    text = "No neutral counters are left: choose a counter to remove."
    assert refused(state, Pillage(faction="habsburgs", place="town:delft")) == ("6.3", text)


@pytest.mark.parametrize(("place", "owner"), [("town:delft", "catholics"), ("countryside:holland", None)])
def test_23_pillage_of_an_absent_counter_is_refused(place: str, owner: str | None) -> None:
    text = "There is no such counter: choose one that lies there."
    assert refused(released_state(), Pillage(faction="habsburgs", place=place, owner=owner)) == ("6.3", text)


def test_23_pillage_of_a_neutral_is_refused() -> None:
    state = released_state(**{"countryside:holland": "X 1"})
    text = "Replacing a neutral counter would change nothing: choose another target."
    action = Pillage(faction="habsburgs", place="countryside:holland", owner="neutral")
    assert refused(state, action) == ("6.3", text)


# Recruiting


RICH = {"countryside:holland": "H 1", "treasury": "H 20"}


def recruiting(pieces: dict[str, str], **more: Any) -> State:
    return position("recruiting", {**RICH, **pieces}, **more)


@pytest.mark.parametrize(
    ("pieces", "regions", "refusal"),
    [
        ({}, {"holland": 4}, ("6.4", "At most 3 new armies per round.")),
        ({"strip:flanders": "H 5"}, {"holland": 2}, ("3.5", "Only 1 of your armies is left.")),
        ({}, {"utrecht": 1}, ("6.4", "You need a counter or an army in that region.")),
        (
            {"strip:holland": "C 2, R 1", "released:holland": "N 1", "siege:leiden": "B 1"},
            {"holland": 2},
            ("6.4", "No free box there (besieging and released armies keep theirs)."),
        ),
    ],
    ids=["24", "25", "26", "27"],
)
def test_24_to_27_invalid_recruiting_is_refused(
    pieces: dict[str, str], regions: dict[str, int], refusal: tuple[str, str]
) -> None:
    state = recruiting(pieces, regions={"holland": {"boxes": 6}})
    assert refused(state, Recruit(faction="habsburgs", regions=regions)) == refusal


def test_25_recruiting_without_armies_in_supply_is_refused() -> None:
    """Such a faction is never prompted, so the phase is called directly."""
    state = position("recruiting", {**RICH, "strip:flanders": "H 6"}, order=[LETTERS[x] for x in "HCNBR"])
    with pytest.raises(Illegal) as caught:
        RECRUITING.act(state, Recruit(faction="habsburgs", regions={"holland": 1}))
    assert sentence(GAME, caught.value.message) == "All your armies are on the board."


# Laying sieges


@pytest.mark.parametrize(
    ("cities", "text"),
    [
        ({"haarlem": 1}, "You control this city."),
        ({"leiden": 1}, "Nobody but you has a counter in Leiden."),
        ({"delft": 1}, "Towns are not besieged; use military influence."),
        ({"town:delft": 1}, "Towns are not besieged; use military influence."),
        ({"brugge": 1}, "That city is not in this army’s region."),
        ({"utrecht": 1}, "Armies in a stand-off cannot besiege."),
        ({"amsterdam": 3}, "Only 2 of your armies are ready in Holland region."),
    ],
    ids=["28", "28b", "29", "29b", "31", "30", "too many"],
)
def test_28_to_31_invalid_siege_is_refused(cities: dict[str, int], text: str) -> None:
    pieces = {
        "strip:holland": "H 2",
        "strip:utrecht": "H 1, R 1",
        "city:leiden": "H 1",
        "city:amsterdam": "X 2",
    }
    state = position("sieges", pieces, cities={"haarlem": "habsburgs"})
    assert refused(state, Besiege(faction="habsburgs", cities=cities)) == ("6.6", text)


def test_28_besieging_an_ally_is_refused() -> None:
    state = position("sieges", {"strip:holland": "H 2"}, players=2, cities={"haarlem": "catholics"})
    assert refused(state, Besiege(faction="habsburgs", cities={"haarlem": 1})) == (
        "6.6",
        "Your ally controls this city.",
    )


# Water Beggars

FIELD = "Water Beggars act only in Gelderland, Generality, Holland, Overijssel, Utrecht, Zeeland."


@pytest.mark.parametrize("faction", ["catholics", "habsburgs", "nobility"])
def test_32_hiring_by_other_factions_is_refused(faction: str) -> None:
    state = position("beggars", {"treasury": "C 9, H 9, N 9, B 9"})
    action = Hire(faction=faction, regions={"holland": 1})
    assert refused(state, action) == ("6.7", "Only Burghers or Reformers hire Water Beggars.")


def test_33_hiring_by_a_second_faction_is_refused() -> None:
    state = position("beggars", {"treasury": "B 9, R 9"}, order=[LETTERS[x] for x in "RBCHN"])
    state = apply(state, Hire(faction="reformers", regions={"holland": 1})).state
    text = "The Reformers already use the Water Beggars this round."
    assert refused(state, Hire(faction="burghers", regions={"holland": 1})) == ("6.7", text)


def test_34_beggars_outside_their_provinces_are_refused() -> None:
    state = position("beggars", {"treasury": "B 9"})
    assert refused(state, Hire(faction="burghers", regions={"flanders": 1})) == ("6.7", FIELD)
    hired = position("beggars", {"region:north": "W 1", "region:holland": "W 1"}, hirer="burghers")
    for region, target in (
        ("flanders", "town:tournai"),
        ("north", "town:groningen"),
        ("holland", "town:arnhem"),
    ):
        action = Beggars(faction="burghers", region=region, do="pillage", count=1, target=target)
        assert refused(hired, action)[1] == FIELD


def test_60_more_than_three_beggars_are_refused() -> None:
    state = position("beggars", {"treasury": "B 9"})
    action = Hire(faction="burghers", regions={"holland": 3, "utrecht": 1})
    assert refused(state, action) == ("6.7", "There are only three Water Beggars.")


def beggar_refusal(pieces: dict[str, str], **entry: Any) -> tuple[str | None, str]:
    state = position("beggars", {"region:holland": "W 3", "treasury": "B 1", **pieces}, hirer="burghers")
    return refused(state, Beggars(faction="burghers", **{"region": "holland", "target": None, **entry}))


@pytest.mark.parametrize(
    ("pieces", "entry", "rule", "text"),
    [
        (
            {"strip:holland": "C 1"},
            {"do": "destroy", "count": 1, "target": "strip:holland"},
            "6.7.1",
            "You need more beggars than armies (2 needed).",
        ),
        (
            {"strip:holland": "R 1", "siege:leiden": "R 1"},
            {"do": "destroy", "count": 3, "target": "strip:holland"},
            "6.7.1",
            "Water Beggars destroy only armies of Catholics, Habsburgs and Nobility.",
        ),
        (
            {"strip:holland": "C 1, H 1"},
            {"do": "destroy", "count": 3, "target": "siege:leiden"},
            "6.7.1",
            "The most Catholic army dies: say where the one of Catholics is.",
        ),
        (
            {"strip:holland": "C 1", "siege:leiden": "H 1"},
            {"do": "relieve", "count": 1, "target": "city:leiden"},
            "6.7.2",
            "You need at least as many beggars as armies (2 needed).",
        ),
        (
            {"strip:holland": "C 1"},
            {"do": "relieve", "count": 2, "target": "city:leiden"},
            "6.7.2",
            "No army besieges a city in Holland region.",
        ),
        (
            {"strip:holland": "C 1"},
            {"do": "pillage", "count": 1, "target": "town:delft"},
            "6.7.3",
            "Not while an army is in the region.",
        ),
        (
            {"siege:leiden": "R 1"},
            {"do": "besiege", "count": 2, "target": "city:haarlem"},
            "6.7.3",
            "Not while an army is in the region.",
        ),
        (
            {},
            {"do": "besiege", "count": 1, "target": "city:haarlem"},
            "6.7.3",
            "A siege needs two Water Beggars.",
        ),
        (
            {},
            {"do": "pillage", "count": 2, "target": "town:delft"},
            "6.7.3",
            "Each Water Beggar pillages one town: enter one at a time.",
        ),
        (
            {"supply": "X 0"},
            {"do": "pillage", "count": 1, "target": "town:delft"},
            "6.7.3",
            "No neutral counters are left: a town cannot be pillaged.",
        ),
        (
            {},
            {"do": "pillage", "count": 1, "target": "city:leiden"},
            "6.7.3",
            "Choose a town to pillage, or a city to besiege that nobody besieges.",
        ),
        (
            {},
            {"do": "besiege", "count": 4, "target": "city:leiden"},
            "6.7.3",
            "Only 3 Water Beggars are in Holland region.",
        ),
        (
            {},
            {"do": "stay", "count": 1},
            "6.7.4",
            "All 3 Water Beggars that are left there stay, at no place in particular.",
        ),
        (
            {},
            {"do": "stay", "count": 0, "region": "utrecht"},
            "6.7.4",
            "Only 0 Water Beggars are in Utrecht region.",
        ),
        (
            {},
            {"do": "dance", "count": 1},
            "6.7",
            "“do” must be one of destroy, relieve, pillage, besiege, stay.",
        ),
        ({}, {"do": "stay", "count": 1, "region": "atlantis"}, "6.7", FIELD),
    ],
)
def test_35_to_37_invalid_use_of_beggars_is_refused(
    pieces: dict[str, str], entry: dict[str, Any], rule: str, text: str
) -> None:
    assert beggar_refusal(pieces, **entry) == (rule, text)


def test_beggars_that_stay_cannot_act_later() -> None:
    pieces = {"region:holland": "W 1", "region:gelderland": "W 1"}
    state = position("beggars", pieces, hirer="burghers")
    state = apply(state, Beggars(faction="burghers", region="holland", do="stay", count=1)).state
    action = Beggars(faction="burghers", region="holland", do="pillage", count=1, target="town:delft")
    assert refused(state, action) == ("6.7.3", "The Water Beggars in Holland region stay where they are.")


def test_only_the_hirer_uses_beggars() -> None:
    state = position("beggars", {"region:holland": "W 1", "treasury": "R 9"}, hirer="burghers")
    action = Beggars(faction="reformers", region="holland", do="stay", count=1)
    assert refused(state, action) == ("4.1", "Waiting for the Burghers.")
    unhired = position("beggars", {"treasury": "B 9"})
    action = Beggars(faction="burghers", region="holland", do="stay", count=1)
    assert refused(unhired, action) == (
        "6.7",
        "“beggars” cannot be entered now. Not finished: Water Beggars; waiting for Burghers.",
    )


# Army movement


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ([("utrecht", "holland")], "This army is besieging."),
        ([("flanders", "brabant")], "This army was released."),
        ([("north", "gelderland")], "You have no army in the strip of the North."),
        ([("holland", "flanders")], "No arrow leads there."),
        ([("holland", "utrecht"), ("utrecht", "gelderland")], "This army has moved."),
        ([("holland", "utrecht"), ("holland", "utrecht")], "This army has moved."),
        ([("gelderland", "north")], "This army has moved."),
        ([("holland", "liege")], "No arrow leads there."),
        (
            [("holland", "zeeland-generality")],
            "No free box there (besieging and released armies keep theirs).",
        ),
    ],
    ids=["38", "38b", "none", "39", "39b", "39c", "39d", "39e", "27"],
)
def test_38_and_39_invalid_moves_are_refused(moves: list[tuple[str, str]], text: str) -> None:
    pieces = {
        "strip:holland": "H 1",
        "siege:utrecht": "H 1",
        "released:flanders": "H 1",
        "strip:gelderland": "H 1",
        "region:gelderland": "W 1",
        "strip:zeeland-generality": "R 1",
    }
    state = position("army-movement", pieces, regions={"zeeland-generality": {"boxes": 1}})
    attempted = [("gelderland", "holland"), *moves] if moves[0][0] == "gelderland" else moves
    assert refused(state, March(faction="habsburgs", moves=tuple(attempted))) == ("6.8", text)


def test_39_unknown_region_is_refused() -> None:
    state = position("army-movement", {"strip:holland": "H 1"})
    assert refused(state, March(faction="habsburgs", moves=(("holland", "atlantis"),)))[0] == "6.8"


# Military influence


@pytest.mark.parametrize(
    ("targets", "text"),
    [
        ([("utrecht", "countryside:utrecht", "burghers")], "Another faction’s army stands in this strip."),
        (
            [("holland", "city:leiden", "reformers")],
            "Only counters in the countryside or towns of this region.",
        ),
        (
            [("holland", "town:arnhem", "burghers")],
            "Only counters in the countryside or towns of this region.",
        ),
        (
            [("atlantis", "town:delft", "neutral")],
            "Only counters in the countryside or towns of this region.",
        ),
        ([("brabant", "town:leuven", "catholics")], "You have no army in the strip of Brabant region."),
        ([("holland", "countryside:holland", "habsburgs")], "That counter is yours already."),
        (
            [("holland", "countryside:holland", "nobility")],
            "There are not so many counters of that kind in countryside:holland.",
        ),
        (
            [("holland", "countryside:holland", "burghers")] * 3,
            "Holland region: each army replaces one counter, so 2 at most.",
        ),
        (
            [("gelderland", "countryside:gelderland", "burghers")] * 2,
            "Gelderland region: Water Beggars block your armies; 1 counter can be replaced.",
        ),
        (
            [("flanders", "countryside:flanders", "burghers")] * 2,
            "Flanders region: an army driven back by Water Beggars exerts no influence; 1 counter can be replaced.",
        ),
    ],
    ids=["40", "41", "41b", "41c", "no army", "own", "nobody", "too many", "blocked", "driven back"],
)
def test_40_and_41_invalid_influence_is_refused(targets: list[tuple[str, str, str]], text: str) -> None:
    pieces = {
        "strip:holland": "H 2",
        "strip:utrecht": "H 1, B 1",
        "strip:gelderland": "H 2",
        "strip:flanders": "H 2",
        "region:gelderland": "W 1",
        "countryside:holland": "H 1, B 3",
        "countryside:utrecht": "B 1",
        "countryside:gelderland": "B 3",
        "countryside:flanders": "B 3",
        "city:leiden": "B 1",
    }
    state = position(
        "military-influence",
        pieces,
        driven_back={"flanders": {"habsburgs": 1}},
        players=3,
        seats=("catholics", "habsburgs", "burghers"),
    )
    chosen = tuple(Target(region=r, place=p, owner=o) for r, p, o in targets)
    assert refused(state, Convert(faction="habsburgs", targets=chosen)) == ("6.9", text)


@pytest.mark.parametrize(
    ("left", "text"),
    [(0, "You have no counter left to place."), (1, "You have only 1 counter left to place.")],
)
def test_42_influence_with_too_few_counters_is_refused(left: int, text: str) -> None:
    pieces = {"strip:holland": "H 2", "countryside:holland": "B 3", "supply": f"H {left}"}
    state = position("military-influence", pieces, order=[LETTERS[x] for x in "HCNBR"])
    targets = (Target(region="holland", place="countryside:holland", owner="burghers"),) * 2
    with pytest.raises(Illegal) as caught:
        EXERTING.act(state, Convert(faction="habsburgs", targets=targets))
    assert sentence(GAME, caught.value.message) == text


# Completing sieges


@pytest.mark.parametrize("order", [(), ("haarlem",), ("haarlem", "haarlem"), ("haarlem", "leiden", "gent")])
def test_siege_order_must_name_each_siege_once(order: tuple[str, ...]) -> None:
    pieces = {"siege:haarlem": "H 1", "city:haarlem": "B 3", "siege:leiden": "H 1", "city:leiden": "B 3"}
    state = position("completing", {**pieces, "supply": "H 3, X 20"})
    text = "Name each of your sieges once: Haarlem, Leiden."
    assert refused(state, Complete(faction="habsburgs", order=order)) == ("6.15", text)


# Out of turn


@pytest.mark.parametrize(
    "action",
    [
        March(faction="catholics", moves=()),
        March(faction="reformers", moves=()),
    ],
)
def test_53_action_out_of_turn_is_refused(action: Action) -> None:
    state = position("army-movement", {"strip:holland": "H 1"})
    assert refused(state, action) == ("4.1", "Waiting for the Habsburgs.")


def test_54_action_of_another_phase_is_refused() -> None:
    state = position("army-movement", {"strip:holland": "H 1"})
    action = Recruit(faction="habsburgs", regions={})
    assert refused(state, action) == (
        "6.8",
        "“recruit” cannot be entered now. Not finished: Army movement; waiting for Habsburgs.",
    )

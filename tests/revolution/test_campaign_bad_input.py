"""Part 10 of the digest, rows 20 to 42 and 60: what people enter by mistake, and the sentence they read."""

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

HOLLAND = {"strip:holland": "H 2", "treasury": "H 5", "countryside:holland": "H 1, B 2"}


# Maintenance


def test_20_an_army_without_a_decision() -> None:
    state = position("maintenance", HOLLAND)
    text = "Decide for every army: maintain, disband or release."
    action = Maintain(faction="habsburgs", maintain={"holland": 1}, release={})
    assert refused(state, action) == ("6.3", text)
    everywhere = Maintain(faction="habsburgs", maintain={"holland": 2}, release={"utrecht": 1})
    assert refused(state, everywhere) == ("6.3", text)
    apply(state, Maintain(faction="habsburgs", maintain={"holland": 1}, release={"holland": 1}))


def test_20_more_armies_than_there_are() -> None:
    state = position("maintenance", HOLLAND)
    action = Maintain(faction="habsburgs", maintain={"holland": 2}, disband={"holland": 1})
    assert refused(state, action) == ("6.3", "Only 2 of your armies are ready in Holland region.")
    assert refused(state, Maintain(faction="habsburgs", maintain={"atlantis": 1}))[0] == "6.3"


@pytest.mark.parametrize(
    ("phase", "lying", "action", "rule", "cost", "coins"),
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
def test_21_paying_more_than_there_is(
    phase: str, lying: dict[str, str], action: Action, rule: str, cost: int, coins: int
) -> None:
    assert refused(position(phase, lying), action) == (rule, f"That costs {cost} coins; you have {coins}.")


def released(**more: str) -> State:
    lying = {"strip:holland": "H 1", "treasury": "H 5", "town:delft": "B 1", "city:leiden": "R 1", **more}
    return apply(position("maintenance", lying), Maintain(faction="habsburgs")).state


@pytest.mark.parametrize(
    "place", ["city:leiden", "town:arnhem", "countryside:utrecht", "nowhere", "treasury"]
)
@pytest.mark.parametrize("owner", [None, "reformers"])
def test_22_pillage_of_a_city_or_outside_the_region(place: str, owner: str | None) -> None:
    text = "A released army can pillage only towns and counters outside cities in its own region."
    assert refused(released(), Pillage(faction="habsburgs", place=place, owner=owner)) == ("6.3", text)


def test_23_town_pillage_with_no_neutrals_left() -> None:
    state = released(supply="X 0", **{"countryside:holland": "B 1"})
    text = "No neutral counters are left: choose a counter to remove."
    assert refused(state, Pillage(faction="habsburgs", place="town:delft")) == ("6.3", text)


@pytest.mark.parametrize(("place", "owner"), [("town:delft", "catholics"), ("countryside:holland", None)])
def test_23_pillage_of_what_is_not_there(place: str, owner: str | None) -> None:
    text = "There is no such counter: choose one that lies there."
    assert refused(released(), Pillage(faction="habsburgs", place=place, owner=owner)) == ("6.3", text)


def test_23_a_neutral_is_not_pillaged_while_there_is_something_else() -> None:
    state = released(**{"countryside:holland": "X 1"})
    text = "Replacing a neutral counter would change nothing: choose another target."
    action = Pillage(faction="habsburgs", place="countryside:holland", owner="neutral")
    assert refused(state, action) == ("6.3", text)


# Recruiting


RICH = {"countryside:holland": "H 1", "treasury": "H 20"}


def recruiting(lying: dict[str, str], **more: Any) -> State:
    return position("recruiting", {**RICH, **lying}, **more)


@pytest.mark.parametrize(
    ("lying", "regions", "refusal"),
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
def test_24_to_27_recruiting(
    lying: dict[str, str], regions: dict[str, int], refusal: tuple[str, str]
) -> None:
    state = recruiting(lying, regions={"holland": {"boxes": 6}})
    assert refused(state, Recruit(faction="habsburgs", regions=regions)) == refusal


def test_25_all_armies_are_on_the_board() -> None:
    """Such a faction is passed over; the sentence is for those who look up why."""
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
def test_28_to_31_laying_sieges(cities: dict[str, int], text: str) -> None:
    lying = {
        "strip:holland": "H 2",
        "strip:utrecht": "H 1, R 1",
        "city:leiden": "H 1",
        "city:amsterdam": "X 2",
    }
    state = position("sieges", lying, cities={"haarlem": "habsburgs"})
    assert refused(state, Besiege(faction="habsburgs", cities=cities)) == ("6.6", text)


def test_28_besieging_an_ally() -> None:
    state = position("sieges", {"strip:holland": "H 2"}, players=2, cities={"haarlem": "catholics"})
    assert refused(state, Besiege(faction="habsburgs", cities={"haarlem": 1})) == (
        "6.6",
        "Your ally controls this city.",
    )


# Water Beggars

FIELD = "Water Beggars act only in Gelderland, Generality, Holland, Overijssel, Utrecht, Zeeland."


@pytest.mark.parametrize("faction", ["catholics", "habsburgs", "nobility"])
def test_32_hired_by_somebody_else(faction: str) -> None:
    state = position("beggars", {"treasury": "C 9, H 9, N 9, B 9"})
    action = Hire(faction=faction, regions={"holland": 1})
    assert refused(state, action) == ("6.7", "Only Burghers or Reformers hire Water Beggars.")


def test_33_hired_by_a_second_faction() -> None:
    state = position("beggars", {"treasury": "B 9, R 9"}, order=[LETTERS[x] for x in "RBCHN"])
    state = apply(state, Hire(faction="reformers", regions={"holland": 1})).state
    text = "The Reformers already use the Water Beggars this round."
    assert refused(state, Hire(faction="burghers", regions={"holland": 1})) == ("6.7", text)


def test_34_outside_their_field() -> None:
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


def test_60_more_than_three() -> None:
    state = position("beggars", {"treasury": "B 9"})
    action = Hire(faction="burghers", regions={"holland": 3, "utrecht": 1})
    assert refused(state, action) == ("6.7", "There are only three Water Beggars.")


def use(lying: dict[str, str], **entry: Any) -> tuple[str | None, str]:
    state = position("beggars", {"region:holland": "W 3", "treasury": "B 1", **lying}, hirer="burghers")
    return refused(state, Beggars(faction="burghers", **{"region": "holland", "target": None, **entry}))


@pytest.mark.parametrize(
    ("lying", "entry", "rule", "text"),
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
def test_35_to_37_using_beggars(lying: dict[str, str], entry: dict[str, Any], rule: str, text: str) -> None:
    assert use(lying, **entry) == (rule, text)


def test_beggars_that_were_told_to_stay_do() -> None:
    lying = {"region:holland": "W 1", "region:gelderland": "W 1"}
    state = position("beggars", lying, hirer="burghers")
    state = apply(state, Beggars(faction="burghers", region="holland", do="stay", count=1)).state
    action = Beggars(faction="burghers", region="holland", do="pillage", count=1, target="town:delft")
    assert refused(state, action) == ("6.7.3", "The Water Beggars in Holland region stay where they are.")


def test_nobody_but_the_hirer_uses_beggars() -> None:
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
def test_38_and_39_moving(moves: list[tuple[str, str]], text: str) -> None:
    lying = {
        "strip:holland": "H 1",
        "siege:utrecht": "H 1",
        "released:flanders": "H 1",
        "strip:gelderland": "H 1",
        "region:gelderland": "W 1",
        "strip:zeeland-generality": "R 1",
    }
    state = position("army-movement", lying, regions={"zeeland-generality": {"boxes": 1}})
    tried = [("gelderland", "holland"), *moves] if moves[0][0] == "gelderland" else moves
    assert refused(state, March(faction="habsburgs", moves=tuple(tried))) == ("6.8", text)


def test_39_a_region_that_is_none() -> None:
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
def test_40_and_41_influence(targets: list[tuple[str, str, str]], text: str) -> None:
    lying = {
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
        lying,
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
def test_42_influence_with_too_few_counters(left: int, text: str) -> None:
    lying = {"strip:holland": "H 2", "countryside:holland": "B 3", "supply": f"H {left}"}
    state = position("military-influence", lying, order=[LETTERS[x] for x in "HCNBR"])
    targets = (Target(region="holland", place="countryside:holland", owner="burghers"),) * 2
    with pytest.raises(Illegal) as caught:
        EXERTING.act(state, Convert(faction="habsburgs", targets=targets))
    assert sentence(GAME, caught.value.message) == text


# Completing sieges


@pytest.mark.parametrize("order", [(), ("haarlem",), ("haarlem", "haarlem"), ("haarlem", "leiden", "gent")])
def test_an_order_of_sieges_names_each_once(order: tuple[str, ...]) -> None:
    lying = {"siege:haarlem": "H 1", "city:haarlem": "B 3", "siege:leiden": "H 1", "city:leiden": "B 3"}
    state = position("completing", {**lying, "supply": "H 3, X 20"})
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
def test_53_out_of_turn(action: Action) -> None:
    state = position("army-movement", {"strip:holland": "H 1"})
    assert refused(state, action) == ("4.1", "Waiting for the Habsburgs.")


def test_54_another_phase() -> None:
    state = position("army-movement", {"strip:holland": "H 1"})
    action = Recruit(faction="habsburgs", regions={})
    assert refused(state, action) == (
        "6.8",
        "“recruit” cannot be entered now. Not finished: Army movement; waiting for Habsburgs.",
    )

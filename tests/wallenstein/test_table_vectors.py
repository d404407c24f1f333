"""Cases of part 7 of the digest, by number, played at a table with tower and supplies."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from games.core.flow import Frame
from games.core.ledger import Ledger
from games.core.steps import Outcome
from games.wallenstein.actions import Announce, Defend, Draw, March, Order, Plan, Recruit, Row
from games.wallenstein.board import in_play, province_of, tables_of
from games.wallenstein.cards import ACTIONS, EventCard
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.hunger import row_of
from games.wallenstein.planning import begin
from games.wallenstein.state import State, owner_of
from tests.wallenstein.positions import (
    armies_at,
    enter,
    fallen,
    pieces_at,
    rejection,
    returned_cubes,
    supply_count,
    table,
    texts,
    thrown,
    turning,
    unrest,
)

F = TypeVar("F", bound=Callable[..., None])
COVERED: set[str] = set()


def vector(number: str) -> Callable[[F], F]:
    """Mark a test as a case of the digest."""
    COVERED.add(number)
    return pytest.mark.parametrize((), [pytest.param(id=number)])


def test_every_case_of_the_digest_is_covered() -> None:
    assert {f"W-T{n}" for n in range(1, 11)} | {f"W-D{n}" for n in range(1, 29)} == COVERED


# Scoring at the table


def scored(
    owned: dict[str, int], built: dict[str, dict[str, list[str]]], factions: tuple[str, ...]
) -> dict[str, dict[str, int]]:
    """Return each player's points by source after a winter; `built` maps player -> province -> buildings."""
    armies = {p: (f, 1) for f, tiles in built.items() for p in tiles}
    free = [p for p in in_play(WALLENSTEIN.prepare(factions)) if p not in armies]
    for faction, count in owned.items():
        for _ in range(count - len(built.get(faction, {}))):
            armies[free.pop()] = (faction, 1)
    tiles = {p: names for by in built.values() for p, names in by.items()}
    grain = dict.fromkeys(factions, 60)
    state = replace(
        table(armies, factions=factions, buildings=tiles, grain=grain, round=4),
        frames=(Frame("winter", {"begun": False, "hungry": [], "drawn": []}),),
    )
    after = WALLENSTEIN.machine.settle(Outcome(state, ())).state
    return {s.faction: {part: int(n) for part, n in s.parts.items()} for s in WALLENSTEIN.standings(after)}


FOUR = ("red", "blue", "yellow", "black")


@vector("W-T1")
def test_two_share_the_palaces_of_brandenburg() -> None:
    built = {"red": {"altmark": ["palace"]}, "blue": {"bremen": ["palace"]}}
    parts = scored({"red": 1, "blue": 1}, built, FOUR)
    assert (parts["red"]["majorities"], parts["blue"]["majorities"]) == (2, 2)


@vector("W-T2")
def test_one_alone_has_most_palaces() -> None:
    built = {"red": {"altmark": ["palace"]}, "blue": {"bremen": ["palace"], "holstein": ["palace"]}}
    parts = scored({"red": 1, "blue": 2}, built, FOUR)
    assert (parts["red"]["majorities"], parts["blue"]["majorities"]) == (0, 3)


@vector("W-T3")
def test_shared_majority_brings_one_point_less() -> None:
    for tile, points in (("palace", 2), ("church", 1), ("trading-house", 0)):
        parts = scored({"red": 1, "blue": 1}, {"red": {"altmark": [tile]}, "blue": {"bremen": [tile]}}, FOUR)
        assert (parts["red"]["majorities"], parts["blue"]["majorities"]) == (points, points)


@vector("W-D23")
def test_the_points_of_three_players() -> None:
    built = {
        "red": {
            "altmark": ["palace", "church"],
            "holstein": ["palace"],
            "koeln": ["church", "trading-house"],
        },
        "blue": {
            "mittelmark": ["palace", "church", "trading-house"],
            "strassburg": ["palace", "trading-house"],
        },
    }
    parts = scored({"red": 8, "blue": 7, "yellow": 9}, built, FOUR)
    assert parts["red"] == {"provinces": 8, "buildings": 5, "majorities": 6}
    assert parts["blue"] == {"provinces": 7, "buildings": 5, "majorities": 5}
    assert parts["yellow"] == {"provinces": 9, "buildings": 0, "majorities": 0}


@vector("W-D24")
def test_three_share_a_majority() -> None:
    built = {f: {p: ["palace"]} for f, p in zip(FOUR, ("altmark", "bremen", "holstein"), strict=False)}
    parts = scored({"red": 7, "blue": 7, "yellow": 7}, built, FOUR)
    assert [sum(parts[f].values()) for f in FOUR[:3]] == [10, 10, 10]


@vector("W-D25")
def test_level_points_and_palaces_are_decided_by_churches() -> None:
    built = {
        "altmark": ["palace", "church"],
        "mittelmark": ["palace", "church"],
        "trier": ["palace", "church"],
        "strassburg": ["palace"],
        "boehmen": ["palace", "church"],
        "maehren": ["palace", "church"],
        "osnabrueck": ["palace"],
        "oberoesterreich": ["palace"],
    }
    owners = dict.fromkeys(("altmark", "mittelmark", "trier", "strassburg"), ("red", 1))
    owners |= dict.fromkeys(("boehmen", "maehren", "osnabrueck", "oberoesterreich"), ("blue", 1))
    state = table(owners, buildings=built, factions=("blue", "red", "yellow"))
    points = [(f, "point", "score:provinces", 60) for f in ("blue", "red")]
    lines = [*((h.owner, h.piece, h.place, h.count) for h in state.ledger.holdings()), *points]
    ended = replace(
        state, ledger=Ledger.of(state.ledger.places, lines), frames=(Frame("finished"),), round=8, events=()
    )
    result = WALLENSTEIN.result(ended)
    assert result is not None
    assert result.ranking == (("red",), ("blue",), ("yellow",))
    assert result.reason is not None
    assert result.reason.params["most"] == 3


# Battles


@vector("W-T4")
def test_peasants_from_the_tower_help_red() -> None:
    outcome = fallen(thrown(4, 3, tower={"red": 1, "peasants": 1}), blue=3, red=4, peasants=1)
    assert "Blue 3 against Red 4 and 1 of the peasants, 5 together." in texts(outcome)
    assert returned_cubes(outcome) == {"blue": 3, "red": 2, "peasants": 1}
    assert armies_at(outcome.state) == {"red": 2}
    assert pieces_at(outcome.state, "tower") == {"blue": 1}


@vector("W-T5")
def test_winning_defender_keeps_the_surplus_armies() -> None:
    outcome = fallen(thrown(4, 6), blue=4, red=6)
    assert returned_cubes(outcome) == {"blue": 4, "red": 4}
    assert armies_at(outcome.state) == {"red": 2}


@vector("W-T6")
def test_a_level_battle_destroys_the_province() -> None:
    state = thrown(4, 4, unrest={"passau": 1}, buildings={"passau": ["church"]})
    outcome = fallen(state, blue=4, red=4)
    assert outcome.state.ledger.at("province:passau") == []
    assert owner_of(outcome.state, "passau") is None
    assert supply_count(outcome.state, "peasants", "church") == 26


@vector("W-D1")
def test_conquest_with_uncommitted_defenders() -> None:
    outcome = fallen(thrown(5, 4, 2, tower={"blue": 1, "peasants": 2}), blue=4, red=2, peasants=1)
    assert armies_at(outcome.state) == {"blue": 1}
    assert returned_cubes(outcome) == {"blue": 3, "red": 4, "peasants": 1}
    assert pieces_at(outcome.state, "tower") == {"blue": 2, "peasants": 1}


@vector("W-D2")
def test_with_two_markers_peasants_stay_in_the_cup() -> None:
    state = thrown(5, 4, 2, tower={"blue": 1, "peasants": 2}, unrest={"passau": 2})
    outcome = fallen(state, blue=3, red=2, peasants=2)
    assert armies_at(outcome.state) == {"blue": 1}
    assert returned_cubes(outcome) == {"blue": 2, "red": 4}
    assert pieces_at(outcome.state, "cup") == {"peasants": 2}
    assert pieces_at(outcome.state, "tower") == {"blue": 3}
    assert unrest(outcome.state) == 2


@vector("W-D3")
def test_with_one_marker_peasants_help() -> None:
    state = thrown(5, 4, 2, tower={"blue": 1, "peasants": 2}, unrest={"passau": 1})
    outcome = fallen(state, blue=3, red=2, peasants=2)
    assert armies_at(outcome.state) == {"red": 3}
    assert returned_cubes(outcome) == {"blue": 3, "red": 1, "peasants": 2}
    assert pieces_at(outcome.state, "cup") == {}


@vector("W-D4")
def test_peasants_absorb_all_losses() -> None:
    state = thrown(3, 3, tower={"peasants": 4}, unrest={"passau": 1})
    outcome = fallen(state, blue=2, red=3, peasants=3)
    assert armies_at(outcome.state) == {"red": 3}
    assert returned_cubes(outcome) == {"blue": 2, "peasants": 3}
    assert pieces_at(outcome.state, "tower") == {"blue": 1, "peasants": 1}


@vector("W-D5")
def test_saved_by_peasants_alone() -> None:
    state = thrown(2, 1, tower={"peasants": 2})
    outcome = fallen(state, blue=1, peasants=2)
    assert armies_at(outcome.state) == {}
    assert owner_of(outcome.state, "passau") == "red"
    assert returned_cubes(outcome) == {"blue": 1, "peasants": 2}
    assert pieces_at(outcome.state, "tower") == {"blue": 1, "red": 1}


def test_saved_by_peasants_alone_with_other_readings() -> None:
    for reading, armies, owner in (("place-one", {"red": 1}, "red"), ("destroy", {}, None)):
        state = thrown(2, 1, tower={"peasants": 2}, options={"saved_by_peasants": reading})
        after = fallen(state, blue=1, peasants=2).state
        assert (armies_at(after), owner_of(after, "passau")) == (armies, owner)


@vector("W-D6")
def test_an_empty_province_is_conquered() -> None:
    state = thrown(3, tower={"peasants": 3}, cup={"yellow": 2})
    outcome = fallen(state, blue=3, peasants=1, yellow=1)
    assert armies_at(outcome.state) == {"blue": 2}
    assert unrest(outcome.state) == 1
    assert returned_cubes(outcome) == {"blue": 1, "peasants": 1}
    assert pieces_at(outcome.state, "cup") == {"yellow": 1}
    assert pieces_at(outcome.state, "tower") == {"peasants": 3, "yellow": 1}


@vector("W-D7")
def test_a_level_attack_on_an_empty_province_fails() -> None:
    outcome = fallen(thrown(3, tower={"peasants": 3}), blue=2, peasants=2)
    assert owner_of(outcome.state, "passau") is None
    assert returned_cubes(outcome) == {"blue": 2, "peasants": 2}
    assert pieces_at(outcome.state, "tower") == {"blue": 1, "peasants": 2}


@vector("W-D8")
def test_angry_peasants_throw_two_cubes() -> None:
    state = thrown(3, tower={"peasants": 3}, event="angry-peasants")
    assert pieces_at(state, "tower") == {"blue": 3, "peasants": 5}
    outcome = fallen(state, blue=2, peasants=3)
    assert owner_of(outcome.state, "passau") is None
    assert returned_cubes(outcome) == {"blue": 2, "peasants": 3}
    assert pieces_at(outcome.state, "tower") == {"blue": 1, "peasants": 2}


@vector("W-D9")
def test_weary_peasants_throw_no_cube() -> None:
    state = thrown(3, tower={"peasants": 3}, event="battle-weary-peasants")
    assert pieces_at(state, "tower") == {"blue": 3, "peasants": 3}
    outcome = fallen(state, blue=2, peasants=1)
    assert (armies_at(outcome.state), unrest(outcome.state)) == ({"blue": 1}, 1)
    assert returned_cubes(outcome) == {"blue": 1, "peasants": 1}


def taxed(**more: Any) -> State:
    """Return a revolt: Red collects gold in Passau with two markers, and three of four armies fight."""
    position = table(
        {"passau": ("red", 4)}, unrest={"passau": 2}, gold={"red": 1}, tower={"peasants": 2}, **more
    )
    state = turning(position, "red", "collect-gold", "passau").state
    assert supply_count(state, "red", "gold") == 6
    return enter(state, Defend(faction="red", armies=3)).state


@vector("W-D10")
def test_a_revolt_is_put_down() -> None:
    state = taxed()
    assert pieces_at(state, "tower") == {"red": 3, "peasants": 4}
    outcome = fallen(state, red=3, peasants=2)
    assert armies_at(outcome.state) == {"red": 2}
    assert returned_cubes(outcome) == {"red": 2, "peasants": 2}
    assert unrest(outcome.state) == 3


@vector("W-D11")
def test_a_level_revolt_is_lost() -> None:
    outcome = fallen(taxed(), red=2, peasants=2)
    assert supply_count(outcome.state, "red", "gold") == 6
    assert owner_of(outcome.state, "passau") is None
    assert returned_cubes(outcome) == {"red": 3, "peasants": 2}
    assert pieces_at(outcome.state, "tower") == {"red": 1, "peasants": 2}
    assert unrest(outcome.state) == 0


@vector("W-D12")
def test_a_cube_in_the_cup_counts() -> None:
    state = thrown(3, 3, cup={"blue": 1})
    assert pieces_at(state, "cup") == {}
    assert armies_at(fallen(state, blue=4, red=3).state) == {"blue": 1}


@vector("W-D13")
def test_palace_guard_throws_one_peasant_cube() -> None:
    def guarded(markers: int, **options: Any) -> Outcome[State]:
        state = thrown(
            4,
            2,
            unrest={"passau": markers},
            buildings={"passau": ["palace"]},
            event="palace-guards",
            options=options,
        )
        assert pieces_at(state, "tower")["peasants"] == 1
        return fallen(state, blue=3, red=2, peasants=1)

    assert owner_of(guarded(1).state, "passau") is None
    after = guarded(2).state
    assert (armies_at(after), pieces_at(after, "cup")) == ({"blue": 1}, {"peasants": 1})
    always = guarded(2, guards_fight=True).state  # the guard fights for Red, so it is 3 to 3
    assert (owner_of(always, "passau"), pieces_at(always, "cup")) == (None, {})


@vector("W-D28")
def test_with_two_markers_peasants_watch() -> None:
    state = thrown(4, 3, tower={"red": 1, "peasants": 1}, unrest={"passau": 2})
    outcome = fallen(state, blue=3, red=4, peasants=1)
    assert armies_at(outcome.state) == {"red": 1}
    assert returned_cubes(outcome) == {"blue": 3, "red": 3}
    assert pieces_at(outcome.state, "cup") == {"peasants": 1}


# Winter


def winter(provinces: int, grain: int, loss: int, **more: Any) -> Outcome[State]:
    """Return the winter of Red alone, with one army per province and one marker in the first."""
    names = in_play(WALLENSTEIN.prepare(("blue", "red", "yellow")))[:provinces]
    state = table(
        dict.fromkeys(names, ("red", 1)), grain={"red": grain}, unrest={names[0]: 1}, round=4, **more
    )
    frame = Frame("winter", {"begun": False, "hungry": [], "drawn": []})
    begun = replace(state, frames=(frame,), events=(EventCard("church-peace", loss),))
    return WALLENSTEIN.machine.settle(Outcome(begun, ()))


def hunger(outcome: Outcome[State]) -> tuple[int, int, int]:
    """Return Red's grain after the loss, the number of revolting provinces and the rebels added to each."""
    (step,) = [step for step in outcome.steps if step.key == "hunger:red"]
    result = step.result
    return result["grain"], result["revolts"], result["extra_rebels"]


@vector("W-T7")
def test_hunger_revolt_adds_markers_and_extra_rebels() -> None:
    state = winter(5, 3, 0).state
    (prompt,) = WALLENSTEIN.prompts(state)
    assert prompt.choices()["provinces"]["count"] == 1
    first = prompt.choices()["provinces"]["provinces"][0]
    after = enter(state, Draw(faction="red", provinces=(first,))).state
    after = enter(after, Defend(faction="red", armies=1)).state
    assert pieces_at(after, "tower") == {"red": 1, "peasants": 3}


@vector("W-T9")
def test_hunger_table_matches_the_board() -> None:
    rows = [row_of(shortage)[1:] for shortage in (1, 2, 3, 4, 5, 6, 7, 20)]
    assert rows == [(1, 1), (1, 2), (2, 2), (2, 2), (2, 3), (2, 3), (3, 3), (3, 3)]


@vector("W-D14")
def test_four_grain_for_nine_provinces() -> None:
    outcome = winter(9, 8, 4)
    assert hunger(outcome) == (4, 2, 3)
    assert supply_count(outcome.state, "red", "grain") == 4


@vector("W-D15")
def test_grain_stops_at_0() -> None:
    assert hunger(winter(3, 2, 6)) == (0, 2, 2)
    assert hunger(winter(3, 2, 6, options={"grain_below_zero": True})) == (0, 3, 3)


@vector("W-D16")
def test_enough_grain_prevents_revolts() -> None:
    outcome = winter(6, 9, 3)
    assert hunger(outcome) == (6, 0, 0)
    assert outcome.state.frames[-1].phase == "events"


# The map and the set-up


@vector("W-T8")
def test_the_neighbours_of_konstanz() -> None:
    setup = WALLENSTEIN.prepare(FOUR)
    assert set(province_of(setup, "konstanz").neighbours) == {"breisgau", "wuerttemberg", "augsburg"}


@vector("W-T10")
def test_first_game_tables_are_complete() -> None:
    for players, (provinces, armies) in {3: (9, 27), 4: (8, 25), 5: (7, 23)}.items():
        setup = WALLENSTEIN.prepare(WALLENSTEIN.factions[:players])
        tables = tables_of(setup)
        assert len(tables) == players
        assert {(len(t), sum(t.values())) for t in tables.values()} == {(provinces, armies)}
        names = list(itertools.chain(*tables.values()))
        assert len(set(names)) == len(names)
        assert set(names) <= set(in_play(setup))


# Actions


@vector("W-D17")
def test_troop_shortage_reduces_recruits() -> None:
    position: dict[str, Any] = {"gold": {"blue": 3}, "supply": {"blue": 3}}
    short = table({"passau": ("blue", 1)}, event="troop-shortage:oesterreich", **position)
    after = turning(short, "blue", "recruit-5", "passau").state
    assert (armies_at(after), supply_count(after, "blue", "gold")) == ({"blue": 4}, 0)
    plenty = turning(table({"passau": ("blue", 1)}, **position), "blue", "recruit-5", "passau")
    assert armies_at(plenty.state) == {"blue": 1}
    assert any("You have only 3 cubes left" in text for text in texts(plenty))


@vector("W-D18")
def test_recruiting_without_gold_is_cancelled() -> None:
    state = table({"passau": ("blue", 1)}, gold={"blue": 1})
    outcome = turning(state, "blue", "recruit-3", "passau")
    assert outcome.state.ledger == state.ledger
    assert any("You need 2 gold, you have 1. The action is cancelled." in text for text in texts(outcome))


@vector("W-D19")
def test_trade_bonus_pays_for_a_trading_house() -> None:
    state = table({"passau": ("blue", 1)}, event="trade-bonus")
    after = turning(state, "blue", "build-trading-house", "passau").state
    assert pieces_at(after, "province:passau", "trading-house") == {"peasants": 1}
    assert supply_count(after, "blue", "gold") == 1


@vector("W-D20")
def test_bad_harvest_reduces_grain() -> None:
    for province, grain in (("salzburg", 0), ("baden", 1)):  # the cards yield 2 and 3
        state = table({province: ("blue", 1)}, event="bad-harvest:bayern")
        after = turning(state, "blue", "collect-grain", province).state
        assert (supply_count(after, "blue", "grain"), unrest(after, province)) == (grain, 1)


@vector("W-D21")
def test_one_half_of_recruit_1_is_enough() -> None:
    state = table({"passau": ("blue", 4), "oberpfalz": ("blue", 1)})
    turned = turning(state, "blue", "recruit-1", "passau").state
    (prompt,) = WALLENSTEIN.prompts(turned)
    ways = [(e["place"], e["target"], e["armies"]) for e in prompt.elements()]
    assert ways == [(False, "oberpfalz", n) for n in (1, 2, 3)]
    after = enter(turned, Recruit(faction="blue", place=False, target="oberpfalz", armies=3)).state
    assert (armies_at(after), armies_at(after, "oberpfalz")) == ({"blue": 1}, {"blue": 4})


@vector("W-D22")
def test_three_cards_leave_two_spaces_empty() -> None:
    armies = dict.fromkeys(("passau", "oberpfalz", "boehmen"), ("blue", 1))
    state = begin(replace(table(armies), row=ACTIONS[:5]))
    (prompt,) = WALLENSTEIN.prompts(state)
    assert (prompt.faction, prompt.action) == ("blue", "announce")
    assert {len(e["actions"]) for e in prompt.elements()} == {2}
    announced = enter(state, Announce(faction="blue", actions=("movement-b", "recruit-1")))
    assert "Blue is short of cards: nothing lies on Recruit 1 and/or move, Movement B." in texts(announced)
    (prompt,) = WALLENSTEIN.prompts(announced.state)
    bounds = prompt.choices()["cards"]
    assert (bounds["least"], bounds["most"], len(bounds["actions"])) == (3, 3, 8)


@vector("W-D26")
def test_church_peace_may_leave_no_target() -> None:
    around = ("boehmen", "oberpfalz", "oberoesterreich", "regensburg")
    state = table(
        {"passau": ("blue", 5), **dict.fromkeys(around, ("red", 1))},
        buildings={p: ["church"] for p in around},
        event="church-peace",
    )
    outcome = turning(state, "blue", "movement-a", "passau")
    assert outcome.state.ledger == state.ledger
    assert any("no neighbouring province to move into: church peace" in text for text in texts(outcome))


@vector("W-D27")
def test_conquered_province_cannot_act_for_its_former_owner() -> None:
    state = table({"regensburg": ("blue", 6), "passau": ("red", 3), "boehmen": ("red", 1)})
    row = ("movement-a", "movement-b", *(a for a in ACTIONS if "movement" not in a))
    planned = replace(
        state,
        row=row,
        hands={"blue": ("regensburg",), "red": ("boehmen", "passau"), "yellow": ()},
        plans={"blue": {"movement-a": "regensburg"}, "red": {"movement-b": "passau"}, "yellow": {}},
        frames=(Frame("actions", {"action": 0, "turn": 0}),),
    )
    begun = WALLENSTEIN.machine.settle(Outcome(planned, ())).state
    attacked = enter(begun, March(faction="blue", target="passau", armies=5)).state
    thrown_in = enter(attacked, Defend(faction="red", armies=3)).state
    outcome = fallen(thrown_in, blue=5, red=1)
    assert armies_at(outcome.state) == {"blue": 4}
    sentences = texts(outcome)
    assert "Red: Movement B is not done, Passau was lost after planning." in sentences
    assert sentences.index("Action 2: Movement B.") < sentences.index(
        "Red: Movement B is not done, Passau was lost after planning."
    )


def test_a_province_won_this_season_is_not_in_the_hand() -> None:
    """Blue may not use Passau this season (W-D27)."""
    state = begin(replace(table({"regensburg": ("blue", 6), "passau": ("red", 3)}), row=ACTIONS[:5]))
    won = replace(state, ledger=table({"regensburg": ("blue", 1), "passau": ("blue", 3)}).ledger)
    assert state.hands["blue"] == ("regensburg",)
    announced = ("build-palace", "build-church", "recruit-5", "recruit-3")
    ready = replace(won, empty={"blue": announced})
    rule, text = rejection(ready, Plan(faction="blue", cards={"movement-a": "passau"}))
    assert (rule, text) == ("5.1", "You did not have Passau’s card when planning.")


def test_turn_order_is_entered_before_the_event() -> None:
    state = table({"passau": ("blue", 1)})
    laid = enter(state, Row(faction="blue", cards=ACTIONS[:5])).state
    assert laid.frames[-1].phase == "planning"
    announced = enter(laid, Announce(faction="blue", actions=ACTIONS[:4])).state
    planned = enter(announced, Plan(faction="blue", cards={"movement-a": "passau"})).state
    assert planned.frames[-1].phase == "order"
    ordered = enter(planned, Order(faction="blue", order=("red", "blue", "yellow"))).state
    assert (ordered.order, ordered.frames[-1].phase) == (("red", "blue", "yellow"), "event")


def test_province_won_back_cannot_act_this_season() -> None:
    """Red loses Passau, wins it back at once, and still may not collect its gold (5.2)."""
    state = table({"regensburg": ("blue", 4), "passau": ("red", 1), "boehmen": ("red", 6)})
    row = ("movement-a", "movement-b", "collect-gold")
    planned = replace(
        state,
        row=(*row, *(a for a in ACTIONS if a not in row)),
        hands={"blue": ("regensburg",), "red": ("boehmen", "passau"), "yellow": ()},
        plans={
            "blue": {"movement-a": "regensburg"},
            "red": {"movement-b": "boehmen", "collect-gold": "passau"},
            "yellow": {},
        },
        frames=(Frame("actions", {"action": 0, "turn": 0}),),
    )
    begun = WALLENSTEIN.machine.settle(Outcome(planned, ())).state
    attacked = enter(begun, March(faction="blue", target="passau", armies=3)).state
    lost = fallen(enter(attacked, Defend(faction="red", armies=1)).state, blue=1).state
    assert armies_at(lost) == {"blue": 1}
    back = enter(lost, March(faction="red", target="passau", armies=5)).state
    outcome = fallen(enter(back, Defend(faction="blue", armies=1)).state, red=4)
    assert armies_at(outcome.state) == {"red": 4}
    assert "Red: Collect gold is not done, Passau was lost after planning." in texts(outcome)
    assert supply_count(outcome.state, "red", "gold") == 0

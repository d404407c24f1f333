"""Open questions of the digest, part 8, that no case of part 7 decides: how they are played here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from games.core.flow import Frame
from games.core.ledger import Ledger
from games.core.steps import Outcome
from games.wallenstein.actions import Defend, Draft, Draw, Events, Fill, March, Open, Recruit
from games.wallenstein.board import province_of
from games.wallenstein.cards import ACTIONS, EVENTS, EventCard
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.planning import begin
from games.wallenstein.state import State, owner_of
from tests.wallenstein.positions import (
    at,
    enter,
    fallen,
    has,
    home,
    refused,
    table,
    texts,
    there,
    thrown,
    turning,
    unrest,
)


def planned(state: State, row: Sequence[str], plans: Mapping[str, Mapping[str, str]]) -> Outcome[State]:
    """The actions of a season begin, with everybody's cards on them; play order is that of the state."""
    begun = replace(
        state,
        row=(*row, *(a for a in ACTIONS if a not in row)),
        events=state.events[1:],
        hands={f: tuple(plans.get(f, {}).values()) for f in state.order},
        plans={f: dict(plans.get(f, {})) for f in state.order},
        frames=(Frame("actions", {"action": 0, "turn": 0}),),
    )
    return WALLENSTEIN.machine.settle(Outcome(begun, ()))


# Set-up


def test_the_draft_goes_round_from_the_first_player() -> None:
    """A-06: clockwise from whoever was named first, not from the first seat."""
    seats = ("blue", "red", "yellow")
    setup = WALLENSTEIN.prepare(seats, first="red", options={"distribution": "draft"})
    state = enter(WALLENSTEIN.start(setup).state, Fill(faction="red", fallen={})).state
    state = enter(state, Open(faction="red", cards=("augsburg", "baden"))).state
    turns = []
    for province in ("koeln", "mark", "trier", "anhalt"):
        faction = WALLENSTEIN.prompts(state)[0].faction
        turns.append(faction)
        state = enter(state, Draft(faction=faction, province=province, armies=2)).state
    assert turns == ["red", "yellow", "blue", "red"]


def test_unused_provinces_are_no_neighbours() -> None:
    """A-26: Tirol is out with three players, so Salzburg does not border it."""
    three = WALLENSTEIN.prepare(("blue", "red", "yellow"))
    four = WALLENSTEIN.prepare(("blue", "red", "yellow", "black"))
    assert "tirol" in province_of(four, "salzburg").neighbours
    assert "tirol" not in province_of(three, "salzburg").neighbours
    turned = turning(table({"salzburg": ("blue", 4)}), "blue", "movement-a", "salzburg").state
    rule, text = refused(turned, March(faction="blue", target="tirol", armies=1))
    assert (rule, text) == ("5.6", "Salzburg and Tirol do not share a border.")


# Pieces


@pytest.mark.parametrize(
    ("action", "piece", "plenty"), [("collect-gold", "gold", 160), ("collect-grain", "grain", 90)]
)
def test_the_bank_never_runs_out(action: str, piece: str, plenty: int) -> None:
    """A-08 and A-10: more gold than chests, more grain than any track."""
    state = table({"passau": ("blue", 1)}, gold={"blue": 160}, grain={"blue": 90})
    after = turning(state, "blue", action, "passau").state
    assert has(after, "blue", piece) > plenty
    assert WALLENSTEIN.invariants(after) == []


def test_unrest_is_counted_beyond_the_markers() -> None:
    """A-22: there are 42 markers; the 43rd counts as well."""
    state = table({"passau": ("blue", 1), "boehmen": ("red", 9)}, unrest={"boehmen": 42})
    after = turning(state, "blue", "collect-gold", "passau").state
    assert unrest(after, "passau") + unrest(after, "boehmen") == 43


def test_the_last_tile_goes_in_play_order() -> None:
    """A-31: one palace is left, and two players build."""
    rich = table({"baden": ("blue", 1), "boehmen": ("red", 1)}, gold={"blue": 9, "red": 9})
    for order in (("blue", "red", "yellow"), ("red", "blue", "yellow")):
        lines = [(h.owner, h.piece, h.place, h.count) for h in rich.ledger.holdings() if h.piece != "palace"]
        ledger = Ledger.of(rich.ledger.places, [*lines, ("peasants", "palace", "supply", 1)])
        state = replace(rich, order=order, ledger=ledger)
        plans = {"blue": {"build-palace": "baden"}, "red": {"build-palace": "boehmen"}}
        outcome = planned(state, ("build-palace",), plans)
        won, lost = ("baden", "boehmen") if order[0] == "blue" else ("boehmen", "baden")
        assert at(outcome.state, f"province:{won}", "palace") == {"peasants": 1}
        assert at(outcome.state, f"province:{lost}", "palace") == {}
        assert has(outcome.state, order[1], "gold") == 9
        assert any("All palaces are on the board." in text for text in texts(outcome))


# Events


def test_there_are_25_event_cards_of_8_names() -> None:
    """A-33: each under one name, however it is spelt elsewhere."""
    assert sum(EVENTS.values()) == 25
    names = {WALLENSTEIN.texts.names[f"event:{event.partition(':')[0]}"] for event in EVENTS}
    assert len(names) == 8


def test_a_table_may_shuffle_all_events_again() -> None:
    """A-23: the only palace guards were drawn in the first year."""
    drawn = Events(
        faction="blue",
        cards=tuple(
            EventCard(e, 3) for e in ("palace-guards", "church-peace", "trade-bonus", "angry-peasants")
        ),
    )
    for reshuffle in (False, True):
        state = table({"passau": ("blue", 1)}, options={"reshuffle_events": reshuffle}, round=4)
        second = replace(state, frames=(Frame("events"),), events=(), drawn=("palace-guards",))
        assert (WALLENSTEIN.why_not(second, drawn) is None) == reshuffle


@pytest.mark.parametrize("event", ["palace-guards", "angry-peasants", "battle-weary-peasants"])
def test_events_leave_revolts_alone(event: str) -> None:
    """A-19: two markers are two peasants, whatever the season."""
    position = table(
        {"passau": ("red", 4)}, unrest={"passau": 2}, buildings={"passau": ["palace"]}, event=event
    )
    state = turning(position, "red", "collect-gold", "passau").state
    state = enter(state, Defend(faction="red", armies=1)).state
    assert at(state, "tower") == {"red": 1, "peasants": 2}


def test_a_troop_shortage_leaves_recruiting_one_alone() -> None:
    """A-18: one gold, one army, as ever."""
    state = table(
        {"passau": ("blue", 2), "boehmen": ("blue", 1)},
        gold={"blue": 1},
        event="troop-shortage:oesterreich",
    )
    turned = turning(state, "blue", "recruit-1", "passau").state
    after = enter(turned, Recruit(faction="blue", place=True)).state
    assert (there(after), has(after, "blue", "gold")) == ({"blue": 3}, 0)


# Battles


def test_a_defender_may_keep_everybody_out() -> None:
    """A-13: none of three armies fights, and all are lost with the province."""
    outcome = fallen(thrown(2, 3, 0), blue=1)
    assert there(outcome.state) == {"blue": 1}
    assert home(outcome) == {"red": 3}


def test_a_level_battle_sends_everybody_home() -> None:
    """A-16: also the two armies that did not fight."""
    outcome = fallen(thrown(2, 3, 1), blue=1, red=1)
    assert owner_of(outcome.state, "passau") is None
    assert home(outcome) == {"blue": 1, "red": 3}


def test_a_destroyed_province_does_nothing_any_more() -> None:
    """A-27: Passau falls in a level battle; its gold is not collected later."""
    state = table({"regensburg": ("blue", 4), "passau": ("red", 3), "boehmen": ("red", 1)})
    plans = {"blue": {"movement-a": "regensburg"}, "red": {"collect-gold": "passau"}}
    begun = planned(state, ("movement-a", "collect-gold"), plans).state
    attacked = enter(begun, March(faction="blue", target="passau", armies=3)).state
    outcome = fallen(enter(attacked, Defend(faction="red", armies=3)).state, blue=2, red=2)
    assert owner_of(outcome.state, "passau") is None
    assert "Red: Collect gold is not done, Passau was lost after planning." in texts(outcome)
    assert has(outcome.state, "red", "gold") == 0


# Players and winters


def test_who_has_no_province_stays_in_the_game() -> None:
    """A-28: nobody asks Yellow for a plan; the winter brings nothing, and the points of the first stay."""
    state = table({"passau": ("blue", 1), "boehmen": ("red", 1)}, grain={"blue": 9, "red": 9}, round=8)
    asked = WALLENSTEIN.prompts(begin(replace(state, row=ACTIONS[:5])))
    assert "yellow" not in {prompt.faction for prompt in asked}
    lines = [(h.owner, h.piece, h.place, h.count) for h in state.ledger.holdings()]
    noted = Ledger.of(state.ledger.places, [*lines, ("yellow", "point", "score:provinces", 7)])
    frame = Frame("winter", {"begun": False, "hungry": [], "drawn": []})
    after = WALLENSTEIN.machine.settle(Outcome(replace(state, ledger=noted, frames=(frame,)), ())).state
    points = {standing.faction: int(standing.points) for standing in WALLENSTEIN.standings(after)}
    assert points == {"blue": 1, "red": 1, "yellow": 7}
    result = WALLENSTEIN.result(after)
    assert result is not None
    assert result.ranking[0] == ("yellow",)


def test_hunger_revolts_come_in_the_order_entered() -> None:
    """A-29: the player chooses which of the drawn provinces revolts first."""
    armies = dict.fromkeys(("passau", "baden", "boehmen"), ("blue", 2))
    for drawn in (("passau", "baden"), ("baden", "passau")):
        state = replace(
            table(armies, grain={"red": 9, "yellow": 9}, round=4),
            frames=(Frame("winter", {"begun": True, "hungry": [["blue", 2, 2]], "drawn": []}),),
            events=(),
        )
        fought = []
        state = enter(state, Draw(faction="blue", provinces=drawn)).state
        while state.frames[-1].phase == "battle":
            fought.append(state.frames[-1].data["province"])
            state = fallen(enter(state, Defend(faction="blue", armies=2)).state, blue=2).state
        assert tuple(fought) == drawn

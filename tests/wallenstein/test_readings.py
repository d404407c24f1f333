"""Readings of open questions (part 8 of the digest) that no case of part 7 decides."""

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


def planned(state: State, row: Sequence[str], plans: Mapping[str, Mapping[str, str]]) -> Outcome[State]:
    """Begin the actions of a season with these plans, in the turn order of the state."""
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
    """Clockwise from the named first player, not from the first seat (A-06)."""
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
    """Tirol is unused with three players, so Salzburg does not border it (A-26)."""
    three = WALLENSTEIN.prepare(("blue", "red", "yellow"))
    four = WALLENSTEIN.prepare(("blue", "red", "yellow", "black"))
    assert "tirol" in province_of(four, "salzburg").neighbours
    assert "tirol" not in province_of(three, "salzburg").neighbours
    turned = turning(table({"salzburg": ("blue", 4)}), "blue", "movement-a", "salzburg").state
    rule, text = rejection(turned, March(faction="blue", target="tirol", armies=1))
    assert (rule, text) == ("5.6", "Salzburg and Tirol do not share a border.")


# Pieces


@pytest.mark.parametrize(
    ("action", "piece", "plenty"), [("collect-gold", "gold", 160), ("collect-grain", "grain", 90)]
)
def test_the_bank_never_runs_out(action: str, piece: str, plenty: int) -> None:
    """More gold than chests, more grain than any track (A-08, A-10)."""
    state = table({"passau": ("blue", 1)}, gold={"blue": 160}, grain={"blue": 90})
    after = turning(state, "blue", action, "passau").state
    assert supply_count(after, "blue", piece) > plenty
    assert WALLENSTEIN.invariants(after) == []


def test_unrest_is_counted_beyond_the_markers() -> None:
    """There are 42 markers; the 43rd counts as well (A-22)."""
    state = table({"passau": ("blue", 1), "boehmen": ("red", 9)}, unrest={"boehmen": 42})
    after = turning(state, "blue", "collect-gold", "passau").state
    assert unrest(after, "passau") + unrest(after, "boehmen") == 43


def test_last_tile_goes_to_the_first_in_turn_order() -> None:
    """One palace is left, and two players build (A-31)."""
    rich = table({"baden": ("blue", 1), "boehmen": ("red", 1)}, gold={"blue": 9, "red": 9})
    for order in (("blue", "red", "yellow"), ("red", "blue", "yellow")):
        lines = [(h.owner, h.piece, h.place, h.count) for h in rich.ledger.holdings() if h.piece != "palace"]
        ledger = Ledger.of(rich.ledger.places, [*lines, ("peasants", "palace", "supply", 1)])
        state = replace(rich, order=order, ledger=ledger)
        plans = {"blue": {"build-palace": "baden"}, "red": {"build-palace": "boehmen"}}
        outcome = planned(state, ("build-palace",), plans)
        won, lost = ("baden", "boehmen") if order[0] == "blue" else ("boehmen", "baden")
        assert pieces_at(outcome.state, f"province:{won}", "palace") == {"peasants": 1}
        assert pieces_at(outcome.state, f"province:{lost}", "palace") == {}
        assert supply_count(outcome.state, order[1], "gold") == 9
        assert any("All palaces are on the board." in text for text in texts(outcome))


# Events


def test_there_are_25_event_cards_of_8_names() -> None:
    """Each event has one name, however it is spelt elsewhere (A-33)."""
    assert sum(EVENTS.values()) == 25
    names = {WALLENSTEIN.texts.names[f"event:{event.partition(':')[0]}"] for event in EVENTS}
    assert len(names) == 8


def test_reshuffle_option_returns_drawn_events_to_the_deck() -> None:
    """The only palace guards were drawn in the first year (A-23)."""
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
def test_events_do_not_affect_revolts(event: str) -> None:
    """Two markers bring two peasants, whatever the event (A-19)."""
    position = table(
        {"passau": ("red", 4)}, unrest={"passau": 2}, buildings={"passau": ["palace"]}, event=event
    )
    state = turning(position, "red", "collect-gold", "passau").state
    state = enter(state, Defend(faction="red", armies=1)).state
    assert pieces_at(state, "tower") == {"red": 1, "peasants": 2}


def test_troop_shortage_does_not_affect_recruit_1() -> None:
    """One gold still buys one army (A-18)."""
    state = table(
        {"passau": ("blue", 2), "boehmen": ("blue", 1)},
        gold={"blue": 1},
        event="troop-shortage:oesterreich",
    )
    turned = turning(state, "blue", "recruit-1", "passau").state
    after = enter(turned, Recruit(faction="blue", place=True)).state
    assert (armies_at(after), supply_count(after, "blue", "gold")) == ({"blue": 3}, 0)


# Battles


def test_defender_may_commit_no_army() -> None:
    """None of three armies fights, and all are lost with the province (A-13)."""
    outcome = fallen(thrown(2, 3, 0), blue=1)
    assert armies_at(outcome.state) == {"blue": 1}
    assert returned_cubes(outcome) == {"red": 3}


def test_level_battle_returns_all_armies_to_the_supply() -> None:
    """Includes the two armies that did not fight (A-16)."""
    outcome = fallen(thrown(2, 3, 1), blue=1, red=1)
    assert owner_of(outcome.state, "passau") is None
    assert returned_cubes(outcome) == {"blue": 1, "red": 3}


def test_destroyed_province_cannot_act() -> None:
    """Passau is destroyed in a level battle; its gold is not collected later (A-27)."""
    state = table({"regensburg": ("blue", 4), "passau": ("red", 3), "boehmen": ("red", 1)})
    plans = {"blue": {"movement-a": "regensburg"}, "red": {"collect-gold": "passau"}}
    begun = planned(state, ("movement-a", "collect-gold"), plans).state
    attacked = enter(begun, March(faction="blue", target="passau", armies=3)).state
    outcome = fallen(enter(attacked, Defend(faction="red", armies=3)).state, blue=2, red=2)
    assert owner_of(outcome.state, "passau") is None
    assert "Red: Collect gold is not done, Passau was lost after planning." in texts(outcome)
    assert supply_count(outcome.state, "red", "gold") == 0


# Players and winters


def test_player_without_provinces_stays_in_the_game() -> None:
    """Yellow is not prompted to plan, scores nothing in winter and keeps earlier points (A-28)."""
    state = table({"passau": ("blue", 1), "boehmen": ("red", 1)}, grain={"blue": 9, "red": 9}, round=8)
    prompts = WALLENSTEIN.prompts(begin(replace(state, row=ACTIONS[:5])))
    assert "yellow" not in {prompt.faction for prompt in prompts}
    lines = [(h.owner, h.piece, h.place, h.count) for h in state.ledger.holdings()]
    ledger = Ledger.of(state.ledger.places, [*lines, ("yellow", "point", "score:provinces", 7)])
    frame = Frame("winter", {"begun": False, "hungry": [], "drawn": []})
    after = WALLENSTEIN.machine.settle(Outcome(replace(state, ledger=ledger, frames=(frame,)), ())).state
    points = {standing.faction: int(standing.points) for standing in WALLENSTEIN.standings(after)}
    assert points == {"blue": 1, "red": 1, "yellow": 7}
    result = WALLENSTEIN.result(after)
    assert result is not None
    assert result.ranking[0] == ("yellow",)


def test_hunger_revolts_come_in_the_order_entered() -> None:
    """The player chooses which of the drawn provinces revolts first (A-29)."""
    armies = dict.fromkeys(("passau", "baden", "boehmen"), ("blue", 2))
    for drawn in (("passau", "baden"), ("baden", "passau")):
        state = replace(
            table(armies, grain={"red": 9, "yellow": 9}, round=4),
            frames=(Frame("winter", {"begun": True, "hungry": [["blue", 2, 2]], "drawn": []}),),
            events=(),
        )
        revolts = []
        state = enter(state, Draw(faction="blue", provinces=drawn)).state
        while state.frames[-1].phase == "battle":
            revolts.append(state.frames[-1].data["province"])
            state = fallen(enter(state, Defend(faction="blue", armies=2)).state, blue=2).state
        assert tuple(revolts) == drawn

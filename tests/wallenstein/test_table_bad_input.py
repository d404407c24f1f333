"""Rejected entries at the table with their sentences (part 10 of the digest)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import pytest

from games.core.actions import Position, SetFigure
from games.core.errors import Refused
from games.core.flow import Frame
from games.wallenstein.actions import (
    Announce,
    Defend,
    Draft,
    Draw,
    Events,
    Fill,
    March,
    Open,
    Order,
    Plan,
    Recruit,
    Replace,
    Reveal,
    Row,
    Take,
    Throw,
    Turn,
)
from games.wallenstein.cards import ACTIONS, EventCard
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.planning import begin
from games.wallenstein.state import State
from tests.core.rendering import sentence
from tests.wallenstein.positions import enter, rejection, table, texts, thrown, turning

THREE = ("blue", "red", "yellow")
F = TypeVar("F", bound=Callable[..., None])
COVERED: set[int] = set()


def row(*numbers: int) -> Callable[[F], F]:
    """Mark a test as covering rows of part 10, counted from 1."""
    COVERED.update(numbers)
    return lambda test: test


def test_every_row_of_the_digest_is_covered() -> None:
    assert set(range(1, 29)) == COVERED


def preparation_rejection(factions: list[str], **more: Any) -> str:
    with pytest.raises(Refused) as error:
        WALLENSTEIN.prepare(factions, **more)
    return sentence(WALLENSTEIN, error.value.message)


def reading_rejection(data: dict[str, Any]) -> str:
    with pytest.raises(Refused) as error:
        WALLENSTEIN.read_action(data, "red")
    return sentence(WALLENSTEIN, error.value.message)


# Players


@row(1, 2)
def test_invalid_colours_and_player_counts_are_rejected() -> None:
    for green in ("green", "peasants"):
        text = preparation_rejection(["red", green, "blue"])
        assert text == "Green is the peasants’ colour. Please choose another."
    assert preparation_rejection(["red", "red", "blue"]).startswith("Each player needs a colour of their own")
    only = "Wallenstein is for 3 to 5 players (2 with the variant)."
    assert preparation_rejection(["red"]) == only
    assert preparation_rejection([*WALLENSTEIN.factions, "green"]) == only


# Set-up


def filling_state(**options: Any) -> State:
    setup = WALLENSTEIN.prepare(THREE, options=options)
    return WALLENSTEIN.start(setup).state


@row(7, 23)
def test_more_cubes_than_thrown_in_are_rejected() -> None:
    rule, text = rejection(filling_state(), Fill(faction="blue", fallen={"red": 8}))
    assert (rule, text) == ("3", "Only 7 red cubes were thrown in; 8 cannot have come out.")
    rule, text = rejection(filling_state(), Fill(faction="blue", fallen={"purple": 1}))
    assert (rule, text) == ("5.7", "Nobody plays purple.")
    rule, text = rejection(filling_state(), Fill(faction="blue", fallen={"green": 1}))
    assert text == "There is no colour “green” here; there are blue, red, yellow, peasants."
    assert rejection(filling_state(), Fill(faction="red", fallen={}))[1] == "It is Blue’s turn."


def test_invalid_letters_are_rejected() -> None:
    state = enter(filling_state(), Fill(faction="blue", fallen={})).state
    taken = enter(state, Take(faction="red", letter="B")).state
    assert rejection(taken, Take(faction="red", letter="A"))[1] == "You have taken letter B already."
    assert rejection(taken, Take(faction="blue", letter="B"))[1] == "Red has taken letter B."
    text = rejection(taken, Take(faction="blue", letter="D"))[1]
    assert text == "There is no letter “D” with so many players; there are A, B, C."


def drafting_state() -> State:
    state = enter(filling_state(distribution="draft"), Fill(faction="blue", fallen={})).state
    return enter(state, Open(faction="blue", cards=("augsburg", "baden"))).state


@row(3, 4, 5, 6)
def test_invalid_draft_actions_are_rejected() -> None:
    state = drafting_state()
    text = rejection(state, Draft(faction="blue", province="tirol", armies=5))[1]
    assert text == "Tirol is not used with three players."
    taken = enter(state, Draft(faction="blue", province="augsburg", armies=5, turned="mark")).state
    text = rejection(taken, Draft(faction="red", province="augsburg", armies=5))[1]
    assert text == "Augsburg already belongs to Blue."
    text = rejection(taken, Draft(faction="red", province="baden", armies=1, turned="trier"))[1]
    assert text == "All 2 cubes of this group go to the same province."
    text = rejection(taken, Draft(faction="red", province="baden", armies=6, turned="trier"))[1]
    assert text == "You have no group of 6 armies."
    only = "You can replace the two open cards only if they are the same two as on your last turn."
    assert rejection(taken, Replace(faction="red", cards=("koeln", "trier")))[1] == only
    text = rejection(taken, Draft(faction="red", province="baden", armies=5))[1]
    assert text == "Say which card was turned up in the place of the one you took."
    text = rejection(taken, Draft(faction="red", province="koeln", armies=5, turned="trier"))[1]
    assert text == "The card comes from the deck; no other card is turned up."
    assert rejection(taken, Draft(faction="blue", province="baden", armies=4))[1] == "It is Red’s turn."


def test_the_same_open_cards_can_be_replaced() -> None:
    state = drafting_state()
    for faction, province in zip(THREE, ("koeln", "mark", "trier"), strict=True):
        state = enter(state, Draft(faction=faction, province=province, armies=5)).state
    after = enter(state, Replace(faction="blue", cards=("anhalt", "altmark"))).state
    assert after.frames[-1].data["open"] == ["altmark", "anhalt"]
    only = "You can replace the two open cards only if they are the same two as on your last turn."
    assert rejection(after, Replace(faction="blue", cards=("boehmen", "lausitz")))[1] == only


# Event and action cards


@row(8)
def test_invalid_event_cards_are_rejected() -> None:
    state = replace(table({"passau": ("blue", 1)}), frames=(Frame("events"),), round=0, events=())

    def cards(*events: str) -> Events:
        return Events(faction="blue", cards=tuple(EventCard(event, 3) for event in events))

    text = rejection(state, cards("palace-guards", "palace-guards", "church-peace", "church-peace"))[1]
    assert text == "There is only one Palace Guards card."
    text = rejection(state, cards("trade-bonus", "trade-bonus", "trade-bonus", "church-peace"))[1]
    assert text == "There are only 2 Trade Bonus cards."
    assert rejection(state, cards("church-peace"))[1] == "Enter the four event cards of the year."
    bad = Events(faction="blue", cards=(EventCard("church-peace", 99), *cards("angry-peasants").cards * 3))
    assert "There are only 2 Angry Peasants cards." in rejection(state, bad)[1]
    second = replace(state, drawn=("palace-guards",))
    text = rejection(second, cards("palace-guards", "church-peace", "church-peace", "trade-bonus"))[1]
    assert text == "There is no Palace Guards card left in the deck."


def test_two_players_do_not_draw_events_of_unused_regions() -> None:
    factions = ("blue", "red")
    state = replace(
        table({"passau": ("blue", 1)}, factions=factions), frames=(Frame("events"),), round=0, events=()
    )
    drawn = Events(
        faction="blue",
        cards=tuple(EventCard(e, 0) for e in ("good-harvest:kurpfalz", *["church-peace"] * 3)),
    )
    assert rejection(state, drawn)[1] == "There is no Good Harvest in Kurpfalz card left in the deck."
    options = {**state.setup.options, "all_events_with_two": True}
    agreed = replace(state, setup=replace(state.setup, options=options))
    assert enter(agreed, drawn).state.round == 1


@row(9)
def test_invalid_action_rows_are_rejected() -> None:
    state = table({"passau": ("blue", 1)})
    twice = Row(
        faction="blue", cards=("recruit-1", "movement-a", "collect-gold", "movement-a", "collect-grain")
    )
    assert rejection(state, twice) == ("4", "Movement A is already in the row at position 2.")
    short = Row(faction="blue", cards=("recruit-1", "movement-a"))
    assert rejection(state, short)[1] == "Enter the five open action cards in their order."
    strange = Row(faction="blue", cards=("recruit-2", *ACTIONS[:4]))
    assert rejection(state, strange)[1].startswith("There is no card “recruit-2”")


def test_action_card_turned_up_twice_is_rejected() -> None:
    state = replace(
        table({"passau": ("blue", 1)}),
        row=ACTIONS[:5],
        hands=dict.fromkeys(THREE, ()),
        frames=(Frame("actions", {"action": 0, "turn": 3}),),
    )
    text = rejection(state, Turn(faction="blue", card=ACTIONS[2]))[1]
    assert text == "Build a trading house is already in the row at position 3."


def test_invalid_turn_order_is_rejected() -> None:
    state = replace(table({"passau": ("blue", 1)}), frames=(Frame("order"),))
    text = rejection(state, Order(faction="blue", order=("red", "red", "blue")))[1]
    assert text == "The play order must name each of Blue, Red, Yellow once."


# Planning


def planning_state(provinces: int, **options: Any) -> State:
    names = ("passau", "oberpfalz", "boehmen", "regensburg", "salzburg", "baden")[:provinces]
    state = table(dict.fromkeys(names, ("blue", 2)), options=options)
    return begin(replace(state, row=ACTIONS[:5]))


@row(10, 12, 13)
def test_invalid_plans_are_rejected() -> None:
    state = planning_state(6)
    five = dict(zip(ACTIONS, ("passau", "oberpfalz", "boehmen", "regensburg", "salzburg"), strict=False))
    foreign = Plan(faction="blue", cards={**five, "movement-b": "mark"})
    assert rejection(state, foreign)[1] == "You did not have Gft. Mark’s card when planning."
    twice = Plan(faction="blue", cards={**five, "movement-b": "passau"})
    assert rejection(state, twice)[1] == "Passau can carry only one action in a season."
    few = Plan(faction="blue", cards={"movement-a": "passau"})
    assert rejection(state, few)[1] == "You have only five blank cards."
    enough = Announce(faction="blue", actions=("movement-a",))
    assert rejection(state, enough)[1] == "You hold enough cards: every space must be covered."
    strange = Plan(faction="blue", cards={**five, "sleep": "baden"})
    assert rejection(state, strange)[1].startswith("There is no card “sleep”")
    planned = enter(state, Plan(faction="blue", cards=five)).state
    assert rejection(planned, Plan(faction="blue", cards=five))[1].endswith(
        "entered now. Not finished: Play order; waiting for Blue."
    )


def test_empty_spaces_are_announced_first_and_in_order() -> None:
    state = planning_state(3)
    plan = Plan(faction="blue", cards={"movement-a": "passau"})
    assert rejection(state, plan)[1] == "First say which spaces stay empty."
    one = Announce(faction="blue", actions=("movement-a",))
    assert rejection(state, one)[1] == "You can cover all but 2 spaces: name exactly those, each once."
    announced = enter(state, Announce(faction="blue", actions=("movement-a", "movement-b"))).state
    assert rejection(announced, plan)[1] == "You have announced that Movement A stays empty."
    both = table({"passau": ("blue", 1), "boehmen": ("red", 1)})
    short = begin(replace(both, row=ACTIONS[:5]))
    text = rejection(short, Announce(faction="red", actions=ACTIONS[:4]))[1]
    assert text == "Blue acts before Red this season."


def revealing_state(turned: dict[str, str | None]) -> State:
    state = planning_state(6, planning="boards")
    return replace(
        state,
        row=ACTIONS,
        turned={"blue": turned},
        frames=(Frame("actions", {"action": len(turned), "turn": 0}),),
    )


@row(10, 11, 12, 27)
def test_invalid_reveals_are_rejected() -> None:
    state = revealing_state({"build-palace": "passau"})
    text = rejection(state, Reveal(faction="blue", province="passau"))[1]
    assert text == "Passau has already acted this season."
    text = rejection(state, Reveal(faction="blue", province="mark"))[1]
    assert text == "You did not have Gft. Mark’s card when planning."
    text = rejection(state, Reveal(faction="red", province=None))[1]
    assert text == "Blue acts before Red this season."
    blanks = revealing_state(dict.fromkeys(ACTIONS[:5]))
    assert rejection(blanks, Reveal(faction="blue", province=None)) == (
        "5.1",
        "You have only five blank cards.",
    )
    assert (
        rejection(state, Plan(faction="blue", cards={}))[1]
        == "“plan” cannot be entered now. Not finished: Actions; waiting for Blue."
    )


# Cancelled actions


@pytest.mark.parametrize(
    ("action", "position", "reason"),
    [
        (
            "build-church",
            {"gold": {"blue": 9}, "buildings": {"baden": ["palace", "trading-house"]}},
            "No free city left in Baden.",
        ),
        (
            "build-church",
            {"gold": {"blue": 9}, "buildings": {"baden": ["church"]}},
            "Baden already has a church.",
        ),
        (
            "build-palace",
            {"gold": {"blue": 9}, "buildings": {p: ["palace"] for p in ("passau",)}},
            None,
        ),
        ("build-palace", {"gold": {"blue": 2}}, "You need 3 gold, you have 2."),
        (
            "recruit-5",
            {"gold": {"blue": 9}, "supply": {"blue": 4}},
            "You have only 4 cubes left.",
        ),
        ("movement-a", {}, "Only 1 army stands in Baden, and one must stay."),
    ],
)
@row(15, 16)
def test_a_cancelled_action_says_why(action: str, position: dict[str, Any], reason: str | None) -> None:
    state = table({"baden": ("blue", 1)}, **position)
    outcome = turning(state, "blue", action, "baden")
    if reason is None:
        assert outcome.state.ledger != state.ledger
        return
    assert outcome.state.ledger == state.ledger
    assert any(text.endswith(f"{reason} The action is cancelled.") for text in texts(outcome))


@row(15)
def test_building_without_a_tile_is_cancelled() -> None:
    state = table({"baden": ("blue", 1)}, gold={"blue": 9})
    lines = [h for h in state.ledger.holdings() if h.piece != "palace"]
    empty = replace(state, ledger=type(state.ledger).of(state.ledger.places, lines))
    outcome = turning(empty, "blue", "build-palace", "baden")
    assert any(
        text.endswith("All palaces are on the board. The action is cancelled.") for text in texts(outcome)
    )


# Movement


def moving_state(**rest: Any) -> State:
    state = table({"lausitz": ("blue", 4), "boehmen": ("red", 2)}, **rest)
    return turning(state, "blue", "movement-a", "lausitz").state


@row(17, 18, 20, 27)
def test_invalid_moves_are_rejected() -> None:
    state = moving_state()
    for armies in (0, 4):
        rule, text = rejection(state, March(faction="blue", target="boehmen", armies=armies))
        assert (rule, text) == ("5.6", "Move between 1 and 3 armies: at least one must stay.")
    text = rejection(state, March(faction="blue", target="tirol", armies=1))[1]
    assert text == "Lausitz and Tirol do not share a border."
    text = rejection(state, March(faction="blue", target="atlantis", armies=1))[1]
    assert text == "There is no province “atlantis”."
    text = rejection(state, March(faction="red", target="boehmen", armies=1))[1]
    assert text == "Blue acts before Red this season."
    peace = moving_state(event="church-peace", buildings={"boehmen": ["church"]})
    rule, text = rejection(peace, March(faction="blue", target="boehmen", armies=1))
    assert rule == "2.4"
    assert text == "Church peace: provinces with a church cannot be attacked this season."


@row(14, 19)
def test_invalid_recruit_1_is_rejected() -> None:
    state = table({"lausitz": ("blue", 4), "boehmen": ("red", 2), "neumark": ("blue", 1)}, gold={"blue": 1})
    turned = turning(state, "blue", "recruit-1", "lausitz").state
    rule, text = rejection(turned, Recruit(faction="blue", place=False))
    assert (rule, text) == ("5.2", "This action is possible, so it must be carried out.")
    for target in ("boehmen", "schlesien"):
        text = rejection(turned, Recruit(faction="blue", place=True, target=target, armies=1))[1]
        assert text == "With this action you may only move into a province of your own."
    text = rejection(turned, Recruit(faction="blue", place=True, target="neumark", armies=5))[1]
    assert text == "Move between 1 and 4 armies: at least one must stay."
    assert rejection(turned, Recruit(faction="blue", place=True, armies=2))[1] == "Say where the armies go."


# Battles


@row(21)
def test_more_defenders_than_armies_are_rejected() -> None:
    state = table({"regensburg": ("blue", 3), "wuerzburg": ("red", 3)})
    turned = turning(state, "blue", "movement-a", "regensburg").state
    attacked = enter(turned, March(faction="blue", target="wuerzburg", armies=2)).state
    text = rejection(attacked, Defend(faction="red", armies=4))[1]
    assert text == "There are only 3 red armies in Würzburg."
    assert rejection(attacked, Defend(faction="blue", armies=1))[1] == "It is Red’s turn."


def test_least_defenders_option_requires_one_army() -> None:
    state = table({"regensburg": ("blue", 3), "wuerzburg": ("red", 3)}, options={"least_defenders": 1})
    turned = turning(state, "blue", "movement-a", "regensburg").state
    attacked = enter(turned, March(faction="blue", target="wuerzburg", armies=2)).state
    text = rejection(attacked, Defend(faction="red", armies=0))[1]
    assert text == "At this table at least one army must defend."


@row(22, 23)
def test_more_cubes_than_can_have_fallen_are_rejected() -> None:
    state = thrown(4, 3, tower={"blue": 1})
    rule, text = rejection(state, Throw(faction="blue", fallen={"blue": 6}))
    assert rule == "5.7"
    assert text == "At most 5 blue cubes can have come out (4 thrown in + 1 inside). Please recount."
    assert rejection(state, Throw(faction="blue", fallen={"purple": 1}))[1] == "Nobody plays purple."


@row(28)
def test_second_throw_result_is_rejected() -> None:
    """The first entry counts; the message depends on whether the second one agrees with it."""
    once = enter(thrown(4, 3, tower={"blue": 1}), Throw(faction="blue", fallen={"blue": 1, "red": 2})).state
    assert rejection(once, Throw(faction="blue", fallen={"blue": 2, "red": 2})) == (
        "5.7",
        "Passau: Two different results were entered. Please agree and confirm one.",
    )
    again = Throw(faction="blue", fallen={"red": 2, "blue": 1, "yellow": 0})
    assert rejection(once, again)[1] == "Passau: this result has been entered already."
    later = begin(replace(once, row=ACTIONS[:5]))
    assert (
        rejection(later, again)[1]
        == "“throw” cannot be entered now. Not finished: Planning; waiting for Blue."
    ), "another season"


@pytest.mark.parametrize("count", [-1, 1.5, "3", True, None])
@row(24)
def test_count_must_be_a_whole_number_not_below_zero(count: Any) -> None:
    assert (
        reading_rejection({"type": "throw", "fallen": {"red": count}})
        == "Please enter a whole number, 0 or more."
    )


# Winter


@row(26, 27)
def test_invalid_hunger_cards_are_rejected() -> None:
    armies = dict.fromkeys(("passau", "baden", "boehmen"), ("blue", 1)) | {"mark": ("red", 1)}
    state = table(armies, grain={"red": 9, "yellow": 9}, round=4)
    begun = replace(
        state,
        frames=(Frame("winter", {"begun": True, "hungry": [["blue", 2, 2]], "drawn": []}),),
        events=(),
    )
    only = "Draw from your own province cards; each only once."
    assert rejection(begun, Draw(faction="blue", provinces=("passau", "mark")))[1] == only
    assert rejection(begun, Draw(faction="blue", provinces=("passau", "passau")))[1] == only
    text = rejection(begun, Draw(faction="blue", provinces=("passau",)))[1]
    assert text == "Draw exactly 2 province cards."
    text = rejection(begun, Draw(faction="red", provinces=("mark", "mark")))[1]
    assert text == "Blue acts before Red this season."


# The board


def figure_rejection(*path: str, value: Any) -> str:
    return rejection(table({"passau": ("blue", 1)}), SetFigure(faction="blue", path=path, value=value))[1]


@row(25)
def test_impossible_figures_are_rejected() -> None:
    text = figure_rejection("provinces", "mark", "region", value="sachsen")
    assert text.endswith("Please check: a region has exactly nine provinces.")
    assert figure_rejection("provinces", "mark", "gold", value=21) == "Gft. Mark: no card shows more than 20."
    text = figure_rejection("provinces", "mark", "cities", value=4)
    assert text == "Gft. Mark: a province has one to three cities."
    text = figure_rejection("provinces", "konstanz", "neighbours", value=["augsburg", "breisgau"])
    assert text.endswith("must both have each other as neighbours.")
    assert figure_rejection("start", "tower", value=60).endswith("but there are only 61.")


# Resuming a game


@pytest.mark.parametrize(
    ("phase", "round_", "facts", "text"),
    [
        ("move", 1, {}, "A game cannot be taken up in phase “move”; it can in events, row, winter."),
        (
            "row",
            4,
            {},
            "Round 4 does not fit: seasons are 1 to 3 and 5 to 7, winters 4 and 8; a year begins after round 0 or 4.",
        ),
        ("row", 2, {}, "Name the 3 event cards that still lie in the row."),
        (
            "row",
            2,
            {"events": [{"event": "palace-guards", "loss": 3}] * 3},
            "There is only one Palace Guards card.",
        ),
        (
            "row",
            3,
            {"events": [{"event": "church-peace", "loss": 13}] * 2},
            "No event card shows a number above 12. Please check.",
        ),
        ("events", 0, {"kept": {"tirol": "red"}}, "There is no province “tirol”."),
        ("events", 0, {"plans": {}}, "There is no field “plans” here."),
    ],
)
def test_impossible_positions_are_rejected(phase: str, round_: int, facts: dict[str, Any], text: str) -> None:
    position = Position(faction="blue", round=round_, phase=phase, order=THREE, holdings=(), facts=facts)
    assert rejection(table({"passau": ("blue", 1)}), position)[1] == text

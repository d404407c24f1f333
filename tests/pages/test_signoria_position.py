"""The position page of Signoria: round, players, tracks, cities, dice and tasks."""

from __future__ import annotations

import json
import random
import re

import pytest

from companion.journal.states import state_at
from companion.titles.signoria.position import initial_facts
from games.core.actions import Lying, Position
from games.signoria.game import SIGNORIA
from games.signoria.state import State, dice_left, discs, florins
from games.signoria.tasks import TASKS
from players.randomly import play_out
from tests.pages.conftest import Phone

FACTIONS = ("yellow", "red", "blue")


@pytest.fixture
def host(db: None) -> Phone:
    """The host's phone, which has all seats, at a table of three after the setup."""
    phone = Phone()
    phone.take_up("signoria", *FACTIONS)
    return phone


def submitted_state(phone: Phone) -> State:
    phone.post("position/", do="send")
    table = phone.table()
    assert table.latest == 1
    return state_at(table, table.head)  # type: ignore[no-any-return]


def test_draft_starts_from_the_setup(host: Phone) -> None:
    page = host.position()
    assert "This can be." in page
    assert "men 4/12, women 3/11" in page
    assert "Who has passed" not in page, "nobody passes before the round is prepared"
    assert [f"Round {n}" in page for n in (1, 7)] == [True, True]


def test_position_from_round_to_dice_is_one_entry(host: Phone) -> None:
    host.post("position/", do="round", round="4")
    host.post("position/", do="phase", phase="turn")
    host.post("position/", do="earlier", faction="blue")
    host.tap("reward", "3", "die")
    host.tap("count", "yellow", "florin", "reserve", count="11")
    host.tap("count", "yellow", "point", "score:earlier", count="23")
    host.tap("put", "neutral", "bride", "portraits:yellow")
    host.tap("put", "neutral", "helper", "helper:red:grey:1")
    host.tap("die", "red", "purple", "5")
    host.tap("die", "red", "purple", "3")
    host.tap("board", "red", "4")
    host.tap("cover", "plan:red:political", "-", "b-3")
    host.tap("cover", "plan:red:political", "b-3", "b-5")
    host.tap("put", "neutral", "tile", "unseen:red:marriage")
    host.tap("put", "blue", "man", "track:church:9")
    host.tap("disc", "blue", "initiative:3")
    host.tap("disc", "red", "initiative:3")
    host.tap("unused", "milan")
    host.tap("put", "red", "woman", "city:venice:1")
    host.tap("cover", "mission:venice", "-", "c-4")
    host.tap("put", "neutral", "purple-2", "dice:purple")
    host.tap("task", "red:upper", "blind")
    host.tap("passed", "blue")
    assert host.table().latest == 0, "nothing counts yet"
    assert "This can be." in host.position()

    state = submitted_state(host)

    assert (state.round, state.frames[0].phase, state.order) == (4, "turn", ("yellow", "blue", "red"))
    assert (state.passed, SIGNORIA.waiting_for(state)) == (("blue",), ("yellow",))
    assert florins(state, "yellow") == 11
    assert {s.faction: int(s.points) for s in SIGNORIA.standings(state)}["yellow"] == 23
    assert [(h.piece, h.count) for h in state.ledger.at("action:red:purple")] == [("purple-3", 1)]
    assert (state.boards["red"], len(set(state.boards.values()))) == ("4", 3), "boards are swapped"
    assert [h.piece for h in state.ledger.at("plan:red:political")] == ["b-5"]
    assert discs(state) == {0: ("yellow",), 3: ("blue", "red")}
    assert "milan" not in state.cities
    assert dice_left(state, "purple") == [2]
    assert state.tasks["red:upper"] == "blind"
    assert sorted(state.tasks.values()) == sorted(TASKS), "tasks are swapped"
    assert state.rewards[3] == "die"
    assert state.ledger.count("blue", "man", "supply") == 12 - 4 - 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("count", "red", "man", "track:church:3", "20"), "12"),
        (("put", "red", "woman", "city:venice:2"), "the 1 is still free"),
        (("put", "red", "woman", "city:naples:1"), "Naples is not used"),
        (("put", "red", "woman", "track:church:1"), "only men do"),
        (("cover", "plan:red:political", "-", "a-3"), "does not fit"),
        (("count", "neutral", "bride", "portraits:red", "5"), "5 brides"),
    ],
)
def test_impossible_pieces_are_reported(host: Phone, words: tuple[str, ...], sentence: str) -> None:
    count = {"count": words[-1]} if words[0] == "count" else {}
    host.tap(*(words[:-1] if count else words), **count)
    page = host.position()
    assert re.search(f"Not yet: .*{sentence}", page), page[-300:]
    assert host.post("position/", do="send").status_code == 400
    assert host.table().latest == 0


@pytest.mark.parametrize(
    "words",
    [
        ("put", "red", "man", "track:church:99"),
        ("put", "green", "man", "track:church:1"),
        ("disc", "green", "initiative:1"),
        ("die", "red", "purple", "9"),
        ("cover", "mission:venice", "-", "z-9"),
        ("task", "red:upper", "nothing"),
        ("reward", "9", "die"),
        ("reward", "1", "helpers"),
        ("board", "red", "9"),
        ("unused", "paris"),
        ("passed", "green"),
        ("nonsense",),
        (),
    ],
)
def test_invalid_taps_are_rejected(host: Phone, words: tuple[str, ...]) -> None:
    assert host.tap(*words) == 400
    assert "This can be." in host.position()


def test_invalid_numbers_are_rejected(host: Phone) -> None:
    for typed in ("", "-3", "many", "1000", "9" * 40):
        assert host.tap("count", "red", "florin", "reserve", count=typed) == 400
    assert host.tap("count", "red", "florin", "reserve", count="0") in (200, 302)


def test_not_everybody_can_have_passed(host: Phone) -> None:
    host.post("position/", do="phase", phase="turn")
    assert host.tap("passed", "yellow") in (200, 302)
    assert host.tap("passed", "blue") in (200, 302)
    assert host.tap("passed", "red") == 400
    host.post("position/", do="turn", faction="blue")
    page = host.position()
    assert "This can be." in page, "the player to move has not passed"


def test_position_of_a_played_state_restores_that_state() -> None:
    setup = SIGNORIA.prepare(FACTIONS)
    for entry in play_out(SIGNORIA, setup, random.Random(5)):
        state = entry.outcome.state
        if state.round == 3 and state.frames[0].phase == "turn" and len(state.frames) == 1:
            break
    facts = json.loads(json.dumps(initial_facts(state)))
    holdings = tuple(Lying(**line._asdict()) for line in state.ledger.holdings() if line.place != "supply")
    ordered = [line for line in holdings if line.piece != "disc"]
    stacks = [
        Lying(owner=owner, piece="disc", place=f"initiative:{space}", count=1)
        for space, stack in discs(state).items()
        for owner in stack
    ]
    draft = Position(
        faction="red",
        round=3,
        phase="turn",
        order=state.order,
        turn=SIGNORIA.waiting_for(state)[0],
        holdings=(*ordered, *stacks),
        facts=facts,
    )
    taken = SIGNORIA.apply(state, draft).state
    for part in ("ledger", "cities", "rewards", "boards", "tasks", "passed", "bought", "frames"):
        assert getattr(taken, part) == getattr(state, part), part

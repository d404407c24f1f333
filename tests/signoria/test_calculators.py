"""Calculators: contract examples, invariants, and a comparison with the slow rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

from games.core.calculators import Settings
from games.core.messages import say
from games.signoria import CALCULATORS
from games.signoria.dice import FACES, SPACES
from games.signoria.initiative import advance
from games.signoria.pieces import FACTIONS, FIELDS
from tests.core.rendering import placeholders
from tests.signoria import slow
from tests.signoria.asking import Desk, input_names

DESK = Desk(CALCULATORS)
ROUNDS = 5000

# Examples of the API contract, verbatim


def test_there_are_five_calculators() -> None:
    assert [c.name for c in CALCULATORS.calculators] == [
        "die-cost",
        "initiative",
        "threshold",
        "end-score",
        "winner",
    ]
    assert FACTIONS == ("yellow", "red", "blue", "purple")


CONTRACT: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("die-cost", {"space": 5, "die": 1}, {"florins": 4}),
    (
        "initiative",
        {
            "track": {"0": ["purple", "red", "blue", "yellow"]},
            "moves": [["red", 2], ["blue", 2], ["yellow", 1]],
            "top": 9,
        },
        {
            "track": {"0": ["purple"], "1": ["yellow"], "2": ["red", "blue"]},
            "order": ["blue", "red", "yellow", "purple"],
        },
    ),
    ("threshold", {"dice": [6, 4, 3], "members": 0}, {"total": 13, "limit": 13, "rewarded": True}),
    (
        "end-score",
        {
            "men": [9, 7, 3, 13],
            "fields": {
                "political": {"face_up": [4, 3, 2], "face_down": 0},
                "church": {"face_up": [4, 3, 2], "face_down": 0},
                "military": {"face_up": [5, 5], "face_down": 0},
                "marriage": {"face_up": [], "face_down": 0},
            },
        },
        {"points": 32, "parts": {"men": 14, "political": 9, "church": 9, "military": 0, "marriage": 0}},
    ),
    (
        "winner",
        {
            "points": {"red": 70, "blue": 70, "yellow": 60, "purple": 50},
            "stack": ["purple", "red", "yellow", "blue"],
        },
        {"ranking": ["blue", "red", "yellow", "purple"]},
    ),
]


@pytest.mark.parametrize(("name", "body", "answer"), CONTRACT, ids=[row[0] for row in CONTRACT])
def test_contract_example_is_reproduced(name: str, body: dict[str, Any], answer: dict[str, Any]) -> None:
    assert DESK.ask(name, **body) == answer
    assert DESK.ask(name, **body, options={}) == answer


@pytest.mark.parametrize("calculator", CALCULATORS.calculators, ids=lambda c: c.name)
def test_calculator_example_and_inputs_have_wording(calculator: Any) -> None:
    assert DESK.ask(calculator.name, **calculator.example)
    inputs = [part for part in calculator.inputs if not isinstance(part, Settings)]
    assert set(calculator.example) == {part.name for part in inputs}
    texts = CALCULATORS.texts
    assert calculator.rule in texts.rules
    assert f"calculator.{calculator.name}" in texts.messages
    for name, kind in input_names(inputs):
        assert not name or name.isdigit() or f"input.{name}" in texts.messages
        assert not kind or all(f"{kind}:{faction}" in texts.names for faction in FACTIONS)


def test_message_placeholders_are_identifiers() -> None:
    for wording in CALCULATORS.texts.messages.values():
        assert all(name.isidentifier() for name in placeholders(wording))


# Comparison with the slow rules


def random_track(generator: random.Random) -> dict[str, Any]:
    top = generator.randint(1, 12)
    discs = generator.sample(FACTIONS, generator.randint(1, 4))
    track: dict[str, list[str]] = {}
    for disc in discs:
        track.setdefault(str(generator.choice((0, 0, generator.randint(0, top), top))), []).append(disc)
    moves = [[generator.choice(discs), generator.randint(0, 5)] for _ in range(generator.randint(0, 8))]
    return {"track": track, "moves": moves, "top": top}


def random_fields(generator: random.Random) -> dict[str, Any]:
    fields = {}
    for name in generator.sample(FIELDS, generator.randint(0, 4)):
        shields = 6 if name == "marriage" else 4
        up = [generator.randint(2, 5) for _ in range(generator.randint(0, shields))]
        fields[name] = {"face_up": up, "face_down": generator.choice((0, 0, 1, 2, 5))}
    return {"men": [generator.randint(1, 13) for _ in range(generator.randint(0, 12))], "fields": fields}


def random_points(generator: random.Random) -> dict[str, Any]:
    players = generator.sample(FACTIONS, generator.randint(1, 4))
    named = [player for player in players if generator.random() < 0.9]
    return {"points": {player: generator.randint(0, 3) for player in named}, "stack": players}


def test_every_price_matches_the_slow_rules() -> None:
    DESK.agrees(
        "die-cost", ({"space": space, "die": die} for space in SPACES for die in FACES), slow.die_cost
    )


def test_every_threshold_matches_the_slow_rules() -> None:
    throws: list[list[int]] = [[]]
    for size in range(4):
        throws += [
            [*dice, die] for dice in throws if len(dice) == size for die in FACES if die >= max([1, *dice])
        ]
    assert len(throws) == 1 + 6 + 21 + 56 + 126
    bodies = ({"dice": dice, "members": members} for dice in throws for members in range(4))
    DESK.agrees("threshold", bodies, slow.threshold)


def test_initiative_matches_the_slow_rules() -> None:
    generator = random.Random(5)
    DESK.agrees("initiative", (random_track(generator) for _ in range(ROUNDS)), slow.initiative)


def test_end_score_matches_the_slow_rules() -> None:
    generator = random.Random(6)
    DESK.agrees("end-score", (random_fields(generator) for _ in range(ROUNDS)), slow.end_score)


def test_ranking_matches_the_slow_rules() -> None:
    generator = random.Random(7)
    DESK.agrees("winner", (random_points(generator) for _ in range(ROUNDS)), slow.winner)


# Invariants (digest 9)


def test_price_is_below_the_space_and_falls_with_the_die() -> None:
    for space in SPACES:
        prices = [DESK.ask("die-cost", space=space, die=die)["florins"] for die in FACES]
        assert prices == sorted(prices, reverse=True)
        assert 0 <= min(prices) <= max(prices) == space - 1


def test_only_the_moved_disc_changes_position() -> None:
    """Invariants 7 to 9: each disc once, others keep their order, space and height decide the ranking."""
    generator = random.Random(8)
    for _ in range(ROUNDS // 3):
        body = random_track(generator)
        body["moves"] = body["moves"][:1]
        before = DESK.quick("initiative", **{**body, "moves": []})["order"]
        answer = DESK.quick("initiative", **body)
        moved = [disc for disc, _ in body["moves"]]
        assert sorted(answer["order"]) == sorted(before)
        assert [d for d in answer["order"] if d not in moved] == [d for d in before if d not in moved]
        restacked = list(reversed(answer["order"]))
        assert DESK.quick("initiative", track={"0": restacked}, moves=[], top=1)["order"] == answer["order"]


def test_moves_of_the_steps_produce_the_new_track() -> None:
    generator = random.Random(9)
    for _ in range(ROUNDS // 10):
        body = random_track(generator)
        answer = CALCULATORS.by_name["initiative"].calculate(body)
        piles = {f"initiative:{space}": list(stack) for space, stack in body["track"].items()}
        for move in (move for step in answer.steps for move in step.all_moves()):
            piles[move.source].remove(move.owner)
            piles.setdefault(move.target, []).append(move.owner)
        assert {f"initiative:{s}": stack for s, stack in answer.data["track"].items()} == {
            place: pile for place, pile in piles.items() if pile
        }


def test_advance_does_not_mutate_the_track() -> None:
    track = {0: ("red", "blue")}
    after, moved = advance(track, "red", 3, 9)
    assert track == {0: ("red", "blue")}
    assert after == {0: ("blue",), 3: ("red",)}
    assert (moved.moved, moved.lost) == (3, 0)
    with pytest.raises(KeyError):
        advance(track, "purple", 1, 9)


def test_points_beyond_the_top_are_lost() -> None:
    body: dict[str, Any] = {"track": {"8": ["red"], "9": ["blue"]}, "moves": [["red", 3]], "top": 9}
    assert DESK.ask("initiative", **body)["track"] == {"9": ["blue", "red"]}
    assert DESK.texts("initiative", **body)[:3] == [
        "Red has 3 progress points: the disc moves from space 8 to 9.",
        "On space 9 Red’s disc lies on top of Blue.",
        "Space 9 is the top; Red loses 2 progress points.",
    ]


def test_zero_points_do_not_move_a_disc() -> None:
    body: dict[str, Any] = {"track": {"3": ["red", "blue"], "4": []}, "moves": [["red", 0]], "top": 9}
    assert DESK.ask("initiative", **body) == {"track": {"3": ["red", "blue"]}, "order": ["blue", "red"]}
    assert DESK.texts("initiative", **body)[0] == "Red has no progress point: the disc stays on space 3."


def test_restacking_is_an_instruction_to_players() -> None:
    answer = CALCULATORS.by_name["initiative"].calculate(CONTRACT[1][1])
    (act,) = answer.steps[-1].acts
    assert act.message.code == "stack-anew"
    assert [name.slug for name in act.message.params["stack"]] == ["purple", "yellow", "red", "blue"]  # type: ignore[union-attr]


def test_additional_face_down_tile_never_lowers_the_score() -> None:
    """Invariant 27: a field scores 0 or at least 3; men score at most half of their sum."""
    generator = random.Random(10)
    for _ in range(ROUNDS // 3):
        body = random_fields(generator)
        answer = DESK.quick("end-score", **body)
        parts = answer["parts"]
        assert answer["points"] == sum(parts.values())
        assert parts["men"] <= sum(body["men"]) // 2
        assert all(parts[name] == 0 or parts[name] >= 3 for name in FIELDS)
        for name, tiles in body["fields"].items():
            more = {**body["fields"], name: {**tiles, "face_down": tiles["face_down"] + 1}}
            assert DESK.quick("end-score", men=body["men"], fields=more)["parts"][name] >= parts[name]


def test_renaming_factions_renames_the_answer() -> None:
    """Invariant 32."""
    generator = random.Random(11)
    for _ in range(ROUNDS // 10):
        names = dict(zip(FACTIONS, generator.sample(FACTIONS, 4), strict=True))
        body = random_points(generator)
        ranking = DESK.quick("winner", **body)["ranking"]
        renamed = {names[player]: points for player, points in body["points"].items()}
        again = DESK.quick("winner", points=renamed, stack=[names[player] for player in body["stack"]])
        assert again["ranking"] == [names[player] for player in ranking]


def test_omitted_fields_count_as_zero() -> None:
    assert DESK.ask("threshold", dice=[6]) == {"total": 6, "limit": 13, "rewarded": True}
    assert DESK.ask("end-score", men=[], fields={}) == {
        "points": 0,
        "parts": {"men": 0, "political": 0, "church": 0, "military": 0, "marriage": 0},
    }
    assert DESK.ask("end-score", men=[], fields={"church": {"face_up": [2, 2, 2]}})["points"] == 6
    assert DESK.ask("winner", points={"red": 1}, stack=["red", "blue"]) == {"ranking": ["red", "blue"]}


def test_excess_pieces_are_counted_with_a_warning() -> None:
    body: dict[str, Any] = {
        "men": [2] * 13,
        "fields": {"church": {"face_up": [2] * 5}, "marriage": {"face_up": [2] * 7}},
    }
    assert DESK.ask("end-score", **body)["points"] == 13 + 10 + 14
    assert DESK.texts("end-score", **body)[:3] == [
        "A player has 12 men in all; here are 13. Please check.",
        "The church field has 4 shields, but 5 tiles lie face up. Please check.",
        "The marriage field has 6 shields, but 7 tiles lie face up. Please check.",
    ]
    full = {"men": [2] * 12, "fields": {"church": {"face_up": [2] * 4}, "marriage": {"face_up": [2] * 6}}}
    assert not [text for text in DESK.texts("end-score", **full) if "check" in text]


def test_limit_above_22_names_its_option() -> None:
    ask = CALCULATORS.by_name["threshold"].calculate
    options = {"threshold_above_22": True}
    assert not any(step.options for step in ask({"dice": [], "members": 3, "options": options}).steps)
    opened = ask({"dice": [], "members": 4, "options": options})
    assert [step.options for step in opened.steps if step.options] == [("threshold_above_22",)]


def test_places_have_names() -> None:
    assert CALCULATORS.place_message("initiative:5") == say("initiative-space", space=5)
    assert CALCULATORS.place_message("here") == say("here")

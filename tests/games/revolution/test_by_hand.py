"""Compares recorded games with the account book entry by entry, and checks invariants (digest part 9)."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.registry import titles
from games.core.steps import Step
from tests.games.revolution import by_hand
from tests.games.revolution.bookkeeping import TAKEN, Book, Page, book_of
from tests.games.revolution.by_hand import FACTIONS, B, C, H, N, R, X
from tests.games.revolution.writing import written

GAME = titles()["revolution"].game
HERE = Path(__file__).parent
NAMES = ("five", "three", "two")
EVERY_RECORD = pytest.mark.parametrize("name", NAMES)
Pieces = Counter[tuple[str, str, str]]


class Moment(NamedTuple):
    """The state before an entry; the last moment has no entry."""

    state: Any
    entry: Mapping[str, Any] | None
    steps: tuple[Step, ...]  # of the entry

    @property
    def pieces(self) -> Pieces:
        return Counter({(h.owner, h.piece, h.place): h.count for h in self.state.ledger.holdings()})


@cache
def record_of(name: str) -> dict[str, Any]:
    return tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))


def accepted(name: str) -> list[dict[str, Any]]:
    entries = [entry for chapter in record_of(name)["chapter"] for entry in chapter["entries"]]
    return [entry for entry in entries if "refused" not in entry]


@cache
def book(name: str) -> Book:
    return book_of(record_of(name), accepted(name))


@cache
def moments(name: str) -> list[Moment]:
    """Return the game as played by the engine."""
    record = record_of(name)
    setup = GAME.prepare(record["factions"], players=record["players"], options=record["options"])
    state, played = GAME.start(setup).state, []
    for entry in accepted(name):
        action = {key: value for key, value in entry.items() if key not in ("faction", "says")}
        outcome = GAME.apply(state, GAME.read_action(action, entry["faction"]))
        played.append(Moment(state, entry, outcome.steps))
        state = outcome.state
    return [*played, Moment(state, None, ())]


# The account book


@EVERY_RECORD
def test_record_expects_what_the_account_book_computes(name: str) -> None:
    assert (HERE / f"{name}.toml").read_text("utf-8") == written(record_of(name))


@EVERY_RECORD
def test_state_equals_the_account_book_before_every_entry(name: str) -> None:
    for number, (moment, page) in enumerate(zip(moments(name), book(name).pages, strict=True)):
        assert moment.pieces == page.pieces, (number, moment.entry)
        assert _state_facts(moment.state) == _page_facts(page), (number, moment.entry)


def _state_facts(state: Any) -> dict[str, Any]:
    held = {name: {k: v for k, v in getattr(state, name).items() if v} for name in ("cities", "provinces")}
    charts = {name: dict(getattr(state, name)) for name in ("bishoprics", "universities", "allegiance")}
    return {**held, **charts, "round": state.round, "order": list(state.order)}


def _page_facts(page: Page) -> dict[str, Any]:
    facts = {name: fact for name, fact in page.facts.items() if name != "parts"}
    return {**facts, "round": page.round, "order": page.order}


@EVERY_RECORD
def test_moves_applied_to_a_plain_dictionary_give_the_new_state(name: str) -> None:
    """No move may take pieces that are not there."""
    for before, after in pairwise(moments(name)):
        pieces = before.pieces
        for move in (move for step in before.steps for move in step.all_moves()):
            assert 0 < move.count <= pieces[move.owner, move.piece, move.source], move
            pieces[move.owner, move.piece, move.source] -= move.count
            pieces[move.owner, move.piece, move.target] += move.count
        assert +pieces == after.pieces, before.entry


def test_small_provinces_score_at_the_end_of_some_record() -> None:
    ended = [standing for name in NAMES for standing in GAME.standings(moments(name)[-1].state)]
    assert any(standing.parts["minor_provinces"] for standing in ended)


def test_records_cover_every_action_and_computation() -> None:
    entries = [entry for name in NAMES for entry in accepted(name)]
    assert {entry["type"] for entry in entries} == {action.type for action in GAME.actions}
    uses = {entry["do"] for entry in entries if entry["type"] == "beggars"}
    assert uses == {"destroy", "relieve", "pillage", "besiege", "stay"}
    for name in NAMES:
        sums = Counter(line.name.partition(":")[0] for page in book(name).pages for line in page.lines)
        for kind in ("battle", "conflict", "siege", "influence", "allegiance", "units", "tax", "neutrals"):
            assert sums[kind] >= 3, (name, kind)
        assert sums["points"] == 6 * len(record_of(name)["factions"])


# Invariants (digest part 9)


@EVERY_RECORD
def test_totals_of_pieces_never_change(name: str) -> None:
    """Digest 9.1 to 9.4 and 9.8."""
    record = record_of(name)
    counters, armies = TAKEN[record["players"]]
    for moment in moments(name):
        owned: Counter[tuple[str, str]] = Counter()
        for (owner, piece, _), count in moment.pieces.items():
            assert count > 0
            owned[owner, piece] += count
        expected = {(f, piece): n for f in record["factions"] for piece, n in _box(counters, armies)}
        assert owned == {**expected, (X, "counter"): 47, (X, "beggar"): 3}


def _box(counters: int, armies: int) -> tuple[tuple[str, int], ...]:
    return (("counter", counters), ("army", armies))


@EVERY_RECORD
def test_places_never_exceed_their_capacity(name: str) -> None:
    """Towns, support cells, the Huguenots' box and command strips (digest 9.5 to 9.7)."""
    board = book(name).board
    for moment in moments(name):
        at: dict[str, Counter[str]] = {}
        for (owner, _, place), count in moment.pieces.items():
            at.setdefault(place, Counter())[owner] += count
        for place, owners in at.items():
            kind = place.partition(":")[0]
            assert kind not in ("town", "support", "used") or owners.total() == 1, place
            assert X not in owners or kind not in ("support", "used", "treasury", "influence"), place
        huguenots = {f for place, owners in at.items() if ":huguenots:" in place for f in owners}
        assert not {B, R} <= huguenots
        for region, row in board["regions"].items():
            assert sum(_armies(at, board, region)) <= row["boxes"], region


def _armies(at: Mapping[str, Counter[str]], board: Mapping[str, Any], region: str) -> Iterator[int]:
    inside = [p for p in board["provinces"].values() if p["region"] == region]
    sieges = [f"siege:{city}" for p in inside for city in p["cities"]]
    for place in (f"strip:{region}", f"released:{region}", *sieges):
        yield sum(n for f, n in at.get(place, Counter()).items() if f != X)


@EVERY_RECORD
def test_besieged_cities_are_unchanged_until_the_siege_ends(name: str) -> None:
    """Digest 9.15."""
    for before, after in pairwise(moments(name)):
        for city in _besieged(before.pieces) & _besieged(after.pieces):
            place = f"city:{city}"
            assert _at(before.pieces, place) == _at(after.pieces, place), (city, before.entry)
    for moment in moments(name):
        if GAME.phase(moment.state) in ("influence", "draft", "taxes", "finished"):
            kinds = {place.partition(":")[0] for _, _, place in moment.pieces}
            assert not kinds & {"siege", "region"}
            if GAME.phase(moment.state) != "influence":
                assert not kinds & {"released", "used"}


def _besieged(pieces: Pieces) -> set[str]:
    return {place.partition(":")[2] for _, _, place in pieces if place.startswith("siege:")}


def _at(pieces: Pieces, place: str) -> dict[str, int]:
    return {owner: n for (owner, piece, at), n in pieces.items() if at == place and piece == "counter"}


@EVERY_RECORD
def test_resolved_results_stay_within_bounds(name: str) -> None:
    """Conflicts end within the limit or with one faction, battles decided or in a stand-off.

    Digest 9.9, 9.16 and 9.17.
    """
    provinces = book(name).board["provinces"]
    for moment in moments(name):
        for step in (inner for outer in moment.steps for inner in outer.all_steps()):
            kind, _, slug = (step.key or "").partition(":")
            if kind == "conflict":
                assert len(step.result) <= 1 or sum(step.result.values()) <= provinces[slug]["limit"]
            if kind == "battle":
                left = {f for f, n in step.result.items() if n}
                assert len(left) <= 1 or sum(step.result.values()) == 2 or left in ({C, H}, {B, R})
            if kind == "influence":
                assert 1 <= step.result <= 7
                assert abs(step.result - moment.state.allegiance[slug]) <= 3


@EVERY_RECORD
def test_play_order_always_has_every_faction_once(name: str) -> None:
    """Digest 9.24."""
    factions = sorted(record_of(name)["factions"])
    assert all(sorted(moment.state.order) == factions for moment in moments(name))


@EVERY_RECORD
def test_scores_before_the_end_are_multiples_of_one_half(name: str) -> None:
    """Small provinces count in round 5 only (digest 9.25)."""
    for moment in moments(name):
        if GAME.phase(moment.state) == "draft":
            for standing in GAME.standings(moment.state):
                assert standing.points % Fraction(1, 2) == 0
                assert not standing.parts["minor_provinces"]


# ``by_hand`` against the worked examples of the digest (part 7)


def _counts(short: str) -> dict[str, int]:
    names = dict(zip("CHNBRX", (*FACTIONS, X), strict=True))
    return {names[part[0]]: int(part[2:]) for part in short.split(", ") if part}


@pytest.mark.parametrize(
    ("here", "limit", "left"),
    [
        ("C 1, H 5", 3, "H 5"),
        ("C 2, H 2", 3, "C 1, H 1"),
        ("C 1, H 1", 1, ""),
        ("C 1, H 1, N 3", 3, "N 3"),
        ("C 1, H 4, N 4", 7, "H 3, N 3"),
        ("C 2, H 3", 4, "C 1, H 3"),
        ("C 3, X 1", 3, "C 3"),
        ("C 1, H 2, N 2", 2, "H 1, N 1"),
        ("C 2, H 3, N 5", 6, "H 2, N 4"),
        ("C 4, H 3, X 2", 5, "C 3, H 2"),
        ("C 3, H 3, N 3", 5, "C 1, H 1, N 1"),
        ("C 2, X 5", 4, "X 4"),
        ("C 1, X 5", 4, "X 5"),
        ("C 1, H 2, N 3, B 4", 5, "N 2, B 3"),
        ("C 7", 4, "C 7"),
    ],
)
def test_conflict_by_hand(here: str, limit: int, left: str) -> None:
    assert by_hand.conflict(_counts(here), limit)[0] == _counts(left)


PAIRS = [{C, H}, {B, R}]


@pytest.mark.parametrize(
    ("armies", "allies", "left"),
    [
        ("N 1, B 1, R 1", [], "B 1"),
        ("C 1, H 2, B 2", [], "H 1"),
        ("C 2, N 2", [], "C 1, N 1"),
        ("C 2, H 1", [], "C 1"),
        ("C 1, H 1, N 1, B 1, R 1", [], "N 1"),
        ("C 3, R 1", [], "C 2"),
        ("C 1, H 1, N 1, B 1", [], "H 1, N 1"),
        ("H 3", [], "H 3"),
        ("C 2, H 1", PAIRS, "C 2, H 1"),
        ("C 1, H 1, R 1", PAIRS, "H 1"),
        ("C 1, H 2, B 1", PAIRS, "H 2"),
    ],
)
def test_battle_by_hand(armies: str, allies: list[set[str]], left: str) -> None:
    assert by_hand.battle(_counts(armies), allies)[0] == _counts(left)


@pytest.mark.parametrize(
    ("city", "supplies", "left"),
    [
        ("X 2", (5, 20), "H 2"),
        ("R 1", (5, 20), "H 1"),
        ("B 3", (5, 20), "H 2, X 1"),
        ("B 5", (5, 20), "H 2, X 3"),
        ("H 1, B 2, R 1", (5, 20), "H 3, X 1"),
        ("R 1, X 2", (5, 20), "H 2, X 1"),
        ("B 3", (1, 20), "H 1, X 1"),
        ("B 3", (0, 0), ""),
        ("B 4, X 1", (9, 1), "H 2, X 2"),
    ],
)
def test_siege_by_hand(city: str, supplies: tuple[int, int], left: str) -> None:
    own, neutral = supplies
    assert by_hand.siege(_counts(city), H, set(), {H: own, X: neutral})[0] == _counts(left)


def test_sieges_of_allies_and_beggars_by_hand() -> None:
    assert by_hand.siege({H: 2, X: 2}, C, {H}, {C: 5, X: 9})[0] == {C: 2, H: 2}
    assert by_hand.beggar_siege({C: 2, H: 1, X: 1}, {X: 2})[0] == {X: 3}


@pytest.mark.parametrize(
    ("start", "coins", "order", "end"),
    [
        (2, "C 1, H 1, N 1, B 2, R 3", FACTIONS, 5),
        (2, "C 1, H 1, B 2, R 3", FACTIONS, 5),
        (2, "C 1, H 1, N 2, B 1", FACTIONS, 4),
        (4, "R 5, N 1", FACTIONS, 6),
        (1, "C 4, R 2", (C, R), 3),
        (1, "C 4, R 2", (R, C), 1),
        (5, "N 3", FACTIONS, 4),
        (7, "C 6", FACTIONS, 4),
        (4, "R 6, C 3", (R, C), 4),
        (6, "C 5, N 2", FACTIONS, 3),
        (2, "R 9, N 4", FACTIONS, 4),
        (3, "", FACTIONS, 3),
    ],
)
def test_influence_by_hand(start: int, coins: str, order: tuple[str, ...], end: int) -> None:
    assert by_hand.influence(start, order, _counts(coins))[0] == end


@pytest.mark.parametrize(
    ("column", "city", "short_of", "players", "left"),
    [
        (2, "B 1, R 1, C 1", {}, 5, "B 1, C 1"),
        (2, "B 2", {}, 5, "B 1"),
        (2, "C 2, N 1", {}, 5, "C 2, N 1"),
        (1, "B 1, C 1", {}, 5, "C 2"),
        (1, "R 1", {C: 0}, 5, "H 1"),
        (1, "R 1", {C: 0, H: 0}, 5, "X 1"),
        (4, "R 1", {}, 5, "R 1"),
        (6, "C 2", {}, 5, "C 2, R 1"),
        (6, "C 2", {R: 0}, 5, "C 2, B 1"),
        (6, "C 2", {R: 0, B: 0}, 5, "C 2, X 1"),
        (6, "C 2", {R: 0, B: 0}, 3, "C 2, N 1"),
        (7, "C 2, B 1, R 1", {}, 5, "R 5"),
        (7, "C 2, B 1, R 1", {R: 2}, 5, "R 3, B 2"),
        (7, "X 2", {}, 5, "R 3"),
        (7, "H 3", {R: 2, B: 1}, 5, "R 2, B 1, X 1"),
    ],
)
def test_allegiance_by_hand(
    column: int, city: str, short_of: dict[str, int], players: int, left: str
) -> None:
    supplies = {**dict.fromkeys((*FACTIONS, X), 5), **short_of}
    assert by_hand.allegiance(column, _counts(city), supplies, players)[0] == _counts(left)


def test_new_units_by_hand() -> None:
    """Examples R-11 and D-U1 to D-U3."""
    cards = {"koeln": [], "utrecht": ["town:cleve", "city:koeln"]}
    assert by_hand.allowance(cards, towns=1, countryside=8, support=2, supply=20)[0] == 8
    assert by_hand.allowance({}, towns=3, countryside=4, support=0, supply=20)[0] == 7
    assert by_hand.allowance({}, towns=3, countryside=4, support=0, supply=5)[0] == 5
    assert by_hand.allowance({}, towns=12, countryside=4, support=0, supply=9)[0] == 9


def test_neutrals_by_hand() -> None:
    """Examples D-N1 to D-N4."""
    needs = {"P1": 3, "P2": 1, "P3": 2}
    assert by_hand.handed_out(needs, 6, ()) == needs
    assert by_hand.handed_out(needs, 4, ["P3"]) == {"P1": 1, "P2": 1, "P3": 2}
    assert by_hand.handed_out(needs, 5, ()) == {"P1": 2, "P2": 1, "P3": 2}
    assert by_hand.handed_out(needs, 2, ["P1", "P2"]) == {"P1": 1, "P2": 1}


def test_points_by_hand() -> None:
    """Example D-V1."""
    for share, points in ((3, 4), (5, 2)):
        parts, _ = by_hand.points(N, cities=[], provinces={}, special=10, small=None, share=share)
        assert parts["objective"] == points

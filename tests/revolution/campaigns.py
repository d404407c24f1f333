"""Helpers for game tests: states written in the digest's notation, actions and queries.

``position("recruiting", {"strip:holland": "C 1", "treasury": "C 5"})`` maps places to pieces. Pieces in
strips and on sieges are armies, ``W`` is a Water Beggar, all others are counters. Pieces that are not
listed are in supply, unless the supply itself is given.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from games.core.actions import Action
from games.core.errors import Refused
from games.core.flow import Frame
from games.core.ledger import Ledger
from games.core.steps import Outcome, Step
from games.revolution import REVOLUTION
from games.revolution.board import BOARD
from games.revolution.factions import ALLIANCES, BOXES, NEUTRALS, Box
from games.revolution.state import PLACES, State
from tests.core.rendering import sentence
from tests.revolution.asking import FIVE, LETTERS

GAME = REVOLUTION
SEATS = {
    2: tuple(faction for pair in ALLIANCES for faction in pair),
    3: ("catholics", "nobility", "reformers"),
    4: ("catholics", "habsburgs", "burghers", "reformers"),
    5: FIVE,
}
WITH_ARMIES = ("strip", "released", "siege")


def position(
    phase: str,
    pieces: Mapping[str, str],
    *,
    players: int = 5,
    seats: tuple[str, ...] | None = None,
    order: Iterable[str] | None = None,
    options: Mapping[str, Any] | None = None,
    figures: Mapping[str, Any] | None = None,
    regions: Mapping[str, Mapping[str, Any]] | None = None,
    **facts: Any,
) -> State:
    """Return a state in round 1, on the shipped board unless ``figures`` are given.

    ``regions`` overrides figures of strips (boxes, arrows). ``provinces`` and ``cities`` set card holders.
    """
    figures = figures or BOARD.figures
    if regions:
        figures = copy.deepcopy(dict(figures))
        for region, changes in regions.items():
            figures["regions"][region].update(changes)
    seated = seats or SEATS[players]
    setup = GAME.prepare(seated, players=players, options=options, figures=figures)
    state = State(
        setup=setup,
        ledger=Ledger.of(PLACES, _lines(pieces, seated, BOXES[players])),
        frames=(Frame(phase),),
        round=1,
        order=tuple(order or seated),
        cities=dict.fromkeys(figures["cities"]),
        provinces=dict.fromkeys(figures["provinces"]),
        bishoprics=dict.fromkeys(figures["bishoprics"], "catholic"),
        universities={},
        allegiance={city: row["allegiance"] for city, row in figures["cities"].items()},
    )
    cities = {**state.cities, **facts.pop("cities", {})}
    provinces = {**state.provinces, **facts.pop("provinces", {})}
    return replace(state, cities=cities, provinces=provinces, **facts)


def _lines(pieces: Mapping[str, str], seated: tuple[str, ...], box: Box) -> list[tuple[str, str, str, int]]:
    lines = []
    for place, short in pieces.items():
        for part in short.split(","):
            letter, count = part.split()
            owner, piece = _piece(letter, place)
            lines.append((owner, piece, place, int(count)))
    used: Counter[tuple[str, str]] = Counter()
    for owner, piece, _, count in lines:
        used[owner, piece] += count
    given = {owner for owner, piece, place, _ in lines if (piece, place) == ("counter", "supply")}
    for faction in seated:
        if faction not in given:
            lines.append((faction, "counter", "supply", box.counters - used[faction, "counter"]))
        lines.append((faction, "army", "supply", box.armies - used[faction, "army"]))
    if "neutral" not in given:
        lines.append(("neutral", "counter", "supply", NEUTRALS - used["neutral", "counter"]))
    return [*lines, ("neutral", "beggar", "beggars", 3 - used["neutral", "beggar"])]


def _piece(letter: str, place: str) -> tuple[str, str]:
    if letter == "W":
        return "neutral", "beggar"
    return LETTERS[letter], "army" if place.partition(":")[0] in WITH_ARMIES else "counter"


# Actions


def settled(state: State) -> Outcome[State]:
    """Resolve automatic phases until a faction is prompted."""
    return GAME.machine.settle(Outcome(state, ()))


def apply(state: State, action: Action) -> Outcome[State]:
    """Apply an action after resolving automatic phases."""
    return GAME.apply(settled(state).state, action)


def refused(state: State, action: Action) -> tuple[str | None, str]:
    """Return section and sentence of an action's refusal; assert that the state stays unchanged."""
    state = settled(state).state
    before = GAME.state_json(state)
    refusal = GAME.why_not(state, action)
    assert isinstance(refusal, Refused), f"{action} is accepted"
    assert GAME.state_json(state) == before
    return refusal.rule, sentence(GAME, refusal.message)


# Queries


def at(state: State, place: str) -> str:
    """Return the pieces at a place in the digest's notation: ``C 1, X 2``."""
    letters = {faction: letter for letter, faction in LETTERS.items()}
    counts = {h.owner if h.piece != "beggar" else "beggar": h.count for h in state.ledger.at(place)}
    names = [*LETTERS.values(), "beggar"]
    return ", ".join(f"{letters.get(name, 'W')} {counts[name]}" for name in names if name in counts)


def supply(state: State, letter: str, piece: str = "counter") -> int:
    return state.ledger.count(LETTERS[letter], piece, "supply")


def treasury(state: State, letter: str) -> int:
    return state.ledger.count(LETTERS[letter], "counter", "treasury")


def flat(steps: Iterable[Step]) -> Iterator[Step]:
    for step in steps:
        yield from step.all_steps()


def texts(outcome: Outcome[State]) -> list[str]:
    """Return every sentence of an outcome; substeps follow the step they explain."""
    return [sentence(GAME, step.message) for step in flat(outcome.steps)]


def next_prompt(state: State) -> tuple[str, str] | None:
    """Return faction and action type of the first prompt, or None."""
    prompts = GAME.prompts(state)
    return (prompts[0].faction, prompts[0].action) if prompts else None


def elements(state: State) -> list[dict[str, Any]]:
    (prompt,) = GAME.prompts(settled(state).state)
    return list(prompt.elements())

"""Resuming a game from a position at the beginning of a year, a season or winter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from games.core.actions import Position
from games.core.codec import from_json
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame
from games.core.messages import say
from games.core.positions import RULE, check_phase
from games.wallenstein.board import in_play
from games.wallenstein.cards import (
    EVENTS_OF_A_YEAR,
    EventCard,
    event_name,
    refuse_event,
    refuse_losses,
)
from games.wallenstein.season import deck_of, refuse_copies
from games.wallenstein.state import ROUNDS, SEASONS, State

PHASES = ("events", "row", "winter")


@dataclass(frozen=True, slots=True)
class Known:
    """Extra facts of a position: events in the row, events drawn before, owners of armyless provinces."""

    events: tuple[EventCard, ...] = ()
    drawn: tuple[str, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)


def resume(state: State, position: Position) -> State:
    """Return the state that continues from a position. Raise `Refused`."""
    check_phase(position, PHASES)
    known = from_json(Known, dict(position.facts), "facts")
    _refuse_round(position)
    resumed = replace(
        state,
        events=known.events,
        drawn=(*known.drawn, *(card.event for card in known.events)),
        kept=known.kept,
        frames=(_frame(position.phase),),
    )
    _refuse_cards(resumed, known, events_due(position.round, position.phase))
    _refuse_kept(resumed)
    return resumed


def _frame(phase: str) -> Frame:
    return Frame(phase, {"begun": False, "hungry": [], "drawn": []}) if phase == "winter" else Frame(phase)


def _refuse_round(position: Position) -> None:
    """Raise `Illegal` if the round does not fit the phase.

    A year begins before round 1 or after round 4; winter is round 4 or 8.
    """
    season = (position.round - 1) % len(SEASONS)
    last = len(SEASONS) - 1
    fits = {
        "events": position.round in (0, len(SEASONS)),
        "row": 1 <= position.round < ROUNDS and season < last,
        "winter": 1 <= position.round <= ROUNDS and season == last,
    }
    if not fits[position.phase]:
        raise Illegal(say("position-round", round=position.round), rule=RULE)


def events_due(round_: int, phase: str) -> int:
    """Return how many event cards of the year are still in the row."""
    return 0 if phase == "events" else EVENTS_OF_A_YEAR - (round_ - 1) % len(SEASONS)


def _refuse_cards(state: State, known: Known, due: int) -> None:
    if len(known.events) != due or not all(card.event for card in known.events):
        raise Illegal(say("position-events", count=due), rule=RULE)
    deck = deck_of(replace(state, drawn=()))
    for event in state.drawn:
        refuse_event(event)
        if not deck.get(event):
            raise Illegal(say("event-none-left", event=event_name(event)), rule="2.4")
    refuse_copies(deck, [card.event for card in known.events])
    refuse_losses(known.events)


def _refuse_kept(state: State) -> None:
    for province, faction in state.kept.items():
        if province not in in_play(state.setup):
            raise BadInput(say("unknown-province", name=province[:40]), rule="2.1")
        if faction not in state.setup.factions:
            raise BadInput(say("core.not-seated", faction=faction[:40]))

"""Invariants of a state: all violations at once, or an empty list (digest part 9)."""

from __future__ import annotations

from games.core.flow import FINISHED
from games.core.invariants import wrong_total
from games.core.ledger import Holding
from games.core.messages import Message, Name, faction_name, faction_names, say
from games.revolution import bishoprics, universities
from games.revolution.factions import BOXES, NEUTRAL, in_fixed_order
from games.revolution.influence import SPACES
from games.revolution.pieces import ARMY, BEGGAR, COUNTER
from games.revolution.rounds import phases_of
from games.revolution.setup import WATER_BEGGARS
from games.revolution.state import (
    HUGUENOTS,
    State,
    atlas,
    box_of,
    box_users,
    boxes_taken,
)


def invariants(state: State) -> list[Message]:
    return [
        *_sets(state),
        *_places(state),
        *_crowds(state),
        *_strips(state),
        *_sieges(state),
        *_turned(state),
        *_charts(state),
        *_order(state),
    ]


def _sets(state: State) -> list[Message]:
    """Require the exact number of pieces of each owner (9.1 to 9.3)."""
    box = BOXES[state.setup.players]
    expected = {(f, COUNTER): box.counters for f in state.order} | {
        (f, ARMY): box.armies for f in state.order
    }
    expected |= {(NEUTRAL, COUNTER): state.setup.options["neutral_pool"], (NEUTRAL, BEGGAR): WATER_BEGGARS}
    counts = state.ledger.totals()
    return [
        wrong_total(owner, piece, counts[owner, piece], expected.get((owner, piece), 0))
        for owner, piece in {**expected, **counts}
        if counts[owner, piece] != expected.get((owner, piece), 0)
    ]


def _kinds(piece: str) -> tuple[str, ...]:
    if piece == ARMY:
        return ("supply", "strip", "released", "siege")
    if piece == BEGGAR:
        return ("supply", "beggars", "region", "siege")
    return ("supply", "treasury", "support", "used", "countryside", "town", "city", "influence")


def _places(state: State) -> list[Message]:
    """Require that each piece is at a place of its kind (9.4, 9.5, 9.8).

    Neutrals are never in support or treasury, and no faction in another's support box (5.2).
    """
    wrong = []
    land = atlas(state)
    owners = {*state.order, NEUTRAL}
    for line in state.ledger.holdings():
        kind = line.place.partition(":")[0]
        owner, piece, place = faction_name(line.owner), Name("piece", line.piece), Name("place", line.place)
        if line.owner not in owners:
            wrong.append(
                say("impossible-not-in-play", owner=owner, count=line.count, piece=piece, place=place)
            )
        if kind not in _kinds(line.piece) or line.place not in land.places:
            wrong.append(say("impossible-place", owner=owner, piece=piece, place=place))
        if line.owner == NEUTRAL and kind in ("treasury", "support", "used", "influence"):
            wrong.append(say("impossible-neutrals", place=place))
        elif kind in ("support", "used") and line.place in land.places and not _is_open_to_owner(state, line):
            wrong.append(
                say("box-foreign", colour=Name("colour", line.owner), box=Name("box", box_of(line.place)))
            )
    return wrong


def _is_open_to_owner(state: State, line: Holding) -> bool:
    """Return whether the support box is open to the counter's owner (5.2)."""
    return line.owner in atlas(state).support[box_of(line.place)].factions


def _crowds(state: State) -> list[Message]:
    """Require one counter per town and cell, and one faction in the Huguenots' box (9.5, 9.6)."""
    wrong = []
    for kind in ("town", "support", "used"):
        for place in state.ledger.occupied(kind):
            count = sum(line.count for line in state.ledger.at(place))
            if count > 1:
                wrong.append(say("impossible-crowd", place=Name("place", place), count=count))
    wrong += [
        say("impossible-both-faces", place=Name("place", cell))
        for cell in state.ledger.occupied("used")
        if state.ledger.at(cell.replace("used:", "support:", 1))
    ]
    if len(box_users(state, HUGUENOTS)) > 1:
        wrong.append(say("impossible-huguenots"))
    return wrong


def _strips(state: State) -> list[Message]:
    """Require no more armies than boxes (9.7)."""
    return [
        say(
            "impossible-strip",
            region=Name("region", region.slug),
            boxes=region.boxes,
            count=boxes_taken(state, region.slug),
        )
        for region in atlas(state).regions.values()
        if boxes_taken(state, region.slug) > region.boxes
    ]


def _is_before(state: State, phase: str) -> bool:
    """Return whether the current phase comes before another one in the round."""
    phases = phases_of(state.round)
    here = state.frames[0].phase
    return here in phases and phase in phases and phases.index(here) < phases.index(phase)


def _is_after(state: State, phase: str) -> bool:
    phases = phases_of(state.round)
    here = state.frames[0].phase
    return here == FINISHED or (
        here in phases and phase in phases and phases.index(here) > phases.index(phase)
    )


def _must_be_empty(state: State, kind: str) -> list[Message]:
    """Return a violation per occupied place of a kind that must be empty in this phase."""
    return [say(f"impossible-{kind}", place=Name("place", place)) for place in state.ledger.occupied(kind)]


def _sieges(state: State) -> list[Message]:
    """Restrict sieges and beggars to the phases that use them, and coins to the influence phase (9.15)."""
    wrong = []
    if _is_before(state, "sieges") or _is_after(state, "completing") or not state.round:
        wrong += _must_be_empty(state, "siege")
    if _is_before(state, "beggars") or _is_after(state, "completing") or not state.round:
        wrong += _must_be_empty(state, "region")
    if state.frames[0].phase != "influence":
        wrong += _must_be_empty(state, "influence")
    return wrong


def _turned(state: State) -> list[Message]:
    """Require that released armies and used Huguenots are gone after the end of a round (9.15)."""
    wrong = []
    if _is_before(state, "support") or _is_after(state, "status"):
        wrong += _must_be_empty(state, "used")
    if _is_before(state, "maintenance") or _is_after(state, "status"):
        wrong += _must_be_empty(state, "released")
    return wrong


def _charts(state: State) -> list[Message]:
    """Require known holders of cards and valid positions of markers (9.17, 9.19 to 9.21)."""
    wrong: list[Message] = []
    land = atlas(state)
    for kind, cards, known in (
        ("city", state.cities, land.cities),
        ("province", state.provinces, land.provinces),
    ):
        if set(cards) != set(known):
            wrong.append(say("impossible-cards"))
        wrong += [
            say("impossible-holder", holder=faction_name(holder), card=Name(kind, card))
            for card, holder in cards.items()
            if holder is not None and holder not in state.order
        ]
    wrong += [
        say("impossible-bishopric", province=Name("province", province), column=Name("column", column))
        for province, column in state.bishoprics.items()
        if column not in bishoprics.COLUMNS
    ]
    wrong += [
        say("impossible-university", place=Name("place", place), university=Name("university", university))
        for place, university in state.universities.items()
        if university not in universities.states_of(place)
    ]
    wrong += [
        say("impossible-column", city=Name("city", city), column=column)
        for city, column in state.allegiance.items()
        if column not in SPACES
    ]
    return wrong


def _order(state: State) -> list[Message]:
    """Require that the play order names each faction once (9.24)."""
    if in_fixed_order(state.order) != in_fixed_order(state.setup.factions):
        return [say("core.position-order", known=faction_names(state.setup.factions))]
    return []

"""What is wrong with a state, all of it at once (digest part 9). Empty when nothing is."""

from __future__ import annotations

from games.revolution import bishoprics, universities
from games.revolution.factions import BOXES, NEUTRAL
from games.revolution.influence import SPACES
from games.revolution.pieces import ARMY, BEGGAR, COUNTER
from games.revolution.rounds import phases_of
from games.revolution.setup import WATER_BEGGARS
from games.revolution.state import (
    HUGUENOTS,
    State,
    atlas,
    box_users,
    boxes_taken,
    in_fixed_order,
)


def invariants(state: State) -> list[str]:
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


def _sets(state: State) -> list[str]:
    """9.1 to 9.3: nobody has a piece too many or too few."""
    box = BOXES[state.setup.players]
    expected = {(f, COUNTER): box.counters for f in state.order} | {
        (f, ARMY): box.armies for f in state.order
    }
    expected |= {(NEUTRAL, COUNTER): state.setup.options["neutral_pool"], (NEUTRAL, BEGGAR): WATER_BEGGARS}
    found = dict.fromkeys(expected, 0)
    for line in state.ledger.holdings():
        found[line.owner, line.piece] = found.get((line.owner, line.piece), 0) + line.count
    return [
        f"{owner} has {count} of {piece}, not {expected.get((owner, piece), 0)}"
        for (owner, piece), count in found.items()
        if count != expected.get((owner, piece), 0)
    ]


def _kinds(piece: str) -> tuple[str, ...]:
    if piece == ARMY:
        return ("supply", "strip", "released", "siege")
    if piece == BEGGAR:
        return ("supply", "beggars", "region", "siege")
    return ("supply", "treasury", "support", "used", "countryside", "town", "city", "influence")


def _places(state: State) -> list[str]:
    """9.4, 9.5, 9.8: every piece lies where its kind can lie; neutrals never in support or treasury."""
    wrong = []
    owners = {*state.order, NEUTRAL}
    for line in state.ledger.holdings():
        kind = line.place.partition(":")[0]
        if line.owner not in owners:
            wrong.append(f"{line.owner} is not in play and has {line.count} at {line.place}")
        if kind not in _kinds(line.piece) or line.place not in atlas(state).places:
            wrong.append(f"a {line.piece} of {line.owner} lies at {line.place}")
        if line.owner == NEUTRAL and kind in ("treasury", "support", "used", "influence"):
            wrong.append(f"neutrals lie at {line.place}")
    return wrong


def _crowds(state: State) -> list[str]:
    """9.5, 9.6: one counter to a town and to a cell; Burghers and Reformers never share the Huguenots."""
    wrong = []
    for kind in ("town", "support", "used"):
        for place in state.ledger.occupied(kind):
            count = sum(line.count for line in state.ledger.at(place))
            if count > 1:
                wrong.append(f"{count} counters lie at {place}")
    wrong += [
        f"counters lie face up and face down at {cell}"
        for cell in state.ledger.occupied("used")
        if state.ledger.at(cell.replace("used:", "support:", 1))
    ]
    if len(box_users(state, HUGUENOTS)) > 1:
        wrong.append("two factions are with the Huguenots")
    return wrong


def _strips(state: State) -> list[str]:
    """9.7: no more armies than boxes."""
    return [
        f"{boxes_taken(state, region.slug)} armies keep the {region.boxes} boxes of {region.slug}"
        for region in atlas(state).regions.values()
        if boxes_taken(state, region.slug) > region.boxes
    ]


def _is_before(state: State, phase: str) -> bool:
    """Whether the phase under way comes before another in the round."""
    phases = phases_of(state.round)
    here = state.frames[0].phase
    return here in phases and phase in phases and phases.index(here) < phases.index(phase)


def _is_after(state: State, phase: str) -> bool:
    phases = phases_of(state.round)
    here = state.frames[0].phase
    return here == "finished" or (
        here in phases and phase in phases and phases.index(here) > phases.index(phase)
    )


def _sieges(state: State) -> list[str]:
    """9.15: sieges and beggars only between the phases that lay and complete them; no coins left beside cities."""
    wrong = []
    if _is_before(state, "sieges") or _is_after(state, "completing") or not state.round:
        wrong += [f"{place} after all sieges" for place in state.ledger.occupied("siege")]
    if _is_before(state, "beggars") or _is_after(state, "completing") or not state.round:
        wrong += [f"Water Beggars at {place}" for place in state.ledger.occupied("region")]
    if state.frames[0].phase != "influence":
        wrong += [f"coins left at {place}" for place in state.ledger.occupied("influence")]
    return wrong


def _turned(state: State) -> list[str]:
    """9.15: released armies and used Huguenots are gone after the end of a round."""
    wrong = []
    if _is_before(state, "support") or _is_after(state, "status"):
        wrong += [f"used Huguenots at {place}" for place in state.ledger.occupied("used")]
    if _is_before(state, "maintenance") or _is_after(state, "status"):
        wrong += [f"released armies at {place}" for place in state.ledger.occupied("released")]
    return wrong


def _charts(state: State) -> list[str]:
    """9.17, 9.19 to 9.21: cards with one of the players or nobody; markers where they can stand."""
    wrong = []
    land = atlas(state)
    for cards, known in ((state.cities, land.cities), (state.provinces, land.provinces)):
        if set(cards) != set(known):
            wrong.append("some cards are missing or unknown")
        wrong += [f"{f} holds {card}" for card, f in cards.items() if f not in (*state.order, None)]
    wrong += [f"{p} is {c}" for p, c in state.bishoprics.items() if c not in bishoprics.COLUMNS]
    wrong += [
        f"{place} is {university}"
        for place, university in state.universities.items()
        if university not in universities.states_of(place)
    ]
    wrong += [f"{city} in column {c}" for city, c in state.allegiance.items() if c not in SPACES]
    return wrong


def _order(state: State) -> list[str]:
    """9.24: the play order names each faction once."""
    if in_fixed_order(state.order) != in_fixed_order(state.setup.factions):
        return [f"the play order is {state.order}"]
    return []

"""Invariants of a state (9); all violations are reported at once."""

from __future__ import annotations

from games.core.flow import FINISHED
from games.core.invariants import wrong_total
from games.core.messages import Message, Name, faction_name, faction_names, say
from games.wallenstein.board import in_play, province_of
from games.wallenstein.cards import ACTIONS, EVENTS_OF_A_YEAR
from games.wallenstein.pieces import (
    ARMIES,
    ARMY,
    BUILDINGS,
    PEASANT_ARMIES,
    PEASANTS,
    TILE,
    TILES,
    place_of,
)
from games.wallenstein.planning import BLANKS
from games.wallenstein.state import (
    SEASONS,
    State,
    armies_in,
    buildings_in,
    owner_of,
    tiles_in,
    unrest_in,
)


def invariants(state: State) -> list[Message]:
    return [*_pieces(state), *_provinces(state), *_cards(state)]


def _pieces(state: State) -> list[Message]:
    """Check the totals of cubes and building tiles (9.1 to 9.3)."""
    wanted = {(faction, ARMY): ARMIES for faction in state.setup.factions}
    wanted[PEASANTS, ARMY] = PEASANT_ARMIES
    wanted |= {(PEASANTS, tile): count for tile, count in TILES.items()}
    have = state.ledger.totals()
    return [
        wrong_total(owner, piece, have[owner, piece], count)
        for (owner, piece), count in wanted.items()
        if have[owner, piece] != count
    ]


def _provinces(state: State) -> list[Message]:
    """Check owners, building sites and that neutral provinces are empty (9.2 to 9.5)."""
    wrong = []
    for province in in_play(state.setup):
        place, here = place_of(province), Name("province", province)
        standing = [f for f in state.setup.factions if armies_in(state, province, f)]
        if len(standing) > 1:
            wrong.append(say("impossible-owners", province=here, factions=faction_names(standing)))
        if state.ledger.count(PEASANTS, ARMY, place):
            wrong.append(say("impossible-peasants", province=here))
        twice = [b for b in BUILDINGS if state.ledger.count(PEASANTS, TILE[b], place) > 1]
        if twice or tiles_in(state, province) > province_of(state.setup, province).cities:
            wrong.append(say("impossible-buildings", province=here))
        if owner_of(state, province) is None and (
            buildings_in(state, province) or unrest_in(state, province)
        ):
            wrong.append(say("impossible-not-empty", province=here))
    strangers = sorted(set(state.kept.values()) - set(state.setup.factions))
    return wrong + [say("impossible-keeper", faction=faction_name(stranger)) for stranger in strangers]


def _cards(state: State) -> list[Message]:
    """Check that every action, province and event card is used at most once (9.10, 9.11)."""
    wrong = []
    if len(set(state.row)) != len(state.row) or not set(state.row) <= set(ACTIONS):
        wrong.append(say("impossible-row"))
    for faction, turned in state.turned.items():
        cards = [province for province in turned.values() if province is not None]
        empty = state.empty.get(faction, ())
        blanks = [a for a, province in turned.items() if province is None and a not in empty]
        if len(set(cards)) != len(cards) or (len(blanks) > BLANKS and state.hands.get(faction)):
            wrong.append(say("impossible-turned", faction=faction_name(faction)))
    if len(state.events) != _events_left(state):
        wrong.append(say("impossible-events", count=len(state.events), expected=_events_left(state)))
    return wrong


def _events_left(state: State) -> int:
    """Return the number of event cards due: 4, 3, 2, 1 through the year, 0 after the grain loss (9.11)."""
    base = state.frames[0]
    if base.phase in ("setup", "events", FINISHED) or (base.phase == "winter" and base.data["begun"]):
        return 0
    gone = (state.round - 1) % len(SEASONS)
    return EVENTS_OF_A_YEAR - gone - (base.phase == "actions")

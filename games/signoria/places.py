"""The places of the table and their names."""

from __future__ import annotations

from collections.abc import Mapping

from games.core.ledger import Move
from games.core.messages import Message, Name, say
from games.signoria.pieces import (
    ASIDE,
    BANK,
    CAREERS,
    COLOURS,
    EARLIER,
    FIELDS,
    RESERVE,
    SOURCES,
    SUPPLY,
    THRESHOLD,
    action_place,
    city_place,
    dice_place,
    face_down_place,
    face_up_place,
    helper_place,
    initiative_place,
    portraits_place,
    score_place,
    tile_place,
    track_place,
)
from games.signoria.state import State, printed

PLAIN = (SUPPLY, BANK, RESERVE, THRESHOLD, ASIDE)


def knows_place(state: State, place: str) -> bool:
    """Return whether the table has this place."""
    return place in PLAIN or place in _shared(state) or place in _of_players(state)


def _shared(state: State) -> set[str]:
    """Return the places of the main board, and of scored points."""
    figures = printed(state)
    cities = figures.figures["cities"]
    return {
        *(track_place(career, i) for career in CAREERS for i in range(1, figures.spaces(career) + 1)),
        *(city_place(city, number) for city in cities for number in figures.city_spaces(city)),
        *(tile_place(kind, city) for kind in ("mission", "marriage") for city in cities),
        *(initiative_place(space) for space in range(figures.top + 1)),
        *(dice_place(colour) for colour in COLOURS),
        *(score_place(source) for source in (EARLIER, *SOURCES)),
    }


def _of_players(state: State) -> set[str]:
    """Return the places of the player boards."""
    spaces = printed(state).helper_spaces()
    return {
        place
        for faction in state.setup.factions
        for place in (
            *(face_up_place(faction, field) for field in FIELDS),
            *(face_down_place(faction, field) for field in FIELDS),
            *(action_place(faction, colour) for colour in COLOURS),
            *(helper_place(faction, space.column, space.row) for space in spaces),
            portraits_place(faction),
        )
    }


OWN = frozenset({"plan", "unseen", "action", "helper", "portraits"})  # place kinds on player boards


def hand(move: Move) -> str:
    """Return the faction that makes a move.

    Dice, helpers, brides and tiles move by the hand of the player whose board they enter or leave.
    """
    for place in (move.target, move.source):
        kind, *slugs = place.split(":")
        if kind in OWN:
            return slugs[0]
    return move.owner


# Parts of a place's slug by kind: message parameter and kind of name; None for a number.
PARTS: Mapping[str, tuple[tuple[str, str | None], ...]] = {
    "track": (("career", "field"), ("space", None)),
    "city": (("city", "city"), ("number", None)),
    "mission": (("city", "city"),),
    "marriage": (("city", "city"),),
    "initiative": (("space", None),),
    "plan": (("faction", "faction"), ("field", "field")),
    "unseen": (("faction", "faction"), ("field", "field")),
    "dice": (("colour", "die"),),
    "action": (("faction", "faction"), ("colour", "die")),
    "helper": (("faction", "faction"), ("column", "die"), ("row", None)),
    "portraits": (("faction", "faction"),),
    "score": (("source", "part"),),
}


def place_message(place: str) -> Message:
    """Return the message that names a place without a fixed name."""
    kind, *slugs = place.split(":")
    if len(PARTS.get(kind, ())) != len(slugs) or not slugs:
        return say("place-other", place=place[:40])
    params = {
        name: Name(name_kind, slug) if name_kind else int(slug)
        for (name, name_kind), slug in zip(PARTS[kind], slugs, strict=True)
    }
    return say(f"place-{kind}", **params)

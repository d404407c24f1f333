"""The provinces the rulebooks name (2.1, 5.2, 5.6, 6.7, 6.13, 6.18)."""

from __future__ import annotations

from typing import TypeAlias

from games.core.messages import Message, Name, say

PROVINCES = (
    "artois",
    "brabant",
    "cleve",
    "flanders",
    "gelderland",
    "geldern",
    "generality",
    "holland",
    "juelich",
    "koeln",
    "liege",
    "limburg",
    "luxembourg",
    "maastricht",
    "namur",
    "overijssel",
    "trier",
    "utrecht",
    "venlo",
    "zeeland",
)

Called: TypeAlias = Name | str
_COUNTRYSIDE = "countryside:"


def province_name(slug: str) -> Called:
    """What a province is called; the board may have some that no rulebook names, which keep their slug."""
    return Name("province", slug) if slug in PROVINCES else slug


def countryside(slug: str) -> str:
    return f"{_COUNTRYSIDE}{slug}"


def place_message(place: str) -> Message:
    """What a place is called that has no name of its own."""
    if place.startswith(_COUNTRYSIDE):
        return say("countryside", province=province_name(place.removeprefix(_COUNTRYSIDE)))
    return say("place", place=place)

"""Provinces named in the rulebooks (2.1, 5.2, 5.6, 6.7, 6.13, 6.18), checks and names of places."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from games.core.errors import BadInput
from games.core.messages import Message, Name, say
from games.revolution.state import State, atlas

PROVINCES = (
    "artois",
    "brabant",
    "cleve",
    "drenthe",
    "flanders",
    "friesland",
    "gelderland",
    "geldern",
    "generality",
    "groningen",
    "hainaut",
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
    """Return the name of a province, or its slug if no rulebook names it."""
    return Name("province", slug) if slug in PROVINCES else slug


def refuse_provinces(state: State, slugs: Iterable[str], rule: str) -> None:
    """Raise `BadInput` if the board lacks one of the provinces."""
    unknown = sorted(slug for slug in slugs if slug not in atlas(state).provinces)
    if unknown:
        raise BadInput(say("unknown-province", province=unknown[0][:40]), rule=rule)


def countryside(slug: str) -> str:
    return f"{_COUNTRYSIDE}{slug}"


def place_message(place: str) -> Message:
    """Return the description of a place that has no name of its own."""
    if place.startswith(_COUNTRYSIDE):
        return say("countryside", province=province_name(place.removeprefix(_COUNTRYSIDE)))
    kind, _, slug = place.partition(":")
    if kind in ("city", "town"):
        return say("settlement", name=Name(kind, slug))
    if kind in ("siege", "influence"):
        return say(f"at-{kind}", city=Name("city", slug))
    if kind in ("strip", "released", "region"):
        return say(f"at-{kind}", region=Name("region", slug))
    if kind in ("support", "used"):
        box, _, cell = slug.partition(":")
        return say(f"at-{kind}", box=Name("box", box), cell=cell)
    return say("place", place=place)

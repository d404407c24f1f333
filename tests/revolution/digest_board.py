"""A board made of the facts of the rulebooks alone (digest part 2); what they do not say is made up here.

Nothing of it is read from the shipped board, which is data of its own: a group's copy may differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.revolution.state import State
from tests.revolution.campaigns import position

LAND = {
    "gelderland": ("cleve", "generality", "geldern", "holland", "overijssel", "utrecht"),
    "zeeland": ("generality", "holland"),
    "juelich": ("limburg",),
}
"""6.13: every neighbourhood that is stated."""

LYING: Mapping[str, tuple[str, ...]] = {
    "brabant": ("city:brussels", "town:leuven"),
    "koeln": ("city:koeln",),
    "liege": ("city:liege",),
    "utrecht": ("city:utrecht",),
    "juelich": ("city:aachen",),
    "luxembourg": ("city:luxembourg",),
    "holland": ("city:amsterdam", "city:haarlem", "city:leiden", "town:alkmaar", "town:delft"),
    "flanders": ("city:antwerpen", "city:brugge", "city:gent", "town:duinkerken", "town:tournai"),
    "gelderland": ("town:arnhem", "town:nijmegen"),
    "zeeland": ("town:middelburg", "town:dordrecht", "town:rotterdam"),
    "generality": ("town:breda",),
    "cleve": ("town:cleve",),
    "trier": ("town:trier",),
    "artois": ("town:arras", "town:mons", "town:valenciennes"),
}

PROVINCES = (
    *("artois", "brabant", "cleve", "flanders", "gelderland", "geldern", "generality", "holland"),
    *("juelich", "koeln", "liege", "limburg", "luxembourg", "maastricht", "namur", "overijssel"),
    *("trier", "utrecht", "venlo", "zeeland"),
)
"""Those of digest 2.4."""

ALONE = ("holland", "utrecht")  # 2.1: regions of one province; all others have several
SOUTH = ("brabant", "flanders")  # made up, with all the rest in one region more
LIMIT = 8  # made up, but for Brabant's (5.6)
BOXES = 6  # made up: every army of a faction has room in one strip

ALLEGIANCE = {
    "aachen": 3,
    "amsterdam": 2,
    "antwerpen": 4,
    "brugge": 5,
    "brussels": 2,
    "gent": 5,
    "haarlem": 4,
    "koeln": 2,
    "leiden": 5,
    "liege": 3,
    "luxembourg": 3,
    "utrecht": 4,
}
"""5.7: the rows of the chart and where the markers lie at the start."""

LINKS = {
    "koeln": ("town:dordrecht", "city:leiden", "town:nijmegen"),
    "utrecht": ("town:cleve", "city:koeln"),
}
"""6.10: what is stated of the city cards."""

SUPPORT: Mapping[str, tuple[str, str, str]] = {
    "spanish-treasury": ("catholics habsburgs", "treasury " * 6, ""),
    "jesuits": ("catholics", "map " * 4, "koeln trier liege brabant"),
    "french-support": ("nobility", "both map map", "artois liege"),
    "support-from-the-emperor": ("nobility", "both map map", "juelich cleve luxembourg liege"),
    "london-merchants": ("burghers", "both both treasury treasury", "zeeland flanders"),
    "huguenots": ("burghers reformers", "both both", "artois flanders"),
    "calvinists": ("reformers", "both both both both map map", "utrecht gelderland"),
}
"""2.6: boxes and who is known to use them; the number of cells fits, their kinds and provinces are made up."""

BISHOPRICS = ("artois", "flanders", "koeln", "liege", "trier", "utrecht")  # 6.18
BEGGARS = ("gelderland", "generality", "holland", "overijssel", "utrecht", "zeeland")  # 6.7

UNIVERSITIES = (
    *("city:koeln", "town:leuven"),  # 5.7; the others are made up
    *("city:leiden", "city:utrecht", "town:breda", "town:delft", "town:arras"),
)
COMMERCIAL = (  # made up
    *("city:antwerpen", "city:amsterdam", "town:dordrecht", "town:middelburg"),
    *("town:rotterdam", "town:nijmegen", "town:breda"),
)


def digest_figures(**limits: int) -> dict[str, Any]:
    """The figures of the board; a province's limit can be another one."""
    return {
        "bishoprics": list(BISHOPRICS),
        "universities": list(UNIVERSITIES),
        "commercial": list(COMMERCIAL),
        "beggars": list(BEGGARS),
        "provinces": {
            slug: _province(slug, limits.get(slug, 6 if slug == "brabant" else LIMIT)) for slug in PROVINCES
        },
        "regions": {
            slug: {"boxes": BOXES, "orange": 0 if slug == "utrecht" else 1, "arrows": []}
            for slug in (*ALONE, "rest", "south")
        },
        "rivers": {
            "rhine": {
                "course": ["trier", "koeln", "gelderland", "holland"],
                "channels": {
                    "koeln": [["city:koeln"]],
                    "gelderland": [["town:arnhem"], ["town:nijmegen"]],
                },
            },
            "maas": {
                "course": ["namur", "liege", "limburg", "maastricht", "venlo", "gelderland"],
                "channels": {"liege": [["city:liege"]]},
            },
        },
        "support": {
            box: {"factions": factions.split(), "cells": cells.split(), "provinces": provinces.split()}
            for box, (factions, cells, provinces) in SUPPORT.items()
        },
        "cities": {
            city: {"allegiance": column, "links": list(LINKS.get(city, ()))}
            for city, column in ALLEGIANCE.items()
        },
    }


def _province(slug: str, limit: int) -> dict[str, Any]:
    lying = LYING.get(slug, ())
    mutual = {other for other, near in LAND.items() if slug in near}
    return {
        "limit": limit,
        "tax": 0.5,
        "points": 0.5,
        "minor": 0.0,
        "region": slug if slug in ALONE else "south" if slug in SOUTH else "rest",
        "cities": [place.removeprefix("city:") for place in lying if place.startswith("city:")],
        "towns": [place.removeprefix("town:") for place in lying if place.startswith("town:")],
        "neighbours": sorted({*LAND.get(slug, ()), *mutual}),
    }


def on_board(
    phase: str, lying: Mapping[str, str], *, figures: Mapping[str, Any] | None = None, **facts: Any
) -> State:
    """A position on the digest's board; ``provinces`` and ``cities`` name who holds cards."""
    return position(phase, lying, figures=figures or digest_figures(), **facts)

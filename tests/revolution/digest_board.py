"""A test board with the facts of the rulebooks (digest part 2); everything else on it is made up.

It is independent of the shipped board, whose figures a group may change to match its copy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.revolution.state import State
from tests.revolution.campaigns import position

NEIGHBOURS = {
    "gelderland": ("cleve", "generality", "geldern", "holland", "overijssel", "utrecht"),
    "zeeland": ("generality", "holland"),
    "juelich": ("limburg",),
}
"""The neighbourhoods stated in the rulebooks (6.13)."""

SETTLEMENTS: Mapping[str, tuple[str, ...]] = {
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
"""The provinces of digest 2.4."""

SINGLE_PROVINCE_REGIONS = ("holland", "utrecht")  # regions of one province; all others have several (2.1)
SOUTH = ("brabant", "flanders")  # made up; all other provinces form one more region
LIMIT = 8  # made up, except for Brabant (5.6)
BOXES = 6  # made up: one strip has room for all armies of a faction

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
"""The cities of the chart with the starting columns of their markers (5.7)."""

LINKS = {
    "koeln": ("town:dordrecht", "city:leiden", "town:nijmegen"),
    "utrecht": ("town:cleve", "city:koeln"),
}
"""The links of city cards stated in the rulebooks (6.10)."""

SUPPORT: Mapping[str, tuple[str, str, str]] = {
    "spanish-treasury": ("catholics habsburgs", "treasury " * 6, ""),
    "jesuits": ("catholics", "map " * 4, "koeln trier liege brabant"),
    "french-support": ("nobility", "both map map", "artois liege"),
    "support-from-the-emperor": ("nobility", "both map map", "juelich cleve luxembourg liege"),
    "london-merchants": ("burghers", "both both treasury treasury", "zeeland flanders"),
    "huguenots": ("burghers reformers", "both both", "artois flanders"),
    "calvinists": ("reformers", "both both both both map map", "utrecht gelderland"),
}
"""Support boxes, their users and number of cells (2.6); kinds of cells and provinces are made up."""

BISHOPRICS = ("artois", "flanders", "koeln", "liege", "trier", "utrecht")  # 6.18
BEGGARS = ("gelderland", "generality", "holland", "overijssel", "utrecht", "zeeland")  # 6.7

UNIVERSITIES = (
    *("city:koeln", "town:leuven"),  # stated in 5.7; the others are made up
    *("city:leiden", "city:utrecht", "town:breda", "town:delft", "town:arras"),
)
COMMERCIAL = (  # made up
    *("city:antwerpen", "city:amsterdam", "town:dordrecht", "town:middelburg"),
    *("town:rotterdam", "town:nijmegen", "town:breda"),
)


def digest_figures(**limits: int) -> dict[str, Any]:
    """Return the figures of the board; keywords override the limits of provinces."""
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
            for slug in (*SINGLE_PROVINCE_REGIONS, "rest", "south")
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
    settlements = SETTLEMENTS.get(slug, ())
    mutual = {other for other, near in NEIGHBOURS.items() if slug in near}
    return {
        "limit": limit,
        "tax": 0.5,
        "points": 0.5,
        "minor": 0.0,
        "region": slug if slug in SINGLE_PROVINCE_REGIONS else "south" if slug in SOUTH else "rest",
        "cities": [place.removeprefix("city:") for place in settlements if place.startswith("city:")],
        "towns": [place.removeprefix("town:") for place in settlements if place.startswith("town:")],
        "neighbours": sorted({*NEIGHBOURS.get(slug, ()), *mutual}),
    }


def on_board(
    phase: str, pieces: Mapping[str, str], *, figures: Mapping[str, Any] | None = None, **facts: Any
) -> State:
    """Return a state on the digest's board; ``provinces`` and ``cities`` set card holders."""
    return position(phase, pieces, figures=figures or digest_figures(), **facts)

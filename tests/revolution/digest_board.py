"""A board made of the facts of the rulebooks alone (digest part 2); what they do not say is made up here."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from games.revolution.board import BOARD
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

ALONE = ("holland", "utrecht")  # 2.1: regions of one province
LIMIT = 8  # made up, but for Brabant's (5.6)


def digest_figures(**limits: int) -> dict[str, Any]:
    figures: dict[str, Any] = copy.deepcopy(dict(BOARD.figures))
    figures["provinces"] = {slug: _province(slug, limits.get(slug, LIMIT)) for slug in PROVINCES}
    figures["provinces"]["brabant"]["limit"] = limits.get("brabant", 6)
    figures["regions"] = {
        slug: {"boxes": 6, "orange": 0 if slug == "utrecht" else 1, "arrows": []}
        for slug in (*ALONE, "rest", "south")
    }
    figures["rivers"] = {
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
    }
    figures["cities"] = {
        city: {**row, "links": row["links"] if city in ("koeln", "utrecht") else []}
        for city, row in figures["cities"].items()
    }
    for box in figures["support"].values():
        box["provinces"] = [slug for slug in box["provinces"] if slug in PROVINCES]
    figures["universities"] = [
        *("city:koeln", "town:leuven", "city:leiden", "city:utrecht"),
        *("town:breda", "town:delft", "town:arras"),
    ]
    figures["commercial"] = [
        *("city:antwerpen", "city:amsterdam", "town:dordrecht", "town:middelburg"),
        *("town:rotterdam", "town:nijmegen", "town:breda"),
    ]
    return figures


def _province(slug: str, limit: int) -> dict[str, Any]:
    lying = LYING.get(slug, ())
    mutual = {other for other, near in LAND.items() if slug in near}
    return {
        "limit": limit,
        "tax": 0.5,
        "points": 0.5,
        "minor": 0.0,
        "region": slug if slug in ALONE else "south" if slug in ("brabant", "flanders") else "rest",
        "cities": [place.removeprefix("city:") for place in lying if place.startswith("city:")],
        "towns": [place.removeprefix("town:") for place in lying if place.startswith("town:")],
        "neighbours": sorted({*LAND.get(slug, ()), *mutual}),
    }


def on_board(
    phase: str, lying: Mapping[str, str], *, figures: Mapping[str, Any] | None = None, **facts: Any
) -> State:
    """A position on the digest's board; ``provinces`` and ``cities`` name who holds cards."""
    board = figures or digest_figures()
    cards = {**dict.fromkeys(board["provinces"]), **facts.pop("provinces", {})}
    state = position(phase, lying, **facts)
    return replace(state, setup=replace(state.setup, figures=board), provinces=cards)

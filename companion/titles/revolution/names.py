"""Names of things in Revolution, in the active language."""

from __future__ import annotations

from companion import wording
from games.revolution import REVOLUTION


def name(kind: str, slug: str) -> str:
    return wording.name(REVOLUTION, kind, slug)


def place_name(place: str) -> str:
    return wording.name(REVOLUTION, "place", place)

"""The pieces at each place as text, the accessible form of the pictures."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import get_language

from companion.titles.signoria.names import name, title
from games.core.ledger import Holding
from games.signoria.pieces import ALLIANCES, BANK, DICE, NEUTRAL, SUPPLY
from games.signoria.state import State

UNLISTED = ("score:", SUPPLY, BANK)  # beginnings of places


def occupied_places(state: State) -> list[tuple[str, str]]:
    """Return the names of the occupied places, each with its pieces."""
    language = get_language()
    return [
        _described(place, tuple(state.ledger.at(place)), language)
        for place in state.ledger.occupied()
        if not place.startswith(UNLISTED)
    ]


@lru_cache(maxsize=4096)
def _described(place: str, holdings: tuple[Holding, ...], _language: str | None) -> tuple[str, str]:
    return title("place", place), ", ".join(_holding_text(line) for line in holdings)


def _holding_text(line: Holding) -> str:
    text = name("piece", line.piece)
    if line.piece not in ALLIANCES and line.piece not in DICE:
        text = f"{line.count} {text}"
    elif line.count > 1:
        text = f"{line.count} × {text}"
    return text if line.owner == NEUTRAL else f"{name('faction', line.owner)}: {text}"

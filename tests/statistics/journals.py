"""Random games with realistic times, as documents and as tables."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import Any

from companion.registry import rules_of
from companion.tables.documents import FORMAT, read_document
from games.core.actions import action_json
from games.core.codec import to_json
from players.randomly import play_on
from tests.tables.sitting import Sitting

BEGAN = datetime(2026, 3, 1, 19, 30, tzinfo=UTC)
NAMES = ("Ada", "Béla", "Carla", "Dario", "Emőke")


def document(
    slug: str, players: int, *, seed: int = 1, entries: int | None = None, mode: str = "full"
) -> dict[str, Any]:
    """Return a random game of ``entries`` entries, or a finished one, in the format of ``GET …/export/``.

    Entries are 5 to 89 seconds apart, with one pause of an hour.
    """
    game = rules_of(slug, mode)
    generator = random.Random(seed)
    setup = game.prepare(game.factions[:players])
    state, at, journal = game.start(setup).state, BEGAN, []
    for number, entry in enumerate(play_on(game, state, generator), start=1):
        if entries is not None and number > entries:
            break
        state = entry.outcome.state
        at += timedelta(seconds=generator.randrange(5, 90), hours=1 if number == LONG_PAUSE else 0)
        journal.append(
            {
                "number": number,
                "parent": number - 1,
                "faction": entry.action.faction,
                "action": action_json(entry.action),
                "seat": setup.factions.index(entry.action.faction) + 1,
                "undone": False,
                "at": at.isoformat(),
                "version": number + 2,
            }
        )
    is_over = game.result(state) is not None
    return {
        "format": FORMAT,
        "game": slug,
        "status": "finished" if is_over else "playing",
        "closed": False,
        "locked": False,
        "version": len(journal) + 2,
        "options": {"mode": mode},
        "setup": to_json(setup),
        "created_at": BEGAN.isoformat(),
        "started_at": BEGAN.isoformat(),
        "ended_at": at.isoformat() if is_over else None,
        "seats": [
            {"seat": seat, "name": name, "faction": faction, "free": False}
            for seat, (name, faction) in enumerate(zip(NAMES, setup.factions, strict=False), start=1)
        ],
        "entries": journal,
    }


LONG_PAUSE = 8  # number of the entry after the pause


def played(slug: str, players: int, **arguments: Any) -> Sitting:
    """Import a random game as a table with a player on every seat."""
    opened = read_document(document(slug, players, **arguments))
    return Sitting(opened.table, opened.host_token, {seat.faction: token for seat, token in opened.seats})

"""Finished games as database rows, created by importing documents of random walks."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from companion.access.table_access import TableAccess
from companion.models import Circle, Seat, Table
from companion.registry import titles
from companion.tables.circles import put_into_circle
from companion.tables.documents import FORMAT, read_document
from games.core.codec import to_json
from tests.conformance.walks import PLAYED, Walk, walk

HOST = TableAccess(is_host=True)
NAMES = ("Ada", "Béla", "Carla", "Dario", "Éva", "Fabio", "Gáspár")
BEGIN = datetime(2024, 9, 1, 18, tzinfo=UTC)


@dataclass(frozen=True)
class Evening:
    """A game, its players and its time."""

    slug: str  # a key of ``walks.PLAYED``
    players: int
    seed: int
    begins: datetime
    names: Sequence[str]
    minutes: float = 2.0  # before each entry


def import_evening(evening: Evening, circle: Circle | None = None) -> Table:
    """Import a game that was played to its end, and optionally put it into a circle."""
    played = walk(evening.slug, evening.players, evening.seed)
    table = read_document(document_of(played, evening)).table
    if circle:
        put_into_circle(table=table, access=HOST, circle=circle)
    return table


def document_of(played: Walk, evening: Evening) -> dict[str, Any]:
    is_pad = PLAYED[evening.slug] is titles()[played.game.slug].pad.game
    entries = [
        {
            "number": number,
            "parent": number - 1,
            "faction": faction,
            "action": action,
            "seat": None,
            "undone": False,
            "at": time_of_entry(evening, number).isoformat(),
            "version": number + 1,
        }
        for number, (faction, action) in enumerate(played.journal, start=1)
    ]
    names = names_of(played, evening.names)
    return {
        "format": FORMAT,
        "game": played.game.slug,
        "status": "finished",
        "closed": False,
        "locked": False,
        "version": len(entries) + 1,
        "options": {"mode": "pad" if is_pad else "full"},
        "setup": to_json(played.setup),
        "created_at": evening.begins.isoformat(),
        "started_at": evening.begins.isoformat(),
        "ended_at": time_of_entry(evening, len(entries)).isoformat(),
        "seats": [
            {"seat": number, "name": names[faction], "faction": faction, "free": True}
            for number, faction in enumerate(played.setup.factions, start=1)
        ],
        "entries": entries,
    }


def time_of_entry(evening: Evening, number: int) -> datetime:
    return evening.begins + timedelta(minutes=evening.minutes * number)


def names_of(played: Walk, names: Sequence[str]) -> Mapping[str, str]:
    """Return the names by faction; with two players of Revolution each has two factions."""
    factions = played.setup.factions
    if played.setup.players == len(factions):
        return dict(zip(factions, names, strict=False))
    pairs = (("catholics", "habsburgs"), ("burghers", "reformers"))
    return {faction: name for pair, name in zip(pairs, names, strict=False) for faction in pair}


def seat_of(table: Table, faction: str) -> Seat:
    return table.seats.get(faction=faction)


def random_evening(slug: str, generator: random.Random, most: int = 3) -> Evening:
    game = PLAYED[slug]
    players = generator.randint(game.min_players, min(game.max_players, most))
    return Evening(
        slug,
        players,
        generator.randrange(3),
        BEGIN + timedelta(days=generator.randrange(800), seconds=generator.randrange(86_400)),
        generator.sample(NAMES, players),
        generator.choice([0.5, 2.0, 3.5]),
    )

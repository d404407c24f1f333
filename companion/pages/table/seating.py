"""Seats of a table: which are free, and whether somebody may sit down."""

from __future__ import annotations

from companion.journal import secrets
from companion.models import Seat
from companion.pages.table.snapshot import Snapshot
from companion.tables.seats import shown_name


class Seating:
    """The seats of a table."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._seats = snapshot.seats

    @property
    def free_seats(self) -> list[Seat]:
        return [seat for seat in self._seats if not seat.token_hash]

    @property
    def has_room(self) -> bool:
        """True if somebody may take a seat."""
        snapshot = self._snapshot
        is_open = snapshot.is_open and len(self._seats) < len(snapshot.game.factions)
        return not snapshot.table.locked and (is_open or (snapshot.is_playing and bool(self.free_seats)))

    @property
    def can_start(self) -> bool:
        game = self._snapshot.game
        return game.min_players <= len(self._seats) <= game.max_players

    @property
    def taken_over(self) -> list[str]:
        """The names of the seats whose takeover is announced to all until the game ends."""
        seats = self._seats if self._snapshot.is_open or self._snapshot.is_playing else ()
        return [shown_name(seat) for seat in secrets.taken_over(self._snapshot.table, seats)]

    def factions(self) -> list[tuple[str, str, bool]]:
        """Return the factions to choose from, with their names and a flag whether they can be taken."""
        is_open = self._snapshot.is_open
        held = {seat.faction for seat in self._seats if seat.token_hash}
        freed = {seat.faction for seat in self.free_seats}
        return [
            (faction, self._snapshot.faction_name(faction), faction not in held)
            for faction in self._snapshot.game.factions
            if is_open or faction in freed
        ]

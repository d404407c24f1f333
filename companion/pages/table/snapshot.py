"""A table after one of its entries, as everybody may see it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

from companion import wording
from companion.access.table_access import seats_of
from companion.journal import secrets
from companion.journal.recent import Recent, recent
from companion.journal.states import State, game_of
from companion.models import Seat, Status, Table
from companion.tables.seats import shown_name
from companion.titles import screen_of
from companion.titles.base import Screen
from games.core.game import AnyGame


@dataclass(frozen=True, slots=True)
class Player:
    """A seat's player with display names."""

    faction: str
    faction_name: str
    name: str
    is_free: bool = False


class Snapshot:
    """A table after one entry, by default the newest. It has no secrets: those are with the `Viewer`.

    Query results are cached, so that each query runs at most once.
    """

    def __init__(self, table: Table, at: int | None = None) -> None:
        self.table = table
        self.at = table.head if at is None else at  # the entry after which the table is shown
        self.game: AnyGame = game_of(table)
        self.screen: Screen = screen_of(table)
        self.seats: Sequence[Seat] = seats_of(table)

    @property
    def started(self) -> bool:
        return self.table.setup is not None

    @property
    def is_open(self) -> bool:
        return self.table.status == Status.OPEN

    @property
    def is_playing(self) -> bool:
        return self.table.status == Status.PLAYING

    @property
    def is_newest(self) -> bool:
        return self.at == self.table.head

    @cached_property
    def players(self) -> dict[str, Player]:
        """The players by faction, in seat order."""
        return {
            seat.faction: Player(
                seat.faction, self.faction_name(seat.faction), shown_name(seat), is_free=not seat.token_hash
            )
            for seat in self.seats
            if seat.faction
        }

    def faction_name(self, faction: str) -> str:
        return wording.name(self.game, "faction", faction)

    @cached_property
    def public_state(self) -> State:
        """The state without secrets."""
        return secrets.public(self.table, self.at)

    @cached_property
    def recent(self) -> Recent:
        """The newest part of the journal, regardless of the entry that is shown."""
        return recent(self.table)

    @property
    def state_key(self) -> Hashable:
        """Cache key for fragments that show nothing but the public state."""
        return self.table.code, self.at

    @property
    def version_key(self) -> Hashable:
        """Cache key for fragments that show more than the state: names, the newest entry."""
        return self.table.code, self.table.version, self.at

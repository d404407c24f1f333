"""The phone that looks at a table: whose secrets it sees, and what it may do."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

from companion.access.table_access import TableAccess
from companion.journal import secrets
from companion.journal.states import State, memoised, state_at
from companion.models import Entry
from companion.pages.table.snapshot import Snapshot
from companion.tables.hosting import is_host_gone


class Viewer:
    """A phone with its access to a table."""

    def __init__(
        self, snapshot: Snapshot, access: TableAccess, *, scribe: bool = False, shown_to: str | None = None
    ) -> None:
        self.snapshot = snapshot
        self.table = snapshot.table
        self.access = access
        self.is_scribe = scribe and access.is_host
        self.shown_to = shown_to  # the faction that has revealed its secrets on this shared phone

    # Permissions

    def mine(self) -> list[str]:
        """Return the factions that this phone enters for."""
        seats = self.snapshot.seats if self.is_scribe else self.access.seats
        return [seat.faction for seat in seats]

    @property
    def may_enter(self) -> bool:
        """True for seated players and the host."""
        return self.access.is_seated or self.access.is_host

    @property
    def may_correct(self) -> bool:
        return self.may_enter and not self.table.ended_by_host

    @property
    def may_compare(self) -> bool:
        """True if this phone may compare the app with the real table."""
        has_walk = self.snapshot.screen.walk is not None
        return self.snapshot.started and has_walk and self.may_correct

    @property
    def may_become_host(self) -> bool:
        return not self.access.is_host and self.access.is_seated and is_host_gone(self.table)

    def may_change(self, entry: Entry) -> bool:
        """Return False if the content of an entry is hidden from this phone."""
        return entry.number not in self._hidden

    # Secrets

    @property
    def is_shared(self) -> bool:
        """True if several seats with secrets from each other share this phone."""
        return bool(self.snapshot.game.secrets) and len(self.mine()) > 1

    @cached_property
    def faction(self) -> str | None:
        """The faction whose secrets are shown: the phone's seat, or on a shared phone the one that revealed them."""
        faction = self.shown_to if self.is_shared else next(iter(self.access.factions), None)
        seat = self.access.seat_for(faction) if faction else None
        return secrets.viewer_of(self.table, seat, self.snapshot.at)

    @cached_property
    def state(self) -> State:
        """The state with the secrets that this phone may see."""
        state = state_at(self.table, self.snapshot.at)
        return memoised(self.snapshot.game.view, state, self.faction)

    @cached_property
    def sees_secrets(self) -> bool:
        """True if the viewer sees more than the public state."""
        return bool(self.faction) and self.state != self.snapshot.public_state

    @property
    def key(self) -> Hashable:
        """Cache key for fragments that may show the viewer's secrets."""
        return self.table.code, self.snapshot.at, self.faction if self.sees_secrets else None

    @cached_property
    def _hidden(self) -> secrets.Hidden:
        """The entries whose content this phone may not see."""
        return secrets.hidden_from(self.table, self.access.seats)

    def covered_factions(self) -> list[str]:
        """Return the factions that can reveal their secrets on this shared phone."""
        if not self.is_shared or self.faction:
            return []
        hidden = secrets.hidden_entries(self.table)
        hiding = {faction for number, faction in hidden.items() if number not in self._hidden}
        return [faction for faction in self.access.factions if faction in hiding]

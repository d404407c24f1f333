"""The table page: everything that its views and templates show."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

from companion import wording
from companion.access.table_access import TableAccess
from companion.models import Table
from companion.pages.table.board_tab import BoardTab
from companion.pages.table.changes import Changes
from companion.pages.table.entry_texts import EntryTexts
from companion.pages.table.prompt_forms import PromptForms
from companion.pages.table.seating import Seating
from companion.pages.table.snapshot import Player, Snapshot
from companion.pages.table.standings import Standings
from companion.pages.table.table_options import TableOptions
from companion.pages.table.tasks import Task, tasks_of
from companion.pages.table.timers import Timers
from companion.pages.table.turn import Turn
from companion.pages.table.viewer import Viewer


class TablePage:
    """A table as seen by one phone: the snapshot, the viewer, and the parts of the page."""

    def __init__(
        self,
        table: Table,
        access: TableAccess,
        *,
        scribe: bool = False,
        at: int | None = None,
        shown_to: str | None = None,
    ) -> None:
        self.table = table
        self.access = access
        self.snapshot = snapshot = Snapshot(table, at)
        self.at = snapshot.at
        self.game = snapshot.game
        self.screen = snapshot.screen
        self.seats = snapshot.seats
        self.viewer = viewer = Viewer(snapshot, access, scribe=scribe, shown_to=shown_to)
        self.texts = EntryTexts(snapshot)
        self.seating = Seating(snapshot)
        self.options = TableOptions(snapshot)
        self.standings = Standings(snapshot)
        self.timers = Timers(snapshot)
        self.board = BoardTab(viewer)
        self.turn = Turn(viewer)
        self.forms = PromptForms(viewer, self.turn)
        self.changes = Changes(viewer, self.texts)

    @property
    def started(self) -> bool:
        return self.snapshot.started

    @property
    def is_open(self) -> bool:
        return self.snapshot.is_open

    @property
    def is_playing(self) -> bool:
        return self.snapshot.is_playing

    @property
    def phase_name(self) -> str:
        return wording.name(self.game, "phase", self.table.phase)

    @property
    def players(self) -> dict[str, Player]:
        return self.snapshot.players

    @property
    def winners(self) -> list[Player]:
        return [self.players[faction] for faction in self.table.winners if faction in self.players]

    @property
    def rematch(self) -> Table | None:
        """The latest rematch of this table, once its game has ended."""
        return None if self.is_open or self.is_playing else self.table.rematches.order_by("-pk").first()

    @cached_property
    def tasks(self) -> list[Task]:
        return tasks_of(self.viewer, self.texts)

    # Cache keys of fragments

    @property
    def state_key(self) -> Hashable:
        return self.snapshot.state_key

    @property
    def version_key(self) -> Hashable:
        return self.snapshot.version_key

    @property
    def viewer_key(self) -> Hashable:
        return self.viewer.key

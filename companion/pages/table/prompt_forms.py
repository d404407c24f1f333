"""The form of a faction that has a prompt, and the cover of a secret one on a shared phone."""

from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Max

from companion import wording
from companion.pages.table.page_cache import cached
from companion.pages.table.turn import Turn
from companion.pages.table.viewer import Viewer
from games.core.prompts import Prompt


class PromptForms:
    """The forms with which a phone answers the prompts of its factions."""

    def __init__(self, viewer: Viewer, turn: Turn) -> None:
        self._viewer = viewer
        self._snapshot = viewer.snapshot
        self._turn = turn

    def entry_form(self, wanted: str | None) -> dict[str, Any]:
        """Return the form of one prompted faction of this phone, or its cover if secret; neither if none."""
        prompted = [player.faction for player in self._turn.prompted_players]
        if not prompted or self._snapshot.table.ended_by_host:
            return {"form": None, "cover": None}
        faction = wanted if wanted in prompted else prompted[0]
        if self._is_covered(faction):
            return {"form": None, "cover": self._snapshot.players[faction]}
        return {"form": self.form_for(faction), "cover": None}

    def form_for(self, faction: str) -> dict[str, Any]:
        """Return the entry form of a faction, which must have a prompt in the shown state."""
        snapshot, viewer = self._snapshot, self._viewer
        prompts = self._prompts(faction)
        screen = cached(
            "screen", (viewer.key, faction), lambda: snapshot.screen.prompt(viewer.state, prompts)
        )
        return {
            "faction": faction,
            "player": snapshot.players[faction],
            "title": wording.render(snapshot.game, prompts[0].title),
            "rules": list(dict.fromkeys(prompt.rule for prompt in prompts)),
            "key": uuid.uuid4().hex,
            "id": f"entry-{snapshot.at}-{faction}",
            "draft": f"{faction}-{prompts[0].action}-{self._last_entry_of(faction)}",
            "template": f"{snapshot.screen.folder}/prompt.html",
            "screen": screen,
            "buttons": screen["buttons"],
        }

    def _is_covered(self, faction: str) -> bool:
        viewer = self._viewer
        return viewer.is_shared and viewer.shown_to != faction and self._has_secret_prompt(faction)

    def _has_secret_prompt(self, faction: str) -> bool:
        return any(prompt.action in self._snapshot.game.secrets for prompt in self._prompts(faction))

    def _prompts(self, faction: str) -> list[Prompt]:
        viewer = self._viewer
        prompts = cached("prompts", viewer.key, lambda: self._snapshot.game.prompts(viewer.state))
        return [prompt for prompt in prompts if prompt.faction == faction]

    def _last_entry_of(self, faction: str) -> int:
        """Return the number of a faction's last entry, 0 if none; drafts are stored under it."""
        snapshot = self._snapshot
        if snapshot.is_newest:
            for entry in snapshot.recent.summaries:
                if entry.faction == faction:
                    return entry.number
        own = snapshot.table.entries.filter(faction=faction, undone=False, number__lte=snapshot.at)
        return own.aggregate(last=Max("number"))["last"] or 0

"""Helpers at work (5.10)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from companion import wording
from companion.titles.signoria.board.columns import Helper
from companion.titles.signoria.forms import texts
from companion.titles.signoria.forms.base import YesOrNoForm
from games.core.prompts import Prompt
from games.signoria.helpers import next_helper
from games.signoria.pieces import MAN
from games.signoria.state import State, frame_data, in_cities


class HelperForm(YesOrNoForm):
    action = "helper"
    field = "use"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        space = next_helper(state)
        note = wording.capital(Helper(space, 0, is_there=True).description) if space else ""
        if space and space.kind == "progress-die":
            note = f"{note} ({texts.progress(frame_data(state)['die'])})"
        elif space and space.kind == "vp-per-man":
            note = f"{note} ({texts.points(in_cities(state, prompt.faction, MAN))})"
        return self.yes_or_no_part(prompt, _("Use the helper"), _("Do not"), note)

"""Score pads: the score sheet and the forms that fill it in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext_noop

from companion.titles.base import Screen
from companion.titles.pad.forms import PadForms
from companion.titles.pad.sheet import ScoreSheet
from games.core.game import AnyGame
from games.core.pads import Sheet


@dataclass(frozen=True)
class Pad:
    """The score pad of a game."""

    game: AnyGame
    sheet: Sheet

    @cached_property
    def screen(self) -> Screen:
        forms = PadForms(self.game)
        return Screen(
            folder="pad",
            css=("css/calculators.css", "css/pad.css"),
            js=("js/calculators.js",),
            hint=gettext_noop(
                "The sheet as it was filled in so far. What is wrong is changed under Journal."
            ),
            board=ScoreSheet(self.game, self.sheet).context,
            prompt=forms.context,
            parse=forms.parse,
            fill=forms.fill,
        )

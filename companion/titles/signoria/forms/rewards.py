"""Rewards of a round (5.12)."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from companion.titles.signoria.forms import texts
from companion.titles.signoria.forms.base import WayForm, YesOrNoForm, encode, ways_of
from companion.titles.signoria.forms.widgets import Choice, Group
from companion.titles.signoria.names import title
from games.core.prompts import Prompt
from games.signoria.florins import FLORINS
from games.signoria.rewards import BOUGHT, LATER_FLORINS, PRICE, tile_of
from games.signoria.state import State, brides, florins, printed


class RewardForm(WayForm):
    action = "reward"
    panels = ("tracks", "cities")

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        tile = title("reward", tile_of(state))
        words = {
            ("tile", "after"): (tile, _("then the wedding")),
            ("tile", "before"): (tile, _("after the wedding")),
            ("florins", "after"): (texts.florins(FLORINS), _("and the wedding")),
        }
        choices = []
        for way in ways_of(prompt):
            label, detail = words[str(way["take"]), str(way["bonuses"])]
            symbol = "florins" if way["take"] == "florins" else "task"
            choices.append(Choice(encode(way), label, detail, symbol))
        group = Group("", tuple(choices), note=_wedding(state, prompt.faction))
        return self.ways_part(prompt, _("Take the reward"), [group])


def _wedding(state: State, faction: str) -> str:
    """Return sentences about the gains of the wedding and the round."""
    married = brides(state, faction)
    sentences = []
    if married < printed(state).descendants:
        points = printed(state).portrait_points(married + 1)
        template = (
            _("The wedding brings a bride and %(points)s.") if points else _("The wedding brings a bride.")
        )
        sentences.append(template % {"points": texts.points(points)})
    if state.round > 1:
        sentences.append(_("The round brings %(florins)s more.") % {"florins": texts.florins(LATER_FLORINS)})
    return " ".join(sentences)


class BuyForm(YesOrNoForm):
    action = "buy"
    field = "buy"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        have = florins(state, prompt.faction)
        note = _("You have %(have)s and would keep %(left)s.") % {
            "have": texts.florins(have),
            "left": texts.florins(have - PRICE),
        }
        return self.yes_or_no_part(
            prompt, _("Buy %(count)d points") % {"count": BOUGHT}, _("Buy nothing"), note
        )

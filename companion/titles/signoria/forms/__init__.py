"""Entry forms of Signoria: one module per chapter of the rules, one class per action.

A screen has one part per prompt: a choice of ways (a die, then its action), faces of dice, cards assigned to
places, a multiple choice, progress of men on tracks, or a yes or no. Choices show their costs and gains.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.titles.entry_forms import EntryForms
from companion.titles.signoria.forms.cities import CityActionForm, DrawForm, MarriageForm, MissionForm
from companion.titles.signoria.forms.helpers import HelperForm
from companion.titles.signoria.forms.members import DescendantsForm, GainForm
from companion.titles.signoria.forms.preparation import DealForm, RefillForm, RollForm
from companion.titles.signoria.forms.progress import ProgressForm
from companion.titles.signoria.forms.rewards import BuyForm, RewardForm
from companion.titles.signoria.forms.setup import BoardsForm, OrderForm, RewardTilesForm, UnusedForm
from companion.titles.signoria.forms.turn import ErrandForm, HireForm, PassForm, TakeForm
from games.core.prompts import Prompt
from games.signoria.preparation import PARTS as PREPARATION
from games.signoria.setup import PROMPTS as SET_UP
from games.signoria.state import State

FORMS = EntryForms(
    # 3
    OrderForm(),
    UnusedForm(),
    RewardTilesForm(),
    BoardsForm(),
    # 4
    RefillForm(),
    RollForm(),
    DealForm(),
    # 5.1 to 5.3
    TakeForm(),
    PassForm(),
    HireForm(),
    ErrandForm(),
    # 5.4 and 5.5
    ProgressForm(),
    # 5.6, 5.7 and 5.11
    MissionForm(),
    MarriageForm(),
    CityActionForm(),
    DrawForm(),
    # 5.8
    DescendantsForm(),
    GainForm(),
    # 5.10
    HelperForm(),
    # 5.12
    RewardForm(),
    BuyForm(),
)
_WHOLE_TABLE = (*SET_UP, *PREPARATION)  # actions that any player enters for all


def prompt_context(state: State, prompts: Sequence[Prompt]) -> dict[str, Any]:
    """Return the data of ``prompt.html`` for one player's prompts: the first expanded, others collapsed.

    Passing is a button beside those of the first part.
    """
    first = prompts[0]
    parts = [FORMS[prompt.action].context(state, prompt) for prompt in prompts]
    shown = [part for part in parts if part["type"] != PassForm.action]
    passing = [part for part in parts if part["type"] == PassForm.action]
    return {
        "id": f"{first.action}-{first.faction}",
        "faction": first.faction,
        "parts": shown,
        "buttons": [button for part in (*shown[:1], *passing) for button in part["buttons"]],
        "whole_table": first.action in _WHOLE_TABLE,
        "forecast": parts[0]["forecast"],
        "shows_own": state.round > 0,
        "panels": parts[0]["panels"],
    }

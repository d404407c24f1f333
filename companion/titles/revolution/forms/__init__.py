"""Entry forms of Revolution: a class per action, a module per phase of the rulebook.

Most forms assign numbers to places; others are single or multiple choices, or layouts of counters. The widgets
that ``prompt.html`` renders are in ``widgets``, base classes and number parsing in ``base``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.titles.entry_forms import EntryForms
from companion.titles.revolution.forms import movement
from companion.titles.revolution.forms.army_movement import MarchForm
from companion.titles.revolution.forms.beggars import BeggarsForm, HireForm
from companion.titles.revolution.forms.completing import CompleteForm
from companion.titles.revolution.forms.conflict import LossesForm
from companion.titles.revolution.forms.draft import DraftForm
from companion.titles.revolution.forms.influence import InfluenceForm
from companion.titles.revolution.forms.maintenance import MaintainForm, PillageForm
from companion.titles.revolution.forms.military_influence import ConvertForm
from companion.titles.revolution.forms.movement import (
    DisputeForm,
    LayoutForm,
    MovementForm,
    SettledForm,
    StepForm,
)
from companion.titles.revolution.forms.neutrals import ShortageForm
from companion.titles.revolution.forms.new_units import PlaceForm
from companion.titles.revolution.forms.overflow import OverflowForm
from companion.titles.revolution.forms.recruiting import RecruitForm
from companion.titles.revolution.forms.setup import StartArmiesForm
from companion.titles.revolution.forms.sieges import BesiegeForm
from companion.titles.revolution.forms.support import InterceptForm, SupportForm
from companion.titles.revolution.forms.taxes import TaxForm
from games.core.prompts import Prompt
from games.revolution.state import State

FORMS = EntryForms(
    StartArmiesForm(),
    TaxForm(),
    SupportForm(),
    InterceptForm(),
    MaintainForm(),
    PillageForm(),
    RecruitForm(),
    BesiegeForm(),
    HireForm(),
    BeggarsForm(),
    MarchForm(),
    ConvertForm(),
    PlaceForm(),
    LossesForm(),
    ShortageForm(),
    OverflowForm(),
    LayoutForm(),
    DisputeForm(),
    StepForm(),
    SettledForm(),
    CompleteForm(),
    InfluenceForm(),
    DraftForm(),
)


def prompt_context(state: State, prompts: Sequence[Prompt]) -> dict[str, Any]:
    """Return the data of ``prompt.html`` for one faction's prompts."""
    prompt = prompts[0]
    form = FORMS[prompt.action]
    if isinstance(form, MovementForm):
        return movement.screen(state, prompts)
    return {"id": f"{prompt.action}-{prompt.faction}", **form.context(state, prompt)}

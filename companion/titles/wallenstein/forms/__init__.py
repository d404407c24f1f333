"""Entry forms of Wallenstein, one class per action, in modules by chapters of the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.titles.entry_forms import EntryForms
from companion.titles.wallenstein.board import progress
from companion.titles.wallenstein.event_notes import event_note
from companion.titles.wallenstein.forms.actions import MoveForm, RecruitForm, RevealForm
from companion.titles.wallenstein.forms.battles import DefendForm, ThrowForm
from companion.titles.wallenstein.forms.planning import AnnounceForm, PlanForm
from companion.titles.wallenstein.forms.season import EventForm, EventsForm, OrderForm, RowForm, TurnForm
from companion.titles.wallenstein.forms.setup import DraftForm, FillForm, OpenForm, ReplaceForm, TakeForm
from companion.titles.wallenstein.forms.winter import HungerForm
from companion.titles.wallenstein.names import event_title
from games.core.prompts import Prompt
from games.wallenstein.learning import Prior
from games.wallenstein.state import State


def forms_with(prior: Callable[[], Prior]) -> EntryForms:
    """Return the forms of all actions; ``prior`` is called only for odds."""
    return EntryForms(
        FillForm(),
        TakeForm(),
        OpenForm(),
        ReplaceForm(),
        DraftForm(),
        EventsForm(),
        RowForm(),
        AnnounceForm(),
        PlanForm(),
        OrderForm(),
        EventForm(),
        TurnForm(),
        RevealForm(),
        RecruitForm(),
        MoveForm(),
        DefendForm(prior),
        ThrowForm(prior),
        HungerForm(),
    )


def prompt_context(forms: EntryForms, state: State, prompts: Sequence[Prompt]) -> dict[str, Any]:
    """Return the data of ``prompt.html`` for a player's prompts."""
    first, *others = prompts
    context = forms[first.action].context(state, first)
    for other in others:  # replacing the open cards before a draft
        more = forms[other.action].context(state, other)
        context |= {"others": more["widgets"], "buttons": [*context["buttons"], *more["buttons"]]}
    return {
        "id": f"{first.action}-{first.faction}",
        "faction": first.faction,
        "progress": progress(state),
        "event": event_title(state.current) if state.current else "",
        "event_note": event_note(state, first),
        **context,
    }

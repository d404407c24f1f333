"""Movement inside provinces (5.6, 6.14). All its actions share one screen with a layout table per province."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Button, Form
from companion.titles.entry_forms import EntryForm, Fields, button_argument
from companion.titles.revolution.forms.base import numbers
from companion.titles.revolution.forms.texts import name_in_province
from companion.titles.revolution.forms.widgets import Field, Layout, Place
from companion.titles.revolution.names import name, place_name
from games.core.prompts import Prompt
from games.revolution.movement import IN_TOWN, movers
from games.revolution.state import State, atlas, countable, counters, everybody, open_places

MOST = 60  # counters of an owner at a place; more than there are


def screen(state: State, prompts: Sequence[Prompt]) -> dict[str, Any]:
    """Return the screen of the phase: provinces in which this faction is to move, then those without a layout."""
    bounds = {prompt.action: prompt.fields[0].bounds() for prompt in prompts if prompt.fields}
    steps = bounds["step"]["provinces"] if "step" in bounds else {}
    layouts = bounds["layout"]["provinces"] if "layout" in bounds else {}
    disputable = bounds["dispute"]["options"] if "dispute" in bounds else ()
    tables = [_layout(state, slug, "step") for slug in steps]
    tables += [_layout(state, slug, "layout", can_dispute=slug in disputable) for slug in layouts]
    may_settle = any(prompt.action == "settled" for prompt in prompts)
    # A long press, because it ends the phase for everybody.
    settled = Button("settled", _("Hold: everything else stays"), hold=True)
    return {
        "id": "movement",
        "kind": "layouts",
        "layouts": tables,
        "may_settle": may_settle,
        "buttons": [settled] if may_settle else [],
    }


def _layout(state: State, slug: str, action: str, *, can_dispute: bool = False) -> Layout:
    province = atlas(state).provinces[slug]
    totals = countable(state, province)
    owners = [owner for owner in everybody(state) if totals[owner]]
    return Layout(
        slug,
        name("province", slug),
        tuple((owner, totals[owner]) for owner in owners),
        tuple(_place(state, slug, place, owners) for place in open_places(state, province)),
        action,
        can_dispute,
        ", ".join(name("faction", mover) for mover in movers(state, province)),
    )


def _place(state: State, province: str, place: str, owners: Sequence[str]) -> Place:
    fields = tuple(
        Field(
            f"l|{province}|{place}|{owner}",
            f"{place_name(place)}, {name('faction', owner)}",
            counters(state, owner, place),
        )
        for owner in owners
    )
    return Place(name_in_province(place), fields, IN_TOWN if place.startswith("town:") else MOST)


class MovementForm(EntryForm):
    """An action of the phase. Alone, it shows only its own part of the screen."""

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        return screen(state, [prompt])


class LayoutForm(MovementForm):
    """The layout of a province, in the fields ``l|<province>|<place>|<owner>``; the button names the province."""

    action = "layout"

    def parse(self, form: Form) -> Fields:
        province = button_argument(form)
        layout: dict[str, Fields] = {}
        for key, count in numbers(form, f"l|{province}|").items():
            place, _bar, owner = key.partition("|")
            layout.setdefault(place, {})[owner] = count
        return {"province": province, "layout": layout}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {
            f"l|{action['province']}|{place}|{owner}": count
            for place, owners in action["layout"].items()
            for owner, count in owners.items()
        }


class DisputeForm(MovementForm):
    """The announcement that factions move one after the other; the button names the province."""

    action = "dispute"

    def parse(self, form: Form) -> Fields:
        return {"province": button_argument(form)}

    def fill(self, _action: Mapping[str, Any]) -> Fields:
        return {}  # a button without fields


class StepForm(LayoutForm):
    """The layout of a disputed province after one faction has moved."""

    action = "step"


class SettledForm(MovementForm):
    """The end of the phase."""

    action = "settled"

    def parse(self, _form: Form) -> Fields:
        return {}

    def fill(self, _action: Mapping[str, Any]) -> Fields:
        return {}  # a button without fields

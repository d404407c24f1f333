"""Progress points: men climb career tracks, the disc rises on the initiative track (5.4 and 5.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from companion.titles.base import Form
from companion.titles.entry_forms import Fields
from companion.titles.signoria.forms import texts
from companion.titles.signoria.forms.base import PartForm, named, number
from companion.titles.signoria.forms.widgets import Climber
from companion.titles.signoria.names import title
from games.core.codec import Json
from games.core.prompts import Prompt
from games.signoria.pieces import INITIATIVE
from games.signoria.progress import FLORIN_SPACE, FLORINS, INITIATIVE_SPACE
from games.signoria.state import State, printed


class ProgressForm(PartForm):
    """Steps of men and of the disc: ``c.church.5.0`` is the climb of the first man on space 5, 0 is the reserve."""

    action = "progress"
    kind = "climbs"
    panels = ("tracks",)
    has_forecast = True

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        bounds = prompt.fields[0].bounds()
        entering = _entering(bounds)
        careers = len(bounds["tops"])
        return self.part(
            prompt,
            self.button(_("Use the points")),
            points=bounds["points"],
            lines=[*_climbing(state, bounds), *entering[:careers], *_disc(bounds)],
            more=entering[careers:],
            note=_bonus_note() if careers else "",
            may_stay=bool(careers),
        )

    def parse(self, form: Form) -> Fields:
        climbs = []
        for key, text in named(form, "c.").items():
            career, at, _man = (*key.split("."), "", "")[:3]
            if steps := number(text):
                climbs.append((career, number(at), number(at) + steps))
        return {
            "climbs": [{"career": career, "at": at, "to": to} for career, at, to in sorted(climbs)],
            "initiative": number(form.get("initiative", "")),
            "stay": form.get("stay", "") == "on",
        }

    def fill(self, action: Mapping[str, Any]) -> Fields:
        """Return the climbs; men from the same space get consecutive numbers."""
        fields: Fields = {}
        for climb in action["climbs"]:
            start = f"c.{climb['career']}.{climb['at']}."
            fields[f"{start}{sum(key.startswith(start) for key in fields)}"] = climb["to"] - climb["at"]
        if action.get("initiative"):
            fields["initiative"] = action["initiative"]
        return fields | ({"stay": "on"} if action.get("stay") else {})


def _climbing(state: State, bounds: Mapping[str, Json]) -> list[Climber]:
    """Return the men on tracks who can go on."""
    climbers = []
    for man in bounds["men"]:
        career, at = man["career"], man["at"]
        top = bounds["tops"][career]
        most = min(bounds["points"], top - at)
        rank = printed(state).rank(career, at)
        detail = _("space %(at)d of %(top)d, rank %(rank)d") % {"at": at, "top": top, "rank": rank}
        climbers += [
            Climber(f"c.{career}.{at}.{i}", title("track", career), most, detail, career)
            for i in range(man["count"])
            if most
        ]
    return climbers


def _entering(bounds: Mapping[str, Json]) -> list[Climber]:
    """Return the men who can enter a track, first one per career."""
    points = bounds["points"]
    detail = _("a man from your reserve")
    return [
        Climber(f"c.{career}.0.{i}", title("track", career), min(points, top), detail, career)
        for i in range(min(points, bounds["reserve"]))
        for career, top in bounds["tops"].items()
    ]


def _disc(bounds: Mapping[str, Json]) -> list[Climber]:
    below = bounds["initiative"]
    if not below:
        return []
    detail = _("your disc, %(count)d below the top") % {"count": below}
    return [
        Climber("initiative", title("track", INITIATIVE), min(bounds["points"], below), detail, INITIATIVE)
    ]


def _bonus_note() -> str:
    return _("Space %(florin)d brings %(florins)s, space %(step)d a step of initiative.") % {
        "florin": FLORIN_SPACE,
        "florins": texts.florins(FLORINS),
        "step": INITIATIVE_SPACE,
    }

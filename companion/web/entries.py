"""Template data for journal entries and notices."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from companion import wording
from companion.journal.marks import marks_of
from companion.models import Entry, Notice
from companion.tables.seats import NAME_PARAMS
from games.core.steps import Step, read_step


def shown_step(game: wording.Speaker, step: Step) -> dict[str, Any]:
    """Return a step with its inner steps as template data."""
    return {
        "rule": step.rule,
        "text": wording.render(game, step.message),
        "options": [wording.option_title(game, name) for name in step.options],
        "steps": [shown_step(game, inner) for inner in step.steps],
        "key": step.key,
        "ruling": wording.reason(step.ruling) if step.ruling else "",
    }


def shown_steps(game: wording.Speaker, entry: Entry | None) -> list[dict[str, Any]]:
    """Return the steps of an entry as template data; empty at the start of the game."""
    return [shown_step(game, read_step(step)) for step in entry.steps] if entry else []


MARKS = {  # icon and text per mark
    "correction": ("correct", gettext_noop("corrected by hand")),
    "option": ("option", gettext_noop("table option")),
    "figure": ("board", gettext_noop("printed figure")),
    "position": ("board", gettext_noop("position")),
    "mended": ("mend", gettext_noop("changed afterwards")),
    "overruled": ("overrule", gettext_noop("ruled by the table")),
}


def shown_marks(entry: Entry) -> list[tuple[str, str]]:
    """Return icon and text of each mark of an entry (corrected, changed afterwards, ...)."""
    return [(icon, _(word)) for icon, word in map(MARKS.__getitem__, marks_of(entry))]


NOTICES = {  # translated when rendered
    "seat-taken": gettext_noop("{new} has taken the seat of {old}."),
    "seat-freed": gettext_noop("{name} has left; the seat is free."),
    "seat-moved": gettext_noop("{name} plays on another phone now."),
    "seat-taken-over": gettext_noop("The host moved the seat of {name} to another phone."),
    "host-handed-over": gettext_noop("{name} is the host now."),
    "host-taken-over": gettext_noop("The host was gone; {name} is the host now."),
    "finished-early": gettext_noop("The host ended the game early; it counts as it stood."),
    "abandoned": gettext_noop("The host gave the game up."),
    "reopened": gettext_noop("The host reopened the game."),
    "mended": gettext_noop("Entry {number} was changed afterwards. {reason}"),
    "left-out": gettext_noop("Entry {number} was left out afterwards. {reason}"),
    "no-longer-held": gettext_noop("After that change these entries no longer held: {numbers}."),
    "compared": gettext_noop("Compared with the real table: places {places}, corrections {corrections}."),
}


def notice_text(notice: Notice) -> str:
    params = dict(notice.params)
    params |= {key: params[key] or _("Somebody") for key in NAME_PARAMS if key in params}
    if "reason" in params:
        params["reason"] = wording.reason(params["reason"])
    return _(NOTICES[notice.code]).format(**params)

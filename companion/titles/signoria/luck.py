"""Report section about the dice: luck of each player, and how often each face came up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.charts.course import Course
from companion.charts.luck import (
    Kind,
    Luck,
    add_up,
    interval_text,
    luck_chart,
    observed_share,
    percent,
    usual_note,
)
from companion.charts.plots import shares_plot
from companion.charts.sections import Cell, Chart, Grid, Section
from companion.models import Entry
from games.signoria.actions import Descendants, Roll
from games.signoria.dice import FACES

MEAN = sum(FACES) / len(FACES)
VARIANCE = sum((face - MEAN) ** 2 for face in FACES) / len(FACES)


class Rolled(NamedTuple):
    """The dice of one entry; the faction is empty for dice that all players use."""

    faction: str
    faces: tuple[int, ...]


def rolls_of(entries: Iterable[Entry]) -> Iterator[Rolled]:
    """Yield the rolls: action dice are shared, white dice belong to the player with descendants."""
    for entry in entries:
        if entry.action["type"] == Roll.type:
            dice = entry.action["dice"]
            yield Rolled("", tuple(face for colour in sorted(dice) for face in dice[colour]))
        elif entry.action["type"] == Descendants.type:
            yield Rolled(entry.faction, tuple(entry.action["dice"]))


def pips_of(rolls: Iterable[Rolled]) -> dict[str, Luck]:
    """Return the luck in pips: the sum of the dice against 3.5 each."""
    return add_up(
        (
            roll.faction,
            Luck(len(roll.faces), sum(roll.faces), MEAN * len(roll.faces), VARIANCE * len(roll.faces)),
        )
        for roll in rolls
        if roll.faces
    )


def dice_section(course: Course) -> Section | None:
    """Build the section about the dice: in all, for each player's descendants, and by face."""
    rolls = list(rolls_of(course.entries()))
    sums = pips_of(rolls)
    if not sums:
        return None
    own = {faction: luck for faction, luck in sums.items() if faction}
    kind = Kind("dice-own", _("Descendants"), _("Pips"), _("Dice"))
    charts = [luck_chart(course, kind, own)] if own else []
    charts.append(_faces_chart(rolls))
    notes = [usual_note()] if own else []
    notes.append(_("The strokes reach as far as chance alone may, nine times in ten; ×20 is of 20 dice."))
    return Section(
        "dice", _("Luck with the dice"), _dice_sentences(sums), charts, notes=notes, choice=bool(own)
    )


def _dice_sentences(sums: Mapping[str, Luck]) -> list[str]:
    whole = sum(sums.values(), Luck())
    template = ngettext(
        "%(count)d die showed %(sum)d in all; %(expected)s was to be expected, %(strays)s more or less is usual.",
        "%(count)d dice showed %(sum)d in all; %(expected)s was to be expected, %(strays)s more or less is usual.",
        whole.tries,
    )
    usual = {
        "expected": wording.localized(f"{whole.expected:g}"),
        "strays": wording.localized(f"{whole.deviation:.1f}"),
    }
    return [template % {"count": whole.tries, "sum": whole.actual, **usual}]


def _faces_chart(rolls: Iterable[Rolled]) -> Chart:
    faces = Counter(face for roll in rolls for face in roll.faces)
    whole = faces.total()
    plot = shares_plot(
        [observed_share(face, faces[face], whole)._replace(observations=faces[face]) for face in FACES],
        [(FACES[0] - 0.5, 1 / len(FACES)), (FACES[-1] + 0.5, 1 / len(FACES))],
        titles={"x": _("Face"), "y": _("Share of all dice")},
    )
    plot["data"][1] |= {"mode": "markers"}  # labels would touch the next error bar
    plot["layout"]["xaxis"] |= {
        "tickvals": list(FACES),
        "ticktext": [f"{face}<br>×{faces[face]}" for face in FACES],
        "range": [FACES[0] - 0.5, FACES[-1] + 0.5],
    }
    plot["layout"]["xaxis"]["title"] |= {"standoff": 16}
    plot["layout"]["margin"] |= {"b": 68}
    heads = (_("Face"), _("Dice"), _("Share"), _("Sure to within"))
    rows = [
        [
            Cell(str(face)),
            Cell(str(faces[face])),
            Cell(percent(faces[face] / whole)),
            Cell(interval_text(faces[face], whole)),
        ]
        for face in FACES
    ]
    description = _("How often each face came up. The table below has the same numbers.")
    return Chart("dice-faces", description, plot, Grid([Cell(head) for head in heads], rows), _("All dice"))

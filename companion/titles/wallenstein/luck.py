"""Report sections about the tower: luck in battles, and whether the odds were right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.charts.course import Course
from companion.charts.luck import (
    PER_CENT,
    Kind,
    Luck,
    add_up,
    between,
    interval_text,
    luck_chart,
    observed_share,
    percent,
    usual_note,
)
from companion.charts.plots import shares_plot, signed
from companion.charts.sections import Cell, Chart, Grid, Section, Turn
from companion.models import Entry
from companion.titles.wallenstein.tower import prior_for
from games.core.steps import read_step
from games.wallenstein.actions import Throw
from games.wallenstein.luck import Side, Weighed, weigh

BINS = 5  # of chances; one game has too few throws for more
RARE = 2  # standard deviations
MOST_MOMENTS = 3  # of good luck, and as many of bad luck
AGAINST_ODDS = 0.6  # mention wins at a chance below 40% and losses at one above 60%


class Thrown(NamedTuple):
    """The entry of a throw, and its result compared with the odds."""

    entry: Entry
    weighed: Weighed


def throws_of(course: Course) -> list[Thrown]:
    """Return every throw of a battle; its odds use what the tower and earlier games had shown before it."""
    entries = course.entries()
    if not any(entry.action["type"] == Throw.type for entry in entries):
        return []
    prior = prior_for(course.table)
    throws = []
    for state, entry in zip(course.states, entries, strict=False):
        fallen = entry.action.get("fallen", {}) if entry.action["type"] == Throw.type else None
        weighed = weigh(state, fallen, prior) if fallen is not None else None
        if weighed:
            throws.append(Thrown(entry, weighed))
    return throws


def battles_of(throws: Iterable[Thrown]) -> dict[str, Luck]:
    """Return the luck in battles won: attackers win by taking the province, defenders by holding it."""
    return add_up((side.faction, _battle_luck(side)) for thrown in throws for side in thrown.weighed.sides)


def _battle_luck(side: Side) -> Luck:
    return Luck(1, side.won, side.chance, side.chance * (1 - side.chance))


def armies_of(throws: Iterable[Thrown]) -> dict[str, Luck]:
    """Return the luck in own cubes left after the battles."""
    return add_up(
        (side.faction, Luck(1, side.left, side.expected, side.strays**2))
        for thrown in throws
        for side in thrown.weighed.sides
    )


def luck_section(course: Course) -> Section | None:
    """Build the section about luck with the tower (battles, armies) and its most unlikely throws."""
    throws = throws_of(course)
    if not throws:
        return None
    battles, armies = battles_of(throws), armies_of(throws)
    charts = [
        luck_chart(course, Kind("luck-battles", _("Battles won"), _("Battles"), _("Throws")), battles),
        luck_chart(course, Kind("luck-armies", _("Armies left"), _("Armies"), _("Throws")), armies),
    ]
    sentences = _luck_sentences(course, battles, len(throws))
    notes = [
        _("Expected is what the odds said before each throw, from what the tower had shown until then."),
        usual_note(),
    ]
    turns = [_moment(course, thrown, side) for thrown, side in moments_of(throws)]
    return Section("luck", _("Luck with the tower"), sentences, charts, turns=turns, notes=notes, choice=True)


def _luck_sentences(course: Course, sums: Mapping[str, Luck], throws: int) -> list[str]:
    """Return sentences about the most and the least luck, and whether it exceeds two standard deviations."""
    counted = ngettext("%(count)d throw.", "%(count)d throws.", throws) % {"count": throws}
    first, last = max(sums, key=lambda f: sums[f].luck), min(sums, key=lambda f: sums[f].luck)
    sentence = _(
        "%(first)s had the most luck, %(most)s battles beyond what was to be expected; %(last)s the least, %(least)s."
    )
    if first == last:
        sentence = _("%(first)s won %(most)s battles beyond what was to be expected.")
    sentence %= {
        "first": course.name(first),
        "most": signed(sums[first].luck),
        "last": course.name(last),
        "least": signed(sums[last].luck),
    }
    sentence = f"{counted} {sentence}"
    beyond = [course.name(f) for f, luck in sums.items() if abs(luck.luck) > RARE * luck.deviation]
    if beyond:
        template = _("Chance alone does that less than one time in twenty: %(names)s.")
        return [sentence, template % {"names": ", ".join(beyond)}]
    return [sentence, _("Nothing of it is out of the ordinary.")]


# Throws against the odds


def moments_of(throws: Sequence[Thrown]) -> list[tuple[Thrown, Side]]:
    """Return the throws that went most against the odds, lucky and unlucky ones, in chronological order."""
    sides = [(thrown, side) for thrown in throws for side in thrown.weighed.sides]
    against = sorted(
        (pair for pair in sides if abs(pair[1].luck) > AGAINST_ODDS),
        key=lambda pair: (-abs(pair[1].luck), pair[0].entry.number),
    )
    chosen: dict[int, tuple[Thrown, Side]] = {}
    counts: Counter[bool] = Counter()
    for thrown, side in against:
        if thrown.entry.number not in chosen and counts[side.won] < MOST_MOMENTS:
            chosen[thrown.entry.number] = thrown, side
            counts[side.won] += 1
    return [chosen[number] for number in sorted(chosen)]


def _moment(course: Course, thrown: Thrown, side: Side) -> Turn:
    attacks = thrown.weighed.kind != "revolt" and side == thrown.weighed.sides[0]
    template = {
        (True, True): _("Lucky: %(name)s takes %(province)s at a chance of %(chance)s."),
        (True, False): _("Unlucky: %(name)s does not take %(province)s, at a chance of %(chance)s."),
        (False, True): _("Lucky: %(name)s holds %(province)s at a chance of %(chance)s."),
        (False, False): _("Unlucky: %(name)s does not hold %(province)s, at a chance of %(chance)s."),
    }[attacks, side.won]
    params = {
        "name": course.name(side.faction),
        "province": wording.name(course.game, "province", thrown.weighed.province),
        "chance": percent(side.chance),
    }
    return Turn(thrown.entry.number, template % params, side.faction, _strengths(course, thrown.entry))


def _strengths(course: Course, entry: Entry) -> str:
    """Return the sentence about the strengths of both sides."""
    steps = [read_step(step) for step in entry.steps]
    strengths = next((step for step in steps if step.message.code.startswith("strengths")), steps[0])
    return wording.render(course.game, strengths.message)


# Calibration of the odds


class Forecast(NamedTuple):
    """A predicted chance, and whether it came true."""

    chance: float
    came_true: bool


class Bin(NamedTuple):
    """Forecasts with a chance between ``low`` and ``high``."""

    low: float
    high: float
    chance: float  # on average
    came_true: int
    times: int


def forecasts_of(throws: Iterable[Thrown]) -> list[Forecast]:
    """Return one forecast per throw, that the thrower wins; more would not be independent."""
    return [Forecast(thrown.weighed.sides[0].chance, thrown.weighed.sides[0].won) for thrown in throws]


def bins_of(forecasts: Sequence[Forecast], bins: int = BINS) -> list[Bin]:
    """Group forecasts by chance; empty bins are omitted."""
    edges = [at / bins for at in range(bins + 1)]
    filled = []
    for at, (low, high) in enumerate(pairwise(edges)):
        inside = [forecast for forecast in forecasts if min(int(forecast.chance * bins), bins - 1) == at]
        if inside:
            chance = sum(forecast.chance for forecast in inside) / len(inside)
            filled.append(Bin(low, high, chance, sum(forecast.came_true for forecast in inside), len(inside)))
    return filled


def calibration_section(course: Course) -> Section | None:
    """Build the section that compares predicted chances with results."""
    forecasts = forecasts_of(throws_of(course))
    if not forecasts:
        return None
    bins = bins_of(forecasts)
    plot = shares_plot(
        [observed_share(PER_CENT * bin_.chance, bin_.came_true, bin_.times) for bin_ in bins],
        [(0, 0), (PER_CENT, 1)],
        titles={"x": _("Chance that was told"), "y": _("Came true")},
    )
    plot["layout"]["xaxis"] |= {"range": [0, PER_CENT], "dtick": 25, "ticksuffix": "%"}
    plot["layout"]["yaxis"] |= {"range": [0, PER_CENT], "dtick": 25}
    heads = (_("Chance"), _("Throws"), _("Told"), _("Came true"), _("Sure to within"))
    rows = [
        [
            Cell(between(bin_.low, bin_.high)),
            Cell(str(bin_.times)),
            Cell(percent(bin_.chance)),
            Cell(percent(bin_.came_true / bin_.times)),
            Cell(interval_text(bin_.came_true, bin_.times)),
        ]
        for bin_ in bins
    ]
    description = _(
        "Chances that were told against how often they came true. The table below has the same numbers."
    )
    chart = Chart("calibration", description, plot, Grid([Cell(head) for head in heads], rows))
    notes = [
        _("A chance is that whoever throws takes the province, or holds it in a revolt."),
        _(
            "On the dashed line chances are exactly right. The strokes reach as far as chance alone may, nine times in ten; ×4 is of 4 throws."
        ),
    ]
    return Section(
        "calibration", _("Whether the odds were right"), [_calibration_sentence(bins)], [chart], notes=notes
    )


def _calibration_sentence(bins: Sequence[Bin]) -> str:
    throws = sum(bin_.times for bin_ in bins)
    expected = sum(bin_.times * bin_.chance for bin_ in bins)
    template = ngettext(
        "Of %(count)d throw, %(expected)s should have been won by whoever threw; %(won)d was.",
        "Of %(count)d throws, %(expected)s should have been won by whoever threw; %(won)d were.",
        throws,
    )
    return template % {
        "count": throws,
        "expected": wording.localized(f"{expected:.1f}"),
        "won": sum(bin_.came_true for bin_ in bins),
    }

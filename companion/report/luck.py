"""Sections about luck with dice and with the tower: actual results against expected ones.

Luck is the sum of actual minus expected values. It is shown with its standard deviation, within which
chance alone stays about two times in three.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.charts.course import Course
from companion.charts.plots import LuckRow, ObservedShare, luck_plot, shares_plot, signed
from companion.charts.sections import Cell, Chart, Grid, Section, Turn
from companion.models import Entry
from companion.results.intervals import wilson
from companion.titles.wallenstein.tower import prior_for
from games.core.steps import read_step
from games.signoria.actions import Descendants, Roll
from games.signoria.dice import FACES
from games.wallenstein.actions import Throw
from games.wallenstein.luck import Side, Weighed, weigh

PER_CENT = 100
BINS = 5  # of chances; one game has too few throws for more
RARE = 2  # standard deviations
MOST_MOMENTS = 3  # of good luck, and as many of bad luck
AGAINST_ODDS = 0.6  # mention wins at a chance below 40% and losses at one above 60%


@dataclass(frozen=True, slots=True)
class Luck:
    """Actual and expected results of some tries, with the variance."""

    tries: int = 0
    actual: float = 0
    expected: float = 0
    variance: float = 0

    def __add__(self, other: Luck) -> Luck:
        return Luck(
            self.tries + other.tries,
            self.actual + other.actual,
            self.expected + other.expected,
            self.variance + other.variance,
        )

    @property
    def luck(self) -> float:
        return self.actual - self.expected

    @property
    def deviation(self) -> float:
        """The standard deviation; tries are independent, so their variances add up."""
        return sqrt(self.variance)


def add_up(parts: Iterable[tuple[str, Luck]]) -> dict[str, Luck]:
    """Return the total luck of each faction."""
    sums: dict[str, Luck] = defaultdict(Luck)
    for faction, luck in parts:
        sums[faction] += luck
    return dict(sums)


# The tower of Wallenstein


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
        _luck_chart(course, Kind("luck-battles", _("Battles won"), _("Battles"), _("Throws")), battles),
        _luck_chart(course, Kind("luck-armies", _("Armies left"), _("Armies"), _("Throws")), armies),
    ]
    sentences = _luck_sentences(course, battles, len(throws))
    notes = [
        _("Expected is what the odds said before each throw, from what the tower had shown until then."),
        _usual_note(),
    ]
    turns = [_moment(course, thrown, side) for thrown, side in moments_of(throws)]
    return Section("luck", _("Luck with the tower"), sentences, charts, turns=turns, notes=notes, choice=True)


def _usual_note() -> str:
    return _("A bar is what is usual: luck stays within it about two times in three.")


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


class Kind(NamedTuple):
    """Slug and texts of a luck chart."""

    slug: str
    title: str
    unit: str
    tries: str


def _luck_chart(course: Course, kind: Kind, sums: Mapping[str, Luck]) -> Chart:
    series = [player for player in course.series if player.faction in sums]
    luck_rows = [
        LuckRow(player, sums[player.faction].luck, sums[player.faction].deviation) for player in series
    ]
    plot = luck_plot(luck_rows, titles={"x": _("%(what)s, more or fewer") % {"what": kind.unit}})
    description = _(
        "What each player had beyond what was to be expected. The table below has the same numbers."
    )
    heads = (_("Player"), kind.tries, _("Expected"), _("Actual"), _("Luck"), _("Usual"))
    rows = [[Cell(player.name, player.faction), *_luck_cells(sums[player.faction])] for player in series]
    return Chart(kind.slug, description, plot, Grid([Cell(head) for head in heads], rows), kind.title)


def _luck_cells(luck: Luck) -> list[Cell]:
    return [
        Cell(str(luck.tries)),
        Cell(wording.localized(f"{luck.expected:.1f}")),
        Cell(wording.localized(f"{luck.actual:g}")),
        Cell(signed(luck.luck)),
        Cell(wording.localized(f"±{luck.deviation:.1f}")),
    ]


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
        [_observed(PER_CENT * bin_.chance, bin_.came_true, bin_.times) for bin_ in bins],
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
            Cell(_interval(bin_.came_true, bin_.times)),
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


def _observed(at: float, came_true: int, count: int) -> ObservedShare:
    interval = wilson(came_true, count)
    return ObservedShare(at, came_true / count, interval.low, interval.high, count)


def _interval(came_true: int, count: int) -> str:
    interval = wilson(came_true, count)
    return between(interval.low, interval.high)


def between(low: float, high: float) -> str:
    return f"{round(PER_CENT * low)}–{percent(high)}"


def percent(share: float) -> str:
    return f"{round(PER_CENT * share)}%"


# The dice of Signoria

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
    charts = [_luck_chart(course, kind, own)] if own else []
    charts.append(_faces_chart(rolls))
    notes = [_usual_note()] if own else []
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
        [_observed(face, faces[face], whole)._replace(observations=faces[face]) for face in FACES],
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
            Cell(_interval(faces[face], whole)),
        ]
        for face in FACES
    ]
    description = _("How often each face came up. The table below has the same numbers.")
    return Chart("dice-faces", description, plot, Grid([Cell(head) for head in heads], rows), _("All dice"))

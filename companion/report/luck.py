"""The sections about luck: what dice and tower brought, against what was to be expected.

Luck is what fell to somebody beyond their chance, added up; beside it stands its standard deviation, which
chance alone stays within about two times in three.
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
from companion.charts.plots import Draw, Seen, luck_figure, shares_figure, signed
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
BINS = 5  # of chances; with the throws of one game, more would be too few in each
RARE = 2  # standard deviations
MOST_MOMENTS = 3  # of luck, and of bad luck
AGAINST_ODDS = 0.6  # a win at a chance of 40% is worth no mention, nor is a loss at 60%


@dataclass(frozen=True, slots=True)
class Luck:
    """What somebody had of something, and what was to be expected."""

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
    def strays(self) -> float:
        """The standard deviation: throws are independent, so their variances add up."""
        return sqrt(self.variance)


def added(parts: Iterable[tuple[str, Luck]]) -> dict[str, Luck]:
    """Each faction's luck in all."""
    sums: dict[str, Luck] = defaultdict(Luck)
    for faction, luck in parts:
        sums[faction] += luck
    return dict(sums)


# The tower of Wallenstein


class Thrown(NamedTuple):
    """A throw as it was entered, weighed against its odds."""

    entry: Entry
    weighed: Weighed


def throws_of(course: Course) -> list[Thrown]:
    """Every throw of a battle; odds know what the tower, and earlier games, had shown until then."""
    entries = course.entries()
    if not any(entry.action["type"] == Throw.type for entry in entries):
        return []
    prior = prior_for(course.table)
    found = []
    for state, entry in zip(course.states, entries, strict=False):
        fallen = entry.action.get("fallen", {}) if entry.action["type"] == Throw.type else None
        weighed = weigh(state, fallen, prior) if fallen is not None else None
        if weighed:
            found.append(Thrown(entry, weighed))
    return found


def battles_of(throws: Iterable[Thrown]) -> dict[str, Luck]:
    """Battles won: attackers take the province, defenders hold it."""
    return added((side.faction, _won(side)) for thrown in throws for side in thrown.weighed.sides)


def _won(side: Side) -> Luck:
    return Luck(1, side.won, side.chance, side.chance * (1 - side.chance))


def armies_of(throws: Iterable[Thrown]) -> dict[str, Luck]:
    """Own cubes that are left after the battle."""
    return added(
        (side.faction, Luck(1, side.left, side.expected, side.strays**2))
        for thrown in throws
        for side in thrown.weighed.sides
    )


def luck_section(course: Course) -> Section | None:
    """Who had luck with the tower, in battles and in armies, and when most."""
    throws = throws_of(course)
    if not throws:
        return None
    battles, armies = battles_of(throws), armies_of(throws)
    charts = [
        _luck_chart(course, Kind("luck-battles", _("Battles won"), _("Battles"), _("Throws")), battles),
        _luck_chart(course, Kind("luck-armies", _("Armies left"), _("Armies"), _("Throws")), armies),
    ]
    sentences = _luck_told(course, battles, len(throws))
    notes = [
        _("Expected is what the odds said before each throw, from what the tower had shown until then."),
        _usual_told(),
    ]
    turns = [_moment(course, thrown, side) for thrown, side in moments_of(throws)]
    return Section("luck", _("Luck with the tower"), sentences, charts, turns=turns, notes=notes, choice=True)


def _usual_told() -> str:
    return _("A bar is what is usual: luck stays within it about two times in three.")


def _luck_told(course: Course, sums: Mapping[str, Luck], throws: int) -> list[str]:
    """Who had most of it and who least, and whether that is more than chance does."""
    counted = ngettext("%(count)d throw.", "%(count)d throws.", throws) % {"count": throws}
    first, last = max(sums, key=lambda f: sums[f].luck), min(sums, key=lambda f: sums[f].luck)
    told = _(
        "%(first)s had the most luck, %(most)s battles beyond what was to be expected; %(last)s the least, %(least)s."
    )
    if first == last:
        told = _("%(first)s won %(most)s battles beyond what was to be expected.")
    told %= {
        "first": course.name(first),
        "most": signed(sums[first].luck),
        "last": course.name(last),
        "least": signed(sums[last].luck),
    }
    told = f"{counted} {told}"
    beyond = [course.name(f) for f, one in sums.items() if abs(one.luck) > RARE * one.strays]
    if beyond:
        rare = _("Chance alone does that less than one time in twenty: %(names)s.")
        return [told, rare % {"names": ", ".join(beyond)}]
    return [told, _("Nothing of it is out of the ordinary.")]


class Kind(NamedTuple):
    """What somebody had luck with."""

    slug: str
    title: str
    unit: str
    tries: str


def _luck_chart(course: Course, kind: Kind, sums: Mapping[str, Luck]) -> Chart:
    series = [one for one in course.series if one.faction in sums]
    draws = [Draw(one, sums[one.faction].luck, sums[one.faction].strays) for one in series]
    figure = luck_figure(draws, titles={"x": _("%(what)s, more or fewer") % {"what": kind.unit}})
    said = _("What each player had beyond what was to be expected. The table below has the same numbers.")
    heads = (_("Player"), kind.tries, _("Expected"), _("Actual"), _("Luck"), _("Usual"))
    rows = [[Cell(one.name, one.faction), *_numbers(sums[one.faction])] for one in series]
    return Chart(kind.slug, said, figure, Grid([Cell(head) for head in heads], rows), kind.title)


def _numbers(one: Luck) -> list[Cell]:
    return [
        Cell(str(one.tries)),
        Cell(wording.written(f"{one.expected:.1f}")),
        Cell(wording.written(f"{one.actual:g}")),
        Cell(signed(one.luck)),
        Cell(wording.written(f"±{one.strays:.1f}")),
    ]


# Its moments


def moments_of(throws: Sequence[Thrown]) -> list[tuple[Thrown, Side]]:
    """The throws that went most against the odds, for somebody and against somebody, in their order."""
    sides = [(thrown, side) for thrown in throws for side in thrown.weighed.sides]
    against = sorted(
        (pair for pair in sides if abs(pair[1].luck) > AGAINST_ODDS),
        key=lambda pair: (-abs(pair[1].luck), pair[0].entry.number),
    )
    chosen: dict[int, tuple[Thrown, Side]] = {}
    told: Counter[bool] = Counter()
    for thrown, side in against:
        if thrown.entry.number not in chosen and told[side.won] < MOST_MOMENTS:
            chosen[thrown.entry.number] = thrown, side
            told[side.won] += 1
    return [chosen[number] for number in sorted(chosen)]


def _moment(course: Course, thrown: Thrown, side: Side) -> Turn:
    attacks = thrown.weighed.kind != "revolt" and side == thrown.weighed.sides[0]
    told = {
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
    return Turn(thrown.entry.number, told % params, side.faction, _strengths(course, thrown.entry))


def _strengths(course: Course, entry: Entry) -> str:
    """What fell on either side."""
    steps = [read_step(step) for step in entry.steps]
    found = next((step for step in steps if step.message.code.startswith("strengths")), steps[0])
    return wording.render(course.game, found.message)


# Whether the odds were right


class Forecast(NamedTuple):
    """A chance that was told, and whether it came true."""

    chance: float
    came_true: bool


class Bin(NamedTuple):
    """Forecasts of about the same chance."""

    low: float
    high: float
    chance: float  # on average
    came_true: int
    times: int


def forecasts_of(throws: Iterable[Thrown]) -> list[Forecast]:
    """One for each throw, so that they are independent: whether whoever threw won."""
    return [Forecast(thrown.weighed.sides[0].chance, thrown.weighed.sides[0].won) for thrown in throws]


def bins_of(forecasts: Sequence[Forecast], bins: int = BINS) -> list[Bin]:
    """By their chance; those that hold none are left out."""
    edges = [at / bins for at in range(bins + 1)]
    found = []
    for at, (low, high) in enumerate(pairwise(edges)):
        inside = [one for one in forecasts if min(int(one.chance * bins), bins - 1) == at]
        if inside:
            chance = sum(one.chance for one in inside) / len(inside)
            found.append(Bin(low, high, chance, sum(one.came_true for one in inside), len(inside)))
    return found


def calibration_section(course: Course) -> Section | None:
    """What was told against what came true."""
    forecasts = forecasts_of(throws_of(course))
    if not forecasts:
        return None
    bins = bins_of(forecasts)
    figure = shares_figure(
        [_seen(PER_CENT * one.chance, one.came_true, one.times) for one in bins],
        [(0, 0), (PER_CENT, 1)],
        titles={"x": _("Chance that was told"), "y": _("Came true")},
    )
    figure["layout"]["xaxis"] |= {"range": [0, PER_CENT], "dtick": 25, "ticksuffix": "%"}
    figure["layout"]["yaxis"] |= {"range": [0, PER_CENT], "dtick": 25}
    heads = (_("Chance"), _("Throws"), _("Told"), _("Came true"), _("Sure to within"))
    rows = [
        [
            Cell(between(one.low, one.high)),
            Cell(str(one.times)),
            Cell(percent(one.chance)),
            Cell(percent(one.came_true / one.times)),
            Cell(_interval(one.came_true, one.times)),
        ]
        for one in bins
    ]
    said = _("Chances that were told against how often they came true. The table below has the same numbers.")
    chart = Chart("calibration", said, figure, Grid([Cell(head) for head in heads], rows))
    notes = [
        _("A chance is that whoever throws takes the province, or holds it in a revolt."),
        _(
            "On the dashed line chances are exactly right. The strokes reach as far as chance alone may, nine times in ten; ×4 is of 4 throws."
        ),
    ]
    return Section("calibration", _("Whether the odds were right"), [_told_right(bins)], [chart], notes=notes)


def _told_right(bins: Sequence[Bin]) -> str:
    throws = sum(one.times for one in bins)
    expected = sum(one.times * one.chance for one in bins)
    told = ngettext(
        "Of %(count)d throw, %(expected)s should have been won by whoever threw; %(won)d was.",
        "Of %(count)d throws, %(expected)s should have been won by whoever threw; %(won)d were.",
        throws,
    )
    return told % {
        "count": throws,
        "expected": wording.written(f"{expected:.1f}"),
        "won": sum(one.came_true for one in bins),
    }


def _seen(at: float, came_true: int, count: int) -> Seen:
    sure = wilson(came_true, count)
    return Seen(at, came_true / count, sure.low, sure.high, count)


def _interval(came_true: int, count: int) -> str:
    sure = wilson(came_true, count)
    return between(sure.low, sure.high)


def between(low: float, high: float) -> str:
    return f"{round(PER_CENT * low)}–{percent(high)}"


def percent(share: float) -> str:
    return f"{round(PER_CENT * share)}%"


# The dice of Signoria

MEAN = sum(FACES) / len(FACES)
VARIANCE = sum((face - MEAN) ** 2 for face in FACES) / len(FACES)


class Rolled(NamedTuple):
    """Dice of one entry: whose they are (nobody's: all players take of them), and what they show."""

    faction: str
    faces: tuple[int, ...]


def rolls_of(entries: Iterable[Entry]) -> Iterator[Rolled]:
    """Action dice are everybody's; white ones belong to whoever has descendants."""
    for entry in entries:
        if entry.action["type"] == Roll.type:
            dice = entry.action["dice"]
            yield Rolled("", tuple(face for colour in sorted(dice) for face in dice[colour]))
        elif entry.action["type"] == Descendants.type:
            yield Rolled(entry.faction, tuple(entry.action["dice"]))


def pips_of(rolls: Iterable[Rolled]) -> dict[str, Luck]:
    """The sum of the dice against 3.5 each."""
    return added(
        (
            roll.faction,
            Luck(len(roll.faces), sum(roll.faces), MEAN * len(roll.faces), VARIANCE * len(roll.faces)),
        )
        for roll in rolls
        if roll.faces
    )


def dice_section(course: Course) -> Section | None:
    """What the dice showed: in all, of each player's descendants, and face by face."""
    rolls = list(rolls_of(course.entries()))
    sums = pips_of(rolls)
    if not sums:
        return None
    own = {faction: luck for faction, luck in sums.items() if faction}
    kind = Kind("dice-own", _("Descendants"), _("Pips"), _("Dice"))
    charts = [_luck_chart(course, kind, own)] if own else []
    charts.append(_faces_chart(rolls))
    notes = [_usual_told()] if own else []
    notes.append(_("The strokes reach as far as chance alone may, nine times in ten; ×20 is of 20 dice."))
    return Section("dice", _("Luck with the dice"), _dice_told(sums), charts, notes=notes, choice=bool(own))


def _dice_told(sums: Mapping[str, Luck]) -> list[str]:
    whole = sum(sums.values(), Luck())
    told = ngettext(
        "%(count)d die showed %(sum)d in all; %(expected)s was to be expected, %(strays)s more or less is usual.",
        "%(count)d dice showed %(sum)d in all; %(expected)s was to be expected, %(strays)s more or less is usual.",
        whole.tries,
    )
    usual = {
        "expected": wording.written(f"{whole.expected:g}"),
        "strays": wording.written(f"{whole.strays:.1f}"),
    }
    return [told % {"count": whole.tries, "sum": whole.actual, **usual}]


def _faces_chart(rolls: Iterable[Rolled]) -> Chart:
    faces = Counter(face for roll in rolls for face in roll.faces)
    whole = faces.total()
    figure = shares_figure(
        [_seen(face, faces[face], whole)._replace(times=faces[face]) for face in FACES],
        [(FACES[0] - 0.5, 1 / len(FACES)), (FACES[-1] + 0.5, 1 / len(FACES))],
        titles={"x": _("Face"), "y": _("Share of all dice")},
    )
    figure["data"][1] |= {"mode": "markers"}  # their numbers would touch the next stroke
    figure["layout"]["xaxis"] |= {
        "tickvals": list(FACES),
        "ticktext": [f"{face}<br>×{faces[face]}" for face in FACES],
        "range": [FACES[0] - 0.5, FACES[-1] + 0.5],
    }
    figure["layout"]["xaxis"]["title"] |= {"standoff": 16}
    figure["layout"]["margin"] |= {"b": 68}
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
    said = _("How often each face came up. The table below has the same numbers.")
    return Chart("dice-faces", said, figure, Grid([Cell(head) for head in heads], rows), _("All dice"))

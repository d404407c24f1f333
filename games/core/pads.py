"""Score pads: what those of all games share.

A pad is a game whose rules are short: people enter what they hold, the rules of scoring make
points of it, and points are pieces on a sheet. A line of the sheet is a round (or a winter, or
the end of the game); ``score:2:cities`` is where the points lie that cities gave in line 2.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import TypeAlias

from games.core.actions import Action, Position, Ruling
from games.core.codec import Json
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame
from games.core.game import Result, Setup, Standing, Texts
from games.core.ledger import Ledger, Move, Places, kind_of
from games.core.messages import Message, Name, Wording, faction_name, say, text
from games.core.prompts import Prompt
from games.core.rulings import Verdict, judge
from games.core.steps import Account, Outcome, Step

SUPPLY = "supply"  # of points, of which there are always enough
SCORE = "score"
PLACES = Places(unlimited=frozenset({SUPPLY}))

Parts: TypeAlias = Mapping[str, Fraction]  # source -> points


@dataclass(frozen=True, slots=True)
class State:
    """Where a pad stands. ``held`` is what was entered last: the next entry starts from it."""

    setup: Setup
    ledger: Ledger
    frames: tuple[Frame, ...]
    round: int
    order: tuple[str, ...]
    lines: tuple[str, ...] = ()  # of the sheet that were entered
    held: Mapping[str, Json] = field(default_factory=dict)
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


def first_state(setup: Setup, round_: int, order: tuple[str, ...], frame: Frame) -> State:
    """An empty sheet."""
    return State(setup, Ledger(PLACES), (frame,), round_, order)


def clockwise(setup: Setup) -> tuple[str, ...]:
    """The factions from the first player on."""
    at = setup.factions.index(setup.first)
    return setup.factions[at:] + setup.factions[:at]


# The sheet


@dataclass(frozen=True, slots=True)
class Sheet:
    """The lines of a score sheet from the top down, and where points can come from."""

    lines: tuple[str, ...]
    sources: tuple[str, ...]
    piece: str = "point"
    per_point: int = 1  # pieces that make a point
    adds_up: bool = True  # else the newest line counts alone

    def knows(self, place: str) -> bool:
        return place == SUPPLY or place in {_place(x, y) for x in self.lines for y in self.sources}

    def parts(self, state: State, line: str, faction: str) -> dict[str, Fraction]:
        """A faction's points in a line, by where they come from."""
        return {
            source: Fraction(state.ledger.count(faction, self.piece, _place(line, source)), self.per_point)
            for source in self.sources
        }

    def counted(self, state: State) -> tuple[str, ...]:
        """The lines that count now."""
        return self.lines if self.adds_up else state.lines[-1:]

    def standings(self, state: State) -> list[Standing]:
        """Everybody's points, in play order."""
        return [Standing.of(faction, self._sum(state, faction)) for faction in state.order]

    def _sum(self, state: State, faction: str) -> dict[str, Fraction]:
        lines = [self.parts(state, line, faction) for line in self.counted(state)]
        return {source: sum((parts[source] for parts in lines), Fraction(0)) for source in self.sources}

    def moves(self, line: str, faction: str, parts: Parts) -> tuple[Move, ...]:
        """The points a line brings; markers on a track are people's own business."""
        return tuple(
            Move(
                faction,
                self.piece,
                SUPPLY,
                _place(line, source),
                int(points * self.per_point),
                reported=True,
            )
            for source, points in parts.items()
            if points
        )

    def invariants(self, state: State) -> list[Message]:
        """Points lie on lines that there are, and belong to those who play."""
        return [
            say(
                "core.impossible-points",
                owner=faction_name(line.owner),
                count=line.count,
                piece=Name("piece", line.piece),
                place=Name("place", line.place),
            )
            for line in state.ledger.holdings()
            if line.owner not in state.order or not self.knows(line.place)
        ]

    def judged(
        self, state: State, key: str, found: Mapping[str, Parts]
    ) -> Verdict[Mapping[str, Mapping[str, Fraction]]]:
        """The points of an entry: as the rules found them, or as the table ruled."""
        form = Mapping[str, Mapping[str, Fraction]]
        return judge(state, key, dict(found), form, lambda ruled: self._refuse(ruled, found))

    def _refuse(self, ruled: Mapping[str, Parts], found: Mapping[str, Parts]) -> None:
        if set(ruled) != set(found):
            raise BadInput(say("core.factions", known=tuple(found)))
        for parts in ruled.values():
            if not set(parts) <= set(self.sources):
                raise BadInput(say("core.not-one-of", field="points", allowed=self.sources))
            if any(points < 0 or points * self.per_point % 1 for points in parts.values()):
                raise BadInput(say("core.not-a-number", field="points"))


def _place(line: str, source: str) -> str:
    return f"{SCORE}:{line}:{source}"


def place_message(place: str) -> Message:
    """What a place of the sheet is called."""
    if kind_of(place) != SCORE:
        return say("pad.elsewhere", place=place)
    line, source = place.split(":")[1:]
    return say("pad.place", line=Name("line", line), source=Name("part", source))


# Entering


def enter(
    account: Account[State],
    sheet: Sheet,
    line: str,
    key: str,
    told: Mapping[str, tuple[Parts, Step]],
    title: Name | Message | None = None,
) -> None:
    """Points of a line: a sentence that sums them up, then each faction's with what explains them.

    ``title`` is what the sentence begins with, where it is not the line.
    """
    verdict = sheet.judged(account.state, key, {faction: parts for faction, (parts, _) in told.items()})
    sums = tuple(
        say("pad.points", faction=faction_name(faction), points=sum(parts.values(), Fraction(0)))
        for faction, parts in verdict.result.items()
    )
    title = title or Name("line", line)
    account.step(
        next(step.rule for _, step in told.values()),
        say("pad.entered", line=title, points=sums),
        verdict=verdict,
    )
    for faction, parts in verdict.result.items():
        account.add(replace(told[faction][1], moves=sheet.moves(line, faction, parts)))
    if line not in account.state.lines:
        account.set(lines=(*account.state.lines, line))


def to_everybody(state: State, prompt: Callable[[str], Prompt]) -> list[Prompt]:
    """Any seat may enter what concerns the whole table."""
    return [prompt(faction) for faction in state.order]


@dataclass(frozen=True, slots=True)
class Amounts:
    """A number for each key, from 0 to its most in steps of ``by``, each free of the others. Zeros are left out."""

    name: str
    most: Mapping[str, int]
    by: Fraction = Fraction(1)

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name,)

    def size(self) -> int:
        return prod(map(self._steps, self.most))

    def element(self, index: int) -> tuple[Json, ...]:
        amounts = {}
        for key in self.most:
            index, digit = divmod(index, self._steps(key))
            if digit:
                amounts[key] = plain(digit * self.by)
        return (amounts,)

    def bounds(self) -> Json:
        return {"kind": "amounts", "most": dict(self.most), "by": plain(self.by)}

    def _steps(self, key: str) -> int:
        return int(self.most[key] / self.by) + 1

    def read(self, given: Mapping[str, Json], rule: str) -> dict[str, Fraction]:
        """The amount of every key. Raises ``Refused``."""
        refuse_keys(given, self.most, rule)
        for key, amount in given.items():
            if isinstance(amount, bool) or not isinstance(amount, int | float) or not amount >= 0:
                raise BadInput(say("pad.not-an-amount", by=self.by), rule=rule)
            if amount > self.most[key]:
                raise Illegal(
                    say("pad.too-much", what=Name("column", self.name), most=self.most[key]), rule=rule
                )
            if Fraction(str(amount)) % self.by:
                raise BadInput(say("pad.not-an-amount", by=self.by), rule=rule)
        return {key: Fraction(str(given.get(key, 0))) for key in self.most}


def read_counts(given: Mapping[str, int], known: Sequence[str], rule: str) -> dict[str, int]:
    """The count of every key; a name that is not known here is refused."""
    refuse_keys(given, known, rule)
    return {key: given.get(key, 0) for key in known}


def refuse_over(counts: Mapping[str, int], most: int, column: str, rule: str) -> None:
    """No more in all than there are."""
    if sum(counts.values()) > most:
        raise Illegal(
            say("pad.too-many", what=Name("column", column), most=most, entered=sum(counts.values())),
            rule=rule,
        )


def refuse_keys(given: Mapping[str, Json], known: Sequence[str] | Mapping[str, Json], rule: str) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise BadInput(say("pad.unknown-key", key=unknown[0][:40], known=tuple(known)), rule=rule)


def plain(number: Fraction) -> int | float:
    """A number as JSON has it: 6, or 6.5."""
    return number.numerator if number.denominator == 1 else float(number)


# The end


@dataclass(frozen=True, slots=True)
class Finished:
    """Everything is entered. Only corrections are entered now."""

    rule: str
    name = "finished"

    def prompts(self, state: State) -> Sequence[Prompt]:
        return []

    def act(self, state: State, action: Action) -> Outcome[State]:
        raise Illegal(say("pad.over"), rule=self.rule)

    def resolve(self, state: State) -> Outcome[State] | None:
        return None


def is_over(state: State) -> bool:
    return state.frames[-1].phase == "finished"


def provisional(state: State) -> Message | None:
    """Why the standings are not final."""
    if is_over(state):
        return None
    return say("pad.provisional", lines=tuple(Name("line", line) for line in state.lines) or (NOTHING,))


NOTHING = Message("pad.nothing")


def result(ranking: Callable[[State], Result]) -> Callable[[State], Result | None]:
    """The result once everything is entered."""
    return lambda state: ranking(state) if is_over(state) else None


# From what lies on the table


def resume(sheet: Sheet, phases: Mapping[str, str | None]) -> Callable[[State, Position], State]:
    """How a pad is taken up: in one of these phases, each with the line at which it begins (None: the round's)."""

    def taken_up(state: State, position: Position) -> State:
        if position.phase not in phases:
            raise BadInput(say("core.position-phase", phase=position.phase[:40], known=tuple(phases)))
        line = phases[position.phase] or str(position.round)
        if line not in sheet.lines:
            raise BadInput(say("pad.no-line", known=tuple(Name("line", x) for x in sheet.lines)))
        before = sheet.lines[: sheet.lines.index(line)]
        return replace(state, frames=(Frame(position.phase),), lines=before)

    return taken_up


# Wording


def texts(base: Texts, own: Texts) -> Texts:
    """A game's wording, with what pads and this one say besides."""
    return Texts(
        {**base.messages, **MESSAGES, **own.messages},
        {**base.names, **NAMES, **own.names},
        {**base.rules, **own.rules},
    )


MESSAGES: Mapping[str, Wording] = {
    "pad.entered": text("{line}: {points}."),
    "pad.points": text("{faction} {points}"),
    "pad.place": text("{line}, {source}"),
    "pad.elsewhere": text("{place}"),
    "pad.over": text("The pad is complete. Corrections are still possible."),
    "pad.provisional": text("Entered so far: {lines}."),
    "pad.nothing": text("nothing yet"),
    "pad.no-line": text("There is no such line on the pad; there are {known}."),
    "pad.unknown-key": text("There is no “{key}” here; there are {known}."),
    "pad.not-an-amount": text("Please enter a number of 0 or more, in steps of {by}."),
    "pad.too-much": text("{what}: at most {most}."),
    "pad.too-many": text("{what}: there are only {most}; you entered {entered}. Please recount."),
}

NAMES: Mapping[str, str] = {
    "phase:finished": text("The end"),
    "piece:point": text("points"),
    "line:0": text("Round 0"),
    "line:1": text("Round 1"),
    "line:2": text("Round 2"),
    "line:3": text("Round 3"),
    "line:4": text("Round 4"),
    "line:5": text("Round 5"),
    "line:6": text("Round 6"),
    "line:7": text("Round 7"),
    "line:end": text("The end"),
}

"""Score pads: the parts shared by all games.

A pad is a ``Game`` that only scores: players enter what they hold, the scoring rules turn it into
points, and points are pieces on a score sheet. A line of the sheet is a round (or a winter, or the end
of the game); the place ``score:2:cities`` holds the points for cities in line 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import Any, TypeAlias

from games.core.actions import Action, Position, Ruling
from games.core.boards import Board
from games.core.checks import check_all_of
from games.core.codec import Json, plain
from games.core.errors import BadInput, Illegal
from games.core.flow import FINISHED, Finished, Frame, Machine, Phase, is_over, not_now
from games.core.game import Game, Result, Setup, Standing, Texts
from games.core.ledger import SUPPLY, Ledger, Move, Places, kind_of
from games.core.messages import Message, Name, Wording, faction_name, say, text
from games.core.prompts import Allocation, Field, Prompt
from games.core.rulings import Verdict, judge
from games.core.steps import Account, Outcome, Step

SCORE = "score"
PLACES = Places(unlimited=frozenset({SUPPLY}))  # points come from the supply

Parts: TypeAlias = Mapping[str, Fraction]  # source -> points


@dataclass(frozen=True, slots=True)
class State:
    """State of a pad. ``held`` is the last entry, the starting values of the next one."""

    setup: Setup
    ledger: Ledger
    frames: tuple[Frame, ...]
    round: int
    order: tuple[str, ...]
    lines: tuple[str, ...] = ()  # lines of the sheet entered so far
    held: Mapping[str, Json] = field(default_factory=dict)
    rulings: Mapping[str, Ruling] = field(default_factory=dict)


def first_state(setup: Setup, round_: int, order: tuple[str, ...], frame: Frame) -> State:
    """Return a state with an empty sheet."""
    return State(setup, Ledger(PLACES), (frame,), round_, order)


def clockwise(setup: Setup) -> tuple[str, ...]:
    """Return the factions clockwise from the first player."""
    at = setup.factions.index(setup.first)
    return setup.factions[at:] + setup.factions[:at]


# The sheet


@dataclass(frozen=True, slots=True)
class Sheet:
    """Layout of a score sheet: its lines from the top down, and the sources of points."""

    lines: tuple[str, ...]
    sources: tuple[str, ...]
    piece: str = "point"
    per_point: int = 1  # pieces per point
    adds_up: bool = True  # False: only the newest line counts

    def knows(self, place: str) -> bool:
        return place == SUPPLY or place in {_place(x, y) for x in self.lines for y in self.sources}

    def parts(self, state: State, line: str, faction: str) -> dict[str, Fraction]:
        """Return a faction's points in a line, by source."""
        return {
            source: Fraction(state.ledger.count(faction, self.piece, _place(line, source)), self.per_point)
            for source in self.sources
        }

    def counted(self, state: State) -> tuple[str, ...]:
        """Return the lines that currently count."""
        return self.lines if self.adds_up else state.lines[-1:]

    def points(self, state: State) -> dict[str, Fraction]:
        """Return the total of each faction."""
        return {standing.faction: standing.points for standing in self.standings(state)}

    def whole_points(self, state: State) -> dict[str, int]:
        """Return the total of each faction, on a sheet without fractions."""
        return {faction: int(points) for faction, points in self.points(state).items()}

    def standings(self, state: State) -> list[Standing]:
        """Return the points of all factions, in play order."""
        return [Standing.of(faction, self._sum(state, faction)) for faction in state.order]

    def _sum(self, state: State, faction: str) -> dict[str, Fraction]:
        lines = [self.parts(state, line, faction) for line in self.counted(state)]
        return {source: sum((parts[source] for parts in lines), Fraction(0)) for source in self.sources}

    def moves(self, line: str, faction: str, parts: Parts) -> tuple[Move, ...]:
        """Return the moves that add a line's points; players move markers on real tracks themselves."""
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
        """Return a message for each holding outside the sheet or of a faction that does not play."""
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
        self, state: State, key: str, computed: Mapping[str, Parts]
    ) -> Verdict[Mapping[str, Mapping[str, Fraction]]]:
        """Return the points of an entry: as computed by the rules, or as ruled by the table."""
        form = Mapping[str, Mapping[str, Fraction]]
        return judge(state, key, dict(computed), form, lambda ruled: self._check_ruling(ruled, computed))

    def _check_ruling(self, ruled: Mapping[str, Parts], computed: Mapping[str, Parts]) -> None:
        if set(ruled) != set(computed):
            raise BadInput(say("core.factions", known=tuple(computed)))
        for parts in ruled.values():
            check_all_of(parts, self.sources, "points")
            if any(points < 0 or points * self.per_point % 1 for points in parts.values()):
                raise BadInput(say("core.not-a-number", field="points"))


def _place(line: str, source: str) -> str:
    return f"{SCORE}:{line}:{source}"


def place_message(place: str) -> Message:
    """Return the wording of a place of the sheet."""
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
    scores: Mapping[str, tuple[Parts, Step]],
    title: Name | Message | None = None,
) -> None:
    """Record the points of a line: a summary step, then one step per faction with its explanation.

    ``title`` begins the summary; it defaults to the name of the line.
    """
    verdict = sheet.judged(account.state, key, {faction: parts for faction, (parts, _) in scores.items()})
    sums = tuple(
        say("pad.points", faction=faction_name(faction), points=sum(parts.values(), Fraction(0)))
        for faction, parts in verdict.result.items()
    )
    title = title or Name("line", line)
    account.step(
        next(step.rule for _, step in scores.values()),
        say("pad.entered", line=title, points=sums),
        verdict=verdict,
    )
    for faction, parts in verdict.result.items():
        account.add(replace(scores[faction][1], moves=sheet.moves(line, faction, parts)))
    if line not in account.state.lines:
        account.set(lines=(*account.state.lines, line))


@dataclass(frozen=True, slots=True)
class Form:
    """Prompt of an entry for the whole table: the same for every player, but for who enters it."""

    title: Message
    fields: tuple[Field, ...]
    filled: Mapping[str, Json] = field(default_factory=dict)  # fields of the example


def _continue(_state: State) -> None:
    """Stay in the phase until the next entry."""


@dataclass(frozen=True, slots=True)
class TableEntry:
    """Phase with one entry for the whole table, which any player may make."""

    name: str
    rule: str
    action: type[Action]
    form: Callable[[State], Form]
    enter: Callable[[State, Any], Outcome[State]]  # may raise ``Refused``
    close: Callable[[State], Outcome[State] | None] = _continue

    def prompts(self, state: State) -> Sequence[Prompt]:
        form = self.form(state)
        return [
            Prompt(
                faction=faction,
                title=form.title,
                rule=self.rule,
                example=self.action(faction=faction, **form.filled),
                fields=form.fields,
            )
            for faction in state.order
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, self.action):
            raise not_now(action, rule=self.rule)
        return self.enter(state, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        return self.close(state)


# Fields


def shared(column: str, keys: Sequence[str], most: int) -> Allocation:
    """Return the field for a column whose counts are at most ``most`` together."""
    return Allocation(column, dict.fromkeys(keys, most), 0, most)


def read_shared(columns: Sequence[Allocation], action: Action, rule: str) -> dict[str, dict[str, int]]:
    """Return the count of every key by column. Raise ``Refused`` if a column is invalid."""
    counts = {c.name: read_counts(getattr(action, c.name), c.most, rule) for c in columns}
    for column in columns:
        refuse_over(counts[column.name], column.high, column.name, rule)
    return counts


@dataclass(frozen=True, slots=True)
class Amounts:
    """An independent number for each key, from 0 to its maximum in steps of ``by``. Zeros are omitted."""

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
        """Return the amount of every key. Raise ``Refused`` if one is invalid."""
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


def read_counts(given: Mapping[str, int], known: Iterable[str], rule: str) -> dict[str, int]:
    """Return the count of every known key. Raise ``BadInput`` for an unknown one."""
    refuse_keys(given, known, rule)
    return {key: given.get(key, 0) for key in known}


def refuse_over(counts: Mapping[str, int], most: int, column: str, rule: str) -> None:
    """Raise ``Illegal`` if the counts add up to more than ``most``."""
    if sum(counts.values()) > most:
        raise Illegal(
            say("pad.too-many", what=Name("column", column), most=most, entered=sum(counts.values())),
            rule=rule,
        )


def refuse_keys(given: Mapping[str, Json], known: Iterable[str], rule: str) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise BadInput(say("pad.unknown-key", key=unknown[0][:40], known=tuple(known)), rule=rule)


# The end


def complete(account: Account[State]) -> None:
    """End the pad: everything is entered, only corrections are accepted."""
    account.set(frames=(Frame(FINISHED),))


def provisional(state: State) -> Message | None:
    """Return the reason why the standings are not final, or None."""
    if is_over(state):
        return None
    return say("pad.provisional", lines=tuple(Name("line", line) for line in state.lines) or (NOTHING,))


NOTHING = Message("pad.nothing")
OVER = Message("pad.over")


# Positions


def _resume(sheet: Sheet, phases: Mapping[str, str | None]) -> Callable[[State, Position], State]:
    """Return the ``Game.resume`` function of a pad."""

    def resume_in_phase(state: State, position: Position) -> State:
        if position.phase not in phases:
            raise BadInput(say("core.position-phase", phase=position.phase[:40], known=tuple(phases)))
        line = phases[position.phase] or str(position.round)
        if line not in sheet.lines:
            raise BadInput(say("pad.no-line", known=tuple(Name("line", x) for x in sheet.lines)))
        before = sheet.lines[: sheet.lines.index(line)]
        return replace(state, frames=(Frame(position.phase),), lines=before)

    return resume_in_phase


# The game


def pad(  # noqa: PLR0913 - the parts in which pads differ
    game: Game[Any],
    sheet: Sheet,
    *,
    actions: tuple[type[Action], ...],
    phases: Sequence[Phase[State]],
    texts: Texts,
    start: Callable[[Setup], Outcome[State]],
    ranking: Callable[[State], Result],
    resume: Mapping[str, str | None],
    start_rule: str,
    end_rule: str,
) -> Game[State]:
    """Return the score pad of a game, with the game's players and seating.

    ``resume`` maps each phase in which a position may begin to its line of the sheet (None: the round's).
    """
    return Game(
        slug=game.slug,
        name=game.name,
        version=1,
        min_players=game.min_players,
        max_players=game.max_players,
        factions=game.factions,
        nobodys=game.nobodys,
        refuse_seating=game.refuse_seating,
        pieces=frozenset({sheet.piece}),
        uncounted=frozenset({sheet.piece}),
        places=PLACES,
        options=(),
        actions=actions,
        board=Board({}, {}),
        texts=texts,
        state=State,
        machine=Machine([*phases, Finished(end_rule, OVER)]),
        start_rule=start_rule,
        start=start,
        knows_place=lambda _state, place: sheet.knows(place),
        place_message=place_message,
        standings=sheet.standings,
        result=lambda state: ranking(state) if is_over(state) else None,
        provisional=provisional,
        invariants=sheet.invariants,
        resume=_resume(sheet, resume),
    )


# Wording


def texts(base: Texts, own: Texts) -> Texts:
    """Merge the wording of a game with that of all pads and of its own pad."""
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

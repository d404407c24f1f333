"""The evenings of the demo: circles, dates, games, and their play by heuristic players.

Pure functions: an evening depends on its seed alone and can be played in another process.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any, Literal

from companion.statistics.simulation import seatings
from games.core.actions import Action, Correct, Ruling, action_json
from games.core.codec import Json
from games.core.errors import Refused
from games.core.game import AnyGame, Setup
from games.core.prompts import Prompt
from games.core.steps import Outcome
from games.registry import GAMES
from games.wallenstein.board import regions_in_play
from games.wallenstein.ending import regions
from games.wallenstein.pieces import BUILDINGS
from players.party import Party
from players.registry import KNOWN, party

SEED = "thursday"


@dataclass(frozen=True, slots=True)
class Group:
    """A circle of the demo and the names of its members."""

    name: str
    members: tuple[str, ...]


CIRCLES = (
    Group("Csütörtöki kör", ("Ágnes", "Bálint", "Csilla", "Dávid", "Eszter", "Gergő")),
    Group("Tavolo del giovedì", ("Alessia", "Bruno", "Chiara", "Davide", "Elena", "Niccolò")),
)

FULL, PAD = "full", "pad"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """A game of a circle on a Thursday; with `stop`, a game in progress today, after that many entries."""

    circle: int
    game: str
    players: int
    weeks_ago: int
    mode: str = FULL
    stop: int | None = None
    incidents: tuple[str, ...] = ()  # correction, ruling, mend

    @property
    def seed(self) -> str:
        return f"{SEED} {self.circle} {self.game} {self.players} {self.weeks_ago} {self.mode}"


# Each circle has played every title often enough, with its usual number of players, for all charts to appear;
# a few evenings have other numbers of players.
EVENINGS: tuple[Evening, ...] = (
    Evening(circle=0, game="revolution", players=5, weeks_ago=45),
    Evening(circle=1, game="raubritter", players=3, weeks_ago=44),
    Evening(circle=0, game="raubritter", players=4, weeks_ago=43),
    Evening(circle=1, game="wallenstein", players=3, weeks_ago=42),
    Evening(circle=0, game="wallenstein", players=4, weeks_ago=41),
    Evening(circle=1, game="revolution", players=3, weeks_ago=40),
    Evening(circle=0, game="signoria", players=3, weeks_ago=39),
    Evening(circle=1, game="signoria", players=2, weeks_ago=38),
    Evening(circle=0, game="raubritter", players=4, weeks_ago=36),
    Evening(circle=1, game="revolution", players=3, weeks_ago=35),
    Evening(circle=0, game="revolution", players=5, weeks_ago=34),
    Evening(circle=1, game="raubritter", players=3, weeks_ago=33),
    Evening(circle=1, game="signoria", players=2, weeks_ago=32),
    Evening(circle=0, game="signoria", players=3, weeks_ago=31),
    Evening(circle=1, game="wallenstein", players=3, weeks_ago=30),
    Evening(circle=0, game="wallenstein", players=4, weeks_ago=29, incidents=("correction",)),
    Evening(circle=0, game="raubritter", players=4, weeks_ago=28),
    Evening(circle=1, game="revolution", players=3, weeks_ago=27),
    Evening(circle=0, game="revolution", players=5, weeks_ago=25, incidents=("ruling",)),
    Evening(circle=1, game="wallenstein", players=3, weeks_ago=24),
    Evening(circle=0, game="wallenstein", players=4, weeks_ago=22),
    Evening(circle=1, game="raubritter", players=3, weeks_ago=21),
    Evening(circle=0, game="signoria", players=3, weeks_ago=20),
    Evening(circle=1, game="signoria", players=2, weeks_ago=20),
    Evening(circle=0, game="revolution", players=5, weeks_ago=19),
    Evening(circle=1, game="revolution", players=3, weeks_ago=18),
    Evening(circle=0, game="raubritter", players=4, weeks_ago=17, incidents=("mend",)),
    Evening(circle=1, game="wallenstein", players=3, weeks_ago=16),
    Evening(circle=0, game="signoria", players=4, weeks_ago=15),
    Evening(circle=1, game="wallenstein", players=5, weeks_ago=14, incidents=("ruling",)),
    Evening(circle=0, game="wallenstein", players=4, weeks_ago=13),
    Evening(circle=1, game="raubritter", players=3, weeks_ago=12),
    Evening(circle=0, game="signoria", players=3, weeks_ago=11),
    Evening(circle=1, game="signoria", players=2, weeks_ago=11, incidents=("correction",)),
    Evening(circle=0, game="revolution", players=5, weeks_ago=10),
    Evening(circle=0, game="wallenstein", players=4, weeks_ago=9, mode=PAD),
    Evening(circle=1, game="wallenstein", players=3, weeks_ago=8),
    Evening(circle=0, game="signoria", players=3, weeks_ago=7, incidents=("ruling",)),
    Evening(circle=0, game="raubritter", players=4, weeks_ago=6),
    Evening(circle=1, game="raubritter", players=2, weeks_ago=6, incidents=("correction",)),
    Evening(circle=1, game="signoria", players=2, weeks_ago=5),
    Evening(circle=0, game="raubritter", players=2, weeks_ago=4),
    Evening(circle=1, game="revolution", players=3, weeks_ago=3, incidents=("mend",)),
    Evening(circle=0, game="wallenstein", players=4, weeks_ago=2),
    Evening(circle=1, game="raubritter", players=3, weeks_ago=1),
    Evening(circle=0, game="revolution", players=4, weeks_ago=0, stop=140),
    Evening(circle=1, game="wallenstein", players=3, weeks_ago=0, stop=90),
    Evening(circle=0, game="signoria", players=3, weeks_ago=0, stop=110),
    Evening(circle=1, game="raubritter", players=4, weeks_ago=0, stop=70),
)


# Events


@dataclass(frozen=True, slots=True)
class Event:
    """An input: an entry, a slip that is undone at once, or a mend of an earlier entry."""

    kind: Literal["entry", "slip", "mend"]
    faction: str
    action: Json
    seconds: float  # thinking time before it
    back: int = 0  # of a mend: entries not undone after the changed one
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlayedEvening:
    """An evening with its seats and events."""

    evening: Evening
    factions: tuple[str, ...]  # clockwise
    first: str
    people: Mapping[str, str]  # faction -> name
    events: tuple[Event, ...]

    @property
    def seconds(self) -> float:
        return sum(event.seconds for event in self.events)


# Median thinking time in seconds.
MEDIANS: Mapping[str, float] = {"revolution": 24.0, "wallenstein": 30.0, "signoria": 20.0, "raubritter": 17.0}
QUICK = 7.0  # median for typing the result of dice or cubes
AT_A_PAD = 150.0
SPREAD = 0.8
SHORTEST, LONGEST = 2.0, 420.0
SLIPS = 0.02  # probability of a slip per entry
FIRST_INCIDENT = 25
MEND_BACK = 3
CORRECTED = ("Counted again", "One had rolled under the board", "A cube too many")
RULED = "house-rule"
MENDED = "miscounted"


def play_evening(evening: Evening) -> PlayedEvening:
    """Play an evening with heuristic players."""
    generator = random.Random(evening.seed)
    game = GAMES[evening.game]
    factions = _colours(evening)
    factions = tuple(generator.sample(factions, len(factions)))
    first = generator.choice(factions)
    setup = game.prepare(factions, players=evening.players, first=first)
    people = _people(evening, factions, generator)
    chronicle = Chronicle(game, setup, evening, generator)
    chronicle.play()
    events = chronicle.events
    if evening.mode == PAD:
        events = list(_score_sheet(chronicle.states, factions, generator))
    return PlayedEvening(evening, factions, first, people, tuple(events))


def _colours(evening: Evening) -> tuple[str, ...]:
    """Return the factions of a circle: always the same for a game and number of players."""
    habit = random.Random(f"{SEED} {evening.circle} {evening.game} {evening.players}")
    return habit.choice(seatings(evening.game, evening.players))


def _people(evening: Evening, factions: Sequence[str], generator: random.Random) -> dict[str, str]:
    members = generator.sample(CIRCLES[evening.circle].members, evening.players)
    return dict(zip(factions, members, strict=True))


class Chronicle:
    """A game in progress with the list of all inputs, mistakes included."""

    def __init__(self, game: AnyGame, setup: Setup, evening: Evening, generator: random.Random) -> None:
        self.game = game
        self.evening = evening
        self.generator = generator
        self.party: Party = party(game, setup, generator)
        self.pace = {faction: generator.uniform(0.7, 1.5) for faction in setup.factions}
        self.states: list[Any] = [game.start(setup).state]
        self.actions: list[Action] = []  # not undone; one between each two states
        self.events: list[Event] = []
        self.due = list(evening.incidents)

    def play(self) -> None:
        while self.evening.stop is None or len(self.actions) < self.evening.stop:
            entry = self.party.entry(self.states[-1])
            if entry is None:
                return
            prompt, action = entry
            if self.evening.mode == FULL and self.generator.random() < SLIPS:
                self._slip(prompt, action)
            outcome = self._enter(action, self._thinking(prompt))
            if self.due and len(self.actions) > FIRST_INCIDENT and self._incident(self.due[0], outcome):
                self.due.pop(0)

    def _enter(self, action: Action, seconds: float) -> Outcome[Any]:
        outcome = self.game.apply(self.states[-1], action)
        self._record("entry", action, seconds)
        self.states.append(outcome.state)
        self.actions.append(action)
        return outcome

    def _record(
        self,
        kind: Literal["entry", "slip", "mend"],
        action: Action,
        seconds: float,
        back: int = 0,
        reason: str = "",
    ) -> None:
        data = action_json(action)
        self.events.append(Event(kind, action.faction, data, seconds, back, reason))

    def _thinking(self, prompt: Prompt) -> float:
        chance = prompt.action in KNOWN[self.game.slug][0].falls
        median = QUICK if chance else MEDIANS[self.game.slug] * self.pace[prompt.faction]
        return min(LONGEST, max(SHORTEST, self.generator.lognormvariate(log(median), SPREAD)))

    def _other(self, prompt: Prompt, action: Action) -> Action | None:
        """Return another action that the prompt allows; None if none was found."""
        for _ in range(3):
            data = prompt.sample(self.generator.randrange)
            other = self.game.read_action(data, prompt.faction)
            if other != action:
                return other
        return None

    def _slip(self, prompt: Prompt, action: Action) -> None:
        """Record a wrong entry that is undone at once."""
        other = self._other(prompt, action)
        if other is not None:
            self._record("slip", other, self._thinking(prompt))

    # Incidents: each method returns True if it was possible now

    def _incident(self, kind: str, outcome: Outcome[Any]) -> bool:
        match kind:
            case "correction":
                return self._correct()
            case "ruling":
                return self._rule(outcome)
        return self._mend()

    def _correct(self) -> bool:
        """Correct a holding to one piece fewer."""
        state = self.states[-1]
        lines = [
            line
            for line in state.ledger.holdings()
            if line.owner in state.order and line.count > 1 and line.place.partition(":")[0] in COUNTED_PLACES
        ]
        for line in self.generator.sample(lines, len(lines)):
            action = Correct(
                faction=state.order[0],
                owner=line.owner,
                piece=line.piece,
                place=line.place,
                count=line.count - 1,
                reason=self.generator.choice(CORRECTED),
            )
            after = self._try(state, action)
            if after is not None and not self.game.invariants(after):
                self._enter(action, QUICK)
                return True
        return False

    def _rule(self, outcome: Outcome[Any]) -> bool:
        """Overrule a result of the last entry by one more or one less."""
        action = self.actions[-1]
        steps = [substep for step in outcome.steps for substep in step.all_steps() if substep.key]
        for step in steps:
            for result in _variants(step.result):
                ruled = replace(action, rulings={step.key or "": Ruling(result=result, reason=RULED)})
                if self._replace(0, ruled):
                    self._record("mend", ruled, QUICK, reason=RULED)
                    return True
        return False

    def _mend(self) -> bool:
        """Change an earlier entry if all later ones remain legal."""
        at = len(self.actions) - 1 - MEND_BACK
        prompts = self.game.prompts(self.states[at])
        old = self.actions[at]
        prompt = next((p for p in prompts if (p.faction, p.action) == (old.faction, old.type)), None)
        other = self._other(prompt, old) if prompt else None
        if other is None or not self._replace(MEND_BACK, other):
            return False
        self._record("mend", other, QUICK, back=MEND_BACK, reason=MENDED)
        return True

    def _replace(self, back: int, action: Action) -> bool:
        """Replace an earlier action; return False, and change nothing, if a later one becomes illegal."""
        at = len(self.actions) - 1 - back
        states: list[Any] = [self.states[at]]
        for next_action in (action, *self.actions[at + 1 :]):
            after = self._try(states[-1], next_action)
            if after is None:
                return False
            states.append(after)
        if self.game.invariants(states[-1]) or self.game.result(states[-1]):
            return False
        self.states[at:] = states
        self.actions[at] = action
        return True

    def _try(self, state: Any, action: Action) -> Any | None:
        try:
            return self.game.apply(state, action).state
        except Refused:
            return None


def _variants(result: Json) -> Iterator[Json]:
    """Yield the result with one of its numbers increased or decreased by 1."""
    if isinstance(result, int) and not isinstance(result, bool):
        yield from (result + 1, result - 1)
    if isinstance(result, Mapping):
        for key, value in result.items():
            for other in _variants(value):
                yield {**result, key: other}


# Kinds of places where people count pieces during a game.
COUNTED_PLACES = frozenset({"countryside", "province", "reserve", "cell"})


# A score pad


def _score_sheet(states: Sequence[Any], factions: Sequence[str], generator: random.Random) -> Iterator[Event]:
    """Yield the entries of a Wallenstein score pad for a game: all regions, in both winters."""
    for winter in _winters(states):
        for region in regions_in_play(winter.setup):
            held = regions(winter)[region]
            action: dict[str, Json] = {"type": "region", "provinces": dict(held.provinces)}
            action |= {building: dict(held.buildings.get(building, {})) for building in BUILDINGS}
            seconds = generator.lognormvariate(log(AT_A_PAD), SPREAD / 2)
            yield Event("entry", factions[0], action, seconds)


def _winters(states: Sequence[Any]) -> list[Any]:
    """Return the last state of each year."""
    years = {state.round: state for state in states}
    return [years[4], years[8]]

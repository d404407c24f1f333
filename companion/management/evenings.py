"""The evenings of the demo: circles, dates, games, and their play by heuristic players.

Pure functions: an evening depends on its seed alone and can be played in another process.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Any, Literal

from companion.registry import FULL, PAD, titles
from companion.statistics.simulation import seatings
from companion.titles.demo import Demo, Evening
from companion.titles.title import Title
from games.core.actions import Action, Correct, Ruling, action_json
from games.core.codec import Json
from games.core.errors import Refused
from games.core.game import AnyGame, Setup
from games.core.prompts import Prompt
from games.core.steps import Outcome
from players.party import Party

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


def all_evenings() -> list[Evening]:
    """Return the evenings of all titles in chronological order."""
    evenings = [evening for title in titles().values() if title.demo for evening in title.demo.evenings]
    return sorted(evenings, key=lambda evening: -evening.weeks_ago)


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


def seed_of(evening: Evening) -> str:
    return f"{SEED} {evening.circle} {evening.game} {evening.players} {evening.weeks_ago} {evening.mode}"


def play_evening(evening: Evening) -> PlayedEvening:
    """Play an evening with heuristic players."""
    generator = random.Random(seed_of(evening))
    title = titles()[evening.game]
    factions = _colours(evening)
    factions = tuple(generator.sample(factions, len(factions)))
    first = generator.choice(factions)
    setup = title.game.prepare(factions, players=evening.players, first=first)
    people = _people(evening, factions, generator)
    chronicle = Chronicle(title, setup, evening, generator)
    chronicle.play()
    events = chronicle.events
    if evening.mode == PAD:
        events = list(_score_sheet(title, chronicle.states, factions, generator))
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

    def __init__(self, title: Title, setup: Setup, evening: Evening, generator: random.Random) -> None:
        self.title = title
        self.game: AnyGame = title.game
        self.evening = evening
        self.generator = generator
        self.party: Party = title.automaton.party(setup, generator)
        self.pace = {faction: generator.uniform(0.7, 1.5) for faction in setup.factions}
        self.states: list[Any] = [title.game.start(setup).state]
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
        chance = prompt.action in self.title.automaton.chance.falls
        median = QUICK if chance else _demo(self.title).seconds * self.pace[prompt.faction]
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
        state, counted = self.states[-1], _demo(self.title).counted_places
        lines = [
            line
            for line in state.ledger.holdings()
            if line.owner in state.order and line.count > 1 and line.place.partition(":")[0] in counted
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


# A score pad


def _score_sheet(
    title: Title, states: Sequence[Any], factions: Sequence[str], generator: random.Random
) -> Iterator[Event]:
    """Yield the entries of a score pad for a game."""
    score_sheet = _demo(title).score_sheet
    if score_sheet is None:
        raise TypeError(f"the demo of {title.slug} has no score pad")
    for action in score_sheet(states):
        yield Event("entry", factions[0], action, generator.lognormvariate(log(AT_A_PAD), SPREAD / 2))


def _demo(title: Title) -> Demo:
    if title.demo is None:
        raise TypeError(f"{title.slug} has no demo")
    return title.demo

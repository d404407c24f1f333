"""The score pad of Signoria: points by source, round by round, then the end (digest 6)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar

from games.core import pads
from games.core.actions import Action
from games.core.codec import Count, Json
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, not_now
from games.core.game import Game, Result, Setup, Texts
from games.core.messages import Name, faction_name, faction_names, plural, say, text
from games.core.pads import Amounts, Form, Sheet, State, TableEntry
from games.core.prompts import Allocation, Choice, Group, Prompt
from games.core.steps import Account, Outcome, Step
from games.signoria.game import SIGNORIA
from games.signoria.pieces import BONUS_ROUNDS, CAREER_NUMBERS, FIELDS, MEN, ROUNDS, SHIELDS, TILE_VALUES
from games.signoria.scoring import RULE, TIE_BREAK, Field, end_score, rank, tie_break
from games.signoria.wording import TEXTS

END = "end"
DOWN = "down"
MOST_DOWN = 12  # face-down tiles beside a field; an input limit, the rules have none
BUYS = 5
MEN_COLUMN = pads.shared("men", [str(number) for number in CAREER_NUMBERS], MEN)

# 6.1: sources of points during a round, each with a generous input limit.
EVERY_ROUND: Mapping[str, int] = {"missions": 99, "marriages": 60, "initiative": 30, "helpers": 60}
EARLY: Mapping[str, int] = {"weddings": 10}
LATE: Mapping[str, int] = {"rewards": 99}

SHEET = Sheet(
    lines=(*(str(number) for number in range(1, ROUNDS + 1)), END),
    sources=(*EVERY_ROUND, *EARLY, *LATE, "bought", "men", *FIELDS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Points(Action):
    """Enter the points of every player in one round, by source."""

    type: ClassVar[str] = "points"
    missions: Mapping[str, Json] = field(default_factory=dict)
    marriages: Mapping[str, Json] = field(default_factory=dict)
    initiative: Mapping[str, Json] = field(default_factory=dict)
    helpers: Mapping[str, Json] = field(default_factory=dict)
    weddings: Mapping[str, Json] = field(default_factory=dict)
    rewards: Mapping[str, Json] = field(default_factory=dict)
    bought: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class End(Action):
    """Enter a player's men by space number, and the tiles beside each field by value; `down` is face down."""

    type: ClassVar[str] = "end"
    men: Mapping[str, Count] = field(default_factory=dict)
    political: Mapping[str, Count] = field(default_factory=dict)
    church: Mapping[str, Count] = field(default_factory=dict)
    military: Mapping[str, Count] = field(default_factory=dict)
    marriage: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack(Action):
    """Enter the initiative discs from the bottom up. Prompted only if players are tied."""

    type: ClassVar[str] = "stack"
    stack: tuple[str, ...]


def start(setup: Setup) -> Outcome[State]:
    account = Account(pads.first_state(setup, 1, pads.clockwise(setup), Frame("points")))
    account.step(RULE, say("pad.rounds", count=ROUNDS))
    return account.outcome()


# The rounds


def _columns(state: State) -> dict[str, Amounts]:
    """Return the input columns of this round (5.12).

    Rounds with a bonus tile have weddings; the last two have reward points and bought points.
    """
    late = state.round > BONUS_ROUNDS
    most = {**EVERY_ROUND, **(LATE if late else EARLY)}
    columns = {name: Amounts(name, dict.fromkeys(state.order, points)) for name, points in most.items()}
    if late:
        columns["bought"] = Amounts("bought", dict.fromkeys(state.order, BUYS), Fraction(BUYS))
    return columns


def _form(state: State) -> Form:
    return Form(say("pad.points-of", round=state.round), tuple(_columns(state).values()))


def _score(state: State, action: Points) -> Outcome[State]:
    entered = _read(state, action)
    account = Account(state)
    line = str(state.round)
    scores = {
        f: ({name: row[f] for name, row in entered.items()}, _score_step(f, entered)) for f in state.order
    }
    pads.enter(account, SHEET, line, f"score:{line}", scores)
    if state.round < ROUNDS:
        account.set(round=state.round + 1)
    else:
        account.set(frames=(Frame("end", {"entered": []}),))
    return account.outcome()


def _read(state: State, action: Points) -> dict[str, dict[str, Fraction]]:
    columns = _columns(state)
    for name in (*EARLY, *LATE, "bought"):
        if getattr(action, name) and name not in columns:
            raise Illegal(
                say("pad.not-this-round", what=Name("column", name), round=state.round), rule="5.12"
            )
    return {name: column.read(getattr(action, name), RULE) for name, column in columns.items()}


def _score_step(faction: str, entered: Mapping[str, Mapping[str, Fraction]]) -> Step:
    parts = tuple(
        say("pad.part", source=Name("part", name), points=row[faction])
        for name, row in entered.items()
        if row[faction]
    )
    if not parts:
        return Step(RULE, say("pad.scores-nothing", faction=faction_name(faction)))
    return Step(RULE, say("pad.scores", faction=faction_name(faction), parts=parts))


SCORING = TableEntry("points", RULE, Points, _form, _score)


# The end


@dataclass(frozen=True, slots=True)
class Ending:
    """Phase: every player's men and tiles, one entry per player. The frame lists who has entered."""

    name = "end"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        return [_end_prompt(faction) for faction in state.order if faction not in _entered(state)]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, End):
            raise not_now(action, rule=self.rule)
        if action.faction in _entered(state):
            raise Illegal(say("pad.end-entered"), rule=RULE)
        return _end(state, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        if len(_entered(state)) < len(state.order):
            return None
        return _stack_or_finish(state)


def _entered(state: State) -> list[str]:
    return list(state.frames[-1].data.get("entered", []))


def _end_prompt(faction: str) -> Prompt:
    return Prompt(
        faction=faction,
        title=say("pad.end"),
        rule=RULE,
        example=End(faction=faction),
        fields=(MEN_COLUMN, *(_tiles(name) for name in FIELDS)),
    )


def _tiles(name: str) -> Allocation:
    """Return the tile input of a field: face up at most one per shield, face down any number (5.11)."""
    shields = SHIELDS[name]
    values = tuple(str(value) for value in TILE_VALUES)
    most = {**dict.fromkeys(values, shields), DOWN: MOST_DOWN}
    return Allocation(name, most, 0, shields + MOST_DOWN, (Group(values, shields),))


def _end(state: State, action: End) -> Outcome[State]:
    """Score half of each man's number, rounded down, and the tiles of fields with three or more (6.1)."""
    men = pads.read_shared([MEN_COLUMN], action, RULE)["men"]
    fields = {name: _field(name, getattr(action, name)) for name in FIELDS}
    parts = end_score([int(n) for n in Counter(men).elements()], fields)
    total = sum(parts.values())
    step = Step(RULE, say("end-total", parts=tuple(parts.values()), count=total))
    account = Account(state)
    points = {part: Fraction(n) for part, n in parts.items()}
    key = f"score:{END}:{action.faction}"
    pads.enter(account, SHEET, END, key, {action.faction: (points, step)})
    account.set(frames=(state.frames[-1].with_data(entered=[*_entered(state), action.faction]),))
    return account.outcome()


def _field(name: str, given: Mapping[str, int]) -> Field:
    values = [str(value) for value in TILE_VALUES]
    counts = pads.read_counts(given, [*values, DOWN], RULE)
    down = counts.pop(DOWN)
    pads.refuse_over(counts, SHIELDS[name], name, "5.11")
    if down > MOST_DOWN:
        raise Illegal(say("pad.too-much", what=Name("column", DOWN), most=MOST_DOWN), rule="5.11")
    return Field(tuple(int(value) for value in Counter(counts).elements()), down)


# The tie-break (6.2)


def _stack_or_finish(state: State) -> Outcome[State]:
    account = Account(state)
    points = SHEET.whole_points(state)
    if len(set(points.values())) == len(points):
        _announce(account)
        return account.outcome()
    account.step(TIE_BREAK, say("pad.level"))
    account.set(frames=(Frame("stack"),))
    return account.outcome()


def _stack_form(state: State) -> Form:
    ways = tuple(list(way) for way in itertools.permutations(state.order))
    return Form(say("pad.stack"), (Choice("stack", ways),), {"stack": state.order})


def _enter_stack(state: State, action: Stack) -> Outcome[State]:
    if sorted(action.stack) != sorted(state.order):
        raise BadInput(say("pad.not-a-stack", known=state.order), rule=TIE_BREAK)
    account = Account(replace(state, held={"stack": list(action.stack)}))
    account.step(TIE_BREAK, say("pad.stacked", stack=faction_names(action.stack)))
    _announce(account)
    return account.outcome()


STACKING = TableEntry("stack", TIE_BREAK, Stack, _stack_form, _enter_stack)


def _announce(account: Account[State]) -> None:
    result = ranking(account.state)
    if result.reason:
        account.step(TIE_BREAK, result.reason)
    winner = result.winners[0]
    points = SHEET.whole_points(account.state)[winner]
    account.step(TIE_BREAK, say("pad.wins", faction=faction_name(winner), count=points))
    pads.complete(account)


def ranking(state: State) -> Result:
    """Rank by points, then by disc; ties remain if the stack was not entered (6.2)."""
    points, stack = SHEET.whole_points(state), state.held.get("stack")
    order = rank(points, stack or state.order)
    if stack:
        return Result(tuple((player,) for player in order), tie_break(points, order))
    places = [tuple(level) for _, level in itertools.groupby(order, key=points.__getitem__)]
    return Result(tuple(places))


PAD: Game[State] = pads.pad(
    SIGNORIA,
    SHEET,
    actions=(Points, End, Stack),
    phases=(SCORING, Ending(), STACKING),
    texts=pads.texts(
        TEXTS,
        Texts(
            messages={
                "pad.rounds": text("{count} rounds are entered, then the men and tiles of the end."),
                "pad.points-of": text("Enter the points of round {round}"),
                "pad.part": text("{source} {points}"),
                "pad.scores": text("{faction}: {parts}."),
                "pad.scores-nothing": text("{faction} scores nothing."),
                "pad.not-this-round": text("{what}: not in round {round}."),
                "pad.end": text("Count your men on career tracks and your alliance tiles"),
                "pad.end-entered": text("Your men and tiles are entered already."),
                "pad.level": text("Some are level; the discs on the initiative track decide."),
                "pad.stack": text("How do the discs lie on the initiative track?"),
                "pad.not-a-stack": text("The stack names each of {known} once."),
                "pad.stacked": text("The discs from the bottom up: {stack}."),
                "pad.wins": plural(
                    "{faction} wins with {count} point.", "{faction} wins with {count} points."
                ),
            },
            names={
                "phase:points": text("Points"),
                "phase:end": text("Points at the end"),
                "phase:stack": text("Tie-break"),
                "column:missions": text("Mis­sions"),
                "column:marriages": text("Mar­riages"),
                "column:initiative": text("Ini­tiative"),
                "column:helpers": text("Help­ers"),
                "column:weddings": text("Wed­dings"),
                "column:rewards": text("Reward tile"),
                "column:bought": text("Bought"),
                "column:men": text("Men on number"),
                "column:political": text("Political"),
                "column:church": text("Church"),
                "column:military": text("Military"),
                "column:marriage": text("Marriage"),
                "column:down": text("Face down"),
                "part:missions": text("Missions"),
                "part:marriages": text("Marriages"),
                "part:initiative": text("Initiative"),
                "part:helpers": text("Helpers"),
                "part:weddings": text("Weddings"),
                "part:rewards": text("Reward tiles"),
                "part:bought": text("Bought"),
            },
            rules={},
        ),
    ),
    start=start,
    ranking=ranking,
    resume={"points": None, "end": END},
    start_rule=RULE,
    end_rule=TIE_BREAK,
)

"""Score pad: the buildings each player controls at the end, or their points (digest 6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import ClassVar

from games.core import pads
from games.core.actions import Action
from games.core.codec import Count
from games.core.flow import Frame, is_over
from games.core.game import Game, Result, Setup, Texts
from games.core.messages import Message, faction_name, plural, say, text
from games.core.pads import Amounts, Form, Sheet, State, TableEntry
from games.core.prompts import Allocation
from games.core.steps import Account, Outcome, Step
from games.raubritter import RAUBRITTER
from games.raubritter.ending import FINAL
from games.raubritter.scoring import PARTS, RULE, Controlled, rank, score, scored, tie_break, winner_steps
from games.raubritter.tiles import KNIGHTS, POINTS, TYPES

END = "end"
TOTAL = "total"  # points entered directly
SHEET = Sheet(lines=(END,), sources=(*PARTS.values(), TOTAL))


@dataclass(frozen=True, slots=True, kw_only=True)
class Final(Action):
    """The castles, villages and towns each colour controls, and the knights it has not placed.

    A colour's ``points``, if not 0, replace those of its buildings.
    """

    type: ClassVar[str] = "final"
    castles: Mapping[str, Count] = field(default_factory=dict)
    villages: Mapping[str, Count] = field(default_factory=dict)
    towns: Mapping[str, Count] = field(default_factory=dict)
    points: Mapping[str, Count] = field(default_factory=dict)
    knights: Mapping[str, Count] = field(default_factory=dict)


def start(setup: Setup) -> Outcome[State]:
    account = Account(pads.first_state(setup, 1, pads.clockwise(setup), Frame("final")))
    account.step(RULE, say("pad.at-the-end"))
    return account.outcome()


def _built(state: State) -> dict[str, int]:
    """Return the number of buildings in all sets together, by scoring part (2.1)."""
    tiles: Mapping[str, int] = state.setup.figures["tile_set"]
    players = len(state.setup.factions)
    return {
        part: players * sum(count for tile, count in tiles.items() if TYPES[tile].building == building)
        for building, part in PARTS.items()
    }


def _buildings(state: State) -> list[Allocation]:
    """Return the fields for buildings: those of all players together are limited."""
    return [pads.shared(part, state.order, count) for part, count in _built(state).items()]


def _amounts(state: State) -> tuple[Amounts, Amounts]:
    """Return the fields for points (at most those of all buildings) and for knights left."""
    built = _built(state)
    most = sum(POINTS[building] * built[part] for building, part in PARTS.items())
    points = Amounts("points", dict.fromkeys(state.order, most))
    return points, Amounts("knights", dict.fromkeys(state.order, KNIGHTS))


def _form(state: State) -> Form:
    return Form(say("pad.final"), (*_buildings(state), *_amounts(state)))


def _score(state: State, action: Final) -> Outcome[State]:
    """Score 1 point per castle, 2 per village, 3 per town; then apply the tie-break (6)."""
    held = _read(state, action)
    points = score(_tiles(held), state.order)
    account = Account(state)
    scores = {f: _scored(f, points[f], held["points"][f]) for f in state.order}
    pads.enter(account, SHEET, END, FINAL, scores)
    account.set(held=held)
    pads.complete(account)
    first = ranking(account.state).winners
    for step in winner_steps(SHEET.whole_points(account.state), held["knights"], first):
        account.add(step)
    return account.outcome()


def _scored(faction: str, points: Mapping[str, int], total: int) -> tuple[dict[str, Fraction], Step]:
    """Return the points of a colour by source, and the step that explains them."""
    if total:
        message = say("pad.total", faction=faction_name(faction), count=total)
        return {TOTAL: Fraction(total)}, Step(RULE, message)
    return {part: Fraction(n) for part, n in points.items()}, Step(RULE, scored(faction, points))


def _read(state: State, action: Final) -> dict[str, dict[str, int]]:
    """Return the validated counts of an action by column and faction."""
    held = pads.read_shared(_buildings(state), action, RULE)
    for amounts, given in zip(_amounts(state), (action.points, action.knights), strict=True):
        held[amounts.name] = {faction: int(n) for faction, n in amounts.read(given, RULE).items()}
    return held


def _tiles(held: Mapping[str, Mapping[str, int]]) -> Iterator[Controlled]:
    """Yield the counted buildings, each with one knight of its controller."""
    for building, part in PARTS.items():
        for faction, count in held[part].items():
            yield from [Controlled(building, (faction,))] * count


def ranking(state: State) -> Result:
    """Return the ranking by points, then by knights left; equal players share a place (6)."""
    points = SHEET.whole_points(state)
    reserve = {faction: state.held.get("knights", {}).get(faction, 0) for faction in state.order}
    places = tuple(rank(points, reserve))
    return Result(places, tie_break(points, reserve, places[0]))


def provisional(state: State) -> Message | None:
    return None if is_over(state) else say("pad.at-the-end")


ENDING = TableEntry("final", RULE, Final, _form, _score)


PAD: Game[State] = replace(
    pads.pad(
        RAUBRITTER,
        SHEET,
        actions=(Final,),
        phases=(ENDING,),
        texts=pads.texts(
            RAUBRITTER.texts,
            Texts(
                messages={
                    "pad.at-the-end": text("Everything is scored at the end of the game."),
                    "pad.final": text("Count what each colour controls at the end, or its points"),
                    "pad.total": plural(
                        "{faction} has {count} point, as you counted.",
                        "{faction} has {count} points, as you counted.",
                    ),
                },
                names={
                    "phase:final": text("Final scoring"),
                    "column:castles": text("Castles"),
                    "column:villages": text("Villages"),
                    "column:towns": text("Towns"),
                    "column:points": text("or points"),
                    "column:knights": text("Knights left"),
                    "part:total": text("Points in all"),
                },
                rules={},
            ),
        ),
        start=start,
        ranking=ranking,
        resume={"final": END},
        start_rule=RAUBRITTER.start_rule,
        end_rule=RULE,
    ),
    board=RAUBRITTER.board,
    figures_wrong=RAUBRITTER.figures_wrong,
    provisional=provisional,
)

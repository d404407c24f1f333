"""Score pad of Wallenstein: two winters, region by region (6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from games.core import pads
from games.core.actions import Action
from games.core.codec import Count
from games.core.flow import Frame, goto
from games.core.game import Game, Result, Setup, Texts
from games.core.messages import Name, say, text
from games.core.pads import Form, Sheet, State, TableEntry
from games.core.prompts import Allocation
from games.core.steps import Account, Outcome
from games.wallenstein.board import regions_in_play
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.pieces import BUILDINGS, PARTS, PROVINCES_PER_REGION, REGIONS
from games.wallenstein.scoring import (
    CRITERIA,
    RULE,
    Region,
    rank,
    score,
    score_steps,
    tie_break,
    winner_steps,
)
from games.wallenstein.state import YEARS
from games.wallenstein.wording import TEXTS

COLUMNS = ("provinces", *BUILDINGS)

SHEET = Sheet(
    lines=tuple(str(winter) for winter in range(1, YEARS + 1)),
    sources=PARTS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Winter(Action):
    """Enter provinces and buildings per player in the region being scored."""

    type: ClassVar[str] = "region"
    provinces: Mapping[str, Count] = field(default_factory=dict)
    palace: Mapping[str, Count] = field(default_factory=dict)
    church: Mapping[str, Count] = field(default_factory=dict)
    trading_house: Mapping[str, Count] = field(default_factory=dict)


def start(setup: Setup) -> Outcome[State]:
    account = Account(pads.first_state(setup, 1, pads.clockwise(setup), Frame("winter", {"scored": 0})))
    account.step(RULE, say("pad.winters"))
    return account.outcome()


def _scored(state: State) -> int:
    return int(state.frames[-1].data.get("scored", 0))


def region_now(state: State) -> str:
    """Return the region to score next; the frame holds the number of regions scored."""
    return regions_in_play(state.setup)[_scored(state)]


def _held(state: State, region: str, column: str) -> Mapping[str, int]:
    """Return the counts last entered for a region."""
    counts: Mapping[str, int] = state.held.get(region, {}).get(column, {})
    return counts


def _columns(state: State) -> list[Allocation]:
    return [pads.shared(column, state.order, PROVINCES_PER_REGION) for column in COLUMNS]


def _form(state: State) -> Form:
    region = region_now(state)
    return Form(
        title=say("pad.region", region=Name("region", region), winter=state.round),
        fields=tuple(_columns(state)),
        filled={column: dict(_held(state, region, column)) for column in COLUMNS},
    )


def _score(state: State, action: Winter) -> Outcome[State]:
    """Score provinces, buildings and majorities of one region (6)."""
    name = region_now(state)
    counts = pads.read_shared(_columns(state), action, RULE)
    region = Region(counts["provinces"], {building: counts[building] for building in BUILDINGS})
    scores = score({name: region}, state.order)
    region_line, *score_lines = score_steps({name: region}, scores)
    account = Account(state)
    line = str(state.round)
    points = {
        faction: (
            {source: Fraction(getattr(scores[faction], source)) for source in SHEET.sources},
            step,
        )
        for faction, step in zip(scores, score_lines, strict=True)
    }
    title = say("pad.region-title", region=Name("region", name), line=Name("line", line))
    pads.enter(account, SHEET, line, f"score:{line}:{name}", points, title)
    account.add(region_line)
    kept = {column: {f: n for f, n in owned.items() if n} for column, owned in counts.items()}
    account.set(
        held={**state.held, name: kept},
        frames=goto(state, Frame("winter", {"scored": _scored(state) + 1})),
    )
    return account.outcome()


def _end_winter(state: State) -> Outcome[State] | None:
    """End the winter when every region is scored; the second winter ends the game."""
    if _scored(state) < len(regions_in_play(state.setup)):
        return None
    if state.round >= YEARS:
        return _finish(state)
    account = Account(state)
    account.step(RULE, say("pad.winter-over", winter=state.round))
    account.set(round=state.round + 1, frames=goto(state, Frame("winter", {"scored": 0})))
    return account.outcome()


SCORING = TableEntry("winter", RULE, Winter, _form, _score, _end_winter)


# The winner


def _criteria(state: State) -> dict[str, Mapping[str, int]]:
    """Return points, then the buildings on the board at the end, as ranking criteria (6)."""
    built = {
        name: {f: sum(_held(state, r, building).get(f, 0) for r in REGIONS) for f in state.order}
        for name, building in CRITERIA.items()
    }
    return {"points": SHEET.whole_points(state), **built}


def _finish(state: State) -> Outcome[State]:
    account = Account(state)
    for step in winner_steps(_criteria(state), state.order):
        account.add(step)
    pads.complete(account)
    return account.outcome()


def ranking(state: State) -> Result:
    """Return the ranking: points, then palaces, churches, trading houses, then a shared place (6)."""
    criteria = _criteria(state)
    return Result(tuple(rank(list(criteria.values()), state.order)), tie_break(criteria, state.order))


PAD: Game[State] = pads.pad(
    WALLENSTEIN,
    SHEET,
    actions=(Winter,),
    phases=(SCORING,),
    texts=pads.texts(
        TEXTS,
        Texts(
            messages={
                "players": text("Wallenstein is for {least} to {most} players."),
                "pad.winters": text("Two winters are scored, each region by region."),
                "pad.region": text("{region}, winter {winter}: who owns what"),
                "pad.region-title": text("{region}, {line}"),
                "pad.winter-over": text("Winter {winter} is scored."),
            },
            names={
                "phase:winter": text("Winter"),
                "line:1": text("Winter 1"),
                "line:2": text("Winter 2"),
                "column:provinces": text("Prov­inces"),
                "column:palace": text("Palaces"),
                "column:church": text("Church­es"),
                "column:trading_house": text("Trading houses"),
            },
            rules={},
        ),
    ),
    start=start,
    ranking=ranking,
    resume={"winter": None},
    start_rule=RULE,
    end_rule=RULE,
)

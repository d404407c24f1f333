"""Score pad of Wallenstein: two winters, region by region (6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

from games.core import pads
from games.core.actions import Action
from games.core.boards import Board
from games.core.codec import Count
from games.core.flow import Frame, Machine, goto, not_now
from games.core.game import Game, Result, Setup, Texts
from games.core.messages import Message, Name, say, text
from games.core.pads import Sheet, State
from games.core.prompts import Allocation, Prompt
from games.core.steps import Account, Outcome
from games.wallenstein.pieces import BUILDINGS, FACTIONS, NOBODYS, PROVINCES_PER_REGION, REGIONS
from games.wallenstein.scoring import RULE, Region, rank, score, score_steps, winner_steps
from games.wallenstein.wording import TEXTS

WINTERS = 2
NOT_WITH_TWO = ("brandenburg", "kurpfalz")  # 5.11
COLUMNS = ("provinces", *BUILDINGS)
CRITERIA: Mapping[str, str] = {"palaces": "palace", "churches": "church", "trading_houses": "trading_house"}

SHEET = Sheet(
    lines=tuple(str(winter) for winter in range(1, WINTERS + 1)),
    sources=("provinces", "buildings", "majorities"),
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


def regions_of(state: State) -> tuple[str, ...]:
    """Return the regions to score; two players use three (5.11)."""
    if state.setup.players > 2:  # noqa: PLR2004 - the variant for two players
        return REGIONS
    return tuple(region for region in REGIONS if region not in NOT_WITH_TWO)


@dataclass(frozen=True, slots=True)
class Scoring:
    """A winter, scored region by region. The frame holds the number of regions scored."""

    name = "winter"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        region = region_now(state)
        most = dict.fromkeys(state.order, PROVINCES_PER_REGION)
        fields = tuple(Allocation(column, most, 0, PROVINCES_PER_REGION) for column in COLUMNS)
        held: Mapping[str, Any] = {column: dict(_held(state, region, column)) for column in COLUMNS}
        return pads.to_everybody(
            state,
            lambda faction: Prompt(
                faction=faction,
                title=say("pad.region", region=Name("region", region), winter=state.round),
                rule=RULE,
                example=Winter(faction=faction, **held),
                fields=fields,
            ),
        )

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Winter):
            raise not_now(action, rule=self.rule)
        return _score(state, action)

    def resolve(self, state: State) -> Outcome[State] | None:
        """End the winter when every region is scored; the second winter ends the game."""
        if _scored(state) < len(regions_of(state)):
            return None
        if state.round >= WINTERS:
            return _finish(state)
        account = Account(state)
        account.step(RULE, say("pad.winter-over", winter=state.round))
        account.set(round=state.round + 1, frames=goto(state, Frame("winter", {"scored": 0})))
        return account.outcome()


def _scored(state: State) -> int:
    return int(state.frames[-1].data.get("scored", 0))


def region_now(state: State) -> str:
    return regions_of(state)[_scored(state)]


def _held(state: State, region: str, column: str) -> Mapping[str, int]:
    """Return the counts last entered for a region."""
    counts: Mapping[str, int] = state.held.get(region, {}).get(column, {})
    return counts


def _score(state: State, action: Winter) -> Outcome[State]:
    """Score provinces, buildings and majorities of one region (6)."""
    name = region_now(state)
    counts = {column: pads.read_counts(getattr(action, column), state.order, RULE) for column in COLUMNS}
    for column, owned in counts.items():
        pads.refuse_over(owned, PROVINCES_PER_REGION, column, RULE)
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


# The winner


def _criteria(state: State) -> dict[str, Mapping[str, int]]:
    """Return points, then the buildings on the board at the end, as ranking criteria (6)."""
    points = {standing.faction: int(standing.points) for standing in SHEET.standings(state)}
    built = {
        name: {f: sum(_held(state, r, building).get(f, 0) for r in REGIONS) for f in state.order}
        for name, building in CRITERIA.items()
    }
    return {"points": points, **built}


def _finish(state: State) -> Outcome[State]:
    account = Account(state)
    for step in winner_steps(_criteria(state), state.order):
        account.add(step)
    account.set(frames=(Frame("finished"),))
    return account.outcome()


def ranking(state: State) -> Result:
    """Return the ranking: points, then palaces, churches, trading houses, then a shared place (6)."""
    criteria = _criteria(state)
    return Result(tuple(rank(list(criteria.values()), state.order)), _tie_break(state, criteria))


def _tie_break(state: State, criteria: Mapping[str, Mapping[str, int]]) -> Message | None:
    level = rank([criteria["points"]], state.order)[0]
    return None if len(level) == 1 else list(winner_steps(criteria, level))[-1].message


PAD: Game[State] = Game(
    slug="wallenstein",
    name="Wallenstein",
    version=1,
    min_players=2,
    max_players=5,
    factions=FACTIONS,
    nobodys=NOBODYS,
    pieces=frozenset({SHEET.piece}),
    uncounted=frozenset({SHEET.piece}),
    places=pads.PLACES,
    options=(),
    actions=(Winter,),
    board=Board({}, {}),
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
    state=State,
    machine=Machine([Scoring(), pads.Finished(RULE)]),
    start_rule=RULE,
    start=start,
    knows_place=lambda _state, place: SHEET.knows(place),
    place_message=pads.place_message,
    standings=SHEET.standings,
    result=pads.result(ranking),
    provisional=pads.provisional,
    invariants=SHEET.invariants,
    resume=pads.resume(SHEET, {"winter": None}),
)

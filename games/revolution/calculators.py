"""Calculators: one part of the rules each, for tables that otherwise keep their own books."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, TypeVar

from games.core.calculators import (
    Answer,
    Calculator,
    Calculators,
    Counts,
    Flag,
    Group,
    Input,
    Keyed,
    Number,
    Order,
    Pick,
    Rows,
    Settings,
)
from games.core.codec import Count, Json, plain
from games.core.errors import BadInput
from games.core.messages import say
from games.core.options import Option, read_options
from games.core.steps import Step
from games.revolution import (
    armies,
    battles,
    citizens,
    conflict,
    control,
    influence,
    neutrals,
    new_units,
    play_order,
    scoring,
    sieges,
    taxes,
)
from games.revolution.checks import refuse_unknown
from games.revolution.cities import City
from games.revolution.entries import (
    counts_of,
    read_allies,
    read_coins,
    read_decimal,
    read_decimals,
    read_limit,
    read_one_of,
    read_order,
    refuse_outside,
    refuse_too_many,
    refuse_too_many_armies,
    refuse_too_many_neutrals,
)
from games.revolution.factions import ALLIANCES, BOXES, EVERYBODY, FACTIONS, refuse_players
from games.revolution.options import OPTIONS
from games.revolution.provinces import PROVINCES, place_message, province_name
from games.revolution.state import LAST_ROUND
from games.revolution.wording import TEXTS

Chosen: TypeAlias = Mapping[str, Json]  # every table option with its value


class Body(Protocol):
    """Fields that all calculator bodies share."""

    @property
    def options(self) -> Chosen: ...


B = TypeVar("B", bound=Body)


def _calculator(
    name: str,
    rule: str,
    body: type[B],
    answer: Callable[[B, Chosen], Answer],
    inputs: tuple[Input, ...],
    example: Mapping[str, Json],
) -> Calculator[B]:
    def answered(given: B) -> Answer:
        return answer(given, read_options(OPTIONS, given.options))

    return Calculator(name, rule, body, answered, inputs, example)


def _settings(*names: str) -> Settings:
    """Return the table options on which an answer depends."""
    return Settings(tuple(o for o in OPTIONS if isinstance(o, Option) and o.name in names))


PLAYERS = Pick("players", tuple(BOXES))
SPACE = Pick("space", tuple(influence.SPACES))
PAIRS: Json = [list(pair) for pair in ALLIANCES]
ALLIES = Pick("allies", ([], PAIRS), "allies")


# 6.11


@dataclass(frozen=True, slots=True)
class ConflictBody:
    limit: Count
    counters: Mapping[str, Count] = field(default_factory=dict)
    options: Chosen = field(default_factory=dict)


def answer_conflict(body: ConflictBody, options: Chosen) -> Answer:
    counters = counts_of(body.counters, EVERYBODY)
    refuse_too_many(counters, neutrals=options["neutral_pool"])
    resolved = conflict.resolve(counters, body.limit)
    return Answer({"left": resolved.left, "removed": resolved.removed}, conflict.steps(resolved))


CONFLICT = _calculator(
    "conflict",
    conflict.RULE,
    ConflictBody,
    answer_conflict,
    (Number("limit", 1), Counts("counters", EVERYBODY)),
    {"limit": 5, "counters": {"catholics": 3, "habsburgs": 1, "neutral": 2}},
)


# 6.5


@dataclass(frozen=True, slots=True)
class BattleBody:
    armies: Mapping[str, Count] = field(default_factory=dict)
    allies: tuple[tuple[str, ...], ...] = ()
    options: Chosen = field(default_factory=dict)


def answer_battle(body: BattleBody, _options: Chosen) -> Answer:
    fighting = counts_of(body.armies, FACTIONS)
    refuse_too_many_armies(fighting)
    battle = battles.resolve(fighting, read_allies(body.allies))
    standoff = battle.ending == battles.STANDOFF
    return Answer({"left": battle.left, "lost": battle.lost, "standoff": standoff}, battles.steps(battle))


BATTLE = _calculator(
    "battle",
    battles.RULE,
    BattleBody,
    answer_battle,
    (Counts("armies", FACTIONS, high=8), ALLIES),
    {"armies": {"catholics": 1, "habsburgs": 2, "burghers": 2}, "allies": []},
)


# 6.16


@dataclass(frozen=True, slots=True)
class InfluenceBody:
    space: Count
    order: tuple[str, ...]
    spent: Mapping[str, Json] = field(default_factory=dict)
    options: Chosen = field(default_factory=dict)


def answer_influence(body: InfluenceBody, _options: Chosen) -> Answer:
    space = _space(body.space)
    order = read_order(body.order, influence.RULE)
    coins = read_coins(body.spent)
    refuse_too_many(coins)
    refuse_outside(order, (faction for faction in coins if coins[faction]), influence.RULE)
    resolved = influence.resolve(space, order, coins)
    return Answer({"space": resolved.end}, influence.steps(resolved))


def _space(given: int) -> int:
    influence.refuse_column(given, influence.RULE)
    return given


INFLUENCE = _calculator(
    "influence",
    influence.RULE,
    InfluenceBody,
    answer_influence,
    (SPACE, Order("order", FACTIONS), Counts("spent", FACTIONS)),
    {
        "space": 2,
        "order": list(FACTIONS),
        "spent": {"catholics": 1, "habsburgs": 1, "nobility": 1, "burghers": 2, "reformers": 3},
    },
)


# 6.16


@dataclass(frozen=True, slots=True)
class AllegianceBody:
    space: Count
    players: Count
    counters: Mapping[str, Count] = field(default_factory=dict)
    supply: Mapping[str, Count] = field(default_factory=dict)
    options: Chosen = field(default_factory=dict)


def answer_allegiance(body: AllegianceBody, options: Chosen) -> Answer:
    space = _space(body.space)
    refuse_players(body.players)
    city = City(counts_of(body.counters, EVERYBODY), counts_of(body.supply, EVERYBODY))
    refuse_too_many(city.counters, city.supply, players=body.players, neutrals=options["neutral_pool"])
    table = citizens.Table(body.players, options[citizens.SUBSTITUTE])
    return _changed(city, citizens.adjust(city, space, table))


def _changed(city: City, steps: tuple[Step, ...]) -> Answer:
    after = city.after(steps)
    return Answer({"counters": after.counters, "supply": after.supply}, steps)


ALLEGIANCE = _calculator(
    "allegiance",
    citizens.RULE,
    AllegianceBody,
    answer_allegiance,
    (
        SPACE,
        Counts("counters", EVERYBODY),
        Counts("supply", EVERYBODY, high=56),
        PLAYERS,
        _settings(citizens.SUBSTITUTE),
    ),
    {
        "space": 1,
        "counters": {
            "catholics": 1,
            "habsburgs": 0,
            "nobility": 0,
            "burghers": 1,
            "reformers": 1,
            "neutral": 0,
        },
        "supply": dict.fromkeys(FACTIONS, 10) | {"neutral": 20},
        "players": 5,
    },
)


# 6.17


@dataclass(frozen=True, slots=True)
class ControlBody:
    counters: Mapping[str, Count] = field(default_factory=dict)
    options: Chosen = field(default_factory=dict)


def answer_control(body: ControlBody, options: Chosen) -> Answer:
    counters = counts_of(body.counters, EVERYBODY)
    refuse_too_many(counters, neutrals=options["neutral_pool"])
    return Answer({"holder": control.majority(counters)}, (control.step(counters),))


CONTROL = _calculator(
    "control",
    control.RULE,
    ControlBody,
    answer_control,
    (Counts("counters", EVERYBODY),),
    {
        "counters": {
            "catholics": 3,
            "habsburgs": 1,
            "nobility": 0,
            "burghers": 0,
            "reformers": 0,
            "neutral": 1,
        }
    },
)


# 6.10


@dataclass(frozen=True, slots=True)
class CityCard:
    links_held: Count = 0


@dataclass(frozen=True, slots=True)
class NewUnitsBody:
    cities: tuple[CityCard, ...] = ()
    towns: Count = 0
    countryside: Count = 0
    support: Count = 0
    supply: Count = 0
    options: Chosen = field(default_factory=dict)


def answer_new_units(body: NewUnitsBody, _options: Chosen) -> Answer:
    links = [card.links_held for card in body.cities]
    allowance = new_units.allowance(links, body.towns, body.countryside, body.support, body.supply)
    steps = new_units.steps(allowance, links, body.countryside)
    return Answer({"allowance": allowance.allowed, "parts": allowance.parts}, steps)


NEW_UNITS = _calculator(
    "new-units",
    new_units.RULE,
    NewUnitsBody,
    answer_new_units,
    (
        Rows("cities", (Number("links_held", high=8),)),
        Number("towns"),
        Number("countryside", high=56),
        Number("support"),
        Number("supply", high=56),
    ),
    {
        "cities": [{"links_held": 0}, {"links_held": 2}],
        "towns": 1,
        "countryside": 8,
        "support": 2,
        "supply": 30,
    },
)


# 6.4


@dataclass(frozen=True, slots=True)
class RecruitCostBody:
    faction: str
    armies: Count = 0
    options: Chosen = field(default_factory=dict)


def answer_recruit_cost(body: RecruitCostBody, _options: Chosen) -> Answer:
    faction = read_one_of(body.faction, FACTIONS, "faction")
    cost = armies.recruit_cost(faction, body.armies)
    return Answer({"cost": cost}, (armies.step(faction, body.armies),))


RECRUIT_COST = _calculator(
    "recruit-cost",
    armies.RULE,
    RecruitCostBody,
    answer_recruit_cost,
    (Pick("faction", FACTIONS, "faction"), Number("armies", high=armies.MOST)),
    {"faction": "catholics", "armies": 2},
)


# 6.1


@dataclass(frozen=True, slots=True)
class TaxesBody:
    provinces: tuple[Json, ...] = ()
    cities: Count = 0
    supply: Count = 0
    rate: Json = None
    options: Chosen = field(default_factory=dict)


def answer_taxes(body: TaxesBody, options: Chosen) -> Answer:
    cards = read_decimals(body.provinces, "provinces")
    rate = taxes.read_rate(body.rate, body.cities)
    collecting = taxes.Taxes(cards, body.cities, rate, body.supply)
    taxes.refuse_rate(collecting, partial_extra=options[taxes.PARTIAL])
    return Answer({"collected": collecting.collected}, taxes.steps(collecting))


TAXES = _calculator(
    "taxes",
    taxes.RULE,
    TaxesBody,
    answer_taxes,
    (
        Rows("provinces", (Number("", high=5, by=0.5),), most=24),
        Number("cities", high=12),
        Pick("rate", taxes.RATES),
        Number("supply", high=56),
        _settings(taxes.PARTIAL),
    ),
    {"provinces": [1, 0.5, 0.5], "cities": 3, "rate": 2, "supply": 20},
)


# 6.15


@dataclass(frozen=True, slots=True)
class SiegeBody:
    besieger: str
    counters: Mapping[str, Count] = field(default_factory=dict)
    supply: Mapping[str, Count] = field(default_factory=dict)
    allies: tuple[tuple[str, ...], ...] = ()
    options: Chosen = field(default_factory=dict)


BESIEGERS = (*FACTIONS, sieges.BEGGARS)


def answer_siege(body: SiegeBody, options: Chosen) -> Answer:
    besieger = read_one_of(body.besieger, BESIEGERS, "besieger")
    city = City(counts_of(body.counters, EVERYBODY), counts_of(body.supply, EVERYBODY))
    refuse_too_many(city.counters, city.supply, neutrals=options["neutral_pool"])
    allies, neutrals_too = read_allies(body.allies), options[sieges.NEUTRALS_TOO]
    return _changed(city, sieges.complete(city, besieger, allies, neutrals_too=neutrals_too))


SIEGE = _calculator(
    "siege",
    sieges.RULE,
    SiegeBody,
    answer_siege,
    (
        Pick("besieger", BESIEGERS, "faction"),
        Counts("counters", EVERYBODY),
        Counts("supply", EVERYBODY, high=56),
        ALLIES,
        _settings(sieges.NEUTRALS_TOO),
    ),
    {
        "besieger": "habsburgs",
        "counters": {
            "catholics": 0,
            "habsburgs": 0,
            "nobility": 0,
            "burghers": 3,
            "reformers": 0,
            "neutral": 0,
        },
        "supply": {
            "catholics": 10,
            "habsburgs": 5,
            "nobility": 10,
            "burghers": 10,
            "reformers": 10,
            "neutral": 20,
        },
        "allies": [],
    },
)


# 5.4, 6.12


@dataclass(frozen=True, slots=True)
class Province:
    limit: Json = None
    counters: Count = 0


@dataclass(frozen=True, slots=True)
class NeutralsBody:
    round: Count = 0
    supply: Count = 0
    provinces: Mapping[str, Province] = field(default_factory=dict)
    order_choice: tuple[str, ...] = ()
    options: Chosen = field(default_factory=dict)


LONGEST_SLUG = 40  # largest length of a province slug that no rulebook names


def answer_neutrals(body: NeutralsBody, options: Chosen) -> Answer:
    refuse_too_many_neutrals(body.supply, options["neutral_pool"])
    if body.round > LAST_ROUND:
        raise BadInput(say("rounds", last=LAST_ROUND), rule="4.0")
    needs = {slug: _need(slug, province, body.round) for slug, province in body.provinces.items()}
    filling = neutrals.fill(needs, body.supply, body.order_choice, body.round)
    return Answer({"placed": filling.placed}, neutrals.steps(filling))


def _need(slug: str, province: Province, round_: int) -> int:
    if len(slug) > LONGEST_SLUG:
        raise BadInput(
            say("unknown-province", province=slug[:LONGEST_SLUG]), rule=neutrals.RULES[round_ == 0]
        )
    limit = read_limit(province.limit, province_name(slug))
    return neutrals.need(limit, province.counters, round_)


NEUTRALS = _calculator(
    "neutrals",
    neutrals.RULES[False],
    NeutralsBody,
    answer_neutrals,
    (
        Pick("round", tuple(range(LAST_ROUND + 1))),
        Number("supply", high=47),
        Keyed(
            "provinces", PROVINCES, "province", (Number("limit", 1), Number("counters")), order="order_choice"
        ),
    ),
    {
        "round": 1,
        "supply": 8,
        "order_choice": ["holland", "flanders", "gelderland", "brabant"],
        "provinces": {
            "holland": {"limit": 8, "counters": 5},
            "flanders": {"limit": 8, "counters": 4},
            "gelderland": {"limit": 5, "counters": 4},
            "brabant": {"limit": 6, "counters": 4},
        },
    },
)


# 5.8, 6.20


@dataclass(frozen=True, slots=True)
class TurnOrderBody:
    order: tuple[str, ...]
    points: Mapping[str, Json] = field(default_factory=dict)
    choices: tuple[int, ...] | None = None
    options: Chosen = field(default_factory=dict)


def answer_turn_order(body: TurnOrderBody, _options: Chosen) -> Answer:
    refuse_unknown(body.points, FACTIONS)
    order = read_order(body.order, play_order.RULE)
    points = {f: read_decimal(value, f"points.{f}") for f, value in body.points.items()}
    refuse_outside(order, (f for f in FACTIONS if points.get(f)), play_order.RULE)
    cards = play_order.laying(points, order)
    first = play_order.laying_step(cards, points)
    if body.choices is None:
        return Answer({"laying": list(cards)}, (first,))
    rows = play_order.rows(cards, body.choices)
    final = list(rows[-1]) if rows else []
    return Answer({"laying": list(cards), "order": final}, (first, *play_order.row_steps(cards, rows)))


TURN_ORDER = _calculator(
    "turn-order",
    play_order.RULE,
    TurnOrderBody,
    answer_turn_order,
    (
        Order("order", FACTIONS, fewest=2),
        Group("points", tuple(Number(f, high=30, by=0.5) for f in FACTIONS), among="order"),
        Rows("choices", (Number("", high=4),), most=4, after_first="order"),
    ),
    {
        "points": {"catholics": 10, "habsburgs": 7.5, "nobility": 6, "burghers": 4, "reformers": 4},
        "order": list(FACTIONS),
        "choices": [0, 1, 3, 0],
    },
)


# 5.8, 6.20


@dataclass(frozen=True, slots=True)
class ScoreBody:
    faction: str
    players: Count
    cities: Count = 0
    provinces: tuple[Json, ...] = ()
    minor_provinces: tuple[Json, ...] = ()
    final: bool = False
    objective: Count = 0
    options: Chosen = field(default_factory=dict)


def answer_score(body: ScoreBody, _options: Chosen) -> Answer:
    faction = read_one_of(body.faction, FACTIONS, "faction")
    refuse_players(body.players)
    cards = scoring.read_cards(body.provinces)
    small = read_decimals(body.minor_provinces, "minor_provinces")
    held = scoring.Held(body.cities, cards, small, body.objective)
    standing = scoring.score(faction, held, body.players, final=body.final)
    parts = {part: plain(points) for part, points in standing.parts.items()}
    steps = scoring.steps(standing, held, body.players, final=body.final)
    return Answer({"points": plain(standing.points), "parts": parts}, steps)


SCORE = _calculator(
    "score",
    scoring.RULE,
    ScoreBody,
    answer_score,
    (
        Pick("faction", FACTIONS, "faction"),
        PLAYERS,
        Number("cities", high=12),
        Rows("provinces", (Number("", high=1, by=0.5),), most=24),
        Rows("minor_provinces", (Number("", high=1, by=0.1),), most=24),
        Flag("final"),
        Number("objective", high=56),
    ),
    {
        "faction": "nobility",
        "players": 5,
        "cities": 2,
        "provinces": [1, 0.5],
        "minor_provinces": [0.5],
        "final": False,
        "objective": 7,
    },
)


CALCULATORS = Calculators(
    slug="revolution",
    name="Revolution",
    texts=TEXTS,
    place_message=place_message,
    calculators=(
        CONFLICT,
        BATTLE,
        INFLUENCE,
        ALLEGIANCE,
        CONTROL,
        NEW_UNITS,
        RECRUIT_COST,
        TAXES,
        SIEGE,
        NEUTRALS,
        TURN_ORDER,
        SCORE,
    ),
)

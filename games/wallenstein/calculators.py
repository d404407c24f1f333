"""Stateless calculators: battle, hunger, majorities, score, tower odds, winner."""

from __future__ import annotations

import typing
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

from games.core.calculators import Answer, Calculator, Calculators, Counts, Group, Number, Pick, Settings
from games.core.codec import Count, Json
from games.core.errors import BadInput
from games.core.messages import faction_name, say
from games.wallenstein.battle import Battle, Kind, Sides, battle_steps, resolve
from games.wallenstein.hunger import Winter, hunger, hunger_steps
from games.wallenstein.options import OPTIONS, read_reading
from games.wallenstein.pieces import (
    BUILDINGS,
    CHURCH,
    COLOURS,
    CUBES,
    FACTIONS,
    NOBODYS,
    PALACE,
    PEASANTS,
    REGIONS,
    TRADING_HOUSE,
)
from games.wallenstein.scoring import (
    Region,
    majorities,
    majority_points,
    majority_steps,
    rank,
    score,
    score_steps,
    winner_steps,
)
from games.wallenstein.tower import RULE_OF_THUMB, Retention, Throw, odds, tower_steps
from games.wallenstein.wording import TEXTS

KINDS: tuple[str, ...] = typing.get_args(Kind)


# Battle (5.7, 5.8)


@dataclass(frozen=True, slots=True)
class BattleBody:
    """Request body: cubes that fell into the cup."""

    kind: Kind
    attacker: Count = 0
    defender: Count = 0
    peasants: Count = 0
    unrest: Count = 0
    uncommitted: Count = 0
    options: Mapping[str, Json] = field(default_factory=dict)


def answer_battle(body: BattleBody) -> Answer:
    """Return the winner and the destination of each cube (5.7, 5.8)."""
    _refuse_strangers(body)
    battle = Battle(
        body.kind, body.attacker, body.defender, body.peasants, body.unrest, uncommitted=body.uncommitted
    )
    result = resolve(battle, read_reading(body.options))
    data = {
        "winner": result.winner,
        "survivors": result.survivors,
        "back_to_supply": result.back_to_supply(),
        "stay_in_cup": {PEASANTS: result.stay_in_cup},
        "province": result.province,
    }
    return Answer(data, battle_steps(battle, result))


def _refuse_strangers(body: BattleBody) -> None:
    """Raise `BadInput` for a defender of an empty province or an attacker in a revolt (5.7, 5.8)."""
    if body.kind == "neutral" and (body.defender or body.uncommitted):
        raise BadInput(say("no-defender", count=body.defender + body.uncommitted), rule="5.7")
    if body.kind == "revolt" and body.attacker:
        raise BadInput(say("no-attacker", count=body.attacker), rule="5.8")


def _settings(*names: str) -> Settings:
    """Return the form input for the named table options."""
    return Settings(tuple(option for option in OPTIONS if option.name in names))


# Hunger (2.5, 5.9)


@dataclass(frozen=True, slots=True)
class HungerBody:
    """Request body: one player in winter."""

    provinces: Count = 0
    grain: Count = 0
    loss: Count = 0
    options: Mapping[str, Json] = field(default_factory=dict)


def answer_hunger(body: HungerBody) -> Answer:
    """Return the remaining grain and the revolts (5.9)."""
    winter = Winter(body.grain, body.loss, body.provinces)
    reading = read_reading(body.options)
    result = hunger(winter, reading)
    return Answer(asdict(result), hunger_steps(winter, result, reading))


# Majorities and score (6)


@dataclass(frozen=True, slots=True)
class MajoritiesBody:
    """Request body: buildings in one region by owner of their province."""

    palace: Mapping[str, Count] = field(default_factory=dict)
    church: Mapping[str, Count] = field(default_factory=dict)
    trading_house: Mapping[str, Count] = field(default_factory=dict)
    options: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RegionBody:
    """Provinces and buildings in one region by owner."""

    provinces: Mapping[str, Count] = field(default_factory=dict)
    palace: Mapping[str, Count] = field(default_factory=dict)
    church: Mapping[str, Count] = field(default_factory=dict)
    trading_house: Mapping[str, Count] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoreBody:
    """Request body: the whole board in winter."""

    regions: Mapping[str, RegionBody] = field(default_factory=dict)
    options: Mapping[str, Json] = field(default_factory=dict)


def answer_majorities(body: MajoritiesBody) -> Answer:
    """Return the points for majorities in one region (6)."""
    read_reading(body.options)
    region = Region(buildings=_buildings(body))
    players = _players(region.buildings.values())
    leads = majorities(region, players)
    points = {player: majority_points(leads, player) for player in players}
    return Answer({"points": points}, majority_steps(leads))


def answer_score(body: ScoreBody) -> Answer:
    """Return the points of all players for one winter (6)."""
    read_reading(body.options)
    _refuse_unknown(body.regions, REGIONS, "region")
    named = {name: body.regions[name] for name in REGIONS if name in body.regions}
    regions = {name: Region(region.provinces, _buildings(region)) for name, region in named.items()}
    players = _players(
        c for region in regions.values() for c in (region.provinces, *region.buildings.values())
    )
    scores = score(regions, players)
    data = {
        "points": {player: scores[player].points for player in players},
        "parts": {player: asdict(scores[player]) for player in players},
    }
    return Answer(data, score_steps(regions, scores))


def _buildings(body: MajoritiesBody | RegionBody) -> dict[str, Mapping[str, int]]:
    return {PALACE: body.palace, CHURCH: body.church, TRADING_HOUSE: body.trading_house}


# Tower (5.7, 5.8)


@dataclass(frozen=True, slots=True)
class RetentionBody:
    """Chances of a cube to stay inside; `read_chance` validates them, since the codec has no such type."""

    fresh: Json
    stuck: Json

    def read(self) -> Retention:
        return Retention(read_chance(self.fresh, "fresh"), read_chance(self.stuck, "stuck"))


@dataclass(frozen=True, slots=True)
class TowerBody:
    """Request body: a battle before its cubes are thrown."""

    kind: Kind
    attacker: str | None = None
    defender: str | None = None
    unrest: Count = 0
    in_tower: Mapping[str, Count] = field(default_factory=dict)
    cup: Mapping[str, Count] = field(default_factory=dict)
    thrown: Mapping[str, Count] = field(default_factory=dict)
    retention: RetentionBody | None = None
    options: Mapping[str, Json] = field(default_factory=dict)


def answer_tower(body: TowerBody) -> Answer:
    """Return the odds of a battle before its throw (5.7, 5.8)."""
    read_reading(body.options)
    throw = _read_throw(body)
    result = odds(throw)
    data = {
        "win": {"attacker": result.attacker, "defender": result.defender, "none": result.none},
        "expected_survivors": {"attacker": result.attacker_left, "defender": result.defender_left},
    }
    return Answer(data, tower_steps(throw, result))


def _read_throw(body: TowerBody) -> Throw:
    throw = Throw(
        kind=body.kind,
        sides=_sides(body),
        unrest=body.unrest,
        in_tower=body.in_tower,
        cup=body.cup,
        thrown=body.thrown,
        retention=body.retention.read() if body.retention else RULE_OF_THUMB,
    )
    for cubes in (body.in_tower, body.cup, body.thrown):
        _refuse_unknown(cubes, COLOURS, "colour")
    _refuse_bystanders(throw)
    _refuse_too_many_cubes(throw)
    return throw


def _sides(body: TowerBody) -> Sides:
    """Return the fighting sides; a name given in place of the peasants is ignored."""
    sides = Sides(
        attacker=PEASANTS if body.kind == "revolt" else _player(body.attacker, "attacker"),
        defender=PEASANTS if body.kind == "neutral" else _player(body.defender, "defender"),
    )
    if sides.attacker == sides.defender:
        raise BadInput(say("against-oneself", faction=faction_name(sides.attacker)), rule="5.7")
    return sides


def _player(colour: str | None, field: str) -> str:
    """Return a valid player colour. Raise `BadInput` (1.1)."""
    if colour is None:
        raise BadInput(say("core.missing-field", field=field))
    if colour in NOBODYS:
        raise BadInput(say("green", field=field), rule="1.1")
    _refuse_unknown((colour,), FACTIONS, "colour")
    return colour


def _refuse_bystanders(throw: Throw) -> None:
    """Raise `BadInput` if cubes of a player who does not fight are thrown in (5.7)."""
    fighting = (throw.sides.attacker, throw.sides.defender, PEASANTS)
    for colour in COLOURS:
        count = throw.thrown.get(colour, 0)
        if count and colour not in fighting:
            raise BadInput(say("bystander", faction=faction_name(colour), count=count), rule="5.7")


def _refuse_too_many_cubes(throw: Throw) -> None:
    """Raise `BadInput` if a colour has more cubes than exist (1.1)."""
    for colour in COLOURS:
        count = throw.fresh(colour) + throw.stuck(colour)
        if count > CUBES:
            raise BadInput(
                say("too-many-cubes", faction=faction_name(colour), most=CUBES, count=count), rule="1.1"
            )


def read_chance(data: Json, field: str) -> float:
    """Return a number from 0 to 1. Raise `BadInput`."""
    if isinstance(data, bool) or not isinstance(data, int | float) or not 0 <= data <= 1:
        raise BadInput(say("not-a-chance", field=field))
    return float(data)


# Winner (6)


@dataclass(frozen=True, slots=True)
class WinnerBody:
    """Request body: points of both winters, and the buildings on the board at the end."""

    points: Mapping[str, Count] = field(default_factory=dict)
    palaces: Mapping[str, Count] = field(default_factory=dict)
    churches: Mapping[str, Count] = field(default_factory=dict)
    trading_houses: Mapping[str, Count] = field(default_factory=dict)
    options: Mapping[str, Json] = field(default_factory=dict)


def answer_winner(body: WinnerBody) -> Answer:
    """Return the winners after the tie-breaks (6)."""
    read_reading(body.options)
    criteria = {
        "points": body.points,
        "palaces": body.palaces,
        "churches": body.churches,
        "trading_houses": body.trading_houses,
    }
    players = _players(criteria.values())
    if not players:
        raise BadInput(say("nobody-plays"), rule="6")
    winners = rank(list(criteria.values()), players)[0]
    return Answer({"winners": list(winners)}, tuple(winner_steps(criteria, players)))


# Validation


def _players(maps: Iterable[Mapping[str, int]]) -> tuple[str, ...]:
    """Return all named players in the fixed order of colours, independent of the order of JSON keys."""
    named = {player for counts in maps for player in counts}
    _refuse_unknown(named, FACTIONS, "colour")
    return tuple(faction for faction in FACTIONS if faction in named)


def _refuse_unknown(named: Iterable[str], known: Iterable[str], what: str) -> None:
    unknown = sorted(set(named) - set(known))
    if unknown:
        raise BadInput(say(f"unknown-{what}", name=unknown[0][:40], known=tuple(known)))


# Registry

CALCULATORS = Calculators(
    slug="wallenstein",
    name="Wallenstein",
    texts=TEXTS,
    place_message=lambda place: say("place", place=place),
    calculators=(
        Calculator(
            name="battle",
            rule="5.7",
            body=BattleBody,
            answer=answer_battle,
            inputs=(
                Pick("kind", KINDS, "kind"),
                Number("attacker"),
                Number("defender"),
                Number("peasants"),
                Number("unrest", high=6),
                Number("uncommitted"),
                _settings("saved_by_peasants", "nothing_fell"),
            ),
            example={
                "kind": "player",
                "attacker": 3,
                "defender": 4,
                "peasants": 1,
                "unrest": 0,
                "uncommitted": 0,
            },
        ),
        Calculator(
            name="tower",
            rule="5.7",
            body=TowerBody,
            answer=answer_tower,
            inputs=(
                Pick("kind", KINDS, "kind"),
                Pick("attacker", FACTIONS, "faction"),
                Pick("defender", FACTIONS, "faction"),
                Number("unrest", high=6),
                Counts("thrown", COLOURS, high=20),
                Counts("cup", COLOURS, high=20),
                Counts("in_tower", COLOURS, high=20),
                Group("retention", (Number("fresh", 0, 1, 0.01), Number("stuck", 0, 1, 0.01))),
            ),
            example={
                "kind": "player",
                "attacker": "red",
                "defender": "blue",
                "unrest": 0,
                "thrown": {"red": 4, "blue": 3},
                "cup": {},
                "in_tower": {"red": 7, "blue": 7, "peasants": 10},
                "retention": {"fresh": 0.33, "stuck": 0.67},
            },
            chances=("win",),
        ),
        Calculator(
            name="hunger",
            rule="5.9",
            body=HungerBody,
            answer=answer_hunger,
            inputs=(
                Number("grain", high=40),
                Number("loss", high=10),
                Number("provinces", high=45),
                _settings("grain_below_zero"),
            ),
            example={"grain": 5, "loss": 2, "provinces": 5},
        ),
        Calculator(
            name="majorities",
            rule="6",
            body=MajoritiesBody,
            answer=answer_majorities,
            inputs=tuple(Counts(building, FACTIONS, high=9) for building in BUILDINGS),
            example={
                "palace": {"red": 2, "blue": 2},
                "church": {"red": 1},
                "trading_house": {"blue": 1, "black": 1},
            },
        ),
        Calculator(
            name="score",
            rule="6",
            body=ScoreBody,
            answer=answer_score,
            inputs=(
                Group(
                    "regions",
                    tuple(
                        Group(
                            region,
                            tuple(Counts(what, FACTIONS, high=9) for what in ("provinces", *BUILDINGS)),
                        )
                        for region in REGIONS
                    ),
                ),
            ),
            example={
                "regions": {
                    "brandenburg": {
                        "provinces": {"red": 3, "blue": 2},
                        "palace": {"red": 1},
                        "church": {"red": 1, "blue": 1},
                        "trading_house": {"blue": 1},
                    }
                }
            },
        ),
        Calculator(
            name="winner",
            rule="6",
            body=WinnerBody,
            answer=answer_winner,
            inputs=(
                Counts("points", FACTIONS, high=150),
                Counts("palaces", FACTIONS, high=28),
                Counts("churches", FACTIONS, high=26),
                Counts("trading_houses", FACTIONS, high=26),
            ),
            example={
                "points": {"red": 60, "blue": 60, "yellow": 52},
                "palaces": {"red": 4, "blue": 4, "yellow": 5},
                "churches": {"red": 3, "blue": 2, "yellow": 4},
                "trading_houses": {"red": 2, "blue": 5, "yellow": 3},
            },
        ),
    ),
)

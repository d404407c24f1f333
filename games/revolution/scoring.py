"""Victory points at the end of a round (rulebook 4.3, 5.8 and 6.20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from games.core.errors import BadInput
from games.core.game import Standing
from games.core.messages import Json, Message, Name, faction_name, say
from games.core.steps import Step
from games.revolution.factions import NOBILITY, refuse_absent

RULE = "5.8"
SMALL_RULE = "6.20"
CARDS = (Fraction(0), Fraction(1, 2), Fraction(1))  # 5.8: what a province card can show
NOBILITY_SHARE: Mapping[int, int] = {3: 5, 5: 3}  # 5.8: players -> counters for a point


class Held(NamedTuple):
    """What a faction holds at the end of a round.

    ``objective`` counts bishoprics that are Catholic, garrisoned regions, counters in
    countryside and towns, commercial towns, or reformed universities.
    """

    cities: int
    provinces: Sequence[Fraction]  # points on the cards
    small: Sequence[Fraction]  # points on cards of provinces with limit 1
    objective: int


def read_cards(given: Sequence[Json]) -> tuple[Fraction, ...]:
    """5.8: a province card shows 0, 0.5 or 1."""
    if any(isinstance(card, bool) or card not in CARDS for card in given):
        raise BadInput(say("province-card"), rule=RULE)
    return tuple(Fraction(card) for card in given)


def objective_points(faction: str, objective: int, players: int) -> int:
    """5.8: one for each; the Nobility divides by 3 or 5 and rounds up (Q-09)."""
    refuse_absent(faction, players)
    if faction != NOBILITY:
        return objective
    return -(-objective // NOBILITY_SHARE[players])


def score(faction: str, held: Held, players: int, *, final: bool) -> Standing:
    """5.8; 6.20: small provinces count at the end of the game, never before. From zero each round (4.4)."""
    parts = {
        "cities": Fraction(held.cities),
        "provinces": sum(held.provinces, Fraction(0)),
        "minor_provinces": sum(held.small, Fraction(0)) if final else Fraction(0),
        "objective": Fraction(objective_points(faction, held.objective, players)),
    }
    return Standing.of(faction, parts)


# Told


def steps(standing: Standing, held: Held, players: int, *, final: bool) -> tuple[Step, ...]:
    """The points with the parts they come from."""
    parts = standing.parts
    finer = [
        Step(RULE, say("score-cities", points=parts["cities"])),
        Step(RULE, say("score-provinces", points=parts["provinces"])),
        Step(RULE, _objective(standing, held.objective, players)),
    ]
    if held.small or final:
        finer.append(Step(SMALL_RULE, _small(parts["minor_provinces"], final=final)))
    return (
        Step(
            RULE,
            say("score", faction=faction_name(standing.faction), points=standing.points),
            steps=tuple(finer),
        ),
    )


def _objective(standing: Standing, objective: int, players: int) -> Message:
    points = standing.parts["objective"]
    if standing.faction == NOBILITY:
        return say("score-nobility", points=points, count=objective, share=NOBILITY_SHARE[players])
    return say("score-objective", points=points, objective=Name("objective", standing.faction))


def _small(points: Fraction, *, final: bool) -> Message:
    return say("score-small", points=points) if final else say("score-small-later")

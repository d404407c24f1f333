"""Victory points at the end of a round (rulebook 4.3, 5.8 and 6.20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from games.core.errors import BadInput
from games.core.game import Standing
from games.core.messages import Json, Message, Name, faction_name, say
from games.core.steps import Step
from games.revolution.board import CARD_POINTS
from games.revolution.factions import NOBILITY, refuse_absent

RULE = "5.8"
SMALL_RULE = "6.20"
NOBILITY_SHARE: Mapping[int, int] = {3: 5, 5: 3}  # 5.8: players -> counters per point


class Held(NamedTuple):
    """Holdings of a faction at the end of a round.

    `objective` counts Catholic bishoprics, garrisoned regions, counters in countryside and towns,
    commercial towns or reformed universities, depending on the faction.
    """

    cities: int
    provinces: Sequence[Fraction]  # points on the cards
    small: Sequence[Fraction]  # points on cards of provinces with limit 1
    objective: int


def read_cards(given: Sequence[Json]) -> tuple[Fraction, ...]:
    """Return the points of province cards; raise `BadInput` unless each is 0, 0.5 or 1 (5.8)."""
    if any(isinstance(card, bool) or card not in CARD_POINTS for card in given):
        raise BadInput(say("province-card"), rule=RULE)
    return tuple(Fraction(card) for card in given)


def objective_points(faction: str, objective: int, players: int) -> int:
    """Return one point per objective; the Nobility divides by 3 or 5 and rounds up (5.8, Q-09)."""
    refuse_absent(faction, players)
    if faction != NOBILITY:
        return objective
    return -(-objective // NOBILITY_SHARE[players])


def score(faction: str, held: Held, players: int, *, final: bool) -> Standing:
    """Return the points of a round from zero (5.8, 4.4); small provinces count if `final` (6.20)."""
    parts = {
        "cities": Fraction(held.cities),
        "provinces": sum(held.provinces, Fraction(0)),
        "minor_provinces": sum(held.small, Fraction(0)) if final else Fraction(0),
        "objective": Fraction(objective_points(faction, held.objective, players)),
    }
    return Standing.of(faction, parts)


def side_points(
    points: Mapping[str, Fraction], sides: Sequence[tuple[str, ...]]
) -> dict[tuple[str, ...], Fraction]:
    """Return the points compared at the end: of each side, the sum of its factions (4.5)."""
    return {side: sum((points[faction] for faction in side), Fraction(0)) for side in sides}


# Steps


def steps(standing: Standing, held: Held, players: int, *, final: bool) -> tuple[Step, ...]:
    """Return the points with the parts they come from."""
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

"""Strict validation of calculator input: known names, whole pieces, no more than exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from games.core.checks import check_one_of
from games.core.codec import LARGEST
from games.core.errors import BadInput
from games.core.messages import Json, Name, say
from games.revolution.checks import refuse_unknown
from games.revolution.factions import ALLIANCES, BOXES, FACTIONS, NEUTRAL, NEUTRALS, Counts

LARGEST_DECIMAL = 1_000
SMALLEST_PART = Fraction(1, 100)  # smallest unit of taxes and points; cards show tenths at the finest

# Upper bound on a faction's counters if the number of players is unknown.
MOST_COUNTERS = max(box.counters for box in BOXES.values())
# Generous on purpose: a strip with more armies than exist is resolved, absurd numbers are rejected.
MOST_ARMIES = 99


def counts_of(given: Counts, known: Sequence[str]) -> dict[str, int]:
    """Return the counts in the order of `known`; raise `BadInput` for unknown names."""
    refuse_unknown(given, known)
    return {key: given[key] for key in known if key in given}


def read_one_of(given: str, known: Sequence[str], field: str) -> str:
    check_one_of(given, known, field)
    return given


def refuse_too_many(*maps: Counts, players: int | None = None, neutrals: int = NEUTRALS) -> None:
    """Raise `BadInput` if the maps together hold more counters than the box provides (3.5, 2.2.3)."""
    most = BOXES[players].counters if players else MOST_COUNTERS
    for faction in FACTIONS:
        entered = sum(counts.get(faction, 0) for counts in maps)
        if entered > most:
            colour = Name("colour", faction)
            raise BadInput(say("recount", colour=colour, count=most, entered=entered), rule="3.5")
    refuse_too_many_neutrals(sum(counts.get(NEUTRAL, 0) for counts in maps), neutrals)


def refuse_too_many_neutrals(entered: int, most: int = NEUTRALS) -> None:
    """Raise `BadInput` for more than the 47 neutrals, or the number this table plays with (2.2.3)."""
    if entered > most:
        raise BadInput(say("only-neutrals", count=most), rule="2.2.3")


def refuse_too_many_armies(armies: Counts) -> None:
    if max(armies.values(), default=0) > MOST_ARMIES:
        raise BadInput(say("recount-armies", most=max(box.armies for box in BOXES.values())), rule="3.5")


def read_coins(given: Mapping[str, Json]) -> dict[str, int]:
    """Return the coins by faction; raise `BadInput` unless they are whole numbers (6.16)."""
    refuse_unknown(given, FACTIONS)
    if not all(_is_count(coins) for coins in given.values()):
        raise BadInput(say("coins"), rule="6.16")
    return {faction: given[faction] for faction in FACTIONS if faction in given}


def _is_count(given: Json) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and 0 <= given <= LARGEST


def read_limit(given: Json, province: str | Name) -> int:
    """Return the number in a province's shield; raise `BadInput` unless it is a count (2.3.1)."""
    if not _is_count(given):
        raise BadInput(say("limit-missing", province=province), rule="2.3.1")
    limit: int = given
    return limit


def read_order(given: Sequence[str], rule: str) -> tuple[str, ...]:
    """Return the play order; raise `BadInput` unless each faction occurs at most once (4.2)."""
    if len(set(given)) != len(given) or not set(given) <= set(FACTIONS):
        raise BadInput(say("not-an-order", known=FACTIONS), rule=rule)
    return tuple(given)


def refuse_outside(order: Sequence[str], factions: Iterable[str], rule: str) -> None:
    """Raise `BadInput` if a faction with points or coins is missing from the order."""
    for faction in factions:
        if faction not in order:
            raise BadInput(say("not-in-order", faction=Name("faction", faction)), rule=rule)


def read_allies(given: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """Return the alliances; raise `BadInput` unless they are the pairs of a 2-player game (3.1)."""
    pairs = tuple(tuple(sorted(pair)) for pair in given)
    known = {tuple(sorted(pair)) for pair in ALLIANCES}
    if not set(pairs) <= known or len(set(pairs)) != len(pairs):
        raise BadInput(say("no-alliance"), rule="3.1")
    return pairs


# Taxes and points: exact decimals


def read_decimals(given: Sequence[Json], field: str) -> tuple[Fraction, ...]:
    return tuple(read_decimal(value, f"{field}[{i}]") for i, value in enumerate(given))


def read_decimal(given: Json, field: str) -> Fraction:
    """Return a number from 0 with at most two decimals as an exact fraction."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise BadInput(say("core.not-a-number", field=field))
    # NaN, which Python's JSON parser accepts, fails the range check.
    if not 0 <= given <= LARGEST_DECIMAL or Fraction(str(given)) % SMALLEST_PART:
        raise BadInput(say("not-a-decimal", field=field))
    return Fraction(str(given))

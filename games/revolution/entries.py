"""What people enter, read strictly: known names, whole pieces, no more of them than there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from games.core.codec import LARGEST
from games.core.errors import BadInput
from games.core.messages import Json, Name, say
from games.revolution.factions import ALLIANCES, BOXES, FACTIONS, NEUTRAL, NEUTRALS, Counts

LARGEST_DECIMAL = 1_000
SMALLEST_PART = Fraction(1, 100)  # of a tax or a point; cards show tenths at the finest

# Counters of a faction where the number of players is not known: as many as it can ever have.
MOST_COUNTERS = max(box.counters for box in BOXES.values())
# A strip with more armies than the box holds is still worked out; what nobody can mean is not.
MOST_ARMIES = 99


def counts_of(given: Counts, known: Sequence[str]) -> dict[str, int]:
    """The same numbers in the fixed order; a name that is not known here is refused."""
    refuse_unknown(given, known)
    return {key: given[key] for key in known if key in given}


def refuse_unknown(given: Iterable[str], known: Sequence[str]) -> None:
    unknown = sorted(set(given) - set(known))
    if unknown:
        raise BadInput(say("unknown-key", key=unknown[0][:40], known=tuple(known)))


def read_one_of(given: str, known: Sequence[str], field: str) -> str:
    if given not in known:
        raise BadInput(say("core.not-one-of", field=field, allowed=tuple(known)))
    return given


def refuse_too_many(*maps: Counts, players: int | None = None, neutrals: int = NEUTRALS) -> None:
    """3.5, 2.2.3: nobody has more counters than the box gives, all places entered taken together."""
    most = BOXES[players].counters if players else MOST_COUNTERS
    for faction in FACTIONS:
        entered = sum(counts.get(faction, 0) for counts in maps)
        if entered > most:
            colour = Name("colour", faction)
            raise BadInput(say("recount", colour=colour, count=most, entered=entered), rule="3.5")
    refuse_too_many_neutrals(sum(counts.get(NEUTRAL, 0) for counts in maps), neutrals)


def refuse_too_many_neutrals(entered: int, most: int = NEUTRALS) -> None:
    """2.2.3: 47 neutral counters, or as few as the table plays with."""
    if entered > most:
        raise BadInput(say("only-neutrals", count=most), rule="2.2.3")


def refuse_too_many_armies(armies: Counts) -> None:
    if max(armies.values(), default=0) > MOST_ARMIES:
        raise BadInput(say("recount-armies", most=max(box.armies for box in BOXES.values())), rule="3.5")


def read_coins(given: Mapping[str, Json]) -> dict[str, int]:
    """6.16: whole coins."""
    refuse_unknown(given, FACTIONS)
    if not all(_is_count(coins) for coins in given.values()):
        raise BadInput(say("coins"), rule="6.16")
    return {faction: given[faction] for faction in FACTIONS if faction in given}


def _is_count(given: Json) -> bool:
    return isinstance(given, int) and not isinstance(given, bool) and 0 <= given <= LARGEST


def read_limit(given: Json, province: str | Name) -> int:
    """2.3.1: the number in the shield."""
    if not _is_count(given):
        raise BadInput(say("limit-missing", province=province), rule="2.3.1")
    limit: int = given
    return limit


def read_order(given: Sequence[str], rule: str) -> tuple[str, ...]:
    """4.2: each faction once."""
    if len(set(given)) != len(given) or not set(given) <= set(FACTIONS):
        raise BadInput(say("not-an-order", known=FACTIONS), rule=rule)
    return tuple(given)


def refuse_outside(order: Sequence[str], factions: Iterable[str], rule: str) -> None:
    """Who has something to do with the draft or the coins must have a place in the order."""
    for faction in factions:
        if faction not in order:
            raise BadInput(say("not-in-order", faction=Name("faction", faction)), rule=rule)


def read_allies(given: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """3.1: with two players, Catholics with Habsburgs and Burghers with Reformers; nobody else."""
    pairs = tuple(tuple(sorted(pair)) for pair in given)
    known = {tuple(sorted(pair)) for pair in ALLIANCES}
    if not set(pairs) <= known or len(set(pairs)) != len(pairs):
        raise BadInput(say("no-alliance"), rule="3.1")
    return pairs


# Taxes and points: numbers with decimals, kept exactly


def read_decimals(given: Sequence[Json], field: str) -> tuple[Fraction, ...]:
    return tuple(read_decimal(value, f"{field}[{i}]") for i, value in enumerate(given))


def read_decimal(given: Json, field: str) -> Fraction:
    """A number of 0 or more with at most two decimals, exactly as it is written."""
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise BadInput(say("core.not-a-number", field=field))
    # What is not a number (JSON in Python may say NaN) lies in no range.
    if not 0 <= given <= LARGEST_DECIMAL or Fraction(str(given)) % SMALLEST_PART:
        raise BadInput(say("not-a-decimal", field=field))
    return Fraction(str(given))


def plain(value: Fraction) -> int | float:
    """Taxes and points as JSON has them: 6, or 6.5."""
    return value.numerator if value.denominator == 1 else float(value)

"""The calculators of Signoria: price of a die, initiative, threshold, points at the end, ranking."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.core.calculators import (
    Answer,
    Calculator,
    Calculators,
    Counts,
    Group,
    Number,
    Order,
    Pick,
    Rows,
    Settings,
)
from games.core.checks import check_one_of
from games.core.codec import Count, Json
from games.core.errors import BadInput
from games.core.messages import Message, Name, faction_name, faction_names, say
from games.core.options import read_options
from games.core.steps import Act, Step
from games.signoria.dice import (
    FACES,
    MOST_DICE,
    MOST_MEMBERS,
    SPACES,
    is_rewarded,
    limit,
    limit_message,
    price,
    refuse_dice,
    refuse_face,
    refuse_members,
    refuse_space,
)
from games.signoria.initiative import Advance, Track, advance, advance_step, new_stack, ranking, space_of
from games.signoria.options import OPTIONS, THRESHOLD_ABOVE_22
from games.signoria.pieces import CAREER_NUMBERS, FACTIONS, FIELDS, MEN, SHIELDS, TILE_VALUES, Faction
from games.signoria.scoring import Field, end_score, field_step, man_step, rank
from games.signoria.wording import TEXTS

Options = Mapping[str, Json]

_SPACE = re.compile(r"0|[1-9]\d{0,5}", re.ASCII)
_PLACE = re.compile(r"initiative:(\d{1,6})", re.ASCII)


# die-cost (5.1)


@dataclass(frozen=True, slots=True)
class DieCost:
    """The number printed on an action space, and the die placed there."""

    space: Count
    die: Count
    options: Options = field(default_factory=dict)


def die_cost(body: DieCost) -> Answer:
    """Return the price of placing a die (5.1)."""
    read_options(OPTIONS, body.options)
    refuse_space(body.space)
    refuse_face(body.die)
    florins = price(body.space, body.die)
    if florins:
        message = say("die-paid", space=body.space, die=body.die, count=florins)
    else:
        message = say("die-free", space=body.space, die=body.die)
    return Answer({"florins": florins}, (Step("5.1", message),))


# initiative (5.5, 5.12)


@dataclass(frozen=True, slots=True)
class Initiative:
    """Stacks by space, each from the bottom up; the moves with their points; and the top space."""

    track: Mapping[str, tuple[Faction, ...]]
    top: Count
    moves: tuple[tuple[Faction, Count], ...] = ()
    options: Options = field(default_factory=dict)


def initiative(body: Initiative) -> Answer:
    """Return the track after the moves, and the play order of the next round (5.5, 5.12)."""
    read_options(OPTIONS, body.options)
    track = _read_track(body)
    steps = []
    for faction, points in body.moves:
        if space_of(track, faction) is None:
            raise BadInput(say("no-disc", faction=faction_name(faction)), rule="5.5")
        track, moved = advance(track, faction, points, body.top)
        steps.append(_move_step(faction, points, moved))
    order = ranking(track)
    data = {"track": {str(space): list(track[space]) for space in sorted(track)}, "order": list(order)}
    return Answer(data, (*steps, _order_step(track, order)))


def _read_track(body: Initiative) -> Track:
    """Validate the track and convert its spaces to numbers."""
    for space in body.track:
        if not _SPACE.fullmatch(space):
            raise BadInput(say("not-a-space", space=space[:40]), rule="5.5")
        if int(space) > body.top:
            raise BadInput(say("above-the-top", space=int(space), top=body.top), rule="5.5")
    discs = [disc for stack in body.track.values() for disc in stack]
    _refuse_twice(discs, "disc-twice", "5.5")
    _refuse_nobody(discs, "5.5")
    return {int(space): stack for space, stack in body.track.items() if stack}


def _refuse_twice(discs: Sequence[str], code: str, rule: str) -> None:
    """Raise `BadInput` if a disc occurs twice."""
    for disc, count in Counter(discs).items():
        if count > 1:
            raise BadInput(say(code, faction=faction_name(disc)), rule=rule)


def _refuse_nobody(players: Sequence[str], rule: str) -> None:
    if not players:
        raise BadInput(say("nobody"), rule=rule)


def _move_step(faction: str, points: int, moved: Advance) -> Step:
    """Return the step of one move; a disc without points stays (5.5)."""
    if not points:
        return Step("5.5", say("disc-stays", faction=faction_name(faction), space=moved.source))
    return advance_step(faction, points, moved)


def _order_step(track: Track, order: Sequence[str]) -> Step:
    """Return the step of the new order, with the instruction to restack the discs (5.12, 3.2)."""
    spaces = [(space, faction_names(tuple(reversed(track[space])))) for space in sorted(track, reverse=True)]
    restack = say("stack-anew", stack=faction_names(new_stack(order)), order=faction_names(order))
    return Step(
        "5.12",
        say("next-order", order=faction_names(order)),
        acts=(Act(None, restack),),
        steps=tuple(Step("5.12", say("discs-on-space", space=space, discs=discs)) for space, discs in spaces),
    )


def place_message(place: str) -> Message:
    """Return the message that names a place used in these steps."""
    match = _PLACE.fullmatch(place)
    return say("initiative-space", space=int(match[1])) if match else say("here")


# threshold (5.12)


@dataclass(frozen=True, slots=True)
class Threshold:
    """The dice on a player board, and the player's figures on the threshold space."""

    dice: tuple[Count, ...] = ()
    members: Count = 0
    options: Options = field(default_factory=dict)


def threshold(body: Threshold) -> Answer:
    """Return whether the sum of the dice is within the player's limit (5.12, 3.3)."""
    above_22 = bool(read_options(OPTIONS, body.options)[THRESHOLD_ABOVE_22.name])
    refuse_dice(body.dice)
    refuse_members(body.members, above_22=above_22)
    total, most = sum(body.dice), limit(body.members)
    rewarded = is_rewarded(total, body.members)
    verdict = say("rewarded" if rewarded else "not-rewarded", total=total, limit=most)
    steps = (
        Step("5.12", say("dice-total", dice=body.dice, total=total) if body.dice else say("no-dice")),
        _limit_step(body.members),
        Step("5.12", verdict),
    )
    return Answer({"total": total, "limit": most, "rewarded": rewarded}, steps)


def _limit_step(members: int) -> Step:
    """Return the step that explains the limit; above 22 it depends on an option (5.12, R-03)."""
    return Step(
        "5.12", limit_message(members), options=(THRESHOLD_ABOVE_22.name,) if members > MOST_MEMBERS else ()
    )


# end-score (6.1)


@dataclass(frozen=True, slots=True)
class Fields:
    """The four fields of a plan; an omitted field has no tiles."""

    political: Field = field(default_factory=Field)
    church: Field = field(default_factory=Field)
    military: Field = field(default_factory=Field)
    marriage: Field = field(default_factory=Field)

    def by_name(self) -> dict[str, Field]:
        return {name: getattr(self, name) for name in FIELDS}


@dataclass(frozen=True, slots=True)
class EndScore:
    """The numbers of the men left on career tracks, and the alliance tiles of a plan."""

    men: tuple[Count, ...] = ()
    fields: Fields = field(default_factory=Fields)
    options: Options = field(default_factory=dict)


def end_points(body: EndScore) -> Answer:
    """Return the points of one player at the end of the game (6.1)."""
    read_options(OPTIONS, body.options)
    fields = body.fields.by_name()
    _refuse_numbers(body.men, CAREER_NUMBERS, "career-number")
    for name in FIELDS:
        _refuse_numbers(fields[name].face_up, TILE_VALUES, "tile-value")
    parts = end_score(body.men, fields)
    total = sum(parts.values())
    steps = (
        *_to_check(body.men, fields),
        _men_step(body.men, parts["men"]),
        *(field_step(name, fields[name]) for name in FIELDS),
        Step("6.1", say("end-total", parts=tuple(parts.values()), count=total)),
    )
    return Answer({"points": total, "parts": parts}, steps)


def _refuse_numbers(numbers: Sequence[int], allowed: range, code: str) -> None:
    for number in numbers:
        if number not in allowed:
            raise BadInput(say(code, least=allowed[0], most=allowed[-1]), rule="6.1")


def _to_check(men: Sequence[int], fields: Mapping[str, Field]) -> Iterator[Step]:
    """Yield a warning for more pieces than exist; they still count, as the real table wins (1.2, 5.11)."""
    if len(men) > MEN:
        yield Step("6.1", say("too-many-men", most=MEN, count=len(men)))
    for name in FIELDS:
        count = len(fields[name].face_up)
        if count > SHIELDS[name]:
            yield Step(
                "5.11", say("too-many-tiles", field=Name("field", name), most=SHIELDS[name], count=count)
            )


def _men_step(men: Sequence[int], points: int) -> Step:
    return Step("6.1", say("men-score", count=points), steps=tuple(map(man_step, men)))


# winner (6.2)


@dataclass(frozen=True, slots=True)
class Winner:
    """The points of every player, and the final stack of discs from the bottom up."""

    stack: tuple[Faction, ...]
    points: Mapping[str, Count] = field(default_factory=dict)
    options: Options = field(default_factory=dict)


def winner(body: Winner) -> Answer:
    """Return the ranking; the stack breaks every tie (6.2)."""
    read_options(OPTIONS, body.options)
    _refuse_stack(body)
    order = rank(body.points, body.stack)
    steps = [_place_step(place, player, body.points) for place, player in enumerate(order, 1)]
    ties = [_tie_step(level, body.points) for level in _level(order, body.points)]
    return Answer({"ranking": order}, (*steps, *ties))


def _refuse_stack(body: Winner) -> None:
    """Raise `BadInput` unless the stack holds each player with points exactly once."""
    for player in body.points:
        check_one_of(player, FACTIONS, player[:40], rule="6.2")
    _refuse_twice(body.stack, "stack-twice", "6.2")
    _refuse_nobody(body.stack or tuple(body.points), "6.2")
    for player in FACTIONS:
        if player in body.points and player not in body.stack:
            raise BadInput(say("stack-misses", faction=faction_name(player)), rule="6.2")


def _place_step(place: int, player: str, points: Mapping[str, int]) -> Step:
    name, ordinal = faction_name(player), Name("ordinal", str(place))
    return Step("6.2", say("ranked", faction=name, place=ordinal, count=points.get(player, 0)))


def _level(order: Sequence[str], points: Mapping[str, int]) -> Iterator[tuple[str, ...]]:
    """Yield the groups of players with equal points, in ranking order."""
    for score in sorted({points.get(player, 0) for player in order}, reverse=True):
        level = tuple(player for player in order if points.get(player, 0) == score)
        if len(level) > 1:
            yield level


def _tie_step(level: Sequence[str], points: Mapping[str, int]) -> Step:
    return Step("6.2", say("tie-break", count=points.get(level[0], 0), factions=faction_names(level)))


# Registry

_TILES = (Rows("face_up", (Pick("", tuple(TILE_VALUES)),), most=max(SHIELDS.values())), Number("face_down"))

CALCULATORS = Calculators(
    slug="signoria",
    name="Signoria",
    texts=TEXTS,
    place_message=place_message,
    calculators=(
        Calculator(
            name="die-cost",
            rule="5.1",
            body=DieCost,
            answer=die_cost,
            inputs=(Number("space", SPACES[0], SPACES[-1]), Pick("die", tuple(FACES))),
            example={"space": 5, "die": 1},
        ),
        Calculator(
            name="initiative",
            rule="5.12",
            body=Initiative,
            answer=initiative,
            inputs=(
                Group(
                    "track",
                    tuple(
                        Rows(str(n), (Pick("", FACTIONS, "faction"),), most=len(FACTIONS)) for n in range(10)
                    ),
                    distinct=True,
                ),
                Rows("moves", (Pick("0", FACTIONS, "faction"), Number("1", 1, 9))),
                Number("top", 1, 20),
            ),
            example={
                "track": {"0": ["purple", "red", "blue", "yellow"]},
                "moves": [["red", 2], ["blue", 2], ["yellow", 1]],
                "top": 9,
            },
        ),
        Calculator(
            name="threshold",
            rule="5.12",
            body=Threshold,
            answer=threshold,
            inputs=(
                Rows("dice", (Pick("", tuple(FACES)),), most=MOST_DICE),
                Number("members", 0, 2 * MOST_MEMBERS),
                Settings((THRESHOLD_ABOVE_22,)),
            ),
            example={"dice": [6, 4, 3], "members": 0},
        ),
        Calculator(
            name="end-score",
            rule="6.1",
            body=EndScore,
            answer=end_points,
            inputs=(
                Rows("men", (Number("", CAREER_NUMBERS[0], CAREER_NUMBERS[-1]),), most=MEN),
                Group("fields", tuple(Group(name, _TILES) for name in FIELDS)),
            ),
            example={
                "men": [9, 7, 3, 13],
                "fields": {
                    "political": {"face_up": [4, 3, 2], "face_down": 0},
                    "church": {"face_up": [5, 3], "face_down": 1},
                    "military": {"face_up": [4, 4], "face_down": 0},
                    "marriage": {"face_up": [], "face_down": 2},
                },
            },
        ),
        Calculator(
            name="winner",
            rule="6.2",
            body=Winner,
            answer=winner,
            inputs=(Counts("points", FACTIONS, high=250), Order("stack", FACTIONS)),
            example={
                "points": {"yellow": 61, "red": 70, "blue": 70, "purple": 58},
                "stack": ["purple", "red", "yellow", "blue"],
            },
        ),
    ),
)

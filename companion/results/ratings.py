"""Ratings of the members of a circle by OpenSkill (Plackett-Luce), and their records against each other.

A circle's games of one title are rated in the order in which they ended. Each score stores the rating
of its member after the game: this is the history of the rating, and when an old game is imported or
corrected, only the later games are rated again.

A player without a known name is rated as a newcomer, and the new rating is not stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import permutations

from openskill.models import PlackettLuce

from companion.models import Encounter, Member, Result, Score, Skill
from companion.results.order import ended_before, ended_since
from companion.results.played import Line, Played

BATCH_SIZE = 500

_MODEL = PlackettLuce()
Rating = tuple[float, float]  # mu, sigma
NEWCOMER: Rating = (_MODEL.mu, _MODEL.sigma)


def new_ratings(ratings: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """Return all ratings after a game; equal places are ties."""
    if len(ratings) < 2:  # noqa: PLR2004 - a rating needs an opponent
        return list(ratings)
    teams = [[_MODEL.create_rating([mu, sigma])] for mu, sigma in ratings]
    return [
        (team[0].mu, team[0].sigma) for team in _MODEL.rate(teams, ranks=[float(place) for place in places])
    ]


# Records


def record(played: Played, members: Mapping[str, Member], sign: int = 1) -> None:
    """Add a game to the records of its members, or subtract it (``sign`` -1); ratings stay as they are."""
    skills = {
        skill.member_id: skill
        for skill in Skill.objects.filter(member__in=members.values(), game=played.game)
    }
    for name, lines in played.people.items():
        member = members[name]
        if member.pk not in skills:
            skills[member.pk] = Skill(member=member, game=played.game, mu=NEWCOMER[0], sigma=NEWCOMER[1])
        _count(skills[member.pk], lines, sign)
    empty = [skill.pk for skill in skills.values() if not skill.games]
    Skill.objects.filter(pk__in=empty).delete()
    Skill.objects.bulk_create(
        [skill for skill in skills.values() if skill.games],
        update_conflicts=True,
        unique_fields=["member", "game"],
        update_fields=["games", "wins", "factions"],
    )
    _record_encounters(played, members, sign)


def _count(skill: Skill, lines: Sequence[Line], sign: int) -> None:
    skill.games += sign
    skill.wins += sign * any(line.won for line in lines)
    for line in lines:
        games, wins, points = skill.factions.get(line.faction, (0, 0, 0))
        skill.factions[line.faction] = [games + sign, wins + sign * line.won, points + sign * line.points]
        if not skill.factions[line.faction][0]:
            del skill.factions[line.faction]


def place_of(lines: Iterable[Line]) -> int:
    """Return the place of a player: that of the better faction."""
    return min(line.place for line in lines)


def _record_encounters(played: Played, members: Mapping[str, Member], sign: int) -> None:
    """Count wins, losses and ties of each pair of members, from both sides."""
    keys = [member.pk for member in members.values()]
    existing = Encounter.objects.filter(member__in=keys, other__in=keys, game=played.game)
    rows = {(row.member_id, row.other_id): row for row in existing}
    for name, other in permutations(played.people, 2):
        pair = members[name].pk, members[other].pk
        if pair not in rows:
            rows[pair] = Encounter(member_id=pair[0], other_id=pair[1], game=played.game)
        column = _compare(played.people[name], played.people[other])
        setattr(rows[pair], column, getattr(rows[pair], column) + sign)
    counted = [row for row in rows.values() if row.wins or row.losses or row.ties]
    Encounter.objects.filter(pk__in=[row.pk for row in rows.values() if row not in counted]).delete()
    Encounter.objects.bulk_create(
        counted,
        update_conflicts=True,
        unique_fields=["member", "game", "other"],
        update_fields=["wins", "losses", "ties"],
    )


def _compare(mine: Sequence[Line], theirs: Sequence[Line]) -> str:
    if place_of(mine) == place_of(theirs):
        return "ties"
    return "wins" if place_of(mine) < place_of(theirs) else "losses"


# Ratings


def rate_from(circle: int, game: str, at: datetime, table: int, members: Iterable[Member]) -> None:
    """Recompute the ratings of a circle's game from a result on.

    ``members`` are those whose ratings change because a result was removed; the members of the remaining
    results are found by the query.
    """
    ratings: dict[int, Rating] = {member.pk: _rating_before(member.pk, game, at, table) for member in members}
    results = Result.objects.filter(ended_since(at, table), circle=circle, in_circle=True, game=game)
    changed: list[Score] = []
    for result in results.order_by("ended_at", "table").prefetch_related("scores").iterator(BATCH_SIZE):
        changed += _rate(_people(result), ratings, game, at, table)
        if len(changed) >= BATCH_SIZE:
            _save(changed)
    _save(changed)
    skills = list(Skill.objects.filter(member__in=ratings, game=game))
    for skill in skills:
        skill.mu, skill.sigma = ratings[skill.member_id]
    Skill.objects.bulk_update(skills, ["mu", "sigma"], batch_size=BATCH_SIZE)


def _save(changed: list[Score]) -> None:
    Score.objects.bulk_update(changed, ["mu", "sigma"], batch_size=100)
    changed.clear()


def _rating_before(member: int, game: str, at: datetime, table: int) -> Rating:
    """Return the rating that a member had before a result."""
    earlier = Score.objects.filter(ended_before(at, table), member=member, game=game)
    last = earlier.order_by("-ended_at", "-table").first()
    return NEWCOMER if last is None or last.mu is None or last.sigma is None else (last.mu, last.sigma)


def _people(result: Result) -> list[list[Score]]:
    """Group the scores of a result by player.

    Where one player may have two factions, those without a name are grouped by the place they share.
    """
    scores = list(result.scores.all())
    shared = result.players < len(scores)
    people: dict[object, list[Score]] = {}
    for score in scores:
        unnamed = ("place", score.place) if shared else ("faction", score.faction)
        people.setdefault(score.member_id or unnamed, []).append(score)
    return list(people.values())


def _rate(
    people: Sequence[Sequence[Score]], ratings: dict[int, Rating], game: str, at: datetime, table: int
) -> list[Score]:
    """Rate one game and update ``ratings``; return the scores whose ratings have changed."""
    members = [scores[0].member_id for scores in people]
    for member in members:
        if member is not None and member not in ratings:
            ratings[member] = _rating_before(member, game, at, table)
    before = [NEWCOMER if member is None else ratings[member] for member in members]
    places = [min(score.place for score in scores) for scores in people]
    changed = []
    for member, scores, rating in zip(members, people, new_ratings(before, places), strict=True):
        if member is None:
            continue
        ratings[member] = rating
        for score in scores:
            if (score.mu, score.sigma) != rating:
                score.mu, score.sigma = rating
                changed.append(score)
    return changed

"""Ratings of the members of a circle, by OpenSkill (Plackett-Luce), and who came off how against whom.

A circle's games of one title are rated in the order in which they ended. Each score keeps the rating
that its member had afterwards, so that the course of a rating is there, and a change in the middle
(an old game imported, a game corrected) plays only what came later again.

Somebody whose name is forgotten plays as a newcomer would, and is not remembered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import permutations

from openskill.models import PlackettLuce

from companion.models import Encounter, Member, Result, Score, Skill
from companion.results.order import ended_before, ended_since
from companion.results.played import Line, Played

AT_ONCE = 500

_MODEL = PlackettLuce()
Pair = tuple[float, float]  # mu, sigma
NEWCOMER: Pair = (_MODEL.mu, _MODEL.sigma)


def rated(ratings: Sequence[Pair], places: Sequence[int]) -> list[Pair]:
    """Everybody's rating after a game; equal places are shared."""
    if len(ratings) < 2:  # noqa: PLR2004 - nobody to be better than
        return list(ratings)
    teams = [[_MODEL.create_rating([mu, sigma])] for mu, sigma in ratings]
    return [
        (team[0].mu, team[0].sigma) for team in _MODEL.rate(teams, ranks=[float(place) for place in places])
    ]


# Records


def record(played: Played, members: Mapping[str, Member], sign: int = 1) -> None:
    """Count a game in the records of its people, or take it out again (``sign`` -1). Ratings come after."""
    skills = {
        skill.member_id: skill
        for skill in Skill.objects.filter(member__in=members.values(), game=played.game)
    }
    for name, lines in played.people.items():
        member = members[name]
        if member.pk not in skills:
            skills[member.pk] = Skill(member=member, game=played.game, mu=NEWCOMER[0], sigma=NEWCOMER[1])
        _count(skills[member.pk], lines, sign)
    gone = [skill.pk for skill in skills.values() if not skill.games]
    Skill.objects.filter(pk__in=gone).delete()
    Skill.objects.bulk_create(
        [skill for skill in skills.values() if skill.games],
        update_conflicts=True,
        unique_fields=["member", "game"],
        update_fields=["games", "wins", "factions"],
    )
    _meet(played, members, sign)


def _count(skill: Skill, lines: Sequence[Line], sign: int) -> None:
    skill.games += sign
    skill.wins += sign * any(line.won for line in lines)
    for line in lines:
        games, wins, points = skill.factions.get(line.faction, (0, 0, 0))
        skill.factions[line.faction] = [games + sign, wins + sign * line.won, points + sign * line.points]
        if not skill.factions[line.faction][0]:
            del skill.factions[line.faction]


def place_of(lines: Iterable[Line]) -> int:
    """The place of a person: that of the better faction."""
    return min(line.place for line in lines)


def _meet(played: Played, members: Mapping[str, Member], sign: int) -> None:
    """Count who came off how against whom, from both sides."""
    among = [member.pk for member in members.values()]
    known = Encounter.objects.filter(member__in=among, other__in=among, game=played.game)
    rows = {(row.member_id, row.other_id): row for row in known}
    for one, other in permutations(played.people, 2):
        pair = members[one].pk, members[other].pk
        if pair not in rows:
            rows[pair] = Encounter(member_id=pair[0], other_id=pair[1], game=played.game)
        came_off = _compare(played.people[one], played.people[other])
        setattr(rows[pair], came_off, getattr(rows[pair], came_off) + sign)
    met = [row for row in rows.values() if row.wins or row.losses or row.ties]
    Encounter.objects.filter(pk__in=[row.pk for row in rows.values() if row not in met]).delete()
    Encounter.objects.bulk_create(
        met,
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
    """Play the ratings of a circle's game again from a moment on: those of results that ended then or
    later, and of members who have one fewer now.
    """
    now: dict[int, Pair] = {member.pk: _before(member.pk, game, at, table) for member in members}
    results = Result.objects.filter(ended_since(at, table), circle=circle, in_circle=True, game=game)
    changed: list[Score] = []
    for result in results.order_by("ended_at", "table").prefetch_related("scores").iterator(AT_ONCE):
        changed += _rate(_people(result), now, game, at, table)
        if len(changed) >= AT_ONCE:
            _keep(changed)
    _keep(changed)
    skills = list(Skill.objects.filter(member__in=now, game=game))
    for skill in skills:
        skill.mu, skill.sigma = now[skill.member_id]
    Skill.objects.bulk_update(skills, ["mu", "sigma"], batch_size=AT_ONCE)


def _keep(changed: list[Score]) -> None:
    Score.objects.bulk_update(changed, ["mu", "sigma"], batch_size=100)
    changed.clear()


def _before(member: int, game: str, at: datetime, table: int) -> Pair:
    """The rating of a member before a moment."""
    earlier = Score.objects.filter(ended_before(at, table), member=member, game=game)
    found = earlier.order_by("-ended_at", "-table").first()
    return NEWCOMER if found is None or found.mu is None or found.sigma is None else (found.mu, found.sigma)


def _people(result: Result) -> list[list[Score]]:
    """The scores of each person; who has no name and may have two factions is told by the place they share."""
    scores = list(result.scores.all())
    shared = result.players < len(scores)
    people: dict[object, list[Score]] = {}
    for score in scores:
        nobody = ("place", score.place) if shared else ("faction", score.faction)
        people.setdefault(score.member_id or nobody, []).append(score)
    return list(people.values())


def _rate(
    people: Sequence[Sequence[Score]], now: dict[int, Pair], game: str, at: datetime, table: int
) -> list[Score]:
    """Rate one game; gives the scores whose ratings have changed."""
    members = [scores[0].member_id for scores in people]
    for member in members:
        if member is not None and member not in now:
            now[member] = _before(member, game, at, table)
    before = [NEWCOMER if member is None else now[member] for member in members]
    places = [min(score.place for score in scores) for scores in people]
    changed = []
    for member, scores, rating in zip(members, people, rated(before, places), strict=True):
        if member is None:
            continue
        now[member] = rating
        for score in scores:
            if (score.mu, score.sigma) != rating:
                score.mu, score.sigma = rating
                changed.append(score)
    return changed

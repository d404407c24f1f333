"""Progress points: men climb career tracks, discs rise on the initiative track (digest 5.4 and 5.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.checks import check_all_of
from games.core.codec import Count, Json
from games.core.errors import Illegal
from games.core.flow import Frame, done
from games.core.ledger import Move
from games.core.messages import Name, faction_name, say
from games.core.prompts import Plan, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.signoria.actions import Climb, Progress
from games.signoria.asking import asked, skip, whose
from games.signoria.initiative import RULE, advance, advance_step, space_of
from games.signoria.pieces import CAREERS, INITIATIVE, MAN, TRACKS, track_place
from games.signoria.state import (
    State,
    available,
    discs,
    frame_data,
    men_on,
    printed,
    receive,
    steps_left,
)

FLORIN_SPACE, FLORINS = 4, 2
INITIATIVE_SPACE = 6
TRACKS_POINTS = 4  # progress points of the Signoria action


def progress_frame(faction: str, points: int, tracks: Sequence[str] = TRACKS) -> Frame:
    return Frame("progress", {"faction": faction, "points": points, "tracks": list(tracks)})


def can_progress(state: State, data: Mapping[str, Json]) -> bool:
    """Return whether at least one progress point can be used (5.1)."""
    faction = data["faction"]
    if INITIATIVE in data["tracks"] and steps_left(state, faction):
        return True
    careers = [career for career in CAREERS if career in data["tracks"]]
    if careers and available(state, faction, MAN):
        return True
    return any(min(men_on(state, faction, c), default=99) < printed(state).spaces(c) for c in careers)


@dataclass(frozen=True, slots=True)
class ClimbsInPlay:
    """The domain of a progress action: men that can climb, tops of the tracks, steps of the disc."""

    points: int
    careers: tuple[str, ...]
    men: tuple[tuple[str, int, int], ...]  # career, space, number of men
    reserve: int
    tops: tuple[tuple[str, int], ...]
    disc: int  # distance from the top
    initiative: bool  # points may be used for the disc

    def described(self) -> Json:
        """Return the bounds a form needs, as JSON."""
        return {
            "points": self.points,
            "tracks": [*self.careers, *([INITIATIVE] if self.initiative else [])],
            "men": [{"career": career, "at": at, "count": count} for career, at, count in self.men],
            "reserve": self.reserve,
            "tops": dict(self.tops),
            "initiative": self.disc if self.initiative else 0,
        }

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        """Sample an action by spending points one at a time at random."""
        walk = Walk(self)
        for _ in range(1 + below(self.points)):
            steps = walk.steps()
            if not steps:
                break
            walk.make(steps[below(len(steps))])
        sixth = sum(is_passed(climb, INITIATIVE_SPACE) for climb in walk.climbs())
        stay = bool(sixth and self.disc > walk.initiative and not below(4))
        climbs = [{"career": c.career, "at": c.at, "to": c.to} for c in walk.climbs()]
        return climbs, walk.initiative, stay


class Walk:
    """Progress points spent so far: each man with his first and his current space."""

    def __init__(self, play: ClimbsInPlay) -> None:
        self.play = play
        self.initiative = 0
        self.men = [(career, at, at) for career, at, count in play.men for _ in range(count)]
        self.reserve = play.reserve

    def steps(self) -> list[tuple[str, int]]:
        """Return the possible uses of the next point: a man by index, a career to enter, or the disc."""
        tops = dict(self.play.tops)
        steps = [("man", i) for i, (career, _, now) in enumerate(self.men) if now < tops[career]]
        if self.reserve:
            steps += [("enter", i) for i in range(len(self.play.careers))]
        if self.play.initiative and self.initiative < self.play.disc:
            steps.append((INITIATIVE, 0))
        return steps

    def make(self, step: tuple[str, int]) -> None:
        kind, i = step
        if kind == "man":
            career, at, now = self.men[i]
            self.men[i] = (career, at, now + 1)
        elif kind == "enter":
            self.reserve -= 1
            self.men.append((self.play.careers[i], 0, 1))
        else:
            self.initiative += 1

    def climbs(self) -> list[Climb]:
        moved = sorted((career, at, to) for career, at, to in self.men if to > at)
        return [Climb(career=career, at=at, to=to) for career, at, to in moved]


def is_passed(climb: Climb, space: int) -> bool:
    """Return whether a climb reaches or passes a space (R-25)."""
    return climb.at < space <= climb.to


@dataclass(frozen=True, slots=True)
class UsingProgress:
    """Phase: progress points are split among men and the disc."""

    name = "progress"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = whose(state)
        play = _in_play(state, faction)
        return [
            Prompt(
                faction=faction,
                title=say("prompt-progress", count=play.points),
                rule=RULE,
                example=_example(play, faction),
                fields=(Plan(("climbs", "initiative", "stay"), play, play.described()),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        progress = asked(state, action, Progress, RULE)
        _refuse(state, progress)
        account = Account(state)
        for climb in progress.climbs:
            account.add(_climb_step(state, progress.faction, climb))
        steps = _bonus(account, progress)
        _raise_disc(account, progress.faction, progress.initiative + steps)
        account.set(frames=done(account.state))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None if can_progress(state, frame_data(state)) else skip(state, RULE)


def _in_play(state: State, faction: str) -> ClimbsInPlay:
    data = frame_data(state)
    careers = tuple(career for career in CAREERS if career in data["tracks"])
    return ClimbsInPlay(
        points=data["points"],
        careers=careers,
        men=tuple((c, at, count) for c in careers for at, count in men_on(state, faction, c).items()),
        reserve=available(state, faction, MAN) if careers else 0,
        tops=tuple((career, printed(state).spaces(career)) for career in careers),
        disc=steps_left(state, faction),
        initiative=INITIATIVE in data["tracks"],
    )


def _example(play: ClimbsInPlay, faction: str) -> Progress:
    """Return an action that always spends the next point on the first possible use."""
    walk = Walk(play)
    for _ in range(play.points):
        steps = walk.steps()
        if not steps:
            break
        walk.make(steps[0])
    return Progress(faction=faction, climbs=tuple(walk.climbs()), initiative=walk.initiative)


def _refuse(state: State, progress: Progress) -> None:
    """Raise unless tracks, climbs, number of points and declined steps are all legal (5.4, 5.5)."""
    data = frame_data(state)
    check_all_of([climb.career for climb in progress.climbs], CAREERS, "career", rule=RULE)
    used = {climb.career for climb in progress.climbs} | ({INITIATIVE} if progress.initiative else set())
    if not used <= set(data["tracks"]):
        tracks = tuple(Name("track", track) for track in data["tracks"])
        raise Illegal(say("other-tracks", tracks=tracks), rule=RULE)
    _refuse_climbs(state, progress)
    left = steps_left(state, progress.faction)
    if progress.initiative > left:
        raise Illegal(say("disc-is-at-top") if not left else say("disc-near-top", count=left), rule=RULE)
    points = sum(climb.to - climb.at for climb in progress.climbs) + progress.initiative
    if not points:
        raise Illegal(say("use-a-point"), rule=RULE)
    if points > data["points"]:
        raise Illegal(say("too-many-points", count=data["points"], used=points), rule=RULE)
    sixth = any(is_passed(climb, INITIATIVE_SPACE) for climb in progress.climbs)
    if progress.stay and not (sixth and left > progress.initiative):
        raise Illegal(say("nothing-to-decline"), rule=RULE)


def _refuse_climbs(state: State, progress: Progress) -> None:
    """Raise `Illegal` unless each climb starts at an own man and leads upwards to at most the top (5.5)."""
    starts = Counter((climb.career, climb.at) for climb in progress.climbs)
    entering = sum(count for (_, at), count in starts.items() if not at)
    if entering > available(state, progress.faction, MAN):
        raise Illegal(say("no-man-to-enter", count=available(state, progress.faction, MAN)), rule=RULE)
    for (career, at), count in sorted(starts.items()):
        if at and count > men_on(state, progress.faction, career).get(at, 0):
            raise Illegal(say("no-man-there", career=Name("field", career), space=at), rule=RULE)
    for climb in progress.climbs:
        top = printed(state).spaces(climb.career)
        name = Name("field", climb.career)
        if climb.at == top:
            raise Illegal(say("man-at-top", career=name), rule=RULE)
        if climb.to > top:
            raise Illegal(say("beyond-top", career=name, count=top), rule=RULE)
        if climb.to <= climb.at:
            raise Illegal(say("only-upwards"), rule=RULE)


def _climb_step(state: State, faction: str, climb: Climb) -> Step:
    move = Move(faction, MAN, track_place(climb.career, climb.at), track_place(climb.career, climb.to))
    params: dict[str, Json] = {
        "faction": faction_name(faction),
        "career": Name("field", climb.career),
        "to": climb.to,
        "number": printed(state).number(climb.career, climb.to),
        "rank": printed(state).rank(climb.career, climb.to),
    }
    message = say("climbs", at=climb.at, **params) if climb.at else say("enters", **params)
    return Step(RULE, message, (move,))


def _bonus(account: Account[State], progress: Progress) -> int:
    """Give two florins per fourth space, and return the initiative steps for sixth spaces (5.5)."""
    climbs, faction = progress.climbs, progress.faction
    fourth = sum(is_passed(climb, FLORIN_SPACE) for climb in climbs)
    sixth = sum(is_passed(climb, INITIATIVE_SPACE) for climb in climbs)
    if not fourth and not sixth:
        return 0
    computed = {"florins": FLORINS * fourth, "initiative": 0 if progress.stay else sixth}
    verdict = judge(account.state, f"bonus:{faction}", computed, Mapping[str, Count], _refuse_bonus)
    gained, steps = (verdict.result.get(name, 0) for name in ("florins", "initiative"))
    bonuses = [say("bonus-florins", count=gained)] if gained else []
    bonuses += [say("bonus-steps", count=steps)] if steps else []
    account.step(
        RULE,
        say("track-bonus", faction=faction_name(faction), bonuses=tuple(bonuses) or (say("bonus-none"),)),
        moves=receive(faction, gained),
        verdict=verdict,
    )
    return steps


def _refuse_bonus(result: Mapping[str, int]) -> None:
    check_all_of(result, ("florins", "initiative"), "bonus", rule=RULE)


def _raise_disc(account: Account[State], faction: str, points: int) -> None:
    """Move the disc up, onto the stack there; a disc at the top does not move (5.5, R-17)."""
    track = discs(account.state)
    if not points or space_of(track, faction) is None:
        return
    _, moved = advance(track, faction, points, printed(account.state).top)
    account.add(advance_step(faction, points, moved))

"""Scenes of a game of Signoria, set up by hand, on the test profile of the digest (2.3)."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.core.actions import Action
from games.core.errors import Refused
from games.core.flow import Frame
from games.core.ledger import Ledger
from games.core.steps import Outcome, Step
from games.signoria import rewards
from games.signoria.game import SIGNORIA
from games.signoria.state import PLACES, State
from tests.core.rendering import sentence

Y, R, B, P = "yellow", "red", "blue", "purple"
CITIES = ("milan", "venice", "florence", "rome", "naples")
COLOURS = ("grey", "yellow", "red", "purple", "turquoise")
TRACKS = ("political", "church", "military", "initiative")

LAYOUT = {
    "grey:upper": "political",
    "grey:lower": "church",
    "yellow:upper": "blind",
    "yellow:lower": "florins",
    "red:upper": "marriage",
    "red:lower": "mission",
    "purple:upper": "members",
    "purple:lower": "initiative",
    "turquoise:upper": "military",
    "turquoise:lower": "threshold",
}
REWARDS = ("mission", "marriage", "men-2", "initiative-3", "die", "helpers", "city-men")


def profile() -> dict[str, Any]:
    """Digest 2.3: agrees with every example; not the real board."""
    figures: dict[str, Any] = copy.deepcopy(dict(SIGNORIA.board.figures))
    for career in TRACKS[:3]:
        numbers, ranks = (1, 2, 3, 4, 6, 7, 9, 13), (1, 1, 2, 2, 3, 3, 4, 4)
        track = figures["tracks"][career]
        track["spaces"] = 8
        track["numbers"] |= {str(i): number for i, number in enumerate(numbers, 1)}
        track["ranks"] |= {str(i): rank for i, rank in enumerate(ranks, 1)}
    figures["initiative"]["top"] = 6
    figures["initiative"]["points"] |= dict(zip("0123456", (0, 1, 2, 4, 6, 9, 12), strict=True))
    for city in CITIES:
        figures["cities"][city] = {"1": 1, "2": 1, "3": 1, "4": 2}
    spaces = {
        "yellow": (1, "florins", "white", 1),
        "grey": (2, "descendants", "green", 2),
        "purple": (3, "mission", "blue", 2),
        "red": (4, "marriage", "yellow", 3),
        "turquoise": (5, "tracks", "orange", 4),
    }
    for colour, space in spaces.items():
        figures["actions"][colour] = dict(zip(("number", "signoria", "ring", "price"), space, strict=True))
    columns = {
        "yellow": ("green", "florins-3", "roll-one", "vp-3"),
        "grey": ("blue", "progress-die:military", "gain-any", "blind-tile"),
        "purple": ("yellow", "mission-blind", "progress-die:political", "vp-per-man"),
        "red": ("orange", "marriage-blind", "progress-die:church", "any-task"),
        "turquoise": (
            "white",
            "progress-3:political,church,military",
            "progress-die:initiative",
            "vp-3",
        ),
    }
    for colour, (ring, *kinds) in columns.items():
        figures["helpers"][colour] = {str(i): _helper(ring, kind) for i, kind in enumerate(kinds, 1)}
    figures["plans"]["1"] |= {
        "political": ["b", "b", "c", "d"],
        "church": ["c", "c", "d", "e"],
        "military": ["a", "a", "b", "c"],
    }
    return figures


def _helper(ring: str, kind: str) -> dict[str, Any]:
    name, _, tracks = kind.partition(":")
    return {
        "kind": name,
        "ring": ring,
        "price": 0,
        "tracks": {track: track in tracks.split(",") for track in TRACKS},
    }


def scene(
    *,
    players: Sequence[str] = (R, B, Y, P),
    turn: str = R,
    round: int = 1,  # noqa: A002 - as the state calls it
    frames: Sequence[Frame] | None = None,
    florins: Mapping[str, int] | None = None,
    men: Mapping[str, int] | None = None,
    women: Mapping[str, int] | None = None,
    supply: Mapping[tuple[str, str], int] | None = None,
    tracks: Mapping[str, Sequence[tuple[str, int]]] | None = None,
    lying: Sequence[tuple[str, str, str]] = (),
    initiative: Mapping[int, Sequence[str]] | None = None,
    dice: Mapping[str, Sequence[int]] | None = None,
    taken: Mapping[str, Sequence[tuple[str, int]]] | None = None,
    helpers: Mapping[str, Sequence[tuple[str, int]]] | None = None,
    brides: Mapping[str, int] | None = None,
    tasks: Mapping[str, str] | None = None,
    reward_tiles: Sequence[str] = REWARDS,
    cities: Sequence[str] = CITIES,
    passed: Sequence[str] = (),
    tiles_left: int | None = None,
    options: Mapping[str, Any] | None = None,
    figures: Mapping[str, Any] | None = None,
) -> State:
    """A moment of a round. ``lying`` are single pieces: owner, piece, place; the rest is in the supply.

    ``supply`` puts away what would be too many there, so that a supply can be nearly empty.
    """
    setup = SIGNORIA.prepare(players, options=options, figures=figures or profile())
    lines: list[tuple[str, str, str, int]] = [(o, piece, place, 1) for o, piece, place in lying]
    for faction in players:
        lines.append((faction, "florin", "reserve", (florins or {}).get(faction, 10)))
        lines.append((faction, "man", "reserve", (men or {}).get(faction, 4)))
        lines.append((faction, "woman", "reserve", (women or {}).get(faction, 3)))
        lines += [(faction, "man", f"track:{c}:{i}", 1) for c, i in (tracks or {}).get(faction, ())]
        lines += [
            ("neutral", f"{colour}-{face}", f"action:{faction}:{colour}", 1)
            for colour, face in (taken or {}).get(faction, ())
        ]
        lines += [
            ("neutral", "helper", f"helper:{faction}:{c}:{r}", 1) for c, r in (helpers or {}).get(faction, ())
        ]
        lines.append(("neutral", "bride", f"portraits:{faction}", (brides or {}).get(faction, 0)))
    for space, stack in (initiative or {0: tuple(reversed(players))}).items():
        lines += [(disc, "disc", f"initiative:{space}", 1) for disc in stack]
    pool = dice if dice is not None else {colour: (1, 2, 3, 4)[: len(players)] for colour in COLOURS}
    lines += [("neutral", f"{c}-{face}", f"dice:{c}", 1) for c, faces in pool.items() for face in faces]
    lines += _rest(lines, players, supply or {}, tiles_left)
    return State(
        setup=setup,
        ledger=Ledger.of(PLACES, lines),
        frames=tuple(frames or (Frame("turn", {"faction": turn, "acted": False}),)),
        round=round,
        order=tuple(players),
        cities=tuple(cities),
        rewards=tuple(reward_tiles),
        boards=dict(zip(players, "1234", strict=False)),
        tasks=_layout(tasks or {}),
        passed=tuple(passed),
    )


def _rest(
    lines: Sequence[tuple[str, str, str, int]],
    players: Sequence[str],
    supply: Mapping[tuple[str, str], int],
    tiles_left: int | None,
) -> Iterator[tuple[str, str, str, int]]:
    """What is not named lies in the supply."""

    def named(owner: str, *pieces: str) -> int:
        return sum(n for o, piece, _, n in lines if o == owner and piece in pieces)

    for faction in players:
        for piece, count in (("man", 12), ("woman", 11)):
            yield faction, piece, "supply", supply.get((faction, piece), count - named(faction, piece))
    alliances = [f"{house}-{value}" for house in "abcdef" for value in range(2, 6)]
    every = 6 * (9 - {2: 2, 3: 1, 4: 0}[len(players)])
    left = every - named("neutral", "tile", *alliances)
    yield "neutral", "tile", "supply", left if tiles_left is None else tiles_left
    yield "neutral", "helper", "supply", 48 - named("neutral", "helper")
    yield "neutral", "bride", "supply", 16 - named("neutral", "bride")
    for colour in COLOURS:
        rolled = named("neutral", *(f"{colour}-{face}" for face in range(1, 7)))
        yield "neutral", f"{colour}-die", "supply", max(0, len(players) - rolled)


def _layout(changes: Mapping[str, str]) -> dict[str, str]:
    """The layout above with some tiles swapped to where they are wanted."""
    layout = dict(LAYOUT)
    for space, task in changes.items():
        other = next(s for s, t in layout.items() if t == task)
        layout[other], layout[space] = layout[space], task
    return layout


def rewarding(eligible: Sequence[str], **changes: Any) -> State:
    """A moment in phase 3: these players are within their limit, and the first of them chooses."""
    data = {"stage": "giving", "queue": list(eligible), "eligible": list(eligible), "scored": False}
    players = changes.get("players", (R, B, Y, P))
    state = scene(frames=[Frame("rewards", data)], passed=players, **changes)
    return SIGNORIA.machine.settle(Outcome(state, ())).state


def judging(**changes: Any) -> State:
    """The moment when all have passed and phase 3 begins; nothing of it has happened yet."""
    players = changes.get("players", (R, B, Y, P))
    return scene(frames=[Frame("rewards", {"stage": "scoring"})], passed=players, **changes)


def settled(state: State) -> Outcome[State]:
    return SIGNORIA.machine.settle(Outcome(state, ()))


# Acting


def act(state: State, action: Action) -> Outcome[State]:
    return SIGNORIA.apply(state, action)


def enter(state: State, *actions: Action) -> State:
    for action in actions:
        state = SIGNORIA.apply(state, action).state
    return state


def refused(state: State, action: Action) -> tuple[str | None, str]:
    """The section and the sentence with which an entry is refused, which changes nothing."""
    before = SIGNORIA.state_json(state)
    refusal = SIGNORIA.why_not(state, action)
    assert isinstance(refusal, Refused), f"{action} is accepted"
    assert SIGNORIA.state_json(state) == before
    return refusal.rule, sentence(SIGNORIA, refusal.message)


# Looking


def count(state: State, owner: str, piece: str, place: str) -> int:
    return state.ledger.count(owner, piece, place)


def florins_of(state: State, faction: str) -> int:
    return count(state, faction, "florin", "reserve")


def points(state: State, faction: str) -> int:
    return next(int(s.points) for s in SIGNORIA.standings(state) if s.faction == faction)


def parts(state: State, faction: str) -> dict[str, int]:
    """Where somebody's points come from, without what brought nothing."""
    found = next(s.parts for s in SIGNORIA.standings(state) if s.faction == faction)
    return {source: int(n) for source, n in found.items() if n}


def stack(state: State, space: int) -> str:
    """The discs on a space of the initiative track from the bottom up, by their letters."""
    return "".join(owner[0].upper() for owner, _ in state.ledger.pile(f"initiative:{space}"))


def texts(outcome: Outcome[State]) -> list[str]:
    """Every sentence of an outcome, finer ones after those they explain."""
    return [text for step in outcome.steps for text in _texts(step)]


def _texts(step: Step) -> list[str]:
    return [sentence(SIGNORIA, step.message), *(text for finer in step.steps for text in _texts(finer))]


def offered(state: State, action: str) -> list[dict[str, Any]]:
    """Every entry of a kind that is offered."""
    return [e for prompt in SIGNORIA.prompts(state) if prompt.action == action for e in prompt.elements()]


def ways(state: State, colour: str, die: int) -> set[tuple[str, str | None]]:
    """The actions, and tasks, that are offered with a die."""
    found = offered(state, "take")
    return {(e["action"], e["task"]) for e in found if (e["colour"], e["die"]) == (colour, die)}


assert set(REWARDS) <= {*rewards.BONUS_TILES, *rewards.POINT_TILES}

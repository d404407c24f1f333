"""Hand-made states of Signoria on the test profile of the digest (2.3), and helpers to act on them."""

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
    """Return the figures of digest 2.3, which agree with every example but are not the real board."""
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
    round: int = 1,  # noqa: A002 - same name as the field of `State`
    frames: Sequence[Frame] | None = None,
    florins: Mapping[str, int] | None = None,
    men: Mapping[str, int] | None = None,
    women: Mapping[str, int] | None = None,
    supply: Mapping[tuple[str, str], int] | None = None,
    tracks: Mapping[str, Sequence[tuple[str, int]]] | None = None,
    placed: Sequence[tuple[str, str, str]] = (),
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
    """Build a state within a round.

    `placed` lists single pieces as owner, piece, place; pieces not mentioned are in the supply.
    `supply` overrides the number of figures in a player's supply, so that it can be nearly empty.
    """
    setup = SIGNORIA.prepare(players, options=options, figures=figures or profile())
    lines: list[tuple[str, str, str, int]] = [(o, piece, place, 1) for o, piece, place in placed]
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
    lines += _supply_lines(lines, players, supply or {}, tiles_left)
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


def _supply_lines(
    lines: Sequence[tuple[str, str, str, int]],
    players: Sequence[str],
    supply: Mapping[tuple[str, str], int],
    tiles_left: int | None,
) -> Iterator[tuple[str, str, str, int]]:
    """Yield the supply lines for all pieces that are not placed."""

    def placed_count(owner: str, *pieces: str) -> int:
        return sum(n for o, piece, _, n in lines if o == owner and piece in pieces)

    for faction in players:
        for piece, count in (("man", 12), ("woman", 11)):
            yield faction, piece, "supply", supply.get((faction, piece), count - placed_count(faction, piece))
    alliances = [f"{house}-{value}" for house in "abcdef" for value in range(2, 6)]
    total = 6 * (9 - {2: 2, 3: 1, 4: 0}[len(players)])
    left = total - placed_count("neutral", "tile", *alliances)
    yield "neutral", "tile", "supply", left if tiles_left is None else tiles_left
    yield "neutral", "helper", "supply", 48 - placed_count("neutral", "helper")
    yield "neutral", "bride", "supply", 16 - placed_count("neutral", "bride")
    for colour in COLOURS:
        rolled = placed_count("neutral", *(f"{colour}-{face}" for face in range(1, 7)))
        yield "neutral", f"{colour}-die", "supply", max(0, len(players) - rolled)


def _layout(changes: Mapping[str, str]) -> dict[str, str]:
    """Return the default task layout with these tasks swapped to the given spaces."""
    layout = dict(LAYOUT)
    for space, task in changes.items():
        other = next(s for s, t in layout.items() if t == task)
        layout[other], layout[space] = layout[space], task
    return layout


def reward_phase(eligible: Sequence[str], **changes: Any) -> State:
    """Build a state in phase 3: `eligible` players are within their limit, the first of them chooses."""
    data = {"stage": "giving", "queue": list(eligible), "eligible": list(eligible), "scored": False}
    players = changes.get("players", (R, B, Y, P))
    state = scene(frames=[Frame("rewards", data)], passed=players, **changes)
    return SIGNORIA.machine.settle(Outcome(state, ())).state


def before_rewards(**changes: Any) -> State:
    """Build a state in which all players have passed and phase 3 is about to begin."""
    players = changes.get("players", (R, B, Y, P))
    return scene(frames=[Frame("rewards", {"stage": "scoring"})], passed=players, **changes)


def settle(state: State) -> Outcome[State]:
    return SIGNORIA.machine.settle(Outcome(state, ()))


# Acting


def act(state: State, action: Action) -> Outcome[State]:
    return SIGNORIA.apply(state, action)


def enter(state: State, *actions: Action) -> State:
    for action in actions:
        state = SIGNORIA.apply(state, action).state
    return state


def refused(state: State, action: Action) -> tuple[str | None, str]:
    """Return section and sentence of the refusal of an action, and check that the state is unchanged."""
    before = SIGNORIA.state_json(state)
    refusal = SIGNORIA.why_not(state, action)
    assert isinstance(refusal, Refused), f"{action} is accepted"
    assert SIGNORIA.state_json(state) == before
    return refusal.rule, sentence(SIGNORIA, refusal.message)


# Queries


def count(state: State, owner: str, piece: str, place: str) -> int:
    return state.ledger.count(owner, piece, place)


def florins_of(state: State, faction: str) -> int:
    return count(state, faction, "florin", "reserve")


def points(state: State, faction: str) -> int:
    return next(int(s.points) for s in SIGNORIA.standings(state) if s.faction == faction)


def points_by_source(state: State, faction: str) -> dict[str, int]:
    """Return a player's points by source, without sources of 0 points."""
    sources = next(s.parts for s in SIGNORIA.standings(state) if s.faction == faction)
    return {source: int(n) for source, n in sources.items() if n}


def stack(state: State, space: int) -> str:
    """Return the discs on a space of the initiative track from the bottom up, as initials."""
    return "".join(owner[0].upper() for owner, _ in state.ledger.pile(f"initiative:{space}"))


def texts(outcome: Outcome[State]) -> list[str]:
    """Return every sentence of an outcome, substeps after their step."""
    return [text for step in outcome.steps for text in _texts(step)]


def _texts(step: Step) -> list[str]:
    return [sentence(SIGNORIA, step.message), *(text for substep in step.steps for text in _texts(substep))]


def offered(state: State, action: str) -> list[dict[str, Any]]:
    """Return every offered action of a type, as JSON."""
    return [e for prompt in SIGNORIA.prompts(state) if prompt.action == action for e in prompt.elements()]


def actions_with(state: State, colour: str, die: int) -> set[tuple[str, str | None]]:
    """Return the pairs of action and task that are offered with a die."""
    takes = offered(state, "take")
    return {(e["action"], e["task"]) for e in takes if (e["colour"], e["die"]) == (colour, die)}


assert set(REWARDS) <= {*rewards.BONUS_TILES, *rewards.POINT_TILES}

"""Hostile and malformed input for tests of everything that parses requests."""

from __future__ import annotations

import contextlib
import copy
import signal
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from companion.registry import titles
from companion.tables.opening import NewSeat, open_table, start
from games.core.actions import Action
from games.core.game import AnyGame
from tests.conformance.walks import PLAYED, plain, walk
from tests.tables.sitting import Sitting, play_on

GIVEN = ("faction", "rulings")  # fields of every action
RECORDS = Path(__file__).parent / "games"
NAMES = ("Ada", "Béla", "Carla", "Dario", "Éva")
QUICK = settings(
    max_examples=3,
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)


def nested(depth: int, inner: Any = 1) -> Any:
    for _ in range(depth):
        inner = [inner]
    return inner


def deep(depth: int) -> Any:
    inner: Any = 1
    for _ in range(depth):
        inner = {"a": inner}
    return inner


# Huge numbers, long texts, characters that databases reject, and injection attempts.
PLAIN: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    7,
    40,
    999,
    10**6,
    10**9,
    2**53,
    2**63,
    10**30,
    0.5,
    -0.0,
    1e308,
)
TEXTS: tuple[str, ...] = (
    "", " ", "x", "-1", "1e9", "٣", "null", "☃" * 50, "\0", "\ud800", "\u202e", "a" * 5_000, "9" * 5_000,
    "0" * 9 + "1" * 5_000, "../../etc/passwd", "%s%(x)d{0}", "{{7*7}}", "</script><b>", "=1+1", "__class__",
    "' OR 1=1 --", "cell:0,0", "cell:9999999,0", "supply", "province:holland", "x:y:z", ":", ",", "1,,2", "a=b;c",
)  # fmt: skip
LARGE: tuple[Any, ...] = (
    [], [None], [[]] * 400, list(range(2_000)), ["x"] * 2_000, nested(15), nested(40), nested(900),
    {}, {"": None}, {"x": {"y": []}}, {str(n): n for n in range(1_500)}, deep(15), deep(40),
)  # fmt: skip
ANYTHING = st.sampled_from((*PLAIN, *TEXTS, *LARGE))
STRINGS = st.sampled_from(TEXTS) | st.text(max_size=8)


# Mutation of valid data


def parts_of(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path to every part of the data, except to the whole."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [*([path] if path else []), *(way for key, part in items for way in parts_of(part, (*path, key)))]


def part_at(data: Any, way: tuple[Any, ...]) -> Any:
    for step in way:
        data = data[step]
    return data


def _repeated(value: Any) -> Any:
    """Repeat a valid value 300 times, to detect superlinear work."""
    if isinstance(value, list):
        return value * 300
    if isinstance(value, dict) and value:
        key, inner = next(iter(value.items()))
        return {**{f"{key}{n}": inner for n in range(300)}, **value}
    return [value] * 300


@st.composite
def changed(draw: Callable[[Any], Any], right: Any) -> Any:
    """Draw valid data with one part removed, repeated, replaced or added."""
    data = copy.deepcopy(right)
    ways = parts_of(data)
    if not ways:
        return draw(ANYTHING)
    *way, last = draw(st.sampled_from(ways))
    container = part_at(data, tuple(way))
    match draw(st.sampled_from(("anything", "anything", "other", "often", "dropped", "added"))):
        case "dropped":
            del container[last]
        case "often":
            container[last] = _repeated(container[last])
        case "other":
            container[last] = part_at(right, draw(st.sampled_from(ways)))
        case "added" if isinstance(container, dict):
            name = draw(st.sampled_from(("rulings", "surplus", "type", "faction", "")))
            container[name] = draw(st.just({"x": {"result": 1, "reason": "r"}}) | ANYTHING)
        case _:
            container[last] = draw(ANYTHING)
    return data


# Every action of every game


@cache
def examples(slug: str) -> dict[str, dict[str, Any]]:
    """Return an action of each type of a game: the longest recorded one, else one with dummy fields."""
    game = PLAYED[slug]
    actions: dict[str, dict[str, Any]] = {kind.type: _dummy(kind) for kind in game.actions}
    for action in _recorded(slug, game):
        kind = action["type"]
        if kind in actions and len(str(action)) > len(str(actions[kind])):
            actions[kind] = action
    order = list(game.factions)[:2]
    anywhere = {"owner": order[0], "piece": min(game.pieces), "place": "supply", "count": 1}
    return actions | {
        "correct": {"type": "correct", **anywhere, "reason": "counted"},
        "option": {"type": "option", "name": [o.name for o in game.options][:1], "value": True, "reason": "r"},
        "figure": {"type": "figure", "path": ["provinces", "holland", "limit"], "value": 3, "reason": "r"},
        "position": {
            "type": "position", "round": 1, "phase": "", "order": order, "turn": order[0], "holdings": [anywhere],
            "facts": {"bags": {"red": 1}},
        },
    }  # fmt: skip


def _dummy(kind: type[Action]) -> dict[str, Any]:
    """Return an action with all fields of its type, all invalid."""
    return {"type": kind.type, **{field.name: "x" for field in fields(kind) if field.name not in GIVEN}}


def _recorded(slug: str, game: AnyGame) -> Iterator[dict[str, Any]]:
    if game is titles()[game.slug].pad.game:
        yield from (action for _faction, action in walk(slug, game.min_players, 0).journal)
        return
    for path in sorted((RECORDS / slug).glob("*.toml")):
        for chapter in tomllib.loads(path.read_text(encoding="utf-8")).get("chapter", []):
            for entry in chapter.get("entries", []):
                expectations = {"faction", "refused", "says"}
                yield plain({name: value for name, value in entry.items() if name not in expectations})


# Tables


def sitting_at(slug: str, entries: int) -> Sitting:
    """Open a table of a game or pad (by its name in ``PLAYED``), start it and play some entries."""
    game = PLAYED[slug]
    seats = [
        NewSeat(name, faction)
        for name, faction in zip(NAMES, game.factions[: game.max_players], strict=False)
    ]
    mode = "pad" if game is titles()[game.slug].pad.game else "full"
    opened = open_table(game=game.slug, seats=seats, options={"mode": mode})
    sitting = Sitting(opened.table, opened.host_token, {s.faction: token for s, token in opened.seats})
    start(table=sitting.table, access=sitting.host)
    play_on(sitting, 0 if mode == "pad" else entries)  # a pad may be complete after one entry
    return sitting


# Time limits


class HangingError(BaseException):
    """Raised on timeout; a BaseException, so that no ``except Exception`` swallows it."""


@contextlib.contextmanager
def not_hanging(seconds: float = 10.0) -> Iterator[None]:
    """Raise ``HangingError`` after this much CPU time, independent of the load of the machine."""

    def stop(*_args: object) -> None:
        raise HangingError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)

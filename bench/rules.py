"""The rules alone, without web and database."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from functools import reduce

from bench.figures import Figure, repeated, seconds, typical
from companion.registry import games
from games.core.actions import Action
from games.core.game import AnyGame, Setup
from games.revolution import REVOLUTION, battles, conflict
from games.revolution.state import armies_at, atlas, countable
from games.wallenstein.actions import Throw as Thrown
from games.wallenstein.battle import Sides
from games.wallenstein.battles import pending
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.learning import learned
from games.wallenstein.tower import Throw, falling, odds, total
from players.randomly import Played, play_out

SEED = 1568
REPEATS = 7


def figures() -> Iterator[Figure]:
    """Measure apply, fold, prompts and JSON of each game, with the maximum number of players."""
    for game in games().values():
        setup = game.prepare(game.factions[: game.max_players])
        played = list(play_out(game, setup, random.Random(SEED)))
        yield from _of_a_game(game, setup, played)
        if game is REVOLUTION:
            yield _conflict(played)
            yield _battles(played)
        if game is WALLENSTEIN:
            yield _battle(played)
            yield _tower()
            yield _learning(played)


def _conflict(played: list[Played]) -> Figure:
    """Resolve conflicts in all provinces with doubled counters, compared with counting the counters."""
    state = played[-1].outcome.state
    provinces = list(atlas(state).provinces.values())
    crowded = [({f: 2 * n + 1 for f, n in countable(state, p).items()}, p.limit) for p in provinces]
    resolving = repeated(lambda: [conflict.resolve(counters, limit) for counters, limit in crowded], REPEATS)
    counting = repeated(lambda: [countable(state, province) for province in provinces], REPEATS)
    return Figure("revolution.conflict", resolving * 1e3, "ms", counting * 1e3, "counting what lies there")


def _battles(played: list[Played]) -> Figure:
    """Resolve battles in all regions with three extra armies per faction, compared with counting them."""
    state = played[-1].outcome.state
    strips = [region.strip for region in atlas(state).regions.values()]
    crowded = [{f: armies_at(state, strip).get(f, 0) + 3 for f in state.setup.factions} for strip in strips]
    resolving = repeated(lambda: [battles.resolve(armies) for armies in crowded], REPEATS)
    counting = repeated(lambda: [armies_at(state, strip) for strip in strips], REPEATS)
    return Figure("revolution.battles", resolving * 1e3, "ms", counting * 1e3, "counting what lies there")


def _battle(played: list[Played]) -> Figure:
    """Apply the throw of a battle, compared with any action."""
    times = [(p, repeated(lambda p=p: WALLENSTEIN.apply(p.state, p.action), 3)) for p in played]  # type: ignore[misc]
    thrown = typical((time for p, time in times if isinstance(p.action, Thrown)), 1e6)
    against = "applying an action"
    return Figure("wallenstein.battle", thrown, "µs", typical((time for _p, time in times), 1e6), against)


def _tower() -> Figure:
    """Compute the odds of a battle with 60 cubes, compared with adding the distributions of both sides."""
    inside = {"red": 12, "blue": 12, "peasants": 16}
    throw = Throw("player", Sides("red", "blue"), 0, inside, {}, {"red": 10, "blue": 10})
    sides = falling(throw, "red"), falling(throw, "blue")
    computing = repeated(lambda: odds(throw), 50)
    adding = repeated(lambda: total(*sides), 50)
    return Figure("wallenstein.tower", computing * 1e3, "ms", adding * 1e3, "adding up both sides")


def _learning(played: list[Played]) -> Figure:
    """Learn from all throws of a game, compared with the odds of one throw."""
    falls = played[-1].outcome.state.falls
    throw = next(throw for p in reversed(played) if (throw := pending(p.state)))
    learning = repeated(lambda: learned.__wrapped__(falls), REPEATS)
    computing = repeated(lambda: odds(throw), 50)
    return Figure("wallenstein.learning", learning * 1e3, "ms", computing * 1e3, "the odds of a throw")


def _of_a_game(game: AnyGame, setup: Setup, played: list[Played]) -> Iterator[Figure]:
    """Measure a game. Folding is compared with the sum of its single entries: the difference is overhead."""
    applying = [repeated(lambda p=p: game.apply(p.state, p.action), 3) for p in played]  # type: ignore[misc]
    copying = [seconds(lambda p=p: copy.deepcopy(p.state)) for p in played[::5]]  # type: ignore[misc]
    apply = typical(applying, 1e6)
    yield Figure(f"{game.slug}.apply", apply, "µs", typical(copying, 1e6), "a deep copy of the state")

    actions = [p.action for p in played]
    folding = repeated(lambda: _fold(game, setup, actions), REPEATS)
    against = f"its {len(actions)} entries, one by one"
    yield Figure(f"{game.slug}.fold-a-game", folding * 1e3, "ms", sum(applying) * 1e3, against)

    prompting = [repeated(lambda p=p: game.prompts(p.state), 3) for p in played]  # type: ignore[misc]
    yield Figure(f"{game.slug}.prompts", typical(prompting, 1e6), "µs", apply, "applying an action")
    yield from _as_json(game, played[-1].outcome.state)


def _as_json(game: AnyGame, state: object) -> Iterator[Figure]:
    """Measure the JSON of the final state, which is the largest."""
    plain = game.state_json(state)
    text = json.dumps(plain)
    writing = repeated(lambda: json.dumps(game.state_json(state)), 50)
    dumping = repeated(lambda: json.dumps(plain), 50)
    yield Figure(f"{game.slug}.state-to-json", writing * 1e3, "ms", dumping * 1e3, "json.dumps alone")
    reading = repeated(lambda: game.read_state(json.loads(text)), 50)
    loading = repeated(lambda: json.loads(text), 50)
    yield Figure(f"{game.slug}.state-from-json", reading * 1e3, "ms", loading * 1e3, "json.loads alone")


def _fold(game: AnyGame, setup: Setup, actions: list[Action]) -> object:
    return reduce(lambda state, action: game.apply(state, action).state, actions, game.start(setup).state)

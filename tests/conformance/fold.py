"""Folds journals from standard input and prints the hash of everything that came of them.

Run by ``test_determinism`` in processes of its own, each with another hash seed.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from typing import Any

from games.core.codec import from_json, to_json
from games.core.game import Setup
from games.core.prompts import Prompt
from players.randomly import play_out
from tests.conformance.walks import PLAYED


def fold(slug: str, setup: Any, journal: list[tuple[str, Any]], digest: Any) -> None:
    """The states, steps and prompts of a stored game."""
    game = PLAYED[slug]
    outcome = game.start(from_json(Setup, setup))
    take(digest, to_json(outcome))
    for faction, data in journal:
        take(digest, [told(prompt) for prompt in game.prompts(outcome.state)])
        outcome = game.apply(outcome.state, game.read_action(data, faction))
        take(digest, to_json(outcome))
    take(digest, to_json(game.result(outcome.state)))


def told(prompt: Prompt) -> Any:
    """A prompt as far as it is data, and what it draws."""
    drawn = prompt.sample(random.Random(5).randrange)
    return [
        prompt.faction,
        to_json(prompt.title),
        prompt.rule,
        prompt.choices(),
        prompt.example_json(),
        drawn,
    ]


def play(slug: str, setup: Any, digest: Any) -> None:
    """A game at random: another order of prompts or options would be another game."""
    game = PLAYED[slug]
    for entry in play_out(game, from_json(Setup, setup), random.Random(7)):
        take(digest, to_json(entry.action))


def take(digest: Any, data: Any) -> None:
    """Not sorted here: an order that differs is what is looked for."""
    digest.update(json.dumps(data).encode())


def main() -> None:
    digest = hashlib.sha256()
    for slug, setup, journal in json.load(sys.stdin):
        fold(slug, setup, journal, digest)
        play(slug, setup, digest)
    sys.stdout.write(digest.hexdigest())


if __name__ == "__main__":
    main()

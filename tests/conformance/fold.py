"""Folds journals from standard input and prints the hash of all states, steps and prompts.

Run by ``test_determinism`` in separate processes with different hash seeds.
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
from tools.django_setup import set_up_django

set_up_django()

from tests.conformance.walks import PLAYED  # noqa: E402 - needs the registry of titles


def fold(slug: str, setup: Any, journal: list[tuple[str, Any]], digest: Any) -> None:
    """Hash the states, steps and prompts of a stored game."""
    game = PLAYED[slug]
    outcome = game.start(from_json(Setup, setup))
    update(digest, to_json(outcome))
    for faction, data in journal:
        update(digest, [prompt_data(prompt) for prompt in game.prompts(outcome.state)])
        outcome = game.apply(outcome.state, game.read_action(data, faction))
        update(digest, to_json(outcome))
    update(digest, to_json(game.result(outcome.state)))


def prompt_data(prompt: Prompt) -> Any:
    """Return a prompt as JSON, with a sample."""
    sample = prompt.sample(random.Random(5).randrange)
    return [
        prompt.faction,
        to_json(prompt.title),
        prompt.rule,
        prompt.choices(),
        prompt.example_json(),
        sample,
    ]


def play(slug: str, setup: Any, digest: Any) -> None:
    """Hash the actions of a random game: any change in the order of prompts or options would change it."""
    game = PLAYED[slug]
    for entry in play_out(game, from_json(Setup, setup), random.Random(7)):
        update(digest, to_json(entry.action))


def update(digest: Any, data: Any) -> None:
    """Add data to the hash; keys are not sorted, because differences in order must show."""
    digest.update(json.dumps(data).encode())


def main() -> None:
    digest = hashlib.sha256()
    for slug, setup, journal in json.load(sys.stdin):
        fold(slug, setup, journal, digest)
        play(slug, setup, digest)
    sys.stdout.write(digest.hexdigest())


if __name__ == "__main__":
    main()

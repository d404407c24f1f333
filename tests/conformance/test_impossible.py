"""Invariant violations are reported in sentences: pieces are put on impossible places, in every game."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from companion.wording import render
from games.core.game import AnyGame
from games.core.ledger import Ledger
from games.core.messages import Message
from tests.conformance.walks import PLAYED, walk
from tests.core.rendering import faults

DISTURBED = 120
SLUG = re.compile(r"[a-z]+:[a-z0-9]|[{}]|\b[a-z]+_[a-z]+\b")  # a place, a parameter, an option

# Minimum number of distinct messages, so that a check which never fires is noticed.
LEAST = {"raubritter": 5, "revolution": 6, "wallenstein": 4, "signoria": 6}


def disturbed(game: AnyGame, states: Sequence[Any], generator: random.Random) -> Any:
    """Return a state with the ledger of another moment and some additional pieces."""
    state = generator.choice(states)
    lines = [(h.owner, h.piece, h.place, h.count) for h in generator.choice(states).ledger.holdings()]
    places = sorted({line[2] for line in lines})
    for _ in range(generator.randint(1, 3)):
        owner = generator.choice([*state.order, *game.neutrals])
        place = generator.choice(places)
        piece = game.places.piece_at(generator.choice(sorted(game.pieces)), place)
        lines.append((owner, piece, place, generator.randint(1, 4)))
    return replace(state, ledger=Ledger.of(game.places, lines))


@pytest.mark.parametrize("slug", list(LEAST))
def test_impossible_states_are_reported_in_sentences(slug: str) -> None:
    game, generator = PLAYED[slug], random.Random(1)
    states = walk(slug, game.min_players, 0).states
    messages: dict[str, Message] = {}
    for _ in range(DISTURBED):
        for wrong in game.invariants(disturbed(game, states, generator)):
            assert not list(faults(game, wrong))
            text = render(game, wrong)
            assert text[0] == text[0].upper()
            assert text.endswith(".")
            assert not SLUG.search(text), text
            messages[wrong.code] = wrong
    assert len(messages) >= LEAST[slug], sorted(messages)

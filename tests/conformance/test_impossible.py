"""What is wrong with a state is told in sentences: pieces are put where they cannot lie, in every game."""

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

# How many different things must have been told at least: a check that never speaks up is none.
LEAST = {"raubritter": 5, "revolution": 6, "wallenstein": 4, "signoria": 6}


def disturbed(game: AnyGame, states: Sequence[Any], generator: random.Random) -> Any:
    """A state with what lay on the table at another time, and some pieces more."""
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
def test_what_cannot_be_is_told_in_sentences(slug: str) -> None:
    game, generator = PLAYED[slug], random.Random(1)
    states = walk(slug, game.min_players, 0).states
    told: dict[str, Message] = {}
    for _ in range(DISTURBED):
        for wrong in game.invariants(disturbed(game, states, generator)):
            assert not list(faults(game, wrong))
            text = render(game, wrong)
            assert text[0] == text[0].upper()
            assert text.endswith(".")
            assert not SLUG.search(text), text
            told[wrong.code] = wrong
    assert len(told) >= LEAST[slug], sorted(told)

"""Of an entry that is hidden, whatever everybody is told or shown is the same, whatever was entered."""

from __future__ import annotations

import pytest

from games.registry import GAMES, PADS
from players.randomly import Played
from tests.conformance.walks import Walk, walk

SECRETIVE = sorted(slug for slug, game in GAMES.items() if game.secrets)


def hidden_entries(slug: str) -> tuple[Walk, list[Played]]:
    found = walk(slug, GAMES[slug].min_players, 0)
    return found, [entry for entry in found.played if entry.action.type in found.game.secrets]


def test_which_games_have_secrets() -> None:
    assert SECRETIVE == ["wallenstein"]
    assert not any(pad.secrets for pad in PADS.values())


@pytest.mark.parametrize("slug", SECRETIVE)
def test_nothing_of_a_hidden_entry_is_told(slug: str) -> None:
    found, entries = hidden_entries(slug)
    game = found.game
    assert entries
    for entry in entries:
        data = entry.prompt.sample(lambda below: below - 1)
        other = game.apply(entry.state, game.read_action(data, entry.prompt.faction))
        assert other.steps == entry.outcome.steps
        after = entry.outcome.state
        assert game.is_hidden(after, entry.action)
        assert not game.reveals(entry.state, after)
        for faction in (None, *(one for one in after.order if one != entry.action.faction)):
            assert game.view(after, faction) == game.view(other.state, faction)
            assert game.prompts(game.view(after, faction)) == game.prompts(game.view(other.state, faction))


@pytest.mark.parametrize("slug", SECRETIVE)
def test_what_people_are_asked_follows_from_what_they_may_see(slug: str) -> None:
    """So nobody's form, and no public list of what can be entered, tells a secret."""
    found, _entries = hidden_entries(slug)
    for state in found.states[::5]:
        for prompt in found.game.prompts(state):
            for viewer in (None, prompt.faction):
                asked = found.game.prompts(found.game.view(state, viewer))
                assert prompt in asked

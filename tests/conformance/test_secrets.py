"""Hidden entries: everything public is the same, whatever was entered."""

from __future__ import annotations

import pytest

from companion.registry import games, titles
from players.randomly import Played
from tests.conformance.walks import Walk, walk

SECRETIVE = sorted(slug for slug, game in games().items() if game.secrets)


def hidden_entries(slug: str) -> tuple[Walk, list[Played]]:
    walked = walk(slug, titles()[slug].game.min_players, 0)
    return walked, [entry for entry in walked.played if entry.action.type in walked.game.secrets]


def test_only_wallenstein_has_secrets() -> None:
    assert SECRETIVE == ["wallenstein"]
    assert not any(title.pad.game.secrets for title in titles().values())


@pytest.mark.parametrize("slug", SECRETIVE)
def test_hidden_entry_is_indistinguishable_to_others(slug: str) -> None:
    walked, entries = hidden_entries(slug)
    game = walked.game
    assert entries
    for entry in entries:
        data = entry.prompt.sample(lambda below: below - 1)
        alternative = game.apply(entry.state, game.read_action(data, entry.prompt.faction))
        assert alternative.steps == entry.outcome.steps
        after = entry.outcome.state
        assert game.is_hidden(after, entry.action)
        assert not game.reveals(entry.state, after)
        for faction in (None, *(other for other in after.order if other != entry.action.faction)):
            assert game.view(after, faction) == game.view(alternative.state, faction)
            prompts = game.prompts(game.view(alternative.state, faction))
            assert game.prompts(game.view(after, faction)) == prompts


@pytest.mark.parametrize("slug", SECRETIVE)
def test_prompts_depend_only_on_the_visible_state(slug: str) -> None:
    """So neither forms nor the public list of prompts disclose a secret."""
    walked, _entries = hidden_entries(slug)
    for state in walked.states[::5]:
        for prompt in walked.game.prompts(state):
            for viewer in (None, prompt.faction):
                visible = walked.game.prompts(walked.game.view(state, viewer))
                assert prompt in visible

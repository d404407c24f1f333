from __future__ import annotations

import json
from fractions import Fraction

import pytest

from games.core import wording
from games.core.messages import Message, Name, faction_name, message_json, plural, read_message, say
from games.registry import GAMES
from tests.core.rendering import faults, placeholders, sentence
from tests.core.toy import TOY


def test_a_message_is_a_code_with_parameters() -> None:
    message = say("core.turn-of", faction=faction_name("red"))
    assert message == Message("core.turn-of", {"faction": Name("faction", "red")})
    assert sentence(TOY, message) == "It is Red’s turn."


def test_a_message_comes_back_from_json() -> None:
    message = say(
        "code",
        number=1,
        text="a",
        half=Fraction(1, 2),
        name=Name("tile", "lake"),
        inner=say("inner", names=(Name("a", "b"), 3)),
        several=("a", (1, Fraction(3, 4))),
    )
    assert read_message(json.loads(json.dumps(message_json(message)))) == message


def test_a_plural_depends_on_its_count() -> None:
    assert plural("{n} knight", "{n} knights", "n").count == "n"
    assert plural("one", "many").count == "count"


def test_faults_of_a_message_are_found() -> None:
    assert list(faults(TOY, say("nowhere"))) == ["nowhere has no wording"]
    assert list(faults(TOY, say("core.turn-of")))
    assert list(faults(TOY, say("core.turn-of", faction=faction_name("mauve"))))
    assert list(faults(TOY, say("core.turn-of", faction=faction_name("red"), surplus=1)))
    assert list(faults(TOY, say("core.turn-of", faction=say("nowhere"))))
    assert not list(faults(TOY, say("core.turn-of", faction=faction_name("red"))))


@pytest.mark.parametrize("code", wording.MESSAGES)
def test_the_core_words_its_messages_with_names_only(code: str) -> None:
    assert code.startswith("core.")
    assert all(name.isidentifier() for name in placeholders(wording.MESSAGES[code]))


@pytest.mark.parametrize("slug", list(GAMES))
def test_a_game_does_not_word_what_the_core_words(slug: str) -> None:
    """But for a sentence to which it adds one of its own."""
    texts = GAMES[slug].texts
    again = set(texts.messages) & set(wording.MESSAGES)
    assert all(texts.messages[code].startswith(f"{wording.MESSAGES[code]} ") for code in again)
    assert not set(texts.rules) & set(wording.RULES)
    assert all(name.isidentifier() for w in texts.messages.values() for name in placeholders(w))
    assert all(key.partition(":")[2] for key in texts.names)

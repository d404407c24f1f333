from __future__ import annotations

import json
from fractions import Fraction

import pytest

from companion.registry import titles
from games.core import wording
from games.core.messages import Message, Name, faction_name, message_json, plural, read_message, say
from tests.core.rendering import faults, placeholders, sentence
from tests.core.toy import TOY


def test_message_is_a_code_with_parameters() -> None:
    message = say("core.turn-of", faction=faction_name("red"))
    assert message == Message("core.turn-of", {"faction": Name("faction", "red")})
    assert sentence(TOY, message) == "It is Red’s turn."


def test_message_round_trips_through_json() -> None:
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


def test_plural_names_its_count_parameter() -> None:
    assert plural("{n} knight", "{n} knights", "n").count == "n"
    assert plural("one", "many").count == "count"


def test_faults_reports_broken_messages() -> None:
    assert list(faults(TOY, say("nowhere"))) == ["nowhere has no wording"]
    assert list(faults(TOY, say("core.turn-of")))
    assert list(faults(TOY, say("core.turn-of", faction=faction_name("mauve"))))
    assert list(faults(TOY, say("core.turn-of", faction=faction_name("red"), surplus=1)))
    assert list(faults(TOY, say("core.turn-of", faction=say("nowhere"))))
    assert not list(faults(TOY, say("core.turn-of", faction=faction_name("red"))))


@pytest.mark.parametrize("code", wording.MESSAGES)
def test_core_wordings_use_named_placeholders(code: str) -> None:
    assert code.startswith("core.")
    assert all(name.isidentifier() for name in placeholders(wording.MESSAGES[code]))


@pytest.mark.parametrize("slug", list(titles()))
def test_game_wordings_do_not_override_the_core(slug: str) -> None:
    """A game may only append a sentence of its own to a core wording."""
    texts = titles()[slug].game.texts
    overridden = set(texts.messages) & set(wording.MESSAGES)
    assert all(texts.messages[code].startswith(f"{wording.MESSAGES[code]} ") for code in overridden)
    assert not set(texts.rules) & set(wording.RULES)
    assert all(name.isidentifier() for w in texts.messages.values() for name in placeholders(w))
    assert all(key.partition(":")[2] for key in texts.names)

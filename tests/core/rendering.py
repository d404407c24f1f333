"""Renders messages as English sentences without the web application, and finds faulty ones."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from string import Formatter

from games.core.game import AnyGame
from games.core.messages import Message, Name, Param, Plural, Wording, without_context
from games.core.wording import MESSAGES, NAMES, RULES


def sentence(game: AnyGame, message: Message) -> str:
    """Return the English text of a message."""
    wording = wording_of(game, message)
    assert wording is not None, message
    if isinstance(wording, Plural):
        wording = wording.one if message.params[wording.count] == 1 else wording.many
    return without_context(wording).format(
        **{name: _part(game, value) for name, value in message.params.items()}
    )


def _part(game: AnyGame, value: Param) -> str:
    match value:
        case Name(kind="place"):
            return value.slug
        case Name():
            return _known_name(game, value)
        case Message():
            return sentence(game, value)
        case tuple():
            return ", ".join(_part(game, item) for item in value)
        case _:
            return str(value)


def _known_name(game: AnyGame, name: Name) -> str:
    key = f"{name.kind}:{name.slug}"
    return without_context(game.texts.names.get(key) or NAMES[key])


# Faulty messages

FOR_THE_FORM = {"field"}  # parameters for the form, which the wording need not use


def wording_of(game: AnyGame, message: Message) -> Wording | None:
    return game.texts.messages.get(message.code) or MESSAGES.get(message.code)


def placeholders(wording: Wording) -> set[str]:
    texts = [wording.one, wording.many] if isinstance(wording, Plural) else [wording]
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name is not None}


def faults(game: AnyGame, message: Message) -> Iterator[str]:
    """Yield the faults of a message: no wording, wrong parameters, unknown names."""
    wording = wording_of(game, message)
    if wording is None:
        yield f"{message.code} has no wording"
        return
    if placeholders(wording) | FOR_THE_FORM != set(message.params) | FOR_THE_FORM:
        yield f"{message.code} is worded with {placeholders(wording)} and said with {set(message.params)}"
    if isinstance(wording, Plural) and not isinstance(message.params.get(wording.count), int | Fraction):
        yield f"{message.code} counts {wording.count}, which is {message.params.get(wording.count)!r}"
    for value in message.params.values():
        yield from _faults_of(game, value)


def _faults_of(game: AnyGame, value: Param) -> Iterator[str]:
    match value:
        case Name(kind="place", slug=slug) if f"place:{slug}" not in {**game.texts.names, **NAMES}:
            yield from faults(game, game.place_message(slug))
        case Name(kind=kind, slug=slug):
            if f"{kind}:{slug}" not in {**game.texts.names, **NAMES}:
                yield f"{kind}:{slug} has no name"
        case Message():
            yield from faults(game, value)
        case tuple():
            for item in value:
                yield from _faults_of(game, item)


def is_known_rule(game: AnyGame, rule: str | None) -> bool:
    return rule is not None and (rule in game.texts.rules or rule in RULES)

"""Hungarian and Italian are complete, and say what the English says."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from django.conf import settings
from django.core.management import call_command

from tests.languages.catalogues import (
    LANGUAGES,
    PLACEHOLDERS,
    TAIL,
    catalogue,
    copy_to,
    forms,
    messages,
    placeholders,
    read,
)

LONG = 3  # words of a sentence; short names may be alike

every_language = pytest.mark.parametrize("language", LANGUAGES)


def test_the_languages_are_those_that_are_offered() -> None:
    assert [code for code, _name in settings.LANGUAGES] == ["en", *LANGUAGES]


@pytest.mark.skipif(not shutil.which("xgettext"), reason="needs gettext")
@every_language
def test_everything_in_the_code_is_in_the_catalogue_and_nothing_else(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locale = copy_to(tmp_path)
    monkeypatch.setattr(settings, "LOCALE_PATHS", [locale])
    monkeypatch.chdir(tmp_path)
    call_command("makemessages", locale=[language], verbosity=0)

    in_code = {(message.context, message.id) for message in messages(read(locale / language / TAIL))}
    kept = {(message.context, message.id) for message in messages(catalogue(language))}

    assert in_code - kept == set()
    assert kept - in_code == set()


@every_language
def test_nothing_is_missing_or_guessed(language: str) -> None:
    lacking = [m.id for m in messages(catalogue(language)) if m.fuzzy or not all(forms(m.string))]
    assert lacking == []
    assert not catalogue(language).fuzzy


@every_language
def test_values_tags_and_entities_stand_in_the_translation(language: str) -> None:
    assert [(m.id, m.string) for m in messages(catalogue(language)) if not fits(m)] == []


def fits(message: Message) -> bool:
    """Where there are two forms, each may lack the number itself (“one knight”)."""
    english, translated = forms(message.id), forms(message.string)
    if len(english) == 1:
        return placeholders(english[0]) == placeholders(translated[0])
    allowed = [placeholders(text) for text in english]
    return len(translated) == len(english) and all(
        set.intersection(*allowed) - {"{count}", "%(count)s", "%(count)d"}
        <= placeholders(text)
        <= set.union(*allowed)
        for text in translated
    )


@every_language
def test_what_stands_at_the_ends_stays(language: str) -> None:
    """A space or a full stop at the end belongs to how sentences are put together."""
    differing = [
        (m.id, m.string)
        for m in messages(catalogue(language))
        for english, told in zip(forms(m.id), forms(m.string), strict=True)
        if told and (english[0].isspace(), english[-1].isspace()) != (told[0].isspace(), told[-1].isspace())
    ]
    assert differing == []


@every_language
def test_most_of_it_is_not_english(language: str) -> None:
    """Titles and names may be the same in both; sentences are not."""
    same = [forms(m.id)[0] for m in messages(catalogue(language)) if forms(m.string)[0] == forms(m.id)[0]]
    assert [text for text in same if len(re.findall(r"[a-z]{3,}", PLACEHOLDERS.sub("", text))) > LONG] == []

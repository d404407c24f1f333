"""The Hungarian and Italian catalogues are complete and consistent with the English texts."""

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

LONG = 3  # more words than this make a sentence; names may be the same in both languages

every_language = pytest.mark.parametrize("language", LANGUAGES)


def test_catalogues_exist_for_every_offered_language() -> None:
    assert [code for code, _name in settings.LANGUAGES] == ["en", *LANGUAGES]


@pytest.mark.skipif(not shutil.which("xgettext"), reason="needs gettext")
@every_language
def test_catalogue_matches_the_strings_in_the_code(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_catalogue = {(message.context, message.id) for message in messages(catalogue(language))}
    locale = copy_to(tmp_path)
    monkeypatch.setattr(settings, "LOCALE_PATHS", [locale])
    monkeypatch.chdir(tmp_path)
    call_command("makemessages", locale=[language], verbosity=0)

    in_code = {(message.context, message.id) for message in messages(read(locale / language / TAIL))}

    assert in_code - in_catalogue == set()
    assert in_catalogue - in_code == set()


@every_language
def test_no_translation_is_missing_or_fuzzy(language: str) -> None:
    incomplete = [m.id for m in messages(catalogue(language)) if m.fuzzy or not all(forms(m.string))]
    assert incomplete == []
    assert not catalogue(language).fuzzy


@every_language
def test_translations_keep_placeholders_tags_and_entities(language: str) -> None:
    assert [(m.id, m.string) for m in messages(catalogue(language)) if not fits(m)] == []


def fits(message: Message) -> bool:
    """Return True if the placeholders match; plural forms may omit the number ("one knight")."""
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
def test_translations_keep_leading_and_trailing_spaces(language: str) -> None:
    """Leading and trailing spaces matter where sentences are joined."""
    differing = [
        (m.id, m.string)
        for m in messages(catalogue(language))
        for english, translated in zip(forms(m.id), forms(m.string), strict=True)
        if translated
        and (english[0].isspace(), english[-1].isspace())
        != (translated[0].isspace(), translated[-1].isspace())
    ]
    assert differing == []


@every_language
def test_sentences_are_translated(language: str) -> None:
    """Titles and names may be the same in both languages, sentences may not."""
    same = [forms(m.id)[0] for m in messages(catalogue(language)) if forms(m.string)[0] == forms(m.id)[0]]
    assert [text for text in same if len(re.findall(r"[a-z]{3,}", PLACEHOLDERS.sub("", text))) > LONG] == []

"""Helpers for reading gettext catalogues, and for generating one that brackets every text."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings

LANGUAGES = ("hu", "it")
TAIL = Path("LC_MESSAGES") / "django.po"

PLACEHOLDERS = re.compile(r"%\(\w+\)[sd]|\{\w*\}|</?\w+|&\w+;")


@cache
def catalogue(language: str) -> Catalog:
    return read(settings.LOCALE_PATHS[0] / language / TAIL)


def read(file: Path) -> Catalog:
    with file.open("rb") as opened:
        return read_po(opened)


SOURCES = ("companion", "games", "templates")


def copy_to(folder: Path) -> Path:
    """Copy all sources with translatable texts and the catalogues, to update them there."""
    for name in SOURCES:
        ignored = shutil.ignore_patterns("__pycache__", "*.mo")
        shutil.copytree(settings.BASE_DIR / name, folder / name, ignore=ignored)
    return folder / "companion" / "locale"


def messages(catalog: Catalog) -> Iterator[Message]:
    return (message for message in catalog if message.id)


def forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def placeholders(text: str) -> set[str]:
    """Return the parts that a translation must keep: placeholders, tags, entities."""
    return set(PLACEHOLDERS.findall(text))


# A language in which every translated text is enclosed in brackets


OPENED, CLOSED = "⟦", "⟧"


def write_bracketed(folder: Path, language: str, source: Catalog) -> None:
    """Write a catalogue whose translations are the English texts in brackets."""
    bracketed = Catalog(locale=language)
    for message in messages(source):
        english = forms(message.id)
        texts = tuple(f"{OPENED}{text}{CLOSED}" for text in english)
        bracketed.add(message.id, texts if len(texts) > 1 else texts[0], context=message.context)
    target = folder / language / "LC_MESSAGES"
    target.mkdir(parents=True)
    with (target / "django.mo").open("wb") as opened:
        write_mo(opened, bracketed)

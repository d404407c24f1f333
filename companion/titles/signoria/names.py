"""Names of Signoria's pieces, places and terms in the active language."""

from __future__ import annotations

from functools import lru_cache

from django.utils.translation import get_language

from companion import wording
from games.signoria.game import SIGNORIA


def name(kind: str, slug: str) -> str:
    return _name(kind, slug, get_language())


@lru_cache(maxsize=4096)
def _name(kind: str, slug: str, _language: str | None) -> str:
    return wording.name(SIGNORIA, kind, slug)


def title(kind: str, slug: str) -> str:
    return wording.capital(name(kind, slug))

"""Registry of the installed titles, in the order of `settings.TITLES`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.module_loading import import_string

if TYPE_CHECKING:  # titles use the layers above this module
    from companion.titles.title import Title
    from games.core.game import AnyGame

FULL, PAD = MODES = ("full", "pad")  # modes of a table: with all rules, or for the score alone


@cache
def titles() -> Mapping[str, Title]:
    """Return the titles by slug."""
    loaded = [import_string(f"{module}.TITLE") for module in settings.TITLES]
    return {title.slug: title for title in loaded}


def games() -> dict[str, AnyGame]:
    """Return the rules of all titles by slug."""
    return {slug: title.game for slug, title in titles().items()}


def rules_of(slug: str, mode: str) -> AnyGame:
    """Return the rules of a game, or of its score pad."""
    return titles()[slug].rules(mode)

"""Filters of the games that statistics count, read from the query string, so that pages can be shared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from companion.errors import Refusal
from companion.registry import MODES, titles
from games.core.game import AnyGame
from games.core.options import Option

# Options as they are stored in results and tallies
ANY = ""
DEFAULT = "="  # no option differs from its default
OTHER = "other"  # the value of a set of numbers that is not the default one

FIELDS = ("mode", "since", "until", "players", "option", "clean")
_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
_YES = ("1", "on", "true", "yes")
_NO = ("0", "off", "false", "no")


@dataclass(frozen=True, slots=True)
class Filter:
    """The conditions on games; None, or an empty value, is no condition."""

    game: str
    mode: str | None = None  # "full" or "pad"
    since: str | None = None  # the first month, as 2026-11
    until: str | None = None  # the last
    players: int | None = None
    option: str = ANY  # ``DEFAULT``, or "name=value" that differs from the default
    clean: bool = False  # only games played to their end without corrections

    @property
    def query(self) -> str:
        """Return the query string of the conditions, without the game and the question mark."""
        values = {name: getattr(self, name) for name in FIELDS}
        return urlencode(
            {
                name: "1" if value is True else value
                for name, value in values.items()
                if value not in (None, "", False)
            }
        )


def read_filter(game: str, query: Mapping[str, str]) -> Filter:
    """Parse the filter of a query string (``request.GET``); empty and unknown fields are ignored.

    Raises ``Refusal``: ``unknown`` for an unknown game, ``bad-input`` for an invalid value.
    """
    if game not in titles():
        raise Refusal("unknown", _("There is no game “%(game)s” here.") % {"game": game[:40]})
    since, until = _month(query, "since"), _month(query, "until")
    if since and until and since > until:
        raise _bad_input(_("The period ends before it begins."))
    return Filter(
        game=game,
        mode=_mode(query),
        since=since,
        until=until,
        players=_players(game, query),
        option=_option(game, query),
        clean=_clean(query),
    )


def rules_of(game: str) -> list[AnyGame]:
    """Return the rules of a game and of its score pad."""
    return [titles()[game].rules(mode) for mode in MODES]


def _bad_input(message: str) -> Refusal:
    return Refusal("bad-input", message)


def _mode(query: Mapping[str, str]) -> str | None:
    mode = query.get("mode", "")
    if mode and mode not in MODES:
        raise _bad_input(_("A table is played in mode “full”, or “pad” for the score alone."))
    return mode or None


def _month(query: Mapping[str, str], name: str) -> str | None:
    month = query.get(name, "")
    if month and not _MONTH.fullmatch(month):
        raise _bad_input(_("“%(month)s” is not a month; one is written as 2026-11.") % {"month": month[:20]})
    return month or None


def _players(game: str, query: Mapping[str, str]) -> int | None:
    players = query.get("players", "")
    if not players:
        return None
    least = min(rules.min_players for rules in rules_of(game))
    most = max(rules.max_players for rules in rules_of(game))
    if players not in map(str, range(least, most + 1)):
        raise _bad_input(
            _("This game is played by %(least)d to %(most)d people.") % {"least": least, "most": most}
        )
    return int(players)


def _option(game: str, query: Mapping[str, str]) -> str:
    option = query.get("option", "")
    if option not in (ANY, DEFAULT) and option not in options_of(game):
        raise _bad_input(_("This game has no option “%(option)s”.") % {"option": option[:60]})
    return option


def options_of(game: str) -> dict[str, tuple[str, object]]:
    """Map the keys of all non-default option values of a game to name and value.

    The value is None for a set of numbers.
    """
    options: dict[str, tuple[str, object]] = {}
    for option in (option for rules in rules_of(game) for option in rules.options):
        values = option.values if isinstance(option, Option) else (None,)
        options |= {
            option_key(option.name, value): (option.name, value)
            for value in values
            if value != option.default
        }
    return options


def option_key(name: str, value: object) -> str:
    """Return the key of a non-default option value, as ``name=value``; None is a set of numbers."""
    text = OTHER if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return f"{name}={text}"


def _clean(query: Mapping[str, str]) -> bool:
    clean = query.get("clean", "").lower()
    if clean and clean not in (*_YES, *_NO):
        raise _bad_input(_("“clean” is 1 for games without corrections alone, or left out."))
    return clean in _YES

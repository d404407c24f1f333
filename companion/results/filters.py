"""Which games are counted. A filter stands in the address, so that a page can be kept and passed on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from companion.errors import Refusal
from games.core.game import AnyGame
from games.core.options import Option
from games.registry import MODES

# Options as results and tallies name them
ANY = ""
DEFAULT = "="  # none differs from the default
OTHER = "other"  # a set of numbers that is not the default one

FIELDS = ("mode", "since", "until", "players", "option", "clean")
_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")
_YES = ("1", "on", "true", "yes")
_NO = ("0", "off", "false", "no")


@dataclass(frozen=True, slots=True)
class Filter:
    """What is asked for; None, or nothing, is no condition."""

    game: str
    mode: str | None = None  # "full" or "pad"
    since: str | None = None  # the first month, as 2026-11
    until: str | None = None  # the last
    players: int | None = None
    option: str = ANY  # ``DEFAULT``, or "name=value" that differs from the default
    clean: bool = False  # only games played to their end without corrections

    @property
    def query(self) -> str:
        """As it stands in an address, without the game and the question mark; empty when nothing is asked."""
        asked = {name: getattr(self, name) for name in FIELDS}
        return urlencode(
            {
                name: "1" if value is True else value
                for name, value in asked.items()
                if value not in (None, "", False)
            }
        )


def read_filter(game: str, asked: Mapping[str, str]) -> Filter:
    """The filter of an address (``request.GET``). Fields that are empty or unknown ask for nothing.

    Raises ``Refusal`` with a sentence: ``unknown`` for a game that is not here, else ``bad-input``.
    """
    if not any(game in games for games in MODES.values()):
        raise Refusal("unknown", _("There is no game “%(game)s” here.") % {"game": game[:40]})
    since, until = _month(asked, "since"), _month(asked, "until")
    if since and until and since > until:
        raise _bad(_("The period ends before it begins."))
    return Filter(
        game=game,
        mode=_mode(asked),
        since=since,
        until=until,
        players=_players(game, asked),
        option=_option(game, asked),
        clean=_clean(asked),
    )


def rules_of(game: str) -> list[AnyGame]:
    """A game and its score pad, as far as there are both."""
    return [games[game] for games in MODES.values() if game in games]


def _bad(sentence: str) -> Refusal:
    return Refusal("bad-input", sentence)


def _mode(asked: Mapping[str, str]) -> str | None:
    mode = asked.get("mode", "")
    if mode and mode not in MODES:
        raise _bad(_("A table is played in mode “full”, or “pad” for the score alone."))
    return mode or None


def _month(asked: Mapping[str, str], name: str) -> str | None:
    month = asked.get(name, "")
    if month and not _MONTH.fullmatch(month):
        raise _bad(_("“%(month)s” is not a month; one is written as 2026-11.") % {"month": month[:20]})
    return month or None


def _players(game: str, asked: Mapping[str, str]) -> int | None:
    players = asked.get("players", "")
    if not players:
        return None
    least = min(rules.min_players for rules in rules_of(game))
    most = max(rules.max_players for rules in rules_of(game))
    if players not in map(str, range(least, most + 1)):
        raise _bad(_("This game is played by %(least)d to %(most)d people.") % {"least": least, "most": most})
    return int(players)


def _option(game: str, asked: Mapping[str, str]) -> str:
    option = asked.get("option", "")
    if option not in (ANY, DEFAULT) and option not in options_of(game):
        raise _bad(_("This game has no option “%(option)s”.") % {"option": option[:60]})
    return option


def options_of(game: str) -> dict[str, tuple[str, object]]:
    """What can differ from the default at a game, as ``name=value``; with the name and the value, which is
    None for a set of numbers.
    """
    found: dict[str, tuple[str, object]] = {}
    for option in (option for rules in rules_of(game) for option in rules.options):
        values = option.values if isinstance(option, Option) else (None,)
        found |= {
            option_key(option.name, value): (option.name, value)
            for value in values
            if value != option.default
        }
    return found


def option_key(name: str, value: object) -> str:
    """An option that differs from its default; None is a set of numbers."""
    shown = OTHER if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return f"{name}={shown}"


def _clean(asked: Mapping[str, str]) -> bool:
    clean = asked.get("clean", "").lower()
    if clean and clean not in (*_YES, *_NO):
        raise _bad(_("“clean” is 1 for games without corrections alone, or left out."))
    return clean in _YES

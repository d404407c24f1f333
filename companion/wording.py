"""Translation of the rules' messages into sentences in the active language."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Protocol

from django.utils.formats import get_format
from django.utils.translation import gettext, ngettext

from companion.errors import Refusal
from games.core.boards import Called
from games.core.errors import BadInput, Refused
from games.core.game import Texts
from games.core.ledger import Move, kind_of
from games.core.messages import Json, Message, Name, Param, Plural, Wording, without_context
from games.core.wording import MESSAGES, NAMES, RULES


class Speaker(Protocol):
    """A game or its calculators: the texts needed to render messages."""

    @property
    def texts(self) -> Texts: ...
    @property
    def place_message(self) -> Callable[[str], Message]: ...


def render(game: Speaker, message: Message) -> str:
    """Return a message as a sentence in the active language; an unknown code is returned as it is."""
    wording = _wording(game, message.code)
    if wording is None:
        return message.code
    params = {name: _param(game, value) for name, value in message.params.items()}
    return _translated(wording, message.params).format(**params).strip()


def _wording(game: Speaker, code: str) -> Wording | None:
    return game.texts.messages.get(code) or MESSAGES.get(code)


def _translated(wording: Wording, params: Mapping[str, Param]) -> str:
    if isinstance(wording, Plural):
        return ngettext(wording.one, wording.many, _plural_number(params[wording.count]))
    return translate(wording)


def _plural_number(count: Param) -> int:
    """Return the number that selects the plural form; a fraction counts as several."""
    if isinstance(count, int | Fraction) and count.denominator == 1:
        return count.numerator
    return 2


def translate(wording: str) -> str:
    """Return the translation of a wording without plural forms, with its gettext context removed."""
    return without_context(gettext(wording))


def _param(game: Speaker, value: Param) -> str:
    match value:
        case Name():
            return name(game, value.kind, value.slug)
        case Message():
            return render(game, value)
        case tuple():
            return ", ".join(_param(game, item) for item in value)
        case Fraction():
            return number(value)
        case _:
            return str(value)


def name(game: Speaker, kind: str, slug: str) -> str:
    """Return the name of a faction, place, piece, etc.; the slug if it has none."""
    known = game.texts.names.get(f"{kind}:{slug}") or NAMES.get(f"{kind}:{slug}")
    if known:
        return translate(known)
    if kind == "place":
        return render(game, game.place_message(slug))
    return slug


def reason(code: str) -> str:
    """Return the text of a predefined reason for a correction, mend or ruling; free text stays as it is."""
    known = NAMES.get(f"reason:{code}")
    return translate(known) if known else code


def figure_name(game: Speaker, slug: str, part: str = "") -> str:
    """Return the name of a key in the board file; a key without wording becomes plain words."""
    called = _called(game).name(slug, part)
    if isinstance(called, Name):
        return capital(name(game, called.kind, called.slug))
    return capital(slug.partition(":")[2] or slug).replace("-", " ").replace("_", " ")


def _called(game: Speaker) -> Called:
    """Return the cached name lookup of a game. Texts live as long as the process: their id is a safe key."""
    names = game.texts.names
    return _CALLED.setdefault(id(names), Called(names))


_CALLED: dict[int, Called] = {}


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def figure_path(game: Speaker, path: Sequence[str], start: int = 0) -> str:
    """Return the names along a figure's path, from `start` on: "Provinces, Holland, Limit"."""
    names = [figure_name(game, slug, path[index - 1] if index else "") for index, slug in enumerate(path)]
    return ", ".join(names[start:])


def rule_title(game: Speaker, rule: str) -> str:
    return translate(game.texts.rules.get(rule) or RULES.get(rule, rule))


def option_title(game: Speaker, option: str) -> str:
    return label(game, f"option.{option}", option)


def option_value(game: Speaker, option: str, value: Json) -> str:
    """Return the value of a table option in words."""
    if isinstance(value, bool):
        return gettext("Yes") if value else gettext("No")
    return label(game, f"option.{option}.{value}", str(value))


def label(game: Speaker, code: str, otherwise: str) -> str:
    """Return a wording without parameters, such as an input's label; `otherwise` if there is none."""
    wording = _wording(game, code)
    return translate(wording) if isinstance(wording, str) else otherwise


def number(value: Fraction) -> str:
    """Return points as people write them: 6 or 6.5."""
    return str(value.numerator) if value.denominator == 1 else localized(f"{float(value):g}")


def localized(digits: str) -> str:
    """Return a decimal number with the decimal separator of the active language: 6.5 or 6,5."""
    return digits.replace(".", get_format("DECIMAL_SEPARATOR"))


def hand_line(game: Speaker, move: Move) -> str:
    """Return the instruction to make a move by hand. Games may word it by piece, or by piece and places."""
    code = next(code for code in _hand_codes(move) if _wording(game, code))
    params: dict[str, Param] = {
        "count": move.count,
        "piece": Name("piece", move.piece),
        "becomes": Name("piece", move.lands_as),
        "owner": Name("faction", move.owner),
        "colour": Name("colour", move.owner),
        "source": Name("place", move.source),
        "target": Name("place", move.target),
    }
    return render(game, Message(code, params))


def _hand_codes(move: Move) -> tuple[str, ...]:
    """Return message codes, most specific first, such as `hand:army:cup:province`, `hand:army:province`."""
    source, target = kind_of(move.source), kind_of(move.target)
    piece = f"hand:{move.piece}"
    return (f"{piece}:{source}:{target}", f"{piece}:{target}", piece, "core.hand")


def round_name(game: Speaker, number: int) -> str:
    """Return the name of a round; a game may name each one (`round:1`)."""
    known = game.texts.names.get(f"round:{number}")
    return translate(known) if known else gettext("Round %(number)d") % {"number": number}


def refusal(game: Speaker, refused: Refused) -> Refusal:
    """Return a rejection of the rules as a `Refusal`."""
    code = "bad-input" if isinstance(refused, BadInput) else "illegal"
    return Refusal(code, render(game, refused.message), refused.rule)


def duration(time: timedelta) -> str:
    """Return a duration in words."""
    minutes, seconds = divmod(round(time.total_seconds()), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return gettext("%(hours)d h %(minutes)d min") % {"hours": hours, "minutes": minutes}
    if minutes:
        return gettext("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": seconds}
    return gettext("%(seconds)d s") % {"seconds": seconds}

"""Parts of pages that are drawn once, for all phones that see the same table in the same language.

Phones differ in little: what changed since their own last entry is outlined, their own board is open. Such
things stand in templates as ``{% marked place %}…{% endmarked %}``. A part that is drawn for all holds every one
of them between signs; what a phone does not mark is taken out of its copy. Where a form needs the phone's token
against forged requests, another sign stands for that, and others for whatever each phone has its own of
(``{% own sight "clocks" %}``).

Of what a phone shows, most is as it was before. An element in ``{% known %}…{% endknown %}`` is sent with a mark that
its content gives it; a phone says which marks it has, and for an element that it has already, it is sent an empty one
that says so (``data-same``). Then it has less to fetch, to read and to draw. Such an element may hold others: nothing is
said of the provinces of a map that is as it was; of one that is not, of each of them.
"""

from __future__ import annotations

import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable, Collection
from functools import lru_cache
from hashlib import blake2b

from django.utils.safestring import SafeString, mark_safe

# Characters that no font has, and after each what nobody can know who types one of them.
OPEN, THEN, CLOSE, CSRF, OWN, KNOWN = (
    sign + secrets.token_hex(6) for sign in "\ue000\ue001\ue002\ue003\ue004\ue005"
)
BEGIN, END = f"{KNOWN}<", f"{KNOWN}>"
_MARKED = re.compile(f"{OPEN}(.*?){THEN}(.*?){CLOSE}", re.DOTALL)  # templates put none into another
_OWN = re.compile(f"{OWN}(.*?){OWN}")
_TAG = re.compile(r'\s*<(\w+)[^>]*? id="([^"]+)"')
MARKED = 10_000  # elements that hold no others, as most are the same for several phones and versions
MARK_LENGTH = 5  # characters: of a billion changes of an element, one would be taken for none


def signed(places: Collection[str], content: str) -> SafeString:
    """Something for the phones that mark one of these places; content is safe already."""
    return mark_safe(f"{OPEN}{' '.join(places)}{THEN}{content}{CLOSE}")  # noqa: S308


def owned(part: str) -> SafeString:
    """Where something stands that each phone has its own of."""
    return mark_safe(f"{OWN}{part}{OWN}")  # noqa: S308 - a name out of the code


def knowable(element: str) -> SafeString:
    """An element that a phone may have already. None is in what is marked, and none holds a form or what is owned."""
    return mark_safe(f"{BEGIN}{element}{END}")  # noqa: S308 - drawn by templates


def for_phone(
    drawn: str,
    marks: Collection[str],
    csrf: object = "",
    own: Callable[[str], str] | None = None,
    known: Collection[str] | None = None,
) -> SafeString:
    """A part as a phone gets it that marks these places; the token is only made where a form asks for it.

    ``own`` gives what this phone has its own of; it is not looked through again. ``known`` are the marks of what the
    phone has; None where nobody asks for less than all.
    """
    copy = _MARKED.sub(lambda found: _chosen(found, marks), drawn) if OPEN in drawn else drawn
    copy = copy.replace(BEGIN, "").replace(END, "") if known is None else _told_apart(copy, known)
    if CSRF in copy:
        copy = copy.replace(CSRF, str(csrf))
    if own:
        copy = _OWN.sub(lambda found: own(found[1]), copy)
    return mark_safe(copy)  # noqa: S308 - made of what templates drew


def _chosen(found: re.Match[str], marks: Collection[str]) -> str:
    return found[2] if any(place in marks for place in found[1].split()) else ""


def _told_apart(drawn: str, known: Collection[str]) -> str:
    """With a mark for each element that a phone may have, and empty ones for those that it has."""
    first, *pieces = drawn.split(KNOWN)
    around = [Element(first)]  # those that are not at their end yet, the innermost last
    for piece in pieces:
        if piece[0] == BEGIN[-1]:
            around.append(Element(piece[1:]))
        else:
            held = around.pop()
            around[-1].hold(*held.told(known), piece[1:])
    return "".join(around[0].parts)


class Element:
    """One that a phone may have, as it is read from its beginning to its end."""

    __slots__ = ("content", "parts")

    def __init__(self, first: str) -> None:
        self.parts = [first]  # it itself, and between that those that it holds as they are told
        self.content = [first]  # the same, and the marks of those

    def hold(self, mark: str, told: str, after: str) -> None:
        self.parts += (told, after)
        self.content += (mark, after)

    def told(self, known: Collection[str]) -> tuple[str, str]:
        """Its mark; and the element with that, or the empty one if it is known."""
        first, *rest = self.parts
        mark, marked, empty = _marked(first, "".join(self.content)) if rest else _kept_marked(first)
        if mark in known:
            return mark, empty
        return mark, marked + "".join(rest)


def _marked(first: str, content: str) -> tuple[str, str, str]:
    """The mark that its content gives an element, its first part with it, and the empty one that stands for it."""
    tag = _TAG.match(first)
    if tag is None:  # without an id it could not be found
        return "", first, first
    mark = urlsafe_b64encode(blake2b(content.encode(), digest_size=6).digest()).decode()[:MARK_LENGTH]
    marked = f'{first[: tag.end(1)]} data-known="{mark}"{first[tag.end(1) :]}'
    return mark, marked, f'<{tag[1]} id="{tag[2]}" data-same="{mark}"></{tag[1]}>'


@lru_cache(MARKED)
def _kept_marked(element: str) -> tuple[str, str, str]:
    return _marked(element, element)

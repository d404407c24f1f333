"""Parts of pages that are drawn once, for all phones that see the same table in the same language.

Phones differ in little: what changed since their own last entry is outlined, their own board is open. Such
things stand in templates as ``{% marked place %}…{% endmarked %}``. A part that is drawn for all holds every one
of them between signs; what a phone does not mark is taken out of its copy. Where a form needs the phone's token
against forged requests, another sign stands for that, and others for whatever each phone has its own of
(``{% own sight "clocks" %}``).

Of what a phone shows, most is as it was before. An element in ``{% known %}…{% endknown %}`` is sent with a mark that
its content gives it; a phone says which marks it has, and for an element that it has already, it is sent an empty one
that says so (``data-same``). Then it has less to fetch, to read and to draw.
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
_MARKED = re.compile(f"{OPEN}(.*?){THEN}(.*?){CLOSE}", re.DOTALL)  # templates put none into another
_OWN = re.compile(f"{OWN}(.*?){OWN}")
_TAG = re.compile(r'\s*<(\w+)[^>]*? id="([^"]+)"')
MARKED = 10_000  # elements, as most are the same for several phones and versions
MARK_LENGTH = 5  # characters: of a billion changes of an element, one would be taken for none


def signed(places: Collection[str], content: str) -> SafeString:
    """Something for the phones that mark one of these places; content is safe already."""
    return mark_safe(f"{OPEN}{' '.join(places)}{THEN}{content}{CLOSE}")  # noqa: S308


def owned(part: str) -> SafeString:
    """Where something stands that each phone has its own of."""
    return mark_safe(f"{OWN}{part}{OWN}")  # noqa: S308 - a name out of the code


def knowable(element: str) -> SafeString:
    """An element that a phone may have already. None is in another or in what is marked, and none holds a form."""
    return mark_safe(f"{KNOWN}{element}{KNOWN}")  # noqa: S308 - drawn by templates


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
    parts = drawn.split(KNOWN)  # every other one is an element that a phone may have
    copies = [_chosen(part, marks) if OPEN in part else part for part in parts]
    if known is not None:
        copies[1::2] = [told_apart(element, known) for element in copies[1::2]]
    copy = "".join(copies)
    if CSRF in copy:
        copy = copy.replace(CSRF, str(csrf))
    if own:
        copy = _OWN.sub(lambda found: own(found[1]), copy)
    return mark_safe(copy)  # noqa: S308 - made of what templates drew


def _chosen(drawn: str, marks: Collection[str]) -> str:
    def brought(found: re.Match[str]) -> str:
        return found[2] if any(place in marks for place in found[1].split()) else ""

    return _MARKED.sub(brought, drawn)


def told_apart(element: str, known: Collection[str]) -> str:
    """The element with its mark; an empty one if that is known."""
    mark, marked, empty = _marked(element)
    return empty if mark in known else marked


@lru_cache(MARKED)
def _marked(element: str) -> tuple[str, str, str]:
    """The mark that its content gives an element, the element with it, and the empty one that stands for it."""
    tag = _TAG.match(element)
    if tag is None:  # without an id it could not be found
        return "", element, element
    mark = urlsafe_b64encode(blake2b(element.encode(), digest_size=6).digest()).decode()[:MARK_LENGTH]
    marked = f'{element[: tag.end(1)]} data-known="{mark}"{element[tag.end(1) :]}'
    return mark, marked, f'<{tag[1]} id="{tag[2]}" data-same="{mark}"></{tag[1]}>'

"""Parts of pages that are drawn once, for all phones that see the same table in the same language.

Phones differ in little: what changed since their own last entry is outlined, their own board is open. Such
things stand in templates as ``{% marked place %}…{% endmarked %}``. A part that is drawn for all holds every one
of them between signs; what a phone does not mark is taken out of its copy. Where a form needs the phone's token
against forged requests, another sign stands for that.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from django.utils.safestring import SafeString, mark_safe

# Characters that no font has. In somebody's name they could hide that name, and nothing else.
OPEN, THEN, CLOSE, CSRF = "\ue000", "\ue001", "\ue002", "\ue003"
_MARKED = re.compile(f"{OPEN}([^{OPEN}-{CLOSE}]*){THEN}([^{OPEN}-{CLOSE}]*){CLOSE}")


def signed(places: Collection[str], content: str) -> SafeString:
    """Something for the phones that mark one of these places; content is safe already."""
    return mark_safe(f"{OPEN}{' '.join(places)}{THEN}{content}{CLOSE}")  # noqa: S308


def for_phone(drawn: str, marks: Collection[str], csrf: object = "") -> SafeString:
    """A part as a phone gets it that marks these places; the token is only made where a form asks for it."""

    def chosen(found: re.Match[str]) -> str:
        return found[2] if any(place in marks for place in found[1].split()) else ""

    own = _MARKED.sub(chosen, drawn)
    return mark_safe(own.replace(CSRF, str(csrf)) if CSRF in own else own)  # noqa: S308 - made of what templates drew

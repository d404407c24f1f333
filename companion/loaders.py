"""How templates are read: without the line ends and indents around blocks.

They show nowhere. But a phone would keep each of them, and compare it at every change.
"""

from __future__ import annotations

import re

from django.template import Origin
from django.template.loaders import filesystem

_BLOCK = (
    "article|aside|body|details|dialog|div|dl|dd|dt|fieldset|figcaption|figure|footer|form|h[1-6]|head|header|html|"
    "legend|li|link|main|meta|nav|ol|p|script|section|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
_AFTER = re.compile(rf"(</?(?:{_BLOCK})\b[^<>]*>)\s*\n\s*")
_BEFORE = re.compile(rf"\s*\n\s*(?=</?(?:{_BLOCK})\b)")


def without_line_ends(source: str) -> str:
    return _BEFORE.sub("", _AFTER.sub(r"\1", source))


class Loader(filesystem.Loader):
    """Django's, for the project's own templates."""

    def get_contents(self, origin: Origin) -> str:
        return without_line_ends(super().get_contents(origin))

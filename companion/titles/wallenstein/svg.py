"""SVG attributes computed in Python, for templates to insert as they are."""

from __future__ import annotations

from django.utils.html import format_html_join
from django.utils.safestring import SafeString


def attributes(**values: int | str) -> SafeString:
    """Return attributes of an element, such as ``x="3" y="12"``."""
    return format_html_join(" ", '{}="{}"', values.items())


def square(size: int, **position: int) -> SafeString:
    """Return position and size of an element that is as wide as high."""
    return attributes(**position, width=size, height=size)


def translate(x: int, y: int) -> str:
    """Return the value of a ``transform`` attribute that moves a group."""
    return f"translate({x} {y})"

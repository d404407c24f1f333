"""SVG attributes and pictures as strings, so that templates contain no coordinates."""

from __future__ import annotations

from functools import cache

from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from companion.web.tokens import shape_of

Length = int | float  # in SVG units

SYMBOLS, TOKENS = "signoria/symbols.svg", "icons/tokens.svg"


# Attributes


def _attributes(**values: Length | None) -> SafeString:
    """Return attributes of an element; those without a value are omitted."""
    return format_html_join(" ", '{}="{}"', [item for item in values.items() if item[1] is not None])


@cache
def at(x: Length | None = None, y: Length | None = None) -> SafeString:
    return _attributes(x=x, y=y)


@cache
def squeezed(x: Length, y: Length, width: Length) -> SafeString:
    """Return the attributes of a text that has to fit into a width."""
    return format_html('{} textLength="{}" lengthAdjust="spacingAndGlyphs"', at(x, y), width)


@cache
def box(width: Length, height: Length, radius: Length) -> SafeString:
    return _attributes(width=width, height=height, rx=radius)


@cache
def circle(x: Length, y: Length, radius: Length) -> SafeString:
    return _attributes(cx=x, cy=y, r=radius)


@cache
def moved(x: Length, y: Length) -> SafeString:
    return format_html('transform="translate({} {})"', x, y)


@cache
def symbol(
    slug: str,
    width: Length,
    height: Length | None = None,
    *,
    x: Length | None = None,
    y: Length | None = None,
) -> SafeString:
    """Return the attributes of a ``use`` element that shows a symbol, by default in a square."""
    size = _attributes(x=x, y=y, width=width, height=height or width)
    return format_html('href="{}#{}" {}', static(SYMBOLS), slug, size)


@cache
def token(faction: str, size: Length, *, x: Length | None = None, y: Length | None = None) -> SafeString:
    """Return the attributes of a ``use`` element that shows the token of a faction."""
    shape = shape_of(faction)
    return format_html(
        'href="{}#{}" {}', static(TOKENS), shape, _attributes(x=x, y=y, width=size, height=size)
    )


# Pictures


@cache
def die(colour: str, face: int, size: Length, *, x: Length, y: Length) -> SafeString:
    """Return a die on a board."""
    return format_html(
        '<g class="die d-{}"><use {}/><use class="pips" {}/></g>',
        colour,
        symbol("die", size, x=x, y=y),
        symbol(f"pips-{face}", size, x=x, y=y),
    )


@cache
def die_icon(colour: str, face: int) -> SafeString:
    """Return a die as a picture of its own."""
    return format_html(
        '<svg class="die d-{}" viewBox="0 0 24 24" aria-hidden="true">'
        '<use href="{}#die"/><use class="pips" href="{}#pips-{}"/></svg>',
        colour,
        static(SYMBOLS),
        static(SYMBOLS),
        face,
    )


@cache
def icon(slug: str) -> SafeString:
    """Return a symbol as a picture of its own; empty for an empty slug."""
    if not slug:
        return SafeString()
    return format_html(
        '<svg class="sym" viewBox="0 0 24 24" aria-hidden="true"><use href="{}#{}"/></svg>',
        static(SYMBOLS),
        slug,
    )

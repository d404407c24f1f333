"""What templates draw: tokens, icons, names of the game, QR codes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import segno
from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from companion import wording
from companion.tables import seats
from companion.tokens import SHAPES
from games.core.game import AnyGame
from games.core.messages import Message

register = template.Library()


@register.simple_tag
def token(faction: str, size: str = "") -> SafeString:
    """A faction's token; its name must stand beside it."""
    shape = SHAPES.get(faction, "ring")
    return format_html(
        '<svg class="tk {} {}" aria-hidden="true"><use href="{}#{}"></use></svg>',
        faction,
        size,
        static("icons/tokens.svg"),
        shape,
    )


@register.simple_tag
def token_or_nothing(key: Any) -> str:
    """The token of a faction; other keys have none."""
    return token(key) if isinstance(key, str) and key in SHAPES else ""


@register.simple_tag
def icon(name: str) -> SafeString:
    return format_html(
        '<svg class="ic" aria-hidden="true"><use href="{}#{}"></use></svg>', static("icons/icons.svg"), name
    )


@register.simple_tag
def say(game: AnyGame, message: Message) -> str:
    """A message of the rules in the reader's language."""
    return wording.render(game, message)


@register.simple_tag
def name(game: AnyGame, kind: str, slug: str) -> str:
    return wording.name(game, kind, slug)


@register.simple_tag
def rule_title(game: AnyGame, rule: str) -> str:
    return wording.rule_title(game, rule)


@register.simple_tag
def qr(address: str) -> SafeString:
    """A QR code as SVG without inline style."""
    drawn: str = segno.make(address, error="m").svg_inline(
        scale=1, border=2, dark="#15120e", svgclass="qr", lineclass=None, omitsize=True
    )
    return mark_safe(drawn)  # noqa: S308 - segno's own drawing of an address


register.filter(seats.shown_name)


@register.simple_tag
def at(values: Sequence[Any], index: int) -> Any:
    return values[index]


@register.filter
def shape(faction: str) -> str:
    """The name of a faction's shape among the tokens."""
    return SHAPES.get(faction, "ring")


@register.filter
def get(table: dict[Any, Any], key: Any) -> Any:
    return table.get(key)

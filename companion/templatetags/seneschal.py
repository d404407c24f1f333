"""What templates draw: tokens, icons, names of the game, QR codes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import segno
from django import template
from django.template.base import FilterExpression, Parser, Token, token_kwargs
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from companion import wording
from companion.tables import seats
from companion.titles.tokens import SHAPES
from companion.web import fragments, guides, hints
from games.core.game import AnyGame
from games.core.messages import Message

register = template.Library()


@register.simple_tag
@cache
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
@cache
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
def round_name(game: AnyGame, number: int) -> str:
    return wording.round_name(game, number)


@register.simple_tag
def rule_title(game: AnyGame, rule: str) -> str:
    return wording.rule_title(game, rule)


@register.simple_tag(takes_context=True)
def rule_link(context: template.Context, game: AnyGame, rule: str) -> SafeString:
    """The section of a rule; tapped, it opens what the rule says, and how the table on the page plays it."""
    address = reverse("rule-sheet", args=[game.slug, rule])
    table = context.get("table")
    asking = f"?t={table.code}" if table else ""
    title = wording.rule_title(game, rule)
    return format_html(
        '<a class="rule" href="{}{}" title="{}">{}</a>', address, asking, title, guides.section(rule) or title
    )


@register.inclusion_tag("parts/hint.html", takes_context=True)
def hint(context: template.Context, name: str, after: str = "") -> dict[str, Any]:
    """What the screen says of itself, unless it was put away; ``after`` is one that is to be read first."""
    away = context.get("hints_away") or ()
    is_shown = name not in away and (not after or after in away)
    request = context.get("request")
    here = context.get("here") or (request.get_full_path() if request else "")
    token = context.get("csrf_token")
    return {
        "name": name,
        "text": hints.text_of(name),
        "is_shown": is_shown,
        "here": here,
        "csrf_token": token,
    }


@register.simple_tag
def qr(address: str) -> SafeString:
    """A QR code as SVG without inline style."""
    drawn: str = segno.make(address, error="m").svg_inline(
        scale=1, border=2, dark="#15120e", svgclass="qr", lineclass=None, omitsize=True
    )
    return mark_safe(drawn)  # noqa: S308 - segno's own drawing of an address


register.filter(seats.shown_name)


class CachedInclude(template.Node):
    """Include of a template whose HTML is cached; see ``cached_include``."""

    def __init__(
        self, name: FilterExpression, key: list[FilterExpression], values: dict[str, FilterExpression]
    ) -> None:
        self.name = name
        self.key = key
        self.values = values

    def render(self, context: template.Context) -> SafeString:
        name = self.name.resolve(context)
        key = (name, get_language(), *(part.resolve(context, ignore_failures=True) for part in self.key))
        return fragments.get_or_render(key, lambda: self._rendered(name, context))

    def _rendered(self, name: str, context: template.Context) -> SafeString:
        values = {variable: value.resolve(context) for variable, value in self.values.items()}
        with context.push(**values, csrf_token=fragments.NO_TOKEN):
            return template.Engine.get_default().get_template(name).render(context)


@register.tag
def cached_include(parser: Parser, token: Token) -> CachedInclude:
    """Include a template, with its HTML cached per language and key.

    ``{% cached_include "game/board.html" key more_key with board=page.board %}``: the key names everything that the
    fragment depends on; values after ``with`` are only computed when it is rendered.
    """
    _tag, name, *bits = token.split_contents()
    at = bits.index("with") if "with" in bits else len(bits)
    key = [parser.compile_filter(bit) for bit in bits[:at]]
    values = token_kwargs(bits[at + 1 :], parser)
    return CachedInclude(parser.compile_filter(name), key, values)


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

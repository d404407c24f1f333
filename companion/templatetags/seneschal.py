"""What templates draw: tokens, icons, names of the game, QR codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import segno
from django import template
from django.template.base import FilterExpression, Parser, Token
from django.templatetags.static import static
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from companion import guides, hints, wording
from companion.drawing import CSRF, for_phone, knowable, owned, signed
from companion.kept import Kept
from companion.tables import seats
from companion.tokens import SHAPES
from games.core.game import AnyGame
from games.core.messages import Message

if TYPE_CHECKING:
    from companion.views.now import Sight

register = template.Library()

KEPT = 20_000
_pieces: Kept[SafeString] = Kept(KEPT)


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


@register.simple_tag(takes_context=True)
def drawn(context: template.Context, sight: Sight, part: str, tab: str = "") -> SafeString:
    """A part of a table's page, drawn once for all phones that see the same."""
    found = sight.drawn(part, tab)
    if context.get("signs"):  # what is around it is drawn for all, too
        return mark_safe(found)  # noqa: S308 - drawn by templates
    return sight.for_phone(found, context.get("csrf_token", ""))


@register.simple_tag(takes_context=True)
def own(context: template.Context, sight: Sight, part: str, number: int | str = "") -> SafeString:
    """A part of a table's page that each phone has its own of."""
    name = f"{part}:{number}"
    if context.get("signs"):
        return owned(name)
    return sight.own(name, context.get("csrf_token", ""))


@register.simple_tag(takes_context=True)
def asked(context: template.Context, sight: Sight, form: Mapping[str, Any]) -> SafeString:
    """What a phone is asked for, in its form."""
    return sight.for_phone(sight.drawn_form(form), context.get("csrf_token", ""))


@register.simple_tag(takes_context=True)
def piece(context: template.Context, name: str, **shown: Any) -> SafeString:
    """A template for something that a board or a page is made of, drawn anew only where that has changed.

    All that it shows is in ``shown``, but for the names in the reader's language and the address of the table.
    """

    def draw() -> SafeString:
        with context.push(**shown, signs=True, csrf_token=CSRF):
            whole = template.Engine.get_default().get_template(name).render(context)
        return mark_safe(whole.strip())  # noqa: S308 - or a page had as many line ends to compare as pieces

    table, sight = context.get("table"), context.get("sight")
    found = _pieces.get_or_make((name, table and table.code, get_language(), *shown.items()), draw)
    if context.get("signs"):  # what is around it is drawn for all, too
        return found
    token = context.get("csrf_token", "")
    return sight.for_phone(found, token) if sight else for_phone(found, (), token)


class Marked(template.Node):
    """What only phones show that mark one of these places; see ``companion.drawing``."""

    def __init__(self, places: FilterExpression, content: template.NodeList) -> None:
        self.places = places
        self.content = content

    def render(self, context: template.Context) -> SafeString:
        told = self.places.resolve(context)
        places = (told,) if isinstance(told, str) else told
        if context.get("signs"):  # drawn for all
            return signed(places, self.content.render(context))
        sight = context.get("sight")
        is_marked = sight and not sight.marks.isdisjoint(places)
        return self.content.render(context) if is_marked else SafeString()


@register.tag
def marked(parser: Parser, token: Token) -> Marked:
    _name, places = token.split_contents()
    content = parser.parse(("endmarked",))
    parser.delete_first_token()
    return Marked(parser.compile_filter(places), content)


class Known(template.Node):
    """An element with an id that is not sent to a phone that has it already; see ``companion.drawing``."""

    def __init__(self, element: template.NodeList) -> None:
        self.element = element

    def render(self, context: template.Context) -> SafeString:
        if context.get("signs"):  # drawn for all
            return knowable(self.element.render(context))
        sight: Sight | None = context.get("sight")
        if not sight:
            return self.element.render(context)
        with context.push(signs=True, csrf_token=CSRF):
            element = knowable(self.element.render(context))
        return sight.for_phone(element, context.get("csrf_token", ""))


@register.tag
def known(parser: Parser, _token: Token) -> Known:
    element = parser.parse(("endknown",))
    parser.delete_first_token()
    return Known(element)


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

"""Entry forms of Wallenstein, phase by phase.

A screen is a list of ``widgets``: a single choice (``SingleChoice``), a number (``Number``), cards assigned
to slots (``Picks``), event cards (``Events``), fallen cubes (``Cubes``), an order drawn by lot (``Lots``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.titles.base import Button
from companion.titles.wallenstein.board import event_title, name, progress, short_name
from companion.titles.wallenstein.events import event_note
from companion.titles.wallenstein.odds import chances, rates, sentence
from companion.titles.wallenstein.parsing import DECK, NO, YES
from companion.titles.widgets import Choice
from games.core import prompts as prompt_fields
from games.core.codec import Json
from games.core.prompts import Prompt
from games.wallenstein.battle import Sides, role_message
from games.wallenstein.battles import clash_of
from games.wallenstein.board import price_of, province_of, tables_of, thrown_at_start
from games.wallenstein.cards import OPEN_ACTIONS, RECRUIT_1
from games.wallenstein.game import WALLENSTEIN
from games.wallenstein.learning import THUMB, Prior
from games.wallenstein.movement import card_of
from games.wallenstein.options import SHUFFLED
from games.wallenstein.pieces import PEASANTS, REGIONS
from games.wallenstein.planning import BLANKS
from games.wallenstein.season import PLAIN_LOSS
from games.wallenstein.state import (
    State,
    armies_in,
    gold_of,
    grain_of,
    owner_of,
    provinces_of,
    region_of,
    supply_of,
    tiles_in,
    unrest_in,
)

MOST_CHIPS = 20  # with more cards, only the select element of each slot offers them


@dataclass(frozen=True, slots=True)
class SingleChoice:
    """Radio buttons."""

    kind: ClassVar[str] = "ones"
    field: str
    title: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """A number input with plus and minus buttons."""

    kind: ClassVar[str] = "number"
    field: str
    title: str
    low: int
    high: int
    value: int


@dataclass(frozen=True, slots=True)
class Province(Choice):
    """A province card, with the numbers that matter for choosing it."""

    figures: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Slot:
    """A space for one card."""

    field: str
    label: str
    is_hidden: bool = False  # its action card lies face down


@dataclass(frozen=True, slots=True)
class Picks:
    """Cards assigned to slots, each once: tapped in order, or chosen from the select element of a slot."""

    kind: ClassVar[str] = "picks"
    title: str
    slots: tuple[Slot, ...]
    groups: tuple[tuple[str, tuple[Choice, ...]], ...]  # heading, cards
    low: int  # minimal number of filled slots
    blank: str = ""  # label of an empty slot, if slots may stay empty
    done: str = ""  # button label for {count} empty slots
    is_ordered: bool = False  # cards show their position, so the slots can be hidden

    @property
    def has_chips(self) -> bool:
        return bool(self.slots[0].label) and sum(len(choices) for _, choices in self.groups) <= MOST_CHIPS

    @property
    def is_bare(self) -> bool:
        """Return True if tapping cards is enough, so that the slots can be hidden."""
        return self.has_chips and not self.blank

    @property
    def is_all(self) -> bool:
        """Return True if all cards are used, so that the last one can be assigned automatically."""
        return self.is_ordered and len(self.slots) == sum(len(choices) for _, choices in self.groups)

    @property
    def has_hidden(self) -> bool:
        return any(slot.is_hidden for slot in self.slots)

    @property
    def is_whole(self) -> bool:
        return self.low == len(self.slots)


@dataclass(frozen=True, slots=True)
class Events:
    """The event cards of a year, with their grain losses."""

    kind: ClassVar[str] = "events"
    rows: tuple[int, ...]
    choices: tuple[Choice, ...]
    loss: int
    high: int


@dataclass(frozen=True, slots=True)
class Cube:
    """Cubes of a colour that may have fallen out of the tower."""

    colour: str
    name: str
    most: int
    detail: str


@dataclass(frozen=True, slots=True)
class Cubes:
    """The cubes in the cup, a number input per colour."""

    kind: ClassVar[str] = "cubes"
    cubes: tuple[Cube, ...]


@dataclass(frozen=True, slots=True)
class Lots:
    """Players whose order the app draws by lot unless one is entered."""

    kind: ClassVar[str] = "lots"
    factions: tuple[str, ...]


Widget = SingleChoice | Number | Picks | Events | Cubes | Lots
Screen = dict[str, Any]


def screen_of(state: State, prompts: Sequence[Prompt], prior: Callable[[], Prior] = lambda: THUMB) -> Screen:
    """Return the data of ``prompt.html`` for a player's prompts; ``prior`` is called only for odds."""
    first = prompts[0]
    if first.action in _FORMS_WITH_ODDS:
        screen = _FORMS_WITH_ODDS[first.action](state, first, prior())
    else:
        screen = _FORMS[first.action](state, first)
    for other in prompts[1:]:
        more = _FORMS[other.action](state, other)
        screen |= {"others": more["widgets"], "buttons": [*screen["buttons"], *more["buttons"]]}
    return {
        "id": f"{first.action}-{first.faction}",
        "faction": first.faction,
        "progress": progress(state),
        "event": event_title(state.current) if state.current else "",
        "event_note": event_note(state, first),
        **screen,
    }


def _screen(widgets: Iterable[Widget], button: Button, **more: Any) -> Screen:
    return {"widgets": list(widgets), "buttons": [button], **more}


def _bounds(prompt: Prompt) -> Json:
    """Return the bounds of the first field of a prompt."""
    return prompt.fields[0].bounds()


# Provinces as choices


def _province(state: State, slug: str) -> Choice:
    """Return the choice of an own or neutral province, with its yields, free cities and unrest."""
    card, owner = province_of(state.setup, slug), owner_of(state, slug)
    armies = armies_in(state, slug, owner) if owner else 0
    free = max(0, card.cities - tiles_in(state, slug))
    details = [_armies(armies)] if owner else [name("region", card.region)]
    details.append(_("%(gold)d gold, %(grain)d grain") % {"gold": card.gold, "grain": card.grain})
    details.append(ngettext("%(count)d free city", "%(count)d free cities", free) % {"count": free})
    figures = {
        "army": armies,
        "gold": card.gold,
        "grain": card.grain,
        "site": free,
        "unrest": unrest_in(state, slug),
    }
    return Province(
        slug,
        short_name(slug),
        ", ".join([*details, *_unrest(state, slug)]),
        figures=tuple((piece, count) for piece, count in figures.items() if count),
    )


def _unrest(state: State, slug: str) -> list[str]:
    count = unrest_in(state, slug)
    return [_("unrest %(count)d") % {"count": count}] if count else []


def _armies(count: int) -> str:
    return ngettext("%(count)d army", "%(count)d armies", count) % {"count": count}


def _target(state: State, slug: str, faction: str) -> Choice:
    """Return the choice of a target province: own, empty, or an attack."""
    owner = owner_of(state, slug) or ""
    if not owner:
        detail = _("empty")
    else:
        armies = _armies(armies_in(state, slug, owner))
        template = _("yours, %(armies)s") if owner == faction else _("attack, %(armies)s")
        detail = template % {"armies": armies}
    return Choice(slug, short_name(slug), ", ".join([detail, *_unrest(state, slug)]), owner=owner)


def _by_region(state: State, provinces: Sequence[str]) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    """Return choices of provinces, grouped by region if there are more than ``MOST_CHIPS``."""
    if len(provinces) <= MOST_CHIPS:
        return (("", tuple(_province(state, slug) for slug in provinces)),)
    return tuple(
        (
            name("region", region),
            tuple(_province(state, slug) for slug in provinces if region_of(state, slug) == region),
        )
        for region in REGIONS
        if any(region_of(state, slug) == region for slug in provinces)
    )


def _numbered(count: int, prefix: str = "c.") -> tuple[Slot, ...]:
    return tuple(Slot(f"{prefix}{i}", str(i + 1)) for i in range(count))


def _actions(actions: Iterable[str]) -> tuple[tuple[str, tuple[Choice, ...]], ...]:
    return (("", tuple(Choice(action, name("action", action)) for action in actions)),)


# The tower


def _fill(state: State, prompt: Prompt) -> Screen:
    setup = state.setup
    params = {
        "cubes": thrown_at_start(setup, setup.first),
        "green": thrown_at_start(setup, PEASANTS),
    }
    note = _(
        "Throw in at once: cubes of everybody %(cubes)d, green ones %(green)d. What lies in the cup now?"
    )
    return _screen([_cubes(prompt)], Button("fill", _("That fell out")), note=note % params)


def _throw(state: State, prompt: Prompt, prior: Prior) -> Screen:
    thrown = state.frames[-1].data["thrown"]
    return _screen(
        [_cubes(prompt, thrown)],
        Button("throw", _("That fell out")),
        lead=_battle_summary(state),
        odds=sentence(state, prior),
        rates=rates(state, prior),
    )


def _battle_summary(state: State) -> str:
    """Return the attack, and the side of the peasants, as sentences."""
    clash = clash_of(state)
    sides = Sides(clash.attacker, clash.defender)
    role = wording.render(WALLENSTEIN, role_message(clash.kind, unrest_in(state, clash.province), sides))
    if clash.kind == "revolt":
        return role
    attack = ngettext(
        "%(faction)s attacks with %(count)d army.", "%(faction)s attacks with %(count)d armies.", clash.armies
    )
    return f"{attack % {'faction': name('faction', clash.attacker), 'count': clash.armies}} {role}"


def _cubes(prompt: Prompt, thrown: Mapping[str, int] | None = None) -> Cubes:
    most = _bounds(prompt)["most"]
    return Cubes(
        tuple(
            Cube(colour, name("colour", colour), count, _cube_detail(count, (thrown or {}).get(colour, 0)))
            for colour, count in most.items()
        )
    )


def _cube_detail(count: int, thrown: int) -> str:
    text = _("of %(count)d") % {"count": count}
    if thrown:
        return f"{text}, " + _("%(thrown)d thrown") % {"thrown": min(thrown, count)}
    return text


# Set-up


def _take(state: State, prompt: Prompt) -> Screen:
    tables = tables_of(state.setup)
    choices = tuple(
        Choice(letter, letter, ", ".join(f"{short_name(p)} {n}" for p, n in tables[letter].items()))
        for letter in _bounds(prompt)["options"]
    )
    return _screen(
        [SingleChoice("letter", "", choices)], Button("take", _("Take these provinces"), needs_choice=True)
    )


def _pair(state: State, prompt: Prompt, prefix: str) -> Picks:
    """Return the widget for two cards of the deck."""
    cards = sorted({card for pair in _bounds(prompt)["options"] for card in pair})
    return Picks("", _numbered(2, prefix), _by_region(state, cards), low=2)


def _open(state: State, prompt: Prompt) -> Screen:
    return _screen([_pair(state, prompt, "c.")], Button("open", _("Lay these two open"), needs_choice=True))


def _replace(state: State, prompt: Prompt) -> Screen:
    return _screen([_pair(state, prompt, "r.")], Button("replace", _("Replace both")))


def _draft(state: State, prompt: Prompt) -> Screen:
    takes, groups = (field.bounds()["options"] for field in prompt.fields)
    opened = [card for card in dict.fromkeys(card for card, _turned in takes) if _is_open(state, card)]
    deck = sorted({card for card, _turned in takes if card not in opened})
    cards = [_province(state, card) for card in opened]
    if deck:
        cards.append(Choice(DECK, _("The top card of the deck")))
    widgets: list[Widget] = [
        SingleChoice("card", _("Which card do you take?"), tuple(cards)),
        SingleChoice("armies", _("With which group?"), tuple(Choice(str(n), _armies(n)) for n in groups)),
    ]
    if deck:
        title = _("Which card was turned up from the deck?")
        widgets.insert(1, Picks(title, (Slot("deck.0", ""),), _by_region(state, deck), low=1))
    return _screen(widgets, Button("draft", _("Take the province"), needs_choice=True))


def _is_open(state: State, card: str) -> bool:
    return card in (state.frames[-1].data["open"] or ())


# A year and its seasons


def _events(_state: State, prompt: Prompt) -> Screen:
    bounds = _bounds(prompt)
    choices = tuple(
        Choice(event, event_title(event)) for event, copies in bounds["events"].items() if copies > 0
    )
    rows = tuple(range(bounds["count"]))
    return _screen(
        [Events(rows, choices, PLAIN_LOSS, bounds["high"])],
        Button("events", _("Lay the event row"), needs_choice=True),
        note=_("The number is the grain everybody loses if the card is left for winter."),
    )


def _row(_state: State, prompt: Prompt) -> Screen:
    bounds = _bounds(prompt)
    count = bounds["count"]
    picks = Picks("", _numbered(count), _actions(bounds["actions"]), low=count, is_ordered=True)
    return _screen(
        [picks],
        Button("row", _("These lie open"), needs_choice=True),
        note=_("Tap the cards in the order in which they lie."),
    )


def _announce(_state: State, prompt: Prompt) -> Screen:
    ways = _bounds(prompt)["options"]
    count = len(ways[0])
    actions = dict.fromkeys(action for way in ways for action in way)
    return _screen(
        [Picks("", _numbered(count), _actions(actions), low=count)],
        Button("announce", _("Announce"), needs_choice=True),
        note=_("You have too few cards for all spaces. What you choose stays empty, openly."),
    )


def _plan(state: State, prompt: Prompt) -> Screen:
    bounds = _bounds(prompt)
    row = state.row[:OPEN_ACTIONS]
    ordered = [a for a in row if a in bounds["actions"]] + [a for a in bounds["actions"] if a not in row]
    slots = tuple(Slot(f"c.{a}", name("action", a), is_hidden=a not in row) for a in ordered)
    picks = Picks(
        "",
        slots,
        _by_region(state, bounds["provinces"]),
        low=bounds["least"],
        blank=_("blank"),
        done=_("Plan, {count} blank"),
    )
    return _screen(
        [picks],
        Button("plan", _("Plan the season"), needs_choice=True),
        lead=_means(state, prompt.faction),
        note=_("Tap a card for the marked space, then one for the next. At most %(count)d spaces stay blank.")
        % {"count": BLANKS},
        memory=f"plan-{state.round}-{prompt.faction}",
    )


def _means(state: State, faction: str) -> str:
    """Return a sentence with gold, grain and cubes of a player."""
    params = {
        "gold": gold_of(state, faction),
        "grain": grain_of(state, faction),
        "cubes": supply_of(state, faction),
    }
    return _("You have: gold %(gold)d, grain %(grain)d, cubes in supply %(cubes)d.") % params


def _order(state: State, _prompt: Prompt) -> Screen:
    choices = tuple(Choice(f, name("faction", f), owner=f) for f in state.setup.factions)
    count = len(choices)
    picks = Picks("", _numbered(count), (("", choices),), low=count, is_ordered=True)
    if state.setup.options["player_order"] == SHUFFLED:
        return _screen(
            [replace(picks, low=0), Lots(state.setup.factions)],
            Button("order", _("Lay the play order")),
            note=_("Tap nothing and the app shuffles; or tap the players in the order that lies there."),
        )
    return _screen(
        [picks],
        Button("order", _("Play in this order"), needs_choice=True),
        note=_("Tap the players in the order of their general cards."),
    )


def _event(state: State, _prompt: Prompt) -> Screen:
    choices = tuple(
        Choice(str(i), event_title(card.event), _("grain loss %(loss)d") % {"loss": card.loss})
        for i, card in enumerate(state.events)
    )
    return _screen(
        [SingleChoice("card", "", choices)], Button("event", _("This is the event"), needs_choice=True)
    )


def _turn(_state: State, prompt: Prompt) -> Screen:
    choices = tuple(Choice(action, name("action", action)) for action in _bounds(prompt)["options"])
    return _screen([SingleChoice("card", "", choices)], Button("turn", _("Turned up"), needs_choice=True))


def _hunger(state: State, prompt: Prompt) -> Screen:
    bounds = _bounds(prompt)
    count = bounds["count"]
    provinces = _by_region(state, bounds["provinces"])
    return _screen(
        [Picks("", _numbered(count), provinces, low=count, is_ordered=count > 1)],
        Button("hunger", ngettext("This one revolts", "These revolt", count), needs_choice=True),
        lead=_hungry(state, prompt.faction),
        note=_("Shuffle your province cards without the blank ones and draw."),
    )


def _hungry(state: State, faction: str) -> str:
    """Return the reason of a hunger revolt, and its number of extra cubes."""
    _faction, _count, extra = state.frames[-1].data["hungry"][0]
    params = {"provinces": len(provinces_of(state, faction)), "grain": grain_of(state, faction)}
    shortage = _("Provinces %(provinces)d, grain %(grain)d.") % params
    more = ngettext(
        "In each, %(count)d green cube fights beside those for unrest.",
        "In each, %(count)d green cubes fight beside those for unrest.",
        extra,
    )
    return f"{shortage} {more % {'count': extra}}"


# Actions


def _reveal(state: State, prompt: Prompt) -> Screen:
    choices = tuple(
        _province(state, card) if card else Choice("", _("A blank card"))
        for card in _bounds(prompt)["options"]
    )
    return _screen(
        [SingleChoice("province", "", choices)], Button("reveal", _("Turn it over"), needs_choice=True)
    )


def _recruit(state: State, prompt: Prompt) -> Screen:
    ways = _bounds(prompt)["options"]
    placing = sorted({place for place, _target, _armies in ways}, reverse=True)
    price = price_of(state.setup, RECRUIT_1)
    words = {
        True: Choice(YES, _("Recruit one army"), _("%(gold)d gold") % {"gold": price}),
        False: Choice(NO, _("Recruit none")),
    }
    widgets: list[Widget] = [SingleChoice("place", "", tuple(words[place] for place in placing))]
    targets = list(dict.fromkeys(target for _place, target, _armies in ways))
    if targets != [None]:
        choices = tuple(
            _target(state, target, prompt.faction) if target else Choice("", _("Nobody moves"))
            for target in targets
        )
        most = max(armies for _place, _target, armies in ways)
        widgets += [
            SingleChoice("target", _("Move into a province of your own"), choices),
            Number("armies", _("Armies that move"), 1, most, 1),
        ]
    button = Button("recruit", _("Recruit and move"), needs_choice=True)
    return _screen(widgets, button, borders=card_of(state).province)


def _move(state: State, prompt: Prompt) -> Screen:
    targets, armies = prompt.fields
    choices = tuple(_target(state, target, prompt.faction) for target in targets.bounds()["options"])
    low, high = armies.bounds()["low"], armies.bounds()["high"]
    origin = short_name(card_of(state).province)
    return _screen(
        [
            SingleChoice("target", _("From %(province)s to") % {"province": origin}, choices),
            Number("armies", _("Armies that move; at least one stays"), low, high, high),
        ],
        Button("move", _("Move"), needs_choice=True),
        forecast=True,
        borders=card_of(state).province,
    )


def _defend(state: State, prompt: Prompt, prior: Prior) -> Screen:
    (armies,) = prompt.fields
    if not isinstance(armies, prompt_fields.Number):
        raise TypeError(armies)
    choices = tuple(
        Choice(
            str(n),
            _armies(n),
            chances(state, prior, n),
            chosen=n == armies.high,
            held="" if n else _("Hold: nobody defends"),
        )
        for n in range(armies.high, armies.low - 1, -1)
    )
    return _screen(
        [SingleChoice("armies", "", choices)],
        Button("defend", _("Defend"), needs_choice=True),
        lead=_battle_summary(state),
        note=_("Those that do not fight are lost with the province."),
        rates=rates(state, prior),
    )


_FORMS: Mapping[str, Callable[[State, Prompt], Screen]] = {
    "fill": _fill,
    "take": _take,
    "open": _open,
    "replace": _replace,
    "draft": _draft,
    "events": _events,
    "row": _row,
    "announce": _announce,
    "plan": _plan,
    "order": _order,
    "event": _event,
    "turn": _turn,
    "reveal": _reveal,
    "recruit": _recruit,
    "move": _move,
    "hunger": _hunger,
}

_FORMS_WITH_ODDS: Mapping[str, Callable[[State, Prompt, Prior], Screen]] = {
    "defend": _defend,
    "throw": _throw,
}

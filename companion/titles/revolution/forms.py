"""Entry forms of Revolution, phase by phase, and their conversion to actions and back.

Most forms assign numbers to places: a ``Line`` is a number input, a ``Block`` a group of lines with a common
limit, ``Sum`` the bounds of their total. Other forms are single or multiple choices, or layouts of counters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.base import Button
from companion.titles.revolution.board import Chip, chips_of, name, place_name
from companion.titles.widgets import Choice, number, only_field
from games.core.codec import Json
from games.core.prompts import Allocation, Choices, Joint, Number, Prompt
from games.revolution import armies, maintenance, marches, military, movement, overflow, status
from games.revolution.beggars import PRICE
from games.revolution.neutrals import to_choose
from games.revolution.new_units import allowance_of, new_counters
from games.revolution.persuasion import column
from games.revolution.state import (
    State,
    atlas,
    box_of,
    countable,
    counters,
    everybody,
    holder,
    open_places,
    supply,
    treasury,
)
from games.revolution.taxes import taxes_of

TREASURY = "treasury"


@dataclass(frozen=True, slots=True)
class Line:
    """A number input with plus and minus buttons, and the counters at its place."""

    field: str
    label: str
    most: int
    chips: tuple[Chip, ...] = ()
    detail: str = ""
    value: int = 0
    cost: int = 0  # coins per unit


@dataclass(frozen=True, slots=True)
class Block:
    """Lines with a common limit."""

    title: str
    lines: tuple[Line, ...]
    most: int | None = None
    detail: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sum:
    """Bounds of the total of all lines, and its cost."""

    low: int
    high: int
    coins: int | None = None
    prices: tuple[int, ...] = ()  # cost by total number


@dataclass(frozen=True, slots=True)
class Field:
    """A cell of the layout table: the counters of an owner at a place."""

    name: str
    label: str
    value: int


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the layout table."""

    label: str
    fields: tuple[Field, ...]
    is_town: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """The distribution of the counters in a province."""

    slug: str
    title: str
    owners: tuple[str, ...]
    totals: tuple[int, ...]
    places: tuple[Place, ...]
    can_dispute: bool
    is_step: bool  # disputed, and this faction is to move
    order: str  # movers in order, as text


Screen = dict[str, Any]


def screen_of(state: State, prompts: Sequence[Prompt]) -> Screen:
    """Return the data of ``prompt.html`` for one faction's prompts."""
    first = prompts[0]
    by_action = {prompt.action: prompt for prompt in prompts}
    if by_action.keys() & {"settled", "layout", "step"}:
        return {"id": "movement", **_movement(state, by_action)}
    screen = _FORMS[first.action](state, first)
    return {"id": f"{first.action}-{first.faction}", "faction": first.faction, **screen}


def _counts(blocks: Iterable[Block], sum_: Sum, button: Button, **more: Any) -> Screen:
    return {"kind": "counts", "blocks": list(blocks), "sum": sum_, "buttons": [button], **more}


def _one_of(choices: Sequence[Choice], field: str, button: Button, **more: Any) -> Screen:
    return {"kind": "one", "choices": choices, "field": field, "buttons": [button], **more}


def _allocation(prompt: Prompt) -> Allocation:
    (field,) = prompt.fields
    if not isinstance(field, Allocation):
        raise TypeError(field)
    return field


def _region(slug: str) -> str:
    return name("region", slug)


# Set-up


def _start_armies(_state: State, prompt: Prompt) -> Screen:
    allocation = _allocation(prompt)
    lines = tuple(Line(f"n.{region}", _region(region), most) for region, most in allocation.most.items())
    return _counts(
        [Block(_("Regions with an orange box"), lines)],
        Sum(allocation.low, allocation.high),
        Button(prompt.action, _("Place the armies"), needs_choice=True),
    )


# 6.1


def _tax(state: State, prompt: Prompt) -> Screen:
    (rates,) = prompt.fields
    low, high = (rates.low, rates.high) if isinstance(rates, Number) else (1, 1)
    choices = []
    for rate in range(low, high + 1):
        collected = taxes_of(state, prompt.faction, rate).collected
        left = supply(state, prompt.faction) - collected
        choices.append(
            Choice(
                str(rate),
                ngettext("Rate %(rate)d: %(count)d coin", "Rate %(rate)d: %(count)d coins", collected)
                % {"rate": rate, "count": collected},
                _("leaves %(left)d in supply, %(coins)d in the treasury")
                % {"left": left, "coins": treasury(state, prompt.faction) + collected},
            )
        )
    return _one_of(choices, "rate", Button("tax", _("Collect taxes"), needs_choice=True))


# 6.2


def _support(_state: State, prompt: Prompt) -> Screen:
    rows = []
    for cell, targets in only_field(prompt, Choices).options.items():
        box = cell.partition(":")[0]
        choices = [(str(target), _target(str(target))) for target in targets]
        rows.append({"field": f"s.{cell}", "title": name("box", box), "choices": choices})
    title = _("Move support")
    return {"kind": "support", "rows": rows, "buttons": [Button("support", title)]}


def _target(target: str) -> str:
    return _("to the treasury") if target == TREASURY else name("province", target)


def _intercept(_state: State, prompt: Prompt) -> Screen:
    (count,) = prompt.fields
    most = count.high if isinstance(count, Number) else 0
    choices = [Choice(str(n), _("Let them pass") if not n else str(n)) for n in range(most + 1)]
    return _one_of(choices, "count", Button("intercept", _("Intercept"), needs_choice=True))


# 6.3 to 6.9: armies


def _maintain(state: State, prompt: Prompt) -> Screen:
    faction, defaults = prompt.faction, prompt.example_json()
    blocks = []
    for region, count in maintenance.armies_of(state, faction).items():
        lines = (
            Line(
                f"maintain.{region}",
                _("Maintain"),
                count,
                value=defaults["maintain"].get(region, 0),
                cost=maintenance.upkeep(faction),
            ),
            Line(f"disband.{region}", _("Send home"), count, cost=maintenance.DISBANDING),
        )
        blocks.append(Block(_region(region), lines, count, _armies(count)))
    note = _("What is neither maintained nor sent home is released, and pillages.")
    total = sum(maintenance.armies_of(state, faction).values())
    return _counts(
        blocks,
        Sum(0, total, coins=treasury(state, faction)),
        Button("maintain", _("Settle the armies")),
        note=note,
    )


def _armies(count: int) -> str:
    return ngettext("%(count)d army", "%(count)d armies", count) % {"count": count}


def _pillage(_state: State, prompt: Prompt) -> Screen:
    choices = [_pillage_target(str(place), owner) for place, owner in only_field(prompt, Joint).options]
    return _one_of(choices, "target", Button("pillage", _("Pillage"), needs_choice=True))


def _pillage_target(place: str, owner: str | None) -> Choice:
    label = place_name(place)
    if owner is None:
        return Choice(f"{place}|", label, _("a neutral comes into its province"))
    detail = _("%(owner)s lose a counter") % {"owner": name("faction", owner)}
    return Choice(f"{place}|{owner}", label, detail, owner=owner)


def _recruit(state: State, prompt: Prompt) -> Screen:
    allocation = _allocation(prompt)
    lines = tuple(
        Line(f"n.{region}", _region(region), most, detail=_free(most))
        for region, most in allocation.most.items()
    )
    prices = tuple(armies.PRICES[prompt.faction][: allocation.high + 1])
    return _counts(
        [Block(_("Where you are present"), lines)],
        Sum(0, allocation.high, treasury(state, prompt.faction), prices),
        Button("recruit", _("Recruit")),
    )


def _free(count: int) -> str:
    return ngettext("%(count)d box", "%(count)d boxes", count) % {"count": count}


def _besiege(state: State, prompt: Prompt) -> Screen:
    allocation = _allocation(prompt)
    blocks = []
    for group in allocation.groups:
        region = atlas(state).region_of(f"city:{group.keys[0]}").slug
        lines = tuple(
            Line(
                f"n.{city}",
                name("city", city),
                allocation.most[city],
                tuple(chips_of(state, [f"city:{city}"])),
            )
            for city in group.keys
        )
        blocks.append(Block(_region(region), lines, group.most, _armies(group.most)))
    return _counts(blocks, Sum(0, allocation.high), Button("besiege", _("Lay sieges")))


def _hire(state: State, prompt: Prompt) -> Screen:
    allocation = _allocation(prompt)
    lines = tuple(
        Line(f"n.{region}", _region(region), most, cost=PRICE) for region, most in allocation.most.items()
    )
    return _counts(
        [Block(_("Regions the Water Beggars reach"), lines)],
        Sum(0, allocation.high, treasury(state, prompt.faction)),
        Button("hire", _("Hire Water Beggars")),
        note=_("Without any, the Water Beggars are left to others."),
    )


def _beggars(_state: State, prompt: Prompt) -> Screen:
    choices = [_use(*option) for option in only_field(prompt, Joint).options]
    return _one_of(choices, "use", Button("beggars", _("Send the Water Beggars"), needs_choice=True))


def _use(region: Json, do: Json, count: Json, target: Json) -> Choice:
    words = {
        "destroy": _("destroy an army"),
        "relieve": _("relieve a siege"),
        "pillage": _("pillage a town"),
        "besiege": _("besiege a city"),
        "stay": _("stay and block"),
    }
    label = f"{_region(str(region))}: {words.get(str(do), str(do))}"
    beggars = ngettext("%(count)d Water Beggar", "%(count)d Water Beggars", count) % {"count": count}
    place = _target_name(str(target)) if target else ""
    detail = f"{beggars} · {place}" if place else beggars
    return Choice(f"{region}|{do}|{count}|{target or ''}", label, detail)


def _target_name(target: str) -> str:
    return place_name(target) if ":" in target else name("city", target)


def _march(state: State, prompt: Prompt) -> Screen:
    ground = marches.ground_of(state, prompt.faction)
    blocks = []
    for region, count in ground.armies.items():
        lines = tuple(
            Line(f"m.{region}>{to}", f"→ {_region(to)}", count, detail=_free(ground.free[to]))
            for to in ground.arrows[region]
        )
        if lines:
            blocks.append(
                Block(_region(region), lines, count, _armies(count), _stops(ground.stops.get(region, 0)))
            )
    return _counts(blocks, Sum(0, sum(ground.armies.values())), Button("march", _("Move the armies")))


def _stops(count: int) -> tuple[str, ...]:
    """Return a warning if Water Beggars stop armies that leave (6.8)."""
    template = ngettext(
        "Water Beggars stop the first army that tries to leave.",
        "Water Beggars stop the first %(count)d armies that try to leave.",
        count,
    )
    return (template % {"count": count},) if count else ()


def _convert(state: State, prompt: Prompt) -> Screen:
    ways = military.conversions(state, prompt.faction)
    blocks = []
    for region, count in ways.armies.items():
        lines = tuple(
            Line(f"c.{region}|{place}|{owner}", place_name(place), there, (Chip(owner, there),))
            for here, place, owner, there in ways.there
            if here == region
        )
        blocks.append(Block(_region(region), lines, count, _armies(count)))
    high = min(ways.supply, sum(ways.armies.values()))
    return _counts(blocks, Sum(0, high), Button("convert", _("Replace counters")))


# 6.10


def _place(state: State, prompt: Prompt) -> Screen:
    allocation = _allocation(prompt)
    land = atlas(state)
    by_region: dict[str, list[Line]] = {}
    cells: list[str] = []
    for place, most in allocation.most.items():
        kind, __, slug = place.partition(":")
        if kind == "countryside":
            province = land.provinces[slug]
            here = tuple(chips_of(state, open_places(state, province)))
            fill = f"{sum(chip.count for chip in here)}/{province.limit}"
            line = Line(f"n.{place}", name("province", slug), most, here, fill)
            by_region.setdefault(province.region, []).append(line)
        else:
            cells.append(place)
    blocks = [Block(_region(region), tuple(lines)) for region, lines in by_region.items()]
    if cells:
        blocks.append(Block(_("Support"), tuple(_joined(state, cells))))
    parts = _parts(state, prompt.faction)
    return _counts(
        blocks,
        Sum(allocation.low, allocation.high),
        Button("place", _("Place %(count)d") % {"count": allocation.high}, needs_choice=True),
        parts=parts,
        forecast=True,
    )


def _joined(state: State, cells: Iterable[str]) -> list[Line]:
    """Return one line for all free cells of a kind in a box: it does not matter which of them are filled."""
    kinds = atlas(state).cells
    by_kind: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        by_kind.setdefault((box_of(cell), kinds[cell]), []).append(cell)
    return [
        Line(
            f"cells.{','.join(places)}", name("box", box), len(places), detail=_cell_count(kind, len(places))
        )
        for (box, kind), places in by_kind.items()
    ]


def _cell_count(kind: str, count: int) -> str:
    words = {
        "map": ngettext("%(count)d cell, to the map", "%(count)d cells, to the map", count),
        "treasury": ngettext("%(count)d cell, to the treasury", "%(count)d cells, to the treasury", count),
        "both": ngettext("%(count)d cell, to either", "%(count)d cells, to either", count),
    }
    return words[kind] % {"count": count}


def _parts(state: State, faction: str) -> str:
    """Return the number of new counters and its parts as a sum; empty in round 0."""
    if not state.round:
        return ""
    allowed = allowance_of(state, faction)
    parts = ", ".join(f"{count} {name('part', part)}" for part, count in allowed.parts.items() if count)
    return f"{new_counters(state, faction)} = {parts}" if parts else str(new_counters(state, faction))


# 6.11 to 6.14


def _losses(state: State, prompt: Prompt) -> Screen:
    allocation, defaults = _allocation(prompt), prompt.example_json()["places"]
    blocks = []
    for group in allocation.groups:
        lines = tuple(
            Line(
                f"n.{place}",
                _inside(place),
                allocation.most[place],
                (Chip(prompt.faction, counters(state, prompt.faction, place)),),
                value=defaults.get(place, 0),
            )
            for place in group.keys
        )
        province = atlas(state).province_of(group.keys[0]).slug
        lost = ngettext("%(count)d goes", "%(count)d go", group.most) % {"count": group.most}
        blocks.append(Block(name("province", province), lines, group.most, lost))
    return _counts(
        blocks,
        Sum(allocation.low, allocation.high),
        Button("losses", _("Take these")),
        note=_("A town that is left empty lets others pass on the river."),
    )


def _shortage(state: State, prompt: Prompt) -> Screen:
    count = len(prompt.example_json()["provinces"])
    choices = [Choice(slug, name("province", slug)) for slug in to_choose(state)[1]]
    return {
        "kind": "some",
        "choices": choices,
        "field": "p",
        "count": count,
        "buttons": [Button("shortage", _("Place the last neutrals"), needs_choice=True)],
    }


def _overflow(state: State, prompt: Prompt) -> Screen:
    faction = prompt.faction
    land = atlas(state)
    blocks = []
    for source, count in overflow.surpluses(state, faction).items():
        lines = tuple(
            Line(
                f"o.{source}>{target}",
                name("province", target),
                min(count, room),
                tuple(chips_of(state, open_places(state, land.provinces[target]))),
                _("room for %(count)d") % {"count": room},
            )
            for target in overflow.outlets(state, faction).get(source, [])
            if (room := overflow.room(state, land.provinces[target])) > 0
        )
        above = _("%(count)d above the limit") % {"count": count}
        blocks.append(
            Block(name("province", source), lines, count, above, _closed_ways(state, source, faction))
        )
    total = sum(overflow.surpluses(state, faction).values())
    return _counts(
        blocks,
        Sum(0, total),
        Button("overflow", _("Move the surplus")),
        note=_("What does not move returns to supply."),
    )


def _closed_ways(state: State, source: str, faction: str) -> tuple[str, ...]:
    """Return the provinces on a river that cannot be reached, and what blocks them (6.13)."""
    return tuple(
        _("%(province)s cannot be reached: %(places)s in the way")
        % {
            "province": name("province", slug),
            "places": ", ".join(
                f"{place_name(place)} ({name('faction', holder(state, place) or '')})" for place in places
            ),
        }
        for slug, places in overflow.blocked(state, source, faction).items()
        if places
    )


def _movement(state: State, prompts: Mapping[str, Prompt]) -> Screen:
    """Return disputed provinces in which this faction is to move, then those without a layout yet."""
    steps = prompts["step"].fields[0].bounds()["provinces"] if "step" in prompts else {}
    layouts = prompts["layout"].fields[0].bounds()["provinces"] if "layout" in prompts else {}
    disputed = prompts["dispute"].fields[0].bounds()["options"] if "dispute" in prompts else ()
    lays = [_layout(state, slug, is_step=True) for slug in steps]
    lays += [_layout(state, slug, can_dispute=slug in disputed) for slug in layouts]
    # A long press, because it ends the phase for everybody.
    settled = Button("settled", _("Hold: everything else stays"), hold=True)
    buttons = [settled] if "settled" in prompts else []
    return {"kind": "layouts", "lays": lays, "buttons": buttons, "first": bool(buttons)}


def _inside(place: str) -> str:
    """Return the name of a place below the heading of its province."""
    return _("Countryside") if place.startswith("countryside:") else place_name(place)


def _layout(state: State, slug: str, *, is_step: bool = False, can_dispute: bool = False) -> Layout:
    province = atlas(state).provinces[slug]
    totals = countable(state, province)
    owners = tuple(owner for owner in everybody(state) if totals[owner])
    places = tuple(
        Place(
            _inside(place),
            tuple(
                Field(
                    f"l|{slug}|{place}|{owner}",
                    f"{place_name(place)}, {name('faction', owner)}",
                    counters(state, owner, place),
                )
                for owner in owners
            ),
            is_town=place.startswith("town:"),
        )
        for place in open_places(state, province)
    )
    order = ", ".join(name("faction", mover) for mover in movement.movers(state, province))
    return Layout(
        slug,
        name("province", slug),
        owners,
        tuple(totals[owner] for owner in owners),
        places,
        can_dispute=can_dispute,
        is_step=is_step,
        order=order,
    )


# 6.15 to 6.20


def _complete(_state: State, prompt: Prompt) -> Screen:
    cities = prompt.example_json()["order"]
    rows = [
        {
            "field": f"o.{i}",
            "title": str(i + 1),
            "choices": [(city, name("city", city), at == i) for at, city in enumerate(cities)],
        }
        for i in range(len(cities))
    ]
    return {"kind": "order", "rows": rows, "buttons": [Button("complete", _("Complete the sieges"))]}


def _influence(state: State, prompt: Prompt) -> Screen:
    allocation = _allocation(prompt)
    lines = tuple(
        Line(
            f"n.{city}",
            name("city", city),
            allocation.high,
            tuple(chips_of(state, [f"city:{city}"])),
            _("column %(column)d") % {"column": column(state, city)},
            cost=1,
        )
        for city in allocation.most
    )
    return _counts(
        [Block("", lines)],
        Sum(0, allocation.high, treasury(state, prompt.faction)),
        Button("influence", _("Lay the coins")),
        forecast=True,
    )


def _draft(state: State, _prompt: Prompt) -> Screen:
    row = status.row_of(state)
    row_names = [name("faction", faction) for faction in row]
    choices = []
    for position in range(len(row) + 1):
        if not position:
            label = _("First, before %(faction)s") % {"faction": row_names[0]}
        elif position == len(row):
            label = _("Last, after %(faction)s") % {"faction": row_names[-1]}
        else:
            label = _("Between %(left)s and %(right)s") % {
                "left": row_names[position - 1],
                "right": row_names[position],
            }
        choices.append(Choice(str(position), label))
    return _one_of(
        choices, "position", Button("draft", _("Lay your card"), needs_choice=True), row=row, draft=True
    )


_FORMS: Mapping[str, Callable[[State, Prompt], Screen]] = {
    "start-armies": _start_armies,
    "tax": _tax,
    "support": _support,
    "intercept": _intercept,
    "maintain": _maintain,
    "pillage": _pillage,
    "recruit": _recruit,
    "besiege": _besiege,
    "hire": _hire,
    "beggars": _beggars,
    "march": _march,
    "convert": _convert,
    "place": _place,
    "losses": _losses,
    "shortage": _shortage,
    "overflow": _overflow,
    "complete": _complete,
    "influence": _influence,
    "draft": _draft,
}


# Form to action

Form = Mapping[str, str]


def action_of(form: Form) -> Json:
    """Parse a submitted form into an action. Invalid values are passed on, for the rules to refuse."""
    kind, _colon, province = form.get("type", "").partition(":")
    parse = _PARSERS.get(kind)
    return {"type": kind, **(parse(form, province) if parse else {})}


def _numbers(form: Form, prefix: str) -> dict[str, Json]:
    numbers = {key.removeprefix(prefix): number(text) for key, text in form.items() if key.startswith(prefix)}
    return {key: value for key, value in numbers.items() if value != 0}


def _parse_places(form: Form, _province: str) -> dict[str, Json]:
    """Parse new counters; a number for cells of one kind fills the first of them."""
    places = _numbers(form, "n.")
    for cells, count in _numbers(form, "cells.").items():
        filled = count if isinstance(count, int) else 0
        places |= dict.fromkeys(cells.split(",")[:filled], 1)
    return {"places": places}


def _parse_marches(form: Form, _province: str) -> dict[str, Json]:
    """Parse marches, ordered so that armies leave a region before others enter: they free boxes."""
    waiting = [
        key.split(">", 1)
        for key, count in _numbers(form, "m.").items()
        for _ in range(count if isinstance(count, int) else 0)
    ]
    moves: list[list[str]] = []
    while waiting:
        sources = {source for source, _target in waiting}
        free = [move for move in waiting if move[-1] not in sources] or waiting
        moves.append(free[0])
        waiting.remove(free[0])
    return {"moves": moves}


def _parse_targets(form: Form, _province: str) -> dict[str, Json]:
    targets = []
    for key, count in _numbers(form, "c.").items():
        region, place, owner = (*key.split("|"), "", "")[:3]
        times = count if isinstance(count, int) else 0
        targets += [{"region": region, "place": place, "owner": owner}] * times
    return {"targets": targets}


def _parse_overflow(form: Form, _province: str) -> dict[str, Json]:
    moves = [(key.partition(">"), count) for key, count in _numbers(form, "o.").items()]
    return {"moves": [{"source": way[0], "target": way[2], "count": count} for way, count in moves]}


def _parse_layout(form: Form, province: str) -> dict[str, Json]:
    layout: dict[str, dict[str, Json]] = {}
    for key, count in _numbers(form, f"l|{province}|").items():
        place, _bar, owner = key.partition("|")
        layout.setdefault(place, {})[owner] = count
    return {"province": province, "layout": layout}


def _parse_pillage(form: Form, _province: str) -> dict[str, Json]:
    place, _bar, owner = form.get("target", "").partition("|")
    return {"place": place, "owner": owner or None}


def _parse_beggars(form: Form, _province: str) -> dict[str, Json]:
    region, do, count, target = (*form.get("use", "").split("|"), "", "", "", "")[:4]
    return {"region": region, "do": do, "count": number(count), "target": target or None}


def _parse_support(form: Form, _province: str) -> dict[str, Json]:
    return {
        "moves": {
            key.removeprefix("s."): value for key, value in form.items() if key.startswith("s.") and value
        }
    }


def _parse_counts(field: str) -> Callable[[Form, str], dict[str, Json]]:
    return lambda form, _province: {field: _numbers(form, "n.")}


def _parse_number(field: str) -> Callable[[Form, str], dict[str, Json]]:
    return lambda form, _province: {field: number(form.get(field, ""))}


_PARSERS: Mapping[str, Callable[[Form, str], dict[str, Json]]] = {
    "start-armies": _parse_counts("regions"),
    "tax": _parse_number("rate"),
    "support": _parse_support,
    "intercept": _parse_number("count"),
    "maintain": lambda form, _: {
        "maintain": _numbers(form, "maintain."),
        "disband": _numbers(form, "disband."),
    },
    "pillage": _parse_pillage,
    "recruit": _parse_counts("regions"),
    "besiege": _parse_counts("cities"),
    "hire": _parse_counts("regions"),
    "beggars": _parse_beggars,
    "march": _parse_marches,
    "convert": _parse_targets,
    "place": _parse_places,
    "losses": _parse_counts("places"),
    "shortage": lambda form, _: {"provinces": [key[2:] for key in form if key.startswith("p.")]},
    "overflow": _parse_overflow,
    "layout": _parse_layout,
    "step": _parse_layout,
    "dispute": lambda _form, province: {"province": province},
    "complete": lambda form, _: {
        "order": [value for key, value in sorted(form.items()) if key.startswith("o.")]
    },
    "influence": _parse_counts("coins"),
    "draft": _parse_number("position"),
}


# Action to form


def form_of(action: Mapping[str, Json]) -> dict[str, str]:
    """Return the form fields that describe an action.

    Support cells match no field and start empty: field names list the cells that were free at the time.
    """
    write = _WRITERS.get(action["type"])
    return {key: str(value) for key, value in write(action).items()} if write else {}


def _write_counts(field: str) -> Callable[[Mapping[str, Json]], dict[str, Json]]:
    return lambda action: {f"n.{key}": count for key, count in action[field].items()}


def _write_marches(action: Mapping[str, Json]) -> dict[str, Json]:
    ways = [f"m.{source}>{target}" for source, target in action["moves"]]
    return {way: ways.count(way) for way in ways}


def _write_targets(action: Mapping[str, Json]) -> dict[str, Json]:
    targets = [f"c.{target['region']}|{target['place']}|{target['owner']}" for target in action["targets"]]
    return {target: targets.count(target) for target in targets}


def _write_layout(action: Mapping[str, Json]) -> dict[str, Json]:
    return {
        f"l|{action['province']}|{place}|{owner}": count
        for place, owners in action["layout"].items()
        for owner, count in owners.items()
    }


_WRITERS: Mapping[str, Callable[[Mapping[str, Json]], dict[str, Json]]] = {
    "start-armies": _write_counts("regions"),
    "tax": lambda action: {"rate": action["rate"]},
    "support": lambda action: {f"s.{cell}": target for cell, target in action["moves"].items()},
    "intercept": lambda action: {"count": action["count"]},
    "maintain": lambda action: {
        **{f"maintain.{region}": count for region, count in action["maintain"].items()},
        **{f"disband.{region}": count for region, count in action["disband"].items()},
    },
    "pillage": lambda action: {"target": f"{action['place']}|{action['owner'] or ''}"},
    "recruit": _write_counts("regions"),
    "besiege": _write_counts("cities"),
    "hire": _write_counts("regions"),
    "beggars": lambda action: {
        "use": f"{action['region']}|{action['do']}|{action['count']}|{action['target'] or ''}"
    },
    "march": _write_marches,
    "convert": _write_targets,
    "place": _write_counts("places"),
    "losses": _write_counts("places"),
    "shortage": lambda action: {f"p.{slug}": "on" for slug in action["provinces"]},
    "overflow": lambda action: {
        f"o.{move['source']}>{move['target']}": move["count"] for move in action["moves"]
    },
    "layout": _write_layout,
    "step": _write_layout,
    "complete": lambda action: {f"o.{i}": city for i, city in enumerate(action["order"])},
    "influence": _write_counts("coins"),
    "draft": lambda action: {"position": action["position"]},
}

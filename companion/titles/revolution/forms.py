"""What a faction of Revolution is asked, phase by phase, and what a sent form means.

Most of it is numbers beside places: a ``Line`` is a stepper, a ``Block`` some of them that share a limit,
``Sum`` what they add up to. The rest is one of a few, some of a few, or how counters lie.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.base import Button
from companion.titles.revolution.board import Chip, chips_of, name, place_name
from companion.titles.widgets import Choice, number
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
    """A stepper, beside what lies where it counts."""

    field: str
    label: str
    most: int
    chips: tuple[Chip, ...] = ()
    detail: str = ""
    value: int = 0
    cost: int = 0  # of each


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that share a limit."""

    title: str
    lines: tuple[Line, ...]
    most: int | None = None
    detail: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sum:
    """What all lines together must come to, and what it costs."""

    low: int
    high: int
    coins: int | None = None
    prices: tuple[int, ...] = ()  # of so many together


@dataclass(frozen=True, slots=True)
class Field:
    """The cells of a table in which counters are laid out: a place and an owner."""

    name: str
    label: str
    value: int


@dataclass(frozen=True, slots=True)
class Place:
    """A row of such a table."""

    label: str
    fields: tuple[Field, ...]
    is_town: bool


@dataclass(frozen=True, slots=True)
class Lay:
    """How the counters of a province lie."""

    slug: str
    title: str
    owners: tuple[str, ...]
    totals: tuple[int, ...]
    places: tuple[Place, ...]
    can_dispute: bool
    is_step: bool  # it is disputed, and this faction's turn there
    order: str  # who moves first, told


Screen = dict[str, Any]


def screen_of(state: State, prompts: Sequence[Prompt]) -> Screen:
    """What ``prompt.html`` draws for one faction's prompts."""
    first = prompts[0]
    asked = {prompt.action: prompt for prompt in prompts}
    if asked.keys() & {"settled", "layout", "step"}:
        return {"id": "movement", **_movement(state, asked)}
    drawn = _ASKED[first.action](state, first)
    return {"id": f"{first.action}-{first.faction}", "faction": first.faction, **drawn}


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
    asked = _allocation(prompt)
    lines = tuple(Line(f"n.{region}", _region(region), most) for region, most in asked.most.items())
    return _counts(
        [Block(_("Regions with an orange box"), lines)],
        Sum(asked.low, asked.high),
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
    (moves,) = prompt.fields
    options = moves.options if isinstance(moves, Choices) else {}
    rows = []
    for cell, targets in options.items():
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
    faction, likely = prompt.faction, prompt.example_json()
    blocks = []
    for region, count in maintenance.armies_of(state, faction).items():
        lines = (
            Line(
                f"maintain.{region}",
                _("Maintain"),
                count,
                value=likely["maintain"].get(region, 0),
                cost=maintenance.upkeep(faction),
            ),
            Line(f"disband.{region}", _("Send home"), count, cost=maintenance.DISBANDING),
        )
        blocks.append(Block(_region(region), lines, count, _armies(count)))
    said = _("What is neither maintained nor sent home is released, and pillages.")
    total = sum(maintenance.armies_of(state, faction).values())
    return _counts(
        blocks,
        Sum(0, total, coins=treasury(state, faction)),
        Button("maintain", _("Settle the armies")),
        note=said,
    )


def _armies(count: int) -> str:
    return ngettext("%(count)d army", "%(count)d armies", count) % {"count": count}


def _pillage(_state: State, prompt: Prompt) -> Screen:
    (targets,) = prompt.fields
    pairs = targets.options if isinstance(targets, Joint) else ()
    choices = [_pillaged(str(place), owner) for place, owner in pairs]
    return _one_of(choices, "target", Button("pillage", _("Pillage"), needs_choice=True))


def _pillaged(place: str, owner: str | None) -> Choice:
    where = place_name(place)
    if owner is None:
        return Choice(f"{place}|", where, _("a neutral comes into its province"))
    said = _("%(owner)s lose a counter") % {"owner": name("faction", owner)}
    return Choice(f"{place}|{owner}", where, said, owner=owner)


def _recruit(state: State, prompt: Prompt) -> Screen:
    asked = _allocation(prompt)
    lines = tuple(
        Line(f"n.{region}", _region(region), most, detail=_free(most)) for region, most in asked.most.items()
    )
    prices = tuple(armies.PRICES[prompt.faction][: asked.high + 1])
    return _counts(
        [Block(_("Where you are present"), lines)],
        Sum(0, asked.high, treasury(state, prompt.faction), prices),
        Button("recruit", _("Recruit")),
    )


def _free(count: int) -> str:
    return ngettext("%(count)d box", "%(count)d boxes", count) % {"count": count}


def _besiege(state: State, prompt: Prompt) -> Screen:
    asked = _allocation(prompt)
    blocks = []
    for group in asked.groups:
        region = atlas(state).region_of(f"city:{group.keys[0]}").slug
        lines = tuple(
            Line(f"n.{city}", name("city", city), asked.most[city], tuple(chips_of(state, [f"city:{city}"])))
            for city in group.keys
        )
        blocks.append(Block(_region(region), lines, group.most, _armies(group.most)))
    return _counts(blocks, Sum(0, asked.high), Button("besiege", _("Lay sieges")))


def _hire(state: State, prompt: Prompt) -> Screen:
    asked = _allocation(prompt)
    lines = tuple(
        Line(f"n.{region}", _region(region), most, cost=PRICE) for region, most in asked.most.items()
    )
    return _counts(
        [Block(_("Regions the Water Beggars reach"), lines)],
        Sum(0, asked.high, treasury(state, prompt.faction)),
        Button("hire", _("Hire Water Beggars")),
        note=_("Without any, the Water Beggars are left to others."),
    )


def _beggars(_state: State, prompt: Prompt) -> Screen:
    (uses,) = prompt.fields
    options = uses.options if isinstance(uses, Joint) else ()
    choices = [_use(*option) for option in options]
    return _one_of(choices, "use", Button("beggars", _("Send the Water Beggars"), needs_choice=True))


def _use(region: Json, do: Json, count: Json, target: Json) -> Choice:
    words = {
        "destroy": _("destroy an army"),
        "relieve": _("relieve a siege"),
        "pillage": _("pillage a town"),
        "besiege": _("besiege a city"),
        "stay": _("stay and block"),
    }
    where = f"{_region(str(region))}: {words.get(str(do), str(do))}"
    many = ngettext("%(count)d Water Beggar", "%(count)d Water Beggars", count) % {"count": count}
    at = _named_target(str(target)) if target else ""
    detail = f"{many} · {at}" if at else many
    return Choice(f"{region}|{do}|{count}|{target or ''}", where, detail)


def _named_target(target: str) -> str:
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
    """6.8: a warning that Water Beggars wait."""
    told = ngettext(
        "Water Beggars stop the first army that tries to leave.",
        "Water Beggars stop the first %(count)d armies that try to leave.",
        count,
    )
    return (told % {"count": count},) if count else ()


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
    asked = _allocation(prompt)
    land = atlas(state)
    by_region: dict[str, list[Line]] = {}
    cells: list[str] = []
    for place, most in asked.most.items():
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
        Sum(asked.low, asked.high),
        Button("place", _("Place %(count)d") % {"count": asked.high}, needs_choice=True),
        parts=parts,
        forecast=True,
    )


def _joined(state: State, cells: Iterable[str]) -> list[Line]:
    """Free cells of one kind in one box are one line: it does not matter which of them are filled."""
    kinds = atlas(state).cells
    alike: dict[tuple[str, str], list[str]] = {}
    for cell in cells:
        alike.setdefault((box_of(cell), kinds[cell]), []).append(cell)
    return [
        Line(f"cells.{','.join(places)}", name("box", box), len(places), detail=_kind(kind, len(places)))
        for (box, kind), places in alike.items()
    ]


def _kind(kind: str, count: int) -> str:
    words = {
        "map": ngettext("%(count)d cell, to the map", "%(count)d cells, to the map", count),
        "treasury": ngettext("%(count)d cell, to the treasury", "%(count)d cells, to the treasury", count),
        "both": ngettext("%(count)d cell, to either", "%(count)d cells, to either", count),
    }
    return words[kind] % {"count": count}


def _parts(state: State, faction: str) -> str:
    """The number and where it comes from."""
    if not state.round:
        return ""
    allowed = allowance_of(state, faction)
    parts = ", ".join(f"{count} {name('part', part)}" for part, count in allowed.parts.items() if count)
    return f"{new_counters(state, faction)} = {parts}" if parts else str(new_counters(state, faction))


# 6.11 to 6.14


def _losses(state: State, prompt: Prompt) -> Screen:
    asked, likely = _allocation(prompt), prompt.example_json()["places"]
    blocks = []
    for group in asked.groups:
        lines = tuple(
            Line(
                f"n.{place}",
                _inside(place),
                asked.most[place],
                (Chip(prompt.faction, counters(state, prompt.faction, place)),),
                value=likely.get(place, 0),
            )
            for place in group.keys
        )
        province = atlas(state).province_of(group.keys[0]).slug
        lost = ngettext("%(count)d goes", "%(count)d go", group.most) % {"count": group.most}
        blocks.append(Block(name("province", province), lines, group.most, lost))
    return _counts(
        blocks,
        Sum(asked.low, asked.high),
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
    """6.13: provinces on a river that cannot be reached, and what is in the way."""
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


def _movement(state: State, asked: Mapping[str, Prompt]) -> Screen:
    """Disputed provinces in which it is this faction's turn, then those that nobody has entered yet."""
    steps = asked["step"].fields[0].bounds()["provinces"] if "step" in asked else {}
    layouts = asked["layout"].fields[0].bounds()["provinces"] if "layout" in asked else {}
    disputed = asked["dispute"].fields[0].bounds()["options"] if "dispute" in asked else ()
    lays = [_lay(state, slug, is_step=True) for slug in steps]
    lays += [_lay(state, slug, can_dispute=slug in disputed) for slug in layouts]
    # It ends the phase for everybody.
    ended = Button("settled", _("Hold: everything else stays"), hold=True)
    buttons = [ended] if "settled" in asked else []
    return {"kind": "layouts", "lays": lays, "buttons": buttons, "first": bool(buttons)}


def _inside(place: str) -> str:
    """What a place is called where its province is named above it."""
    return _("Countryside") if place.startswith("countryside:") else place_name(place)


def _lay(state: State, slug: str, *, is_step: bool = False, can_dispute: bool = False) -> Lay:
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
    return Lay(
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
    asked = _allocation(prompt)
    lines = tuple(
        Line(
            f"n.{city}",
            name("city", city),
            asked.high,
            tuple(chips_of(state, [f"city:{city}"])),
            _("column %(column)d") % {"column": column(state, city)},
            cost=1,
        )
        for city in asked.most
    )
    return _counts(
        [Block("", lines)],
        Sum(0, asked.high, treasury(state, prompt.faction)),
        Button("influence", _("Lay the coins")),
        forecast=True,
    )


def _draft(state: State, _prompt: Prompt) -> Screen:
    row = status.row_of(state)
    names_ = [name("faction", faction) for faction in row]
    choices = []
    for position in range(len(row) + 1):
        if not position:
            label = _("First, before %(faction)s") % {"faction": names_[0]}
        elif position == len(row):
            label = _("Last, after %(faction)s") % {"faction": names_[-1]}
        else:
            label = _("Between %(left)s and %(right)s") % {
                "left": names_[position - 1],
                "right": names_[position],
            }
        choices.append(Choice(str(position), label))
    return _one_of(
        choices, "position", Button("draft", _("Lay your card"), needs_choice=True), row=row, draft=True
    )


_ASKED: Mapping[str, Callable[[State, Prompt], Screen]] = {
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


# From a form to an action

Form = Mapping[str, str]


def action_of(form: Form) -> Json:
    """The action a sent form describes. What is badly filled in is passed on for the rules to refuse."""
    kind, _colon, province = form.get("type", "").partition(":")
    read = _READ.get(kind)
    return {"type": kind, **(read(form, province) if read else {})}


def _numbers(form: Form, prefix: str) -> dict[str, Json]:
    found = {key.removeprefix(prefix): number(value) for key, value in form.items() if key.startswith(prefix)}
    return {key: value for key, value in found.items() if value != 0}


def _places(form: Form, _province: str) -> dict[str, Json]:
    """New counters; so many in cells of one kind fill the first of them."""
    places = _numbers(form, "n.")
    for cells, count in _numbers(form, "cells.").items():
        wanted = count if isinstance(count, int) else 0
        places |= dict.fromkeys(cells.split(",")[:wanted], 1)
    return {"places": places}


def _ways(form: Form, _province: str) -> dict[str, Json]:
    """Armies leave a region before others come into it, since they make room."""
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


def _targets(form: Form, _province: str) -> dict[str, Json]:
    found = []
    for key, count in _numbers(form, "c.").items():
        region, place, owner = (*key.split("|"), "", "")[:3]
        times = count if isinstance(count, int) else 0
        found += [{"region": region, "place": place, "owner": owner}] * times
    return {"targets": found}


def _streams(form: Form, _province: str) -> dict[str, Json]:
    streams = [(key.partition(">"), count) for key, count in _numbers(form, "o.").items()]
    return {"moves": [{"source": way[0], "target": way[2], "count": count} for way, count in streams]}


def _layout(form: Form, province: str) -> dict[str, Json]:
    layout: dict[str, dict[str, Json]] = {}
    for key, count in _numbers(form, f"l|{province}|").items():
        place, _bar, owner = key.partition("|")
        layout.setdefault(place, {})[owner] = count
    return {"province": province, "layout": layout}


def _pillaged_by(form: Form, _province: str) -> dict[str, Json]:
    place, _bar, owner = form.get("target", "").partition("|")
    return {"place": place, "owner": owner or None}


def _used(form: Form, _province: str) -> dict[str, Json]:
    region, do, count, target = (*form.get("use", "").split("|"), "", "", "", "")[:4]
    return {"region": region, "do": do, "count": number(count), "target": target or None}


def _support_moves(form: Form, _province: str) -> dict[str, Json]:
    return {
        "moves": {
            key.removeprefix("s."): value for key, value in form.items() if key.startswith("s.") and value
        }
    }


def _by_key(field: str) -> Callable[[Form, str], dict[str, Json]]:
    return lambda form, _province: {field: _numbers(form, "n.")}


def _by_name(field: str) -> Callable[[Form, str], dict[str, Json]]:
    return lambda form, _province: {field: number(form.get(field, ""))}


_READ: Mapping[str, Callable[[Form, str], dict[str, Json]]] = {
    "start-armies": _by_key("regions"),
    "tax": _by_name("rate"),
    "support": _support_moves,
    "intercept": _by_name("count"),
    "maintain": lambda form, _: {
        "maintain": _numbers(form, "maintain."),
        "disband": _numbers(form, "disband."),
    },
    "pillage": _pillaged_by,
    "recruit": _by_key("regions"),
    "besiege": _by_key("cities"),
    "hire": _by_key("regions"),
    "beggars": _used,
    "march": _ways,
    "convert": _targets,
    "place": _places,
    "losses": _by_key("places"),
    "shortage": lambda form, _: {"provinces": [key[2:] for key in form if key.startswith("p.")]},
    "overflow": _streams,
    "layout": _layout,
    "step": _layout,
    "dispute": lambda _form, province: {"province": province},
    "complete": lambda form, _: {
        "order": [value for key, value in sorted(form.items()) if key.startswith("o.")]
    },
    "influence": _by_key("coins"),
    "draft": _by_name("position"),
}


# From an action back to the form that describes it


def form_of(action: Mapping[str, Json]) -> dict[str, str]:
    """The fields of the form. Cells of support boxes are named by what was free, and start empty."""
    write = _WRITTEN.get(action["type"])
    return {key: str(value) for key, value in write(action).items()} if write else {}


def _write_counts(field: str) -> Callable[[Mapping[str, Json]], dict[str, Json]]:
    return lambda action: {f"n.{key}": count for key, count in action[field].items()}


def _write_ways(action: Mapping[str, Json]) -> dict[str, Json]:
    ways = [f"m.{source}>{target}" for source, target in action["moves"]]
    return {way: ways.count(way) for way in ways}


def _write_targets(action: Mapping[str, Json]) -> dict[str, Json]:
    targets = [f"c.{one['region']}|{one['place']}|{one['owner']}" for one in action["targets"]]
    return {target: targets.count(target) for target in targets}


def _write_layout(action: Mapping[str, Json]) -> dict[str, Json]:
    return {
        f"l|{action['province']}|{place}|{owner}": count
        for place, owners in action["layout"].items()
        for owner, count in owners.items()
    }


_WRITTEN: Mapping[str, Callable[[Mapping[str, Json]], dict[str, Json]]] = {
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
    "march": _write_ways,
    "convert": _write_targets,
    "place": _write_counts("places"),
    "losses": _write_counts("places"),
    "shortage": lambda action: {f"p.{slug}": "on" for slug in action["provinces"]},
    "overflow": lambda action: {
        f"o.{one['source']}>{one['target']}": one["count"] for one in action["moves"]
    },
    "layout": _write_layout,
    "step": _write_layout,
    "complete": lambda action: {f"o.{i}": city for i, city in enumerate(action["order"])},
    "influence": _write_counts("coins"),
    "draft": lambda action: {"position": action["position"]},
}

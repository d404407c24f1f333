"""Entry forms of Signoria: one part per prompt, with costs and gains of each choice.

A part is a choice of ways (a die, then its action), faces of dice, cards assigned to places, a multiple
choice, progress of men on tracks, or a yes or no.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.titles.base import Button
from companion.titles.signoria.board.columns import Helper
from companion.titles.signoria.board.market import Die
from companion.titles.signoria.board.players import Player, player_of
from companion.titles.signoria.names import name, title
from companion.titles.signoria.parsing import NO, WHITE, YES, action_of, way_of
from games.core.codec import Json
from games.core.errors import Refused
from games.core.prompts import Choice as ChoiceField
from games.core.prompts import Joint, Prompt
from games.core.steps import Step
from games.signoria.dice import FACES, MOST_DICE, price
from games.signoria.dice import PER_MEMBER as PER_THRESHOLD
from games.signoria.florins import FLORINS
from games.signoria.game import SIGNORIA
from games.signoria.helpers import next_helper
from games.signoria.hiring import price_of
from games.signoria.marriages import POINTS_PER_FLORIN
from games.signoria.members import HEAD, LAST_WOMAN
from games.signoria.pieces import ALLIANCES, CAREERS, HOUSES, MAN, ROWS, TILE_VALUES, WOMAN, tile_piece
from games.signoria.preparation import PARTS as PREPARED
from games.signoria.progress import FLORIN_SPACE, INITIATIVE_SPACE, TRACKS_POINTS
from games.signoria.progress import FLORINS as TRACK_FLORINS
from games.signoria.rewards import BOUGHT, LATER_FLORINS, PRICE, tile_of
from games.signoria.setup import PROMPTS as SET_UP
from games.signoria.state import (
    State,
    brides,
    fits,
    florins,
    frame_data,
    has_helper,
    in_cities,
    in_supply,
    lowest_free,
    printed,
    tile_above,
    tiles_in_supply,
    tiles_seen,
)
from games.signoria.tasks import PER_MEMBER, ROW_OF

Screen = dict[str, Any]
Part = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Choice:
    """An option, with its cost or gain as detail."""

    value: str
    label: str
    detail: str = ""
    symbol: str = ""
    die: Die | None = None
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """A group of choices; with ``shown_for``, visible only for these values of ``pick``."""

    title: str
    choices: tuple[Choice, ...]
    shown_for: str = ""
    note: str = ""
    narrow: bool = False  # two columns


@dataclass(frozen=True, slots=True)
class Row:
    """A place for a card: a tile, a player or a board."""

    field: str
    label: str
    symbol: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Picks:
    """Groups of places for one card each, and the cards to assign."""

    groups: tuple[tuple[str, tuple[Row, ...]], ...]
    cards: tuple[Choice, ...]
    title: str = ""
    count: int | None = None  # number of places to fill, if not all
    again: bool = False  # a card may be used several times
    narrow: bool = False  # one column per house

    @property
    def low(self) -> int:
        return sum(len(rows) for _title, rows in self.groups) if self.count is None else self.count

    @property
    def all(self) -> bool:
        return self.count is None

    @property
    def whole(self) -> bool:
        """Return True if all cards are used."""
        return not self.again and len(self.cards) == self.low


@dataclass(frozen=True, slots=True)
class Climber:
    """A man or the disc, with the maximal number of steps."""

    field: str
    label: str
    most: int
    detail: str = ""
    symbol: str = ""


def screen_of(state: State, prompts: Sequence[Prompt]) -> Screen:
    """Return the data of ``prompt.html`` for one player's prompts: the first expanded, others collapsed."""
    first = prompts[0]
    others = [prompt for prompt in prompts if prompt.action != "pass"]
    parts = [_part(state, prompt) for prompt in others]
    buttons = parts[0]["buttons"] if parts else []
    if len(others) < len(prompts):
        buttons = [*buttons, Button("pass", _("Pass"))]
    return {
        "id": f"{first.action}-{first.faction}",
        "faction": first.faction,
        "parts": parts,
        "buttons": buttons,
        "whole_table": first.action in _WHOLE_TABLE,
        "forecast": first.action in _FORECAST,
        "shows_own": state.round > 0,
        "panels": _PANELS.get(first.action, ()),
    }


_WHOLE_TABLE = (*SET_UP, *PREPARED)  # actions that any player enters for all
_FORECAST = ("progress", "mission", "marriage", "errand")
_PANELS: Mapping[str, tuple[str, ...]] = {
    "take": ("market", "tracks", "cities"),
    "pass": ("market", "tracks", "cities"),
    "progress": ("tracks",),
    "mission": ("cities", "tracks"),
    "marriage": ("cities",),
    "city-action": ("cities",),
    "reward": ("tracks", "cities"),
}


def _part(state: State, prompt: Prompt) -> Part:
    part = _FORMS[prompt.action](state, prompt)
    return {"type": prompt.action, "title": wording.render(SIGNORIA, prompt.title), **part}


def _ways(prompt: Prompt) -> list[dict[str, Json]]:
    """Return all possible answers to a prompt, each as fields of the action."""
    (field,) = prompt.fields
    if isinstance(field, Joint):
        return [dict(zip(field.names, option, strict=True)) for option in field.options]
    if isinstance(field, ChoiceField):
        return [{field.name: option} for option in field.options]
    raise TypeError(field)


def _choose(prompt: Prompt, label: str, groups: Iterable[Group], **more: Any) -> Part:
    button = Button(prompt.action, label, needs_choice=True)
    return {"kind": "ways", "groups": list(groups), "picks": [], "buttons": [button], **more}


def _bounds(prompt: Prompt) -> Any:
    return prompt.fields[0].bounds()


def _florins(count: int) -> str:
    return ngettext("%(count)d florin", "%(count)d florins", count) % {"count": count}


def _points(count: int) -> str:
    return ngettext("%(count)d point", "%(count)d points", count) % {"count": count}


def _progress(count: int) -> str:
    return ngettext("%(count)d progress point", "%(count)d progress points", count) % {"count": count}


def _members(men: int, women: int) -> str:
    texts = []
    if men or not women:
        texts.append(ngettext("%(count)d man", "%(count)d men", men) % {"count": men})
    if women:
        texts.append(ngettext("%(count)d woman", "%(count)d women", women) % {"count": women})
    return ", ".join(texts)


# Set-up


def _picks(prompt: Prompt, label: str, lot: str, widgets: Sequence[Picks], **more: Any) -> Part:
    """Return a part that assigns cards to places; the button ``lot`` does it at random."""
    button = Button(prompt.action, label, needs_choice=True)
    return {"kind": "picks", "widgets": widgets, "lots": "distinct", "lot": lot, "buttons": [button], **more}


def _order(state: State, prompt: Prompt) -> Part:
    places = range(1, len(state.order) + 1)
    rows = tuple(Row(f"o.{i}", title("ordinal", str(place))) for i, place in enumerate(places))
    cards = tuple(Choice(f, name("faction", f), owner=f) for f in state.setup.factions)
    return _picks(prompt, _("Enter the order"), _("Draw lots"), [Picks((("", rows),), cards)])


def _unused(_state: State, prompt: Prompt) -> Part:
    ways = [way["cities"] for way in _ways(prompt)]
    cities = list(dict.fromkeys(city for way in ways for city in way))
    return {
        "kind": "some",
        "count": len(ways[0]),
        "choices": [Choice(f"u.{city}", name("city", city)) for city in cities],
        "lot": _("Draw lots"),
        "buttons": [
            Button(prompt.action, ngettext("Leave it out", "Leave them out", len(ways[0])), needs_choice=True)
        ],
    }


def _reward_tiles(_state: State, prompt: Prompt) -> Part:
    bounds, first = _bounds(prompt), 1
    widgets = []
    for kind, heading in (("bonus", _("Rounds 1 to 5")), ("points", _("Rounds 6 and 7"))):
        count = bounds[kind]["count"]
        rows = tuple(Row(f"{kind}.{i}", _("Round %(round)d") % {"round": first + i}) for i in range(count))
        cards = tuple(Choice(tile, title("reward", tile)) for tile in bounds[kind]["options"])
        widgets.append(Picks((("", rows),), cards, title=heading))
        first += count
    return _picks(prompt, _("Enter the reward tiles"), _("Draw them for us"), widgets)


def _boards(state: State, prompt: Prompt) -> Part:
    """Return the part that assigns player boards, which are recognised by their plans."""
    rows = tuple(Row(f"b.{f}", name("faction", f), owner=f) for f in state.setup.factions)
    cards = []
    for board in printed(state).boards:
        shields = [printed(state).shields(board, career).elements() for career in CAREERS]
        plan = " · ".join("".join(sorted(houses)).upper() for houses in shields)
        cards.append(Choice(board, _("Board %(board)s") % {"board": board}, plan))
    note = _("A board is known by its plan: the shields of the political, church and military career.")
    return _picks(
        prompt, _("Enter the boards"), _("Draw lots"), [Picks((("", rows),), tuple(cards))], note=note
    )


# Preparation


def _refill(state: State, prompt: Prompt) -> Part:
    bounds = _bounds(prompt)
    left = bounds["houses"]
    rows = []
    for space in bounds["spaces"]:
        kind, __, city = space.partition(":")
        rows.append(Row(f"t.{space}", f"{name('city', city)}, {name('phase', kind).lower()}", kind))
    # One row per value, one column per house.
    cards = tuple(
        Choice(tile_piece(house, value), name("piece", tile_piece(house, value)))
        for value in TILE_VALUES
        for house in HOUSES
        if left[house]
    )
    count = None if bounds["count"] == len(rows) else bounds["count"]
    widgets = [Picks((("", tuple(rows)),), cards, count=count, again=True, narrow=True)]
    printed_on, seen = printed(state).figures["houses"], tiles_seen(state)
    weights = [
        f"{tile}:{max(0, printed_on[t.house][str(t.value)] - seen[tile])}" for tile, t in ALLIANCES.items()
    ]
    return _picks(
        prompt,
        _("Enter the tiles"),
        _("Draw them for us"),
        widgets,
        lots="tiles",
        weights=",".join(weights),
        left=",".join(f"{house}:{left[house]}" for house in HOUSES),
    )


def _faces(prompt: Prompt, counts: Mapping[str, int], label: str, note: str) -> Part:
    rows = [
        {
            "colour": colour,
            "name": _("White") if colour == WHITE else title("die", colour),
            "count": count,
            "cells": [(f"f.{colour}.{face}", Die(colour, face)) for face in FACES],
        }
        for colour, count in counts.items()
    ]
    button = Button(prompt.action, label, needs_choice=True)
    return {"kind": "faces", "rows": rows, "note": note, "lot": _("Roll for us"), "buttons": [button]}


def _roll(_state: State, prompt: Prompt) -> Part:
    note = _("Tap a face once for each die that shows it.")
    return _faces(prompt, _bounds(prompt)["counts"], _("Enter the dice"), note)


def _deal(_state: State, prompt: Prompt) -> Part:
    bounds = _bounds(prompt)
    member_of = {row: member for member, row in ROW_OF.items()}
    headings = {WOMAN: _("Upper row, for women"), MAN: _("Lower row, for men")}
    groups = []
    for row in ROWS:
        spaces = [space for space in bounds["spaces"] if space.endswith(f":{row}")]
        rows = (Row(f"k.{space}", title("die", space.partition(":")[0]), member_of[row]) for space in spaces)
        groups.append((headings[member_of[row]], tuple(rows)))
    cards = tuple(Choice(task, title("task", task)) for task in bounds["tasks"])
    return _picks(prompt, _("Enter the tasks"), _("Deal for us"), [Picks(tuple(groups), cards)])


# Dice and their actions


def _take(state: State, prompt: Prompt) -> Part:
    """Return the choice of a die and its action; a task is listed once for all dice that allow it."""
    free = state.frames[-1].phase == "bonus-die"
    player = player_of(state, prompt.faction)
    by_die: dict[Die, list[dict[str, Json]]] = {}
    for way in _ways(prompt):
        by_die.setdefault(Die(way.pop("colour"), way.pop("die")), []).append(way)
    picks, groups = [], []
    tasks: dict[tuple[str, tuple[Choice, ...]], list[str]] = {}
    for die, ways in by_die.items():
        cost = 0 if free else price(printed(state).action(die.colour).number, die.face)
        picks.append(Choice(die.piece, die.name, _florins(cost) if cost else _("no cost"), die=die))
        own = [way for way in ways if way["action"] != "task"]
        groups.append(_own_group(state, player, die, own, "" if free else _sum_text(player, die)))
        for task in dict.fromkeys(str(way["task"]) for way in ways if way["action"] == "task"):
            spent = tuple(_spending(way) for way in ways if way["task"] == task)
            tasks.setdefault((task, spent), []).append(die.piece)
    groups += [
        Group(_("Task: %(task)s") % {"task": name("task", task)}, spent, " ".join(dice), narrow=True)
        for (task, spent), dice in tasks.items()
    ]
    return _choose(prompt, _("Take the die"), groups, picks=picks, pick_title=_("Which die?"))


def _own_group(
    state: State, player: Player, die: Die, ways: Iterable[Mapping[str, Json]], sum_text: str
) -> Group:
    """Return the Signoria action of a die, and hiring."""
    heading = _("%(die)s: what does it do?") % {"die": wording.capital(die.name)}
    own = tuple(_own_action(state, player.faction, die.colour, way) for way in ways)
    note = " ".join(filter(None, (sum_text, _helpers_text(player, die))))
    return Group(heading, own, die.piece, note)


def _own_action(state: State, faction: str, colour: str, way: Mapping[str, Json]) -> Choice:
    space = printed(state).action(colour)
    if way["action"] == "hire":
        detail = _("%(ring)s ring, from %(florins)s") % {
            "ring": name("ring", space.ring),
            "florins": _florins(_cheapest(state, faction, colour)),
        }
        return Choice(way_of(way), _("Hire a helper"), detail, "helper")
    gains = {
        "tracks": _progress(TRACKS_POINTS),
        "florins": _florins(FLORINS),
        "descendants": _("roll %(count)d") % {"count": HEAD + brides(state, faction)},
        "mission": _("a man to a city"),
        "marriage": _("a woman to a city"),
    }
    return Choice(way_of(way), title("signoria", space.signoria), gains[space.signoria], space.signoria)


def _cheapest(state: State, faction: str, colour: str) -> int:
    """Return the lowest price of a helper that a die can hire."""
    ring = printed(state).action(colour).ring
    spaces = [
        s for s in printed(state).helper_spaces() if s.ring == ring and not has_helper(state, faction, s)
    ]
    return min(price_of(state, colour, space) for space in spaces)


def _sum_text(player: Player, die: Die) -> str:
    """Return the sum of the dice against the limit; not for the bonus die, taken after the check."""
    total, count = player.sum + die.face, len(player.dice) + 1
    text = _("Dice: %(sum)d of %(limit)d, %(count)d of %(most)d taken.") % {
        "sum": total,
        "limit": player.limit,
        "count": count,
        "most": MOST_DICE,
    }
    return text if total <= player.limit else f"{text} {_('That is above the limit: no reward.')}"


def _helpers_text(player: Player, die: Die) -> str:
    """Return a sentence with the helpers that act after the action."""
    (column,) = (column for column in player.columns if column.colour == die.colour)
    descriptions = [helper.description for helper in column.helpers if helper.is_there]
    return _("Then your helpers: %(helpers)s.") % {"helpers": "; ".join(descriptions)} if descriptions else ""


def _spending(way: Mapping[str, Json]) -> Choice:
    """Return the choice of members to spend on a task, with its gain."""
    men, women = int(way["men"]), int(way["women"])
    gain = _task_gain(str(way["task"]), men + women)
    return Choice(way_of(way), _members(men, women), gain, WOMAN if women else MAN)


def _task_gain(task: str, count: int) -> str:
    """Return the gain of a task for a number of members; career and initiative tasks give progress."""
    gains = {
        "blind": _("a face-down tile"),
        "threshold": _("limit +%(count)d") % {"count": PER_THRESHOLD * count},
        "marriage": _("a woman to a city"),
        "mission": _("a man to a city"),
        "florins": _florins(PER_MEMBER * count),
        "members": ngettext("%(count)d member", "%(count)d members", count) % {"count": count},
    }
    return gains.get(task) or _progress(PER_MEMBER * count)


def _errand(_state: State, prompt: Prompt) -> Part:
    by_task = [
        Group(title("task", str(way["task"])), (_spending(way),), narrow=True) for way in _ways(prompt)
    ]
    return _choose(prompt, _("Do the task"), by_task)


def _hire(state: State, prompt: Prompt) -> Part:
    colour = frame_data(state)["colour"]
    spaces = {(s.column, s.row): s for s in printed(state).helper_spaces()}
    choices = []
    for way in _ways(prompt):
        space = spaces[way["column"], way["row"]]
        cost = price_of(state, colour, space)
        position = _("%(colour)s column, row %(row)d") % {
            "colour": title("die", space.column),
            "row": space.row,
        }
        detail = f"{position} · {_florins(cost) if cost else _('no cost')}"
        choices.append(Choice(way_of(way), title("helper", space.kind), detail, "helper"))
    note = _("You have %(florins)s.") % {"florins": _florins(florins(state, prompt.faction))}
    return _choose(prompt, _("Hire"), [Group("", tuple(choices), note=note)])


def _climb(state: State, prompt: Prompt) -> Part:
    """Return inputs for men on tracks, men who enter a track, and the disc."""
    bounds = _bounds(prompt)
    points, reserve, figures = bounds["points"], bounds["reserve"], printed(state)
    lines = []
    for man in bounds["men"]:
        career, at = man["career"], man["at"]
        detail = _("space %(at)d of %(top)d, rank %(rank)d") % {
            "at": at,
            "top": bounds["tops"][career],
            "rank": figures.rank(career, at),
        }
        most = min(points, bounds["tops"][career] - at)
        lines += [
            Climber(f"c.{career}.{at}.{i}", title("track", career), most, detail, career)
            for i in range(man["count"])
            if most
        ]
    entering = [
        Climber(
            f"c.{career}.0.{i}",
            title("track", career),
            min(points, top),
            _("a man from your reserve"),
            career,
        )
        for i in range(min(points, reserve))
        for career, top in bounds["tops"].items()
    ]
    careers = len(bounds["tops"])
    disc = [
        Climber(
            "initiative",
            title("track", "initiative"),
            min(points, bounds["initiative"]),
            _("your disc, %(count)d below the top") % {"count": bounds["initiative"]},
            "initiative",
        )
    ]
    note = _("Space %(florin)d brings %(florins)s, space %(step)d a step of initiative.") % {
        "florin": FLORIN_SPACE,
        "florins": _florins(TRACK_FLORINS),
        "step": INITIATIVE_SPACE,
    }
    return {
        "kind": "climbs",
        "points": points,
        "lines": [*lines, *entering[:careers], *(disc if bounds["initiative"] else [])],
        "more": entering[careers:],
        "note": note if bounds["tops"] else "",
        "may_stay": bool(bounds["tops"]),
        "buttons": [Button(prompt.action, _("Use the points"), needs_choice=True)],
    }


# Cities


def _tile_text(state: State, faction: str, place: tuple[str, str], field: str) -> str:
    """Return the tile above a city, and whether it fits the field."""
    kind, city = place
    tile = tile_above(state, kind, city)
    if tile is None:
        return _("no tile")
    is_fitting = fits(state, faction, field, tile)
    template = _("tile %(tile)s fits") if is_fitting else _("tile %(tile)s does not fit")
    return template % {"tile": name("piece", tile)}


def _with_tile(text: str, way: Mapping[str, Json]) -> str:
    """Add the player's choice about the tile to a text, if there is one."""
    if way.get("field"):
        text = _("face-down tile: %(field)s") % {"field": name("field", str(way["field"]))}
    if way.get("tile") is not None:
        text = f"{text}, {_('take it') if way['tile'] else _('leave it')}"
    return text


def _mission(state: State, prompt: Prompt) -> Part:
    faction = prompt.faction
    by_man: dict[tuple[str, int], list[dict[str, Json]]] = {}
    for way in _ways(prompt):
        by_man.setdefault((way["career"], way["at"]), []).append(way)
    picks, groups = [], []
    for (career, at), ways in by_man.items():
        value, points = f"{career}-{at}", printed(state).number(career, at)
        rank = _("rank %(rank)d") % {"rank": printed(state).rank(career, at)}
        label = f"{title('field', career)} {at}"
        picks.append(Choice(value, label, f"{_points(points)}, {rank}", career))
        choices = tuple(
            Choice(
                way_of(way),
                _city_space(state, str(way["city"]), MAN),
                _with_tile(_tile_text(state, faction, ("mission", str(way["city"])), career), way),
                "mission",
            )
            for way in ways
        )
        groups.append(Group(_("%(man)s: to which city?") % {"man": label}, choices, value))
    return _choose(prompt, _("Send him"), groups, picks=picks, pick_title=_("Which man?"))


def _city_space(state: State, city: str, member: str) -> str:
    space = _("space %(number)d") % {"number": lowest_free(state, city, member) or 0}
    return f"{name('city', city)}, {space}"


def _marriage(state: State, prompt: Prompt) -> Part:
    faction, blind = prompt.faction, frame_data(state)["blind"]
    by_city: dict[str, list[dict[str, Json]]] = {}
    for way in _ways(prompt):
        by_city.setdefault(str(way["city"]), []).append(way)
    picks, groups = [], []
    for city, ways in by_city.items():
        detail = _("face-down tile") if blind else _tile_text(state, faction, ("marriage", city), "marriage")
        picks.append(Choice(city, _city_space(state, city, WOMAN), detail, "marriage"))
        choices = tuple(
            Choice(
                way_of(way),
                _florins(int(way["dowry"])),
                _with_tile(_points(POINTS_PER_FLORIN * int(way["dowry"])), way),
                "florins",
            )
            for way in ways
        )
        groups.append(
            Group(_("%(city)s: which dowry?") % {"city": name("city", city)}, choices, city, narrow=True)
        )
    return _choose(prompt, _("Marry her"), groups, picks=picks, pick_title=_("In which city?"))


def _city_action(state: State, prompt: Prompt) -> Part:
    gains = {"mission": _("a man to a city"), "marriage": _("a woman to a city")}
    tile = [_("a face-down tile")] if tiles_in_supply(state) else []
    choices = tuple(
        Choice(way_of(way), title("signoria", kind), ", ".join([gains[kind], *tile]), kind)
        for way in _ways(prompt)
        for kind in [str(way["action"])]
    )
    return _choose(prompt, _("Do it"), [Group("", choices)])


def _draw(state: State, prompt: Prompt) -> Part:
    player = player_of(state, prompt.faction)
    fields = {field.slug: field for field in player.fields}
    choices = []
    for way in _ways(prompt):
        field = fields[str(way["field"])]
        tiles = sum(bool(shield.value) for shield in field.shields) + field.face_down
        detail = ngettext("%(count)d tile there", "%(count)d tiles there", tiles) % {"count": tiles}
        choices.append(Choice(way_of(way), field.name, detail, field.slug))
    return _choose(prompt, _("Put it there"), [Group("", tuple(choices))])


# Members


def _descendants(_state: State, prompt: Prompt) -> Part:
    count = len(_ways(prompt)[0]["dice"])
    note = _("1 to %(last)d brings a woman, more a man.") % {"last": LAST_WOMAN}
    return _faces(prompt, {WHITE: count}, _("Enter the dice"), note)


def _gain(state: State, prompt: Prompt) -> Part:
    choices = tuple(Choice(way_of(way), _members(way["men"], way["women"])) for way in _ways(prompt))
    note = _("In the supply: %(members)s.") % {
        "members": _members(in_supply(state, prompt.faction, MAN), in_supply(state, prompt.faction, WOMAN))
    }
    return _choose(prompt, _("Take them"), [Group("", choices, note=note)])


# Yes or no


def _yes_or_no(prompt: Prompt, yes: str, no: str, note: str) -> Part:
    buttons = [Button(f"{prompt.action}:{YES}", yes), Button(f"{prompt.action}:{NO}", no)]
    return {"kind": "ask", "note": note, "buttons": buttons}


def _helper(state: State, prompt: Prompt) -> Part:
    space = next_helper(state)
    note = wording.capital(Helper(space, 0, is_there=True).description) if space else ""
    if space and space.kind == "progress-die":
        note = f"{note} ({_progress(frame_data(state)['die'])})"
    elif space and space.kind == "vp-per-man":
        note = f"{note} ({_points(in_cities(state, prompt.faction, MAN))})"
    return _yes_or_no(prompt, _("Use the helper"), _("Do not"), note)


def _buy(state: State, prompt: Prompt) -> Part:
    have = florins(state, prompt.faction)
    note = _("You have %(have)s and would keep %(left)s.") % {
        "have": _florins(have),
        "left": _florins(have - PRICE),
    }
    return _yes_or_no(prompt, _("Buy %(count)d points") % {"count": BOUGHT}, _("Buy nothing"), note)


def _reward(state: State, prompt: Prompt) -> Part:
    tile = title("reward", tile_of(state))
    words = {
        ("tile", "after"): (tile, _("then the wedding")),
        ("tile", "before"): (tile, _("after the wedding")),
        ("florins", "after"): (_florins(FLORINS), _("and the wedding")),
    }
    choices = []
    for way in _ways(prompt):
        label, detail = words[str(way["take"]), str(way["bonuses"])]
        choices.append(Choice(way_of(way), label, detail, "florins" if way["take"] == "florins" else "task"))
    return _choose(
        prompt, _("Take the reward"), [Group("", tuple(choices), note=_wedding(state, prompt.faction))]
    )


def _wedding(state: State, faction: str) -> str:
    """Return sentences about the gains of the wedding and the round."""
    married = brides(state, faction)
    sentences = []
    if married < printed(state).descendants:
        points = printed(state).portrait_points(married + 1)
        template = (
            _("The wedding brings a bride and %(points)s.") if points else _("The wedding brings a bride.")
        )
        sentences.append(template % {"points": _points(points)})
    if state.round > 1:
        sentences.append(_("The round brings %(florins)s more.") % {"florins": _florins(LATER_FLORINS)})
    return " ".join(sentences)


_FORMS: Mapping[str, Callable[[State, Prompt], Part]] = {
    "order": _order,
    "unused": _unused,
    "reward-tiles": _reward_tiles,
    "boards": _boards,
    "refill": _refill,
    "roll": _roll,
    "deal": _deal,
    "take": _take,
    "errand": _errand,
    "hire": _hire,
    "progress": _climb,
    "mission": _mission,
    "marriage": _marriage,
    "city-action": _city_action,
    "draw": _draw,
    "descendants": _descendants,
    "gain": _gain,
    "helper": _helper,
    "reward": _reward,
    "buy": _buy,
}


# Forecast


def forecast(state: State, faction: str, form: Mapping[str, str]) -> list[str]:
    """Return the steps of the action in a form as sentences; empty if it is incomplete or refused."""
    try:
        action = SIGNORIA.read_action(action_of(form), faction)
        outcome = SIGNORIA.apply(state, action)
    except Refused:
        return []
    return [wording.render(SIGNORIA, step.message) for step in _flatten(outcome.steps)]


def _flatten(steps: Iterable[Step]) -> Iterable[Step]:
    for step in steps:
        yield step
        yield from _flatten(step.steps)

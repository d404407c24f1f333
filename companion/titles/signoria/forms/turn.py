"""A turn: taking a die and acting, or passing (5.1); hiring (5.2) and tasks (5.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion import wording
from companion.titles.base import Button, Form
from companion.titles.entry_forms import Fields
from companion.titles.signoria.board.columns import Column
from companion.titles.signoria.board.market import Die
from companion.titles.signoria.board.players import Player, player_of
from companion.titles.signoria.forms import texts
from companion.titles.signoria.forms.base import PartForm, Way, WayForm, encode, number, ways_of
from companion.titles.signoria.forms.widgets import Choice, Group
from companion.titles.signoria.names import name, title
from games.core.codec import Json
from games.core.prompts import Prompt
from games.signoria.dice import MOST_DICE, price
from games.signoria.dice import PER_MEMBER as PER_THRESHOLD
from games.signoria.florins import FLORINS
from games.signoria.hiring import price_of
from games.signoria.members import HEAD
from games.signoria.pieces import MAN, WOMAN, die_piece
from games.signoria.progress import TRACKS_POINTS
from games.signoria.state import State, brides, florins, frame_data, printed
from games.signoria.tasks import PER_MEMBER

MAIN_BOARD = ("market", "tracks", "cities")


class TakeForm(WayForm):
    """A die, then its action. A task is listed once for all dice that allow it."""

    action = "take"
    panels = MAIN_BOARD

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        is_free = state.frames[-1].phase == "bonus-die"
        player = player_of(state, prompt.faction)
        picks, groups = [], []
        tasks: dict[tuple[str, tuple[Choice, ...]], list[str]] = {}
        for die, ways in _by_die(prompt).items():
            cost = 0 if is_free else price(player.column(die.colour).action.number, die.face)
            picks.append(Choice(die.piece, die.name, texts.cost(cost), die=die))
            note = "" if is_free else _sum_text(player, die)
            own = [way for way in ways if way["action"] != "task"]
            groups.append(_own_group(state, player, die, own, note))
            for task in dict.fromkeys(str(way["task"]) for way in ways if way["action"] == "task"):
                spent = tuple(spending(way) for way in ways if way["task"] == task)
                tasks.setdefault((task, spent), []).append(die.piece)
        groups += [
            Group(_("Task: %(task)s") % {"task": name("task", task)}, spent, " ".join(dice), narrow=True)
            for (task, spent), dice in tasks.items()
        ]
        return self.ways_part(prompt, _("Take the die"), groups, picks=picks, pick_title=_("Which die?"))

    def parse(self, form: Form) -> Fields:
        colour, _dash, face = form.get("pick", "").partition("-")
        return {**super().parse(form), "colour": colour, "die": number(face)}

    def fill(self, action: Mapping[str, Any]) -> Fields:
        way = {key: value for key, value in action.items() if key not in ("colour", "die")}
        return {"pick": die_piece(action["colour"], action["die"]), **super().fill(way)}


def _by_die(prompt: Prompt) -> dict[Die, list[Way]]:
    by_die: dict[Die, list[Way]] = {}
    for way in ways_of(prompt):
        by_die.setdefault(Die(way.pop("colour"), way.pop("die")), []).append(way)
    return by_die


def _own_group(
    state: State, player: Player, die: Die, ways: Iterable[Mapping[str, Json]], sum_text: str
) -> Group:
    """Return the Signoria action of a die, and hiring."""
    heading = _("%(die)s: what does it do?") % {"die": wording.capital(die.name)}
    column = player.column(die.colour)
    own = tuple(
        _hiring(state, player, column, way)
        if way["action"] == "hire"
        else Choice(
            encode(way),
            title("signoria", column.action.signoria),
            _signoria_gain(state, player.faction, column.action.signoria),
            column.action.signoria,
        )
        for way in ways
    )
    note = " ".join(filter(None, (sum_text, _helpers_text(column))))
    return Group(heading, own, die.piece, note)


def _hiring(state: State, player: Player, column: Column, way: Mapping[str, Json]) -> Choice:
    ring = column.action.ring
    prices = [
        price_of(state, column.colour, helper.space)
        for other in player.columns
        for helper in other.helpers
        if helper.space.ring == ring and not helper.is_there
    ]
    detail = _("%(ring)s ring, from %(florins)s") % {
        "ring": name("ring", ring),
        "florins": texts.florins(min(prices)),
    }
    return Choice(encode(way), _("Hire a helper"), detail, "helper")


def _signoria_gain(state: State, faction: str, signoria: str) -> str:
    match signoria:
        case "tracks":
            return texts.progress(TRACKS_POINTS)
        case "florins":
            return texts.florins(FLORINS)
        case "descendants":
            return _("roll %(count)d") % {"count": HEAD + brides(state, faction)}
        case _:
            return texts.to_city(signoria)


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


def _helpers_text(column: Column) -> str:
    """Return a sentence with the helpers that act after the action."""
    descriptions = [helper.description for helper in column.helpers if helper.is_there]
    return _("Then your helpers: %(helpers)s.") % {"helpers": "; ".join(descriptions)} if descriptions else ""


class PassForm(PartForm):
    """A button beside those of taking a die; no part of its own."""

    action = "pass"
    kind = "ask"
    panels = MAIN_BOARD

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        return self.part(prompt, Button(self.action, _("Pass")))

    def parse(self, _form: Form) -> Fields:
        return {}

    def fill(self, _action: Mapping[str, Any]) -> Fields:
        return {}


class HireForm(WayForm):
    action = "hire"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        colour = frame_data(state)["colour"]
        spaces = {(s.column, s.row): s for s in printed(state).helper_spaces()}
        choices = []
        for way in ways_of(prompt):
            space = spaces[way["column"], way["row"]]
            position = _("%(colour)s column, row %(row)d") % {
                "colour": title("die", space.column),
                "row": space.row,
            }
            detail = f"{position} · {texts.cost(price_of(state, colour, space))}"
            choices.append(Choice(encode(way), title("helper", space.kind), detail, "helper"))
        note = _("You have %(florins)s.") % {"florins": texts.florins(florins(state, prompt.faction))}
        return self.ways_part(prompt, _("Hire"), [Group("", tuple(choices), note=note)])


class ErrandForm(WayForm):
    """A task of any colour."""

    action = "errand"
    has_forecast = True

    def context(self, _state: State, prompt: Prompt) -> dict[str, Any]:
        by_task = [
            Group(title("task", str(way["task"])), (spending(way),), narrow=True) for way in ways_of(prompt)
        ]
        return self.ways_part(prompt, _("Do the task"), by_task)


def spending(way: Mapping[str, Json]) -> Choice:
    """Return the choice of members to spend on a task, with its gain."""
    men, women = int(way["men"]), int(way["women"])
    gain = _task_gain(str(way["task"]), men + women)
    return Choice(encode(way), texts.members(men, women), gain, WOMAN if women else MAN)


def _task_gain(task: str, count: int) -> str:
    """Return the gain of a task for a number of members; career and initiative tasks give progress."""
    match task:
        case "blind":
            return _("a face-down tile")
        case "threshold":
            return _("limit +%(count)d") % {"count": PER_THRESHOLD * count}
        case "mission" | "marriage":
            return texts.to_city(task)
        case "florins":
            return texts.florins(PER_MEMBER * count)
        case "members":
            return ngettext("%(count)d member", "%(count)d members", count) % {"count": count}
        case _:
            return texts.progress(PER_MEMBER * count)

"""Cities: diplomatic missions (5.6) and marriages (5.7), and face-down alliance tiles (5.11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.titles.entry_forms import Fields
from companion.titles.signoria.board.players import player_of
from companion.titles.signoria.forms import texts
from companion.titles.signoria.forms.base import Way, WayForm, encode, ways_of
from companion.titles.signoria.forms.widgets import Choice, Group
from companion.titles.signoria.names import name, title
from games.core.codec import Json
from games.core.prompts import Prompt
from games.signoria.marriages import POINTS_PER_FLORIN
from games.signoria.pieces import MAN, WOMAN
from games.signoria.state import (
    State,
    fits,
    frame_data,
    lowest_free,
    printed,
    tile_above,
    tiles_in_supply,
)


class MissionForm(WayForm):
    """A man, then the city."""

    action = "mission"
    panels = ("cities", "tracks")
    has_forecast = True

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        by_man: dict[tuple[str, int], list[Way]] = {}
        for way in ways_of(prompt):
            by_man.setdefault((way["career"], way["at"]), []).append(way)
        picks, groups = [], []
        for (career, at), ways in by_man.items():
            value, points = f"{career}-{at}", printed(state).number(career, at)
            rank = _("rank %(rank)d") % {"rank": printed(state).rank(career, at)}
            label = f"{title('field', career)} {at}"
            picks.append(Choice(value, label, f"{texts.points(points)}, {rank}", career))
            choices = tuple(_mission(state, prompt.faction, way) for way in ways)
            groups.append(Group(_("%(man)s: to which city?") % {"man": label}, choices, value))
        return self.ways_part(prompt, _("Send him"), groups, picks=picks, pick_title=_("Which man?"))

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {"pick": f"{action['career']}-{action['at']}", **super().fill(action)}


def _mission(state: State, faction: str, way: Mapping[str, Json]) -> Choice:
    city, tile = str(way["city"]), _tile_text(state, faction, "mission", str(way["city"]), str(way["career"]))
    return Choice(encode(way), _city_space(state, city, MAN), _with_tile(tile, way), "mission")


class MarriageForm(WayForm):
    """A city, then the dowry."""

    action = "marriage"
    panels = ("cities",)
    has_forecast = True

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        faction, blind = prompt.faction, frame_data(state)["blind"]
        by_city: dict[str, list[Way]] = {}
        for way in ways_of(prompt):
            by_city.setdefault(str(way["city"]), []).append(way)
        picks, groups = [], []
        for city, ways in by_city.items():
            tile = _("face-down tile") if blind else _tile_text(state, faction, "marriage", city, "marriage")
            picks.append(Choice(city, _city_space(state, city, WOMAN), tile, "marriage"))
            heading = _("%(city)s: which dowry?") % {"city": name("city", city)}
            groups.append(Group(heading, tuple(_dowry(way) for way in ways), city, narrow=True))
        return self.ways_part(prompt, _("Marry her"), groups, picks=picks, pick_title=_("In which city?"))

    def fill(self, action: Mapping[str, Any]) -> Fields:
        return {"pick": action["city"], **super().fill(action)}


def _dowry(way: Mapping[str, Json]) -> Choice:
    dowry = int(way["dowry"])
    gain = _with_tile(texts.points(POINTS_PER_FLORIN * dowry), way)
    return Choice(encode(way), texts.florins(dowry), gain, "florins")


def _city_space(state: State, city: str, member: str) -> str:
    space = _("space %(number)d") % {"number": lowest_free(state, city, member) or 0}
    return f"{name('city', city)}, {space}"


def _tile_text(state: State, faction: str, kind: str, city: str, field: str) -> str:
    """Return the tile above a city, and whether it fits the field."""
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


class CityActionForm(WayForm):
    """A mission or a marriage."""

    action = "city-action"
    panels = ("cities",)

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        tile = [_("a face-down tile")] if tiles_in_supply(state) else []
        choices = tuple(
            Choice(encode(way), title("signoria", kind), ", ".join([texts.to_city(kind), *tile]), kind)
            for way in ways_of(prompt)
            for kind in [str(way["action"])]
        )
        return self.ways_part(prompt, _("Do it"), [Group("", choices)])


class DrawForm(WayForm):
    """The field for a face-down tile."""

    action = "draw"

    def context(self, state: State, prompt: Prompt) -> dict[str, Any]:
        fields = {field.slug: field for field in player_of(state, prompt.faction).fields}
        choices = []
        for way in ways_of(prompt):
            field = fields[str(way["field"])]
            tiles = sum(bool(shield.value) for shield in field.shields) + field.face_down
            detail = ngettext("%(count)d tile there", "%(count)d tiles there", tiles) % {"count": tiles}
            choices.append(Choice(encode(way), field.name, detail, field.slug))
        return self.ways_part(prompt, _("Put it there"), [Group("", tuple(choices))])

"""Alliance tiles and the plan: fitting tiles, and tiles drawn face down (digest 5.11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.core.actions import Action
from games.core.checks import check_one_of
from games.core.codec import Json
from games.core.errors import Illegal
from games.core.flow import Frame, done
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Choice, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Act, Outcome, Step
from games.signoria.actions import Draw
from games.signoria.asking import asked, skip, whose
from games.signoria.options import TILE_OPTIONAL
from games.signoria.pieces import (
    ALLIANCES,
    FIELDS,
    NEUTRAL,
    SUPPLY,
    TILE,
    face_down_place,
    face_up_place,
    tile_place,
)
from games.signoria.state import State, fits, frame_data, option, tile_above, tiles_in_supply

RULE = "5.11"


def tile_name(tile: str) -> Message:
    """Return the message that names an alliance tile."""
    alliance = ALLIANCES[tile]
    return say("alliance", house=Name("house", alliance.house), value=alliance.value)


# Tiles of a city


class CityTile(NamedTuple):
    """The mission or marriage space above a city, and the plan field for its tile."""

    kind: str
    city: str
    field: str

    @property
    def place(self) -> str:
        return tile_place(self.kind, self.city)


def tile_choices(state: State, faction: str, at: CityTile) -> tuple[bool | None, ...]:
    """Return the legal values of `tile`: take or leave, or None where the rules decide (R-07)."""
    tile = tile_above(state, at.kind, at.city)
    free = option(state, TILE_OPTIONAL.name) and tile is not None and fits(state, faction, at.field, tile)
    return (True, False) if free else (None,)


def refuse_tile(state: State, faction: str, at: CityTile, *, wish: bool | None) -> None:
    """Raise `Illegal` unless the tile can be taken or left as wished (5.11, R-07).

    Only a fitting tile can be taken; it can be left only if the table option allows it.
    """
    if wish is None:
        return
    city = Name("city", at.city)
    tile = tile_above(state, at.kind, at.city)
    if tile is None:
        raise Illegal(say("no-tile", city=city), rule=RULE)
    if not fits(state, faction, at.field, tile):
        raise Illegal(say("tile-does-not-fit", field=Name("field", at.field), city=city), rule=RULE)
    if not wish and not option(state, TILE_OPTIONAL.name):
        raise Illegal(say("tile-must-be-taken", tile=tile_name(tile)), rule=RULE)


def tile_steps(state: State, faction: str, at: CityTile, *, wish: bool | None) -> tuple[Step, ...]:
    """Return the step that moves the city's tile to the field if it fits, else leaves it (5.6, 5.7)."""
    tile = tile_above(state, at.kind, at.city)
    if tile is None:
        return ()
    fitting = fits(state, faction, at.field, tile)
    verdict = judge(state, f"tile:{at.city}", fitting and wish is not False, bool)
    name, field = tile_name(tile), Name("field", at.field)
    if verdict.result:
        moves = (Move(NEUTRAL, tile, at.place, face_up_place(faction, at.field)),)
        step = Step(RULE, say("tile-taken", tile=name, field=field), moves, options=(TILE_OPTIONAL.name,))
    elif fitting:
        step = Step(RULE, say("tile-left", tile=name), options=(TILE_OPTIONAL.name,))
    else:
        step = Step(RULE, say("tile-stays", tile=name, field=field))
    return (step.settles(verdict),)


# Tiles drawn face down


def blind_steps(faction: str, field: str | None) -> tuple[Step, ...]:
    """Return the step that puts a face-down tile beside a field, using up no shield (5.11).

    `field` is None if the supply is empty.
    """
    if field is None:
        return (Step(RULE, say("tiles-gone")),)
    moves = (Move(NEUTRAL, TILE, SUPPLY, face_down_place(faction, field)),)
    message = say("tile-drawn", faction=faction_name(faction), field=Name("field", field))
    acts = (Act(faction, say("draw-unseen")),)
    return (Step(RULE, message, moves, acts),)


def refuse_field(field: str, known: Sequence[str]) -> None:
    check_one_of(field, known, "field", rule=RULE)


def draw_frame(faction: str, fields: Sequence[str] = FIELDS) -> Frame:
    return Frame("draw", {"faction": faction, "fields": list(fields)})


def can_draw(state: State, _data: Mapping[str, Json]) -> bool:
    """Return whether the supply has alliance tiles left (R-15)."""
    return tiles_in_supply(state) > 0


@dataclass(frozen=True, slots=True)
class Drawing:
    """Phase: a face-down tile is put beside a field."""

    name = "draw"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction, fields = whose(state), tuple(frame_data(state)["fields"])
        return [
            Prompt(
                faction=faction,
                title=say("prompt-draw"),
                rule=RULE,
                example=Draw(faction=faction, field=fields[0]),
                fields=(Choice("field", fields),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        draw = asked(state, action, Draw, RULE)
        refuse_field(draw.field, frame_data(state)["fields"])
        account = Account(state)
        for step in blind_steps(draw.faction, draw.field):
            account.add(step)
        account.set(frames=done(state))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None if can_draw(state, frame_data(state)) else skip(state, RULE)

"""Alliance tiles and the plan: what fits, and tiles drawn unseen (digest 5.11)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import BadInput, Illegal
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
    """An alliance tile as it is called in a sentence."""
    shown = ALLIANCES[tile]
    return say("alliance", house=Name("house", shown.house), value=shown.value)


# Tiles of a city


class CityTile(NamedTuple):
    """The mission or marriage space above a city, and the field where its tile would go."""

    kind: str
    city: str
    field: str

    @property
    def place(self) -> str:
        return tile_place(self.kind, self.city)


def tile_choices(state: State, faction: str, at: CityTile) -> tuple[bool | None, ...]:
    """Whether the tile above a city is taken or left; nothing to say where the rules decide (R-07)."""
    tile = tile_above(state, at.kind, at.city)
    free = option(state, TILE_OPTIONAL.name) and tile is not None and fits(state, faction, at.field, tile)
    return (True, False) if free else (None,)


def refuse_tile(state: State, faction: str, at: CityTile, *, wish: bool | None) -> None:
    """5.11: only what fits is taken, and what fits must be, unless the table says otherwise (R-07)."""
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
    """5.6 and 5.7: the tile above the city goes to the field if it fits; else it stays."""
    tile = tile_above(state, at.kind, at.city)
    if tile is None:
        return ()
    fitting = fits(state, faction, at.field, tile)
    verdict = judge(state, f"tile:{at.city}", fitting and wish is not False, bool)
    name, field = tile_name(tile), Name("field", at.field)
    if verdict.result:
        moves = (Move(NEUTRAL, tile, at.place, face_up_place(faction, at.field)),)
        told = Step(RULE, say("tile-taken", tile=name, field=field), moves, options=(TILE_OPTIONAL.name,))
    elif fitting:
        told = Step(RULE, say("tile-left", tile=name), options=(TILE_OPTIONAL.name,))
    else:
        told = Step(RULE, say("tile-stays", tile=name, field=field))
    return (told.settles(verdict),)


# Tiles drawn unseen


def blind_steps(faction: str, field: str | None) -> tuple[Step, ...]:
    """5.11: a tile from the supply, face down, which uses up no shield. Nothing when the supply is empty."""
    if field is None:
        return (Step(RULE, say("tiles-gone")),)
    moves = (Move(NEUTRAL, TILE, SUPPLY, face_down_place(faction, field)),)
    message = say("tile-drawn", faction=faction_name(faction), field=Name("field", field))
    acts = (Act(faction, say("draw-unseen")),)
    return (Step(RULE, message, moves, acts),)


def refuse_field(field: str, known: Sequence[str]) -> None:
    if field not in known:
        raise BadInput(say("core.not-one-of", field="field", allowed=tuple(known)), rule=RULE)


def draw_frame(faction: str, fields: Sequence[str] = FIELDS) -> Frame:
    return Frame("draw", {"faction": faction, "fields": list(fields)})


def can_draw(state: State, _data: Mapping[str, Json]) -> bool:
    """R-15: as long as there are tiles."""
    return tiles_in_supply(state) > 0


@dataclass(frozen=True, slots=True)
class Drawing:
    """A face-down tile is put beside a field."""

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

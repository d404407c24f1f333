"""Position editor of Signoria: course, players, tracks, cities, dice and tiles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from companion.errors import Refusal
from companion.journal import positions
from companion.titles.base import Pieces, PositionEditor
from companion.titles.signoria.board import chart_of, svg
from companion.titles.signoria.board.market import Die
from companion.titles.signoria.names import name, title
from companion.titles.widgets import is_number
from games.core.actions import Lying, Position
from games.core.codec import Json
from games.signoria.dice import FACES
from games.signoria.game import SIGNORIA
from games.signoria.pieces import (
    ALLIANCES,
    BONUS_ROUNDS,
    BRIDE,
    CITIES,
    CITIES_UNUSED,
    COLOURS,
    DICE,
    DISC,
    EARLIER,
    FIELDS,
    FLORIN,
    HELPER,
    MAN,
    MEMBERS,
    MEN,
    NEUTRAL,
    POINT,
    RESERVE,
    ROUNDS,
    SOURCES,
    SUPPLY,
    THRESHOLD,
    TILE,
    TILE_VALUES,
    WOMAN,
    WOMEN,
    action_place,
    city_place,
    dice_place,
    die_piece,
    face_down_place,
    face_up_place,
    helper_place,
    initiative_place,
    portraits_place,
    score_place,
    tile_piece,
    tile_place,
)
from games.signoria.preparation import TASK_SPACES
from games.signoria.rewards import BONUS_TILES, POINT_TILES
from games.signoria.state import State, has_helper, points_from, printed, shields_left, tile_above
from games.signoria.tasks import TASKS

PHASES = ("preparation", "turn")
PARTS = ("course", "players", "tracks", "cities", "dice")
MOST = 999  # maximal number of equal pieces
NOTHING = "-"


# Template data


@dataclass(frozen=True, slots=True)
class Line(Pieces):
    """Pieces with a name and symbol."""

    name: str
    symbol: str = ""

    @property
    def icon(self) -> SafeString:
        return svg.icon(self.symbol)

    @property
    def fewer_label(self) -> str:
        return _("%(name)s: one fewer") % {"name": self.name}

    @property
    def more_label(self) -> str:
        return _("%(name)s: one more") % {"name": self.name}


@dataclass(frozen=True, slots=True)
class Option:
    """A button, or an option of a select element."""

    tap: str
    label: str
    chosen: bool = False
    owner: str = ""

    @property
    def pressed(self) -> str:
        """Return the value of ``aria-pressed``."""
        return "true" if self.chosen else "false"


@dataclass(frozen=True, slots=True)
class Fact:
    """A space with its possible values."""

    title: str
    options: tuple[Option, ...]
    symbol: str = ""

    @property
    def icon(self) -> SafeString:
        return svg.icon(self.symbol)

    @property
    def key(self) -> str:
        """Return the title and the chosen option for an id, which changes with the choice."""
        chosen = (f"{slugify(option.tap)}-{i}" for i, option in enumerate(self.options, 1) if option.chosen)
        return f"{slugify(self.title)}-{''.join(chosen)}"


def position(state: State, place: str, _owner: str = "") -> dict[str, Any]:
    """Return the data of ``position.html``; the place selects the player, space or city to edit."""
    return {
        **chart_of(state),
        "parts": list(zip(PARTS, _titles(), strict=True)),
        "rounds": range(1, ROUNDS + 1),
        "passed": [_toggle("passed", f, f in state.passed) for f in state.order],
        "bought": [_toggle("bought", f, f in state.bought) for f in state.order]
        if state.round > BONUS_ROUNDS
        else [],
        "stock": [_stock(state, faction) for faction in state.order],
        **_player_parts(state, _faction_at(state, place)),
        "here": place,
        "space": _space(state, place),
        **_city_parts(state, _city_at(place)),
        "unused": _unused(state),
        "areas": [_area(state, colour) for colour in COLOURS],
        "tasks": [_task(state, space) for space in TASK_SPACES],
        "rewards": [_reward(state, i) for i in range(len(state.rewards))],
    }


def _titles() -> list[str]:
    return [_("Course"), _("Players"), _("Tracks"), _("Cities"), _("Dice")]


def _toggle(fact: str, faction: str, chosen: bool) -> Option:  # noqa: FBT001 - stored as a field
    return Option(f"{fact} {faction}", name("faction", faction), chosen, faction)


def _stock(state: State, faction: str) -> tuple[str, str]:
    """Return a faction and its number of placed figures as text; the others are in the general supply."""
    placed = {
        member: total - state.ledger.count(faction, member, SUPPLY)
        for member, total in ((MAN, MEN), (WOMAN, WOMEN))
    }
    text = _("men %(men)d/%(all_men)d, women %(women)d/%(all_women)d") % {
        "men": placed[MAN],
        "all_men": MEN,
        "women": placed[WOMAN],
        "all_women": WOMEN,
    }
    return faction, text


# Players


def _faction_at(state: State, place: str) -> str:
    kind, _colon, faction = place.partition(":")
    return faction if kind == "portraits" and faction in state.order else state.order[0]


def _player_parts(state: State, faction: str) -> dict[str, Any]:
    return {
        "faction": faction,
        "tabs": [(f, name("faction", f), portraits_place(f)) for f in state.order],
        "purse": _purse(state, faction),
        "board_fact": _board(state, faction),
        "hired": [_column(state, faction, colour) for colour in COLOURS],
        "own_dice": [_own_die(state, faction, colour) for colour in COLOURS]
        if state.frames[-1].phase == "turn"
        else [],
        "plan": [_field(state, faction, field) for field in FIELDS],
    }


def _purse(state: State, faction: str) -> list[Line]:
    lines = [
        (faction, FLORIN, RESERVE, _("Florins"), "florins"),
        (faction, MAN, RESERVE, _("Men, available"), MAN),
        (faction, WOMAN, RESERVE, _("Women, available"), WOMAN),
        (NEUTRAL, BRIDE, portraits_place(faction), _("Brides"), "marriage"),
        (faction, MAN, THRESHOLD, _("Men on the threshold space"), MAN),
        (faction, WOMAN, THRESHOLD, _("Women on the threshold space"), WOMAN),
    ]
    sources = [EARLIER, *(s for s in SOURCES if points_from(state, faction, s))]
    lines += [
        (faction, POINT, score_place(s), _("Points: %(source)s") % {"source": name("part", s)}, "point")
        for s in sources
    ]
    return [
        Line(owner, piece, place, state.ledger.count(owner, piece, place), label, symbol)
        for owner, piece, place, label, symbol in lines
    ]


def _board(state: State, faction: str) -> Fact:
    current = state.boards.get(faction)
    options = (
        Option(f"board {faction} {board}", _("Board %(board)s") % {"board": board}, board == current)
        for board in printed(state).boards
    )
    return Fact(_("Player board"), tuple(options))


def _column(state: State, faction: str, colour: str) -> Fact:
    """Return the helper spaces of a column; pressing one adds or removes a helper."""
    options = []
    for space in printed(state).column(colour):
        is_there = has_helper(state, faction, space)
        place = helper_place(faction, colour, space.row)
        do = "take" if is_there else "put"
        label = f"{space.row} · {name('helper', space.kind)}"
        options.append(Option(f"{do} {NEUTRAL} {HELPER} {place}", label, is_there))
    return Fact(title("die", colour), tuple(options))


def _own_die(state: State, faction: str, colour: str) -> tuple[str, list[tuple[Option, Die]]]:
    dice = [line.piece for line in state.ledger.at(action_place(faction, colour))]
    faces = []
    for face in FACES:
        is_there = die_piece(colour, face) in dice
        tap = f"die {faction} {colour} {NOTHING if is_there else face}"
        faces.append((Option(tap, name("piece", die_piece(colour, face)), is_there), Die(colour, face)))
    return title("die", colour), faces


def _field(state: State, faction: str, field: str) -> tuple[Fact, list[Fact], Line]:
    """Return a field of the plan: the tile on each shield, and the number of face-down tiles."""
    place = face_up_place(faction, field)
    tiles_there = sorted(line.piece for line in state.ledger.at(place) for _time in range(line.count))
    free = [(house, NOTHING) for house in shields_left(state, faction, field).elements()]
    shields = sorted([*((ALLIANCES[tile].house, tile) for tile in tiles_there), *free])
    facts = []
    for house, current in shields:
        tiles = [NOTHING, *(tile_piece(house, value) for value in TILE_VALUES)]
        options = (
            Option(f"cover {place} {current} {tile}", _tile_name(tile), tile == current) for tile in tiles
        )
        facts.append(Fact(house.upper(), tuple(options)))
    down = face_down_place(faction, field)
    unseen = Line(NEUTRAL, TILE, down, state.ledger.count(NEUTRAL, TILE, down), _("Face down"))
    return Fact(title("field", field), (), field), facts, unseen


def _tile_name(tile: str) -> str:
    return "–" if tile == NOTHING else name("piece", tile)


# Tracks


def _space(state: State, place: str) -> dict[str, Any] | None:
    """Return the figures on the selected space of a track, or the discs of an initiative space in order."""
    kind, _colon, _slug = place.partition(":")
    if kind == "track":
        lines = [
            Line(f, MAN, place, state.ledger.count(f, MAN, place), name("faction", f)) for f in state.order
        ]
        return {"title": title("place", place), "lines": lines, "discs": [], "stack": []}
    if kind != "initiative":
        return None
    stack = [owner for owner, piece in state.ledger.pile(place) if piece == DISC]
    discs = [Option(f"disc {f} {place}", name("faction", f), f in stack, f) for f in state.order]
    return {"title": title("place", place), "lines": [], "discs": discs, "stack": stack}


# Cities


def _city_at(place: str) -> str:
    kind, _colon, city = place.partition(":")
    return city if kind == "mission" and city in CITIES else CITIES[0]


def _city_parts(state: State, city: str) -> dict[str, Any]:
    return {
        "city": city,
        "city_name": name("city", city),
        "city_tabs": [(c, name("city", c), tile_place("mission", c)) for c in CITIES if c in state.cities],
        "city_tiles": [_tile_fact(state, kind, city) for kind in ("mission", "marriage")],
        "city_spaces": [
            (_spaces_text(spaces, number), _figures(state, city, number))
            for number, spaces in printed(state).city_spaces(city).items()
        ],
    }


def _spaces_text(count: int, number: int) -> str:
    text = ngettext("%(count)s space with the number ", "%(count)s spaces with the number ", count)
    return f"{text % {'count': count}}{number}"


def _tile_fact(state: State, kind: str, city: str) -> Fact:
    current, place = tile_above(state, kind, city) or NOTHING, tile_place(kind, city)
    tiles = (NOTHING, *ALLIANCES)
    options = (Option(f"cover {place} {current} {tile}", _tile_name(tile), tile == current) for tile in tiles)
    return Fact(title("phase", kind), tuple(options), kind)


def _figures(state: State, city: str, number: int) -> list[Line]:
    place = city_place(city, number)
    return [
        Line(f, member, place, state.ledger.count(f, member, place), name("faction", f), member)
        for f in state.order
        for member in MEMBERS
    ]


def _unused(state: State) -> list[Option]:
    """Return the cities as toggles for leaving them out; empty with four players."""
    if not CITIES_UNUSED[state.setup.players]:
        return []
    return [Option(f"unused {c}", name("city", c), c not in state.cities) for c in CITIES]


# Dice and tiles


def _area(state: State, colour: str) -> tuple[str, list[tuple[Line, Die]]]:
    place = dice_place(colour)
    faces = []
    for face in FACES:
        piece = die_piece(colour, face)
        line = Line(NEUTRAL, piece, place, state.ledger.count(NEUTRAL, piece, place), name("piece", piece))
        faces.append((line, Die(colour, face)))
    return title("die", colour), faces


def _task(state: State, space: str) -> Fact:
    colour, _colon, row = space.partition(":")
    current = state.tasks.get(space)
    options = (Option(f"task {space} {task}", name("task", task), task == current) for task in TASKS)
    return Fact(f"{title('die', colour)}, {name('row', row)}", tuple(options))


def _reward(state: State, index: int) -> Fact:
    tiles = BONUS_TILES if index < BONUS_ROUNDS else POINT_TILES
    options = (
        Option(f"reward {index} {tile}", name("reward", tile), tile == state.rewards[index]) for tile in tiles
    )
    return Fact(_("Round %(round)d") % {"round": index + 1}, tuple(options))


# Facts of a new draft


def initial_facts(state: State) -> dict[str, Json]:
    """Return reward tiles, cities, boards and tasks of the state; unknown ones get valid placeholders."""
    count = len(CITIES) - CITIES_UNUSED[state.setup.players]
    points = ROUNDS - BONUS_ROUNDS
    return {
        "rewards": list(state.rewards) or [*list(BONUS_TILES)[:BONUS_ROUNDS], *list(POINT_TILES)[:points]],
        "cities": list(state.cities[:count]),
        "boards": dict(state.boards),
        "tasks": dict(state.tasks) or dict(zip(TASK_SPACES, TASKS, strict=True)),
        "passed": list(state.passed),
        "bought": list(state.bought),
    }


# Button presses


def tap(state: State, draft: Position, form: Mapping[str, str]) -> Position | None:
    """Return the draft after a button press; None for buttons that every game has."""
    match form.get("do"):
        case "tap":
            return _apply_tap(state, draft, form.get("tap", "").split(), form.get("count", ""))
        case "round" if form.get("round", "") not in map(str, range(1, ROUNDS + 1)):
            raise Refusal("bad-input", _("A game has rounds 1 to %(last)d.") % {"last": ROUNDS})
        case "turn" if form.get("faction", "") in draft.order:
            # The faction whose turn it is cannot have passed.
            return replace(_without(draft, "passed", form["faction"]), turn=form["faction"])
        case _:
            return None


def _apply_tap(state: State, draft: Position, words: Sequence[str], count: str) -> Position:
    """Change pieces, a disc, a die, a tile, or a fact beside the ledger."""
    match words:
        case ["put" | "take" | "count" as do, owner, piece, place] if _is_line(state, owner, piece, place):
            return _set_count(draft, do, (owner, piece, place), count)
        case ["disc", owner, place] if owner in draft.order and place.startswith("initiative:"):
            return _move_disc(draft, owner, place)
        case ["die", faction, colour, face] if faction in draft.order and colour in COLOURS:
            return _set_die(draft, faction, colour, face)
        case ["cover", place, before, after] if SIGNORIA.knows_place(state, place):
            return _replace_tile(draft, place, before, after)
        case [kind, *arguments]:
            return _change_fact(state, draft, kind, arguments)
        case _:
            raise _no_button()


def _no_button() -> Refusal:
    return Refusal("bad-input", _("There is no such button."))


def _is_line(state: State, owner: str, piece: str, place: str) -> bool:
    owners = (*state.order, NEUTRAL)
    return owner in owners and piece in SIGNORIA.pieces and SIGNORIA.knows_place(state, place)


def _set_count(draft: Position, do: str, line: tuple[str, str, str], count: str) -> Position:
    """Add or remove one piece, or set the typed number."""
    if do == "put":
        return positions.add_piece(draft, *line, ordered=False)
    if do == "take":
        return positions.remove_piece(draft, *line)
    if not (is_number(count) and int(count) <= MOST):
        raise Refusal("bad-input", _("Please enter a number from 0 to %(most)d.") % {"most": MOST})
    others = tuple(held for held in draft.holdings if (held.owner, held.piece, held.place) != line)
    owner, piece, place = line
    counted = (Lying(owner=owner, piece=piece, place=place, count=int(count)),) if int(count) else ()
    return replace(draft, holdings=(*others, *counted))


def _move_disc(draft: Position, owner: str, place: str) -> Position:
    """Move a disc to the top of a space, which may be its own."""
    if not any(line.piece == DISC for line in draft.holdings):
        draft = _stack_discs(draft)
    lines = tuple(line for line in draft.holdings if (line.owner, line.piece) != (owner, DISC))
    return positions.add_piece(replace(draft, holdings=lines), owner, DISC, place, ordered=True)


def _stack_discs(draft: Position) -> Position:
    """Put all discs on the lowest space, the first player's on top: the default if none is entered."""
    for faction in reversed(draft.order):
        draft = positions.add_piece(draft, faction, DISC, initiative_place(0), ordered=True)
    return draft


def _set_die(draft: Position, faction: str, colour: str, face: str) -> Position:
    """Put a die with `face` on the player's action space of that colour; remove it if `face` is `NOTHING`."""
    place = action_place(faction, colour)
    draft = positions.clear(draft, place)
    if face == NOTHING:
        return draft
    if f"{colour}-{face}" not in DICE:
        raise _no_button()
    return positions.add_piece(draft, NEUTRAL, f"{colour}-{face}", place, ordered=False)


def _replace_tile(draft: Position, place: str, before: str, after: str) -> Position:
    """Replace a tile by another one; either may be none."""
    if before != NOTHING:
        draft = positions.remove_piece(draft, NEUTRAL, before, place)
    if after == NOTHING:
        return draft
    if after not in ALLIANCES:
        raise _no_button()
    return positions.add_piece(draft, NEUTRAL, after, place, ordered=False)


# Facts


def _change_fact(state: State, draft: Position, kind: str, words: Sequence[str]) -> Position:
    facts = {**initial_facts(state), **draft.facts}
    match kind, words:
        case "passed", [faction] if faction in draft.order:
            return _pass(draft, faction)
        case "bought", [faction] if faction in draft.order:
            return _toggled(draft, "bought", faction)
        case "unused", [city] if city in CITIES:
            return _leave_out(draft, facts["cities"], city)
        case "task", [space, task] if space in TASK_SPACES and task in TASKS:
            return _fact(draft, "tasks", _swapped(facts["tasks"], space, task))
        case "board", [faction, board] if faction in draft.order and board in printed(state).boards:
            return _fact(draft, "boards", _swapped(facts["boards"], faction, board))
        case "reward", [index, tile] if index in map(str, range(ROUNDS)) and tile in _tiles_for(int(index)):
            rewards = dict(enumerate(facts["rewards"]))
            return _fact(draft, "rewards", list(_swapped(rewards, int(index), tile).values()))
        case _:
            raise _no_button()


def _tiles_for(index: int) -> Iterable[str]:
    return BONUS_TILES if index < BONUS_ROUNDS else POINT_TILES


def _fact(draft: Position, fact: str, value: Json) -> Position:
    return replace(draft, facts={**draft.facts, fact: value})


def _swapped(cards: Mapping[Any, str], key: Any, card: str) -> dict[Any, str]:
    """Return the cards with one moved to a key; the card replaced there takes its old place."""
    swapped = dict(cards)
    for other, value in cards.items():
        if value == card and key in cards:
            swapped[other] = cards[key]
    return {**swapped, key: card}


def _toggled(draft: Position, fact: str, faction: str) -> Position:
    factions = list(draft.facts.get(fact) or [])
    if faction in factions:
        return _without(draft, fact, faction)
    return _fact(draft, fact, [f for f in draft.order if f in (*factions, faction)])


def _without(draft: Position, fact: str, faction: str) -> Position:
    return _fact(draft, fact, [f for f in draft.facts.get(fact) or [] if f != faction])


def _pass(draft: Position, faction: str) -> Position:
    """Toggle whether a faction has passed; the turn goes to a faction that has not."""
    toggled = _toggled(draft, "passed", faction)
    playing = [f for f in draft.order if f not in toggled.facts["passed"]]
    if not playing:
        raise Refusal("illegal", _("Somebody has not passed yet; when all have, the next round is prepared."))
    return toggled if toggled.turn in playing else replace(toggled, turn=playing[0])


def _leave_out(draft: Position, cities: Sequence[str], city: str) -> Position:
    """Leave a city out; the first city that was left out replaces it."""
    if city not in cities:
        return draft
    others = [c for c in CITIES if c not in cities]
    used = {*cities, *others[:1]} - {city}
    return _fact(draft, "cities", [c for c in CITIES if c in used])


EDITOR = PositionEditor(phases=PHASES, board=position, initial_facts=initial_facts, tap=tap)

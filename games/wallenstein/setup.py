"""Set-up: gold, the tower, and the provinces from a table or by draft (3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, check_turn, goto, not_now
from games.core.game import Setup
from games.core.ledger import Ledger, Move
from games.core.messages import faction_name, say
from games.core.prompts import Allocation, Choice, Prompt
from games.core.steps import Account, Act, Outcome
from games.wallenstein import draft
from games.wallenstein.actions import Fill, Take
from games.wallenstein.board import FIVE, in_play, regions_in_play, start_gold, tables_of, thrown_at_start
from games.wallenstein.options import DRAFT
from games.wallenstein.pieces import (
    ARMIES,
    ARMY,
    BANK,
    CUP,
    GOLD,
    PEASANT_ARMIES,
    PEASANTS,
    REGIONS,
    SUPPLY,
    TILES,
    TOWER,
    place_of,
)
from games.wallenstein.state import PLACES, State, clerk, colours_of, in_tower, province_name, supply_of
from games.wallenstein.throws import colour_name, fallen_moves, likely, refuse_strangers

RULE = "3"


def start(setup: Setup) -> Outcome[State]:
    """Return the initial state: pieces and gold are taken, cubes thrown into the tower (3.1 to 3.4)."""
    at = setup.factions.index(setup.first)
    state = State(
        setup=setup,
        ledger=Ledger.of(PLACES, _pieces(setup)),
        frames=(Frame("setup", {"stage": "fill"}),),
        round=0,
        order=setup.factions[at:] + setup.factions[:at],
    )
    account = Account(state)
    _report_unused_provinces(account)
    gold = start_gold(setup)
    account.step(
        "2.6",
        say("start-gold", count=gold),
        moves=[Move(faction, GOLD, BANK, SUPPLY, gold) for faction in setup.factions if gold],
        options=["gold_with_five"] if setup.players == FIVE else [],
    )
    account.step(
        RULE, say("start-pieces"), acts=[Act(faction, say("take-pieces")) for faction in setup.factions]
    )
    _fill_tower(account)
    return account.outcome()


def _pieces(setup: Setup) -> list[tuple[str, str, str, int]]:
    cubes = [(faction, ARMY, SUPPLY, ARMIES) for faction in setup.factions]
    tiles = [(PEASANTS, tile, SUPPLY, count) for tile, count in TILES.items()]
    return [*cubes, (PEASANTS, ARMY, SUPPLY, PEASANT_ARMIES), *tiles]


def _report_unused_provinces(account: Account[State]) -> None:
    """Report the regions or provinces that are unused with this number of players (3.1)."""
    setup = account.state.setup
    used = in_play(setup)
    out = [slug for slug in setup.figures["provinces"] if slug not in used]
    regions = [region for region in REGIONS if region not in regions_in_play(setup)]
    if regions:
        names = (province_name(slug) for slug in out)
        account.step("5.11", say("regions-unused", provinces=tuple(names)), options=["all_events_with_two"])
    elif out:
        account.step(RULE, say("provinces-unused", provinces=tuple(map(province_name, out))))
    else:
        account.step(RULE, say("provinces-all", count=len(used)))


def _fill_tower(account: Account[State]) -> None:
    """Throw the starting cubes of all colours into the tower (3.4)."""
    setup = account.state.setup
    moves = [
        Move(colour, ARMY, SUPPLY, TOWER, thrown_at_start(setup, colour))
        for colour in colours_of(account.state)
        if thrown_at_start(setup, colour)
    ]
    account.step(RULE, say("fill-tower"), moves=moves)


@dataclass(frozen=True, slots=True)
class SetUp:
    """Filling the tower, then letters or the draft. The frame holds the stage."""

    name = "setup"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        match state.frames[-1].data["stage"]:
            case "fill":
                return [_fill_prompt(state)]
            case "tables":
                return _take_prompts(state)
        return draft.prompts(state)

    def act(self, state: State, action: Action) -> Outcome[State]:
        match state.frames[-1].data["stage"], action:
            case "fill", Fill():
                return fill(state, action)
            case "tables", Take():
                return take(state, action)
            case "draft", _:
                return draft.act(state, action)
        raise not_now(action, rule=RULE)

    def resolve(self, state: State) -> Outcome[State] | None:
        match state.frames[-1].data["stage"]:
            case "fill":
                return None if sum(in_tower(state).values()) else _distribute(state)
            case "tables":
                return _last_letter(state)
        return draft.resolve(state)


# The tower


def _fill_prompt(state: State) -> Prompt:
    most = {colour: count for colour, count in in_tower(state).items() if count}
    faction = clerk(state)
    fallen = {colour: likely(count, 0) for colour, count in most.items() if likely(count, 0)}
    return Prompt(
        faction=faction,
        title=say("prompt-fill"),
        rule=RULE,
        example=Fill(faction=faction, fallen=fallen),
        fields=(Allocation("fallen", most, 0, sum(most.values())),),
    )


def fill(state: State, action: Fill) -> Outcome[State]:
    """Return the fallen cubes to the supplies; the others stay in the tower (3.4)."""
    check_turn(action, clerk(state), rule="4")
    refuse_strangers(state, action.fallen)
    for colour, most in in_tower(state).items():
        count = action.fallen.get(colour, 0)
        if count > most:
            raise Illegal(
                say("fill-too-many", count=most, colour=colour_name(colour), fallen=count), rule=RULE
            )
    account = Account(state)
    fallen = {colour: action.fallen.get(colour, 0) for colour in colours_of(state)}
    account.step(RULE, say("fell-out", count=sum(fallen.values())), moves=fallen_moves(state, fallen))
    home = [Move(c, ARMY, CUP, SUPPLY, n) for c, n in fallen.items() if n]
    if home:
        account.step(RULE, say("empty-the-cup"), moves=home)
    account.follow(_distribute(account.state))
    return account.outcome()


def _distribute(state: State) -> Outcome[State]:
    """Begin the distribution by table or by draft; two players always draft (3.5)."""
    account = Account(state)
    tables = tables_of(state.setup)
    if not tables or state.setup.options["distribution"] == DRAFT:
        account.step(
            RULE,
            say("draft-begins"),
            acts=[Act(None, say("shuffle-provinces"))],
            options=_distribution_option(state),
        )
        account.set(frames=goto(state, Frame("setup", draft.beginning(state))))
        return account.outcome()
    account.step(RULE, say("letters-begin", letters=tuple(tables)), options=_distribution_option(state))
    account.set(frames=goto(state, Frame("setup", {"stage": "tables", "taken": {}})))
    return account.outcome()


def _distribution_option(state: State) -> list[str]:
    return ["distribution"] if tables_of(state.setup) else []


# First-game table


def _taken(state: State) -> Mapping[str, str]:
    taken: Mapping[str, str] = state.frames[-1].data["taken"]
    return taken


def _letters_left(state: State) -> tuple[str, ...]:
    return tuple(sorted(set(tables_of(state.setup)) - set(_taken(state).values())))


def _take_prompts(state: State) -> list[Prompt]:
    letters = _letters_left(state)
    return [
        Prompt(
            faction=faction,
            title=say("prompt-take"),
            rule=RULE,
            example=Take(faction=faction, letter=letters[0]),
            fields=(Choice("letter", letters),),
        )
        for faction in state.order
        if faction not in _taken(state)
    ]


def take(state: State, action: Take) -> Outcome[State]:
    """Give a player the provinces and armies of a letter (3.5)."""
    taken = _taken(state)
    if action.faction in taken:
        raise Illegal(say("letter-taken-already", letter=taken[action.faction]), rule=RULE)
    holder = {letter: faction for faction, letter in taken.items()}
    if action.letter in holder:
        raise Illegal(
            say("letter-of", letter=action.letter, faction=faction_name(holder[action.letter])), rule=RULE
        )
    if action.letter not in tables_of(state.setup):
        known = tuple(tables_of(state.setup))
        raise BadInput(say("unknown-letter", letter=action.letter[:40], known=known), rule=RULE)
    return _assign_letter(state, action.faction, action.letter)


def _assign_letter(state: State, faction: str, letter: str) -> Outcome[State]:
    account = Account(state)
    supply = supply_of(state, faction)
    moves: list[Move] = []
    for province, armies in tables_of(state.setup)[letter].items():
        count = min(armies, supply - sum(move.count for move in moves))
        moves += [Move(faction, ARMY, SUPPLY, place_of(province), count)] if count else []
    account.step(
        "2.7",
        say("takes-letter", faction=faction_name(faction), letter=letter, count=len(moves)),
        moves=moves,
        acts=[Act(faction, say("take-cards"))],
    )
    data: dict[str, Json] = {"stage": "tables", "taken": {**_taken(state), faction: letter}}
    account.set(frames=goto(state, Frame("setup", data)))
    return account.outcome()


def _last_letter(state: State) -> Outcome[State] | None:
    """Assign the last letter automatically; begin the first year when all are taken."""
    waiting = [faction for faction in state.order if faction not in _taken(state)]
    if len(waiting) > 1:
        return None
    if waiting:
        return _assign_letter(state, waiting[0], _letters_left(state)[0])
    return draft.distributed(state)

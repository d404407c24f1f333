"""The draft: provinces are taken one by one, each with a group of armies (3.5)."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence

from games.core.actions import Action
from games.core.codec import Json
from games.core.errors import Illegal
from games.core.flow import Frame, check_turn, goto, not_now
from games.core.ledger import Move
from games.core.messages import Message, Name, faction_name, say
from games.core.prompts import Choice, Joint, Prompt
from games.core.steps import Account, Act, Outcome
from games.wallenstein.actions import Draft, Open, Replace
from games.wallenstein.board import groups_of, in_play, refuse_unknown
from games.wallenstein.pieces import ARMY, SUPPLY, place_of
from games.wallenstein.state import State, clerk, owner_of, province_name, supply_of

RULE = "3"
OPEN_CARDS = 2


def beginning(state: State) -> dict[str, Json]:
    """Return the initial frame data: open cards, groups left, and the open cards each player saw last."""
    left = {faction: list(groups_of(state.setup)) for faction in state.setup.factions}
    return {"stage": "draft", "open": None, "turn": state.setup.first, "left": left, "seen": {}}


def _data(state: State) -> dict[str, Json]:
    return dict(state.frames[-1].data)


def _open_cards(state: State) -> list[str]:
    """Return the open cards whose province is unowned; a correction may have given one away."""
    return [card for card in _data(state)["open"] or () if owner_of(state, card) is None]


def _deck(state: State) -> list[str]:
    """Return the provinces whose cards are still in the deck."""
    opened = _open_cards(state)
    return [p for p in in_play(state.setup) if p not in opened and owner_of(state, p) is None]


def _groups(state: State, faction: str) -> list[int]:
    """Return the remaining groups of a player for which the supply has enough cubes."""
    supply = supply_of(state, faction)
    return [size for size in _data(state)["left"][faction] if size <= supply]


def _may_replace(state: State) -> bool:
    """Return True if the same two cards are open as on this player's last turn (3.5)."""
    data = _data(state)
    seen = data["seen"].get(data["turn"])
    return seen is not None and sorted(seen) == sorted(_open_cards(state)) and len(_deck(state)) >= OPEN_CARDS


# Prompts


def prompts(state: State) -> Sequence[Prompt]:
    data = _data(state)
    if data["open"] is None:
        return [_open_prompt(state)]
    offered = [_draft_prompt(state)]
    if _may_replace(state):
        offered.append(_replace_prompt(state))
    return offered


def _pairs(cards: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    return tuple(itertools.combinations(cards, OPEN_CARDS))


def _open_prompt(state: State) -> Prompt:
    faction, pairs = clerk(state), _pairs(_deck(state))
    example = Open(faction=faction, cards=pairs[0])
    title = say("prompt-open")
    return Prompt(faction=faction, title=title, rule=RULE, example=example, fields=(Choice("cards", pairs),))


def _replace_prompt(state: State) -> Prompt:
    faction, pairs = _data(state)["turn"], _pairs(_deck(state))
    example = Replace(faction=faction, cards=pairs[0])
    title = say("prompt-replace")
    return Prompt(faction=faction, title=title, rule=RULE, example=example, fields=(Choice("cards", pairs),))


def _draft_prompt(state: State) -> Prompt:
    faction = _data(state)["turn"]
    takes = _choices(state)
    groups = tuple(sorted(set(_groups(state, faction)), reverse=True))
    return Prompt(
        faction=faction,
        title=say("prompt-draft", count=len(_groups(state, faction))),
        rule=RULE,
        example=Draft(faction=faction, province=takes[0][0] or "", armies=groups[0], turned=takes[0][1]),
        fields=(Joint(("province", "turned"), takes), Choice("armies", groups)),
    )


def _choices(state: State) -> tuple[tuple[str | None, str | None], ...]:
    """Return all choices: an open card with its replacement, or the top card of the deck."""
    deck: list[str | None] = [*_deck(state)]
    opened = [(card, turned) for card in _open_cards(state) for turned in deck or [None]]
    return (*opened, *((card, None) for card in deck))


# Actions


def act(state: State, action: Action) -> Outcome[State]:
    if isinstance(action, Open) and _data(state)["open"] is None:
        check_turn(action, clerk(state), rule="4")
        return _open(state, action.cards, say("opened", cards=_names(action.cards)))
    if _data(state)["open"] is None:
        raise not_now(action, rule=RULE)
    if isinstance(action, Replace):
        return replace_open(state, action)
    if isinstance(action, Draft):
        return take(state, action)
    raise not_now(action, rule=RULE)


def _names(cards: Sequence[str]) -> tuple[Name, ...]:
    return tuple(map(province_name, cards))


def _open(state: State, cards: Sequence[str], message: Message) -> Outcome[State]:
    for card in cards:
        refuse_province(state, card)
    if {len(cards), len(set(cards))} != {OPEN_CARDS} or not set(cards) <= set(_deck(state)):
        raise Illegal(say("two-new-cards"), rule=RULE)
    account = Account(state)
    account.step(RULE, message)
    account.set(frames=goto(state, Frame("setup", {**_data(state), "open": sorted(cards)})))
    return account.outcome()


def refuse_province(state: State, province: str) -> None:
    """Raise `BadInput` or `Illegal` unless the province is on the map, in play and unowned (3.1)."""
    refuse_unknown(state.setup, province)
    if province not in in_play(state.setup):
        number = Name("number", str(state.setup.players))
        raise Illegal(say("not-used", province=province_name(province), number=number), rule=RULE)
    owner = owner_of(state, province)
    if owner is not None:
        raise Illegal(
            say("belongs-to", province=province_name(province), faction=faction_name(owner)), rule=RULE
        )


def replace_open(state: State, action: Replace) -> Outcome[State]:
    """Put both open cards under the deck and open two others (3.5)."""
    check_turn(action, _data(state)["turn"], rule="4")
    if not _may_replace(state):
        raise Illegal(say("same-two-cards"), rule=RULE)
    message = say(
        "replaced",
        faction=faction_name(action.faction),
        before=_names(_open_cards(state)),
        cards=_names(action.cards),
    )
    return _open(state, action.cards, message)


def take(state: State, action: Draft) -> Outcome[State]:
    """Take a card, place a whole group in its province and turn up another card (3.5)."""
    check_turn(action, _data(state)["turn"], rule="4")
    refuse_province(state, action.province)
    _refuse_turned(state, action)
    _refuse_group(action.armies, _groups(state, action.faction))
    account = Account(state)
    name = province_name(action.province)
    account.step(
        RULE,
        say("drafts", faction=faction_name(action.faction), province=name, count=action.armies),
        moves=[Move(action.faction, ARMY, SUPPLY, place_of(action.province), action.armies)],
        acts=[Act(None, say("turn-up", province=province_name(action.turned)))] if action.turned else [],
    )
    account.set(frames=goto(state, Frame("setup", _data_after(state, action))))
    return account.outcome()


def _refuse_turned(state: State, action: Draft) -> None:
    opened = action.province in _open_cards(state)
    others = [card for card in _deck(state) if card != action.province]
    if not opened and action.turned is not None:
        raise Illegal(say("nothing-to-turn"), rule=RULE)
    if opened and others and action.turned is None:
        raise Illegal(say("turn-one-up"), rule=RULE)
    if opened and action.turned is not None:
        refuse_province(state, action.turned)
        if action.turned not in others:
            raise Illegal(say("two-new-cards"), rule=RULE)


def _refuse_group(armies: int, groups: Collection[int]) -> None:
    if armies in groups:
        return
    larger = sorted(size for size in groups if size > armies)
    if larger:
        raise Illegal(say("whole-group", count=larger[0]), rule=RULE)
    raise Illegal(say("no-such-group", count=armies), rule=RULE)


def _data_after(state: State, action: Draft) -> dict[str, Json]:
    """Return the frame data after a card was taken."""
    data = _data(state)
    groups = list(data["left"][action.faction])
    groups.remove(action.armies)
    opened = [card for card in _open_cards(state) if card != action.province]
    return {
        **data,
        "open": sorted([*opened, action.turned] if action.turned else opened),
        "left": {**data["left"], action.faction: groups},
        "seen": {**data["seen"], action.faction: _open_cards(state)},
        "turn": _next_player(state, action.faction),
    }


def _next_player(state: State, faction: str) -> str:
    seats = state.setup.factions
    return seats[(seats.index(faction) + 1) % len(seats)]


# Automatic transitions


def resolve(state: State) -> Outcome[State] | None:
    """Skip players without groups; end the draft when nobody has one or no province is free."""
    data = _data(state)
    free = [*_open_cards(state), *_deck(state)]
    if not free or not any(_groups(state, faction) for faction in state.setup.factions):
        return distributed(state)
    if data["open"] is None:
        if len(_deck(state)) < OPEN_CARDS:
            return distributed(state)
        return None
    if _groups(state, data["turn"]):
        return None
    account = Account(state)
    account.step(RULE, say("no-group-left", faction=faction_name(data["turn"])))
    account.set(frames=goto(state, Frame("setup", {**data, "turn": _next_player(state, data["turn"])})))
    return account.outcome()


def distributed(state: State) -> Outcome[State]:
    """Report the unowned provinces as neutral and begin the first year (3.6)."""
    free = [p for p in in_play(state.setup) if owner_of(state, p) is None]
    account = Account(state)
    account.step(RULE, say("neutral-provinces", count=len(free), provinces=_names(free)))
    account.set(frames=(Frame("events"),))
    return account.outcome()

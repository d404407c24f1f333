"""A year and its seasons: event row, action row, turn order, current event (4)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from games.core.actions import Action
from games.core.codec import Json, to_json
from games.core.errors import Illegal
from games.core.flow import Frame, check_turn, goto, not_now
from games.core.ledger import Move
from games.core.messages import Name, faction_names, say
from games.core.prompts import Choice, Plan, Prompt
from games.core.steps import Account, Act, Outcome
from games.wallenstein import planning
from games.wallenstein.actions import Event, Events, Order, Row
from games.wallenstein.board import TWO
from games.wallenstein.cards import (
    ACTIONS,
    EVENTS,
    EVENTS_OF_A_YEAR,
    LARGEST_LOSS,
    OPEN_ACTIONS,
    EventCard,
    action_name,
    copies_left,
    event_name,
    refuse_action,
    refuse_event,
    refuse_losses,
    region_of,
)
from games.wallenstein.pieces import BANK, GRAIN, SUPPLY, UNUSED_BY_TWO
from games.wallenstein.state import State, clerk, grain_of, season_of, year_of

RULE = "4"
PLAIN_LOSS = 3  # default in examples: the most common number in the second edition


# Y-a and Y-b: the beginning of a year


def deck_of(state: State) -> dict[str, int]:
    """Return the number of copies of each event card in the deck (2.4, A-23, A-24)."""
    options = state.setup.options
    withdrawn = state.setup.players == TWO and not options["all_events_with_two"]
    used = {
        event: copies
        for event, copies in EVENTS.items()
        if not (withdrawn and region_of(event) in UNUSED_BY_TWO)
    }
    return copies_left(used, () if options["reshuffle_events"] else state.drawn)


@dataclass(frozen=True, slots=True)
class YearBegins:
    """The first player enters the four event cards of the year with their grain losses."""

    name = "events"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction, deck = clerk(state), deck_of(state)
        cards = [event for event, copies in deck.items() for _ in range(max(0, copies))]
        example = tuple(EventCard(event, PLAIN_LOSS) for event in cards[:EVENTS_OF_A_YEAR])
        described: Json = {"events": deck, "count": EVENTS_OF_A_YEAR, "low": 0, "high": LARGEST_LOSS}
        return [
            Prompt(
                faction=faction,
                title=say("prompt-events"),
                rule=RULE,
                example=Events(faction=faction, cards=example),
                fields=(Plan(("cards",), AnyEvents(tuple(cards)), described),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Events):
            raise not_now(action, rule=RULE)
        check_turn(action, clerk(state), rule=RULE)
        _refuse_events(deck_of(state), action.cards)
        return begin_year(state, action.cards)

    def resolve(self, state: State) -> Outcome[State] | None:
        return None


@dataclass(frozen=True, slots=True)
class AnyEvents:
    """Sampler for the event cards of a year."""

    cards: tuple[str, ...]

    def __call__(self, below: Callable[[int], int]) -> tuple[Json, ...]:
        drawn = planning.some(below, self.cards, EVENTS_OF_A_YEAR)
        return ([to_json(EventCard(event, below(LARGEST_LOSS + 1))) for event in drawn],)


def _refuse_events(deck: dict[str, int], cards: Sequence[EventCard]) -> None:
    if len(cards) != EVENTS_OF_A_YEAR:
        raise Illegal(say("four-events"), rule=RULE)
    events = [card.event for card in cards]
    for event in events:
        refuse_event(event)
    refuse_copies(deck, events)
    refuse_losses(cards)


def refuse_copies(deck: Mapping[str, int], events: Sequence[str]) -> None:
    """Raise `Illegal` if more cards of an event are named than the deck has (2.4)."""
    for event in events:
        copies = max(0, deck.get(event, 0))
        if events.count(event) > copies:
            code = "event-copies" if copies else "event-none-left"
            params = {"count": copies} if copies else {}
            raise Illegal(say(code, event=event_name(event), **params), rule="2.4")


def begin_year(state: State, cards: Sequence[EventCard]) -> Outcome[State]:
    """Set up the event row, reset all grain to 0 and begin spring (4)."""
    account = Account(state)
    account.set(
        round=state.round + 1,
        events=tuple(cards),
        drawn=(*state.drawn, *(card.event for card in cards)),
    )
    names = tuple(say("event-with-loss", event=event_name(c.event), loss=c.loss) for c in cards)
    account.step(
        RULE,
        say("year-begins", year=year_of(account.state), events=names),
        options=["reshuffle_events"] if state.drawn else [],
    )
    grain = [(faction, grain_of(state, faction)) for faction in state.setup.factions]
    account.step(
        RULE,
        say("grain-reset"),
        moves=[Move(faction, GRAIN, SUPPLY, BANK, count) for faction, count in grain if count],
    )
    _begin_season(account)
    return account.outcome()


def _begin_season(account: Account[State]) -> None:
    state = account.state
    account.step(
        RULE,
        say("season-begins", season=Name("season", season_of(state)), year=year_of(state)),
        acts=[Act(None, say("shuffle-actions"))],
    )
    account.set(row=(), current=None, frames=(Frame("row"),))


# S-a: the action row


@dataclass(frozen=True, slots=True)
class ActionRow:
    """Five action cards are turned up, five stay face down."""

    name = "row"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = clerk(state)
        described: Json = {"actions": list(ACTIONS), "count": OPEN_ACTIONS}
        return [
            Prompt(
                faction=faction,
                title=say("prompt-row"),
                rule=RULE,
                example=Row(faction=faction, cards=ACTIONS[:OPEN_ACTIONS]),
                fields=(Plan(("cards",), planning.AnySome(ACTIONS, OPEN_ACTIONS), described),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Row):
            raise not_now(action, rule=RULE)
        check_turn(action, clerk(state), rule=RULE)
        refuse_row(action.cards)
        if len(action.cards) != OPEN_ACTIONS:
            raise Illegal(say("five-actions"), rule=RULE)
        account = Account(state)
        account.step(
            RULE,
            say("row-laid", actions=tuple(map(action_name, action.cards))),
            acts=[Act(None, say("plan-on-phones" if planning.on_phones(state) else "plan-now"))],
        )
        account.set(row=action.cards)
        account.state = planning.begin(account.state)
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None


def refuse_row(cards: Sequence[str]) -> None:
    """Raise `BadInput` or `Illegal` if an action card is unknown or named twice (4)."""
    for place, card in enumerate(cards):
        refuse_action(card)
        if card in cards[:place]:
            raise Illegal(
                say("action-twice", action=action_name(card), place=cards.index(card) + 1), rule=RULE
            )


# S-c: the turn order


@dataclass(frozen=True, slots=True)
class PlayOrder:
    """The general cards are shuffled to give the turn order (A-05)."""

    name = "order"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = clerk(state)
        orders = tuple(itertools.permutations(state.order))
        return [
            Prompt(
                faction=faction,
                title=say("prompt-order"),
                rule=RULE,
                example=Order(faction=faction, order=state.order),
                fields=(Choice("order", orders),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Order):
            raise not_now(action, rule=RULE)
        check_turn(action, clerk(state), rule=RULE)
        if sorted(action.order) != sorted(state.order):
            raise Illegal(say("order-of-all", known=faction_names(state.setup.factions)), rule=RULE)
        account = Account(state)
        names = faction_names(action.order)
        account.step(RULE, say("order-laid", factions=names), options=["player_order"])
        account.set(order=action.order, frames=goto(state, Frame("event")))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None


# S-d: the current event


@dataclass(frozen=True, slots=True)
class CurrentEvent:
    """One of the remaining event cards of the year is drawn for the season."""

    name = "event"
    rule = RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction = clerk(state)
        return [
            Prompt(
                faction=faction,
                title=say("prompt-event"),
                rule=RULE,
                example=Event(faction=faction, card=0),
                fields=(Choice("card", tuple(range(len(state.events)))),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Event):
            raise not_now(action, rule=RULE)
        check_turn(action, clerk(state), rule=RULE)
        if action.card >= len(state.events):
            raise Illegal(say("no-such-event", count=len(state.events)), rule=RULE)
        card = state.events[action.card]
        account = Account(state)
        account.step(
            RULE,
            say("event-drawn", event=event_name(card.event), season=Name("season", season_of(state))),
            acts=[Act(None, say("lay-event"))],
        )
        left = tuple(c for place, c in enumerate(state.events) if place != action.card)
        account.set(
            current=card.event, events=left, frames=goto(state, Frame("actions", {"action": 0, "turn": 0}))
        )
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        return None


# The end of a season


def end_season(state: State) -> Outcome[State]:
    """Begin the next season of the year, or winter after autumn (4)."""
    account = Account(state)
    account.set(round=state.round + 1, current=None, plans={}, turned={}, empty={}, hands={}, lost=())
    if season_of(account.state) == "winter":
        account.set(frames=(Frame("winter", {"begun": False, "hungry": [], "drawn": []}),), row=())
    else:
        _begin_season(account)
    return account.outcome()

"""The ``Game`` record: the parts that a game provides, and the operations common to all games.

A game's package creates one ``Game``. There is no inheritance between games: differences are in the
parts, common behaviour is here.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Generic, TypeVar

from games.core.actions import (
    CORE_ACTIONS,
    Action,
    Correct,
    Position,
    Ruling,
    SetFigure,
    SetOption,
    read_action,
)
from games.core.annals import Annals
from games.core.boards import Board
from games.core.codec import Json, from_json, to_json
from games.core.corrections import correct
from games.core.errors import BadInput, Illegal, Refused
from games.core.figures import printed, set_figure
from games.core.flow import Frame, Machine
from games.core.ledger import Ledger, Move, Places
from games.core.messages import Message, Wording, say
from games.core.options import AnyOption, check_names, read_options, told_value
from games.core.positions import take_position
from games.core.prompts import Prompt
from games.core.steps import Account, Outcome

S = TypeVar("S", bound="Any")


@dataclass(frozen=True, slots=True)
class Setup:
    """Decisions made before the first entry, stored with the table."""

    factions: tuple[str, ...]  # clockwise
    players: int  # number of people; some may play two factions
    first: str
    options: Mapping[str, Json]
    figures: Mapping[str, Json]  # printed figures of the group's own copy


class State(typing.Protocol):
    """Attributes of a state that the core uses; each game adds its own."""

    @property
    def setup(self) -> Setup: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def frames(self) -> tuple[Frame, ...]: ...
    @property
    def round(self) -> int: ...
    @property
    def order(self) -> tuple[str, ...]: ...
    @property
    def rulings(self) -> Mapping[str, Ruling]: ...  # of the entry being applied; empty between entries


@dataclass(frozen=True, slots=True)
class Standing:
    """Points of a faction, in total and by source."""

    faction: str
    points: Fraction
    parts: Mapping[str, Fraction]

    @classmethod
    def of(cls, faction: str, parts: Mapping[str, Fraction | int]) -> Standing:
        exact = {source: Fraction(points) for source, points in parts.items()}
        return cls(faction, sum(exact.values(), Fraction(0)), exact)


@dataclass(frozen=True, slots=True)
class Result:
    """Final ranking of a game, from the first place down; tied factions share a place."""

    ranking: tuple[tuple[str, ...], ...]
    reason: Message | None = None  # the decisive tie-break, if any

    @property
    def winners(self) -> tuple[str, ...]:
        return self.ranking[0]


@dataclass(frozen=True, slots=True)
class Texts:
    """English wording of a game: messages by code, names by ``kind:slug``, rules by section."""

    messages: Mapping[str, Wording]
    names: Mapping[str, str]
    rules: Mapping[str, str]


def one_each(rule: str, people: int, factions: Sequence[str]) -> None:
    """Raise ``Illegal`` unless there is one faction per person."""
    if len(factions) != people:
        raise Illegal(say("core.one-each", players=people, count=len(factions)), rule=rule)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[S]):
    """Interface of a game to the rest of the application."""

    slug: str
    name: str
    version: int  # of the rules; stored with each entry
    min_players: int
    max_players: int
    factions: tuple[str, ...]
    neutrals: tuple[str, ...] = ()
    nobodys: Mapping[str, Message] = field(default_factory=dict)  # colour that no player may have -> reason
    pieces: frozenset[str]
    places: Places
    options: tuple[AnyOption, ...]
    actions: tuple[type[Action], ...]
    board: Board
    texts: Texts
    state: type[S]
    machine: Machine[S]
    refuse_action: Callable[[S, Action], None] | None = None  # check in every phase; may raise ``Refused``
    start_rule: str
    start: Callable[[Setup], Outcome[S]]
    refuse_seating: Callable[[int, Sequence[str]], None] | None = (
        None  # (people, factions); None: one faction each
    )
    knows_place: Callable[[S, str], bool]
    place_message: Callable[[str], Message]  # wording of a place without a name of its own
    standings: Callable[[S], list[Standing]]
    # standings including end-of-game scoring; None: the same as ``standings``
    ended: Callable[[S], list[Standing]] | None = None
    result: Callable[[S], Result | None]
    provisional: Callable[[S], Message | None]  # the reason why the standings are not final
    invariants: Callable[[S], list[Message]]
    uncounted: frozenset[str] = frozenset()  # pieces in unlimited number: points, money
    resume: Callable[[S, Position], S]  # completes a state built from a position; may raise ``Refused``
    figures_wrong: Callable[[Mapping[str, Json]], list[Message]] = field(default=lambda _figures: [])
    view: Callable[[S, str | None], S] = field(default=lambda state, _faction: state)
    hand: Callable[[Move], str] = field(default=lambda move: move.owner)  # faction that makes a move by hand
    # True while an entry must be kept from others; called only for actions with ``hidden`` set
    is_hidden: Callable[[S, Action], bool] = field(default=lambda _state, _action: False)
    # reveals(now, then): True if ``then`` shows something that is hidden in ``now``
    reveals: Callable[[S, S], bool] = field(default=lambda _now, _then: False)
    annals: Annals[S] | None = None  # report data besides points and times

    # Before the first entry

    def prepare(
        self,
        factions: Sequence[str],
        *,
        players: int | None = None,
        first: str | None = None,
        options: Json = None,
        figures: Mapping[str, Json] | None = None,
    ) -> Setup:
        """Return a validated set-up. Raise ``Refused`` with a message for the host."""
        people = len(factions) if players is None else players
        if not self.min_players <= people <= self.max_players:
            raise Illegal(say("players", least=self.min_players, most=self.max_players), rule=self.start_rule)
        for faction in factions:
            if faction in self.nobodys:
                raise Illegal(self.nobodys[faction], rule=self.start_rule)
        if len(set(factions)) != len(factions) or not set(factions) <= set(self.factions):
            raise Illegal(say("core.factions", known=self.factions), rule=self.start_rule)
        if self.refuse_seating is None:
            one_each(self.start_rule, people, factions)
        else:
            self.refuse_seating(people, factions)
        if first is not None and first not in factions:
            raise BadInput(say("core.first-not-seated"))
        given = {} if options is None else options
        printed_figures = figures or self.board.figures
        wrong = self.figures_wrong(printed_figures)
        if wrong:
            raise BadInput(wrong[0])
        return Setup(
            factions=tuple(factions),
            players=people,
            first=first or factions[0],
            options=read_options(self.options, given, printed(self.options, printed_figures)),
            figures=printed_figures,
        )

    # Playing

    def read_action(self, data: Json, faction: str) -> Action:
        """Parse an action of this game. Raise ``BadInput`` if it is malformed."""
        return read_action({kind.type: kind for kind in (*self.actions, *CORE_ACTIONS)}, data, faction)

    def prompts(self, state: S) -> list[Prompt]:
        """Return the actions that factions may enter now, in a fixed order."""
        return self.machine.prompts(state)

    def apply(self, state: S, action: Action) -> Outcome[S]:
        """Return the state after an entry and its steps. Raise ``Refused`` if it is not allowed."""
        return self._apply(state, action, None)

    def foresee(self, state: S, action: Action, now: S | None = None) -> Outcome[S]:
        """Preview ``apply``, stopping before anything hidden in ``now`` (default: ``state``) is revealed.

        The stopping point depends on public information only. Raise ``Refused`` like ``apply``.
        """
        known = state if now is None else now
        return self._apply(state, action, lambda then: self.reveals(known, then))

    def _apply(self, state: S, action: Action, stops: Callable[[S], bool] | None) -> Outcome[S]:
        if action.faction not in state.setup.factions:
            raise BadInput(say("core.not-seated", faction=action.faction[:40]))
        unknown = [name for name in action.rulings if not name.strip()]
        if unknown or any(not ruling.reason.strip() for ruling in action.rulings.values()):
            raise BadInput(say("core.ruling-reason"))
        outcome = self._act(replace(state, rulings=action.rulings), action, stops)
        ruled = {inner.key for step in outcome.steps for inner in step.all_steps() if inner.ruling}
        unused = sorted(set(action.rulings) - ruled)
        if unused:
            raise BadInput(say("core.ruling-unheard", key=unused[0][:60]))
        return replace(outcome, state=replace(outcome.state, rulings={}))

    def _act(self, state: S, action: Action, stops: Callable[[S], bool] | None) -> Outcome[S]:
        if isinstance(action, Position):
            return self.machine.settle(take_position(self, state, action), stops)
        if isinstance(action, Correct):
            return self.machine.settle(correct(self, state, action), stops)
        if isinstance(action, SetOption):
            return self.machine.settle(self._set_option(state, action), stops)
        if isinstance(action, SetFigure):
            return self.machine.settle(set_figure(self, state, action), stops)
        if self.refuse_action is not None:
            self.refuse_action(state, action)
        return self.machine.act(state, action, stops)

    def why_not(self, state: S, action: Action) -> Refused | None:
        """Return the exception that ``apply`` would raise for an entry, or None."""
        try:
            self.apply(state, action)
        except Refused as refusal:
            return refusal
        return None

    def _set_option(self, state: S, action: SetOption) -> Outcome[S]:
        check_names(self.options, [action.name])
        option = next(option for option in self.options if option.name == action.name)
        if option.fixed:
            raise Illegal(say("core.option-fixed", option=action.name), rule="option")
        value = option.read(action.value)
        account = Account(state)
        account.step(
            "option",
            say(
                "core.option-set",
                option=say(f"option.{action.name}"),
                value=told_value(value),
                reason=action.reason,
            ),
        )
        account.set(setup=replace(state.setup, options={**state.setup.options, action.name: value}))
        return account.outcome()

    # Queries

    @property
    def secrets(self) -> frozenset[str]:
        """Types of the actions that are hidden from others at first; empty in most games."""
        return frozenset(kind.type for kind in self.actions if kind.hidden)

    @property
    def if_it_ended_now(self) -> Callable[[S], list[Standing]]:
        """Function that computes the standings as if the game ended now."""
        return self.ended or self.standings

    def phase(self, state: S) -> str:
        return str(state.frames[-1].phase)

    def waiting_for(self, state: S) -> tuple[str, ...]:
        """Return the factions that may enter something, in play order."""
        prompted = {prompt.faction for prompt in self.prompts(state)}
        return tuple(faction for faction in state.order if faction in prompted)

    def facts(self, state: S) -> dict[str, Json]:
        """Encode the state without ledger and set-up as JSON."""
        data: dict[str, Json] = to_json(state)
        del data["ledger"], data["setup"], data["rulings"]
        return data

    # Encoding

    def state_json(self, state: S) -> dict[str, Json]:
        data: dict[str, Json] = to_json(state)
        del data["rulings"]
        return data

    def read_state(self, data: Mapping[str, Json]) -> S:
        """Parse a state encoded by ``state_json``."""
        hints = typing.get_type_hints(self.state, include_extras=True)
        names = [f.name for f in dataclasses.fields(self.state) if f.name not in ("ledger", "rulings")]
        ledger = Ledger.from_json(self.places, data["ledger"])
        facts = {name: from_json(hints[name], data[name], name) for name in names}
        return typing.cast("S", self.state(ledger=ledger, **facts))


AnyGame = Game[Any]

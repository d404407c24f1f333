"""Score pad of Revolution: results and play order per round (rulebook 4.3 to 4.5, 5.8, 6.20)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from games.core import pads
from games.core.actions import Action
from games.core.codec import Count, Json
from games.core.errors import BadInput, Illegal
from games.core.flow import Frame, check_turn, not_now
from games.core.game import Game, Result, Setup, Texts
from games.core.messages import faction_name, faction_names, say, text
from games.core.pads import Amounts, Form, Sheet, State, TableEntry
from games.core.prompts import Allocation, Choice, Prompt
from games.core.rulings import judge
from games.core.steps import Account, Outcome, Step
from games.revolution import REVOLUTION, play_order, round_wording, scoring
from games.revolution.board import CITIES, COUNTS
from games.revolution.factions import (
    BOXES,
    BURGHERS,
    CATHOLICS,
    HABSBURGS,
    NOBILITY,
    REFORMERS,
    alliances_of,
    in_fixed_order,
    sides_of,
)
from games.revolution.provinces import PROVINCES
from games.revolution.state import LAST_ROUND
from games.revolution.wording import ROUNDS, TEXTS

SMALL = 3  # largest sum of points of all small provinces
HALF, TENTH = Fraction(1, 2), Fraction(1, 10)
OBJECTIVES: Mapping[str, int] = {
    CATHOLICS: COUNTS["bishoprics"],
    HABSBURGS: 12,
    BURGHERS: COUNTS["commercial"],
    REFORMERS: COUNTS["universities"],
}
"""Largest count of each faction's goal; the Nobility counts its own counters (4.3)."""

# Cards of small provinces show tenths, so the sheet counts in tenths.
SHEET = Sheet(
    lines=tuple(str(number) for number in range(LAST_ROUND + 1)),
    sources=("cities", "provinces", "minor_provinces", "objective"),
    piece="tenth",
    per_point=10,
    adds_up=False,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Results(Action):
    """Holdings of every faction at the end of a round: points of provinces, counts of goals."""

    type: ClassVar[str] = "results"
    cities: Mapping[str, Count] = field(default_factory=dict)
    provinces: Mapping[str, Json] = field(default_factory=dict)
    objective: Mapping[str, Count] = field(default_factory=dict)
    minor_provinces: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft(Action):
    """Index at which a faction inserts its card into the row."""

    type: ClassVar[str] = "draft"
    position: Count


def start(setup: Setup) -> Outcome[State]:
    """Begin round 0 in the fixed order (4.2.1)."""
    order = in_fixed_order(setup.factions)
    account = Account(pads.first_state(setup, 0, order, Frame("results")))
    account.step("4.2.1", say("pad.fixed-order", row=faction_names(order)))
    return account.outcome()


# Results (5.8, 6.20)


def _cities(state: State) -> Allocation:
    return pads.shared("cities", state.order, CITIES)


def _amounts(state: State) -> dict[str, Amounts]:
    """Return the columns of points and goals; small provinces only in the last round."""
    columns = [
        Amounts("provinces", dict.fromkeys(state.order, len(PROVINCES)), HALF),
        Amounts("objective", {faction: _most(state, faction) for faction in state.order}),
    ]
    if _is_final(state):
        columns.append(Amounts("minor_provinces", dict.fromkeys(state.order, SMALL), TENTH))
    return {column.name: column for column in columns}


def _form(state: State) -> Form:
    amounts = _amounts(state)
    return Form(
        title=say("pad.results", round=state.round),
        fields=(_cities(state), *amounts.values()),
        filled={name: dict(state.held.get(name, {})) for name in ("cities", *amounts)},
    )


def _most(state: State, faction: str) -> int:
    """Return the largest count of a faction's goal; the Nobility counts its own counters (4.3)."""
    return BOXES[state.setup.players].counters if faction == NOBILITY else OBJECTIVES[faction]


def _is_final(state: State) -> bool:
    return state.round == LAST_ROUND


def _score(state: State, action: Results) -> Outcome[State]:
    """Score all factions from zero, then begin the draft, or declare the winner after round 5 (4.4, 5.8)."""
    held = _read(state, action)
    final, players = _is_final(state), state.setup.players
    standings = {f: scoring.score(f, holding, players, final=final) for f, holding in held.items()}
    finer = {f: scoring.steps(standings[f], held[f], players, final=final)[0] for f in held}
    account = Account(state)
    line = str(state.round)
    pads.enter(
        account,
        SHEET,
        line,
        f"score:{line}",
        {f: (standings[f].parts, finer[f]) for f in held},
    )
    account.set(held=_carried_over(action))
    if final:
        return _finish(account)
    return _begin_draft(account)


def _carried_over(action: Results) -> Mapping[str, Json]:
    """Return the results to prefill the next round with, as most of them stay."""
    columns = {"cities": action.cities, "provinces": action.provinces, "objective": action.objective}
    return {name: {f: n for f, n in column.items() if n} for name, column in columns.items()}


def _read(state: State, action: Results) -> dict[str, scoring.Held]:
    cities = pads.read_shared([_cities(state)], action, scoring.RULE)["cities"]
    columns = _amounts(state)
    if action.minor_provinces and not _is_final(state):
        raise Illegal(say("score-small-later"), rule=scoring.SMALL_RULE)
    provinces = columns["provinces"].read(action.provinces, scoring.RULE)
    objective = columns["objective"].read(action.objective, scoring.RULE)
    small = dict.fromkeys(state.order, Fraction(0))
    if _is_final(state):
        small = columns["minor_provinces"].read(action.minor_provinces, scoring.SMALL_RULE)
    return {f: scoring.Held(cities[f], (provinces[f],), (small[f],), int(objective[f])) for f in state.order}


SCORING = TableEntry("results", scoring.RULE, Results, _form, _score)


# The draft (6.20)


def _begin_draft(account: Account[State]) -> Outcome[State]:
    """Begin the draft with the first card laid; the faction with most points comes first (6.20)."""
    state = account.state
    points = SHEET.points(state)
    cards = play_order.laying(points, state.order)
    verdict = judge(
        state, "laying", cards, tuple[str, ...], lambda ruled: _refuse_unless_all(ruled, state.order)
    )
    step = play_order.laying_step(verdict.result, points) if not verdict.ruling else _ruled(verdict.result)
    account.add(step.settles(verdict))
    first = verdict.result[0]
    account.step(play_order.RULE, say("pad.first-card", faction=faction_name(first)))
    account.set(frames=(Frame("draft", {"cards": list(verdict.result), "row": [first]}),))
    return account.outcome()


def _ruled(cards: Sequence[str]) -> Step:
    return Step(play_order.RULE, say("pad.laying-ruled", row=faction_names(cards)))


def _refuse_unless_all(cards: Sequence[str], order: Sequence[str]) -> None:
    if sorted(cards) != sorted(order):
        raise BadInput(say("not-an-order", known=tuple(order)), rule=play_order.RULE)


@dataclass(frozen=True, slots=True)
class Drafting:
    """Draft of the play order; the frame holds the order of laying and the row."""

    name = "draft"
    rule = play_order.RULE

    def prompts(self, state: State) -> Sequence[Prompt]:
        faction, row = _laying(state)
        return [
            Prompt(
                faction=faction,
                title=say("pad.lay", row=faction_names(row)),
                rule=self.rule,
                example=Draft(faction=faction, position=len(row)),
                fields=(Choice("position", tuple(range(len(row) + 1))),),
            )
        ]

    def act(self, state: State, action: Action) -> Outcome[State]:
        if not isinstance(action, Draft):
            raise not_now(action, rule=self.rule)
        faction, row = _laying(state)
        check_turn(action, faction, rule=self.rule)
        grown = play_order.inserted(row, faction, action.position)
        account = Account(state)
        account.step(self.rule, play_order.laid(faction, grown))
        account.set(frames=(state.frames[-1].with_data(row=list(grown)),))
        return account.outcome()

    def resolve(self, state: State) -> Outcome[State] | None:
        """Make a complete row the next round's play order (6.20)."""
        data = state.frames[-1].data
        if len(data["row"]) < len(data["cards"]):
            return None
        row = tuple(data["row"])
        account = Account(state)
        account.step(self.rule, play_order.new_order(row))
        account.set(order=row, round=state.round + 1, frames=(Frame("results"),))
        return account.outcome()


def _laying(state: State) -> tuple[str, tuple[str, ...]]:
    """Return the faction that lays a card now, and the row."""
    data = state.frames[-1].data
    row = tuple(data["row"])
    return data["cards"][len(row)], row


# The winner (4.5)


def _finish(account: Account[State]) -> Outcome[State]:
    ranking = rank(account.state)
    first = ranking.ranking[0]
    sums = _sums(account.state)
    best = [side for side in sums if set(side) <= set(first)]
    code = "pad.wins" if len(best) == 1 else "pad.share"
    account.step("4.5", say(code, factions=faction_names(first), points=sums[best[0]]))
    pads.complete(account)
    return account.outcome()


def _sums(state: State) -> dict[tuple[str, ...], Fraction]:
    return scoring.side_points(SHEET.points(state), sides_of(state.setup.players, state.order))


def rank(state: State) -> Result:
    """Return the ranking by points; exact ties share a place (4.5)."""
    sums = _sums(state)
    strength = {faction: total for side, total in sums.items() for faction in side}
    order = sorted(set(strength.values()), reverse=True)
    places = tuple(tuple(f for f in state.order if strength[f] == s) for s in order)
    if not alliances_of(state.setup.players):
        return Result(places)
    told = tuple(say("pad.sum", factions=faction_names(side), points=total) for side, total in sums.items())
    return Result(places, say("pad.sums", sums=told))


WORDING = pads.texts(
    TEXTS,
    Texts(
        messages={
            "pad.fixed-order": text("Round 0 is played in the fixed order: {row}."),
            "pad.results": text("Enter the results of round {round}"),
            "pad.first-card": text("{faction}: the first card lies there."),
            "pad.laying-ruled": text("Cards are laid as the table ruled: {row}."),
            "pad.lay": text("Lay your card into the row: {row}"),
            "pad.wins": text("{factions}: the victory, with {points} points."),
            "pad.share": text("{factions} share the victory, with {points} points."),
            "pad.sums": text("With two players the sums count: {sums}."),
            "pad.sum": text("{factions} {points}"),
        },
        names={
            **{f"line:{number}": name for number, name in enumerate(ROUNDS)},
            "phase:results": text("Results"),
            "phase:draft": round_wording.NAMES["phase:draft"],
            "piece:tenth": text("tenths of a point"),
            "column:cities": text("Cities", "column"),
            "column:provinces": text("Province points"),
            "column:objective": text("Goal, count"),
            "column:minor_provinces": text("Small, points"),
            "part:objective": text("Special goal"),
        },
        rules={"4.2.1": text("Play order of round 0"), "4.5": round_wording.RULES["4.5"]},
    ),
)

PAD: Game[State] = pads.pad(
    REVOLUTION,
    SHEET,
    actions=(Results, Draft),
    phases=(SCORING, Drafting()),
    texts=WORDING,
    start=start,
    ranking=rank,
    resume={"results": None},
    start_rule=REVOLUTION.start_rule,
    end_rule="4.5",
)

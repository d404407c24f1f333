"""Players with plain sense: they finish every game, always the same way, and better than by chance."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pytest

from companion.statistics.intervals import wilson
from companion.statistics.simulation import seatings
from games.core.actions import Action
from games.core.errors import Illegal
from games.core.messages import say
from games.core.prompts import Allocation, Choice, Group, Prompt
from games.core.steps import Outcome
from games.registry import GAMES
from players.chance import Chance
from players.heuristic import Heuristic, Sense, compared, heaped, some_of
from players.registry import KNOWN, party
from tests.players.games import journal, match

EVERY_TABLE = [(slug, n) for slug, g in GAMES.items() for n in range(g.min_players, g.max_players + 1)]
SHORT = [("wallenstein", 3), ("signoria", 2), ("raubritter", 2)]


def test_every_game_has_players() -> None:
    assert set(KNOWN) == set(GAMES)


# Whole games


def plays_to_the_end(slug: str, players: int, careless: tuple[str, ...] | None = ()) -> None:
    played = match(slug, players, "end", careless)
    entries = list(played.play())
    state = entries[-1].outcome.state
    assert played.game.result(state) is not None
    assert played.game.invariants(state) == []


@pytest.mark.parametrize(("slug", "players"), SHORT)
def test_a_game_is_played_to_its_end(slug: str, players: int) -> None:
    plays_to_the_end(slug, players)


def test_a_game_against_careless_players_is_played_to_its_end() -> None:
    """Of the longest game only one faction is played with sense here; that costs less."""
    plays_to_the_end("revolution", 3, careless=None)


@pytest.mark.long
@pytest.mark.parametrize(("slug", "players"), [table for table in EVERY_TABLE if table not in SHORT])
def test_every_game_is_played_to_its_end(slug: str, players: int) -> None:
    plays_to_the_end(slug, players)


@pytest.mark.parametrize(("slug", "players"), [("wallenstein", 2), ("raubritter", 2)])
def test_a_seed_gives_the_same_game(slug: str, players: int) -> None:
    first, again, other = (
        journal(list(islice(match(slug, players, seed).play(), 50))) for seed in ("same", "same", "other")
    )
    assert first == again
    assert first != other


# Better than chance


def wins_of_sense(slug: str, players: int, games: int) -> float:
    """How often one player with sense wins against careless ones; each faction in turn."""
    game, wins = GAMES[slug], 0.0
    for number in range(games):
        generator = random.Random(f"{slug} {players} {number}")
        seats = seatings(slug, players)
        factions = seats[number % len(seats)]
        each = len(factions) // players  # in Revolution with two, each has two factions
        at = each * (number % players)
        mine = factions[at : at + each]
        setup = game.prepare(factions, players=players, first=generator.choice(factions))
        others = tuple(faction for faction in factions if faction not in mine)
        entries = list(party(game, setup, generator, careless=others).play_on(game.start(setup).state))
        result = game.result(entries[-1].outcome.state)
        assert result is not None
        wins += (mine[0] in result.winners) * each / len(result.winners)
    return wins


# With so few games sense must win nearly all of them; more are played with ``make test-long``.
@pytest.mark.parametrize(("slug", "games"), [("wallenstein", 5), ("signoria", 4), ("raubritter", 5)])
def test_sense_beats_carelessness(slug: str, games: int) -> None:
    assert wilson(wins_of_sense(slug, 2, games), games, 0.8).low > 1 / 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("slug", "players", "games"),
    [
        ("revolution", 2, 8),
        ("revolution", 5, 20),
        ("wallenstein", 5, 15),
        ("signoria", 4, 8),
        ("raubritter", 4, 12),
    ],
)
def test_sense_beats_carelessness_at_a_full_table(slug: str, players: int, games: int) -> None:
    assert wilson(wins_of_sense(slug, players, games), games, 0.95).low > 1 / players


# Trying


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid(Action):
    """Something to choose."""

    type = "bid"
    amount: int


class Auction:
    """A game of one question: what is bid is what the state is, and 9 is refused."""

    def read_action(self, data: dict[str, Any], faction: str) -> Bid:
        return Bid(faction=faction, amount=data["amount"])

    def apply(self, _state: Any, action: Bid) -> Outcome[Any]:
        if action.amount == 9:
            raise Illegal(say("no"), rule="1")
        return Outcome(action.amount, ())

    def why_not(self, state: Any, action: Bid) -> Illegal | None:
        try:
            self.apply(state, action)
        except Illegal as refusal:
            return refusal
        return None


def asked(*amounts: int) -> Prompt:
    example = Bid(faction="red", amount=amounts[0])
    return Prompt(
        faction="red", title=say("bid"), rule="1", example=example, fields=(Choice("amount", amounts),)
    )


def bidder(worth: Any, **more: Any) -> Heuristic:
    return Heuristic(Sense(worth=worth, **more), Chance())


def decided(player: Heuristic, *amounts: int) -> int | None:
    entered = player.decide(Auction(), None, [asked(*amounts)], random.Random(1))  # type: ignore[arg-type]
    return entered[1].amount if entered else None  # type: ignore[attr-defined]


def test_what_brings_most_is_taken() -> None:
    assert decided(bidder(lambda amount: {"red": -abs(amount - 4), "blue": 0}), 1, 3, 4, 6) == 4


def test_what_others_get_counts_too() -> None:
    worths = {1: {"red": 5.0, "blue": 9.0}, 2: {"red": 4.0, "blue": 0.0}}
    assert decided(bidder(worths.__getitem__), 1, 2) == 2
    assert compared(worths[1], "red") < compared(worths[2], "red")


def test_an_idea_that_the_rules_refuse_is_no_idea() -> None:
    player = bidder(
        lambda amount: {"red": amount},
        ideas={"bid": lambda *_: [{"amount": 9}, {"amount": 2}, {"amount": 1}]},
    )
    assert decided(player, 1, 2) == 2
    assert (
        decided(bidder(lambda amount: {"red": amount}, ideas={"bid": lambda *_: [{"amount": 9}]}), 1) is None
    )


def test_who_has_no_idea_leaves_it_to_others() -> None:
    assert decided(bidder(lambda amount: {"red": amount}, ideas={"bid": lambda *_: []}), 1, 2) is None


def test_small_domains_are_tried_throughout_and_large_ones_in_part() -> None:
    found = some_of(asked(*range(5)), 8, random.Random(1))
    assert sorted(data["amount"] for data in found) == [0, 1, 2, 3, 4]
    assert len(some_of(asked(*range(500)), 8, random.Random(1))) == 8


def test_heaps_are_elements_of_the_domain() -> None:
    field = Allocation(
        "places", {"a": 3, "b": 5, "c": 2, "d": 4}, low=4, high=6, groups=(Group(("a", "b"), 4),)
    )
    prompt = Prompt(
        faction="red", title=say("x"), rule="1", example=Bid(faction="red", amount=0), fields=(field,)
    )
    elements = [field.element(i)[0] for i in range(field.size())]
    generator = random.Random(1)
    for _ in range(200):
        heap = heaped(prompt, generator).sample(generator.randrange)["places"]
        assert heap in elements

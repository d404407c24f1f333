"""Heuristic players finish every game, are deterministic per seed, and beat random players."""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import islice
from typing import Any

import pytest

from companion.registry import games, titles
from companion.results.intervals import wilson
from companion.statistics.simulation import seatings
from games.core.actions import Action
from games.core.errors import Illegal
from games.core.messages import say
from games.core.prompts import Allocation, Choice, Group, Prompt
from games.core.steps import Outcome
from players.chance import Chance
from players.heuristic import Heuristic, Sense, compared, heaped, some_of
from tests.players.games import journal, match

EVERY_TABLE = [(slug, n) for slug, g in games().items() for n in range(g.min_players, g.max_players + 1)]
SHORT = [("wallenstein", 3), ("signoria", 2), ("raubritter", 2)]


def test_every_game_has_a_heuristic_player() -> None:
    assert all(title.automaton.game is title.game for title in titles().values())


# Whole games


def check_reaches_the_end(slug: str, players: int, careless: tuple[str, ...] | None = ()) -> None:
    played = match(slug, players, "end", careless)
    entries = list(played.play())
    state = entries[-1].outcome.state
    assert played.game.result(state) is not None
    assert played.game.invariants(state) == []


@pytest.mark.parametrize(("slug", "players"), SHORT)
def test_short_games_reach_their_end(slug: str, players: int) -> None:
    check_reaches_the_end(slug, players)


def test_revolution_against_random_players_reaches_its_end() -> None:
    """Only one faction plays the heuristic, which keeps the longest game fast."""
    check_reaches_the_end("revolution", 3, careless=None)


@pytest.mark.long
@pytest.mark.parametrize(("slug", "players"), [table for table in EVERY_TABLE if table not in SHORT])
def test_every_other_table_size_reaches_its_end(slug: str, players: int) -> None:
    check_reaches_the_end(slug, players)


@pytest.mark.parametrize(("slug", "players"), [("wallenstein", 2), ("raubritter", 2)])
def test_same_seed_gives_the_same_game(slug: str, players: int) -> None:
    first, again, other = (
        journal(list(islice(match(slug, players, seed).play(), 50))) for seed in ("same", "same", "other")
    )
    assert first == again
    assert first != other


# Strength


def heuristic_wins(slug: str, players: int, games: int) -> float:
    """Return the wins of one heuristic player against random ones; each seat in turn."""
    game, wins = titles()[slug].game, 0.0
    for number in range(games):
        generator = random.Random(f"{slug} {players} {number}")
        seats = seatings(slug, players)
        factions = seats[number % len(seats)]
        each = len(factions) // players  # two factions each in Revolution for two
        at = each * (number % players)
        mine = factions[at : at + each]
        setup = game.prepare(factions, players=players, first=generator.choice(factions))
        others = tuple(faction for faction in factions if faction not in mine)
        entries = list(
            titles()[slug].automaton.party(setup, generator, careless=others).play_on(game.start(setup).state)
        )
        result = game.result(entries[-1].outcome.state)
        assert result is not None
        wins += (mine[0] in result.winners) * each / len(result.winners)
    return wins


# With so few games the heuristic must win nearly all of them; ``make test-long`` plays more.
@pytest.mark.parametrize(("slug", "games"), [("wallenstein", 5), ("signoria", 4), ("raubritter", 5)])
def test_heuristic_beats_random_player(slug: str, games: int) -> None:
    assert wilson(heuristic_wins(slug, 2, games), games, 0.8).low > 1 / 2


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
def test_heuristic_beats_random_players_at_a_full_table(slug: str, players: int, games: int) -> None:
    assert wilson(heuristic_wins(slug, players, games), games, 0.95).low > 1 / players


# Choosing


@dataclass(frozen=True, slots=True, kw_only=True)
class Bid(Action):
    """Action of the auction."""

    type = "bid"
    amount: int


class Auction:
    """A game with one decision: the bid becomes the state, and 9 is illegal."""

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


def bid_prompt(*amounts: int) -> Prompt:
    example = Bid(faction="red", amount=amounts[0])
    return Prompt(
        faction="red", title=say("bid"), rule="1", example=example, fields=(Choice("amount", amounts),)
    )


def bidder(worth: Any, **options: Any) -> Heuristic:
    return Heuristic(Sense(worth=worth, **options), Chance())


def chosen_amount(player: Heuristic, *amounts: int) -> int | None:
    entry = player.decide(Auction(), None, [bid_prompt(*amounts)], random.Random(1))  # type: ignore[arg-type]
    return entry[1].amount if entry else None  # type: ignore[attr-defined]


def test_best_action_is_chosen() -> None:
    assert chosen_amount(bidder(lambda amount: {"red": -abs(amount - 4), "blue": 0}), 1, 3, 4, 6) == 4


def test_worth_of_opponents_is_weighed() -> None:
    worths = {1: {"red": 5.0, "blue": 9.0}, 2: {"red": 4.0, "blue": 0.0}}
    assert chosen_amount(bidder(worths.__getitem__), 1, 2) == 2
    assert compared(worths[1], "red") < compared(worths[2], "red")


def test_illegal_candidates_are_skipped() -> None:
    player = bidder(
        lambda amount: {"red": amount},
        ideas={"bid": lambda *_: [{"amount": 9}, {"amount": 2}, {"amount": 1}]},
    )
    assert chosen_amount(player, 1, 2) == 2
    assert (
        chosen_amount(bidder(lambda amount: {"red": amount}, ideas={"bid": lambda *_: [{"amount": 9}]}), 1)
        is None
    )


def test_player_without_candidates_passes() -> None:
    assert chosen_amount(bidder(lambda amount: {"red": amount}, ideas={"bid": lambda *_: []}), 1, 2) is None


def test_small_domains_are_enumerated_and_large_ones_sampled() -> None:
    candidates = some_of(bid_prompt(*range(5)), 8, random.Random(1))
    assert sorted(data["amount"] for data in candidates) == [0, 1, 2, 3, 4]
    assert len(some_of(bid_prompt(*range(500)), 8, random.Random(1))) == 8


def test_concentrated_allocations_are_elements_of_the_domain() -> None:
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

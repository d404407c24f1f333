"""Links that create a play in the app BG Stats; users confirm it there."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from datetime import UTC
from typing import Any
from urllib.parse import quote

from companion import wording
from companion.journal.result_sync import normalise_name
from companion.journal.states import game_of
from companion.models import Result, Score, Table
from companion.statistics.exports import result_of
from games.core.game import AnyGame

ADDRESS = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Seneschal"


def play_link(table: Table) -> str:
    """Return the link for a finished game. Raise ``Refusal`` if it has no result."""
    data = json.dumps(play_of(result_of(table)), ensure_ascii=False, separators=(",", ":"))
    return ADDRESS + quote(data, safe="")


def play_of(result: Result) -> dict[str, Any]:
    """Return a play in the app's format. Times are UTC; the app recognises people and games by their ids."""
    table = result.table
    game = game_of(table)
    play: dict[str, Any] = {
        "sourceName": SOURCE,
        "sourcePlayId": f"{table.code}-{table.created_at.astimezone(UTC):%Y%m%d%H%M%S}",
        "playDate": f"{result.ended_at.astimezone(UTC):%Y-%m-%d %H:%M:%S}",
        "game": {"name": game.name, "sourceGameId": game.slug, "highestWins": True, "noPoints": False},
        "players": _players(game, result),
    }
    if result.seconds is not None and round(result.seconds / 60):
        play["durationMin"] = round(result.seconds / 60)
    return play


def _players(game: AnyGame, result: Result) -> list[dict[str, Any]]:
    """Return the players in play order; a person with two factions is one player with the points of both."""
    names = {seat.faction: seat.name for seat in result.table.seats.all()}
    scores = list(result.scores.order_by("seat"))
    together = result.players < len(scores)
    people: dict[str, list[Score]] = {}
    for score in scores:
        name = names.get(score.faction, "")
        people.setdefault(normalise_name(name) if together and name else score.faction, []).append(score)
    times = Counter(normalise_name(names.get(own[0].faction, "")) for own in people.values())
    return [_player(game, own, names.get(own[0].faction, ""), times) for own in people.values()]


def _player(game: AnyGame, own: Sequence[Score], name: str, times: Counter[str]) -> dict[str, Any]:
    roles = " + ".join(wording.name(game, "faction", score.faction) for score in own)
    points = float(sum(score.points for score in own))
    name_key = normalise_name(name)
    return {
        "name": name or roles,
        # A shared or forgotten name does not identify a player, so the faction is added.
        "sourcePlayerId": name_key
        if name_key and times[name_key] == 1
        else f"{name_key} {own[0].faction}".strip(),
        "startPlayer": own[0].seat == 1,
        "role": roles,
        "score": int(points) if points.is_integer() else points,
        "rank": min(score.place for score in own),
        "winner": any(score.won for score in own),
    }

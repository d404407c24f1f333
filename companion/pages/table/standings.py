"""Standings: points if the game ended now, after each round, and after a previewed entry."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from companion import wording
from companion.journal.states import State, memoised
from companion.pages.table.page_cache import cached
from companion.pages.table.snapshot import Snapshot
from companion.pages.table.viewer import Viewer
from games.core.game import Standing


class Standings:
    """The points of all players at a table."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._game = snapshot.game

    def score(self) -> dict[str, Any]:
        """Return the standings if the game ended now, leader first, with the parts of each score."""
        return cached("score", self._snapshot.version_key, self._score)

    def _score(self) -> dict[str, Any]:
        state = self._snapshot.public_state
        standings = memoised(self._game.if_it_ended_now, state)
        ordered = sorted(standings, key=lambda s: -s.points)
        parts = list(standings[0].parts) if standings else []
        provisional = self._game.provisional(state)
        result = self._game.result(state)
        return {
            "rows": self._rows(ordered, parts),
            "parts": [wording.name(self._game, "part", part) for part in parts],
            "by_part": [
                (wording.name(self._game, "part", part), [wording.number(s.parts[part]) for s in ordered])
                for part in parts
                if any(standing.parts[part] for standing in standings)
            ],
            "provisional": wording.render(self._game, provisional) if provisional else "",
            "reason": wording.render(self._game, result.reason) if result and result.reason else "",
        }

    def _rows(self, ordered: Sequence[Standing], parts: Sequence[str]) -> list[dict[str, Any]]:
        most = ordered[0].points if ordered else Fraction(0)
        return [
            {
                "player": self._snapshot.players.get(s.faction),
                "points": wording.number(s.points),
                "parts": [wording.number(s.parts[part]) for part in parts],
                "share": round(100 * s.points / most) if most else 0,
            }
            for s in ordered
        ]

    def by_round(self) -> list[tuple[str, list[str]]]:
        """Return the points of all players after each completed round."""
        table = self._snapshot.table
        last = table.round if self._snapshot.is_playing else table.round + 1
        rows = table.standings.filter(round__gt=0, round__lt=last).order_by("round")
        rounds: dict[int, dict[str, str]] = {}
        for row in rows:
            rounds.setdefault(row.round, {})[row.faction] = wording.number(Fraction(row.points))
        return [
            (
                wording.round_name(self._game, number),
                [points.get(faction, "") for faction in self._snapshot.players],
            )
            for number, points in rounds.items()
        ]


def gains(viewer: Viewer, after: State) -> list[dict[str, Any]]:
    """Return everybody's points in a previewed state, and the difference to now."""
    game, players = viewer.snapshot.game, viewer.snapshot.players
    before = {s.faction: s.points for s in game.standings(viewer.state)}
    return [
        {
            "player": players.get(s.faction),
            "points": wording.number(s.points),
            "gain": wording.number(s.points - before[s.faction]),
            "more": s.points >= before[s.faction],
        }
        for s in sorted(game.standings(after), key=lambda s: -s.points)
    ]

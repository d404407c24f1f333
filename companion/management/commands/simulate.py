"""Simulate many games and print the results of each faction."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from companion.management.progress_bar import with_progress
from companion.registry import titles
from companion.statistics.simulation import Simulation, Summary, play_all, summary

MOST_GAMES = 100_000


class Command(BaseCommand):
    help = "Plays complete games with plain heuristic players and prints the results of each faction."
    requires_system_checks: tuple[str, ...] = ()  # needs no database

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("game", choices=sorted(titles()), help="The game to play.")
        parser.add_argument("--games", type=int, default=20, help="Number of games (20).")
        parser.add_argument("--players", type=int, help="Number of players (the maximum).")
        parser.add_argument("--seed", type=int, default=0, help="Seed of the random generator (0).")
        parser.add_argument(
            "--random",
            nargs="*",
            metavar="FACTION",
            help="Let these factions, or all, play at random.",
        )
        parser.add_argument(
            "--format",
            choices=("both", "table", "json"),
            default="both",
            help="Output format (both: a table, then JSON in one line).",
        )
        parser.add_argument(
            "--json", type=Path, metavar="FILE", help="Also write the results to this file as JSON."
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=os.cpu_count() or 1,
            help="Number of worker processes (one per core).",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        simulation = _simulation(options)
        processes = options["processes"]
        if processes < 1:
            raise CommandError("At least one process must work.")
        games = with_progress(play_all(simulation, processes), simulation.games, sys.stderr)
        results = summary(simulation, list(games))
        if options["json"]:
            _write(options["json"], json.dumps(as_json(results), indent=2))
        if options["format"] != "json":
            self.stdout.write(as_table(results))
        if options["format"] == "both":
            self.stdout.write("")
        if options["format"] != "table":
            self.stdout.write(json.dumps(as_json(results)))


def _simulation(options: dict[str, Any]) -> Simulation:
    """Return the validated parameters. Raise `CommandError` if one is invalid."""
    game = titles()[options["game"]].game
    players = game.max_players if options["players"] is None else options["players"]
    if not game.min_players <= players <= game.max_players:
        raise CommandError(f"{game.name} is for {game.min_players} to {game.max_players} players.")
    if not 1 <= options["games"] <= MOST_GAMES:
        raise CommandError(f"The number of games must be from 1 to {MOST_GAMES}.")
    careless = tuple(options["random"] or game.factions) if options["random"] is not None else ()
    unknown = sorted(set(careless) - set(game.factions))
    if unknown:
        raise CommandError(f"{game.name} has no faction {unknown[0]}; it has {', '.join(game.factions)}.")
    return Simulation(
        game=game.slug, players=players, games=options["games"], seed=options["seed"], careless=careless
    )


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} could not be written: {error.strerror or error}.") from None


def as_json(results: Summary) -> dict[str, Any]:
    """Return the results as a JSON document."""
    return {
        **asdict(results.simulation),
        "level": results.level,
        "length": asdict(results.length),
        "factions": [
            {
                "faction": row.faction,
                "games": row.games,
                "wins": row.wins,
                "share": row.share,
                "low": row.interval.low,
                "high": row.interval.high,
                "points": asdict(row.points),
            }
            for row in results.rows
        ],
    }


def as_table(results: Summary) -> str:
    """Return the results as a text table."""
    simulation, level = results.simulation, f"{results.level:.0%}"
    head = ("faction", "games", "wins", "share", level, "points", level)
    rows = [
        (
            row.faction,
            str(row.games),
            str(row.wins),
            f"{row.share:.0%}",
            f"{row.interval.low:.0%} to {row.interval.high:.0%}",
            f"{row.points.mean:.1f}",
            f"{row.points.low:.1f} to {row.points.high:.1f}",
        )
        for row in results.rows
    ]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        for line in (head, *rows)
    ]
    name = titles()[simulation.game].game.name
    title = f"{name}, {simulation.players} players, {simulation.games} games, seed {simulation.seed}"
    length = results.length
    return "\n".join(
        [title, "", *lines, "", f"{length.mean:.0f} entries a game ({length.low:.0f} to {length.high:.0f})"]
    )

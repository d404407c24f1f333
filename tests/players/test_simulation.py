"""`manage.py simulate`: reproducible games, summarised as a table and as JSON."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from companion.management.commands.simulate import as_table
from companion.management.progress_bar import bar, with_progress
from companion.registry import games, titles
from companion.results.intervals import wilson
from companion.statistics.simulation import (
    SimulatedGame,
    Simulation,
    mean_of,
    play,
    play_all,
    seatings,
    student,
    summary,
)

LEAGUES = 2_000
SIMULATION = Simulation(game="raubritter", players=2, games=3, seed=5)


def run_simulate(*words: str) -> str:
    out = io.StringIO()
    call_command("simulate", *words, stdout=out)
    return out.getvalue()


# Playing


@pytest.mark.long
def test_results_do_not_depend_on_the_number_of_processes() -> None:
    assert list(play_all(SIMULATION, 2)) == list(play_all(SIMULATION, 1))


def test_game_depends_on_seed_and_number() -> None:
    first = play(SIMULATION, 0)
    assert first == play(SIMULATION, 0)
    assert first != play(SIMULATION, 1)
    assert first != play(Simulation(game="raubritter", players=2, games=3, seed=6), 0)


def test_result_has_points_winners_and_length() -> None:
    ended = play(SIMULATION, 0)
    assert len(ended.points) == 2
    assert ended.points[ended.winners[0]] == max(ended.points.values())
    assert ended.entries > 40


def test_player_of_two_factions_wins_with_both() -> None:
    ended = play(
        Simulation(
            game="revolution", players=2, games=1, seed=1, careless=titles()["revolution"].game.factions
        ),
        0,
    )
    assert set(ended.winners) in ({"catholics", "habsburgs"}, {"burghers", "reformers"})


@pytest.mark.parametrize("game", games().values(), ids=list(titles()))
def test_seatings_are_legal(game: Any) -> None:
    for players in range(game.min_players, game.max_players + 1):
        for factions in seatings(game.slug, players):
            assert game.prepare(factions, players=players)


# Summary


def ended(red: float, blue: float, *winners: str, entries: int = 10) -> SimulatedGame:
    return SimulatedGame({"red": red, "blue": blue}, winners, entries)


def test_summary_has_wilson_intervals_and_mean_points() -> None:
    games = [ended(10, 5, "red"), ended(8, 9, "blue"), ended(6, 6, "red", "blue", entries=16)]
    result = summary(SIMULATION, games)
    blue, red = result.rows
    assert (red.faction, red.games, red.wins, red.share) == ("red", 3, 2, 2 / 3)
    assert red.interval == wilson(2, 3)
    assert red.points.mean == 8
    assert red.points.low < 8 < red.points.high
    assert (blue.faction, blue.wins) == ("blue", 2)
    assert result.length.mean == 12


def test_interval_of_a_mean_narrows_with_more_values() -> None:
    few, many = mean_of([1, 2, 3]), mean_of([1, 2, 3] * 20)
    assert few.mean == many.mean == 2
    assert few.low < many.low < 2 < many.high < few.high
    assert mean_of([7]).low == mean_of([7]).high == 7
    # 90 % with two degrees of freedom: 2.920 standard errors; the deviation of 1, 2, 3 is 1.
    assert few.high - few.mean == pytest.approx(2.920 / 3**0.5, abs=0.01)


@pytest.mark.parametrize(("degrees", "table"), [(2, 2.920), (3, 2.353), (5, 2.015), (10, 1.812), (30, 1.697)])
def test_student_quantiles_match_the_published_table(degrees: int, table: float) -> None:
    """Two-sided 90 % quantiles of Student's t distribution."""
    assert student(degrees) == pytest.approx(table, abs=0.01)
    assert student(degrees, 0.95) > student(degrees)


def test_interval_of_a_mean_covers_85_to_95_percent() -> None:
    """Simulated leagues with a known mean, from 3 games on."""
    generator, covered = random.Random(1568), 0
    for _ in range(LEAGUES):
        strength = generator.uniform(10, 60)
        estimate = mean_of([generator.gauss(strength, 8) for _game in range(generator.randint(3, 30))])
        covered += estimate.low <= strength <= estimate.high
    assert 0.85 <= covered / LEAGUES <= 0.95


# The command


def test_table_output_has_a_row_per_faction_and_matches_json() -> None:
    words = ("raubritter", "--games", "2", "--players", "2", "--processes", "1")
    *lines, empty, data = run_simulate(*words).splitlines()
    assert not empty
    assert json.loads(data)["factions"][0]["games"] == int(lines[3].split()[1])
    assert lines[0] == "Raubritter, 2 players, 2 games, seed 0"
    assert lines[2].split() == ["faction", "games", "wins", "share", "90%", "points", "90%"]
    rows = [line.split() for line in lines[3 : lines.index("", 3)]]
    assert sum(int(row[1]) for row in rows) == 4
    assert {row[0] for row in rows} <= set(titles()["raubritter"].game.factions)
    assert "entries a game" in lines[-1]
    assert len({len(line) for line in lines[2 : lines.index("", 3)]}) == 1  # columns are aligned


def test_json_file_equals_json_output(tmp_path: Path) -> None:
    words = ("raubritter", "--games", "2", "--players", "2", "--seed", "3", "--processes", "1")
    file = tmp_path / "results.json"
    printed = json.loads(run_simulate(*words, "--format", "json", "--json", str(file)))
    assert printed == json.loads(file.read_text())
    assert (printed["game"], printed["games"], printed["seed"], printed["level"]) == ("raubritter", 2, 3, 0.9)
    assert 2 <= sum(row["wins"] for row in printed["factions"]) <= 4
    for row in printed["factions"]:
        assert 0 <= row["low"] <= row["share"] <= row["high"] <= 1
        assert row["points"]["low"] <= row["points"]["mean"] <= row["points"]["high"]


def test_random_players_can_be_selected() -> None:
    words = ("raubritter", "--games", "1", "--players", "2", "--processes", "1", "--format", "json")
    assert json.loads(run_simulate(*words, "--random"))["careless"] == list(
        titles()["raubritter"].game.factions
    )
    assert json.loads(run_simulate(*words, "--random", "red"))["careless"] == ["red"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("chess",), "invalid choice"),
        (("raubritter", "--players", "5"), "Raubritter is for 2 to 4 players."),
        (("raubritter", "--games", "0"), "The number of games must be from 1 to 100000."),
        (("raubritter", "--games", "many"), "invalid int value"),
        (("raubritter", "--processes", "0"), "At least one process must work."),
        (
            ("raubritter", "--random", "pink"),
            "Raubritter has no faction pink; it has blue, yellow, green, red.",
        ),
        (
            ("raubritter", "--games", "1", "--players", "2", "--processes", "1", "--json", "/nowhere/x.json"),
            "/nowhere/x.json could not be written: No such file or directory.",
        ),
    ],
)
def test_invalid_arguments_raise_a_readable_error(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError) as caught:
        run_simulate(*words)
    assert sentence in str(caught.value)


def test_table_of_few_games_shows_wide_intervals() -> None:
    text = as_table(summary(SIMULATION, [ended(1, 0, "red")]))
    assert "100%" in text
    assert "27% to 100%" in text


# Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_bar_grows_in_a_terminal() -> None:
    terminal = Terminal()
    assert list(with_progress(iter("abc"), 3, terminal)) == ["a", "b", "c"]
    drawn = terminal.getvalue().split("\r")
    assert [line[:32].count("#") for line in drawn[1:]] == [0, 10, 20, 30]
    assert drawn[-1].endswith("\n")


def test_progress_prints_ten_lines_without_a_terminal() -> None:
    stream = io.StringIO()
    assert len(list(with_progress(range(100), 100, stream))) == 100
    assert len(stream.getvalue().splitlines()) == 10
    assert bar(50, 100, 10) == f"[{'#' * 15}{'.' * 15}] 50/100, about 10 s left   "

"""Statistics across games: CPU time of a page and of the end of a game, with few games and with many.

Each number of games has its own database and process: `python -m bench.statistics 1000`. The rows are written
in bulk, with the functions that write them one by one at the end of a game.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.figures import Figure, typical
from tests.servers import ROOT, environment, manage
from tools.django_setup import set_up_django

if TYPE_CHECKING:
    from companion.models import Circle
    from companion.results.played import Played

FEW, MANY = 1_000, 100_000
REPEATS = 25
ENDS = 15
PAGE_LIMIT, END_LIMIT = 2, 1.25  # multiples of the time with few games
END = "end-of-a-game"
SEED = 1568
GAME = "raubritter"
FACTIONS = ("blue", "yellow", "green", "red")
PEOPLE = 12
FIRST = datetime(2021, 1, 1, tzinfo=UTC)
OPTIONS = ((), (), (), ("must_move=true",), ("lone_knight=true", "start_rows=1"))
PARTS = ("castles", "villages", "towns")


def figures() -> Iterator[Figure]:
    """Measure every page and the end of a game with many games, compared with few."""
    measured = {}
    for games in (FEW, MANY):
        with tempfile.TemporaryDirectory(prefix="seneschal-bench-") as folder:
            measured[games] = _measure(environment(Path(folder) / "data"), games)
    against = f"the same with {FEW:,} games"
    for name, value in measured[MANY].items():
        few = measured[FEW][name] * 1e3
        limit = few * (END_LIMIT if name == END else PAGE_LIMIT)
        yield Figure(f"statistics.{name}", value * 1e3, "ms", few, against, limit)


def _measure(env: dict[str, str], games: int) -> dict[str, float]:
    manage(env, "migrate", "--verbosity=0")
    command = [sys.executable, "-m", "bench.statistics", str(games)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True)
    times: dict[str, float] = json.loads(done.stdout)
    return times


# In the other process


def main(games: int) -> None:
    set_up_django()
    from companion.tables.circles import open_circle  # noqa: PLC0415

    opened = open_circle(name="Everybody")
    fill(opened.circle, games)
    print(json.dumps({**_pages(opened.key), END: _ends(opened.circle)}))


def fill(circle: Circle, games: int) -> None:
    """Write results of a circle, with ratings and tallies.

    Rows repeat after `FEW` games. The tallies count games that all differ, so that they reach their full
    size.
    """
    from django.db import transaction  # noqa: PLC0415

    from companion.journal.result_sync import result_row, score_row  # noqa: PLC0415
    from companion.models import Member, Result, Score, Skill, Table  # noqa: PLC0415
    from companion.results.counts import SERVER  # noqa: PLC0415
    from companion.results.ratings import NEWCOMER  # noqa: PLC0415
    from companion.results.tallies import count_all  # noqa: PLC0415

    generator, (mu, sigma) = random.Random(SEED), NEWCOMER
    with transaction.atomic():
        names = [f"Player {n}" for n in range(PEOPLE)]
        members = {n.lower(): Member(circle=circle, name=n, normal=n.lower()) for n in names}
        Member.objects.bulk_create(members.values())
        table = {"game": GAME, "options": {"mode": "full"}, "status": "finished", "circle": circle}
        tables = Table.objects.bulk_create(Table(code=f"{n:06}", **table) for n in range(games))
        distinct = [_played(0, circle.pk, list(members), generator) for _ in range(FEW)]
        played = [replace(distinct[n % FEW], table=table.pk) for n, table in enumerate(tables)]
        results = [result_row(game) for game in played]
        for result in results:
            result.on_server = result.in_circle = True
        Result.objects.bulk_create(results)
        scores = [
            (score_row(r, line), line.name)
            for r, game in zip(results, played, strict=True)
            for line in game.lines
        ]
        for score, name in scores:
            score.circle, score.member, score.mu, score.sigma = circle, members[name], mu, sigma
        Score.objects.bulk_create(score for score, _name in scores)
        others = (_played(0, circle.pk, list(members), generator) for _ in range(FEW, games))
        count_all((game, scope) for game in chain(distinct, others) for scope in (SERVER, circle.pk))
        factions = {faction: [games, games // 3, games * 20_000] for faction in FACTIONS}
        Skill.objects.bulk_create(
            Skill(member=m, game=GAME, mu=mu, sigma=sigma, games=games, wins=games // 3, factions=factions)
            for m in members.values()
        )


def _played(table: int, circle: int, members: Sequence[str], generator: random.Random) -> Played:
    from companion.results.played import Line, Played, margin_of  # noqa: PLC0415

    players = generator.randint(2, 4)
    factions = generator.sample(FACTIONS, players)
    people = generator.sample(members, players)
    points = [generator.randrange(5, 60) * 1000 for _ in factions]
    halves = [{part: generator.randrange(8) * 1000 for part in PARTS} for _ in factions]
    lines = tuple(
        Line(
            faction=faction,
            seat=seat,
            points=points[seat - 1],
            place=1 + sum(other > points[seat - 1] for other in points),
            won=points[seat - 1] == max(points),
            half_points=sum(halves[seat - 1].values()),
            half_parts=halves[seat - 1],
            name=people[seat - 1],
        )
        for seat, faction in enumerate(factions, start=1)
    )
    started = FIRST + timedelta(seconds=generator.randrange(5 * 365 * 86_400))
    seconds_played = generator.randrange(1200, 9000)
    return Played(
        table=table,
        circle=circle,
        game=GAME,
        mode="full",
        players=players,
        options=generator.choice(OPTIONS),
        clean=generator.random() < 0.8,  # noqa: PLR2004
        early=False,
        started_at=started,
        ended_at=started + timedelta(seconds=seconds_played),
        seconds=seconds_played,
        margin=margin_of(lines, together=False),
        lines=lines,
    )


def _pages(key: str) -> dict[str, float]:
    """Return the median CPU time of each page, without its first request."""
    from django.test import Client  # noqa: PLC0415

    from companion.models import Member  # noqa: PLC0415

    client = Client(SERVER_NAME="localhost")
    member = Member.objects.order_by("pk")[0].pk
    addresses = {
        "server": f"/api/stats/{GAME}/",
        "server-filtered": f"/api/stats/{GAME}/?players=3&option=must_move%3Dtrue&since=2021-03&clean=1",
        "server-page": f"/stats/{GAME}/",
        "server-page-of-a-period": f"/stats/{GAME}/?since=2021-02&until=2025-11",
        "circle": f"/api/circles/{key}/stats/{GAME}/",
        "circle-page": f"/stats/circle/{key}/{GAME}/",
        "circle-front-page": f"/stats/circle/{key}/",
        "circle-games": f"/api/circles/{key}/games/{GAME}/",
        "circle-records": f"/api/circles/{key}/records/{GAME}/",
        "circle-members": f"/api/circles/{key}/members/{GAME}/",
        "circle-member": f"/api/circles/{key}/members/{GAME}/{member}/",
    }

    def ask(address: str) -> None:
        response = client.get(address)
        assert response.status_code == 200, (address, response.content)  # noqa: S101, PLR2004

    times = {}
    for name, address in addresses.items():
        ask(address)
        times[name] = typical(_cpu_seconds(lambda address=address: ask(address)) for _ in range(REPEATS))  # type: ignore[misc]
    return times


def _cpu_seconds(work: Callable[[], object]) -> float:
    """Return the CPU seconds of a function, including SQLite, which runs in this process.

    CPU time, because few and many games are measured minutes apart and other processes must not count.
    """
    start = time.process_time()
    work()
    return time.process_time() - start


def _ends(circle: Circle) -> float:
    """Return the median CPU time of the entry that ends a game of the circle."""
    from companion.access.table_access import TableAccess  # noqa: PLC0415
    from companion.journal.submit import submit  # noqa: PLC0415
    from companion.tables.opening import NewSeat, open_table, start  # noqa: PLC0415
    from tests.tables.sitting import offered  # noqa: PLC0415

    host = TableAccess(is_host=True)

    def end() -> float:
        seats = [NewSeat(f"Player {n}", faction) for n, faction in enumerate(FACTIONS)]
        table = open_table(game=GAME, seats=seats, options={"mode": "pad"}, circle=circle).table
        start(table=table, access=host)
        faction, action = offered(table)
        entry: dict[str, Any] = {"table": table, "access": host, "faction": faction, "action": action}
        return _cpu_seconds(lambda: submit(**entry))

    return typical(end() for _ in range(ENDS))


if __name__ == "__main__":
    main(int(sys.argv[1]))

"""Many made-up games of a circle as database rows, so that charts have data within a second.

``python -m tests.statistics.many`` fills the configured database and prints the circle's key.
"""

from __future__ import annotations

import json
import os
import random
import sys
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.models import Circle
    from companion.results.played import Played
    from games.core.game import AnyGame

NAMES = ("Ada", "Béla", "Carla", "Dario", "Éva", "Fabio")
FIRST = datetime(2025, 1, 2, 20, tzinfo=UTC)
SEED = 1568


def fill(circle: Circle, slug: str, games: int) -> list[Played]:
    """Create finished games with results, tallies and ratings; their players become members."""
    from companion.journal.result_sync import normalise_name, result_row, score_row  # noqa: PLC0415
    from companion.models import Member, Result, Score, Table  # noqa: PLC0415
    from companion.registry import titles  # noqa: PLC0415
    from companion.results import ratings  # noqa: PLC0415
    from companion.results.counts import SERVER  # noqa: PLC0415
    from companion.results.tallies import count_all  # noqa: PLC0415

    generator = random.Random(f"{SEED} {slug}")
    rows = [
        Member.objects.get_or_create(circle=circle, normal=normalise_name(n), defaults={"name": n})
        for n in NAMES
    ]
    members = {row.normal: row for row, _created in rows}
    tables = [
        Table.objects.create(
            code=f"{slug[2]}{circle.pk % 10}{number:04}".upper(),  # the third letter differs between games
            game=slug,
            options={"mode": "full"},
            status="finished",
            circle=circle,
        )
        for number in range(games)
    ]
    played = [
        _played(table.pk, circle.pk, number, titles()[slug].game, list(members), generator)
        for number, table in enumerate(tables)
    ]
    for game in played:
        result = result_row(game)
        result.on_server = result.in_circle = True
        result.save()
        scores = [score_row(result, line) for line in game.lines]
        for score, line in zip(scores, game.lines, strict=True):
            score.circle, score.member = circle, members[line.name]
        Score.objects.bulk_create(scores)
        ratings.record(game, members)
    count_all((game, scope) for game in played for scope in (SERVER, circle.pk))
    first = Result.objects.filter(circle=circle, game=slug).order_by("ended_at")[0]
    ratings.rate_from(circle.pk, slug, first.ended_at, first.table_id, ())
    return played


def _played(
    table: int, circle: int, number: int, game: AnyGame, people: list[str], generator: random.Random
) -> Played:
    from companion.results.played import Line, Played, margin_of  # noqa: PLC0415

    players = generator.randint(3, 4)
    factions = generator.sample(game.factions, players)
    parts = [name.removeprefix("part:") for name in game.texts.names if name.startswith("part:")][:4]
    strength = {
        faction: generator.randrange(20, 60) + 6 * game.factions.index(faction) for faction in factions
    }
    halves = {faction: {part: generator.randrange(9) * 1000 for part in parts} for faction in factions}
    lines = tuple(
        Line(
            faction=faction,
            seat=seat,
            points=strength[faction] * 1000,
            place=1 + sum(other > strength[faction] for other in strength.values()),
            won=strength[faction] == max(strength.values()),
            half_points=sum(halves[faction].values()),
            half_parts=halves[faction],
            name=name,
        )
        for seat, (faction, name) in enumerate(
            zip(factions, generator.sample(people, players), strict=True), start=1
        )
    )
    started = FIRST + timedelta(days=9 * number)
    seconds = generator.randrange(2400, 9000)
    return Played(
        table=table,
        circle=circle,
        game=game.slug,
        mode="full",
        players=players,
        options=(),
        clean=bool(number % 3),
        early=False,
        started_at=started,
        ended_at=started + timedelta(seconds=seconds),
        seconds=seconds,
        margin=margin_of(lines, together=False),
        lines=lines,
    )


def main(games: int = 30) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    import django  # noqa: PLC0415

    django.setup()
    from django.db import transaction  # noqa: PLC0415

    from companion.models import Member  # noqa: PLC0415
    from companion.registry import titles  # noqa: PLC0415
    from companion.tables.circles import open_circle  # noqa: PLC0415

    opened = open_circle(name="Thursdays")
    with transaction.atomic():
        for slug in titles():
            fill(opened.circle, slug, games)
    member = Member.objects.filter(circle=opened.circle).order_by("pk")[0].pk
    sys.stdout.write(json.dumps({"key": opened.key, "member": member}))


if __name__ == "__main__":
    main()

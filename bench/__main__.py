"""``make bench``: one JSON object per line."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from bench import rules, statistics, web
from tests.servers import environment, manage, running_server


async def through_http() -> None:
    with tempfile.TemporaryDirectory(prefix="seneschal-bench-") as folder:
        data, static = Path(folder) / "data", str(Path(folder) / "static")
        settings = {
            "DJANGO_SETTINGS_MODULE": "bench.settings",
            "STATIC_MANIFEST": "on",
            "STATIC_ROOT": static,
        }
        collect = ("collectstatic", "--no-input", "--verbosity=0", "--ignore=plotly*")
        manage(environment(data, **settings), *collect)
        with running_server(data, **settings) as server:
            async for figure in web.figures(server.port):
                print(figure, flush=True)


def main() -> None:
    for figure in rules.figures():
        print(figure, flush=True)
    asyncio.run(through_http())
    for figure in statistics.figures():
        print(figure, flush=True)


if __name__ == "__main__":
    main()

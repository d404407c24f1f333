"""Subprocesses that play concurrently at the same tables.

A subprocess reads its parameters from standard input and writes its results to standard output, as JSON.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

ROOT = Path(__file__).parents[2]


def crowd(
    url: str, tables: dict[str, str], seeds: Iterable[int], operations: int, seconds: float = 120
) -> list[dict[str, Any]]:
    """Run a process per seed, each with so many random operations, and return all their results.

    `tables` maps the code of a table to its host token.
    """
    processes = [_start(url, {"tables": tables, "seed": seed, "operations": operations}) for seed in seeds]
    deadline = time.monotonic() + seconds
    try:
        return [result for process in processes for result in _results(process, deadline - time.monotonic())]
    finally:
        for process in processes:
            with process:
                process.kill()


def _start(url: str, parameters: Any) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.tables.crowd"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": url, "DATABASE_POOL": "0"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    process.stdin.write(json.dumps(parameters) + "\n")
    process.stdin.flush()
    return process


def _results(process: subprocess.Popen[str], seconds: float) -> list[dict[str, Any]]:
    output, _errors = process.communicate(timeout=seconds)
    assert process.returncode == 0
    results: list[dict[str, Any]] = json.loads(output.splitlines()[-1])
    return results


def database_url() -> str:
    """Return the URL of the test database, for another process."""
    from django.db import connection  # noqa: PLC0415 - needs Django to be set up

    parts = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{parts['NAME']}"
    password = f":{quote(parts['PASSWORD'], safe='')}" if parts["PASSWORD"] else ""
    return f"postgres://{parts['USER']}{password}@{parts['HOST']}:{parts['PORT']}/{parts['NAME']}"


def _play(tables: dict[str, str], seed: int, operations: int) -> list[dict[str, Any]]:
    from companion.access.table_access import find, identify  # noqa: PLC0415
    from companion.errors import Refusal  # noqa: PLC0415

    generator = random.Random(seed)
    results = []
    for number in range(operations):
        code = generator.choice(sorted(tables))
        table = find(code)
        key = f"{seed} {number}"
        result: dict[str, Any] = {"code": code, "key": key}
        try:
            result |= random_operation(table, identify(table, [tables[code]]), generator, key)
        except Refusal as refusal:
            result["refused"] = refusal.code
        except Exception as error:  # noqa: BLE001 - reported to the test
            result["error"] = repr(error)
        results.append(result)
    return results


def random_operation(table: Any, host: Any, generator: random.Random, key: str | None) -> dict[str, Any]:
    """Enter, tick, undo or redo at random; return what was done and the new version."""
    from companion.journal.submit import redo, submit, tick, undo  # noqa: PLC0415
    from tests.tables.sitting import correction, offered  # noqa: PLC0415

    kind = generator.choices(["enter", "tick", "undo", "redo"], [70, 20, 7, 3])[0]
    if kind == "tick":
        tick(table=table, access=host, number=0, line=generator.randrange(8), done=generator.random() < 0.5)
        return {"kind": kind, "version": table.version}
    if kind in ("undo", "redo"):
        accepted = (undo if kind == "undo" else redo)(table=table, access=host, key=key)
    elif table.waiting_for:
        faction, action = offered(table, generator)
        accepted = submit(table=table, access=host, faction=faction, action=action, key=key)
    else:
        action = correction(generator.randrange(3))
        accepted = submit(table=table, access=host, faction="blue", action=action, key=key)
    return {"kind": kind, "number": accepted.number, "version": accepted.version}


def main(lines: Sequence[str]) -> None:
    import django  # noqa: PLC0415

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "companion.settings")
    django.setup()
    print(json.dumps(_play(**json.loads(lines[0]))))  # noqa: T201 - result for the parent process


if __name__ == "__main__":
    main([sys.stdin.readline()])

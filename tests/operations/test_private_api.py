"""Lint rules against private API and against SQL built from strings."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from tools.private_api import problems

ROOT = Path(__file__).parents[2]
OWN = ("companion", "games", "players")


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("from django.core.handlers.asgi import ASGIHandler\n\nprint(ASGIHandler)\n", "TID251"),
        ("from django.db.models.sql import Query\n\nprint(Query)\n", "TID251"),
        ("from django.db import connection\n\nprint(connection.ops)\n", "TID251"),
        ("from django.db import connection\n\nprint(connection.run_on_commit)\n", "TID251"),
        ("from companion.models import Table\n\nprint(Table()._state)\n", "SLF001"),
        ("def query(name: str) -> str:\n    return f'SELECT id FROM {name}'\n", "S608"),
    ],
)
def test_ruff_rejects_private_api_and_built_sql(code: str, rule: str) -> None:
    command = [sys.executable, "-m", "ruff", "check", "--output-format=concise"]
    result = subprocess.run(
        [*command, "--stdin-filename=companion/example.py", "-"],
        cwd=ROOT,
        input=code,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert f" {rule} " in result.stdout


def test_ruff_allows_meta() -> None:
    code = "from companion.models import Table\n\nNAME = Table._meta.db_table\n"
    command = [
        sys.executable,
        "-m",
        "ruff",
        "check",
        "--select=SLF,TID",
        "--stdin-filename=companion/example.py",
    ]
    subprocess.run([*command, "-"], cwd=ROOT, input=code, text=True, check=True)


@pytest.mark.parametrize(
    "line",
    [
        "connections['default'].ops.quote_name('a')",
        "database.run_on_commit.clear()",
        "super()._validate_session_key(key)",
        "cursor.execute(f'PRAGMA {name}')",
        "cursor.execute('PRAGMA %s' % name)",
        "cursor.execute('PRAGMA ' + name)",
        "cursor.execute('PRAGMA {}'.format(name))",
        "cursor.executescript(f'DROP TABLE {name}')",
        "print(table._state)  # noqa: SLF001",
        "query = f'SELECT {name}'  # noqa: E501, S608 - a constant",
    ],
)
def test_check_rejects_private_api_and_built_sql(line: str) -> None:
    assert [number for number, _message in problems(f"\n{line}\n")] == [2]


@pytest.mark.parametrize(
    "line",
    [
        "cursor.execute('SELECT %s', [name])",
        "cursor.execute(STATEMENT)",
        "cursor.execute(SQL('CREATE DATABASE {}').format(Identifier(name)))",
        "super().__init__(key)",
        "Table._meta.db_table",
        "import pytest  # noqa: PLC0415",
    ],
)
def test_check_allows_public_api(line: str) -> None:
    assert list(problems(line)) == []


# Inherited private names, which neither check sees


def subclasses_of_other_packages() -> Iterator[tuple[type, list[type]]]:
    """Yield every class of the application with its bases from other packages."""
    for module in pkgutil.walk_packages(companion.__path__, "companion."):
        for value in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(value) and value.__module__ == module.name:
                bases = [base for base in value.__mro__ if not base.__module__.startswith(OWN)]
                yield value, bases


def private_names(class_: type) -> set[str]:
    """Return the underscored names that the source of a class defines or uses."""
    nodes = list(ast.walk(ast.parse(textwrap.dedent(inspect.getsource(class_)))))
    used = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    return {name for name in used | defined if name.startswith("_") and not name.startswith("__")}


def test_no_class_uses_or_overrides_inherited_private_names() -> None:
    for class_, bases in subclasses_of_other_packages():
        inherited = {name for base in bases for name in vars(base)} - {"_meta"}
        assert not private_names(class_) & inherited, class_

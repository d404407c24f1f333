"""Part of `make lint`: find uses of private API, and SQL built from strings, that ruff does not report."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ("bench", "companion", "games", "players", "tests", "tools", "manage.py", "run.py")
PRIVATE = frozenset({"ops", "run_on_commit"})  # of a database connection
RUNS_SQL = frozenset({"execute", "executemany", "executescript"})
ESCAPE = re.compile(r"noqa:.*\b(S608|SLF001|TID251)\b")

Problem = tuple[int, str]  # line, message


def problems(source: str) -> Iterator[Problem]:
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and (match := ESCAPE.search(token.string)):
            yield token.start[0], f"{match[1]} must not be silenced: use public API and query parameters"
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute):
            yield from _private(node)
        elif isinstance(node, ast.Call):
            yield from _built_sql(node)


def _private(node: ast.Attribute) -> Iterator[Problem]:
    if node.attr in PRIVATE:
        yield node.lineno, f".{node.attr} is private API of Django's database connections"
    if _is_super(node.value) and node.attr.startswith("_") and not node.attr.startswith("__"):
        yield node.lineno, f"super().{node.attr} is private API of a base class"


def _is_super(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _built_sql(call: ast.Call) -> Iterator[Problem]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if name in RUNS_SQL and call.args and _is_built(call.args[0]):
        yield call.lineno, f"{name}() with SQL built from strings: use query parameters or psycopg.sql"


def _is_built(node: ast.expr) -> bool:
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Constant)
    return isinstance(node, ast.JoinedStr | ast.BinOp)


def files() -> Iterator[Path]:
    for name in SOURCES:
        path = ROOT / name
        yield from sorted(path.rglob("*.py")) if path.is_dir() else [path]


def main() -> int:
    messages = [
        f"{path.relative_to(ROOT)}:{line}: {message}"
        for path in files()
        for line, message in problems(path.read_text(encoding="utf-8"))
    ]
    print("\n".join(messages) or "No private API, no SQL built from strings.")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())

"""Lookup of tests that guides and documents refer to as ``path::name``."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


def is_there(test: str) -> bool:
    """Return True if a test file, or a test in one, exists."""
    path, _colons, name = test.partition("::")
    return bool(named_in(path)) if not name else name in named_in(path)


@cache
def named_in(path: str) -> frozenset[str]:
    """Return the names of the tests in a file; empty if there is no such file."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    return frozenset(
        node.name
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    )

"""Tests that are named elsewhere, in guides and documents: ``tests/api/test_bodies.py::test_too_much``."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]


def is_there(test: str) -> bool:
    """A file with tests, or a test in one."""
    path, _colons, name = test.partition("::")
    return bool(named_in(path)) if not name else name in named_in(path)


@cache
def named_in(path: str) -> frozenset[str]:
    """The tests of a file; none if there is no such file."""
    file = ROOT / path
    if not file.is_file():
        return frozenset()
    return frozenset(
        node.name
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
    )

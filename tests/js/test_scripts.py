"""Unit tests of the JavaScript modules, run by Node, and rules that all modules follow."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = sorted(ROOT.glob("static/js/*.js"))
UNIT_TESTS = sorted(Path(__file__).parent.glob("*.test.mjs"))
NODE = shutil.which("node")
# Events of htmx and of the document that only page.js may listen to.
LIFE_CYCLE = re.compile(
    r'"(htmx:[a-z:]+|DOMContentLoaded|visibilitychange|pageshow|pagehide|online|offline)"|\bhtmx\.'
)


@pytest.mark.skipif(NODE is None, reason="Node is missing: install it to run the unit tests of the scripts.")
@pytest.mark.parametrize("file", UNIT_TESTS, ids=lambda file: file.name)
def test_unit_tests_pass(file: Path) -> None:
    result = subprocess.run(
        [str(NODE), "--test", str(file)], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )

    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("module", ["page", "drafts"])
def test_module_has_unit_tests(module: str) -> None:
    assert f"{module}.test.mjs" in {file.name for file in UNIT_TESTS}


def test_only_page_js_follows_the_life_cycle() -> None:
    listening = {file.name for file in SCRIPTS if LIFE_CYCLE.search(file.read_text(encoding="utf-8"))}

    assert listening == {"page.js"}


def test_only_storage_js_uses_the_storage_of_the_browser() -> None:
    using = {
        file.name
        for file in SCRIPTS
        if re.search(r"\b(local|session)Storage\b", file.read_text(encoding="utf-8"))
    }

    assert using == {"storage.js"}

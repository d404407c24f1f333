"""docs/security.md answers every threat and names existing tests."""

from __future__ import annotations

import re

import pytest

from tests.named import ROOT, is_there

DOCUMENT = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
THREATS = (
    "Guessing codes",
    "Stealing seats",
    "Reading secrets",
    "Cross-site requests",
    "Injected names",
    "Floods",
    "Huge bodies and imports",
    "Header and host spoofing",
    "Path tricks",
    "The local authority",
    "Backups and the secret",
    "Known dependencies",
)
_TEST = re.compile(r"`(tests/[\w/]+\.py(?:::\w+)?)`")


def rows(threat: str) -> list[list[str]]:
    """Return the rows of a threat's table: attack, protection, tests."""
    chapter = DOCUMENT.partition(f"\n## {threat}\n")[2].partition("\n## ")[0]
    lines = [line.strip("|").split(" | ") for line in chapter.splitlines() if line.startswith("|")]
    return lines[2:]


@pytest.mark.parametrize("threat", THREATS)
def test_every_threat_has_protections_with_tests(threat: str) -> None:
    answers = rows(threat)
    assert answers
    for row in answers:
        assert len(row) == 3, row
        assert all(cell.strip() for cell in row), row
        assert _TEST.search(row[2]), row[0]


def test_every_chapter_is_listed() -> None:
    assert set(re.findall(r"^## (.+)$", DOCUMENT, re.MULTILINE)) == {*THREATS, "What is left"}


def test_named_tests_exist() -> None:
    named = set(_TEST.findall(DOCUMENT))
    assert len(named) > 60
    assert sorted(test for test in named if not is_there(test)) == []

"""`make audit`: what is found stops it, and no answer does not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from tools import audit

PYTHON = {
    "dependencies": [
        {"name": "sound", "version": "1.0", "vulns": []},
        {"name": "private", "skip_reason": "not on the index"},
        {
            "name": "django",
            "version": "5.2.0",
            "vulns": [{"id": "PYSEC-1", "fix_versions": ["5.2.1"]}, {"id": "PYSEC-2", "fix_versions": []}],
        },
    ]
}
JAVASCRIPT = {
    "auditReportVersion": 2,
    "vulnerabilities": {
        "htmx.org": {"range": "<2.0.5", "via": [{"title": "Cross-site scripting"}]},
        "other": {"range": "*", "via": ["htmx.org"]},
    },
}


def test_advisories_about_python_packages() -> None:
    assert list(audit.found_in_python(PYTHON)) == [
        "django 5.2.0: PYSEC-1, mended in 5.2.1",
        "django 5.2.0: PYSEC-2, mended in nothing yet",
    ]


def test_advisories_about_javascript() -> None:
    assert list(audit.found_in_javascript(JAVASCRIPT)) == [
        "htmx.org <2.0.5: Cross-site scripting",
        "other *: through another package",
    ]
    assert list(audit.found_in_javascript({"auditReportVersion": 2, "vulnerabilities": {}})) == []


@pytest.mark.parametrize(
    "answer", [{"message": "405 Method Not Allowed"}, {"error": {"code": "ENOTFOUND"}}, {}]
)
def test_a_registry_that_knows_no_advisories(answer: Any) -> None:
    with pytest.raises(audit.Skipped):
        list(audit.found_in_javascript(answer))


def test_a_service_that_knows_no_package_at_all() -> None:
    with pytest.raises(audit.Skipped, match="not on the index"):
        list(audit.found_in_python({"dependencies": [PYTHON["dependencies"][1]]}))


def test_a_program_that_says_something_else() -> None:
    assert audit.answer_of([sys.executable, "-c", "print('{}'); raise SystemExit(1)"]) == {}
    with pytest.raises(audit.Skipped, match="no network"):
        audit.answer_of([sys.executable, "-c", "import sys; sys.exit('no network')"])
    with pytest.raises(audit.Skipped, match="No such file"):
        audit.answer_of(["/no/such/program"])


def skipping() -> list[str]:
    raise audit.Skipped("no network")


@pytest.mark.parametrize(
    ("python", "javascript", "code", "said"),
    [
        (skipping, skipping, 0, "Python: skipped, as no advisory service answers (no network)."),
        (list, list, 0, "JavaScript: no known advisories."),
        (lambda: ["django: PYSEC-1"], skipping, 1, "Python: 1 known advisories.\n  django: PYSEC-1"),
    ],
)
def test_what_it_says_and_how_it_ends(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    python: Callable[[], list[str]],
    javascript: Callable[[], list[str]],
    code: int,
    said: str,
) -> None:
    monkeypatch.setattr(audit, "in_python", python)
    monkeypatch.setattr(audit, "in_javascript", javascript)

    assert audit.main() == code
    assert said in capsys.readouterr().out

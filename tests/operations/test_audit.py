"""`make audit`: advisories fail it, an unreachable service does not."""

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


def test_advisories_of_python_packages_are_listed() -> None:
    assert list(audit.python_advisories(PYTHON)) == [
        "django 5.2.0: PYSEC-1, mended in 5.2.1",
        "django 5.2.0: PYSEC-2, mended in nothing yet",
    ]


def test_advisories_of_javascript_packages_are_listed() -> None:
    assert list(audit.javascript_advisories(JAVASCRIPT)) == [
        "htmx.org <2.0.5: Cross-site scripting",
        "other *: through another package",
    ]
    assert list(audit.javascript_advisories({"auditReportVersion": 2, "vulnerabilities": {}})) == []


@pytest.mark.parametrize(
    "answer", [{"message": "405 Method Not Allowed"}, {"error": {"code": "ENOTFOUND"}}, {}]
)
def test_registry_without_advisories_is_skipped(answer: Any) -> None:
    with pytest.raises(audit.Skipped):
        list(audit.javascript_advisories(answer))


def test_service_that_knows_no_package_is_skipped() -> None:
    with pytest.raises(audit.Skipped, match="not on the index"):
        list(audit.python_advisories({"dependencies": [PYTHON["dependencies"][1]]}))


def test_program_without_json_output_is_skipped() -> None:
    assert audit.json_output([sys.executable, "-c", "print('{}'); raise SystemExit(1)"]) == {}
    with pytest.raises(audit.Skipped, match="no network"):
        audit.json_output([sys.executable, "-c", "import sys; sys.exit('no network')"])
    with pytest.raises(audit.Skipped, match="No such file"):
        audit.json_output(["/no/such/program"])


def skipping() -> list[str]:
    raise audit.Skipped("no network")


@pytest.mark.parametrize(
    ("python", "javascript", "code", "message"),
    [
        (skipping, skipping, 0, "Python: skipped, as no advisory service answers (no network)."),
        (list, list, 0, "JavaScript: no known advisories."),
        (lambda: ["django: PYSEC-1"], skipping, 1, "Python: 1 known advisories.\n  django: PYSEC-1"),
    ],
)
def test_output_and_exit_code(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    python: Callable[[], list[str]],
    javascript: Callable[[], list[str]],
    code: int,
    message: str,
) -> None:
    monkeypatch.setattr(audit, "audit_python", python)
    monkeypatch.setattr(audit, "audit_javascript", javascript)

    assert audit.main() == code
    assert message in capsys.readouterr().out

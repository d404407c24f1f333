"""`make audit`: report known security advisories for the pinned packages.

It queries advisory services over the network. If a service cannot be reached, that part is skipped with a
message and does not fail.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
# pip-audit is installed into a temporary folder, because nothing else needs its many dependencies.
REQUIREMENTS = ROOT / "requirements-audit.txt"
TIMEOUT = 300  # seconds


class Skipped(Exception):  # noqa: N818 - not an error
    """The audit could not be made; the message is the reason."""


def json_output(command: Sequence[str], env: Mapping[str, str] | None = None) -> Any:
    """Return the JSON that a command prints, whatever its exit code. Raise `Skipped` if there is none."""
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=TIMEOUT,
            env=env,
        )
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise Skipped(f"no answer within {TIMEOUT} seconds") from None
    except OSError as error:
        raise Skipped(str(error)) from None
    except json.JSONDecodeError:
        errors = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise Skipped(errors[-1] if errors else f"exit code {done.returncode}") from None


# Python


def audit_python() -> list[str]:
    """Return the advisories for all installed Python packages. Raise `Skipped` if they are unknown."""
    with tempfile.TemporaryDirectory(prefix="audit-") as folder:
        install = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        done = subprocess.run(
            [*install, "--target", folder, "--require-hashes", "-r", REQUIREMENTS],
            stderr=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode:
            raise Skipped("pip-audit could not be installed")
        options = ["--format=json", "--progress-spinner=off", "--path", sysconfig.get_path("purelib")]
        env = {**os.environ, "PYTHONPATH": folder}
        report = json_output([sys.executable, "-m", "pip_audit", *options], env)
        return list(python_advisories(report))


def python_advisories(report: Any) -> Iterator[str]:
    packages = report["dependencies"]
    skipped = [package for package in packages if "skip_reason" in package]
    if skipped and len(skipped) == len(packages):
        raise Skipped(skipped[0]["skip_reason"])
    for package in packages:
        for advisory in package.get("vulns", []):
            versions = ", ".join(advisory["fix_versions"]) or "nothing yet"
            yield f"{package['name']} {package['version']}: {advisory['id']}, mended in {versions}"


# JavaScript


def audit_javascript() -> list[str]:
    """Return the advisories for the packages in package-lock.json. Raise `Skipped` if they are unknown."""
    npm = shutil.which("npm")
    if npm is None:
        raise Skipped("npm is not installed")
    return list(javascript_advisories(json_output([npm, "audit", "--json"])))


def javascript_advisories(report: Any) -> Iterator[str]:
    if "auditReportVersion" not in report:
        raise Skipped(str(report.get("message") or report.get("error") or "no report"))
    for name, package in sorted(report["vulnerabilities"].items()):
        titles = [cause["title"] for cause in package["via"] if isinstance(cause, dict)]
        yield f"{name} {package['range']}: {'; '.join(titles) or 'through another package'}"


def main() -> int:
    total = 0
    for name, audit in (("Python", audit_python), ("JavaScript", audit_javascript)):
        try:
            advisories = audit()
        except Skipped as reason:
            print(f"{name}: skipped, as no advisory service answers ({reason}).")
            continue
        total += len(advisories)
        print(f"{name}: {len(advisories) or 'no'} known advisories.")
        for advisory in advisories:
            print(f"  {advisory}")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())

"""`make audit`: whether an advisory is known about any package that is pinned and installed here.

It needs the network, and services that know advisories. Where none of them answers there is nothing to say, and
no reason to stop anybody: the reason is printed, and the audit counts as skipped.
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
# Its own dependencies are many, and nothing else needs them: so it is installed aside, and only for this.
REQUIREMENTS = ROOT / "requirements-audit.txt"
PATIENCE = 300  # seconds


class Skipped(Exception):  # noqa: N818 - it is no error
    """Why nothing can be said."""


def answer_of(command: Sequence[str], surroundings: Mapping[str, str] | None = None) -> Any:
    """The JSON that a program prints, whatever its exit code. Raises ``Skipped``."""
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
            env=surroundings,
        )
        return json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise Skipped(f"no answer within {PATIENCE} seconds") from None
    except OSError as error:
        raise Skipped(str(error)) from None
    except json.JSONDecodeError:
        said = [line.strip() for line in done.stderr.splitlines() if line.strip()]
        raise Skipped(said[-1] if said else f"exit code {done.returncode}") from None


# Python


def in_python() -> list[str]:
    """Advisories about the Python packages that are installed: those pinned, and what they bring along.

    Raises ``Skipped``.
    """
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
        surroundings = {**os.environ, "PYTHONPATH": folder}
        answer = answer_of([sys.executable, "-m", "pip_audit", *options], surroundings)
        return list(found_in_python(answer))


def found_in_python(answer: Any) -> Iterator[str]:
    packages = answer["dependencies"]
    skipped = [package for package in packages if "skip_reason" in package]
    if skipped and len(skipped) == len(packages):
        raise Skipped(skipped[0]["skip_reason"])
    for package in packages:
        for advisory in package.get("vulns", []):
            mended = ", ".join(advisory["fix_versions"]) or "nothing yet"
            yield f"{package['name']} {package['version']}: {advisory['id']}, mended in {mended}"


# JavaScript


def in_javascript() -> list[str]:
    """Advisories about what package-lock.json pins. Raises ``Skipped``."""
    npm = shutil.which("npm")
    if npm is None:
        raise Skipped("npm is not installed")
    return list(found_in_javascript(answer_of([npm, "audit", "--json"])))


def found_in_javascript(answer: Any) -> Iterator[str]:
    if "auditReportVersion" not in answer:
        raise Skipped(str(answer.get("message") or answer.get("error") or "no report"))
    for name, package in sorted(answer["vulnerabilities"].items()):
        titles = [cause["title"] for cause in package["via"] if isinstance(cause, dict)]
        yield f"{name} {package['range']}: {'; '.join(titles) or 'through another package'}"


def main() -> int:
    found = 0
    for name, look in (("Python", in_python), ("JavaScript", in_javascript)):
        try:
            advisories = look()
        except Skipped as reason:
            print(f"{name}: skipped, as no advisory service answers ({reason}).")
            continue
        found += len(advisories)
        print(f"{name}: {len(advisories) or 'no'} known advisories.")
        for advisory in advisories:
            print(f"  {advisory}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

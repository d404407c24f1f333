"""Third-party code: pinned with hashes; only the wanted JavaScript files are served."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders

import run
from companion.operations.vendor import WANTED, VendorFinder
from tests.operations.conftest import ROOT

REQUIREMENTS = sorted(ROOT.glob("requirements*.in"))
HASHED = re.compile(r"[\w.-]+==[\w.]+( ; [^\\]+?)?(\s+--hash=sha256:[0-9a-f]{64})+")


def test_every_wanted_file_is_installed_and_listed() -> None:
    listed = [f"{storage.prefix}/{name}" for name, storage in VendorFinder().list(None)]

    assert listed == [f"vendor/{name}" for names in WANTED.values() for name in names]


def test_wanted_file_is_found_by_its_path() -> None:
    assert str(finders.find("vendor/htmx.min.js")) == str(ROOT / "node_modules/htmx.org/dist/htmx.min.js")


@pytest.mark.parametrize(
    "path", ["vendor/htmx.js", "vendor/ext", "vendor/../htmx.org/package.json", "htmx.min.js"]
)
def test_other_files_are_not_found(path: str) -> None:
    assert VendorFinder().find(path) == []
    assert VendorFinder().find(path, find_all=True) == []


def test_lock_file_has_checksums_and_no_host() -> None:
    text = (ROOT / "package-lock.json").read_text()
    packages = {name: entry for name, entry in json.loads(text)["packages"].items() if name}

    assert packages
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())
    assert "://" not in re.sub(r'"url": "[^"]*"', "", text)


@pytest.mark.parametrize("source", REQUIREMENTS, ids=lambda source: source.name)
def test_every_package_is_pinned_and_has_a_reason(source: Path) -> None:
    lines = source.read_text().splitlines()
    packages = [
        (above, line) for above, line in zip(["", *lines], lines, strict=False) if re.match(r"\w", line)
    ]

    assert packages
    assert [line for above, line in packages if not above.startswith("# ") or "==" not in line] == []


@pytest.mark.parametrize("source", REQUIREMENTS, ids=lambda source: source.name)
def test_compiled_requirements_have_hashes_and_no_index(source: Path) -> None:
    text = source.with_suffix(".txt").read_text()
    entries = re.sub(r"\\\n", " ", re.sub(r"^#.*\n", "", text, flags=re.MULTILINE)).splitlines()

    assert entries
    assert [entry for entry in entries if not HASHED.fullmatch(entry)] == []
    assert "://" not in text


@pytest.mark.parametrize("source", REQUIREMENTS, ids=lambda source: source.name)
def test_compiled_requirements_contain_every_package_of_their_source(source: Path) -> None:
    """Including those of the files it includes: run.py counts them as installed."""
    compiled = pins(source.with_suffix(".txt"))
    wanted = pins(source).items()
    included = [pins(file) for file in run.requirements_of(source.with_suffix(".txt").name)]

    assert wanted <= compiled.items()
    assert all(part.items() <= compiled.items() for part in included)


def test_shared_packages_have_one_version() -> None:
    """A PostgreSQL installation installs both files into one environment."""
    base, postgres = pins(ROOT / "requirements.txt"), pins(ROOT / "requirements-postgres.txt")

    assert {name: base.get(name, version) for name, version in postgres.items()} == postgres


def pins(file: Path) -> dict[str, str]:
    """Return the version of each package that a requirements file names."""
    pinned = re.findall(r"^([\w.-]+)(?:\[.*?\])?==([\w.]+)", file.read_text(), flags=re.MULTILINE)
    return {name.lower().replace("_", "-"): version for name, version in pinned}

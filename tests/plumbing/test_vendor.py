"""Of the installed JavaScript exactly the wanted files are served."""

import json
import re

import pytest
from django.contrib.staticfiles import finders

from companion.vendor import WANTED, VendorFinder
from tests.plumbing.conftest import ROOT


def test_every_wanted_file_is_installed_and_listed() -> None:
    listed = [f"{storage.prefix}/{name}" for name, storage in VendorFinder().list(None)]

    assert listed == [f"vendor/{name}" for names in WANTED.values() for name in names]


def test_a_wanted_file_is_found_by_its_address() -> None:
    assert str(finders.find("vendor/htmx.min.js")) == str(ROOT / "node_modules/htmx.org/dist/htmx.min.js")


@pytest.mark.parametrize(
    "path", ["vendor/htmx.js", "vendor/ext", "vendor/../htmx.org/package.json", "htmx.min.js"]
)
def test_nothing_else_is_found(path: str) -> None:
    assert VendorFinder().find(path) == []
    assert VendorFinder().find(path, find_all=True) == []


def test_the_lock_names_versions_and_checksums_but_no_host() -> None:
    text = (ROOT / "package-lock.json").read_text()
    packages = {name: entry for name, entry in json.loads(text)["packages"].items() if name}

    assert packages
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())
    assert "://" not in re.sub(r'"url": "[^"]*"', "", text)


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt", "requirements-postgres.txt"])
def test_every_package_is_pinned_and_has_a_reason(name: str) -> None:
    lines = (ROOT / name).read_text().splitlines()
    packages = [
        (above, line) for above, line in zip(["", *lines], lines, strict=False) if re.match(r"\w", line)
    ]

    assert packages
    assert [line for above, line in packages if not above.startswith("# ") or "==" not in line] == []

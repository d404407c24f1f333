"""Static files with hashed names, as collectstatic writes them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.core.files.base import ContentFile

from companion.operations.static_files import HashedModulesStorage
from tests.operations.conftest import ROOT

IMPORT = re.compile(r"""^\s*import\b[^"']*["']([^"']+)["'];""", re.MULTILINE)


def collected(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """Collect files into a folder; return their hashed names."""
    storage = HashedModulesStorage(location=folder)
    for name, text in files.items():
        storage.save(name, ContentFile(text))
    for _name, _hashed, processed in storage.post_process({name: (storage, name) for name in files}):
        if isinstance(processed, Exception):
            raise processed
    return storage.hashed_files


def test_imports_of_modules_name_the_hashed_files(tmp_path: Path) -> None:
    files = {file.relative_to(ROOT / "static").as_posix(): file for file in ROOT.glob("static/js/*.js")}

    hashed = collected(tmp_path, {name: file.read_text() for name, file in files.items()})

    for name, file in files.items():
        imported = IMPORT.findall((tmp_path / hashed[name]).read_text())
        assert imported == [
            f"./{Path(hashed[f'js/{Path(target).name}']).name}" for target in IMPORT.findall(file.read_text())
        ]


def test_change_of_a_module_renames_those_that_import_it(tmp_path: Path) -> None:
    """Browsers keep hashed files forever."""
    importing = 'import { value } from "./value.js";\nconsole.log(value);\n'

    before = collected(tmp_path / "1", {"js/a.js": importing, "js/value.js": "export const value = 1;\n"})
    after = collected(tmp_path / "2", {"js/a.js": importing, "js/value.js": "export const value = 2;\n"})

    assert before["js/a.js"] != after["js/a.js"]


@pytest.mark.parametrize("text", ["import value from './gone.js';", 'import "./gone.js";'])
def test_import_of_a_missing_module_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match=r"gone\.js"):
        collected(tmp_path, {"js/a.js": text})

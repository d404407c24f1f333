"""`makemessages` extracts the wordings of the rules, and nothing else that looks like them."""

import shutil
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command

pytestmark = pytest.mark.skipif(not shutil.which("xgettext"), reason="needs gettext")

TAIL = "companion/locale/hu/LC_MESSAGES/django.po"


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the catalogue extracted from a copy of some project files."""
    for name in (
        "games/raubritter/wording.py",
        "games/core/wording.py",
        "companion/operations/env.py",
        "companion/errors.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(settings.BASE_DIR / name, tmp_path / name)
    for folder in ("node_modules", "staticfiles", "data", "tests"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "other.py").write_text('gettext("not ours")\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(settings, "LOCALE_PATHS", [tmp_path / "companion" / "locale"])
    call_command("makemessages", locale=["hu"], verbosity=0)
    return (tmp_path / TAIL).read_text()


def test_wordings_of_a_game_are_extracted(catalogue: str) -> None:
    assert "#: games/raubritter/wording.py" in catalogue
    assert 'msgid "There is already a tile here."' in catalogue
    assert '#, python-brace-format\nmsgid "{faction} lays a {tile} at {cell}."' in catalogue


def test_plural_forms_are_extracted(catalogue: str) -> None:
    entry = 'msgid "{count} knight"\nmsgid_plural "{count} knights"\nmsgstr[0] ""\nmsgstr[1] ""\n'

    assert entry in catalogue


def test_wordings_of_core_and_web_application_are_extracted(catalogue: str) -> None:
    assert 'msgid "Please enter a whole number."' in catalogue
    assert 'msgid "There is no table with this code."' in catalogue


def test_other_folders_and_names_are_ignored(catalogue: str) -> None:
    assert "not ours" not in catalogue
    assert "companion/operations/env.py" not in catalogue

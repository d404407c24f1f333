"""Settings from environment variables: errors are reported, and a secret is generated once."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from companion.operations import env
from tests.operations.conftest import ROOT


@pytest.mark.parametrize(
    ("value", "expected"),
    [("on", True), ("True", True), ("1", True), ("off", False), ("no", False), ("", True)],
)
def test_boolean(monkeypatch: pytest.MonkeyPatch, value: str, expected: bool) -> None:  # noqa: FBT001
    monkeypatch.setenv("LAMP", value)

    assert env.boolean("LAMP", default=True) is expected


def test_boolean_rejects_other_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAMP", "maybe")

    with pytest.raises(ImproperlyConfigured, match="LAMP is 'maybe'; it must be on or off"):
        env.boolean("LAMP", default=True)


def test_integer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIZE", "12")

    assert env.integer("SIZE", default=3) == 12
    assert env.integer("OTHER", default=3) == 3


def test_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    assert env.choice("FORM", default="text", choices=("text", "json")) == "text"
    monkeypatch.setenv("FORM", "JSON")
    assert env.choice("FORM", default="text", choices=("text", "json")) == "json"
    monkeypatch.setenv("FORM", "xml")
    with pytest.raises(ImproperlyConfigured, match="FORM is 'xml'; it must be text or json"):
        env.choice("FORM", default="text", choices=("text", "json"))


def test_integer_rejects_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIZE", "many")

    with pytest.raises(ImproperlyConfigured, match="SIZE is 'many'; it must be a whole number"):
        env.integer("SIZE", default=3)


def test_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOSTS", " one.example, two.example,, ")

    assert env.names("HOSTS") == ["one.example", "two.example"]
    assert env.names("OTHER") == []


def test_secret_is_generated_once_and_private(tmp_path: Path) -> None:
    stored = tmp_path / "data" / "key"

    first = env.secret("NO_SUCH_SECRET", stored_in=stored)

    assert env.secret("NO_SUCH_SECRET", stored_in=stored) == first
    assert len(first) >= 50
    assert list(stored.parent.iterdir()) == [stored]
    if os.name == "posix":
        assert stat.S_IMODE(stored.stat().st_mode) == 0o600


def test_secret_from_environment_or_file_takes_precedence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "given"
    file.write_text("from a file\n")
    stored = tmp_path / "stored"

    monkeypatch.setenv("KEY_FILE", str(file))
    assert env.secret("KEY", stored_in=stored) == "from a file"
    monkeypatch.setenv("KEY", "from the environment")
    assert env.secret("KEY", stored_in=stored) == "from the environment"
    assert not stored.exists()


@pytest.mark.parametrize(("content", "message"), [("", "is empty"), (None, "cannot be read")])
def test_empty_or_missing_secret_file_stops_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str | None, message: str
) -> None:
    file = tmp_path / "given"
    if content is not None:
        file.write_text(content)
    monkeypatch.setenv("KEY_FILE", str(file))

    with pytest.raises(ImproperlyConfigured, match=message):
        env.secret("KEY", stored_in=tmp_path / "stored")


def test_concurrent_processes_agree_on_the_secret(tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from companion.operations import env;"
        "print(env.secret('KEY', stored_in=pathlib.Path(sys.argv[1])))"
    )
    starts = [
        subprocess.Popen([sys.executable, "-c", program, tmp_path / "key"], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]

    (secret,) = {start.communicate()[0].strip() for start in starts}
    assert secret == (tmp_path / "key").read_text()


POSIX = pytest.mark.skipif(os.name != "posix", reason="folders inherit their permissions there")


def mode_of(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


@POSIX
def test_data_folder_is_created_private(tmp_path: Path) -> None:
    folder = tmp_path / "some" / "data"

    assert env.private_folder("NOT_SET", folder) == folder
    assert mode_of(folder) == 0o700


@POSIX
@pytest.mark.parametrize(("before", "after"), [(0o755, 0o700), (0o2770, 0o2700), (0o500, 0o500)])
def test_existing_data_folder_is_made_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: int, after: int
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(before)
    monkeypatch.setenv("DATA_DIR", str(folder))

    assert env.private_folder("DATA_DIR", tmp_path) == folder
    assert mode_of(folder) == after


@POSIX
def test_shared_folder_stays_shared(tmp_path: Path) -> None:
    """Otherwise a server run by root would close /tmp for everyone."""
    tmp_path.chmod(0o1777)

    env.private_folder("NOT_SET", tmp_path)

    assert mode_of(tmp_path) == 0o1777


@POSIX
def test_folder_of_another_user_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)

    env.private_folder("NOT_SET", tmp_path)

    assert mode_of(tmp_path) == 0o755


@POSIX
def test_failing_chmod_does_not_stop_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_path: Path, _mode: int) -> None:
        raise PermissionError

    tmp_path.chmod(0o755)
    monkeypatch.setattr(Path, "chmod", fail)

    assert env.private_folder("NOT_SET", tmp_path) == tmp_path


@POSIX
def test_database_folder_is_made_private(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    folder.chmod(0o755)
    command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity=0"]
    surroundings = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}

    subprocess.run(command, cwd=ROOT, env={**surroundings, "DATA_DIR": str(folder)}, check=True)

    assert (folder / "seneschal.sqlite3").exists()
    assert mode_of(folder) == 0o700

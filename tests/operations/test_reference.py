"""Every setting is documented and in deploy/environment; the systemd unit is valid."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import uvicorn

import run
from companion.operations import serve
from tests.servers import ROOT, environment

DEPLOY = ROOT / "deploy"
UNIT = (DEPLOY / "seneschal.service").read_text(encoding="utf-8")
# Read by uvicorn itself.
UVICORN_SETTINGS = {"WEB_CONCURRENCY"}
# Names the settings module, so it is not a setting itself.
NOT_SETTINGS = {"DJANGO_SETTINGS_MODULE"}


def sources() -> list[Path]:
    """Return the files that run on a server."""
    return [ROOT / "run.py", ROOT / "manage.py", *sorted((ROOT / "companion").rglob("*.py"))]


def variables_in(source: Path) -> Iterator[str]:
    """Yield the variables a file reads: `env.text("X")`, `os.environ.get("X")`, `os.environ["X"]`."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="env"), attr=kind),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield name
                if kind == "secret":
                    yield f"{name}_FILE"
            case (
                ast.Call(
                    func=ast.Attribute(value=ast.Attribute(attr="environ")),
                    args=[ast.Constant(value=str(name)), *_],
                )
                | ast.Call(func=ast.Attribute(attr="getenv"), args=[ast.Constant(value=str(name)), *_])
                | ast.Subscript(value=ast.Attribute(attr="environ"), slice=ast.Constant(value=str(name)))
            ):
                yield name


@cache
def our_settings() -> set[str]:
    return {name for source in sources() for name in variables_in(source)} - NOT_SETTINGS


def in_reference(document: str) -> list[str]:
    """Return the names in the first column of the table of settings."""
    text = (ROOT / document).read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[A-Z_`, ]+`) \|", text, re.MULTILINE)
    return [name for row in rows for name in re.findall(r"`([A-Z_]+)`", row)]


def in_example() -> list[str]:
    lines = (DEPLOY / "environment").read_text(encoding="utf-8").splitlines()
    return [match[1] for line in lines if (match := re.match(r"#?([A-Z_]+)=", line))]


def test_all_ways_to_read_a_variable_are_found(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text(
        'A = env.text("A", "")\nB = env.secret("B", stored_in=x)\nC = os.environ.get("C") or ""\n'
        'D = os.environ["D"]\nE = os.getenv("E")\nos.environ.setdefault("F", "")\nnames("G")\n'
    )

    assert sorted(variables_in(source)) == ["A", "B", "B_FILE", "C", "D", "E", "F"]


def test_every_setting_is_documented_once() -> None:
    names = in_reference("docs/deployment.md")

    assert sorted(names) == sorted(our_settings() | UVICORN_SETTINGS)


def test_every_setting_is_in_the_example_once() -> None:
    assert sorted(in_example()) == sorted(our_settings() | UVICORN_SETTINGS)


def test_readme_names_only_existing_settings() -> None:
    assert set(in_reference("README.md")) <= our_settings() | UVICORN_SETTINGS


@pytest.mark.parametrize("name", sorted(UVICORN_SETTINGS))
def test_uvicorn_reads_its_settings(name: str) -> None:
    folder = Path(uvicorn.__file__).parent
    assert any(f'"{name}"' in file.read_text(encoding="utf-8") for file in folder.glob("*.py"))


# The example file


def example(tmp_path: Path) -> Path:
    """Return a copy of the example file with the test's own folder."""
    text = (DEPLOY / "environment").read_text(encoding="utf-8")
    assert "DATA_DIR=/var/lib/seneschal" in text
    file = tmp_path / "environment"
    file.write_text(text.replace("/var/lib/seneschal", str(tmp_path / "data")), encoding="utf-8")
    return file


def test_example_passes_the_deployment_checks(tmp_path: Path) -> None:
    """Run through deploy/manage, as on a server."""
    surroundings = {**environment(tmp_path), "ENVIRONMENT": str(example(tmp_path))}
    result = subprocess.run(
        [DEPLOY / "manage", "check", "--deploy", "--fail-level", "WARNING"],
        env={name: value for name, value in surroundings.items() if name not in our_settings()},
        capture_output=True,
        text=True,
        check=False,
    )

    assert result.returncode == 0, result.stderr
    assert (tmp_path / "data" / "secret-key").exists()  # the file was read


def test_defaults_in_the_example_match_the_settings() -> None:
    text = (ROOT / "companion" / "settings.py").read_text(encoding="utf-8")
    pool = re.search(r'"DATABASE_POOL", default=(\d+)', text)
    assert pool
    example_text = (DEPLOY / "environment").read_text(encoding="utf-8")
    assert f"#DATABASE_POOL={pool[1]}\n" in example_text
    assert f"#HSTS_SECONDS={365 * 24 * 60 * 60}\n" in example_text
    assert '"HSTS_SECONDS", default=365 * 24 * 60 * 60' in text
    for name in re.findall(r"#([A-Z_]+)=(?:on|off)\n", example_text):
        default = "default=True" if f"#{name}=on\n" in example_text else "default=False"
        assert f'"{name}", {default}' in text or name in ("STATIC_MANIFEST", "CACHE_VERIFY")


# systemd


def test_unit_starts_the_server_like_run_py() -> None:
    """Except that it waits longer for requests, and systemd longer still."""
    (command,) = re.findall(r"^ExecStart=((?:.*\\\n)*.*)", UNIT, re.MULTILINE)
    words = command.replace("\\\n", " ").split()
    here = {"8000": "${PORT}"}
    assert words[0] == "/srv/seneschal/.venv/bin/python"
    assert words[1:-2] == [here.get(word, word) for word in run.server_command("${HOST}", 8000, None)[1:]]
    assert words[-2] == "--timeout-graceful-shutdown"
    (stop,) = re.findall(r"^TimeoutStopSec=(\d+)$", UNIT, re.MULTILINE)
    assert serve.GRACE <= int(words[-1]) < int(stop)
    assert {"HOST", "PORT"} <= set(in_example())


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_accepts_the_unit(tmp_path: Path) -> None:
    here = {
        "/srv/seneschal/.venv/bin/python": sys.executable,
        "/srv/seneschal": str(ROOT),
        "User=seneschal": f"User={os.getuid()}",
        "Group=seneschal": f"Group={os.getgid()}",
    }
    text = UNIT
    for there, place in here.items():
        assert there in text
        text = text.replace(there, place)
    unit = tmp_path / "seneschal.service"
    unit.write_text(text, encoding="utf-8")

    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False
    )
    assert verified.returncode == 0, verified.stderr
    assert "seneschal.service" not in verified.stderr  # unknown directives are only warnings

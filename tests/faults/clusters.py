"""A PostgreSQL cluster of the test's own, which it may stop and break."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.servers import free_port

DEBIAN_FOLDER = "/usr/lib/postgresql"  # Debian installs them outside the path
OWNER = "postgres"  # PostgreSQL does not run as root

CONFIGURATION = """
listen_addresses = '127.0.0.1'
port = {port}
unix_socket_directories = '{folder}'
max_connections = 60
shared_buffers = 16MB
fsync = off  # the tests do not crash the machine
"""


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, the newest if there are several."""
    if path := shutil.which("initdb"):
        return Path(path).parent
    folders = [path.parent for path in Path(DEBIAN_FOLDER).glob("*/bin/initdb")]
    return max(folders, key=lambda folder: float(folder.parent.name), default=None)


def why_no_cluster() -> str:
    if find_spec("psycopg") is None:
        return "psycopg is not installed"
    if programs() is None:
        return f"no initdb on the path or in {DEBIAN_FOLDER}"
    if os.geteuid() == 0 and not _account():
        return f"PostgreSQL does not run as root, and there is no user {OWNER}"
    return ""


def _account() -> pwd.struct_passwd | None:
    with contextlib.suppress(KeyError):
        return pwd.getpwnam(OWNER)
    return None


@dataclass(frozen=True)
class Cluster:
    folder: Path
    port: int

    @property
    def url(self) -> str:
        return f"postgres://{OWNER}@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        self._control("start")

    def stop(self, mode: str) -> None:
        """Stop: `fast` ends transactions in progress, `immediate` is a crash."""
        self._control("stop", "--mode", mode)

    def _control(self, *arguments: str) -> None:
        log = str(self.folder / "log")
        self.run("pg_ctl", "--pgdata", str(self.data), "--log", log, "--wait", "--timeout", "60", *arguments)

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def run(self, program: str, *arguments: str) -> None:
        folder = programs()
        assert folder
        account = _account() if os.geteuid() == 0 else None
        subprocess.run(
            [str(folder / program), *arguments],
            cwd=self.folder,
            user=account and account.pw_uid,
            group=account and account.pw_gid,
            extra_groups=[] if account else None,
            stdout=subprocess.DEVNULL,
            check=True,
            timeout=90,
        )

    def query(self, sql: str) -> list[Any]:
        import psycopg  # noqa: PLC0415 - optional

        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(sql).fetchall()


@contextlib.contextmanager
def running_cluster() -> Iterator[Cluster]:
    """Run a cluster in a temporary folder; pytest's folder is not accessible to its user."""
    with tempfile.TemporaryDirectory(prefix="seneschal-cluster-") as name:
        cluster = Cluster(Path(name), free_port())
        if os.geteuid() == 0:
            shutil.chown(name, OWNER)
        options = ("--username", OWNER, "--auth", "trust", "--encoding", "UTF8", "--no-locale", "--no-sync")
        cluster.run("initdb", "--pgdata", str(cluster.data), *options)
        with (cluster.data / "postgresql.conf").open("a") as file:
            file.write(CONFIGURATION.format(port=cluster.port, folder=name))
        cluster.start()
        try:
            yield cluster
        finally:
            with contextlib.suppress(subprocess.CalledProcessError):  # it may be down already
                cluster.stop("immediate")

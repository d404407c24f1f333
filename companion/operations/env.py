"""Settings from environment variables. An invalid value stops the start; nothing is guessed."""

import contextlib
import os
import secrets
import stat
import tempfile
from collections.abc import Sequence
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

YES = frozenset({"on", "true", "yes", "1"})
NO = frozenset({"off", "false", "no", "0"})


def text(name: str, default: str) -> str:
    """Return the value of a variable; an empty one counts as not set."""
    return os.environ.get(name) or default


def boolean(name: str, *, default: bool) -> bool:
    value = text(name, "on" if default else "off").lower()
    if value not in YES | NO:
        message = f"{name} is {value!r}; it must be on or off."
        raise ImproperlyConfigured(message)
    return value in YES


def integer(name: str, *, default: int) -> int:
    value = text(name, str(default))
    try:
        return int(value)
    except ValueError as error:
        message = f"{name} is {value!r}; it must be a whole number."
        raise ImproperlyConfigured(message) from error


def choice(name: str, *, default: str, choices: Sequence[str]) -> str:
    value = text(name, default).lower()
    if value not in choices:
        message = f"{name} is {value!r}; it must be {' or '.join(choices)}."
        raise ImproperlyConfigured(message)
    return value


def names(name: str) -> list[str]:
    """Return the items of a comma-separated list."""
    return [part.strip() for part in text(name, "").split(",") if part.strip()]


def private_folder(name: str, default: Path) -> Path:
    """Return the folder that a variable names; create it, and close it to other users of the machine.

    On Windows folders inherit their permissions. A shared folder such as /tmp (sticky bit set) or one of
    another user keeps its permissions; a file system without permissions does not stop the start.
    """
    folder = Path(text(name, str(default))).resolve()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix":
        with contextlib.suppress(OSError):
            _close(folder)
    return folder


def _close(folder: Path) -> None:
    status = folder.stat()
    if status.st_uid == os.geteuid() and status.st_mode & 0o077 and not status.st_mode & stat.S_ISVTX:
        folder.chmod(stat.S_IMODE(status.st_mode) & ~0o077)


def secret(name: str, *, stored_in: Path) -> str:
    """Return a secret from NAME or from the file in NAME_FILE; else generate one once and store it."""
    if value := text(name, ""):
        return value
    if file := text(f"{name}_FILE", ""):
        return _read_secret(Path(file))
    if not stored_in.exists():
        _make_secret(stored_in)
    return _read_secret(stored_in)


def _read_secret(path: Path) -> str:
    try:
        value = path.read_text(encoding="utf-8").strip()
    except OSError as error:
        message = f"The secret in {path} cannot be read: {error.strerror}."
        raise ImproperlyConfigured(message) from error
    if not value:
        message = f"The secret in {path} is empty."
        raise ImproperlyConfigured(message)
    return value


def _make_secret(path: Path) -> None:
    """Write a new secret that only its owner may read.

    Two processes may start at the same time: unlike a rename, a hard link fails if the other was first, and
    never exposes a partially written file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # mkstemp: mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(secrets.token_urlsafe(64))
        Path(path).hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        Path(draft).unlink()

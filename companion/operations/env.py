"""Settings from the environment. A value that cannot be read stops the start; nothing is guessed."""

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
    """The value of a variable; set but empty counts as not set."""
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
    """A list separated by commas."""
    return [part.strip() for part in text(name, "").split(",") if part.strip()]


def private_folder(name: str, default: Path) -> Path:
    """Return the folder that a variable names; it is created, and closed to other users of the machine.

    On Windows folders inherit their permissions. A shared folder such as /tmp (its sticky bit is set) is not
    closed, nor one that belongs to somebody else; a file system without permissions is no reason to stop.
    """
    folder = Path(text(name, str(default))).resolve()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix":
        with contextlib.suppress(OSError):
            _close(folder)
    return folder


def _close(folder: Path) -> None:
    found = folder.stat()
    if found.st_uid == os.geteuid() and found.st_mode & 0o077 and not found.st_mode & stat.S_ISVTX:
        folder.chmod(stat.S_IMODE(found.st_mode) & ~0o077)


def secret(name: str, *, kept_in: Path) -> str:
    """A secret from NAME, from the file that NAME_FILE names, or else one made once and kept."""
    if value := text(name, ""):
        return value
    if file := text(f"{name}_FILE", ""):
        return _read_secret(Path(file))
    if not kept_in.exists():
        _make_secret(kept_in)
    return _read_secret(kept_in)


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

    Two processes may start at one moment: a link, unlike a rename, fails when the other was first,
    and never shows a file that is half written.
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

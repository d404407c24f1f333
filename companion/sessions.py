"""Where Django keeps what a phone is in the middle of; as its own, but for keys that no database can look up."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Django asks for any key of eight characters; with a null character in it PostgreSQL fails."""

    def _validate_session_key(self, key: Any) -> bool:
        return isinstance(key, str) and super()._validate_session_key(key) and key.isascii() and key.isalnum()  # type: ignore[misc]

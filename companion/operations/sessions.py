"""Database sessions that reject keys no database can look up."""

from __future__ import annotations

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Session store that ignores non-alphanumeric keys: PostgreSQL fails on null characters."""

    def __init__(self, session_key: str | None = None) -> None:
        is_valid = session_key is not None and session_key.isascii() and session_key.isalnum()
        super().__init__(session_key if is_valid else None)

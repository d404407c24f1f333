"""Database sessions whose keys any database can look up."""

from __future__ import annotations

from django.contrib.sessions.backends import db


class SessionStore(db.SessionStore):
    """Ignore keys from a cookie that are not alphanumeric: PostgreSQL fails on null characters."""

    def __init__(self, session_key: str | None = None) -> None:
        is_valid = session_key is not None and session_key.isascii() and session_key.isalnum()
        super().__init__(session_key if is_valid else None)

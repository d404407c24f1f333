"""Throttling of log messages that a client can trigger at will."""

from __future__ import annotations

import logging
import math
import time

SECONDS = 60.0

# For requests, connections and streams that are refused to protect the server.
rejections = logging.getLogger("companion.rejections")


class OncePerMinute(logging.Filter):
    """Pass each warning at most once a minute, and every error."""

    def __init__(self) -> None:
        super().__init__()
        self._passed_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.WARNING:
            return True
        now = time.monotonic()
        message = str(record.msg)  # the template; details of a client are in its arguments
        if now - self._passed_at.get(message, -math.inf) < SECONDS:
            return False
        self._passed_at[message] = now
        return True

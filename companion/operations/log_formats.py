"""Log formatters: one line per record, with secrets redacted."""

import json
import logging
import re
import traceback
from datetime import UTC, datetime

# Codes of tables and boards and keys of circles grant access; the rest of a URL does not.
_CODE = re.compile(r"(/(?:t|tables|stats/circle|circles|boards/[a-z]+)/)(?!import\b)[^/\s?#'\"]+")
_QUERY = re.compile(r"\?[^\s'\"]*")
# As long as a token, key, signature or hash; identifiers of the code may be as long, and stay readable.
_LONG = re.compile(r"[A-Za-z0-9_-]{24,}")
_NAME = re.compile(r"(?:[_-]*[A-Z]?[a-z]+)+[_-]*")


def redact(text: str) -> str:
    """Replace table codes, circle keys, query strings and anything as long as a token."""
    return _LONG.sub(_unless_name, _QUERY.sub("?…", _CODE.sub(r"\1…", text)))


def _unless_name(match: re.Match[str]) -> str:
    return match[0] if _NAME.fullmatch(match[0]) else "…"


class OneLine(logging.Formatter):
    """Time, level, logger, message, and for an exception its type and location."""

    def format(self, record: logging.LogRecord) -> str:
        parts = [self.formatTime(record), record.levelname, record.name, _message(record)]
        if record.exc_info and record.exc_info[1]:
            error = record.exc_info[1]
            location = _location(error)
            parts.append(f"| {_summary(error)}{f' at {location}' if location else ''}")
        return " ".join(parts)


class JsonLine(logging.Formatter):
    """The same as a JSON object, for log collectors."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _message(record),
        }
        if record.exc_info and record.exc_info[1]:
            fields |= {"error": _summary(record.exc_info[1]), "at": _location(record.exc_info[1])}
        return json.dumps(fields, ensure_ascii=False)


def _message(record: logging.LogRecord) -> str:
    return redact(" ".join(record.getMessage().split()))


def _summary(error: BaseException) -> str:
    """Return type and first line of an exception; in the others PostgreSQL quotes the row's values."""
    first_line = str(error).partition("\n")[0]
    return redact(f"{type(error).__name__}: {first_line}")


def _location(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""

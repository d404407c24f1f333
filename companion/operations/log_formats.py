"""What the server writes down: one line for each thing that went wrong, and nobody's secrets."""

import json
import logging
import re
import traceback
from datetime import UTC, datetime

# The code of a table or of a copy of a board, or the key of a circle, lets people in; the rest of an address
# only says what they looked at.
_CODE = re.compile(r"(/(?:t|tables|stats/circle|circles|boards/[a-z]+)/)(?!import\b)[^/\s?#'\"]+")
_QUERY = re.compile(r"\?[^\s'\"]*")
# As long as a token, a key, a signature or a hash, wherever it stands; and a name in the code, which may be as long.
_LONG = re.compile(r"[A-Za-z0-9_-]{24,}")
_NAME = re.compile(r"(?:[_-]*[A-Z]?[a-z]+)+[_-]*")


def without_secrets(text: str) -> str:
    """A text with the codes of tables, the keys of circles, the queries of addresses and all tokens left out."""
    return _LONG.sub(_unless_name, _QUERY.sub("?…", _CODE.sub(r"\1…", text)))


def _unless_name(found: re.Match[str]) -> str:
    return found[0] if _NAME.fullmatch(found[0]) else "…"


class OneLine(logging.Formatter):
    """Time, level, message, and for an error its kind and where it happened."""

    def format(self, record: logging.LogRecord) -> str:
        parts = [self.formatTime(record), record.levelname, record.name, _said(record)]
        if record.exc_info and record.exc_info[1]:
            error = record.exc_info[1]
            where = _place(error)
            parts.append(f"| {_in_brief(error)}{f' at {where}' if where else ''}")
        return " ".join(parts)


class JsonLine(logging.Formatter):
    """The same as an object of JSON, for programs that gather logs."""

    def format(self, record: logging.LogRecord) -> str:
        told = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": _said(record),
        }
        if record.exc_info and record.exc_info[1]:
            told |= {"error": _in_brief(record.exc_info[1]), "at": _place(record.exc_info[1])}
        return json.dumps(told, ensure_ascii=False)


def _said(record: logging.LogRecord) -> str:
    return without_secrets(" ".join(record.getMessage().split()))


def _in_brief(error: BaseException) -> str:
    """Kind, and the first line of what it says: PostgreSQL quotes the row's values in the next."""
    said = str(error).partition("\n")[0]
    return without_secrets(f"{type(error).__name__}: {said}")


def _place(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else ""

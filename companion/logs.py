"""What the server writes down: one line for each thing that went wrong, and nobody's secrets."""

import logging
import re
import traceback

# The code of a table lets people in; the rest of an address only says what they looked at.
_CODE = re.compile(r"(/(?:t|tables)/)(?!import\b)[^/\s?#'\"]+")
_QUERY = re.compile(r"\?[^\s'\"]*")


def without_secrets(text: str) -> str:
    """A text with the codes of tables and the queries of addresses left out."""
    return _QUERY.sub("?…", _CODE.sub(r"\1…", text))


class OneLine(logging.Formatter):
    """Time, level, message, and for an error its kind and where it happened."""

    def format(self, record: logging.LogRecord) -> str:
        parts = [self.formatTime(record), record.levelname, record.name, record.getMessage()]
        if record.exc_info and record.exc_info[1]:
            parts.append(_in_brief(record.exc_info[1]))
        return without_secrets(" ".join(" ".join(parts).split()))


def _in_brief(error: BaseException) -> str:
    """Kind, place, and the first line of what it says: PostgreSQL quotes the row's values in the next."""
    said = str(error).partition("\n")[0]
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f"| {type(error).__name__}: {said}{where}"

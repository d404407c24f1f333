"""Log formatters: one line per error, without codes and query strings."""

import json
import logging
import sys
import time

import pytest

from companion.operations.log_formats import JsonLine, OneLine, redact
from companion.operations.log_throttle import OncePerMinute


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Internal Server Error: /t/BCDFGH/display/", "Internal Server Error: /t/…/display/"),
        ("/api/tables/BCDFGH/actions/", "/api/tables/…/actions/"),
        ("/api/tables/import/", "/api/tables/import/"),
        ("/t/BCDFGH", "/t/…"),
        ("Not Found: /stats/circle/s3-cret_Key/raubritter/", "Not Found: /stats/circle/…/raubritter/"),
        ("/api/circles/s3-cret_Key/stats/signoria/", "/api/circles/…/stats/signoria/"),
        ("/api/circles/", "/api/circles/"),
        ("/boards/revolution/BCDFGHJK/export/", "/boards/revolution/…/export/"),
        ("/api/boards/revolution/", "/api/boards/revolution/"),
        ("seats=xKz4Wn_9PqRtVw2s-yBdFgHjKmNp0001.abc", "seats=….abc"),
        ("Seat abcdefghABCDEFGHijklmnopIJKLMNOP", "Seat …"),
        (
            "a token's hash 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "a token's hash …",
        ),
        ("CompressedManifestStaticFilesStorage", "CompressedManifestStaticFilesStorage"),
        ("no such column: companion_table_entries_undone", "no such column: companion_table_entries_undone"),
        ("/stats/?seat=s3cret now", "/stats/?… now"),
        ("/calculators/revolution/", "/calculators/revolution/"),
    ],
)
def test_codes_tokens_and_queries_are_redacted(text: str, expected: str) -> None:
    assert redact(text) == expected


def error_record() -> logging.LogRecord:
    try:
        raise ValueError("no such piece\nDETAIL: Key (code)=(BCDFGH)")
    except ValueError:
        return logging.LogRecord(
            "django.request",
            logging.ERROR,
            __file__,
            1,
            "Internal Server Error: %s",
            ("/t/BCDFGH/",),
            sys.exc_info(),
        )


def test_error_is_one_line_with_type_and_location() -> None:
    line = OneLine().format(error_record())

    assert "\n" not in line
    assert "BCDFGH" not in line
    assert "ERROR django.request Internal Server Error: /t/…/ | ValueError: no such piece at " in line
    assert "test_log_formats.py:" in line


def test_error_as_json() -> None:
    line = JsonLine().format(error_record())

    assert "\n" not in line
    fields = json.loads(line)
    assert fields.pop("time").endswith("+00:00")
    assert "test_log_formats.py:" in fields.pop("at")
    assert fields == {
        "level": "ERROR",
        "logger": "django.request",
        "message": "Internal Server Error: /t/…/",
        "error": "ValueError: no such piece",
    }


def test_warnings_pass_once_a_minute_and_errors_always(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1_000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    throttle = OncePerMinute()

    def passes(level: int, message: str, *args: object) -> bool:
        return bool(throttle.filter(logging.LogRecord("x", level, "", 0, message, args, None)))

    assert passes(logging.WARNING, "Refused %s", "one")
    assert not passes(logging.WARNING, "Refused %s", "another")
    assert passes(logging.WARNING, "Invalid")
    assert passes(logging.ERROR, "Broken")
    assert passes(logging.ERROR, "Broken")
    now += 61
    assert passes(logging.WARNING, "Refused %s", "one")

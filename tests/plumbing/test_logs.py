"""One line for each error, without codes and queries."""

import logging
import sys

import pytest

from companion.logs import OneLine, without_secrets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Internal Server Error: /t/BCDFGH/display/", "Internal Server Error: /t/…/display/"),
        ("/api/tables/BCDFGH/actions/", "/api/tables/…/actions/"),
        ("/api/tables/import/", "/api/tables/import/"),
        ("/t/BCDFGH", "/t/…"),
        ("/stats/?seat=s3cret now", "/stats/?… now"),
        ("/calculators/revolution/", "/calculators/revolution/"),
    ],
)
def test_codes_and_queries_are_left_out(text: str, expected: str) -> None:
    assert without_secrets(text) == expected


def test_an_error_is_one_line_with_kind_and_place() -> None:
    try:
        raise ValueError("no such piece\nDETAIL: Key (code)=(BCDFGH)")
    except ValueError:
        record = logging.LogRecord(
            "django.request",
            logging.ERROR,
            __file__,
            1,
            "Internal Server Error: %s",
            ("/t/BCDFGH/",),
            sys.exc_info(),
        )

    line = OneLine().format(record)

    assert "\n" not in line
    assert "BCDFGH" not in line
    assert "ERROR django.request Internal Server Error: /t/…/ | ValueError: no such piece at " in line
    assert "test_logs.py:" in line

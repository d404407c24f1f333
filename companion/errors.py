"""Refusals: errors with a code for programs and a sentence for people."""

from __future__ import annotations

from django.utils.translation import gettext as _

STATUS = {
    "bad-input": 400,
    "illegal": 400,
    "no-token": 401,
    "foreign-token": 403,
    "locked": 403,
    "unknown": 404,
    "taken": 409,
    "started": 409,
    "gone": 409,
    "nothing": 409,
    "hidden": 409,
    "key": 409,
    "too-large": 413,
    "too-many": 429,
    "unavailable": 503,
}


class Refusal(Exception):  # noqa: N818 - a refusal is an expected answer, not an error
    """A rejected request: nothing was changed, and the message says why."""

    def __init__(self, code: str, message: str, rule: str | None = None) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.rule = rule

    @property
    def status(self) -> int:
        return STATUS[self.code]


def unavailable() -> Refusal:
    """Return the refusal for a database that is down or full. The last change may have been saved."""
    return Refusal(
        "unavailable", _("The server cannot get at its data right now. Please try again in a moment.")
    )


def unknown_table() -> Refusal:
    return Refusal("unknown", _("There is no table with this code."))

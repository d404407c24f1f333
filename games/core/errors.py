"""Errors: entries that are malformed or against the rules, and defects of the rules themselves."""

from __future__ import annotations

from games.core.messages import Message


class Refused(Exception):  # noqa: N818 - an expected outcome that users see, not an error of the program
    """Rejection of an entry, with the message shown to the player and the rule's section."""

    def __init__(self, message: Message, *, rule: str | None = None) -> None:
        super().__init__(message.code, dict(message.params))
        self.message = message
        self.rule = rule


class BadInput(Refused):
    """The entry is malformed."""


class Illegal(Refused):
    """The entry is well formed, but the rules forbid it in the current state."""

    def __init__(self, message: Message, *, rule: str) -> None:
        super().__init__(message, rule=rule)


class NotThere(Exception):  # noqa: N818
    """A move takes pieces that are not at its source place: a defect of the rules."""


class Runaway(Exception):  # noqa: N818
    """Phases kept resolving without reaching a decision: a defect of the rules."""

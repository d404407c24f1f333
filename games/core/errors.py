"""How an entry can be wrong: badly formed, against the rules, or impossible on any table."""

from __future__ import annotations

from games.core.messages import Message


class Refused(Exception):  # noqa: N818 - the reader meets it as "refused", which is what it is
    """An entry that changes nothing, with the sentence that says why."""

    def __init__(self, message: Message, *, rule: str | None = None) -> None:
        super().__init__(message.code, dict(message.params))
        self.message = message
        self.rule = rule


class BadInput(Refused):
    """The entry is not of the form that is asked for."""


class Illegal(Refused):
    """The entry is well formed, but the rules forbid it now."""

    def __init__(self, message: Message, *, rule: str) -> None:
        super().__init__(message, rule=rule)


class NotThere(Exception):  # noqa: N818
    """A move takes pieces that do not lie where it takes them from. Only the rules can cause it."""


class Runaway(Exception):  # noqa: N818
    """Phases followed each other without end. Only the rules can cause it."""

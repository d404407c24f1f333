"""Whoever is not at a table changes nothing there; who is may do what is theirs."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from companion.tables import documents, holders, hosting, mending, opening, play, seats
from companion.tables.holders import Holder, identify
from tests.tables.sitting import Sitting, correction, refused
from tests.tables.sitting import play as begin

pytestmark = pytest.mark.django_db

Call = Callable[[Sitting, Holder], Any]

HOST_ONLY: dict[str, Call] = {
    "start": lambda s, holder: opening.start(table=s.table, holder=holder),
    "shuffle_seats": lambda s, holder: opening.shuffle_seats(table=s.table, holder=holder),
    "set_option": lambda s, holder: opening.set_option(
        table=s.table, holder=holder, name="must_move", value=True
    ),
    "rematch": lambda s, holder: opening.rematch(table=s.table, holder=holder),
    "set_locked": lambda s, holder: hosting.set_locked(table=s.table, holder=holder, locked=True),
    "hand_over": lambda s, holder: hosting.hand_over(table=s.table, holder=holder, seat=s.seat("yellow")),
    "finish": lambda s, holder: hosting.finish(table=s.table, holder=holder),
    "abandon": lambda s, holder: hosting.abandon(table=s.table, holder=holder),
    "reopen": lambda s, holder: hosting.reopen(table=s.table, holder=holder),
    "delete": lambda s, holder: hosting.delete(table=s.table, holder=holder),
}
BLUE_ONLY: dict[str, Call] = {
    "change_seat": lambda s, holder: seats.change_seat(
        table=s.table, holder=holder, seat=s.seat("blue"), name="Eve", faction="blue"
    ),
    "free_seat": lambda s, holder: seats.free_seat(table=s.table, holder=holder, seat=s.seat("blue")),
    "forget_name": lambda s, holder: seats.forget_name(table=s.table, holder=holder, seat=s.seat("blue")),
    "ticket_for": lambda s, holder: seats.ticket_for(holder=holder, seat=s.seat("blue")),
    "take_over": lambda s, holder: hosting.take_over(table=s.table, holder=holder, seat=s.seat("blue")),
    "submit": lambda s, holder: play.submit(
        table=s.table, holder=holder, faction="blue", action=correction()
    ),
    "preview": lambda s, holder: play.preview(
        table=s.table, holder=holder, faction="blue", action=correction()
    ),
}
ANYBODY_SEATED: dict[str, Call] = {
    "undo": lambda s, holder: play.undo(table=s.table, holder=holder),
    "redo": lambda s, holder: play.redo(table=s.table, holder=holder),
    "back_to": lambda s, holder: play.back_to(table=s.table, holder=holder, number=0),
    "mend": lambda s, holder: mending.mend(
        table=s.table,
        holder=holder,
        number=1,
        action=None,
        faction="blue",
        reason="misplayed",
        version=s.table.version,
    ),
    "tick_all": lambda s, holder: play.tick_all(table=s.table, holder=holder, number=1),
    "tick": lambda s, holder: play.tick(table=s.table, holder=holder, number=1, line=0, done=True),
}
SERVICES = HOST_ONLY | BLUE_ONLY | ANYBODY_SEATED


def test_every_service_that_asks_who_is_there_is_tried_here() -> None:
    modules = (documents, holders, hosting, mending, opening, play, seats)
    asking = {
        name
        for module in modules
        for name, service in inspect.getmembers(module, inspect.isfunction)
        if service.__module__ == module.__name__
        and not name.startswith(("_", "refuse_"))
        and "holder" in inspect.signature(service).parameters
    }

    assert asking - {"touch", "plan"} == set(SERVICES)  # a plan changes nothing; its callers ask who is there


@pytest.mark.parametrize("name", SERVICES)
def test_strangers_are_refused(name: str) -> None:
    sitting, other = begin(2, 2), begin(2, 2)
    strangers = {
        "spectator": ([], "no-token"),
        "forger": (["forged"], "foreign-token"),
        "thief of the hash": ([sitting.table.host_hash], "foreign-token"),
        "guest of another table": ([other.tokens["blue"]], "foreign-token"),
        "host of another table": ([other.host_token, *other.tokens.values()], "foreign-token"),
    }

    for tokens, code in strangers.values():
        with refused(code):
            SERVICES[name](sitting, identify(sitting.table, tokens))


@pytest.mark.parametrize("name", HOST_ONLY)
def test_only_the_host_may(name: str) -> None:
    sitting = begin(2, 2)

    with refused("foreign-token"):
        HOST_ONLY[name](sitting, identify(sitting.table, sitting.tokens.values()))


@pytest.mark.parametrize("name", BLUE_ONLY)
def test_nobody_acts_for_another_seat(name: str) -> None:
    sitting = begin(2, 2)

    with refused("foreign-token"):
        BLUE_ONLY[name](sitting, sitting.holder("yellow"))


@pytest.mark.parametrize("name", SERVICES)
def test_a_seat_that_was_freed_is_a_stranger(name: str) -> None:
    sitting = begin(2, 2)
    seats.free_seat(table=sitting.table, holder=sitting.host, seat=sitting.seat("blue"))

    with refused("foreign-token"):
        SERVICES[name](sitting, sitting.holder("blue"))


@pytest.mark.parametrize("name", ANYBODY_SEATED)
def test_anybody_seated_may(name: str) -> None:
    sitting = begin(2, 2)
    if name == "redo":
        play.undo(table=sitting.table, holder=sitting.host)

    ANYBODY_SEATED[name](sitting, sitting.holder("yellow"))

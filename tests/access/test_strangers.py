"""Authorization of services: strangers are refused, seats may act for themselves, the host for all."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from companion.access import table_access
from companion.access.table_access import TableAccess, identify
from companion.journal import mending, submit
from companion.tables import documents, hosting, opening, seats
from tests.tables.sitting import Sitting, correction, play, refused

pytestmark = pytest.mark.django_db

Call = Callable[[Sitting, TableAccess], Any]

HOST_ONLY: dict[str, Call] = {
    "start": lambda s, access: opening.start(table=s.table, access=access),
    "shuffle_seats": lambda s, access: opening.shuffle_seats(table=s.table, access=access),
    "set_option": lambda s, access: opening.set_option(
        table=s.table, access=access, name="must_move", value=True
    ),
    "rematch": lambda s, access: opening.rematch(table=s.table, access=access),
    "set_locked": lambda s, access: hosting.set_locked(table=s.table, access=access, locked=True),
    "hand_over": lambda s, access: hosting.hand_over(table=s.table, access=access, seat=s.seat("yellow")),
    "finish": lambda s, access: hosting.finish(table=s.table, access=access),
    "abandon": lambda s, access: hosting.abandon(table=s.table, access=access),
    "reopen": lambda s, access: hosting.reopen(table=s.table, access=access),
    "delete": lambda s, access: hosting.delete(table=s.table, access=access),
}
BLUE_ONLY: dict[str, Call] = {
    "change_seat": lambda s, access: seats.change_seat(
        table=s.table, access=access, seat=s.seat("blue"), name="Eve", faction="blue"
    ),
    "free_seat": lambda s, access: seats.free_seat(table=s.table, access=access, seat=s.seat("blue")),
    "forget_name": lambda s, access: seats.forget_name(table=s.table, access=access, seat=s.seat("blue")),
    "ticket_for": lambda s, access: seats.ticket_for(access=access, seat=s.seat("blue")),
    "take_over": lambda s, access: hosting.take_over(table=s.table, access=access, seat=s.seat("blue")),
    "submit": lambda s, access: submit.submit(
        table=s.table, access=access, faction="blue", action=correction()
    ),
    "preview": lambda s, access: submit.preview(
        table=s.table, access=access, faction="blue", action=correction()
    ),
}
ANYBODY_SEATED: dict[str, Call] = {
    "undo": lambda s, access: submit.undo(table=s.table, access=access),
    "redo": lambda s, access: submit.redo(table=s.table, access=access),
    "back_to": lambda s, access: submit.back_to(table=s.table, access=access, number=0),
    "mend": lambda s, access: mending.mend(
        table=s.table,
        access=access,
        number=1,
        action=None,
        faction="blue",
        reason="misplayed",
        version=s.table.version,
    ),
    "tick_all": lambda s, access: submit.tick_all(table=s.table, access=access, number=1),
    "tick": lambda s, access: submit.tick(table=s.table, access=access, number=1, line=0, done=True),
}
SERVICES = HOST_ONLY | BLUE_ONLY | ANYBODY_SEATED


def test_all_services_with_access_are_covered() -> None:
    modules = (documents, table_access, hosting, mending, opening, submit, seats)
    services = {
        name
        for module in modules
        for name, service in inspect.getmembers(module, inspect.isfunction)
        if service.__module__ == module.__name__
        and not name.startswith(("_", "refuse_"))
        and "access" in inspect.signature(service).parameters
    }

    # The callers of these check access: `plan` is read-only, and `record_presence` updates known seats only.
    assert services - {"record_presence", "plan"} == set(SERVICES)


@pytest.mark.parametrize("name", SERVICES)
def test_clients_without_a_valid_token_are_refused(name: str) -> None:
    sitting, other = play(2, 2), play(2, 2)
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
def test_host_only_services_refuse_other_seats(name: str) -> None:
    sitting = play(2, 2)

    with refused("foreign-token"):
        HOST_ONLY[name](sitting, identify(sitting.table, sitting.tokens.values()))


@pytest.mark.parametrize("name", BLUE_ONLY)
def test_seat_services_refuse_other_seats(name: str) -> None:
    sitting = play(2, 2)

    with refused("foreign-token"):
        BLUE_ONLY[name](sitting, sitting.access("yellow"))


@pytest.mark.parametrize("name", SERVICES)
def test_token_of_freed_seat_is_refused(name: str) -> None:
    sitting = play(2, 2)
    seats.free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))

    with refused("foreign-token"):
        SERVICES[name](sitting, sitting.access("blue"))


@pytest.mark.parametrize("name", ANYBODY_SEATED)
def test_shared_services_accept_any_seat(name: str) -> None:
    sitting = play(2, 2)
    if name == "redo":
        submit.undo(table=sitting.table, access=sitting.host)

    ANYBODY_SEATED[name](sitting, sitting.access("yellow"))

"""Taken-over seats: two games that differ in blue's earlier secrets look the same to the new holder.

All output is compared, as in `test_secrets.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from companion.access.table_access import TableAccess, identify
from companion.models import Seat, Table
from companion.tables import hosting
from companion.tables.seats import free_seat, redeem, ticket_for
from tests.api.conftest import Api, AtTable, refused
from tests.api.test_secrets import PAGES, Seen, Worlds, assert_indistinguishable, data, opened_by, pages

BLUE = ("blue", "host")


def seat_of(table: AtTable) -> tuple[Table, Seat]:
    row = Table.objects.get(code=table.code)
    return row, row.seats.get(faction="blue")


def by_ticket(table: AtTable, access: TableAccess) -> None:
    row, seat = seat_of(table)
    table.tokens["blue"] = redeem(table=row, ticket=ticket_for(access=access, seat=seat))[1]


def host_ticket(table: AtTable) -> None:
    by_ticket(table, identify(seat_of(table)[0], [table.host]))


def own_ticket(table: AtTable) -> None:
    by_ticket(table, identify(seat_of(table)[0], [table.tokens["blue"]]))


def freed_seat(table: AtTable) -> None:
    row, seat = seat_of(table)
    free_seat(table=row, access=identify(row, [table.host]), seat=seat)
    answer = table.post("seats", {"name": "Emma", "faction": "blue"}, token="")
    assert answer.status_code == 201, answer.content
    table.tokens["blue"] = answer.json()["token"]


def host_replaced(table: AtTable) -> None:
    """Another phone becomes the host by a link and takes over the seat."""
    row, _seat = seat_of(table)
    table.host = hosting.redeem_host(table=row, ticket=hosting.ticket_for_host(row))
    host_ticket(table)


Take = Callable[[AtTable], None]
takeovers = pytest.mark.parametrize("take", [host_ticket, freed_seat, host_replaced])


@pytest.fixture
def worlds(api: Api) -> Worlds:
    worlds = Worlds(api)
    worlds.until_planning()
    return worlds


def in_both(worlds: Worlds, do: Take) -> None:
    for table in worlds.tables:
        do(table)


def undo(table: AtTable) -> None:
    assert table.post("undo").status_code == 200


def redo(table: AtTable) -> None:
    assert table.post("redo").status_code == 200


def all_on_one_phone(table: AtTable, _token: str) -> Iterator[Seen]:
    """Yield the pages of a host who also holds blue's seat, covered and uncovered."""
    mends = [f"mend/{number}/" for number in range(1, table.json("")["number"] + 1)]
    phone = f"{table.host}.{table.tokens['blue']}"
    yield from opened_by(table, phone, (*PAGES, *mends[-2:], *(f"{mend}?open=blue" for mend in mends[-2:])))


@takeovers
def test_taken_over_seat_learns_no_plan(worlds: Worlds, take: Take) -> None:
    worlds.plan()
    assert_indistinguishable(worlds, data, others=("host",))
    in_both(worlds, take)
    assert_indistinguishable(worlds, data, others=BLUE)
    in_both(worlds, undo)
    assert_indistinguishable(worlds, data, others=("blue",))
    in_both(worlds, redo)
    assert_indistinguishable(worlds, data, others=("blue",))
    worlds.play_example()
    assert_indistinguishable(worlds, data, others=("blue",))


def test_pages_of_a_taken_over_seat_show_no_plan(worlds: Worlds) -> None:
    worlds.plan()
    in_both(worlds, host_ticket)
    assert_indistinguishable(worlds, pages, others=("blue",))
    assert_indistinguishable(worlds, all_on_one_phone, others=("",))


def test_mending_an_earlier_entry_reveals_nothing(worlds: Worlds) -> None:
    correction = {"type": "correct", "owner": "red", "piece": "gold", "place": "supply", "reason": "counted"}
    worlds.enter("red", {**correction, "count": 40})
    number = worlds.row().head
    worlds.plan()
    in_both(worlds, host_ticket)

    def mend(table: AtTable) -> None:
        version = table.json("")["version"]
        body = {"number": number, "action": {**correction, "count": 30}, "faction": "red"}
        fields = {**body, "reason": "miscounted", "version": version}
        answer = table.post("mend", fields, token=table.tokens["blue"])
        assert answer.status_code == 200, answer.content

    in_both(worlds, mend)
    assert_indistinguishable(worlds, data, others=BLUE)


@pytest.mark.long
def test_taken_over_seat_learns_nothing_until_the_reveal_long(worlds: Worlds) -> None:
    due = set(worlds.plan())
    in_both(worlds, host_ticket)
    while not (worlds.turned() & due):
        assert_indistinguishable(worlds, data, all_on_one_phone, others=("blue",))
        worlds.play_example()
    assert "state/" in worlds.differences(data, "blue"), "everyone sees revealed cards"


def test_own_ticket_keeps_the_plan_visible(worlds: Worlds) -> None:
    worlds.plan()
    in_both(worlds, own_ticket)
    assert {"state/", "journal/"} <= set(worlds.differences(data, "blue"))


def test_taken_over_seat_has_no_more_rights_than_others(worlds: Worlds) -> None:
    table = worlds.tables[0]
    worlds.plan()
    host_ticket(table)
    blue, number = table.tokens["blue"], table.json("")["number"]
    assert table.get("journal/", token=blue).json()[-1]["action"] == {"type": "plan", "hidden": True}
    assert table.get("state/", token=blue).json()["facts"]["plans"]["blue"] == {}
    assert table.get(f"state/?at={number}", token=blue).json()["facts"]["plans"]["blue"] == {}
    cards = {**worlds.prompt("red")["example"], "cards": {}}
    error = refused(
        table.post("mend/preview", {"number": number, "action": cards}, token=blue), 409, "hidden"
    )
    assert "before this seat was taken over" in error["message"]
    refused(table.get("export/", token=blue), 409, "hidden")


def test_new_holder_enters_actions_of_the_seat(worlds: Worlds) -> None:
    table = worlds.tables[0]
    host_ticket(table)
    blue = table.tokens["blue"]
    action = next(p["example"] for p in table.get("prompts/", token=blue).json() if p["faction"] == "blue")
    body = {"faction": "blue", "action": action}
    assert table.post("preview", body, token=blue).status_code == 200
    assert table.post("actions", body, token=blue).status_code == 201
    assert table.get("journal/", token=blue).json()[-1]["action"] == action
    assert table.get("state/", token=blue).json()["facts"]["plans"]["blue"] == action["cards"]

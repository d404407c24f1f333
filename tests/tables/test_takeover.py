"""Takeover of a seat by another phone: announcements, and entries that stay hidden from it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.access.table_access import TableAccess, identify
from companion.journal import secrets
from companion.journal.mending import mend
from companion.journal.mending import plan as foreseen
from companion.journal.states import game_of, state_at
from companion.journal.submit import redo, submit, undo
from companion.models import Seat, Table
from companion.tables import hosting
from companion.tables.documents import read_document, write_document
from companion.tables.seats import free_seat, redeem, take_seat, ticket_for
from tests.journal.test_secrets import position
from tests.tables.planning import enter, next_season, other_plan, plan, planning, proposed
from tests.tables.sitting import Sitting, correction, refused
from tests.tables.sitting import play as raubritter
from tests.tables.sitting import sit as lobby

pytestmark = pytest.mark.django_db

MASKED = {"type": "plan", "hidden": True}


def by_host_ticket(sitting: Sitting) -> TableAccess:
    ticket = ticket_for(access=sitting.host, seat=sitting.seat("blue"))
    return identify(sitting.table, [redeem(table=sitting.table, ticket=ticket)[1]])


def by_own_ticket(sitting: Sitting) -> TableAccess:
    ticket = ticket_for(access=sitting.access("blue"), seat=sitting.seat("blue"))
    return identify(sitting.table, [redeem(table=sitting.table, ticket=ticket)[1]])


def by_freeing(sitting: Sitting) -> TableAccess:
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    return identify(sitting.table, [take_seat(table=sitting.table, name="Emma", faction="blue")[1]])


takeovers = pytest.mark.parametrize("take", [by_host_ticket, by_freeing])
Take = Callable[[Sitting], TableAccess]


def visible_action(sitting: Sitting, access: TableAccess, number: int) -> object:
    """Return the action of an entry as the journal shows it to a holder."""
    table = sitting.fresh()
    return secrets.visible_action(table.entries.get(number=number), secrets.hidden_from(table, access.seats))


def sees_plan(sitting: Sitting, access: TableAccess, at: int | None = None) -> bool:
    """Return True if the state shows a holder the plan of blue."""
    table = sitting.fresh()
    number = table.head if at is None else at
    viewer = secrets.viewer_of(table, access.seat_for("blue"), number)
    return bool(game_of(table).view(state_at(table, number), viewer).plans["blue"])


def notices(table: Table) -> list[tuple[str, object]]:
    return list(table.notices.values_list("code", "params"))


# Announcements


def test_takeover_by_the_host_is_announced() -> None:
    sitting = raubritter(2)
    by_host_ticket(sitting)
    assert notices(sitting.table) == [("seat-taken-over", {"name": "Ada"})]


def test_move_by_the_holder_is_announced_as_a_move() -> None:
    sitting = raubritter(2)
    by_own_ticket(sitting)
    assert notices(sitting.table) == [("seat-moved", {"name": "Ada"})]


def test_host_moving_their_own_seat_is_no_takeover() -> None:
    sitting = raubritter(2)
    hosting.hand_over(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    access = by_own_ticket(sitting)
    assert access.is_host
    assert sitting.seat("blue").taken_over_after is None


def shown(sitting: Sitting) -> list[str]:
    """Return the names of the seats that pages show as taken over."""
    table = sitting.fresh()
    return [seat.name for seat in secrets.taken_over(table, table.seats.all())]


@pytest.mark.parametrize("entries", [0, 3])
def test_takeover_is_shown_until_the_next_entry(entries: int) -> None:
    sitting = raubritter(2, entries)
    assert shown(sitting) == []
    access = by_host_ticket(sitting)
    assert shown(sitting) == ["Ada"]
    submit(table=sitting.table, access=access, faction="blue", action=correction())
    assert shown(sitting) == []


def test_takeover_before_the_game_is_shown() -> None:
    sitting = lobby(2)
    by_host_ticket(sitting)
    assert shown(sitting) == ["Ada"]


def test_takeover_is_shown_while_an_entry_stays_hidden() -> None:
    sitting = planning()
    plan(sitting, "blue")
    by_host_ticket(sitting)
    plan(sitting, "red")
    assert shown(sitting) == ["Béla"]
    next_season(sitting)
    assert shown(sitting) == []


def test_move_is_not_shown_as_a_takeover() -> None:
    sitting = planning()
    plan(sitting, "blue")
    by_own_ticket(sitting)
    assert shown(sitting) == []


# Hidden entries


@takeovers
def test_plan_stays_hidden_after_a_takeover_until_it_is_revealed(take: Take) -> None:
    sitting = planning()
    number = plan(sitting, "blue")
    access = take(sitting)
    assert visible_action(sitting, access, number) == MASKED
    assert not sees_plan(sitting, access)
    plan(sitting, "red")
    assert not sees_plan(sitting, access)
    next_season(sitting)
    assert visible_action(sitting, access, number) != MASKED


def test_holders_ticket_moves_the_secrets_too() -> None:
    sitting = planning()
    number = plan(sitting, "blue")
    access = by_own_ticket(sitting)
    assert visible_action(sitting, access, number) != MASKED
    assert sees_plan(sitting, access)


def test_move_after_a_takeover_reveals_nothing() -> None:
    sitting = planning()
    number = plan(sitting, "blue")
    first = by_host_ticket(sitting)
    ticket = ticket_for(access=first, seat=sitting.seat("blue"))
    second = identify(sitting.table, [redeem(table=sitting.table, ticket=ticket)[1]])
    assert visible_action(sitting, second, number) == MASKED
    assert not sees_plan(sitting, second)


def test_free_seat_given_away_by_ticket_is_a_takeover() -> None:
    sitting = planning()
    number = plan(sitting, "blue")
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    assert visible_action(sitting, by_host_ticket(sitting), number) == MASKED


@takeovers
def test_new_holder_sees_their_own_plan(take: Take) -> None:
    sitting = planning()
    plan(sitting, "red")
    access = take(sitting)
    faction, action = proposed(sitting, "blue")
    number = submit(table=sitting.table, access=access, faction=faction, action=action).number
    assert visible_action(sitting, access, number) == action
    assert sees_plan(sitting, access)
    for other in (sitting.host, sitting.access("red")):
        assert visible_action(sitting, other, number) == MASKED


def test_new_host_sees_no_secrets() -> None:
    sitting = planning()
    number = plan(sitting, "blue")
    ticket = hosting.ticket_for_host(sitting.table)
    linked = identify(sitting.table, [hosting.redeem_host(table=sitting.table, ticket=ticket)])
    hosting.hand_over(table=sitting.table, access=linked, seat=sitting.seat("red"))
    for host in (linked, sitting.access("red")):
        assert host.is_host
        assert visible_action(sitting, host, number) == MASKED
        assert not sees_plan(sitting, host)
    assert visible_action(sitting, sitting.access("blue"), number) != MASKED


# Circumvention


def test_undo_and_redo_reveal_nothing() -> None:
    sitting = planning()
    number = plan(sitting, "blue")
    access = by_host_ticket(sitting)
    undo(table=sitting.table, access=access)
    assert visible_action(sitting, access, number) == MASKED
    assert not sees_plan(sitting, access, at=number)
    redo(table=sitting.table, access=access)
    assert visible_action(sitting, access, number) == MASKED
    assert not sees_plan(sitting, access)


def test_replacement_plan_is_visible_and_the_undone_one_is_not() -> None:
    sitting = planning()
    old = plan(sitting, "blue")
    access = by_host_ticket(sitting)
    undo(table=sitting.table, access=access)
    action = other_plan(sitting, "blue")
    new = submit(table=sitting.table, access=access, faction="blue", action=action).number
    assert visible_action(sitting, access, new) == action
    assert sees_plan(sitting, access)
    assert visible_action(sitting, access, old) == MASKED
    assert not sees_plan(sitting, access, at=old)


def test_plan_equal_to_the_hidden_one_is_visible() -> None:
    """Masking it would tell the new holder that the guess was right."""
    sitting = planning()
    old = plan(sitting, "blue")
    access = by_host_ticket(sitting)
    undo(table=sitting.table, access=access)
    faction, action = proposed(sitting, "blue")
    new = submit(table=sitting.table, access=access, faction=faction, action=action).number
    assert visible_action(sitting, access, new) == action
    assert sees_plan(sitting, access)
    assert visible_action(sitting, access, old) == MASKED


def test_plan_after_a_position_is_visible() -> None:
    sitting = planning()
    old = plan(sitting, "blue")
    access = by_host_ticket(sitting)
    enter(sitting, "red", position(sitting.fresh()))
    while sitting.fresh().phase != "planning":
        enter(sitting, *proposed(sitting))
    faction, action = proposed(sitting, "blue")
    new = submit(table=sitting.table, access=access, faction=faction, action=action).number
    assert visible_action(sitting, access, new) == action
    assert sees_plan(sitting, access)
    assert visible_action(sitting, access, old) == MASKED


def gold_of_red(gold: int) -> dict[str, object]:
    piece = {"owner": "red", "piece": "gold", "place": "supply"}
    return {"type": "correct", **piece, "count": gold, "reason": "counted"}


def test_plan_rewritten_by_a_mend_stays_hidden() -> None:
    """It gets a new number, above `taken_over_after`."""
    sitting = planning()
    corrected = enter(sitting, "red", gold_of_red(40)).number
    plan(sitting, "blue")
    access = by_host_ticket(sitting)
    for gold in (30, 20):
        table = sitting.fresh()
        corrected = mend(
            table=table,
            access=access,
            number=corrected,
            action=gold_of_red(gold),
            faction="red",
            reason="miscounted",
            version=table.version,
        ).number
        rewritten = sitting.fresh().head
        assert sitting.table.entries.get(number=rewritten).action["type"] == "plan"
        assert visible_action(sitting, access, rewritten) == MASKED
        assert not sees_plan(sitting, access)


def test_hidden_plan_can_be_removed_but_not_changed() -> None:
    sitting = planning()
    other = other_plan(sitting, "blue")
    number = plan(sitting, "blue")
    access = by_host_ticket(sitting)
    with refused("hidden") as caught:
        foreseen(table=sitting.fresh(), access=access, number=number, action=other)
    assert "before this seat was taken over" in caught.value.message
    assert foreseen(table=sitting.fresh(), access=access, number=number, action=None).changed is None


def test_consequences_of_a_mend_are_withheld_from_the_new_holder() -> None:
    sitting = planning()
    row = sitting.fresh().head
    plan(sitting, "blue")
    access = by_host_ticket(sitting)
    assert foreseen(table=sitting.fresh(), access=access, number=row, action=None).withheld


def test_phone_that_lost_the_seat_cannot_plan() -> None:
    """Its entry would otherwise count as the new holder's."""
    sitting = planning()
    before = sitting.access("blue")
    by_host_ticket(sitting)
    faction, action = proposed(sitting, "blue")
    with refused("foreign-token"):
        submit(table=sitting.table, access=before, faction=faction, action=action)


# Documents


def test_document_keeps_notices_of_takeovers_but_not_takeovers() -> None:
    sitting = planning()
    plan(sitting, "blue")
    by_host_ticket(sitting)
    with refused("hidden"):
        write_document(sitting.fresh())
    by_own = ticket_for(access=sitting.access("red"), seat=sitting.seat("red"))
    redeem(table=sitting.table, ticket=by_own)
    next_season(sitting)
    document = write_document(sitting.fresh())
    copy = read_document(document).table
    assert write_document(copy) == document
    assert [code for code, _params in notices(copy)] == ["seat-taken-over", "seat-moved"]
    assert not Seat.objects.filter(table=copy).exclude(taken_over_after=None).exists()

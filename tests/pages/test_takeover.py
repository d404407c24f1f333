"""Takeover of a seat: it is shown to everybody, and the new phone does not see the hidden plan."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from companion.tables.hosting import ticket_for_host
from tests.pages.conftest import HTMX, Phone
from tests.pages.test_secrets import FORM, fields, page, phone
from tests.tables.planning import next_season, plan, planning, proposed
from tests.tables.sitting import Sitting

pytestmark = pytest.mark.django_db

LINE = "Another phone has taken over the seat of "
PLAN = "Your plan"
EVERYWHERE = (
    "",
    "?tab=board",
    "?tab=board&open=blue",
    "?tab=journal",
    "?as=blue&open=blue",
    "display/",
    "replay/",
)


@pytest.fixture
def sitting() -> Sitting:
    return planning(3)


def take_by_host(sitting: Sitting) -> Phone:
    """The host takes the seat of blue over on a phone that also has the seat of red."""
    host = phone(sitting, "host", "red")
    tickets = re.findall(r'name="ticket" value="([^"]+)"', page(host, "seats/"))
    blue = str(sitting.seat("blue").pk)
    (ticket,) = [ticket for ticket in tickets if ticket.split(".")[0] == blue]
    assert host.post("claim/", ticket=ticket).status_code == 302
    return host


def take_freed_seat(sitting: Sitting) -> Phone:
    """The host frees the seat of blue and takes it."""
    host = phone(sitting, "host")
    host.post("seat/", seat="2", do="free")
    assert host.sit(sitting.table.code, "Emma", "blue").status_code == 302
    return host


def move_own_seat(sitting: Sitting) -> Phone:
    """Blue moves the seat to another phone by its QR code."""
    old, new = phone(sitting, "blue"), phone(sitting)
    shown = old.post("seat/", seat="2", do="move").content.decode()
    link = re.search(r"/claim/\?ticket=([^<\"]+)", shown)
    assert link
    assert new.post("claim/", ticket=unescape(link[1])).status_code == 302
    return new


# Announcement


def test_takeover_by_the_host_is_shown_to_everybody(sitting: Sitting) -> None:
    plan(sitting, "blue")
    others = [phone(sitting, "yellow"), phone(sitting)]
    for other in others:
        assert LINE not in page(other)
    take_by_host(sitting)
    for other in others:
        for part in ("", "?tab=board", "?tab=score", "display/"):
            assert f"{LINE}Béla." in page(other, part)
        assert f"{LINE}Béla." in page(other, "", **HTMX)
        assert "The host moved the seat of Béla to another phone." in page(other, "?tab=journal")
    next_season(sitting)
    for other in others:
        assert LINE not in page(other)


@pytest.mark.parametrize(
    ("language", "line", "notice"),
    [
        (
            "hu",
            "Béla helyét egy másik telefon vette át.",
            "A házigazda áttette egy másik telefonra Béla helyét.",
        ),
        (
            "it",
            "Un altro telefono ha preso il posto di Béla.",
            "ha spostato il posto di Béla su un altro telefono.",
        ),
    ],
)
def test_takeover_is_translated(sitting: Sitting, language: str, line: str, notice: str) -> None:
    take_by_host(sitting)
    other = phone(sitting, "yellow")
    assert line in page(other, **{"Accept-Language": language})
    assert notice in page(other, "?tab=journal", **{"Accept-Language": language})


def test_move_by_its_own_holder_is_only_in_the_journal(sitting: Sitting) -> None:
    move_own_seat(sitting)
    other = phone(sitting, "yellow")
    assert LINE not in page(other)
    assert "Béla plays on another phone now." in page(other, "?tab=journal")


def test_taking_a_freed_seat_is_shown(sitting: Sitting) -> None:
    take_freed_seat(sitting)
    other = phone(sitting, "yellow")
    assert f"{LINE}Emma." in page(other)
    assert "Emma has taken the seat of Béla." in page(other, "?tab=journal")


def test_takeover_in_the_lobby_is_shown_on_every_phone(ada: Phone, bela: Phone, charlie: Phone) -> None:
    ticket = re.findall(r'name="ticket" value="([^"]+)"', page(ada, "seats/"))[-1]
    ada.post("claim/", ticket=ticket)
    for viewer in (ada, bela, charlie):
        assert f"{LINE}Béla." in page(viewer)


# Secrets


@pytest.mark.parametrize("take", [take_by_host, take_freed_seat])
def test_new_phone_does_not_see_the_hidden_plan(sitting: Sitting, take: Callable[[Sitting], Phone]) -> None:
    number = plan(sitting, "blue")
    assert PLAN in page(phone(sitting, "blue"), "?tab=board")
    taker = take(sitting)
    for part in EVERYWHERE:
        text = page(taker, part)
        assert PLAN not in text, part
        assert "hold to show what you have hidden" not in text, part
    assert f'/mend/{number}/"' not in page(taker, "?tab=journal")
    for query in ("", "?open=blue"):
        answer = taker.get(f"mend/{number}/{query}")
        assert answer.status_code == 409
        assert "before this seat was taken over" in answer.content.decode()


def test_scribe_with_a_taken_over_seat_sees_no_plan(sitting: Sitting) -> None:
    plan(sitting, "blue")
    host = take_by_host(sitting)
    host.post("host/", do="scribe")
    for part in EVERYWHERE:
        assert PLAN not in page(host, part), part


def test_undo_and_redo_do_not_reveal_the_plan(sitting: Sitting) -> None:
    number = plan(sitting, "blue")
    province = next(iter(sitting.table.entries.get(number=number).action["cards"].values()))
    host = take_by_host(sitting)
    host.post("undo/")
    undone = page(host, "?as=blue&open=blue")
    assert FORM in undone
    assert not re.search(rf'value="{province}"[^>]*(selected|checked)', undone)
    assert "data-filled" not in undone
    host.post("redo/")
    for part in EVERYWHERE:
        assert PLAN not in page(host, part), part


def test_secrets_move_with_the_own_seat(sitting: Sitting) -> None:
    number = plan(sitting, "blue")
    new = move_own_seat(sitting)
    assert PLAN in page(new, "?tab=board")
    assert "data-filled" in page(new, f"mend/{number}/")


def test_new_phone_can_enter_a_plan(sitting: Sitting) -> None:
    plan(sitting, "red")
    taker = take_freed_seat(sitting)
    assert FORM in page(taker)
    taker.post("act/", faction="blue", **fields(proposed(sitting, "blue")[1]))
    assert PLAN in page(taker, "?tab=board")


def test_new_phone_sees_its_own_plan_after_undoing_the_old(sitting: Sitting) -> None:
    old = plan(sitting, "blue")
    taker = take_freed_seat(sitting)
    taker.post("undo/")
    taker.post("act/", faction="blue", **fields(proposed(sitting, "blue")[1]))
    new = sitting.fresh().head
    assert new != old
    assert PLAN in page(taker, "?tab=board")
    assert "data-filled" in page(taker, f"mend/{new}/")


def test_new_host_does_not_see_the_hidden_plan(sitting: Sitting) -> None:
    plan(sitting, "blue")
    new = phone(sitting, "red")
    new.post("claim/", host=ticket_for_host(sitting.fresh()))
    assert page(new, "seats/")
    for part in EVERYWHERE:
        assert PLAN not in page(new, part), part
    assert PLAN in page(phone(sitting, "blue"), "?tab=board")

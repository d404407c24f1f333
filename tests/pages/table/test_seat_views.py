"""Taking a seat and moving it to another phone."""

from __future__ import annotations

import pytest

from companion.access.table_access import TableAccess
from companion.models import Seat
from companion.tables.seats import ticket_for
from tests.pages.conftest import Phone


def test_seat_can_be_taken(ada: Phone) -> None:
    assert Seat.objects.get().name == "Ada"
    assert "Another seat on this phone" in ada.get().content.decode()


def test_taken_faction_is_rejected_with_a_message(ada: Phone, charlie: Phone) -> None:
    answer = charlie.sit(ada.code, "Charlie", "red")
    assert answer.status_code == 409
    assert "Red: already taken by Ada." in answer.content.decode()
    assert Seat.objects.count() == 1


@pytest.mark.parametrize("name", ["", "   ", "x" * 21, "\u202e\u0000"])
def test_invalid_name_is_rejected(ada: Phone, charlie: Phone, name: str) -> None:
    assert charlie.sit(ada.code, name, "blue").status_code == 400


def test_moving_a_seat_takes_it_from_the_old_phone(playing: Phone, bela: Phone, charlie: Phone) -> None:
    page = bela.post("seat/", seat="2", do="move").content.decode()
    assert "works once" in page
    seat = Seat.objects.get(name="Béla")
    ticket = ticket_for(access=TableAccess((seat,)), seat=seat)  # the page has it only in the QR code
    assert "Take over this seat?" in charlie.get(f"claim/?ticket={ticket}").content.decode()
    charlie.post("claim/", ticket=ticket)
    assert "You are watching." in bela.get().content.decode()
    assert "You are watching." not in charlie.get().content.decode()
    assert charlie.post("claim/", ticket=ticket).status_code == 409

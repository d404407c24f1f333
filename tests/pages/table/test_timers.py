"""Clocks, breaks and signals on pages."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from companion.models import Break, Table
from tests.pages.conftest import HTMX, Phone


def words(answer: object) -> str:
    text = re.sub(r"<[^>]*>", " ", answer.content.decode())  # type: ignore[attr-defined]
    return re.sub(r"\s+([:,])", r"\1", " ".join(text.split()))


def shift_back(phone: Phone, minutes: int) -> None:
    """Move start, entries and breaks of the game into the past."""
    table, by = phone.table(), timedelta(minutes=minutes)
    Table.objects.filter(pk=table.pk).update(started_at=table.started_at - by)  # type: ignore[operator]
    for entry in table.entries.all():
        table.entries.filter(pk=entry.pk).update(created_at=entry.created_at - by)
    for row in table.breaks.all():
        table.breaks.filter(pk=row.pk).update(began_at=row.began_at - by)


def test_table_and_display_show_clocks(playing: Phone, charlie: Phone, client: Client) -> None:
    shift_back(playing, 3)
    for page in (playing.get(), charlie.get(), client.get(f"/t/{playing.code}/display/")):
        assert "This decision: 3 min Evening: 3 min" in words(page)
    for tab in ("board", "score", "journal", "menu"):
        assert "This decision" not in words(playing.get(f"?tab={tab}"))


def test_phone_can_hide_clocks(playing: Phone, bela: Phone) -> None:
    tag = playing.get()["ETag"]
    answer = playing.client.post("/look/", {"timers": "hide", "next": f"/t/{playing.code}/?tab=menu"})
    assert answer["Location"] == f"/t/{playing.code}/?tab=menu"
    assert playing.get()["ETag"] != tag
    for part in ("", "?tab=score", "display/"):
        assert "Evening:" not in words(playing.get(part))
        assert "Thinking time" not in words(playing.get(part))
    assert "Evening:" in words(bela.get()), "the preference is per phone"
    playing.client.post("/look/", {"timers": "loud"})
    assert "Evening:" in words(playing.get())


def test_etag_changes_every_minute(playing: Phone) -> None:
    playing.get()
    tag = playing.get()["ETag"]
    assert playing.get(**{"If-None-Match": tag}).status_code == 304
    shift_back(playing, 1)
    assert playing.get(**{"If-None-Match": tag}).status_code == 200


def test_clocks_are_shown_only_during_the_game(ada: Phone, bela: Phone) -> None:
    assert "Evening:" not in words(ada.get())
    ada.post("host/", do="start")
    assert "Evening:" in words(ada.get())
    assert "Evening:" in words(bela.get())
    ada.post("host/", do="finish")
    assert "Evening:" not in words(ada.get())


def test_score_shows_thinking_times(playing: Phone) -> None:
    table = playing.table()
    began = timezone.now() - timedelta(minutes=20)
    Table.objects.filter(pk=table.pk).update(started_at=began)
    table.entries.filter(number=1).update(created_at=began + timedelta(minutes=2))
    table.entries.filter(number=2).update(created_at=began + timedelta(minutes=7, seconds=5))
    assert "Thinking time so far Player In all Ada 2 min 0 s Béla 5 min 5 s" in words(
        playing.get("?tab=score")
    )
    playing.post("undo/")
    assert "Ada 2 min 0 s Béla 5 min 5 s" in words(playing.get("?tab=score"))
    Break.objects.create(
        table=table, began_at=began + timedelta(minutes=1), ended_at=began + timedelta(minutes=4)
    )
    assert "Ada 1 min 0 s Béla 3 min 5 s" in words(playing.get("?tab=score"))


# Breaks


def test_break_is_shown_to_all_and_any_seated_player_ends_it(
    playing: Phone, bela: Phone, charlie: Phone
) -> None:
    assert "Hold: take a break" in words(bela.get("?tab=menu"))
    bela.post("break/?tab=menu", do="begin")
    shift_back(playing, 5)
    since = playing.table().breaks.get().began_at.strftime("%H:%M")
    for phone in (playing, bela, charlie):
        for part in ("", "?tab=board", "?tab=score", "?tab=journal", "?tab=menu", "display/"):
            assert f"Break since {since}" in words(phone.get(part)), part
    assert "This decision: 0 min" in words(playing.get()), "clocks are stopped"
    assert "data-still" in playing.get().content.decode()
    assert "Hold: take a break" not in words(bela.get("?tab=menu"))
    assert "Go on playing" in words(playing.get())
    assert "Go on playing" not in words(charlie.get())
    answer = playing.post("break/", htmx=True, do="end")
    assert "Break since" not in words(answer)
    assert "data-still" not in answer.content.decode()


def test_break_button_redirects_back_to_its_page(playing: Phone) -> None:
    assert playing.post("break/?tab=menu", do="begin")["Location"].endswith("?tab=menu")
    assert playing.post("break/?tab=score", do="end")["Location"].endswith("?tab=score")


def test_spectator_cannot_begin_a_break(playing: Phone, charlie: Phone) -> None:
    assert "take a break" not in words(charlie.get("?tab=menu"))
    assert charlie.post("break/", do="begin").status_code == 401
    assert playing.post("break/", do="sleep").status_code == 400
    assert not Break.objects.exists()


def test_break_is_rejected_before_the_game(ada: Phone) -> None:
    assert "take a break" not in words(ada.get("?tab=menu"))
    assert ada.post("break/", do="begin").status_code == 400


# Signals


def test_sound_and_vibration_are_off_by_default(playing: Phone, bela: Phone) -> None:
    page = playing.get().content.decode()
    assert 'data-sound="off" data-vibration="off"' in page
    answer = playing.client.post("/look/", {"sound": "on"}, headers=HTMX)
    assert (answer.status_code, answer.content) == (204, b"")
    assert 'data-sound="on" data-vibration="off"' in playing.get().content.decode()
    assert 'data-sound="on"' in playing.client.get("/").content.decode()
    assert 'data-sound="off"' in bela.get().content.decode()
    for part in ("?tab=menu", ""):
        menu = playing.client.get(f"/t/{playing.code}/{part}" if part else "/").content.decode()
        assert 'name="sound" value="on" aria-pressed="true"' in menu
        assert 'name="vibration" value="off" aria-pressed="true"' in menu


@pytest.mark.parametrize("tab", ["now", "board", "journal", "menu"])
def test_page_is_marked_when_it_is_its_players_turn(
    playing: Phone, bela: Phone, charlie: Phone, tab: str
) -> None:
    head = playing.table().head
    assert f'data-turn="{head}"' in playing.get(f"?tab={tab}").content.decode()
    for other in (bela, charlie):
        assert "data-turn" not in other.get(f"?tab={tab}").content.decode()

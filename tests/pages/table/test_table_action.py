"""Requests that no button of a table page sends."""

from __future__ import annotations

from django.test import Client

from tests.pages.conftest import Phone


def test_actions_reject_get_requests(playing: Phone) -> None:
    for part in ("act/", "undo/", "redo/", "back/", "tick/", "sit/", "seat/", "host/", "correct/"):
        assert playing.get(part).status_code == 405


def test_forms_need_a_csrf_token(playing: Phone) -> None:
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post(f"/t/{playing.code}/undo/", {}).status_code == 403

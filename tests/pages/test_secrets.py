"""Secrets on pages, and between people who share a phone."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.models import Table
from companion.web.phone import SEATS_COOKIE
from tests.pages.conftest import HTMX, Phone
from tests.tables.planning import enter, next_season, other_plan, plan, planning, proposed
from tests.tables.sitting import Sitting

pytestmark = pytest.mark.django_db

FORM = 'name="c.build-palace"'
COVER = "Hold to show"


def phone(sitting: Sitting, *roles: str) -> Phone:
    """Return a phone with the seats of the given factions, and with the host token for "host"."""
    new = Phone()
    new.code = sitting.table.code
    tokens = [sitting.host_token if role == "host" else sitting.tokens[role] for role in roles]
    new.client.cookies[SEATS_COOKIE] = ".".join(tokens)
    return new


def page(viewer: Phone, part: str = "", **headers: str) -> str:
    answer = viewer.get(part, **headers)
    assert answer.status_code == 200, answer.content
    text: str = answer.content.decode()
    return text


def is_covered(text: str, faction: str) -> bool:
    """Return True if a page shows the cover of a faction and no form."""
    match = re.search(r'<button form="cover"[^>]*value="(\w+)"', text)
    assert (FORM in text) != bool(match)
    return bool(match) and match[1] == faction


def fields(action: Any) -> dict[str, str]:
    """Return a plan as form fields."""
    return {"type": "plan", **{f"c.{key}": province for key, province in action["cards"].items()}}


@pytest.fixture
def sitting() -> Sitting:
    return planning(3)


# One phone for one seat


def test_phone_with_one_seat_has_no_cover(sitting: Sitting) -> None:
    text = page(phone(sitting, "blue"))
    assert FORM in text
    assert COVER not in text
    plan(sitting, "blue")
    assert "Your plan" in page(phone(sitting, "blue"), "?tab=board")
    assert "Your plan" not in page(phone(sitting, "red"), "?tab=board")
    assert "Your plan" not in page(phone(sitting, "host"), "?tab=board")
    assert "Your plan" not in page(phone(sitting, "host"), "?tab=board&open=blue")
    assert "Your plan" not in page(phone(sitting, "red"), "?tab=board&open=blue")


# One phone for several seats


def test_shared_phone_covers_secret_forms(sitting: Sitting) -> None:
    shared = phone(sitting, "red", "blue")
    assert is_covered(page(shared), "red")
    assert is_covered(page(shared, "?as=blue"), "blue")
    assert is_covered(page(shared, "?as=blue&open=red"), "blue")
    assert is_covered(page(shared, "?as=blue", **HTMX), "blue")
    uncovered = page(shared, "?as=blue&open=blue")
    assert FORM in uncovered
    assert "Cover again" in uncovered
    assert 'name="faction" value="blue"' in uncovered


def test_cover_for_the_next_player_follows_an_entry(sitting: Sitting) -> None:
    shared = phone(sitting, "red", "blue")
    action = proposed(sitting, "red")[1]
    sent = {"faction": "red", "open": "red", **fields(action)}
    after = shared.post("act/", htmx=True, **sent).content.decode()
    assert is_covered(after, "blue")
    assert "Your plan" not in after
    assert sitting.fresh().entries.filter(action__type="plan").count() == 1
    shared.post("act/", faction="blue", open="blue", **fields(proposed(sitting, "blue")[1]))
    assert "Your plan" not in page(shared)
    assert "Your plan" not in page(shared, "?tab=board")


def test_form_stays_revealed_after_a_rejected_entry(sitting: Sitting) -> None:
    shared = phone(sitting, "red", "blue")
    twice = {"c.build-palace": "augsburg", "c.build-church": "augsburg"}
    answer = shared.post("act/", htmx=True, faction="blue", open="blue", type="plan", **twice)
    assert answer.status_code == 400
    assert FORM in answer.content.decode()
    assert 'name="faction" value="blue"' in answer.content.decode()


def test_own_plan_can_be_revealed_and_covered_again(sitting: Sitting) -> None:
    shared = phone(sitting, "red", "blue")
    assert "hold to show what you have hidden" not in page(shared, "?tab=board")
    plan(sitting, "blue")
    board = page(shared, "?tab=board")
    assert board.count("hold to show what you have hidden") == 1
    answer = shared.get("?tab=board&open=blue")
    assert "Your plan" in answer.content.decode()
    assert "Cover again" in answer.content.decode()
    assert answer["Cache-Control"] == "no-store"
    for other in ("?tab=board&open=red", "?tab=board&open=yellow", "?open=blue&tab=score"):
        assert "Your plan" not in page(shared, other)


def test_scribe_enters_plans_without_seeing_them(sitting: Sitting) -> None:
    scribe = phone(sitting, "host")
    scribe.post("host/", do="scribe")
    assert is_covered(page(scribe), "red")
    assert FORM in page(scribe, "?as=blue&open=blue")
    scribe.post("act/", faction="blue", open="blue", **fields(proposed(sitting, "blue")[1]))
    assert sitting.fresh().entries.get(action__type="plan").seat is None
    for part in ("", "?tab=board", "?tab=board&open=blue", "?open=blue"):
        assert "Your plan" not in page(scribe, part)


def test_public_forms_have_no_cover(sitting: Sitting) -> None:
    shared = phone(sitting, "red", "blue", "yellow")
    for faction in ("red", "blue", "yellow"):
        plan(sitting, faction)
    text = page(shared)
    assert COVER not in text
    assert "entryform" in text


def test_etag_depends_on_the_viewer(sitting: Sitting) -> None:
    shared = phone(sitting, "red", "blue")
    covered, shown = shared.get("?as=blue"), shared.get("?as=blue&open=blue")
    assert covered["ETag"] != shown["ETag"]
    alone = phone(sitting, "blue").get("?as=blue", **{"If-None-Match": covered["ETag"]})
    assert alone.status_code == 200


# Mending


def test_only_its_own_seat_may_change_a_hidden_entry(sitting: Sitting) -> None:
    number = plan(sitting, "blue")
    own = phone(sitting, "blue").get(f"mend/{number}/")
    assert "data-filled" in own.content.decode()
    for role in ("red", "host"):
        answer = phone(sitting, role).get(f"mend/{number}/")
        assert answer.status_code == 409
        assert "Only Blue may change this" in answer.content.decode()
        journal = page(phone(sitting, role), "?tab=journal")
        assert f"/mend/{number}/leave-out/" in journal
        assert f'/mend/{number}/"' not in journal
    assert f'/mend/{number}/"' in page(phone(sitting, "blue"), "?tab=journal")


def test_hidden_entry_is_covered_on_a_shared_phone(sitting: Sitting) -> None:
    number = plan(sitting, "blue")
    shared = phone(sitting, "red", "blue")
    for query in ("", "?open=red"):
        text = page(shared, f"mend/{number}/{query}")
        assert COVER in text
        assert "data-filled" not in text
    shown = shared.get(f"mend/{number}/?open=blue")
    assert "data-filled" in shown.content.decode()
    assert shown["Cache-Control"] == "no-store"


def test_preview_withholds_consequences_of_hidden_entries(sitting: Sitting) -> None:
    row = sitting.fresh().head
    plan(sitting, "blue")
    for role, withheld in (("red", True), ("blue", False)):
        sent = phone(sitting, role).post(f"mend/{row}/leave-out/", reason="misplayed")
        text = sent.content.decode()
        assert ('id="withheld"' in text) == withheld
        assert ('id="broken"' in text) == (not withheld)


def test_owner_can_change_a_hidden_plan(sitting: Sitting) -> None:
    other = other_plan(sitting, "blue")
    number = plan(sitting, "blue")
    own = phone(sitting, "blue")
    text = own.post(f"mend/{number}/", reason="misplayed", **fields(other)).content.decode()
    assert "Blue has planned." in text
    sent = {
        name: re.search(rf'name="{name}" value="([^"]*)"', text)[1].replace("&quot;", '"')  # type: ignore[index]
        for name in ("action", "reason", "version", "key")
    }
    assert own.post(f"mend/{number}/agree/", **sent).status_code == 302
    table: Table = sitting.fresh()
    assert table.entries.get(number=table.head).action["cards"] == other["cards"]


# Afterwards


def test_report_and_replay_show_public_state_only(sitting: Sitting) -> None:
    number = enter(sitting, *proposed(sitting, "blue")).number
    watching = phone(sitting)
    for part in ("display/", "replay/", f"replay/?at={number}", "report/"):
        text = page(watching, part)
        assert "Your plan" not in text
    next_season(sitting)
    assert "Your plan" not in page(phone(sitting, "blue"), f"replay/?at={number}")

"""What others must not see: on pages, and between people who share a phone."""

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


def phone(sitting: Sitting, *who: str) -> Phone:
    """A phone that holds the seats of some factions, and is the host's perhaps."""
    found = Phone()
    found.code = sitting.table.code
    tokens = [sitting.host_token if one == "host" else sitting.tokens[one] for one in who]
    found.client.cookies[SEATS_COOKIE] = ".".join(tokens)
    return found


def page(one: Phone, part: str = "", **headers: str) -> str:
    answer = one.get(part, **headers)
    assert answer.status_code == 200, answer.content
    text: str = answer.content.decode()
    return text


def is_covered(text: str, faction: str) -> bool:
    """Whether a page is the cover for a faction, with nothing below it."""
    found = re.search(r'<button form="cover"[^>]*value="(\w+)"', text)
    assert (FORM in text) != bool(found)
    return bool(found) and found[1] == faction


def fields(action: Any) -> dict[str, str]:
    """A plan as its form sends it."""
    return {"type": "plan", **{f"c.{key}": province for key, province in action["cards"].items()}}


@pytest.fixture
def sitting() -> Sitting:
    return planning(3)


# One phone for one seat


def test_a_phone_of_one_seat_has_no_cover(sitting: Sitting) -> None:
    text = page(phone(sitting, "blue"))
    assert FORM in text
    assert COVER not in text
    plan(sitting, "blue")
    assert "Your plan" in page(phone(sitting, "blue"), "?tab=board")
    assert "Your plan" not in page(phone(sitting, "red"), "?tab=board")
    assert "Your plan" not in page(phone(sitting, "host"), "?tab=board")
    assert "Your plan" not in page(phone(sitting, "host"), "?tab=board&open=blue")
    assert "Your plan" not in page(phone(sitting, "red"), "?tab=board&open=blue")


# One phone for several


def test_a_cover_stands_between_people_who_share_a_phone(sitting: Sitting) -> None:
    shared = phone(sitting, "red", "blue")
    assert is_covered(page(shared), "red")
    assert is_covered(page(shared, "?as=blue"), "blue")
    assert is_covered(page(shared, "?as=blue&open=red"), "blue")
    assert is_covered(page(shared, "?as=blue", **HTMX), "blue")
    uncovered = page(shared, "?as=blue&open=blue")
    assert FORM in uncovered
    assert "Cover again" in uncovered
    assert 'name="faction" value="blue"' in uncovered


def test_who_has_planned_leaves_the_cover_for_the_next(sitting: Sitting) -> None:
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


def test_who_is_refused_goes_on_uncovered(sitting: Sitting) -> None:
    shared = phone(sitting, "red", "blue")
    twice = {"c.build-palace": "augsburg", "c.build-church": "augsburg"}
    answer = shared.post("act/", htmx=True, faction="blue", open="blue", type="plan", **twice)
    assert answer.status_code == 400
    assert FORM in answer.content.decode()
    assert 'name="faction" value="blue"' in answer.content.decode()


def test_people_look_at_their_own_plan_and_cover_it_again(sitting: Sitting) -> None:
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


def test_the_scribe_enters_plans_and_sees_none(sitting: Sitting) -> None:
    scribe = phone(sitting, "host")
    scribe.post("host/", do="scribe")
    assert is_covered(page(scribe), "red")
    assert FORM in page(scribe, "?as=blue&open=blue")
    scribe.post("act/", faction="blue", open="blue", **fields(proposed(sitting, "blue")[1]))
    assert sitting.fresh().entries.get(action__type="plan").seat is None
    for part in ("", "?tab=board", "?tab=board&open=blue", "?open=blue"):
        assert "Your plan" not in page(scribe, part)


def test_what_is_not_secret_has_no_cover(sitting: Sitting) -> None:
    shared = phone(sitting, "red", "blue", "yellow")
    for faction in ("red", "blue", "yellow"):
        plan(sitting, faction)
    text = page(shared)
    assert COVER not in text
    assert "entryform" in text


def test_each_page_is_tagged_for_whom_it_is_shown(sitting: Sitting) -> None:
    shared = phone(sitting, "red", "blue")
    covered, shown = shared.get("?as=blue"), shared.get("?as=blue&open=blue")
    assert covered["ETag"] != shown["ETag"]
    alone = phone(sitting, "blue").get("?as=blue", **{"If-None-Match": covered["ETag"]})
    assert alone.status_code == 200


# Mending


def test_only_its_own_seat_is_shown_what_it_entered(sitting: Sitting) -> None:
    number = plan(sitting, "blue")
    own = phone(sitting, "blue").get(f"mend/{number}/")
    assert "data-filled" in own.content.decode()
    for who in ("red", "host"):
        answer = phone(sitting, who).get(f"mend/{number}/")
        assert answer.status_code == 409
        assert "Only Blue may change this" in answer.content.decode()
        journal = page(phone(sitting, who), "?tab=journal")
        assert f"/mend/{number}/leave-out/" in journal
        assert f'/mend/{number}/"' not in journal
    assert f'/mend/{number}/"' in page(phone(sitting, "blue"), "?tab=journal")


def test_a_cover_lies_over_what_was_entered_on_a_shared_phone(sitting: Sitting) -> None:
    number = plan(sitting, "blue")
    shared = phone(sitting, "red", "blue")
    for query in ("", "?open=red"):
        text = page(shared, f"mend/{number}/{query}")
        assert COVER in text
        assert "data-filled" not in text
    shown = shared.get(f"mend/{number}/?open=blue")
    assert "data-filled" in shown.content.decode()
    assert shown["Cache-Control"] == "no-store"


def test_what_would_follow_is_withheld_from_who_may_not_know(sitting: Sitting) -> None:
    row = sitting.fresh().head
    plan(sitting, "blue")
    for who, withheld in (("red", True), ("blue", False)):
        sent = phone(sitting, who).post(f"mend/{row}/leave-out/", reason="misplayed")
        text = sent.content.decode()
        assert ('id="withheld"' in text) == withheld
        assert ('id="broken"' in text) == (not withheld)


def test_the_owner_mends_a_hidden_plan(sitting: Sitting) -> None:
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


def test_the_report_and_the_replay_show_what_everybody_knew(sitting: Sitting) -> None:
    number = enter(sitting, *proposed(sitting, "blue")).number
    watching = phone(sitting)
    for part in ("display/", "replay/", f"replay/?at={number}", "report/"):
        text = page(watching, part)
        assert "Your plan" not in text
    next_season(sitting)
    assert "Your plan" not in page(phone(sitting, "blue"), f"replay/?at={number}")

"""Permissions and secrets of the phone that looks at a table."""

from __future__ import annotations

import pytest

from companion.access.table_access import SPECTATOR, TableAccess
from companion.models import Entry
from companion.pages.table.snapshot import Snapshot
from companion.pages.table.viewer import Viewer
from tests.tables.planning import plan, planning
from tests.tables.sitting import Sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> Sitting:
    """Return a table where Red has planned in secret."""
    sitting = planning(3)
    plan(sitting, "red")
    return sitting


def shared(sitting: Sitting, *factions: str) -> TableAccess:
    return TableAccess(tuple(sitting.seat(faction) for faction in factions))


def viewer_of(sitting: Sitting, access: TableAccess, shown_to: str | None = None) -> Viewer:
    return Viewer(Snapshot(sitting.fresh()), access, shown_to=shown_to)


def test_players_and_host_may_enter(sitting: Sitting) -> None:
    assert viewer_of(sitting, sitting.access("red")).may_enter
    assert viewer_of(sitting, sitting.host).may_enter
    assert not viewer_of(sitting, SPECTATOR).may_enter


def test_nobody_corrects_or_compares_a_game_ended_by_the_host(sitting: Sitting) -> None:
    viewer = viewer_of(sitting, sitting.host)
    assert (viewer.may_correct, viewer.may_compare) == (True, True)
    viewer.table.ended_by_host = True
    assert (viewer.may_correct, viewer.may_compare) == (False, False)


def test_only_the_host_can_be_scribe(sitting: Sitting) -> None:
    snapshot = Snapshot(sitting.fresh())
    assert Viewer(snapshot, sitting.host, scribe=True).mine() == ["red", "blue", "yellow"]
    assert Viewer(snapshot, sitting.access("blue"), scribe=True).mine() == ["blue"]


def test_seat_sees_its_own_secrets_only(sitting: Sitting) -> None:
    assert viewer_of(sitting, sitting.access("red")).sees_secrets
    assert not viewer_of(sitting, sitting.access("blue")).sees_secrets
    assert not viewer_of(sitting, SPECTATOR).sees_secrets


def test_viewers_who_see_the_same_share_a_cache_key(sitting: Sitting) -> None:
    spectator, blue, red = (
        viewer_of(sitting, access).key
        for access in (SPECTATOR, sitting.access("blue"), sitting.access("red"))
    )
    assert spectator == blue
    assert red != blue


def test_shared_phone_covers_secrets_until_one_seat_reveals_them(sitting: Sitting) -> None:
    both = shared(sitting, "red", "blue")
    covered, revealed = viewer_of(sitting, both), viewer_of(sitting, both, shown_to="red")
    assert (covered.faction, covered.covered_factions()) == (None, ["red"])
    assert (revealed.faction, revealed.covered_factions()) == ("red", [])


def test_phone_cannot_reveal_a_seat_it_does_not_hold(sitting: Sitting) -> None:
    assert viewer_of(sitting, shared(sitting, "blue", "yellow"), shown_to="red").faction is None


def test_hidden_entry_may_be_changed_by_its_own_seat_only(sitting: Sitting) -> None:
    entry = Entry.objects.get(action__type="plan")
    assert viewer_of(sitting, sitting.access("red")).may_change(entry)
    assert not viewer_of(sitting, sitting.access("blue")).may_change(entry)
    assert not viewer_of(sitting, sitting.host).may_change(entry)

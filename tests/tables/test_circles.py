"""Circles: links, renewal, tables, member names."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from companion.access.rate_limits import WRONG_CODE
from companion.access.table_access import TableAccess, hash_of
from companion.errors import Refusal
from companion.models import Bucket, Circle, Member, Notice, Result, Table
from companion.tables.circles import (
    find_circle,
    forget_member,
    names_of,
    open_circle,
    put_into_circle,
    rename_circle,
    renew_link,
)
from companion.tables.opening import rematch
from tests.journal.test_result_sync import end, pad
from tests.statistics.evenings import HOST
from tests.tables.sitting import refused, sit

pytestmark = pytest.mark.django_db
HERE = "192.0.2.7"


def test_circle_is_found_by_its_key_which_is_stored_hashed() -> None:
    opened = open_circle(name="  Our   Thursdays ")
    assert opened.circle.name == "Our Thursdays"
    assert find_circle(HERE, opened.key) == opened.circle
    assert Circle.objects.get().key_hash == hash_of(opened.key) != opened.key


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "x" * 41, None, 7])
def test_invalid_circle_name_is_rejected(name: str) -> None:
    with refused("bad-input"):
        open_circle(name=name)


def test_rename_circle() -> None:
    circle = open_circle(name="Thursdays").circle
    rename_circle(circle=circle, name="Fridays")
    assert Circle.objects.get().name == "Fridays"
    with refused("bad-input"):
        rename_circle(circle=circle, name="")


def test_renewed_link_invalidates_the_old_one() -> None:
    opened = open_circle(name="Thursdays")
    key = renew_link(circle=opened.circle)
    assert find_circle(HERE, key) == opened.circle
    with pytest.raises(Refusal, match="renewed"):
        find_circle(HERE, opened.key)


@pytest.mark.parametrize("key", ["", "nothing", "a/b", "\0", "x" * 65, "é"])
def test_wrong_key_is_rejected(key: str) -> None:
    with pytest.raises(Refusal) as caught:
        find_circle(HERE, key)
    assert caught.value.code == "unknown"


def test_guessing_keys_is_rate_limited() -> None:
    opened = open_circle(name="Thursdays")
    WRONG_CODE.take(HERE)
    Bucket.objects.update(level=0.0, filled_at=timezone.now() + timedelta(minutes=1))
    with pytest.raises(Refusal) as caught:
        find_circle(HERE, opened.key)
    assert caught.value.code == "too-many"


def test_only_the_host_assigns_a_table_to_a_circle() -> None:
    circle = open_circle(name="Thursdays").circle
    sitting = sit(2)
    for access, code in ((TableAccess(), "no-token"), (sitting.access("blue"), "foreign-token")):
        with refused(code):
            put_into_circle(table=sitting.table, access=access, circle=circle)
    put_into_circle(table=sitting.table, access=sitting.host, circle=circle)
    assert sitting.fresh().circle == circle
    with refused("nothing"):
        put_into_circle(table=sitting.table, access=sitting.host, circle=circle)
    put_into_circle(table=sitting.table, access=sitting.host, circle=None)
    assert sitting.fresh().circle is None


def test_rematch_stays_in_the_circle() -> None:
    circle = open_circle(name="Thursdays").circle
    table = pad("Ada", "Béla", circle=circle)
    end(table)
    assert rematch(table=table, access=HOST).circle == circle


def test_member_names_are_listed_until_erased() -> None:
    circle = open_circle(name="Thursdays").circle
    other = pad("Ada", "Zoé")
    for names in (("Ada", "Béla"), ("ada ", "Carla")):
        end(pad(*names, circle=circle))
    assert [name.lower() for name in names_of(circle)] == ["ada", "béla", "carla"]
    ada = Member.objects.get(normal="ada")
    Notice.objects.create(
        table=Table.objects.filter(circle=circle)[0], code="seat-freed", params={"name": "Ada"}
    )

    forget_member(circle=circle, member=ada.pk)

    assert names_of(circle) == ["Béla", "Carla"]
    assert Result.objects.filter(in_circle=True).count() == 2
    seats = [seat.name for table in Table.objects.filter(circle=circle) for seat in table.seats.all()]
    assert sorted(seats) == ["", "", "Béla", "Carla"]
    assert Notice.objects.get(code="seat-freed").params == {"name": ""}
    assert other.seats.filter(name="Ada").exists()
    with refused("unknown"):
        forget_member(circle=circle, member=ada.pk)

"""Rate limits per client address."""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from companion.access.rate_limits import OPEN_TABLE, WRONG_CODE, Limit
from companion.access.table_access import find_rate_limited
from companion.errors import Refusal
from companion.models import Bucket
from tests.tables.sitting import refused, sit

pytestmark = [pytest.mark.database, pytest.mark.django_db]


@pytest.mark.parametrize("most", [1, 3, 10, 49])
def test_requests_beyond_the_burst_are_refused(most: int) -> None:
    limit = Limit("test", most=most, seconds=60)
    with time_machine.travel(timezone.now(), tick=False):
        for _ in range(most):
            limit.refuse_if_exhausted("1.2.3.4")
            limit.take("1.2.3.4")

        with refused("too-many"):
            limit.take("1.2.3.4")
        with refused("too-many"):
            limit.refuse_if_exhausted("1.2.3.4")


def test_bucket_refills_with_time() -> None:
    limit = Limit("test", most=3, seconds=10)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(3):
            limit.take("1.2.3.4")
        clock.shift(timedelta(seconds=9))
        with refused("too-many"):
            limit.take("1.2.3.4")
        clock.shift(timedelta(seconds=1))
        limit.take("1.2.3.4")
        with refused("too-many"):
            limit.take("1.2.3.4")
        clock.shift(timedelta(hours=1))
        for _ in range(3):
            limit.take("1.2.3.4")
        with refused("too-many"):
            limit.take("1.2.3.4")


def test_clock_set_back_neither_refills_nor_empties_bucket() -> None:
    limit = Limit("test", most=2, seconds=10)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        limit.take("1.2.3.4")
        clock.shift(timedelta(hours=-1))
        limit.take("1.2.3.4")
        with refused("too-many"):
            limit.take("1.2.3.4")


def test_clock_set_back_does_not_delay_refilling() -> None:
    limit = Limit("test", most=2, seconds=10)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for _ in range(2):
            limit.take("1.2.3.4")
        clock.shift(timedelta(days=-1))
        with pytest.raises(Refusal):  # the bucket follows the clock
            limit.refuse_if_exhausted("1.2.3.4")
        clock.shift(timedelta(seconds=10))
        limit.refuse_if_exhausted("1.2.3.4")
        limit.take("1.2.3.4")

        with refused("too-many"):
            limit.take("1.2.3.4")
        clock.shift(timedelta(days=-1))
        with pytest.raises(Refusal):  # the bucket follows the clock
            limit.take("1.2.3.4")
        clock.shift(timedelta(seconds=10))
        limit.take("1.2.3.4")


def test_alternating_clocks_do_not_refill_bucket() -> None:
    limit = Limit("test", most=3, seconds=10)
    with time_machine.travel(timezone.now(), tick=False) as clock:
        for seconds in (8, -8, 8):
            limit.take("1.2.3.4")
            clock.shift(timedelta(seconds=seconds))

        with refused("too-many"):
            limit.take("1.2.3.4")


def test_buckets_are_separate_per_limit_and_address() -> None:
    first, second = Limit("first", most=1, seconds=10), Limit("second", most=1, seconds=10)

    first.take("1.2.3.4")
    second.take("1.2.3.4")
    first.take("2001:db8::1")

    assert Bucket.objects.count() == 3


def test_very_long_address_is_limited() -> None:
    limit = Limit("test", most=1, seconds=10)
    limit.take("x" * 500)

    with refused("too-many"):
        limit.take("x" * 500)


def test_wrong_codes_are_rate_limited() -> None:
    sitting = sit(2)
    with time_machine.travel(timezone.now(), tick=False):
        assert find_rate_limited("1.2.3.4", sitting.table.code) == sitting.table
        assert not Bucket.objects.exists()
        Bucket.objects.create(name="code:1.2.3.4", level=1.5 / WRONG_CODE.most, filled_at=timezone.now())

        with pytest.raises(Exception, match="no table with this code"):
            find_rate_limited("1.2.3.4", "CCCCCC")
        with refused("too-many"):
            find_rate_limited("1.2.3.4", "CCCCCC")
        with refused("too-many"):
            find_rate_limited("1.2.3.4", sitting.table.code)
        assert find_rate_limited("5.6.7.8", sitting.table.code) == sitting.table


def test_open_table_limit_allows_many_phones_per_address() -> None:
    assert OPEN_TABLE.most >= 100
    assert OPEN_TABLE.seconds <= 1

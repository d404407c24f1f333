"""Database failures: error responses for API and pages, and read access without write access."""

import pytest
from django.db import DatabaseError, InterfaceError, OperationalError
from django.test import Client

from companion.access import table_access
from companion.journal import submit
from companion.live import hub
from companion.models import Seat, Table
from tests.live.phones import Phone
from tests.tables.sitting import Sitting
from tests.tables.sitting import play as played

SENTENCE = "The server cannot get at its data right now. Please try again in a moment."


@pytest.fixture
def sitting(db: None) -> Sitting:
    return played(2)


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_api_reports_database_failure_as_unavailable(
    sitting: Sitting, error: type[DatabaseError], monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    def fail(**_kwargs: object) -> None:
        raise error("disk I/O error in /secret/place")

    monkeypatch.setattr(submit, "undo", fail)
    answer = client.post(
        f"/api/tables/{sitting.table.code}/undo/",
        {},
        content_type="application/json",
        headers={"Authorization": f"Seat {sitting.host_token}"},
    )

    assert answer.status_code == 503
    assert answer.json() == {"code": "unavailable", "message": SENTENCE, "rule": None}
    assert answer["Retry-After"] == "5"


def test_page_reports_database_failure_without_details(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    def fail(_code: str) -> None:
        raise OperationalError("disk I/O error in /secret/place")

    monkeypatch.setattr(table_access, "find", fail)
    page = client.get(f"/t/{sitting.table.code}/")

    assert page.status_code == 503
    assert SENTENCE in page.content.decode()
    assert "/secret/place" not in page.content.decode()


def test_presence_is_skipped_if_the_database_is_read_only(
    sitting: Sitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_args: object, **_kwargs: object) -> None:
        raise OperationalError("database or disk is full")

    long_ago = "2020-01-01T12:00:00Z"
    Table.objects.update(host_seen_at=long_ago)
    Seat.objects.update(seen_at=long_ago)
    table = sitting.fresh()
    monkeypatch.setattr("django.db.models.query.QuerySet.update", fail)

    table_access.record_presence(table, table_access.identify(table, [sitting.host_token]))

    assert table.host_seen_at.year == 2020


async def test_stream_ends_after_its_maximum_duration(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that vanished would otherwise be served until its connection breaks."""

    async def watch(_hub: hub.Hub) -> None: ...

    monkeypatch.setattr(hub.Hub, "_watch_others", watch)
    monkeypatch.setattr(hub, "MAX_STREAM_SECONDS", 0.05)
    async with Phone() as phone:
        assert await phone.hears() == 5
        assert "event: bye\n" in await anext(phone.events)
        with pytest.raises(StopAsyncIteration):
            await anext(phone.events)
    assert hub.hub.count() == 0


class Clock:
    """A clock that a test sets."""

    now = 100.0

    def monotonic(self) -> float:
        return self.now


def test_circuit_breaker_lets_one_attempt_through_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg_pool")
    from companion.operations.postgres import base  # noqa: PLC0415 - psycopg is optional

    clock = Clock()
    monkeypatch.setattr(base, "time", clock)
    breaker = base.CircuitBreaker()
    breaker.check()
    clock.now += 10
    breaker.record_failure(started_at=100.0)
    with pytest.raises(OperationalError):
        breaker.check()
    clock.now += base.RETRY_SECONDS
    breaker.check()  # the next attempt
    with pytest.raises(OperationalError):
        breaker.check()
    breaker.record_success()
    breaker.check()


@pytest.mark.parametrize("pooled", [True, False])
def test_circuit_breaker_opens_when_no_connection_can_be_had(
    monkeypatch: pytest.MonkeyPatch, *, pooled: bool
) -> None:
    pool = pytest.importorskip("psycopg_pool")
    import psycopg  # noqa: PLC0415 - optional

    from companion.operations.postgres import base  # noqa: PLC0415 - optional

    failure = pool.PoolTimeout if pooled else psycopg.OperationalError

    def fail(_self: object, _params: object) -> None:
        raise failure

    monkeypatch.setattr(base, "breaker", base.CircuitBreaker())
    monkeypatch.setattr(base.base.DatabaseWrapper, "get_new_connection", fail)
    wrapper = base.DatabaseWrapper({})
    with pytest.raises(failure):
        wrapper.get_new_connection({})
    with pytest.raises(OperationalError, match="next attempt"):
        wrapper.get_new_connection({})


def test_circuit_breaker_stays_closed_while_others_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("psycopg_pool")
    from companion.operations.postgres import base  # noqa: PLC0415 - psycopg is optional

    clock = Clock()
    monkeypatch.setattr(base, "time", clock)
    breaker = base.CircuitBreaker()
    clock.now += 5
    breaker.record_success()
    clock.now += 5
    breaker.record_failure(started_at=100.0)
    breaker.check()

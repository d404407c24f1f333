"""A guesser with a used-up limit learns nothing about which table codes exist."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from companion.access import rate_limits
from companion.access.table_access import find_rate_limited
from companion.models import Bucket
from companion.tables.seats import free_seat
from companion.web.phone import SEATS_COOKIE
from tests.hostile import sitting_at
from tests.security.test_floods import HERE, use_up
from tests.tables.sitting import Sitting, refused, sit

UNKNOWN = "CCCCCC"
URLS = ["/t/{code}/", "/t/{code}/report/", "/api/tables/{code}/state/", "/api/tables/{code}/events/"]


@pytest.fixture
def sitting(db: None) -> Sitting:
    return sitting_at("raubritter", entries=3)


def response_to(method: str, url: str, code: str, token: str) -> tuple[Any, ...]:
    """Return status, body and queries of a request, with the code masked."""
    client = Client(enforce_csrf_checks=True)
    headers = {"authorization": f"Seat {token}"} if token else {}
    client.cookies[SEATS_COOKIE] = token
    with CaptureQueriesContext(connection) as queries:
        response = client.generic(method, url.format(code=code), headers=headers)
    statements = [query["sql"].replace(code, "CODE") for query in queries]
    return response.status_code, response.content.replace(code.encode(), b"CODE"), statements


@pytest.mark.parametrize("url", URLS)
@pytest.mark.parametrize("token", ["", "foreign"])
def test_existing_and_unknown_codes_cost_the_same_queries(sitting: Sitting, url: str, token: str) -> None:
    """Otherwise the response time would tell them apart."""
    use_up(rate_limits.WRONG_CODE)

    existing = response_to("GET", url, sitting.table.code, token)

    assert existing == response_to("GET", url, UNKNOWN, token)
    assert existing[0] == 429
    assert len(existing[2]) <= (2 if token else 1)


@pytest.mark.parametrize("token", ["", "foreign"])
def test_request_without_csrf_token_tells_nothing(sitting: Sitting, token: str) -> None:
    """Its error page links to the table, so looking that up counts as a guess."""
    assert b"/t/CODE/" in response_to("POST", "/t/{code}/undo/", sitting.table.code, token)[1]
    assert b"/t/CODE/" not in response_to("POST", "/t/{code}/undo/", UNKNOWN, token)[1]
    assert Bucket.objects.get().name == f"code:{HERE}"
    Bucket.objects.all().delete()
    use_up(rate_limits.WRONG_CODE)

    existing = response_to("POST", "/t/{code}/undo/", sitting.table.code, token)

    assert existing == response_to("POST", "/t/{code}/undo/", UNKNOWN, token)
    assert existing[0] == 403


def test_player_is_found_with_one_query_despite_used_up_limit(sitting: Sitting) -> None:
    use_up(rate_limits.WRONG_CODE)
    for token in (sitting.host_token, *sitting.tokens.values()):
        with CaptureQueriesContext(connection) as queries:
            assert find_rate_limited(HERE, sitting.table.code.lower(), ["foreign", token]) == sitting.table

        assert len(queries) == 1


def test_token_of_another_table_does_not_lift_the_limit(sitting: Sitting) -> None:
    other = sit(2)
    use_up(rate_limits.WRONG_CODE)

    with refused("too-many"):
        find_rate_limited(HERE, sitting.table.code, [other.host_token, *other.tokens.values()])


def test_empty_token_does_not_match_a_free_seat(db: None) -> None:
    sitting = sit(2)
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat("blue"))
    use_up(rate_limits.WRONG_CODE)

    with refused("too-many"):
        find_rate_limited(HERE, sitting.table.code, ["", ""])

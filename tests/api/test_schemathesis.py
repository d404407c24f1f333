"""Schemathesis: requests that match the schema and requests that do not, at every kind of table."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from companion.models import Member
from companion.registry import titles
from companion.tables.board_copies import make_copy
from companion.tables.circles import open_circle, put_into_circle
from companion.tables.hosting import finish
from companion.tables.opening import NewSeat, open_table
from tests.hostile import NAMES, not_hanging, sitting_at
from tests.tables.sitting import Sitting, rows

# A WSGI request closes the database connection, which would end a test's transaction.
pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
BUDGET = settings(
    max_examples=3,
    deadline=None,
    phases=[
        Phase.explicit,
        Phase.generate,
        Phase.target,
    ],  # no shrinking: requests are independent
    suppress_health_check=list(HealthCheck),
)


def lobby() -> Sitting:
    opened = open_table(game="revolution", seats=[NewSeat(NAMES[0], "catholics")])
    return Sitting(opened.table, opened.host_token, {seat.faction: token for seat, token in opened.seats})


def ended() -> Sitting:
    sitting = sitting_at("signoria", entries=5)
    finish(table=sitting.table, access=sitting.host)
    return sitting


KINDS: dict[str, Callable[[], Sitting]] = {
    "a lobby": lobby,
    "raubritter": lambda: sitting_at("raubritter", entries=2),
    "revolution": lambda: sitting_at("revolution", entries=3),
    "wallenstein": lambda: sitting_at("wallenstein", entries=3),  # while plans are hidden
    "an ended game": ended,
    "a pad": lambda: sitting_at("revolution-pad", entries=0),
}


@dataclass(frozen=True)
class PathValues:
    """Existing values for the path parameters."""

    sitting: Sitting
    key: str

    def fill(self, parameters: dict[str, Any], path: str, generator: random.Random) -> None:
        """Replace most random path parameters by existing values."""
        game = self.sitting.table.game
        member = Member.objects.values_list("pk", flat=True).first()
        existing = {
            "code": self.sitting.table.code
            if "/tables/" in path
            else make_copy(game=titles()[game].game, name="Ours").code,
            "key": self.key,
            "game": game,
            "member": str(member or 1),
            "name": generator.choice(
                [calculator.name for calculator in titles()[game].calculators.calculators]
            ),
        }
        for name in parameters:
            if generator.random() < 0.9 or (name == "code" and "/tables/" in path):
                parameters[name] = existing[name]


def call(case: Any) -> None:
    """Assert that a rejected request changes nothing and no request hangs."""
    before = stored_rows()
    with not_hanging():
        answer = case.call_and_validate(checks=CHECKS)
    if answer.status_code >= 400:
        assert stored_rows() == before, case.operation.label


def stored_rows() -> dict[str, Any]:
    """Return all rows, without presence times and rate limits."""
    stored = rows()
    del stored["Bucket"]
    unseen = {"host_seen_at": None, "seen_at": None}
    return {name: [{**row, **unseen} for row in table_rows] for name, table_rows in stored.items()}


# Invalid requests are rejected before the table is read, so two kinds are enough.
@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        *((kind, GenerationMode.POSITIVE) for kind in KINDS),
        ("raubritter", GenerationMode.NEGATIVE),
        ("an ended game", GenerationMode.NEGATIVE),
    ],
)
def test_generated_requests(kind: str, mode: GenerationMode) -> None:
    """Event streams never end, so they are excluded."""
    sitting, opened, generator = KINDS[kind](), open_circle(name="Monday"), random.Random(1)
    put_into_circle(table=sitting.table, access=sitting.host, circle=opened.circle)
    path_values = PathValues(sitting, opened.key)
    schema = schemathesis.openapi.from_wsgi("/api/schema/", get_wsgi_application())
    sent, tried = 0, set()
    for result in schema.exclude(path_regex="/events/$|/renew/$").get_all_operations():
        operation = result.ok()

        @BUDGET
        @given(case=operation.as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            nonlocal sent
            path_values.fill(case.path_parameters or {}, case.operation.path, generator)
            case.headers["Authorization"] = f"Seat {sitting.host_token}"
            case.headers["Accept-Encoding"] = "identity"  # the WSGI client does not decompress
            call(case)
            sent += 1

        try:
            send()
            tried.add(operation.label)
        except Unsatisfiable:  # without a body or parameters nothing can be invalid
            assert operation.method.upper() == "GET" or "requestBody" not in operation.definition.raw
    assert sent > 40
    if mode is GenerationMode.POSITIVE:
        described = {
            f"{method.upper()} {path}"
            for path, methods in schema.raw_schema["paths"].items()
            for method in methods
            if not path.endswith(("/events/", "/renew/"))
        }
        assert tried == described


def test_generated_requests_to_renew_a_key() -> None:
    """Renewing invalidates the key, so each request gets its own circle."""
    schema = schemathesis.openapi.from_wsgi("/api/schema/", get_wsgi_application())
    (result,) = schema.include(path_regex="/renew/$").get_all_operations()

    @BUDGET
    @given(case=result.ok().as_strategy(generation_mode=GenerationMode.POSITIVE))
    def send(case: Any) -> None:
        case.path_parameters["key"] = open_circle(name="Monday").key
        case.headers["Accept-Encoding"] = "identity"
        call(case)

    send()

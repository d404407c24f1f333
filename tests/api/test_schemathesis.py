"""The API against its own schema: data that fits it and data that does not, at every kind of table."""

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
from companion.tables.board_copies import make_copy
from companion.tables.circles import open_circle, put_into_circle
from companion.tables.hosting import finish
from companion.tables.opening import NewSeat, open_table
from games.registry import CALCULATORS, GAMES
from tests.hostile import NAMES, not_hanging, sitting_at
from tests.tables.sitting import Sitting, rows

# A request over WSGI closes its connection; within a transaction that would end the test.
pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
BUDGET = settings(
    max_examples=3,
    deadline=None,
    phases=[
        Phase.explicit,
        Phase.generate,
        Phase.target,
    ],  # each request stands for itself; no time for shrinking
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
class Here:
    """What there is to name in an address."""

    sitting: Sitting
    key: str

    def put_into(self, parameters: dict[str, Any], path: str, generator: random.Random) -> None:
        """Where something is named that is not there, name mostly what is."""
        game = self.sitting.table.game
        member = Member.objects.values_list("pk", flat=True).first()
        there = {
            "code": self.sitting.table.code
            if "/tables/" in path
            else make_copy(game=GAMES[game], name="Ours").code,
            "key": self.key,
            "game": game,
            "member": str(member or 1),
            "name": generator.choice([one.name for one in CALCULATORS[game].calculators]),
        }
        for name in parameters:
            if generator.random() < 0.9 or (name == "code" and "/tables/" in path):
                parameters[name] = there[name]


def call(case: Any) -> None:
    """What is refused has changed nothing, and nothing takes for ever."""
    before = kept()
    with not_hanging():
        answer = case.call_and_validate(checks=CHECKS)
    if answer.status_code >= 400:
        assert kept() == before, case.operation.label


def kept() -> dict[str, Any]:
    """All that is stored, but for who was seen when and how often somebody tried."""
    stored = rows()
    del stored["Bucket"]
    unseen = {"host_seen_at": None, "seen_at": None}
    return {name: [{**row, **unseen} for row in found] for name, found in stored.items()}


# What does not fit the schema is refused before anybody looks at the table: two kinds stand for all.
@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        *((kind, GenerationMode.POSITIVE) for kind in KINDS),
        ("raubritter", GenerationMode.NEGATIVE),
        ("an ended game", GenerationMode.NEGATIVE),
    ],
)
def test_whatever_is_sent(kind: str, mode: GenerationMode) -> None:
    """The stream is left to the tests of events: it has no end."""
    sitting, opened, generator = KINDS[kind](), open_circle(name="Monday"), random.Random(1)
    put_into_circle(table=sitting.table, access=sitting.host, circle=opened.circle)
    here = Here(sitting, opened.key)
    schema = schemathesis.openapi.from_wsgi("/api/schema/", get_wsgi_application())
    sent, tried = 0, set()
    for found in schema.exclude(path_regex="/events/$|/renew/$").get_all_operations():
        operation = found.ok()

        @BUDGET
        @given(case=operation.as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            nonlocal sent
            here.put_into(case.path_parameters or {}, case.operation.path, generator)
            case.headers["Authorization"] = f"Seat {sitting.host_token}"
            case.headers["Accept-Encoding"] = "identity"  # the client for WSGI does not unpack
            call(case)
            sent += 1

        try:
            send()
            tried.add(operation.label)
        except Unsatisfiable:  # nothing is sent there, so nothing can be wrong with it
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


def test_a_key_is_renewed_whatever_is_sent() -> None:
    """After it the key of the others would lead nowhere, so it has a circle of its own."""
    schema = schemathesis.openapi.from_wsgi("/api/schema/", get_wsgi_application())
    (found,) = schema.include(path_regex="/renew/$").get_all_operations()

    @BUDGET
    @given(case=found.ok().as_strategy(generation_mode=GenerationMode.POSITIVE))
    def send(case: Any) -> None:
        case.path_parameters["key"] = open_circle(name="Monday").key
        case.headers["Accept-Encoding"] = "identity"
        call(case)

    send()

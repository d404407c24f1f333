"""The API against its own schema: data that fits it and data that does not."""

from __future__ import annotations

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

from tests.api.conftest import AtTable

# A request over WSGI closes its connection; within a transaction that would end the test.
pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
BUDGET = settings(
    max_examples=50,
    deadline=None,
    phases=[
        Phase.explicit,
        Phase.generate,
        Phase.target,
    ],  # each request stands for itself; no time for shrinking
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_whatever_is_sent(table: AtTable, mode: GenerationMode) -> None:
    """The stream is left to the tests of events: it has no end."""
    table.play(2)
    schema = schemathesis.openapi.from_wsgi("/api/schema/", get_wsgi_application())
    sent = 0
    for found in schema.exclude(path_regex="/events/$").get_all_operations():
        operation = found.ok()

        @BUDGET
        @given(case=operation.as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            nonlocal sent
            if "code" in (case.path_parameters or {}):
                case.path_parameters["code"] = table.code
            case.headers["Authorization"] = f"Seat {table.host}"
            case.headers["Accept-Encoding"] = "identity"  # the client for WSGI does not unpack
            case.call_and_validate(checks=CHECKS)
            sent += 1

        try:
            send()
        except Unsatisfiable:  # nothing is sent there, so nothing can be wrong with it
            assert operation.method.upper() == "GET"
    assert sent > 200

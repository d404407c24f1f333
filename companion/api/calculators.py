"""One-off resolvers that need no table. Their bodies and answers differ, so the schema only says: an object."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from companion import wording
from companion.access import rate_limits
from companion.api import payloads
from companion.api.bodies import read_question
from companion.api.errors import nothing_here
from companion.api.schema import describe
from companion.api.views import ApiView
from companion.web.phone import address_of
from games.core.errors import Refused
from games.registry import CALCULATORS


class Calculator(ApiView):
    @describe(
        OpenApiTypes.OBJECT,
        *("bad-input", "illegal", "unknown", "too-large", "too-many"),
        sends=OpenApiTypes.OBJECT,
        operation_id="calculate",
    )
    def post(self, request: Request, game: str, name: str) -> Response:
        """Resolve one thing. The answer carries the steps that lead to it; place `here` is what was asked about."""
        found = CALCULATORS.get(game)
        if found is None or name not in found.by_name:
            raise nothing_here()
        rate_limits.CALCULATE.take(address_of(request))
        body = read_question(request)
        try:
            answer = found.by_name[name].calculate(body)
        except Refused as refused:
            raise wording.refusal(found, refused) from None
        return Response({**answer.data, "steps": [payloads.step(found, step) for step in answer.steps]})

"""Calculators, which need no table. Each has its own fields, so the schema only says "object"."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from companion import wording
from companion.access import rate_limits
from companion.api import payloads
from companion.api.bodies import read_required_object
from companion.api.errors import not_found
from companion.api.schema import describe
from companion.api.views import ApiView
from companion.registry import titles
from companion.web.phone import address_of
from games.core.errors import Refused


class Calculator(ApiView):
    @describe(
        OpenApiTypes.OBJECT,
        *("bad-input", "illegal", "unknown", "too-large", "too-many"),
        sends=OpenApiTypes.OBJECT,
        operation_id="calculate",
    )
    def post(self, request: Request, game: str, name: str) -> Response:
        """Calculate a single result, explained by `steps`. The place `here` is the one in the request."""
        if game not in titles() or name not in titles()[game].calculators.by_name:
            raise not_found()
        calculators = titles()[game].calculators
        rate_limits.CALCULATE.take(address_of(request))
        body = read_required_object(request)
        try:
            answer = calculators.by_name[name].calculate(body)
        except Refused as refused:
            raise wording.refusal(calculators, refused) from None
        return Response({**answer.data, "steps": [payloads.step(calculators, step) for step in answer.steps]})

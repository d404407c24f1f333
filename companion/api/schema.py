"""OpenAPI descriptions of the API's views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from drf_spectacular.utils import OpenApiResponse, extend_schema

from companion.api import serializers
from companion.errors import STATUS

SEAT = "seat"
SECURITY_SCHEMES = {
    SEAT: {
        "type": "apiKey",
        "in": "header",
        "name": "Authorization",
        "description": "`Seat <token>`, with the token of a seat or of the host.",
    }
}


def describe(
    answers: Any,
    *errors: str,
    sends: Any = None,
    status: int | tuple[int, str] = 200,
    access: str | None = None,
    **more: Any,
) -> Callable[[Any], Any]:
    """Describe a view's request and response; `errors` are the codes it may refuse with.

    `status` may include a media type, for responses other than JSON.
    `access` says whether a token is needed (`"needed"`), shows more (`"adds"`), or neither (None).
    """
    refusals: dict[int, list[str]] = {}
    for code in errors:
        refusals.setdefault(STATUS[code], []).append(code)
    responses: dict[Any, Any] = {
        status: answers,
        **{
            number: OpenApiResponse(serializers.Error, " or ".join(f"`{code}`" for code in codes))
            for number, codes in sorted(refusals.items())
        },
    }
    auth: list[Any] = {"needed": [{SEAT: []}], "adds": [{SEAT: []}, {}], None: []}[access]
    return extend_schema(request=sends, responses=responses, auth=auth, **more)


def add_event_stream(result: dict[str, Any], **_generator: Any) -> dict[str, Any]:
    """Add the event stream, which is a plain Django view, and the authentication scheme."""
    result["components"]["securitySchemes"] = SECURITY_SCHEMES
    result["paths"]["/api/tables/{code}/events/"] = {"get": EVENTS}
    result["paths"] = dict(sorted(result["paths"].items()))
    return result


EVENTS = {
    "operationId": "events",
    "description": (
        'Server-sent events. `event: changed` with `id: <version>` and `data: {"version": N}` is sent '
        "at once and for each change (several changes may be combined), `event: beat` in between. With "
        "`Last-Event-ID` equal to the current version nothing is sent until the next change. When the server "
        "stops, `event: bye` ends the stream, with the `retry` delay for reconnecting."
    ),
    "parameters": [
        {"in": "path", "name": "code", "schema": {"type": "string"}, "required": True},
        {"in": "header", "name": "Last-Event-ID", "schema": {"type": "string"}},
        {
            "in": "query",
            "name": "last_event_id",
            "schema": {"type": "string"},
            "description": "The same, for clients that cannot set a header.",
        },
    ],
    "tags": ["tables"],
    "responses": {
        "200": {"content": {"text/event-stream": {"schema": {"type": "string"}}}, "description": ""},
        "404": {
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            "description": "`unknown`",
        },
        "429": {
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            "description": "`too-many`",
        },
    },
}

"""Views for opening, joining, starting and showing a table, and for its export and import."""

from __future__ import annotations

from threading import Lock
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from companion.access import rate_limits
from companion.access.table_access import refuse_unless_host
from companion.api import bodies, payloads, serializers
from companion.api.access import access_of, table_of
from companion.api.schema import describe
from companion.api.views import ApiView, validated_body
from companion.models import Board, Circle
from companion.tables import board_copies, circles, documents, opening, seats
from companion.web.phone import address_of


class Tables(ApiView):
    @describe(
        serializers.Opened,
        *("bad-input", "illegal", "unknown", "taken", "too-large", "too-many"),
        sends=serializers.NewTable,
        status=201,
        operation_id="open_table",
    )
    def post(self, request: Request) -> Response:
        """Open a table. The tokens in the response are shown only once."""
        body = validated_body(request, serializers.NewTable)
        rate_limits.OPEN_TABLE.take(address_of(request))
        opened = opening.open_table(
            game=body["game"],
            seats=[opening.NewSeat(seat["name"], seat["faction"]) for seat in body["seats"]],
            options=body["options"],
            board=_board(request, body),
            circle=_circle(request, body),
        )
        return Response(payloads.opened(opened), status=201)


def _board(request: Request, body: Any) -> Board | None:
    """Return the custom board that was requested. Raises `Refusal`."""
    code = body["board"]
    return board_copies.find_board(address_of(request), body["game"], code) if code is not None else None


def _circle(request: Request, body: Any) -> Circle | None:
    """Return the circle whose key was sent. Raises `Refusal`."""
    key = body["circle"]
    return circles.find_circle(address_of(request), key) if key is not None else None


# A long document takes seconds of CPU time, so a process imports one at a time.
_importing = Lock()


class Import(ApiView):
    @describe(
        serializers.Opened,
        *("bad-input", "illegal", "too-large", "too-many"),
        sends=serializers.Document,
        status=201,
        operation_id="import_table",
    )
    def post(self, request: Request) -> Response:
        """Open a copy of the table that a document was exported from.

        Every entry is checked against the rules again. The code and the tokens are new.
        """
        rate_limits.OPEN_TABLE.take(address_of(request))
        document = bodies.read_document(request)
        rate_limits.IMPORT.take(address_of(request), cost=documents.import_cost(document))
        if not _importing.acquire(blocking=False):
            raise rate_limits.too_often()
        try:
            opened = documents.read_document(document)
        finally:
            _importing.release()
        return Response(payloads.opened(opened), status=201)


class Table(ApiView):
    @describe(serializers.Table, "unknown", "too-many", operation_id="table")
    def get(self, request: Request, code: str) -> Response:
        """The status of a table and its seats."""
        return Response(payloads.table(table_of(request, code)))


class Seats(ApiView):
    @describe(
        serializers.SeatTaken,
        *("bad-input", "locked", "unknown", "taken", "started", "too-large", "too-many"),
        sends=serializers.NewSeat,
        status=201,
        operation_id="take_seat",
    )
    def post(self, request: Request, code: str) -> Response:
        """Take a seat: a new one before the start of the game, an abandoned one during it."""
        table = table_of(request, code)
        body = validated_body(request, serializers.NewSeat)
        rate_limits.JOIN.take(address_of(request))
        seat, token = seats.take_seat(table=table, name=body["name"], faction=body["faction"])
        return Response(payloads.seat_taken(seat, token), status=201)


class Start(ApiView):
    @describe(
        serializers.Version,
        *("bad-input", "illegal", "no-token", "foreign-token", "unknown", "started", "too-large", "too-many"),
        access="needed",
        operation_id="start",
    )
    def post(self, request: Request, code: str) -> Response:
        """Start the game with the players who are seated. Requires the host's token."""
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_unless_host(access)
        validated_body(request, serializers.EmptyBody)
        opening.start(table=table, access=access)
        return Response({"version": table.version})


class Export(ApiView):
    @describe(serializers.Document, "unknown", "hidden", "too-many", operation_id="export_table")
    def get(self, request: Request, code: str) -> Response:
        """The whole game as one document, without tokens."""
        table = table_of(request, code)
        return Response(documents.write_document(table))

"""Opening a table, joining it, starting the game, looking at it; the whole game as a document."""

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
from companion.api.views import ApiView, sent
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
        """Open a table. The tokens in the answer are told only once."""
        asked = sent(request, serializers.NewTable)
        rate_limits.OPEN_TABLE.take(address_of(request))
        opened = opening.open_table(
            game=asked["game"],
            seats=[opening.NewSeat(seat["name"], seat["faction"]) for seat in asked["seats"]],
            options=asked["options"],
            board=_board(request, asked),
            circle=_circle(request, asked),
        )
        return Response(payloads.opened(opened), status=201)


def _board(request: Request, asked: Any) -> Board | None:
    """The group's own copy that was asked for. Raises ``Refusal``."""
    code = asked["board"]
    return board_copies.find_board(address_of(request), asked["game"], code) if code is not None else None


def _circle(request: Request, asked: Any) -> Circle | None:
    """The circle whose key was sent. Raises ``Refusal``."""
    key = asked["circle"]
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
        """Open a table that equals the one a document was exported from.

        Every entry goes through the rules again. The code and the tokens are new.
        """
        rate_limits.OPEN_TABLE.take(address_of(request))
        document = bodies.read_document(request)
        rate_limits.IMPORT.take(address_of(request), goes=documents.work_of(document))
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
        """Where a table stands."""
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
        """Take a seat: a new one before the game, one that was given up during it."""
        table = table_of(request, code)
        asked = sent(request, serializers.NewSeat)
        rate_limits.JOIN.take(address_of(request))
        seat, token = seats.take_seat(table=table, name=asked["name"], faction=asked["faction"])
        return Response(payloads.seat_taken(seat, token), status=201)


class Start(ApiView):
    @describe(
        serializers.Version,
        *("bad-input", "illegal", "no-token", "foreign-token", "unknown", "started", "too-large", "too-many"),
        access="needed",
        operation_id="start",
    )
    def post(self, request: Request, code: str) -> Response:
        """Begin the game with those who sit there. Only the host may."""
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_unless_host(access)
        sent(request, serializers.Nothing)
        opening.start(table=table, access=access)
        return Response({"version": table.version})


class Export(ApiView):
    @describe(serializers.Document, "unknown", "hidden", "too-many", operation_id="export_table")
    def get(self, request: Request, code: str) -> Response:
        """The whole game as one document, without tokens."""
        table = table_of(request, code)
        return Response(documents.write_document(table))

"""Views of a game in progress: state, prompts, actions, undo and redo, mending, journal, standings."""

from __future__ import annotations

import re
from collections.abc import Callable

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from companion.access.table_access import refuse_stranger
from companion.api import payloads, serializers
from companion.api.access import access_of, reader_of, table_of
from companion.api.schema import describe
from companion.api.views import ApiView, validated_body
from companion.errors import Refusal, unknown_table
from companion.journal import mending, submit
from companion.journal.states import game_of
from companion.models import Table

_NUMBER = re.compile(r"-?[0-9]+")
_LONGEST = 18  # digits that fit the database's integers


class State(ApiView):
    @describe(
        serializers.State,
        *("bad-input", "unknown", "too-many"),
        access="adds",
        operation_id="state",
        parameters=[
            OpenApiParameter(
                "at",
                int,
                description="The entry after which to show the state, undone or not; 0 is the start.",
            )
        ],
    )
    def get(self, request: Request, code: str) -> Response:
        """The position of all pieces, now or after any entry."""
        table = table_of(request, code)
        number = _entry_number(table, request.query_params.get("at"))
        return Response(payloads.state(table, number, reader_of(request, table)))


def _entry_number(table: Table, at: str | None) -> int:
    """Return the number of the requested entry. Raises `Refusal`."""
    if at is None:
        return table.head
    if not _NUMBER.fullmatch(at):
        raise Refusal("bad-input", _("“at” must be the number of an entry."))
    number = int(at) if len(at) <= _LONGEST else -1
    if number and (number < 0 or not table.entries.filter(number=number).exists()):
        raise Refusal("unknown", _("There is no such entry."))
    return number


class Prompts(ApiView):
    @describe(serializers.Prompt(many=True), "unknown", "too-many", access="adds", operation_id="prompts")
    def get(self, request: Request, code: str) -> Response:
        """The actions that each faction may enter now. Every `example` is a valid action."""
        table = table_of(request, code)
        return Response(payloads.prompts(table, reader_of(request, table)))


ENTERING_ERRORS = ("bad-input", "illegal", "no-token", "foreign-token", "unknown", "too-large", "too-many")


class Actions(ApiView):
    @describe(
        serializers.Accepted,
        *ENTERING_ERRORS,
        *("gone", "key"),
        sends=serializers.Entering,
        status=201,
        access="needed",
        operation_id="act",
    )
    def post(self, request: Request, code: str) -> Response:
        """Enter an action. Repeating a request with the same key returns the first response."""
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_stranger(access)
        body = validated_body(request, serializers.Entering)
        accepted = submit.submit(table=table, access=access, **body)
        entry = table.entries.filter(number=accepted.number).first()
        if entry is None:  # the host deleted the table meanwhile
            raise unknown_table()
        steps = payloads.steps(game_of(table), entry.steps)
        return Response({"version": accepted.version, "number": accepted.number, "steps": steps}, status=201)


class Preview(ApiView):
    @describe(
        serializers.Preview,
        *ENTERING_ERRORS,
        sends=serializers.Entering,
        access="needed",
        operation_id="preview",
    )
    def post(self, request: Request, code: str) -> Response:
        """The outcome of an action without entering it. A `key` is ignored."""
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_stranger(access)
        body = validated_body(request, serializers.Entering)
        outcome = submit.preview(table=table, access=access, faction=body["faction"], action=body["action"])
        game = game_of(table)
        return Response(
            {
                "steps": [payloads.step(game, step) for step in outcome.steps],
                "standings": payloads.standings_of(game, outcome.state),
            }
        )


CHANGING_ERRORS = (*ENTERING_ERRORS, "nothing", "gone", "key")


class Undo(ApiView):
    @describe(
        serializers.Moved, *CHANGING_ERRORS, sends=serializers.Naming, access="needed", operation_id="undo"
    )
    def post(self, request: Request, code: str) -> Response:
        """Undo the latest active entry; if `number` is given, only if it is that entry."""
        return _move(request, code, submit.undo)


class Redo(ApiView):
    @describe(
        serializers.Moved, *CHANGING_ERRORS, sends=serializers.Naming, access="needed", operation_id="redo"
    )
    def post(self, request: Request, code: str) -> Response:
        """Redo the entry that was undone last; if `number` is given, only if it is that entry."""
        return _move(request, code, submit.redo)


def _move(request: Request, code: str, service: Callable[..., submit.Accepted]) -> Response:
    table = table_of(request, code)
    access = access_of(request, table)
    refuse_stranger(access)
    body = validated_body(request, serializers.Naming)
    accepted = service(table=table, access=access, **body)
    return Response({"version": accepted.version, "number": accepted.number})


class PreviewMend(ApiView):
    @describe(
        serializers.Planned,
        *ENTERING_ERRORS,
        *("nothing", "gone"),
        sends=serializers.MendPlan,
        access="needed",
        operation_id="preview_mend",
    )
    def post(self, request: Request, code: str) -> Response:
        """The effects of changing or removing an earlier entry, without doing so."""
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_stranger(access)
        body = validated_body(request, serializers.MendPlan)
        return Response(payloads.planned(table, mending.plan(table=table, access=access, **body)))


class Mend(ApiView):
    @describe(
        serializers.Mended, *CHANGING_ERRORS, sends=serializers.Mending, access="needed", operation_id="mend"
    )
    def post(self, request: Request, code: str) -> Response:
        """Change or remove an earlier entry and replay the later ones, as the preview showed.

        Rulings in the action override results of the entry.
        """
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_stranger(access)
        body = validated_body(request, serializers.Mending)
        mended = mending.mend(table=table, access=access, **body)
        return Response({"version": mended.version, "number": mended.number, "dropped": mended.dropped})


class Journal(ApiView):
    @describe(serializers.Entry(many=True), "unknown", "too-many", access="adds", operation_id="journal")
    def get(self, request: Request, code: str) -> Response:
        """All entries, including undone ones. Of entries that are still secret only the type is shown."""
        table = table_of(request, code)
        return Response(payloads.journal(table, reader_of(request, table)))


class Standings(ApiView):
    @describe(serializers.Standing(many=True), "unknown", "too-many", operation_id="standings")
    def get(self, request: Request, code: str) -> Response:
        """All factions' points at the end of each round and now."""
        return Response(payloads.standings(table_of(request, code)))

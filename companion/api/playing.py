"""Playing: what lies where, who may enter what, entering it, taking it back, what has happened."""

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
from companion.api.views import ApiView, sent
from companion.errors import Refusal, unknown_table
from companion.journal import mending, submit
from companion.journal.states import game_of
from companion.models import Table

_NUMBER = re.compile(r"-?[0-9]+")
_LONGEST = 18  # digits of a number the database can look for


class State(ApiView):
    @describe(
        serializers.State,
        *("bad-input", "unknown", "too-many"),
        access="adds",
        operation_id="state",
        parameters=[
            OpenApiParameter("at", int, description="After this entry, undone or not; 0: at the start.")
        ],
    )
    def get(self, request: Request, code: str) -> Response:
        """What lies where, now or after any entry."""
        table = table_of(request, code)
        number = _moment(table, request.query_params.get("at"))
        return Response(payloads.state(table, number, reader_of(request, table)))


def _moment(table: Table, at: str | None) -> int:
    """The number of the entry that is asked for."""
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
        """Who may enter what now. Every `example` would be accepted."""
        table = table_of(request, code)
        return Response(payloads.prompts(table, reader_of(request, table)))


ENTERING = ("bad-input", "illegal", "no-token", "foreign-token", "unknown", "too-large", "too-many")


class Actions(ApiView):
    @describe(
        serializers.Accepted,
        *ENTERING,
        *("gone", "key"),
        sends=serializers.Entering,
        status=201,
        access="needed",
        operation_id="act",
    )
    def post(self, request: Request, code: str) -> Response:
        """Enter an action. Sent again with the same key it gets the first answer."""
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_stranger(access)
        asked = sent(request, serializers.Entering)
        accepted = submit.submit(table=table, access=access, **asked)
        entry = table.entries.filter(number=accepted.number).first()
        if entry is None:  # the host was faster, and the table is gone
            raise unknown_table()
        steps = payloads.steps(game_of(table), entry.steps)
        return Response({"version": accepted.version, "number": accepted.number, "steps": steps}, status=201)


class Preview(ApiView):
    @describe(
        serializers.Preview, *ENTERING, sends=serializers.Entering, access="needed", operation_id="preview"
    )
    def post(self, request: Request, code: str) -> Response:
        """What an action would lead to. Nothing is kept; a key means nothing here."""
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_stranger(access)
        asked = sent(request, serializers.Entering)
        outcome = submit.preview(table=table, access=access, faction=asked["faction"], action=asked["action"])
        game = game_of(table)
        return Response(
            {
                "steps": [payloads.step(game, step) for step in outcome.steps],
                "standings": payloads.standings_of(game, outcome.state),
            }
        )


TAKING_BACK = (*ENTERING, "nothing", "gone", "key")


class Undo(ApiView):
    @describe(serializers.Moved, *TAKING_BACK, sends=serializers.Naming, access="needed", operation_id="undo")
    def post(self, request: Request, code: str) -> Response:
        """Take back the newest entry that counts, if it is the one that is named."""
        return _move(request, code, submit.undo)


class Redo(ApiView):
    @describe(serializers.Moved, *TAKING_BACK, sends=serializers.Naming, access="needed", operation_id="redo")
    def post(self, request: Request, code: str) -> Response:
        """Bring back the entry that was undone last, if it is the one that is named."""
        return _move(request, code, submit.redo)


def _move(request: Request, code: str, service: Callable[..., submit.Accepted]) -> Response:
    table = table_of(request, code)
    access = access_of(request, table)
    refuse_stranger(access)
    asked = sent(request, serializers.Naming)
    accepted = service(table=table, access=access, **asked)
    return Response({"version": accepted.version, "number": accepted.number})


class PreviewMend(ApiView):
    @describe(
        serializers.Planned,
        *ENTERING,
        *("nothing", "gone"),
        sends=serializers.MendPlan,
        access="needed",
        operation_id="preview_mend",
    )
    def post(self, request: Request, code: str) -> Response:
        """What becomes of the game if an earlier entry had been another one, or none. Nothing is kept."""
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_stranger(access)
        asked = sent(request, serializers.MendPlan)
        return Response(payloads.planned(table, mending.plan(table=table, access=access, **asked)))


class Mend(ApiView):
    @describe(
        serializers.Mended, *TAKING_BACK, sends=serializers.Mending, access="needed", operation_id="mend"
    )
    def post(self, request: Request, code: str) -> Response:
        """Change an earlier entry, or leave it out, and play the rest again, as the preview showed it.

        Rulings in the action overrule results of the entry.
        """
        table = table_of(request, code)
        access = access_of(request, table)
        refuse_stranger(access)
        asked = sent(request, serializers.Mending)
        mended = mending.mend(table=table, access=access, **asked)
        return Response({"version": mended.version, "number": mended.number, "dropped": mended.dropped})


class Journal(ApiView):
    @describe(serializers.Entry(many=True), "unknown", "too-many", access="adds", operation_id="journal")
    def get(self, request: Request, code: str) -> Response:
        """Every entry, those that are undone too. What others must not know yet tells only its type."""
        table = table_of(request, code)
        return Response(payloads.journal(table, reader_of(request, table)))


class Standings(ApiView):
    @describe(serializers.Standing(many=True), "unknown", "too-many", operation_id="standings")
    def get(self, request: Request, code: str) -> Response:
        """Everybody's points at the end of each round, and now."""
        return Response(payloads.standings(table_of(request, code)))

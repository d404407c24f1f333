"""Every error of the API as ``{"code", "message", "rule"}``, whoever raises it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views import defaults
from rest_framework.exceptions import APIException, MethodNotAllowed, ValidationError
from rest_framework.response import Response

from companion.errors import Refusal, unavailable
from companion.web import messages
from games.core.wording import RULES

# What the REST framework may raise by itself, as the contract calls it. Where the contract has no
# such status, a request that makes no sense is bad input.
CODES = {
    400: "bad-input",
    401: "no-token",
    403: "foreign-token",
    404: "unknown",
    406: "bad-input",
    413: "too-large",
    415: "bad-input",
    429: "too-many",
}
HEADERS = {
    "no-token": {"WWW-Authenticate": "Seat"},
    "too-many": {"Retry-After": "1"},
    "unavailable": {"Retry-After": "5"},
}


def handler(error: Exception, context: Mapping[str, Any]) -> Response | None:  # noqa: ARG001 - as the framework calls it
    """The answer to an error; None for what nobody foresaw, which is then logged and answered with 500."""
    if isinstance(error, MethodNotAllowed):
        # It keeps its status: the header `Allow` belongs to it.
        return Response(data(Refusal("bad-input", str(error.detail))), status=error.status_code)
    found = refusal_of(error)
    if found is None:
        return None
    return Response(data(found), status=found.status, headers=HEADERS.get(found.code))


def refusal_of(error: Exception) -> Refusal | None:
    """An error as a table would say it."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, APIException):
        return _of_the_framework(error)
    if isinstance(error, Http404):
        return nothing_here()
    if isinstance(error, SuspiciousOperation):
        return too_large() if isinstance(error, RequestDataTooBig) else not_well_formed()
    return None


def _of_the_framework(error: APIException) -> Refusal | None:
    if isinstance(error, ValidationError):
        return Refusal("bad-input", _sentence(error.detail))
    code = CODES.get(error.status_code)
    return Refusal(code, str(error.detail)) if code else None


def data(refusal: Refusal) -> dict[str, str | None]:
    return {"code": refusal.code, "message": refusal.message, "rule": section(refusal.rule)}


def section(rule: str | None) -> str | None:
    """Only sections of a rulebook are rules to those outside; the core's own headings are not."""
    return None if rule in RULES else rule


def answer(refusal: Refusal) -> JsonResponse:
    """For views that are not the framework's."""
    return JsonResponse(data(refusal), status=refusal.status, headers=HEADERS.get(refusal.code))


def method_not_allowed(allowed: Sequence[str]) -> JsonResponse:
    """The same for a method."""
    refusal = Refusal("bad-input", _("Only %(methods)s is possible here.") % {"methods": ", ".join(allowed)})
    return JsonResponse(data(refusal), status=405, headers={"Allow": ", ".join(allowed)})


def nothing_here() -> Refusal:
    return Refusal("unknown", _("There is nothing at this address."))


def not_well_formed() -> Refusal:
    return Refusal("bad-input", _("The request is not well formed."))


def too_large() -> Refusal:
    return Refusal("too-large", _("That is too large."))


# For the whole site: what goes wrong before a view is found, or without anybody having foreseen it.


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    if _is_of_api(request):
        return answer(refusal_of(exception) or not_well_formed())
    return defaults.bad_request(request, exception)


def database_away(request: HttpRequest) -> HttpResponseBase:
    refusal = unavailable()
    if _is_of_api(request):
        return answer(refusal)
    return messages.message_page(request, refusal.message, refusal.status)


def server_error(request: HttpRequest) -> HttpResponseBase:
    if not _is_of_api(request):
        return messages.server_error(request)
    sentence = _("Something went wrong on our side. Nothing was changed.")
    return JsonResponse({"code": "failed", "message": sentence, "rule": None}, status=500)


def _is_of_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def _sentence(detail: Any, path: str = "") -> str:
    """The first thing that is wrong, with the field it is about."""
    if isinstance(detail, Mapping):
        name, inner = next(iter(detail.items()))
        if name == "non_field_errors":
            return _sentence(inner, path)
        if isinstance(name, int):
            return _sentence(inner, f"{path}[{name}]")
        return _sentence(inner, f"{path}.{name}" if path else str(name))
    if isinstance(detail, Sequence) and not isinstance(detail, str):
        index, inner = next((i, item) for i, item in enumerate(detail) if item)
        return _sentence(inner, path if isinstance(inner, str) else f"{path}[{index}]")
    return _("“%(field)s”: %(why)s") % {"field": path, "why": detail} if path else str(detail)

"""Error responses of the API: always `{"code", "message", "rule"}`."""

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

# Error codes for exceptions that REST framework raises itself. A status that the API does not define is
# reported as bad input.
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


def handler(error: Exception, context: Mapping[str, Any]) -> Response | None:  # noqa: ARG001
    """Return the response for an exception; None for an unexpected one, which is logged as error 500."""
    if isinstance(error, MethodNotAllowed):
        # Keep status 405, which the `Allow` header belongs to.
        return Response(data(Refusal("bad-input", str(error.detail))), status=error.status_code)
    refusal = refusal_of(error)
    if refusal is None:
        return None
    return Response(data(refusal), status=refusal.status, headers=HEADERS.get(refusal.code))


def refusal_of(error: Exception) -> Refusal | None:
    """Return the `Refusal` for an expected exception; None for an unexpected one."""
    if isinstance(error, Refusal):
        return error
    if isinstance(error, APIException):
        return _framework_refusal(error)
    if isinstance(error, Http404):
        return not_found()
    if isinstance(error, SuspiciousOperation):
        return too_large() if isinstance(error, RequestDataTooBig) else malformed_request()
    return None


def _framework_refusal(error: APIException) -> Refusal | None:
    if isinstance(error, ValidationError):
        return Refusal("bad-input", _sentence(error.detail))
    code = CODES.get(error.status_code)
    return Refusal(code, str(error.detail)) if code else None


def data(refusal: Refusal) -> dict[str, str | None]:
    return {"code": refusal.code, "message": refusal.message, "rule": section(refusal.rule)}


def section(rule: str | None) -> str | None:
    """Return the rulebook section to show; None for the core's own headings, which are not in a rulebook."""
    return None if rule in RULES else rule


def error_response(refusal: Refusal) -> JsonResponse:
    """Return the error response for a plain Django view."""
    return JsonResponse(data(refusal), status=refusal.status, headers=HEADERS.get(refusal.code))


def method_not_allowed(allowed: Sequence[str]) -> JsonResponse:
    """Return the response 405 for a plain Django view."""
    refusal = Refusal("bad-input", _("Only %(methods)s is possible here.") % {"methods": ", ".join(allowed)})
    return JsonResponse(data(refusal), status=405, headers={"Allow": ", ".join(allowed)})


def not_found() -> Refusal:
    return Refusal("unknown", _("There is nothing at this address."))


def malformed_request() -> Refusal:
    return Refusal("bad-input", _("The request is not well formed."))


def too_large() -> Refusal:
    return Refusal("too-large", _("That is too large."))


# Error handlers of the whole site, for failures before a view is found and for unexpected exceptions.


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponseBase:
    if _is_api(request):
        return error_response(refusal_of(exception) or malformed_request())
    return defaults.bad_request(request, exception)


def database_unavailable(request: HttpRequest) -> HttpResponseBase:
    refusal = unavailable()
    if _is_api(request):
        return error_response(refusal)
    return messages.message_page(request, refusal.message, refusal.status)


def server_error(request: HttpRequest) -> HttpResponseBase:
    if not _is_api(request):
        return messages.server_error(request)
    sentence = _("Something went wrong on our side. Nothing was changed.")
    return JsonResponse({"code": "failed", "message": sentence, "rule": None}, status=500)


def _is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def _sentence(detail: Any, path: str = "") -> str:
    """Return the first validation error with the path of its field."""
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

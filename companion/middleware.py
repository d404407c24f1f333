"""Middleware: compression, CSP header order, Host validation, error pages."""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.core.exceptions import DisallowedHost
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin

from companion.api.errors import database_unavailable
from companion.errors import Refusal
from companion.web.messages import message_page


class CompressPages(GZipMiddleware):
    """Compress pages but not streams: a compressor would buffer events."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming:
            return response
        return super().process_response(request, response)


class SortedPolicy(CSPMiddleware):
    """Sort the CSP directives: django-csp takes them from a set, so their order differs between processes."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response = super().process_response(request, response)
        if HEADER in response:
            response[HEADER] = "; ".join(sorted(response[HEADER].split("; ")))
        return response


class RejectInvalidPort(MiddlewareMixin):
    """Reject a Host header with a port above 65535. Django checks only that the port is a number."""

    def process_request(self, request: HttpRequest) -> None:
        host = request.get_host()
        try:
            _port = urlsplit(f"//{host}").port
        except ValueError:
            raise DisallowedHost(f"Invalid port in the Host header: {host[:100]!r}") from None


class RenderRefusals(MiddlewareMixin):
    """Render unhandled refusals and database failures as error pages."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        if isinstance(exception, OperationalError | InterfaceError):
            logging.getLogger(__name__).error("The database failed", exc_info=exception)
            return database_unavailable(request)
        if isinstance(exception, Refusal):
            return message_page(request, exception.message, exception.status)
        return None

"""Middleware of our own."""

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

from companion.api.errors import database_away
from companion.errors import Refusal
from companion.web.messages import message_page


class CompressPages(GZipMiddleware):
    """Compresses pages, never streams: an event must not wait in a buffer."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming:
            return response
        return super().process_response(request, response)


class SortedPolicy(CSPMiddleware):
    """The same policy to the letter from every process: the package takes the directives out of a set."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        response = super().process_response(request, response)
        if HEADER in response:
            response[HEADER] = "; ".join(sorted(response[HEADER].split("; ")))
        return response


class RefuseHost(MiddlewareMixin):
    """Refuses a Host header with a port that cannot exist. Django checks only that it is a number."""

    def process_request(self, request: HttpRequest) -> None:
        host = request.get_host()
        try:
            _port = urlsplit(f"//{host}").port
        except ValueError:
            raise DisallowedHost(f"Invalid port in the Host header: {host[:100]!r}") from None


class TellRefusals(MiddlewareMixin):
    """Render refusals that no view handled, and failures of the database, as pages."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        if isinstance(exception, OperationalError | InterfaceError):
            logging.getLogger(__name__).error("The database failed", exc_info=exception)
            return database_away(request)
        if isinstance(exception, Refusal):
            return message_page(request, exception.message, exception.status)
        return None

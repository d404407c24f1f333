"""Middleware of our own."""

from __future__ import annotations

import logging

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin

from companion.api.errors import database_away
from companion.errors import Refusal
from companion.views.pages import message_page


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


class TellRefusals(MiddlewareMixin):
    """Shows the sentence of a refusal that no page has a better place for, and that of a database that is away.

    It is the innermost, and not for coroutines: so all around it run in one thread, where otherwise each would pass
    the request to another thread and back.
    """

    async_capable = False

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        if isinstance(exception, OperationalError | InterfaceError):
            logging.getLogger(__name__).error("The database failed", exc_info=exception)
            return database_away(request)
        if isinstance(exception, Refusal):
            return message_page(request, exception.message, exception.status)
        return None

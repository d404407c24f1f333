"""Middleware of our own."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.deprecation import MiddlewareMixin

from companion.errors import Refusal
from companion.views.pages import message_page


class CompressPages(GZipMiddleware):
    """Compresses pages, never streams: an event must not wait in a buffer."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if response.streaming:
            return response
        return super().process_response(request, response)


class TellRefusals(MiddlewareMixin):
    """Shows the sentence of a refusal that no page has a better place for."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        if isinstance(exception, Refusal):
            return message_page(request, exception.message, exception.status)
        return None

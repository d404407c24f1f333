"""Base class of the API's views, and the views that belong to no table."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import resolve, reverse
from django.views.decorators.csrf import csrf_exempt
from drf_spectacular.renderers import OpenApiJsonRenderer2, OpenApiYamlRenderer, OpenApiYamlRenderer2
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from companion.api import payloads, serializers
from companion.api.bodies import read_object
from companion.api.errors import method_not_allowed, not_found
from companion.api.schema import describe
from companion.registry import games

READING = ("GET", "HEAD")


class JsonOnly(BaseContentNegotiation):
    """Content negotiation that ignores the `Accept` header: every response is JSON."""

    def select_parser(self, request: Any, parsers: Any) -> Any:  # noqa: ARG002 - the framework's signature
        return parsers[0]

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:  # noqa: ARG002
        return renderers[0], renderers[0].media_type


class ApiView(APIView):
    """Base view. Responses are never cached: they change at any time, and some contain tokens."""

    content_negotiation_class = JsonOnly
    http_method_names = ["get", "head", "post"]  # noqa: RUF012 - attribute defined by Django

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        finished = super().finalize_response(request, response, *args, **kwargs)
        finished.headers.setdefault("Cache-Control", "no-store")
        return finished


def validated_body(request: Request, serializer_class: type[serializers.StrictSerializer]) -> Any:
    """Return the request's body, validated by a serializer. Raises `Refusal` or `ValidationError`."""
    serializer = serializer_class(data=read_object(request))
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


class Root(ApiView):
    """URLs of the API."""

    @describe(serializers.Root, operation_id="root")
    def get(self, request: Request) -> Response:  # noqa: ARG002 - the framework's signature
        table = reverse("api-table", args=["CODE"]).replace("CODE", "{code}")
        parts = ("seats", "start", "state", "prompts", "actions", "preview", "undo", "redo", "mend")
        more = ("journal", "standings", "export", "events")
        return Response(
            {
                "games": reverse("api-games"),
                "boards": reverse("api-boards", args=["GAME"]).replace("GAME", "{game}"),
                "tables": reverse("api-tables"),
                "import": reverse("api-import"),
                "table": table,
                **{part: f"{table}{part}/" for part in (*parts, *more)},
                "stats": reverse("api-stats", args=["GAME"]).replace("GAME", "{game}"),
                "circles": reverse("api-circles"),
                "circle": reverse("api-circle", args=["KEY"]).replace("KEY", "{key}"),
                "schema": reverse("api-schema"),
                "docs": reverse("api-docs"),
            }
        )


class Games(ApiView):
    """The available games."""

    @describe(serializers.Game(many=True), operation_id="games")
    def get(self, request: Request) -> Response:  # noqa: ARG002
        return Response([payloads.game(game) for game in games().values()])


class Schema(SpectacularAPIView):
    """The OpenAPI schema as JSON, or as YAML if the client asks for it."""

    renderer_classes = [OpenApiJsonRenderer2, OpenApiYamlRenderer, OpenApiYamlRenderer2]  # noqa: RUF012

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # noqa: ARG002
        generator = self.generator_class(urlconf=self.urlconf)
        return Response(generator.get_schema(request=request, public=self.serve_public))  # type: ignore[no-untyped-call]


@csrf_exempt
def docs(request: HttpRequest) -> HttpResponse:
    """Interactive documentation of the schema."""
    if request.method not in READING:
        return method_not_allowed(READING)
    return render(request, "api/docs.html")


class NotFound(ApiView):
    """Fallback for every other URL below `/api/`, with any method."""

    def http_method_not_allowed(self, request: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ARG002
        redirect = self._with_slash(request)
        if redirect is None:
            raise not_found()
        return redirect

    def _with_slash(self, request: Request) -> HttpResponseBase | None:
        """Return a redirect if only the final slash is missing; it preserves method and body."""
        if request.path.endswith("/"):
            return None
        path = f"{request.path}/"
        if getattr(resolve(path).func, "cls", None) is NotFound:
            return None
        query = request.META.get("QUERY_STRING", "")
        return HttpResponsePermanentRedirect(f"{path}?{query}" if query else path, preserve_request=True)

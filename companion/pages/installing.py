"""Progressive web app: manifest, service worker and offline page."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

DARK = "#15120e"  # same colour as in the style sheet
SIZES = (192, 512)


@require_GET
def manifest(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    icons: list[dict[str, Any]] = [
        {"src": static(f"icons/seneschal-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in SIZES
    ]
    icons.append({**icons[-1], "src": static("icons/seneschal-maskable.png"), "purpose": "maskable"})
    data = {
        "id": "/",
        "name": "Seneschal",
        "short_name": "Seneschal",
        "description": _("The steward of a real table: scores, rulings and the next move, on every phone."),
        "lang": get_language(),
        "start_url": reverse("home"),
        "scope": "/",
        "display": "standalone",
        "background_color": DARK,
        "theme_color": DARK,
        "icons": icons,
    }
    return JsonResponse(data, content_type="application/manifest+json")


@require_GET
def worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker from the root, because its scope is limited to the paths below its own."""
    context = {
        "version": _version(),
        "offline": reverse("offline"),
        "static": settings.STATIC_URL,
        "hashed": "true" if settings.STATIC_MANIFEST else "false",
    }
    response = render(request, "phone/worker.js", context, content_type="text/javascript")
    response["Cache-Control"] = "no-cache"
    return response


@require_GET
def offline(request: HttpRequest) -> HttpResponse:
    return render(request, "phone/offline.html")


@cache
def _version() -> str:
    """Return a hash of all static file names, so that a change of any file renews the worker's cache."""
    names = getattr(staticfiles_storage, "hashed_files", {})
    return hashlib.sha256(repr(sorted(names.items())).encode()).hexdigest()[:12]

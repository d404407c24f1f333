"""One-off resolvers that need no table: a form that answers as you tap."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from companion import wording
from companion.access import rate_limits
from companion.calculators.answers import answer_lines
from companion.calculators.forms import body_of, completed, named_fields, widgets
from companion.errors import Refusal
from companion.web.entries import shown_step
from companion.web.phone import address_of
from games.core.calculators import Calculator, Calculators
from games.core.errors import Refused
from games.core.messages import Json
from games.registry import CALCULATORS

LONGEST_FIELD = 200  # characters; the page shows again what was filled in


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    games = [(game, [(c, _title(game, c)) for c in game.calculators]) for game in CALCULATORS.values()]
    return render(request, "calculators/index.html", {"games": games})


@require_http_methods(["GET", "POST"])
def calculator(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """The form with its answer; htmx gets the same and morphs it in.

    Scripts keep the address up with what is filled in, so that a reload, or whoever is sent the link, finds it again.
    """
    game = CALCULATORS.get(slug)
    if game is None or name not in game.by_name:
        raise Http404
    rate_limits.CALCULATE.take(address_of(request))
    found = game.by_name[name]
    if request.method == "POST" or request.GET:
        body = body_of(found.inputs, _fields(request))
    else:
        body = completed(found.inputs, found.example)
    context = {
        "game": game,
        "calculator": found,
        "title": _title(game, found),
        "widgets": widgets(game, found.inputs, body, within=(found.name,)),
    }
    template = "calculators/form.html" if request.htmx else "calculators/calculator.html"  # type: ignore[attr-defined]
    return render(request, template, {**context, **_answer(game, found, body)})


def _fields(request: HttpRequest) -> dict[str, str]:
    """Return what was filled in. Raises ``Refusal`` if a text is longer than any field needs."""
    fields = (request.POST or request.GET).dict()
    if any(len(value) > LONGEST_FIELD for value in fields.values()):
        raise Refusal("too-large", _("This is too long."))
    return fields


def _title(game: Calculators, found: Calculator) -> str:
    return wording.label(game, f"calculator.{found.name}", found.name)


def _answer(game: Calculators, found: Calculator, body: Json) -> dict[str, object]:
    try:
        answer = found.calculate(body)
    except Refused as refused:
        return {"error": wording.refusal(game, named_fields(game, found, refused))}
    return {
        "answer": answer_lines(game, answer.data, found.chances),
        "steps": [shown_step(game, step) for step in answer.steps],
    }

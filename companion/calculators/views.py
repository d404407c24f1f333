"""Pages of the calculators: a form and its answer, which htmx updates on every change."""

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
from companion.registry import titles
from companion.web.entries import shown_step
from companion.web.phone import address_of
from games.core.calculators import Calculator, Calculators
from games.core.errors import Refused
from games.core.messages import Json

LONGEST_FIELD = 200  # characters; the page echoes what was filled in


@require_GET
def index(request: HttpRequest) -> HttpResponse:
    every_game = [title.calculators for title in titles().values()]
    games = [(game, [(c, _title(game, c)) for c in game.calculators]) for game in every_game]
    return render(request, "calculators/index.html", {"games": games})


@require_http_methods(["GET", "POST"])
def calculator(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Show the form with its answer; htmx requests get the form part only.

    A script keeps the query string in step with the form, so reloads and shared links show the same input.
    """
    if slug not in titles() or name not in titles()[slug].calculators.by_name:
        raise Http404
    game = titles()[slug].calculators
    rate_limits.CALCULATE.take(address_of(request))
    chosen = game.by_name[name]
    if request.method == "POST" or request.GET:
        body = body_of(chosen.inputs, _fields(request))
    else:
        body = completed(chosen.inputs, chosen.example)
    context = {
        "game": game,
        "calculator": chosen,
        "title": _title(game, chosen),
        "widgets": widgets(game, chosen.inputs, body, within=(chosen.name,)),
    }
    template = "calculators/form.html" if request.htmx else "calculators/calculator.html"  # type: ignore[attr-defined]
    return render(request, template, {**context, **_answer(game, chosen, body)})


def _fields(request: HttpRequest) -> dict[str, str]:
    """Return the submitted fields. Raise `Refusal` if one is longer than any input needs."""
    fields = (request.POST or request.GET).dict()
    if any(len(value) > LONGEST_FIELD for value in fields.values()):
        raise Refusal("too-large", _("This is too long."))
    return fields


def _title(game: Calculators, calculator: Calculator) -> str:
    return wording.label(game, f"calculator.{calculator.name}", calculator.name)


def _answer(game: Calculators, calculator: Calculator, body: Json) -> dict[str, object]:
    try:
        answer = calculator.calculate(body)
    except Refused as refused:
        return {"error": wording.refusal(game, named_fields(game, calculator, refused))}
    return {
        "answer": answer_lines(game, answer.data, calculator.chances),
        "steps": [shown_step(game, step) for step in answer.steps],
    }

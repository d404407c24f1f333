"""Pages of the calculators: complete, without codes in the text, and answering form posts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.core.calculators import Calculator, Calculators
from tests.calculators.filling import ALL, IDS, Page, fields_of

EACH = pytest.mark.parametrize(("game", "calculator"), ALL, ids=IDS)
Calc = Calculator[Any]
# Message codes and slugs that must not be visible.
CODE = re.compile(r"\b(input|answer|calculator|option|core)\.|[a-z]_[a-z]|\bwater-beggars\b")
BRACES = re.compile(r"[{}\[\]]|None\b|True\b|False\b")


def address(game: Calculators, calculator: Calc) -> str:
    return f"/calculators/{game.slug}/{calculator.name}/"


def read(answer: Any) -> Page:
    assert answer.status_code == 200
    return Page(answer.content.decode())


def filled_in(page: Page) -> dict[str, str]:
    """Return the fields of the calculator, without those of the page."""
    others = ("csrfmiddlewaretoken", "next")
    return {name: value for name, value in page.fields.items() if name not in others}


def check_words(page: Page) -> None:
    for words in page.words:
        assert not CODE.search(words), words
        assert not BRACES.search(words), words


def test_index_lists_every_calculator(client: Client) -> None:
    page = client.get("/calculators/").content.decode()
    for game, calculator in ALL:
        assert f'href="{address(game, calculator)}"' in page
    assert page.count('href="/calculators/') == 27
    check_words(Page(page))


@pytest.mark.parametrize("path", ["revolution/mate", "chess/mate", "raubritter/battle"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_unknown_calculator_returns_404(client: Client, method: str, path: str) -> None:
    assert getattr(client, method)(f"/calculators/{path}/").status_code == 404


@EACH
def test_page_is_prefilled_with_the_example_and_answered(
    client: Client, game: Calculators, calculator: Calc
) -> None:
    page = read(client.get(address(game, calculator)))
    assert filled_in(page) == fields_of(game, calculator, calculator.example)
    check_words(page)
    assert "Why" in page.words


@EACH
def test_submitting_the_unchanged_form_changes_nothing(
    client: Client, game: Calculators, calculator: Calc
) -> None:
    before = read(client.get(address(game, calculator)))
    after = read(client.post(address(game, calculator), before.fields))
    assert after.words == before.words
    assert after.buttons == before.buttons


@EACH
def test_url_with_fields_restores_the_form(client: Client, game: Calculators, calculator: Calc) -> None:
    """The phone keeps the fields in the page's URL after every button."""
    page = read(client.get(address(game, calculator)))
    for name, value in page.buttons:
        after = read(client.post(address(game, calculator), {**page.fields, name: value}))
        again = read(client.get(address(game, calculator), filled_in(after)))
        assert filled_in(again) == filled_in(after)
        assert again.words == after.words


def test_invalid_url_parameters_show_a_message(client: Client) -> None:
    page = read(client.get("/calculators/revolution/conflict/", {"limit": "x", "counters.nobody": "\x00"}))
    check_words(page)
    assert "Why" not in page.words


@EACH
def test_every_button_works(client: Client, game: Calculators, calculator: Calc) -> None:
    page = read(client.get(address(game, calculator)))
    for name, value in page.buttons:
        check_words(read(client.post(address(game, calculator), {**page.fields, name: value})))


@EACH
def test_empty_field_shows_a_message(client: Client, game: Calculators, calculator: Calc) -> None:
    page = read(client.get(address(game, calculator)))
    numbers = [name for name, value in page.fields.items() if re.fullmatch(r"-?[\d.]+", value)]
    numbers = [name for name in numbers if not name.startswith("options.")]
    for name in numbers[:1] + numbers[-1:]:
        after = read(client.post(address(game, calculator), {**page.fields, name: ""}))
        check_words(after)
        assert "Why" not in after.words


def test_rejected_input_shows_reason_and_section(client: Client) -> None:
    sent = {"provinces.0": "1", "cities": "5", "rate": "3", "supply": "9"}
    page = read(client.post("/calculators/revolution/taxes/", sent))
    assert "Rate 3 needs 16 counters; you have 9 in supply." in page.words
    assert "§ 6.1" in page.words


def test_htmx_request_returns_only_the_form(client: Client) -> None:
    whole = client.get("/calculators/revolution/conflict/").content.decode()
    part = client.get("/calculators/revolution/conflict/", headers={"HX-Request": "true"}).content.decode()
    assert "<!doctype html>" in whole
    assert "<!doctype" not in part
    assert part.strip().startswith('<main id="calculator"')


@pytest.mark.parametrize("language", ["it", "hu"])
def test_number_fields_use_a_decimal_point_in_every_language(client: Client, language: str) -> None:
    """Browsers empty a number field whose value has a decimal comma."""
    page = read(client.get("/calculators/revolution/taxes/", headers={"Accept-Language": language}))
    assert page.fields["provinces.1"] == "0.5"


def test_probabilities_are_shown_in_per_cent(client: Client) -> None:
    page = read(client.get("/calculators/wallenstein/tower/"))
    shown = [words for words in page.words if words.endswith("%")]
    assert len(shown) == 3
    assert sum(int(words.split()[0]) for words in shown) in (99, 100, 101)

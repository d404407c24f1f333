"""The pages of the calculators: all there, in words, and answering what is sent."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.core.calculators import Calculator, Calculators
from tests.calculators.filling import ALL, IDS, Page, fields_of

EACH = pytest.mark.parametrize(("game", "calculator"), ALL, ids=IDS)
Calc = Calculator[Any]
# Codes and slugs: two words with an underscore or a full stop between them, or a hyphen where none belongs.
CODE = re.compile(r"\b(input|answer|calculator|option|core)\.|[a-z]_[a-z]|\bwater-beggars\b")
BRACES = re.compile(r"[{}\[\]]|None\b|True\b|False\b")


def address(game: Calculators, calculator: Calc) -> str:
    return f"/calculators/{game.slug}/{calculator.name}/"


def read(answer: Any) -> Page:
    assert answer.status_code == 200
    return Page(answer.content.decode())


def filled_in(page: Page) -> dict[str, str]:
    """The fields of the calculator alone."""
    others = ("csrfmiddlewaretoken", "next")
    return {name: value for name, value in page.fields.items() if name not in others}


def check_words(page: Page) -> None:
    for words in page.words:
        assert not CODE.search(words), words
        assert not BRACES.search(words), words


def test_the_index_lists_them_all(client: Client) -> None:
    page = client.get("/calculators/").content.decode()
    for game, calculator in ALL:
        assert f'href="{address(game, calculator)}"' in page
    assert page.count('href="/calculators/') == 27
    check_words(Page(page))


@pytest.mark.parametrize("path", ["revolution/mate", "chess/mate", "raubritter/battle"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_an_unknown_one_is_not_there(client: Client, method: str, path: str) -> None:
    assert getattr(client, method)(f"/calculators/{path}/").status_code == 404


@EACH
def test_a_page_is_prefilled_and_answered(client: Client, game: Calculators, calculator: Calc) -> None:
    page = read(client.get(address(game, calculator)))
    assert filled_in(page) == fields_of(game, calculator, calculator.example)
    check_words(page)
    assert "Why" in page.words


@EACH
def test_sending_the_form_as_it_is_changes_nothing(
    client: Client, game: Calculators, calculator: Calc
) -> None:
    before = read(client.get(address(game, calculator)))
    after = read(client.post(address(game, calculator), before.fields))
    assert after.words == before.words
    assert after.buttons == before.buttons


@EACH
def test_an_address_with_fields_brings_them_back(client: Client, game: Calculators, calculator: Calc) -> None:
    """What a phone keeps in the address of the page, after every button."""
    page = read(client.get(address(game, calculator)))
    for name, value in page.buttons:
        after = read(client.post(address(game, calculator), {**page.fields, name: value}))
        again = read(client.get(address(game, calculator), filled_in(after)))
        assert filled_in(again) == filled_in(after)
        assert again.words == after.words


def test_an_address_that_somebody_made_up_gets_a_sentence(client: Client) -> None:
    page = read(client.get("/calculators/revolution/conflict/", {"limit": "x", "counters.nobody": "\x00"}))
    check_words(page)
    assert "Why" not in page.words


@EACH
def test_every_button_answers(client: Client, game: Calculators, calculator: Calc) -> None:
    page = read(client.get(address(game, calculator)))
    for name, value in page.buttons:
        check_words(read(client.post(address(game, calculator), {**page.fields, name: value})))


@EACH
def test_an_empty_field_gets_a_sentence(client: Client, game: Calculators, calculator: Calc) -> None:
    page = read(client.get(address(game, calculator)))
    numbers = [name for name, value in page.fields.items() if re.fullmatch(r"-?[\d.]+", value)]
    numbers = [name for name in numbers if not name.startswith("options.")]
    for name in numbers[:1] + numbers[-1:]:
        after = read(client.post(address(game, calculator), {**page.fields, name: ""}))
        check_words(after)
        assert "Why" not in after.words


def test_what_is_refused_says_why(client: Client) -> None:
    sent = {"provinces.0": "1", "cities": "5", "rate": "3", "supply": "9"}
    page = read(client.post("/calculators/revolution/taxes/", sent))
    assert "Rate 3 needs 16 counters; you have 9 in supply." in page.words
    assert "§ 6.1" in page.words


def test_htmx_gets_the_form_alone(client: Client) -> None:
    whole = client.get("/calculators/revolution/conflict/").content.decode()
    part = client.get("/calculators/revolution/conflict/", headers={"HX-Request": "true"}).content.decode()
    assert "<!doctype html>" in whole
    assert "<!doctype" not in part
    assert part.strip().startswith('<main id="calculator"')


@pytest.mark.parametrize("language", ["it", "hu"])
def test_fields_are_numbers_in_every_language(client: Client, language: str) -> None:
    """A comma in the value of a number's field empties it."""
    page = read(client.get("/calculators/revolution/taxes/", headers={"Accept-Language": language}))
    assert page.fields["provinces.1"] == "0.5"


def test_chances_are_in_per_cent(client: Client) -> None:
    page = read(client.get("/calculators/wallenstein/tower/"))
    shown = [words for words in page.words if words.endswith("%")]
    assert len(shown) == 3
    assert sum(int(words.split()[0]) for words in shown) in (99, 100, 101)

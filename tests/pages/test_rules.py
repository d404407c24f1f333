"""Rule pages: the sheet of one rule, and the register."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from companion.registry import titles
from games.core import guide as core
from tests.pages.conftest import HTMX, Phone
from tests.statistics.journals import document

pytestmark = pytest.mark.django_db

EVERY_RULE = [(slug, rule) for slug in titles() for rule in (*titles()[slug].guide, *core.GUIDE)]


@pytest.mark.parametrize(("slug", "rule"), EVERY_RULE)
def test_every_rule_has_a_page(client: Client, slug: str, rule: str) -> None:
    sheet = client.get(f"/rules/{slug}/{rule}/", headers=HTMX)
    page = client.get(f"/rules/{slug}/{rule}/")

    assert sheet.context["rule"].title != rule
    assert "<html" not in sheet.content.decode()
    assert "<html" in page.content.decode()


def test_unknown_rules_and_games_return_404(client: Client) -> None:
    for address in ("/rules/raubritter/99.9/", "/rules/chess/", "/rules/chess/1/"):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize("slug", sorted(titles()))
def test_register_lists_every_reading_and_its_tests(client: Client, slug: str) -> None:
    shown = client.get(f"/rules/{slug}/").context["rules"]

    assert [rule.rule for rule in shown] == [*titles()[slug].guide, *core.GUIDE]
    readings = [reading for rule in shown for reading in rule.readings]
    assert len(readings) == sum(len(guide.readings) for guide in titles()[slug].guide.values())
    assert all(reading.question and reading.ruling and reading.held_by for reading in readings)


def test_prompt_links_to_its_rule_with_the_options_of_the_table(playing: Phone) -> None:
    page = playing.get().content.decode()
    assert f'class="rule" href="/rules/raubritter/5.1/?t={playing.code}"' in page

    rule, reading = next(
        (rule, reading)
        for rule, guide in titles()["raubritter"].guide.items()
        for reading in guide.readings
        if reading.option
    )
    here = playing.client.get(f"/rules/raubritter/{rule}/?t={playing.code}").context["rule"]
    elsewhere = playing.client.get(f"/rules/raubritter/{rule}/?t=NOSUCH").context["rule"]

    assert next(r.here for r in here.readings if r.question == reading.question)
    assert not any(r.here for r in elsewhere.readings)


def test_each_part_of_a_form_links_to_its_rule(client: Client) -> None:
    """A form that asks for tiles, dice and tasks cites a different rule for each."""
    whole = json.dumps(document("signoria", 4, entries=3))
    opened = client.post("/api/tables/import/", whole, content_type="application/json").json()
    client.cookies["seats"] = opened["seats"][0]["token"]
    head, _rest = client.get(f"/t/{opened['code']}/").content.decode().split("</header>", 1)

    for rule in ("5.13", "4"):
        assert f'class="rule" href="/rules/signoria/{rule}/?t={opened["code"]}"' in head

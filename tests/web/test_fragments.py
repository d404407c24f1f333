"""Pages made of cached fragments: every phone gets what it would get alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.safestring import SafeString

from companion import cache
from companion.access import table_access
from companion.access.table_access import identify
from companion.errors import Refusal
from companion.journal.submit import tick
from companion.journal.versions import bump_version, with_latest
from companion.tables.seats import free_seat
from companion.web import fragments
from companion.web.phone import SEATS_COOKIE
from games.registry import GAMES
from tests.conformance.walks import PLAYED
from tests.hostile import sitting_at
from tests.tables.sitting import Sitting, play_on

# Real commits: nothing is cached inside a transaction.
pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ("", "?tab=board", "?tab=score", "display/")
# Differs from one response to the next.
PERSONAL = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"|name="key" value="[^"]*"|data-now="[^"]*"|data-timer="[^"]*"'
)


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    with translation.override("en"):
        yield


def phones_of(sitting: Sitting) -> dict[str, Client]:
    """One for each seat, the host and a spectator, with different languages, themes and timers."""
    phones = {}
    for who, token in [*sitting.tokens.items(), ("host", sitting.host_token), ("spectator", "")]:
        for language in ("en", "it") if who in ("host", "spectator") else ("en",):
            phones[f"{who} {language}"] = client = Client(headers={"accept-language": language})
            client.cookies[SEATS_COOKIE] = token
            client.cookies["timers"] = "show" if who == "host" else "hide"
            client.cookies["look"] = "light" if language == "it" else "dark"
    return phones


def seen(phone: Client, sitting: Sitting, page: str, *, bump_version: bool = False) -> str:
    """Return a page, or the part of it that htmx fetches after a change, without what is new in every response."""
    headers = {"hx-request": "true"} if bump_version else {}
    response = phone.get(f"/t/{sitting.table.code}/{page}", headers=headers)
    assert response.status_code == 200
    return PERSONAL.sub("", response.content.decode())


@pytest.mark.parametrize(
    "slug", [slug if slug in GAMES else pytest.param(slug, marks=pytest.mark.long) for slug in sorted(PLAYED)]
)
def test_every_phone_gets_the_page_it_would_get_alone(slug: str) -> None:
    sitting = sitting_at(slug, entries=9)
    for _moment in range(2):
        phones = phones_of(sitting)
        alone = {}
        for who, phone in phones.items():
            for page in PAGES:
                cache.clear_all()
                alone[who, page] = seen(phone, sitting, page)
        for _time in range(2):
            together = {(who, page): seen(phones[who], sitting, page) for who, page in alone}
            assert together == alone
        if not slug.endswith("pad"):
            play_on(sitting, 3, seed=5)


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_part_fetched_after_a_change_equals_that_of_the_whole_page(slug: str) -> None:
    sitting = sitting_at(slug, entries=7)
    for _moment in range(4):
        phones = phones_of(sitting)
        changes = {who: seen(phone, sitting, "", bump_version=True).strip() for who, phone in phones.items()}
        for who, phone in phones.items():
            assert changes[who].startswith("<main")
            assert changes[who].endswith("</main>")
            assert changes[who] in seen(phone, sitting, "")
            assert seen(phone, sitting, "?tab=now", bump_version=True).strip() in seen(
                phone, sitting, "?tab=now"
            )
        assert len(set(changes.values())) > 2
        play_on(sitting, 1, seed=3)


def test_only_the_phone_of_whoever_planned_shows_the_plan() -> None:
    sitting = sitting_at("wallenstein", entries=0)
    phones = phones_of(sitting)
    for _entry in range(60):
        play_on(sitting, 1)
        planned = {who for who, phone in phones.items() if "Your plan" in seen(phone, sitting, "?tab=board")}
        if planned:
            break
    planner = sitting.fresh().entries.latest("number").faction
    assert planned == {f"{planner} en"}


def test_a_version_is_queried_once_for_all_phones() -> None:
    sitting = sitting_at("raubritter", entries=6)
    phones = phones_of(sitting)
    costs = []
    for who in sitting.tokens:
        with CaptureQueriesContext(connection) as queries:
            seen(phones[f"{who} en"], sitting, "?tab=board")
        costs.append(len(queries))
    assert costs[0] > 1
    assert set(costs[1:]) == {1}  # the table itself, which says its version


def test_freed_seat_loses_its_page_at_once() -> None:
    sitting = sitting_at("raubritter", entries=2)
    faction = next(iter(sitting.tokens))
    phone = phones_of(sitting)[f"{faction} en"]
    assert "Undo" in seen(phone, sitting, "")
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat(faction))
    assert "You are watching." in seen(phone, sitting, "")


def test_rolled_back_version_is_not_cached() -> None:
    sitting = sitting_at("raubritter", entries=2)
    table, faction = sitting.table, next(iter(sitting.tokens))

    def fail() -> None:
        bump_version(table)
        raise Refusal("gone", "no")

    with pytest.raises(Refusal):
        with_latest(table, fail)
    assert table_access.seats_of(table)
    assert table.version == sitting.fresh().version
    free_seat(table=table, access=sitting.host, seat=sitting.seat(faction))
    assert not identify(sitting.fresh(), [sitting.tokens[faction]]).is_seated


def test_tick_appears_on_every_phone() -> None:
    sitting = sitting_at("raubritter", entries=1)
    phones = phones_of(sitting)
    before = {who: seen(phone, sitting, "") for who, phone in phones.items()}
    tick(table=sitting.table, access=sitting.host, number=1, line=0, done=True)
    for who, phone in phones.items():
        after = seen(phone, sitting, "")
        assert after.count('aria-pressed="true"') == before[who].count('aria-pressed="true"') + 1


def rendered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list to which the names of fragments are added when they are rendered."""
    names: list[str] = []
    real = fragments.get_or_render

    def noted(key: tuple[str, ...], render: object) -> SafeString:
        def counting() -> SafeString:
            names.append(key[0])
            return render()  # type: ignore[operator]

        return real(key, counting)

    monkeypatch.setattr(fragments, "get_or_render", noted)
    return names


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_board_is_not_rendered_again_after_a_tick(
    slug: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.CACHE_VERIFY = False
    sitting = sitting_at(slug, entries=9)
    phone = phones_of(sitting)["spectator en"]
    names = rendered(monkeypatch)
    seen(phone, sitting, "?tab=board")
    assert any(name.startswith(f"{slug}/") for name in names)
    names.clear()
    with_latest(sitting.table, lambda: bump_version(sitting.table))
    seen(phone, sitting, "?tab=board")
    assert names == []


def test_only_changed_parts_of_the_map_are_rendered_again(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.CACHE_VERIFY = False
    sitting = sitting_at("wallenstein", entries=60)
    phone = phones_of(sitting)["spectator en"]
    names = rendered(monkeypatch)
    seen(phone, sitting, "?tab=board")
    first = names.count("wallenstein/name.html")
    names.clear()
    play_on(sitting, 1)
    seen(phone, sitting, "?tab=board")
    assert names.count("wallenstein/name.html") < first / 4


def test_languages_do_not_mix() -> None:
    sitting = sitting_at("raubritter", entries=1)
    phones = phones_of(sitting)
    english, italian = (seen(phones[f"spectator {one}"], sitting, "") for one in ("en", "it"))
    with translation.override("it"):
        assert translation.gettext("If it ended now") in italian
    assert "If it ended now" in english


# The tag


def render(source: str, **context: object) -> str:
    return Template("{% load seneschal %}" + source).render(Context(context))


def test_values_are_only_computed_when_the_fragment_is_rendered(settings: Any) -> None:
    settings.CACHE_VERIFY = False
    computed = []

    def told() -> list[tuple[str, str]]:
        computed.append(1)
        return [("red", "Red moves")]

    source = '{% cached_include "table/since.html" key with told=told %}'
    assert "Red moves" in render(source, key="a", told=told)
    assert "Red moves" in render(source, key="a", told=told)
    assert computed == [1]
    render(source, key="b", told=told)
    assert computed == [1, 1]


def test_verification_finds_a_key_that_lacks_something() -> None:
    source = '{% cached_include "table/since.html" key with told=told %}'
    render(source, key="c", told=[("red", "Red moves")])
    with pytest.raises(fragments.StaleFragmentError, match="Blue moves"):
        render(source, key="c", told=[("blue", "Blue moves")])


def test_a_fragment_cannot_hold_a_form_token() -> None:
    with pytest.raises(fragments.StaleFragmentError, match="token"):
        render('{% cached_include "parts/hint.html" %}', is_shown=True, csrf_token="secret")
    with pytest.raises(fragments.StaleFragmentError, match="token"):
        Template("{{ csrf_token }}").render(Context({"csrf_token": fragments.NO_TOKEN}))

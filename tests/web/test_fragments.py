"""Pages made of cached fragments are the same as without a cache."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.template import Context, Template, TemplateSyntaxError
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
from companion.registry import titles
from companion.tables.seats import free_seat
from companion.web import fragments
from companion.web.phone import SEATS_COOKIE
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
    """Return phones of each seat, the host and a spectator, with different languages, themes and timers."""
    phones = {}
    for viewer, token in [*sitting.tokens.items(), ("host", sitting.host_token), ("spectator", "")]:
        for language in ("en", "it") if viewer in ("host", "spectator") else ("en",):
            phones[f"{viewer} {language}"] = client = Client(headers={"accept-language": language})
            client.cookies[SEATS_COOKIE] = token
            client.cookies["timers"] = "show" if viewer == "host" else "hide"
            client.cookies["look"] = "light" if language == "it" else "dark"
    return phones


def page_html(phone: Client, sitting: Sitting, page: str, *, htmx: bool = False) -> str:
    """Return a page, or the part that htmx fetches after a change, without values unique to a response."""
    headers = {"hx-request": "true"} if htmx else {}
    response = phone.get(f"/t/{sitting.table.code}/{page}", headers=headers)
    assert response.status_code == 200
    return PERSONAL.sub("", response.content.decode())


@pytest.mark.parametrize(
    "slug",
    [slug if slug in titles() else pytest.param(slug, marks=pytest.mark.long) for slug in sorted(PLAYED)],
)
def test_cached_page_equals_uncached_page_for_every_phone(slug: str) -> None:
    sitting = sitting_at(slug, entries=9)
    for _moment in range(2):
        phones = phones_of(sitting)
        uncached = {}
        for viewer, phone in phones.items():
            for page in PAGES:
                cache.clear_all()
                uncached[viewer, page] = page_html(phone, sitting, page)
        for _repeat in range(2):
            cached = {(viewer, page): page_html(phones[viewer], sitting, page) for viewer, page in uncached}
            assert cached == uncached
        if not slug.endswith("pad"):
            play_on(sitting, 3, seed=5)


@pytest.mark.parametrize("slug", sorted(titles()))
def test_part_fetched_by_htmx_equals_that_of_the_whole_page(slug: str) -> None:
    sitting = sitting_at(slug, entries=7)
    for _moment in range(4):
        phones = phones_of(sitting)
        changes = {
            viewer: page_html(phone, sitting, "", htmx=True).strip() for viewer, phone in phones.items()
        }
        for viewer, phone in phones.items():
            assert changes[viewer].startswith("<main")
            assert changes[viewer].endswith("</main>")
            assert changes[viewer] in page_html(phone, sitting, "")
            assert page_html(phone, sitting, "?tab=now", htmx=True).strip() in page_html(
                phone, sitting, "?tab=now"
            )
        assert len(set(changes.values())) > 2
        play_on(sitting, 1, seed=3)


def test_plan_is_shown_only_to_its_planner() -> None:
    sitting = sitting_at("wallenstein", entries=0)
    phones = phones_of(sitting)
    for _entry in range(60):
        play_on(sitting, 1)
        viewers = {
            viewer
            for viewer, phone in phones.items()
            if "Your plan" in page_html(phone, sitting, "?tab=board")
        }
        if viewers:
            break
    planner = sitting.fresh().entries.latest("number").faction
    assert viewers == {f"{planner} en"}


def test_data_of_a_version_is_queried_once_for_all_phones() -> None:
    sitting = sitting_at("raubritter", entries=6)
    phones = phones_of(sitting)
    query_counts = []
    for faction in sitting.tokens:
        with CaptureQueriesContext(connection) as queries:
            page_html(phones[f"{faction} en"], sitting, "?tab=board")
        query_counts.append(len(queries))
    assert query_counts[0] > 1
    assert set(query_counts[1:]) == {1}  # the row of the table, for its version


def test_freed_seat_loses_its_page_at_once() -> None:
    sitting = sitting_at("raubritter", entries=2)
    faction = next(iter(sitting.tokens))
    phone = phones_of(sitting)[f"{faction} en"]
    assert "Undo" in page_html(phone, sitting, "")
    free_seat(table=sitting.table, access=sitting.host, seat=sitting.seat(faction))
    assert "You are watching." in page_html(phone, sitting, "")


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
    before = {viewer: page_html(phone, sitting, "") for viewer, phone in phones.items()}
    tick(table=sitting.table, access=sitting.host, number=1, line=0, done=True)
    for viewer, phone in phones.items():
        after = page_html(phone, sitting, "")
        assert after.count('aria-pressed="true"') == before[viewer].count('aria-pressed="true"') + 1


def record_renders(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that receives the name of each fragment when it is rendered."""
    names: list[str] = []
    real = fragments.get_or_render

    def recording(key: tuple[str, ...], render: object) -> SafeString:
        def recorded() -> SafeString:
            names.append(key[0])
            return render()  # type: ignore[operator]

        return real(key, recorded)

    monkeypatch.setattr(fragments, "get_or_render", recording)
    return names


@pytest.mark.parametrize("slug", sorted(titles()))
def test_board_is_not_rendered_again_after_a_tick(
    slug: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.CACHE_VERIFY = False
    sitting = sitting_at(slug, entries=9)
    phone = phones_of(sitting)["spectator en"]
    names = record_renders(monkeypatch)
    page_html(phone, sitting, "?tab=board")
    assert any(name.startswith(f"{slug}/") for name in names)
    names.clear()
    with_latest(sitting.table, lambda: bump_version(sitting.table))
    page_html(phone, sitting, "?tab=board")
    assert names == []


def test_only_changed_parts_of_the_map_are_rendered_again(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.CACHE_VERIFY = False
    sitting = sitting_at("wallenstein", entries=60)
    phone = phones_of(sitting)["spectator en"]
    names = record_renders(monkeypatch)
    page_html(phone, sitting, "?tab=board")
    first = names.count("wallenstein/name.html")
    names.clear()
    play_on(sitting, 1)
    page_html(phone, sitting, "?tab=board")
    assert names.count("wallenstein/name.html") < first / 4


def test_languages_do_not_mix() -> None:
    sitting = sitting_at("raubritter", entries=1)
    phones = phones_of(sitting)
    english, italian = (page_html(phones[f"spectator {language}"], sitting, "") for language in ("en", "it"))
    with translation.override("it"):
        assert translation.gettext("If it ended now") in italian
    assert "If it ended now" in english


# The template tag


def render(source: str, **context: object) -> str:
    return Template("{% load seneschal %}" + source).render(Context(context))


def test_values_are_only_computed_when_the_fragment_is_rendered(settings: Any) -> None:
    settings.CACHE_VERIFY = False
    computed = []

    def titles() -> list[tuple[str, str]]:
        computed.append(1)
        return [("red", "Red moves")]

    source = '{% cached_include "table/since.html" key with titles=titles %}'
    assert "Red moves" in render(source, key="a", titles=titles)
    assert "Red moves" in render(source, key="a", titles=titles)
    assert computed == [1]
    render(source, key="b", titles=titles)
    assert computed == [1, 1]


def test_verification_finds_a_key_that_lacks_something() -> None:
    source = '{% cached_include "table/since.html" key with titles=titles %}'
    render(source, key="c", titles=[("red", "Red moves")])
    with pytest.raises(fragments.StaleFragmentError, match="Blue moves"):
        render(source, key="c", titles=[("blue", "Blue moves")])


def test_a_fragment_cannot_hold_a_form_token() -> None:
    with pytest.raises(fragments.StaleFragmentError, match="token"):
        render('{% cached_include "parts/hint.html" %}', is_shown=True, csrf_token="secret")
    with pytest.raises(fragments.StaleFragmentError, match="token"):
        Template("{{ csrf_token }}").render(Context({"csrf_token": fragments.NO_TOKEN}))


def test_undefined_cache_key_is_an_error() -> None:
    source = '{% load seneschal %}{% cached_include "table/tabs.html" page.misspelt %}'
    with pytest.raises(TemplateSyntaxError, match=r"page\.misspelt"):
        Template(source).render(Context({"page": {}}))

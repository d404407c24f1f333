"""Fuzz tests of pages: arbitrary fields, queries, cookies and URLs never lead to a server error.

The test client raises exceptions that would lead to status 500.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.conf import settings as site
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.operations.sessions import SessionStore
from companion.registry import titles
from companion.tables.circles import open_circle
from companion.titles.wallenstein import position as wallenstein_position
from companion.web import phone
from tests.conformance.walks import PLAYED
from tests.hostile import QUICK, STRINGS, not_hanging, sitting_at
from tests.tables.sitting import Sitting, assert_sound

COMPANION = Path(phone.__file__).parents[1]
every_game = pytest.mark.parametrize("slug", sorted(PLAYED))

pytestmark = pytest.mark.django_db


def phone_at(sitting: Sitting) -> Client:
    """Return the host's phone in scribe mode."""
    client = Client()
    client.cookies[phone.SEATS_COOKIE] = sitting.host_token
    client.cookies[phone.SCRIBE_COOKIE] = sitting.table.code
    return client


def request_page(client: Client, method: str, address: str, fields: Any = None, **headers: str) -> Any:
    with not_hanging():
        answer = getattr(client, method)(address, fields or {}, headers=headers)
    assert answer.status_code < 500, (address, fields)
    return answer


# Forms

_TAG = re.compile(r"<(?:input|button|select|option|textarea)\b[^>]*>")
_ATTRIBUTE = re.compile(r'\b(name|value)="([^"]*)"')
# Names and values of buttons on any page, in addition to those on the page itself.
NAMES = (
    "do",
    "faction",
    "type",
    "key",
    "number",
    "line",
    "place",
    "count",
    "what",
    "tap",
    "round",
    "up",
    "add",
    "drop",
)
BUTTONS = (
    "put",
    "take",
    "round",
    "phase",
    "order",
    "tap",
    "when",
    "fact",
    "count",
    "clear",
    "send",
    "say",
    "weigh",
    "enter",
)
PARTS = (
    "act/", "preview/", "correct/", "tick/", "undo/", "redo/", "back/", "seat/", "break/", "figures/", "position/",
    "compare/", "compare/?stop=end", "mend/1/", "mend/1/rule/", "mend/1/leave-out/", "mend/1/agree/", "sit/", "claim/",
)  # fmt: skip
PAGE_OF = {"act/": "", "preview/": "", "correct/": "?tab=correct", "sit/": "?tab=menu", "seat/": "?tab=menu"}


def fields_on(page: str) -> dict[str, str]:
    """Return the fields of all forms of a page, each with one of its values."""
    fields: dict[str, str] = {}
    name = ""
    for tag in _TAG.findall(page):
        attributes = dict(_ATTRIBUTE.findall(tag))
        if tag.startswith("<option"):
            fields.setdefault(name, attributes.get("value", ""))
            continue
        name = attributes.get("name", name if tag.startswith("<select") else "")
        if name and not tag.startswith("<select"):
            fields.setdefault(name, attributes.get("value", ""))
    return {name: value for name, value in fields.items() if name and name != "csrfmiddlewaretoken"}


@st.composite
def mutated_fields(draw: Any, fields: dict[str, str]) -> dict[str, str]:
    """Generate the fields of a page with some values and names changed."""
    data = dict(fields)
    known = st.sampled_from([*fields, *NAMES])
    for _ in range(draw(st.integers(1, 3))):
        name = draw(known)
        if draw(st.booleans()):
            name = name[: draw(st.integers(0, len(name)))] + draw(
                st.sampled_from(("²", "99999", ".", "x", "0", ":1", "٣"))
            )
        data[name] = draw(STRINGS)
    if draw(st.booleans()):
        data["do"] = draw(st.sampled_from(BUTTONS))
    return {name: value.encode("utf-8", "replace").decode() for name, value in data.items()}


def send_forms(slug: str, budget: settings, parts: tuple[str, ...]) -> None:
    sitting = sitting_at(slug, entries=5)
    client = phone_at(sitting)
    home = f"/t/{sitting.table.code}/"
    for part in parts:
        page = request_page(client, "get", home + PAGE_OF.get(part, part.replace("agree/", "leave-out/")))
        fields = fields_on(page.content.decode())

        def send(data: st.DataObject, part: str = part, fields: dict[str, str] = fields) -> None:
            request_page(client, "post", home + part, data.draw(mutated_fields(fields), label=part))

        sent_for(budget, send)
    assert_sound(sitting.table)


def sent_for(budget: settings, send: Any) -> None:
    @budget
    @given(data=st.data())
    def run(data: st.DataObject) -> None:
        send(data)

    run()


@every_game
def test_forms(slug: str) -> None:
    parts = ("act/",) if slug.endswith("-pad") else ("act/", "position/")
    send_forms(slug, settings(QUICK, max_examples=2), parts)


def test_every_form_of_a_table() -> None:
    send_forms("raubritter", settings(QUICK, max_examples=1), PARTS)


@pytest.mark.long
@every_game
def test_forms_for_long(slug: str) -> None:
    send_forms(slug, settings(QUICK, max_examples=3), PARTS)


@pytest.mark.parametrize(
    ("slug", "name"),
    [(slug, c.name) for slug, title in titles().items() for c in title.calculators.calculators],
)
def test_calculators(slug: str, name: str) -> None:
    client, address = Client(), f"/calculators/{slug}/{name}/"
    fields = fields_on(client.get(address).content.decode())
    sent_for(
        settings(QUICK, max_examples=2),
        lambda data: request_page(client, "post", address, data.draw(mutated_fields(fields))),
    )


# Digits that are no decimal number, and numbers out of range: regression cases for crashes and endless loops.

NO_NUMBERS = ("²", "9" * 5_000, "0" * 9 + "1" * 5_000, "0999999999", "-1", "1e3")


def test_text_that_is_no_number_is_rejected() -> None:
    tables = {slug: sitting_at(slug, entries=3) for slug in ("raubritter", "wallenstein", "signoria")}

    def send(slug: str, part: str, **fields: str) -> int:
        sitting = tables[slug]
        return int(
            request_page(phone_at(sitting), "post", f"/t/{sitting.table.code}/{part}", fields).status_code
        )

    def send_number(text: str) -> set[int]:
        tap = f"count {next(iter(tables['signoria'].tokens))} florin reserve"
        return {
            send("raubritter", "position/", do="round", round=text),
            send("signoria", "position/", do="tap", tap=tap, count=text),
            request_page(Client(), "get", f"/stats/raubritter/?players={quote(text)}").status_code,
        }

    assert send_number("2") == {200, 302}
    for text in NO_NUMBERS:
        assert send_number(text) == {400}, text
        assert wallenstein_position._times(text) == 1
        assert send("wallenstein", "act/", type="open", faction="red", **{f"c.{text}": "x"}) in (400, 403)


def test_invalid_positions_to_move_up_in_a_calculator() -> None:
    address = "/calculators/revolution/turn-order/"
    order = re.findall(r'name="up" value="([^"]+)\.\d+"', Client().get(address).content.decode())
    for text in (*NO_NUMBERS, "1"):
        request_page(Client(), "post", address, {"up": f"{order[0]}.{text}"})


# Queries

PARAMETERS = (
    "tab", "part", "place", "at", "key", "open", "as", "before", "owner", "stop", "undone", "code", "ticket", "host",
    "after", "mode", "since", "until", "players", "option", "clean", "game", "path", "t",
)  # fmt: skip
PAGES = (
    "", "display/", "replay/", "report/", "report/standalone.html", "report/summary.svg", "position/", "compare/", "claim/",
    "figures/", "seats/", "mend/1/", "mend/1/rule/", "standings.csv", "journal.csv", "results.csv", "game.json",
)  # fmt: skip


def test_every_query_parameter_is_fuzzed() -> None:
    files = [file for file in COMPANION.rglob("*.py") if "api" not in file.parts]
    sources = "".join(file.read_text(encoding="utf-8") for file in files)
    named = set(re.findall(r'GET(?:\.get\(|\[)"([a-z_]+)"', sources))
    assert named <= set(PARAMETERS)


def queries() -> st.SearchStrategy[dict[str, str]]:
    return st.dictionaries(st.sampled_from(PARAMETERS), STRINGS, min_size=1, max_size=3)


def ask_pages(slug: str, most: int) -> None:
    sitting = sitting_at(slug, entries=5)
    key = open_circle(name="Ada").key
    client = phone_at(sitting)
    game = PLAYED[slug].slug
    pages = [f"/t/{sitting.table.code}/{part}" for part in PAGES]
    pages += [
        "/",
        "/join/",
        "/stats/",
        f"/stats/{game}/",
        f"/stats/circle/{key}/",
        f"/stats/circle/{key}/{game}/",
    ]
    pages += [
        f"/boards/{game}/",
        f"/rules/{game}/",
        "/rules/",
        f"/calculators/{game}/x/",
        "/help/",
        "/trust/",
    ]

    @settings(QUICK, max_examples=most)
    @given(page=st.sampled_from(pages), query=queries())
    def ask(page: str, query: dict[str, str]) -> None:
        request_page(client, "get", f"{page}?{urlencode(query, errors='surrogatepass')}")

    ask()


@every_game
def test_queries(slug: str) -> None:
    ask_pages(slug, 4)


@pytest.mark.long
@every_game
def test_queries_for_long(slug: str) -> None:
    ask_pages(slug, 25)


# Cookies

READ = (
    phone.SEATS_COOKIE, phone.CIRCLES_COOKIE, phone.NAME_COOKIE, phone.SCRIBE_COOKIE, phone.BOARDS_COOKIE, phone.HINTS_COOKIE,
    *phone.LOOKS, site.SESSION_COOKIE_NAME, site.CSRF_COOKIE_NAME, site.LANGUAGE_COOKIE_NAME, "messages",
)  # fmt: skip
# Arbitrary bytes: raw, and quoted with octal escapes.
BYTES = st.binary(max_size=40).map(lambda raw: raw.decode("latin-1"))
QUOTED = st.binary(min_size=8, max_size=20).map(
    lambda raw: '"' + "".join(f"\\{byte:03o}" for byte in raw) + '"'
)
COOKIES = (
    st.sampled_from(["", "." * 100, "x" * 4_000, '"\\000aaaaaaaaa"', "%00%ff", "a.b", "%F0%9F"])
    | BYTES
    | QUOTED
)


def test_every_cookie_is_fuzzed() -> None:
    named = {value for name, value in vars(phone).items() if name.endswith("_COOKIE")}
    assert named <= set(READ)


@pytest.mark.parametrize("key", ["\0aaaaaaaaa", "aaaaaaaa\n", "é" * 9, "short", "a" * 5 + "' OR 1"])
def test_malformed_session_keys_are_ignored(key: str) -> None:
    assert SessionStore(key).session_key is None
    assert SessionStore("a" * 32).session_key == "a" * 32


def bring_cookies(most: int) -> None:
    sitting = sitting_at("wallenstein", entries=3)
    home = f"/t/{sitting.table.code}/"
    pages = [
        "/",
        "/stats/",
        "/boards/wallenstein/",
        home,
        f"{home}?tab=menu",
        f"{home}position/",
        f"{home}compare/",
    ]
    pages += [
        f"{home}display/",
        f"{home}report/",
        "/help/",
        "/admin/",
        f"/api/tables/{sitting.table.code}/state/",
    ]
    known = f"{phone.SEATS_COOKIE}={sitting.host_token}"

    @settings(QUICK, max_examples=most)
    @given(
        page=st.sampled_from(pages),
        brought=st.dictionaries(st.sampled_from(READ), COOKIES, min_size=1, max_size=4),
    )
    def bring(page: str, brought: dict[str, str]) -> None:
        pairs = [f"{name}={value}" for name, value in brought.items()]
        for cookies in (pairs, [*(pair for pair in pairs if not pair.startswith(phone.SEATS_COOKIE)), known]):
            request_page(Client(), "get", page, cookie="; ".join(cookies))
        request_page(Client(), "post", f"{home}undo/", cookie="; ".join(pairs))

    bring()
    assert_sound(sitting.table)


def test_cookies() -> None:
    bring_cookies(4)


@pytest.mark.long
def test_cookies_for_long() -> None:
    bring_cookies(60)


# Addresses


def addresses() -> Iterator[str]:
    odd = (
        "%00",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e",
        "é",
        "%F0",
        "A" * 300,
        "%25",
        "%0a",
        "'",
        "²",
        "9" * 5_000,
        "-1",
        "*",
    )
    for part in odd:
        part = part if part.startswith("%") or "%" in part else quote(part)  # noqa: PLW2901
        yield from (
            f"/t/{part}/",
            f"/t/{part}/display/",
            f"/t/CDFGHJ/mend/{part}/",
            f"/boards/{part}/",
            f"/rules/{part}/",
        )
        yield from (
            f"/boards/raubritter/{part}/",
            f"/stats/{part}/",
            f"/stats/circle/{part}/",
            f"/static/{part}",
            f"/{part}",
        )
        yield from (
            f"/calculators/{part}/x/",
            f"/rules/raubritter/{part}/",
            f"/api/tables/{part}/",
            f"/api/{part}",
        )
        yield from (
            f"/api/stats/{part}/",
            f"/api/circles/{part}/",
            f"/api/circles/{part}/members/raubritter/{part}/",
        )
        yield from (
            f"/api/calculators/{part}/{part}/",
            f"/api/boards/{part}/",
            f"/admin/companion/table/{part}/change/",
        )


def test_addresses() -> None:
    client, key = Client(), open_circle(name="Ada").key
    for address in addresses():
        assert request_page(client, "get", address).status_code in (301, 302, 400, 404, 405), address
    for slug in titles():
        for number in ("%00", "²", "9" * 5_000, "-1"):
            assert request_page(client, "get", f"/stats/circle/{key}/{slug}/{number}/").status_code == 404

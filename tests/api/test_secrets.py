"""Indistinguishability: two games that differ only in blue's secrets look the same to everyone else.

All output is compared after every entry, until blue's differing cards are revealed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from companion import urls
from companion.api import urls as api_urls
from companion.journal.states import game_of, state_at
from companion.models import Entry, Notice, Table
from companion.web.phone import SEATS_COOKIE
from tests.api.conftest import Api, AtTable, refused

SEATS = [
    {"name": "Ada", "faction": "red"},
    {"name": "Béla", "faction": "blue"},
    {"name": "Carla", "faction": "yellow"},
]
THEN = datetime(2024, 11, 3, 20, tzinfo=UTC)
# Parts of the output that differ between tables and requests.
VARIES = (
    r'(?<=name="csrfmiddlewaretoken" value=")[^"]+',
    r"\b[0-9a-f]{32}\b",
    r"\b\d\d?:\d\d\b",
    r'(?<=data-now=")[^"]+',
    r'(?<=data-timer=")\d+',
    r"(\b\d+ h )?\b\d+ min\b",
    r'(?s)<svg[^>]*class="qr".*?</svg>',
    r'(?<=name="ticket" value=")[^"]+',
    r"(?<=/claim/\?)[^<\"]+",
)


def opened(api: Api) -> AtTable:
    answer = api.post("tables/", {"game": "wallenstein", "seats": SEATS})
    assert answer.status_code == 201, answer.content
    new = answer.json()
    table = AtTable(
        api, new["code"], new["host_token"], {seat["faction"]: seat["token"] for seat in new["seats"]}
    )
    table.start()
    return table


class Worlds:
    """The same game twice."""

    def __init__(self, api: Api) -> None:
        self.tables = (opened(api), opened(api))

    def row(self) -> Table:
        return Table.objects.get(code=self.tables[0].code)

    def prompt(self, faction: str | None = None) -> dict[str, Any]:
        return next(p for p in self.tables[0].json("prompts/") if faction in (None, p["faction"]))

    def enter(self, faction: str, action: Any, other: Any = None) -> None:
        for table, entered in zip(self.tables, (action, other or action), strict=True):
            answer = table.post("actions", {"faction": faction, "action": entered})
            assert answer.status_code == 201, answer.content

    def play_example(self) -> None:
        prompt = self.prompt()
        self.enter(prompt["faction"], prompt["example"])

    def until_planning(self) -> None:
        while self.row().phase != "planning":
            self.play_example()

    def plan(self) -> tuple[str, str]:
        """Plan a province of blue for different actions in the two games; return the two actions."""
        action = self.prompt("blue")["example"]
        cards = dict(action["cards"])
        last = list(cards)[-1]
        cards["movement-b"] = cards.pop(last)
        self.enter("blue", action, {**action, "cards": cards})
        return last, "movement-b"

    def turned(self) -> set[str]:
        row = self.row()
        return set(state_at(row, row.head).turned.get("blue", {}))

    # Comparing

    def differences(self, asks: Any, token: str) -> list[str]:
        """Return the names of outputs that differ for a token: a faction's, the host's, or none."""
        Entry.objects.update(created_at=THEN)
        Entry.objects.exclude(mended_at=None).update(mended_at=THEN)
        Notice.objects.update(created_at=THEN)
        Table.objects.update(started_at=THEN, created_at=THEN)
        differing = []
        for first, second in zip(*(asks(table, _token(table, token)) for table in self.tables), strict=True):
            if first != second:
                differing.append(first[0])
        return differing


def _token(table: AtTable, name: str) -> str:
    return {"host": table.host, "": "", **table.tokens}[name]


def _normalised(table: AtTable, content: bytes) -> str:
    text = content.decode().replace(table.code, "CODE")
    for pattern in VARIES:
        text = re.sub(pattern, "…", text)
    return text


Seen = tuple[str, int, str]
TABLE_PREFIX = "tables/<str:code>/"
ROUTES = [str(url.pattern) for url in api_urls.urlpatterns if str(url.pattern).startswith(TABLE_PREFIX)]
PARTS = [route.removeprefix(TABLE_PREFIX) for route in ROUTES if not route.endswith("events/")]


def data(table: AtTable, token: str) -> Iterator[Seen]:
    """Yield all API output, previews included."""
    row = Table.objects.get(code=table.code)
    moments = [f"state/?at={n}" for n in range(max(0, row.latest - 1), row.latest + 1)]
    for part in (*PARTS, *moments):
        answer = table.get(part, token=token)
        yield part, answer.status_code, _normalised(table, answer.content)
    for prompt in game_of(row).prompts(state_at(row, row.head)):
        if prompt.faction != "blue" or prompt.action != "plan":
            body = {"faction": prompt.faction, "action": prompt.example_json()}
            yield _tried(table, "preview", body, token)
    for number in range(max(1, row.latest - 1), row.latest + 1):
        yield _tried(table, "mend/preview", {"number": number, "action": None}, token)


def _tried(table: AtTable, part: str, body: Any, token: str) -> Seen:
    answer = table.post(part, body, token=token)
    return f"{part} {body.get('number', '')}", answer.status_code, _normalised(table, answer.content)


ADDRESSES = [str(url.pattern) for url in urls.table_urls if "<" not in str(url.pattern)]
PAGES = (
    *ADDRESSES,
    *("?tab=board", "?tab=score", "?tab=journal", "?tab=help", "?tab=menu", "?tab=correct"),
    *("?as=blue&open=blue", "?tab=board&as=blue&open=blue", "replay/?undone=1"),
)


def journals(table: AtTable, token: str) -> Iterator[Seen]:
    """Yield the pages that show undone entries."""
    yield from opened_by(table, token, ("", "?tab=journal", "replay/?undone=1"))


def spectator_pages(table: AtTable, token: str) -> Iterator[Seen]:
    """Yield the pages that spectators and TVs show."""
    yield from opened_by(table, token, ("", "display/", "replay/", "?tab=board"))


def opened_by(table: AtTable, token: str, parts: Sequence[str]) -> Iterator[Seen]:
    client = Client()
    client.cookies[SEATS_COOKIE] = token
    for part in parts:
        answer = client.get(f"/t/{table.code}/{part}")
        yield part, answer.status_code, _normalised(table, answer.content)


def pages(table: AtTable, token: str) -> Iterator[Seen]:
    """Yield all pages of a table."""
    client = Client()
    client.cookies[SEATS_COOKIE] = token
    last = Table.objects.get(code=table.code).latest
    mends = [f"mend/{n}/{part}" for n in range(max(1, last - 1), last + 1) for part in ("", "leave-out/")]
    replays = [f"replay/?at={n}" for n in range(max(0, last - 1), last + 1)]
    for part in (*PAGES, *mends, *replays):
        answer = client.get(f"/t/{table.code}/{part}")
        yield part, answer.status_code, _normalised(table, answer.content)
    for number in range(max(1, last - 1), last + 1):
        answer = client.post(f"/t/{table.code}/mend/{number}/leave-out/", {"reason": "misplayed"})
        yield f"leave out {number}", answer.status_code, _normalised(table, answer.content)


OTHERS = ("", "red", "host")


def assert_indistinguishable(worlds: Worlds, *asks: Any, others: Sequence[str] = OTHERS) -> None:
    for ask in asks:
        for token in others:
            assert not worlds.differences(ask, token), token


@pytest.fixture
def worlds(api: Api) -> Worlds:
    worlds = Worlds(api)
    worlds.until_planning()
    return worlds


def compare_until_reveal(worlds: Worlds, *asks: Any, others: Sequence[str] = OTHERS) -> None:
    """Compare after every entry, until the next one reveals a difference."""
    due = set(worlds.plan())
    turned = 0
    while not (worlds.turned() & due):
        assert_indistinguishable(worlds, *asks, others=others)
        turned = len(worlds.turned())
        worlds.play_example()
    assert turned == 8, "all cards before these two were revealed"
    assert "state/" in worlds.differences(data, ""), "everyone sees revealed cards"


def test_api_reveals_no_plan_before_its_time(worlds: Worlds) -> None:
    compare_until_reveal(worlds, data, others=("red",))


def test_pages_show_no_plan(worlds: Worlds) -> None:
    worlds.plan()
    assert_indistinguishable(worlds, pages, others=("red",))
    assert_indistinguishable(worlds, spectator_pages, others=("",))
    assert_indistinguishable(worlds, data, others=("", "host"))
    assert {"state/", "journal/"} <= set(worlds.differences(data, "blue")), "blue sees its own plan"
    assert "?tab=board" in worlds.differences(pages, "blue")


@pytest.mark.long
def test_no_output_reveals_a_plan_before_its_time_long(worlds: Worlds) -> None:
    compare_until_reveal(worlds, data, pages)


def test_undone_plan_stays_secret(worlds: Worlds) -> None:
    worlds.plan()
    for table in worlds.tables:
        assert table.post("undo").status_code == 200
    assert_indistinguishable(worlds, data, others=("", "host"))
    assert_indistinguishable(worlds, journals, others=("red",))


def test_journal_masks_secrets(worlds: Worlds) -> None:
    table = worlds.tables[0]
    action = worlds.prompt("blue")["example"]
    body = {"faction": "blue", "action": action, "key": "once"}
    accepted = table.post("actions", body, token=table.tokens["blue"])
    number = accepted.json()["number"]
    for token in ("", table.host, table.tokens["red"]):
        line = table.get("journal/", token=token).json()[-1]
        assert (line["number"], line["action"]) == (number, {"type": "plan", "hidden": True})
        assert [step["text"] for step in line["steps"]] == ["Blue has planned."]
    own = table.get("journal/", token=table.tokens["blue"]).json()[-1]
    assert own["action"] == action
    again = table.post("actions", body, token=table.tokens["blue"])
    assert again.json() == accepted.json()
    assert "cards" not in again.content.decode()
    stolen = table.post("actions", body, token=table.tokens["red"])
    refused(stolen, 403, "foreign-token")


def test_export_is_rejected_while_there_are_secrets(worlds: Worlds) -> None:
    table = worlds.tables[0]
    assert table.get("export/").status_code == 200
    worlds.plan()
    for token in ("", table.host, table.tokens["blue"]):
        error = refused(table.get("export/", token=token), 409, "hidden")
        assert error["message"] == (
            "What Blue entered is still hidden. The game can be exported once it is revealed."
        )


def test_others_cannot_mend_a_secret_entry(worlds: Worlds) -> None:
    table = worlds.tables[0]
    worlds.plan()
    number = table.json("")["number"]
    cards = {**worlds.prompt("red")["example"], "cards": {}}
    body = {"number": number, "action": cards}
    for token in (table.host, table.tokens["red"]):
        refused(table.post("mend/preview", body, token=token), 409, "hidden")
    withheld = table.post("mend/preview", {"number": number - 1, "action": None}, token=table.tokens["red"])
    assert withheld.json()["hidden"] is True
    shown = table.post("mend/preview", {"number": number - 1, "action": None}, token=table.tokens["blue"])
    assert shown.json()["hidden"] is False
    assert [entry["number"] for entry in shown.json()["broken"]] == [number]


def test_admin_masks_secrets(worlds: Worlds) -> None:
    worlds.plan()
    client = Client()
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    plan = Entry.objects.filter(table__code=worlds.tables[0].code).last()
    assert plan
    page = client.get(f"/admin/companion/entry/{plan.pk}/change/").content.decode()
    assert "hidden" in page
    assert plan.action["cards"]["movement-a"] not in page

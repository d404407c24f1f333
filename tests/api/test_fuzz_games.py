"""Nearly valid actions of every game and pad are accepted or rejected with a message.

`test_fuzz.py` sends arbitrary data; here one part of a valid action is changed, so that it reaches deep
into the rules.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.access.table_access import identify
from companion.journal.submit import back_to, undo
from companion.models import Entry, Table
from companion.tables.documents import read_document
from tests.api.conftest import Api, AtTable
from tests.conformance.walks import PLAYED, walk
from tests.hostile import ANYTHING, QUICK, changed, examples, not_hanging, sitting_at
from tests.statistics.evenings import Evening, document_of

LONG = settings(QUICK, max_examples=4)
every_game = pytest.mark.parametrize("slug", sorted(PLAYED))
SHOWN = ("", "state/", "prompts/", "journal/", "standings/")


def at_table(table: Table, host: str) -> AtTable:
    return AtTable(Api(), table.code, host)


def enter(at: AtTable, part: str, action: Any, faction: str) -> None:
    """Send an action: rejected, it changes nothing; accepted, every view works and it can be undone."""
    before = Table.objects.values().get(code=at.code)
    raw = json.dumps({"action": action, "faction": faction}).encode()
    with not_hanging():
        answer = at.api.raw(f"tables/{at.code}/{part}/", raw, token=at.host)
        if answer.status_code == 201:
            for shown in SHOWN:
                at.json(shown)
    body = answer.json()
    if answer.status_code in (200, 201):
        assert body["steps"] is not None
    else:
        assert answer.status_code in (400, 403, 409, 413), answer.content
        assert set(body) == {"code", "message", "rule"}
        assert body["message"]
    if answer.status_code == 201:
        table = Table.objects.get(code=at.code)
        undo(table=table, access=identify(table, [at.host]))
    else:
        now = Table.objects.values().get(code=at.code)
        assert {**now, "host_seen_at": None} == {**before, "host_seen_at": None}


@pytest.mark.django_db
@every_game
def test_mutated_actions_of_every_type(slug: str) -> None:
    """At the beginning most actions come too early, but they are parsed before that is checked."""
    sitting = sitting_at(slug, entries=2)
    at = at_table(sitting.table, sitting.host_token)
    factions = [*sitting.tokens, "nobody"]

    @settings(QUICK, max_examples=2)
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        for kind, right in examples(slug).items():
            action = data.draw(changed(right), label=kind)
            enter(at, "preview", action, data.draw(st.sampled_from(factions)))

    send()


@pytest.mark.django_db
@every_game
def test_mutated_prompted_actions(slug: str) -> None:
    """In the middle of the first round, with changes to the actions that are prompted for."""
    sitting = sitting_at(slug, entries=6)
    at = at_table(sitting.table, sitting.host_token)
    prompts = at.json("prompts/")

    @settings(QUICK, max_examples=5)
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        prompt = data.draw(st.sampled_from(prompts))
        action = data.draw(changed(prompt["example"]), label="action")
        enter(at, "actions", action, prompt["faction"])

    send()


@cache
def document(slug: str) -> str:
    """Return a whole game played at random."""
    players = PLAYED[slug].min_players
    evening = Evening(
        slug, players, 0, datetime(2026, 11, 14, 19, tzinfo=UTC), ("Ada", "Béla", "Carla", "Éva")
    )
    return json.dumps(document_of(walk(slug, players, 0), evening))


@pytest.mark.long
@pytest.mark.django_db
@every_game
def test_mutated_actions_at_their_place_in_the_game(slug: str) -> None:
    """The first entry of each type is changed at its place in the game, latest first."""
    opened = read_document(json.loads(document(slug)))
    at = at_table(opened.table, opened.host_token)
    first: dict[str, Entry] = {}
    for entry in opened.table.entries.order_by("number"):
        first.setdefault(entry.action["type"], entry)
    for entry in sorted(first.values(), key=lambda entry: -entry.number):
        table = Table.objects.get(code=at.code)
        if table.head != entry.parent:
            back_to(table=table, access=identify(table, [at.host]), number=entry.parent)

        change(at, entry)


def change(at: AtTable, entry: Entry) -> None:
    @LONG
    @given(action=changed(entry.action))
    def send(action: Any) -> None:
        enter(at, "actions", action, entry.faction)

    send()


# Documents


def check_import(api: Api, changed_document: Any) -> None:
    count = Table.objects.count()
    with not_hanging(20):
        answer = api.raw("tables/import/", json.dumps(changed_document).encode())
    if answer.status_code == 201:
        copied = AtTable(api, answer.json()["code"], answer.json()["host_token"])
        for part in (*SHOWN, "export/"):
            shown = copied.get(part)
            assert shown.status_code in (200, 409), shown.content  # 409: there are secrets
        Table.objects.get(code=copied.code).delete()
        return
    assert answer.status_code in (400, 413), answer.content
    assert set(answer.json()) == {"code", "message", "rule"}
    assert Table.objects.count() == count


def short_document(slug: str) -> dict[str, Any]:
    """Return the document of a game that has just begun."""
    sitting = sitting_at(slug, entries=3)
    exported = at_table(sitting.table, sitting.host_token).json("export/")
    for entry in exported["entries"]:
        del entry["steps"]
    return exported  # type: ignore[no-any-return]


@pytest.mark.django_db
@every_game
def test_mutated_documents(slug: str) -> None:
    right = short_document(slug)
    api = Api()

    @settings(QUICK, max_examples=3)
    @given(document=changed(right))
    def send(document: Any) -> None:
        check_import(api, document)

    send()


@pytest.mark.long
@pytest.mark.django_db
@every_game
def test_mutated_documents_long(slug: str) -> None:
    """Changes to every top-level field, and to entries all over a game."""
    api, whole = Api(), json.loads(document(slug))
    entries = whole["entries"][: 40 if "pad" in slug else 25]
    right = {**whole, "status": "playing", "ended_at": None, "entries": entries}

    @settings(QUICK, max_examples=25)
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        part = data.draw(st.sampled_from([*right, "entry", "entry", "entry"]))
        if part == "entry" and entries:
            number = data.draw(st.integers(0, len(entries) - 1))
            mutated = [*entries[:number], data.draw(changed(entries[number])), *entries[number + 1 :]]
            check_import(api, {**right, "entries": mutated})
        else:
            check_import(api, {**right, part: data.draw(ANYTHING)})

    send()

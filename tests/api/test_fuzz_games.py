"""Every action of every game and pad, changed in one place: accepted or refused with a sentence, never more.

`test_fuzz.py` sends anything at all; here it is nearly right, so that it gets far into the rules.
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
    """Send an action; what is refused has changed nothing, what is accepted can be looked at and taken back."""
    before = Table.objects.values().get(code=at.code)
    raw = json.dumps({"action": action, "faction": faction}).encode()
    with not_hanging():
        answer = at.api.raw(f"tables/{at.code}/{part}/", raw, token=at.host)
        if answer.status_code == 201:
            for shown in SHOWN:
                at.json(shown)
    told = answer.json()
    if answer.status_code in (200, 201):
        assert told["steps"] is not None
    else:
        assert answer.status_code in (400, 403, 409, 413), answer.content
        assert set(told) == {"code", "message", "rule"}
        assert told["message"]
    if answer.status_code == 201:
        table = Table.objects.get(code=at.code)
        undo(table=table, access=identify(table, [at.host]))
    else:
        now = Table.objects.values().get(code=at.code)
        assert {**now, "host_seen_at": None} == {**before, "host_seen_at": None}


@pytest.mark.django_db
@every_game
def test_every_action_of_every_game(slug: str) -> None:
    """At the beginning of a game most come too early, but they are read before that is said."""
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
def test_what_is_asked_for_now(slug: str) -> None:
    """In the middle of the first round: what is changed is what people are asked for."""
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
    """A whole game, played at random."""
    players = PLAYED[slug].min_players
    evening = Evening(
        slug, players, 0, datetime(2026, 11, 14, 19, tzinfo=UTC), ("Ada", "Béla", "Carla", "Éva")
    )
    return json.dumps(document_of(walk(slug, players, 0), evening))


@pytest.mark.long
@pytest.mark.django_db
@every_game
def test_every_action_where_it_belongs(slug: str) -> None:
    """Before the first entry of each type, that entry is changed; then the next earlier one."""
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


def imported(api: Api, changed_document: Any) -> None:
    count = Table.objects.count()
    with not_hanging(20):
        answer = api.raw("tables/import/", json.dumps(changed_document).encode())
    if answer.status_code == 201:
        copied = AtTable(api, answer.json()["code"], answer.json()["host_token"])
        for part in (*SHOWN, "export/"):
            answered = copied.get(part)
            assert answered.status_code in (200, 409), answered.content  # 409: something is hidden
        Table.objects.get(code=copied.code).delete()
        return
    assert answer.status_code in (400, 413), answer.content
    assert set(answer.json()) == {"code", "message", "rule"}
    assert Table.objects.count() == count


def short(slug: str) -> dict[str, Any]:
    """A game that has just begun, as a document."""
    sitting = sitting_at(slug, entries=3)
    exported = at_table(sitting.table, sitting.host_token).json("export/")
    for entry in exported["entries"]:
        del entry["steps"]
    return exported  # type: ignore[no-any-return]


@pytest.mark.django_db
@every_game
def test_documents_of_every_game(slug: str) -> None:
    right = short(slug)
    api = Api()

    @settings(QUICK, max_examples=3)
    @given(document=changed(right))
    def send(document: Any) -> None:
        imported(api, document)

    send()


@pytest.mark.long
@pytest.mark.django_db
@every_game
def test_documents_of_every_game_for_long(slug: str) -> None:
    """Every part of the top, and the parts of entries all over a game."""
    api, whole = Api(), json.loads(document(slug))
    kept = whole["entries"][: 40 if "pad" in slug else 25]
    right = {**whole, "status": "playing", "ended_at": None, "entries": kept}

    @settings(QUICK, max_examples=25)
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        part = data.draw(st.sampled_from([*right, "entry", "entry", "entry"]))
        if part == "entry" and kept:
            number = data.draw(st.integers(0, len(kept) - 1))
            entries = [*kept[:number], data.draw(changed(kept[number])), *kept[number + 1 :]]
            imported(api, {**right, "entries": entries})
        else:
            imported(api, {**right, part: data.draw(ANYTHING)})

    send()

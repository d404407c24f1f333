"""Idempotency keys: a repeated request counts once."""

from typing import Any

import pytest

from companion.journal.submit import redo, submit, undo
from companion.models import Entry, IdempotencyKey
from companion.tables.hosting import abandon
from tests.tables.sitting import assert_sound, correction, enter, offered, play, play_on, refused, rows

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def test_repeated_entry_with_same_key_counts_once() -> None:
    sitting = play(2)
    faction, action = offered(sitting.table)

    first = enter(sitting, faction, action, key="k")
    play_on(sitting, 2)
    before = rows()

    assert enter(sitting, faction, action, key="k") == first
    assert rows() == before


def test_order_of_fields_does_not_matter() -> None:
    sitting = play(2)
    faction, action = offered(sitting.table)
    first = enter(sitting, faction, action, key="k")

    assert enter(sitting, faction, dict(reversed(action.items())), key="k") == first


def test_same_entry_with_other_keys_counts_again() -> None:
    sitting = play(2)

    for key in ("a", "b", None, None):
        enter(sitting, "blue", correction(), key=key)

    assert Entry.objects.count() == 4
    assert IdempotencyKey.objects.count() == 2


def test_same_key_with_another_request_is_refused() -> None:
    sitting = play(2)
    enter(sitting, "blue", correction(1), key="k")

    with refused("key"):
        enter(sitting, "blue", correction(2), key="k")
    with refused("key"):
        enter(sitting, "yellow", correction(1), key="k")
    with refused("key"):
        undo(table=sitting.table, access=sitting.host, key="k")


def test_key_of_refused_entry_can_be_reused() -> None:
    sitting = play(2, 2)
    with refused("illegal"):
        enter(sitting, "blue", {"type": "end"}, key="k")

    faction, action = offered(sitting.table)
    enter(sitting, faction, action, key="k")

    assert Entry.objects.count() == 3


def test_keys_are_scoped_to_their_table() -> None:
    sitting, other = play(2), play(2)

    enter(sitting, "blue", correction(1), key="k")
    enter(other, "blue", correction(2), key="k")

    assert Entry.objects.count() == 2


def test_first_response_is_repeated_after_undo_and_end_of_game() -> None:
    sitting = play(2)
    first = enter(sitting, "blue", correction(), key="k")
    undo(table=sitting.table, access=sitting.host)
    assert enter(sitting, "blue", correction(), key="k") == first
    abandon(table=sitting.table, access=sitting.host)

    assert enter(sitting, "blue", correction(), key="k") == first


def test_key_does_not_bypass_authorization() -> None:
    sitting = play(2)
    enter(sitting, "blue", correction(), key="k")

    with refused("foreign-token"):
        submit(
            table=sitting.table,
            access=sitting.access("yellow"),
            faction="blue",
            action=correction(),
            key="k",
        )


@pytest.mark.parametrize("attempt", [undo, redo])
def test_repeated_undo_or_redo_with_same_key_counts_once(attempt: Any) -> None:
    sitting = play(2, 4)
    for _ in range(2):
        undo(table=sitting.table, access=sitting.host)

    first = attempt(table=sitting.table, access=sitting.host, key="k")
    head = sitting.fresh().head
    again = attempt(table=sitting.table, access=sitting.access("blue"), key="k")

    assert again == first
    assert sitting.fresh().head == head
    with refused("key"):
        attempt(table=sitting.table, access=sitting.host, number=2, key="k")
    assert_sound(sitting.table)


def test_key_of_refused_undo_can_be_reused() -> None:
    sitting = play(2)
    with refused("nothing"):
        undo(table=sitting.table, access=sitting.host, key="k")
    play_on(sitting, 1)

    undo(table=sitting.table, access=sitting.host, key="k")

    assert sitting.fresh().head == 0


@pytest.mark.parametrize("key", ["", "k" * 65, "\0", "\ud800"])
def test_invalid_key_is_refused(key: str) -> None:
    sitting = play(2, 1)

    with refused("bad-input"):
        enter(sitting, "blue", correction(), key=key)
    with refused("bad-input"):
        undo(table=sitting.table, access=sitting.host, key=key)


def test_longest_key_is_accepted() -> None:
    sitting = play(2)

    enter(sitting, "blue", correction(), key="ü" * 64)

    assert IdempotencyKey.objects.get().key == "ü" * 64

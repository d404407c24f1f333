"""Admin pages: read-only, except for deleting tables, and without secrets."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from companion.models import Entry, Seat, Table
from tests.api.conftest import Api, AtTable, open_table

PAGES = ("table", "seat", "entry")


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create(username="operator", is_staff=True, is_superuser=True))
    return client


def addresses(table: AtTable) -> list[str]:
    row = Table.objects.get(code=table.code)
    rows = {"table": row, "seat": row.seats.first(), "entry": row.entries.first()}
    changes = [f"/admin/companion/{name}/{row.pk}/change/" for name, row in rows.items() if row]
    return [f"/admin/companion/{name}/" for name in PAGES] + changes


def test_admin_pages_work_and_show_no_secret(table: AtTable, operator: Client) -> None:
    table.play(3)
    secrets = [
        *Seat.objects.values_list("token_hash", flat=True),
        Table.objects.get(code=table.code).host_hash,
    ]
    for address in addresses(table):
        answer = operator.get(address)
        assert answer.status_code == 200, address
        text = answer.content.decode()
        assert not [secret for secret in secrets if secret in text]
    listed = operator.get("/admin/companion/table/").content.decode()
    assert table.code in listed
    assert "Alice (blue), Bob (yellow)" in listed


def test_anonymous_users_are_redirected_to_login(table: AtTable) -> None:
    table.play(1)
    for address in addresses(table):
        assert Client().get(address).status_code == 302


def test_rows_cannot_be_added_changed_or_deleted(table: AtTable, operator: Client) -> None:
    table.play(1)
    for name in PAGES:
        assert operator.get(f"/admin/companion/{name}/add/").status_code == 403
    for address in addresses(table)[3:]:
        assert operator.post(address, {"number": 9}).status_code == 403
    entry = Entry.objects.get()
    assert operator.post(f"/admin/companion/entry/{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    assert Entry.objects.exists()


def test_table_can_be_deleted_with_its_entries(table: AtTable, operator: Client) -> None:
    table.play(1)
    row = Table.objects.get(code=table.code)
    operator.post(f"/admin/companion/table/{row.pk}/delete/", {"post": "yes"})
    assert not Table.objects.exists()
    assert not Entry.objects.exists()


def test_several_tables_can_be_deleted_at_once(api: Api, operator: Client) -> None:
    for _ in range(2):
        open_table(api).start()
    chosen = list(Table.objects.values_list("pk", flat=True))
    body = {"action": "delete_selected", "_selected_action": chosen, "post": "yes"}
    operator.post("/admin/companion/table/", body)
    assert not Table.objects.exists()


@pytest.mark.parametrize("name", PAGES)
def test_more_rows_cost_no_more_queries(api: Api, operator: Client, name: str) -> None:
    def cost() -> Any:
        with CaptureQueriesContext(connection) as queries:
            assert operator.get(f"/admin/companion/{name}/").status_code == 200
        return len(queries)

    def add_table() -> None:
        table = open_table(api, 2)
        table.start()
        table.play(1)

    add_table()
    few = cost()
    add_table()
    add_table()
    assert cost() == few

"""Read-only admin pages for operators: tables, seats and entries. Only whole tables can be deleted."""

from __future__ import annotations

import contextlib
import json
from typing import Any

from django.contrib import admin
from django.contrib.admin.forms import AdminAuthenticationForm
from django.core.exceptions import ValidationError
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from companion.access import rate_limits
from companion.access.table_access import TableAccess
from companion.errors import Refusal
from companion.journal import secrets
from companion.models import Entry, Notice, Seat, Table
from companion.tables import hosting
from companion.web.phone import address_of

OPERATOR = TableAccess(is_host=True)


class GuardedLogin(AdminAuthenticationForm):
    """Login form with a rate limit per address; once it is used up, even the right password is rejected."""

    def clean(self) -> dict[str, Any]:
        address = address_of(self.request) if self.request else ""
        try:
            rate_limits.WRONG_PASSWORD.refuse_if_exhausted(address)
        except Refusal as refusal:
            raise ValidationError(refusal.message) from None
        try:
            return super().clean()
        except ValidationError:
            with contextlib.suppress(Refusal):
                rate_limits.WRONG_PASSWORD.take(address)
            raise


admin.site.login_form = GuardedLogin


class ReadOnly:
    """No adding or changing: only the services keep related rows consistent."""

    def has_add_permission(self, *_args: Any) -> bool:
        return False

    def has_change_permission(self, *_args: Any) -> bool:
        return False


class Undeletable(ReadOnly):
    """No deleting either: parts of a table are deleted with their table only."""

    def has_delete_permission(self, *_args: Any) -> bool:
        return False


class SeatsInline(Undeletable, admin.TabularInline):
    model = Seat
    fields = ("number", "name", "faction", "is_free", "seen_at")
    readonly_fields = ("is_free",)

    @admin.display(boolean=True, description=_("seat is free"))
    def is_free(self, seat: Seat) -> bool:
        return not seat.token_hash


class NoticesInline(Undeletable, admin.TabularInline):
    model = Notice
    fields = ("created_at", "code", "params")


@admin.register(Table)
class TableAdmin(ReadOnly, admin.ModelAdmin):
    """Tables can be deleted, with everything that belongs to them."""

    list_display = ("code", "game", "status", "names", "round", "phase", "entries_count", "changed_at")
    list_filter = ("game", "status", "locked", "ended_by_host")
    search_fields = ("code", "seats__name")
    date_hierarchy = "created_at"
    ordering = ("-changed_at",)
    inlines = (SeatsInline, NoticesInline)
    exclude = ("host_hash", "host")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        tables: QuerySet[Table] = super().get_queryset(request)
        return tables.annotate(entries_count=Count("entries", distinct=True)).prefetch_related("seats")

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Require no permissions for the related rows: the right to delete a table covers them."""
        shown, counts, _needed, protected = super().get_deleted_objects(objs, request)
        return shown, counts, set(), protected

    def delete_model(self, request: HttpRequest, obj: Table) -> None:  # noqa: ARG002 - Django's signature
        hosting.delete(table=obj, access=OPERATOR)  # also notifies the phones

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> None:
        for table in queryset:
            self.delete_model(request, table)

    @admin.display(description=_("players"))
    def names(self, table: Table) -> str:
        return ", ".join(str(seat) for seat in table.seats.all())

    @admin.display(description=_("entries"), ordering="entries_count")
    def entries_count(self, table: Any) -> int:
        return int(table.entries_count)


@admin.register(Seat)
class SeatAdmin(Undeletable, admin.ModelAdmin):
    list_display = ("name", "faction", "table", "number", "is_free", "seen_at")
    list_filter = ("table__game", "table__status", "faction")
    list_select_related = ("table",)
    search_fields = ("name", "table__code")
    ordering = ("-seen_at",)
    exclude = ("token_hash",)

    @admin.display(boolean=True, description=_("seat is free"))
    def is_free(self, seat: Seat) -> bool:
        return not seat.token_hash


@admin.register(Entry)
class EntryAdmin(Undeletable, admin.ModelAdmin):
    list_display = ("table", "number", "faction", "kind", "undone", "created_at")
    list_filter = ("table__game", "undone", "faction", "rules")
    list_select_related = ("table",)
    search_fields = ("table__code",)
    date_hierarchy = "created_at"
    ordering = ("-created_at", "-number")
    exclude = ("action",)
    readonly_fields = ("entered",)

    @admin.display(description=_("action"))
    def entered(self, entry: Entry) -> str:
        """Return the action as JSON; what is still secret at the table is masked here, too."""
        return json.dumps(secrets.visible_action(entry, secrets.hidden_entries(entry.table)))

    @admin.display(description=_("type"))
    def kind(self, entry: Entry) -> str:
        return str(entry.action.get("type"))

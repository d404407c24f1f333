"""JSON field that preserves key order."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import models
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Cast


class OrderedJSONField(models.JSONField):
    """JSON field that preserves the order of keys, which PostgreSQL's `jsonb` does not.

    The steps of a fold come in the order of the board's figures and of the entered values, so that order is
    part of the journal. PostgreSQL's `json` type stores the text unchanged; key lookups cast it to `jsonb`,
    because `json` values cannot be compared.
    """

    def db_type(self, connection: Any) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if connection.vendor == "postgresql":
            return value  # already decoded by the driver
        return super().from_db_value(value, expression, connection)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        ready = super().get_db_prep_save(value, connection)
        if connection.vendor != "postgresql" or ready is None or hasattr(ready, "as_sql"):
            return ready
        from psycopg.types.json import Json  # noqa: PLC0415 - installed only with PostgreSQL

        return Json(ready.obj, dumps=ready.dumps)

    def get_transform(self, name: str) -> Any:
        return models.Field.get_transform(self, name) or partial(_key_of_jsonb, name)


def _key_of_jsonb(name: str, column: Any) -> KeyTransform:
    """Return the transform for a key lookup on the column cast to `jsonb`."""
    return KeyTransform(name, Cast(column, models.JSONField()))

"""JSON that comes back as it was written."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.db import models
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Cast


class OrderedJSONField(models.JSONField):
    """Keeps the order of what is mapped, which PostgreSQL's ``jsonb`` does not.

    Folding a journal tells its steps in the order of figures and of what was entered, so that order
    is part of the journal. PostgreSQL's ``json`` keeps the text as it is; where one of its values is asked
    for, it is looked at as ``jsonb``, since ``json`` cannot be compared.
    """

    def db_type(self, connection: Any) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        if connection.vendor == "postgresql":
            return value  # the driver has decoded it
        return super().from_db_value(value, expression, connection)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        ready = super().get_db_prep_save(value, connection)
        if connection.vendor != "postgresql" or ready is None or hasattr(ready, "as_sql"):
            return ready
        from psycopg.types.json import Json  # noqa: PLC0415 - only there with that database

        return Json(ready.obj, dumps=ready.dumps)

    def get_transform(self, name: str) -> Any:
        return models.Field.get_transform(self, name) or partial(_key_of_jsonb, name)


def _key_of_jsonb(name: str, column: Any) -> KeyTransform:
    """Return the value under a name; PostgreSQL cannot compare ``json``, but ``jsonb``."""
    return KeyTransform(name, Cast(column, models.JSONField()))

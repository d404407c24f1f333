"""JSON that comes back as it was written."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models.fields.json import KeyTransform


class OrderedJSONField(models.JSONField):
    """Keeps the order of what is mapped, which PostgreSQL's ``jsonb`` does not.

    Folding a journal tells its steps in the order of figures and of what was entered, so that order
    is part of the journal. PostgreSQL's ``json`` keeps the text as it is; where one of its values is asked
    for, it is looked at as ``jsonb``, since ``json`` cannot be compared.
    """

    def db_type(self, connection: Any) -> str | None:
        return "json" if connection.vendor == "postgresql" else super().db_type(connection)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        # The driver reads ``json`` itself.
        is_read = connection.vendor == "postgresql" and not isinstance(expression, KeyTransform)
        return value if is_read else super().from_db_value(value, expression, connection)

    def get_db_prep_save(self, value: Any, connection: Any) -> Any:
        ready = super().get_db_prep_save(value, connection)
        if connection.vendor != "postgresql" or ready is None or hasattr(ready, "as_sql"):
            return ready
        from psycopg.types.json import Json  # noqa: PLC0415 - only there with that database

        return Json(ready.obj, dumps=ready.dumps)

    def get_transform(self, name: str) -> Any:
        return models.Field.get_transform(self, name) or _Key.named(name)


class _Key(KeyTransform):
    """What stands under a name."""

    @classmethod
    def named(cls, name: str) -> Any:
        return lambda *arguments, **more: cls(name, *arguments, **more)

    def preprocess_lhs(self, compiler: Any, connection: Any) -> Any:
        column, parameters, keys = super().preprocess_lhs(compiler, connection)
        return f"({column})::jsonb" if connection.vendor == "postgresql" else column, parameters, keys

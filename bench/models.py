"""The row that the bare view inserts."""

from __future__ import annotations

from django.db import models


class Row(models.Model):
    text = models.TextField()

    def __str__(self) -> str:
        return self.text

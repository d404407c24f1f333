"""Codes that people read to each other."""

from __future__ import annotations

import secrets

# No vowels, so no words; nothing that looks like something else.
ALPHABET = "CDFGHJKMNPQRTVWX2346789"


def draw_code(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _letter in range(length))

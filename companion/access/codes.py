"""Random codes that people can read to each other."""

from __future__ import annotations

import secrets

# No vowels, so that no words come up, and no characters that look alike.
ALPHABET = "CDFGHJKMNPQRTVWX2346789"


def random_code(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))

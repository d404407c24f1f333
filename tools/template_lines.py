"""Part of `make lint`: find template lines that are too long to read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
LONGEST = 160  # characters


def long_lines(source: str) -> Iterator[tuple[int, int]]:
    """Yield number and length of each line that is too long."""
    for number, line in enumerate(source.splitlines(), start=1):
        if len(line) > LONGEST:
            yield number, len(line)


def files() -> list[Path]:
    return sorted(path for path in (ROOT / "templates").rglob("*") if path.is_file())


def main() -> int:
    messages = [
        f"{path.relative_to(ROOT)}:{number}: {length} characters, at most {LONGEST} are allowed"
        for path in files()
        for number, length in long_lines(path.read_text(encoding="utf-8"))
    ]
    print("\n".join(messages) or f"No template line has more than {LONGEST} characters.")
    return 1 if messages else 0


if __name__ == "__main__":
    sys.exit(main())
